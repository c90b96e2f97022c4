/** One cell of a source → a field's value, where the cell is not of the field's type as it stands. */
import type { Field, Value } from '../model.js';
import { quote } from '../text.js';
import { type DateOrder, readDate, readEpoch } from './dates.js';
import { readPlainNumber, readSpelledNumber } from './numbers.js';
import { canonicalDate, isCanonicalDate } from './schema.js';

/**
 * `native`: the source's way to write such a value. `missing`: the source has none. `repaired`: read from another
 * spelling. `unreadable`: there is something, and it is no such value. `order`: a date that needs the column's order.
 */
export interface Reading {
  readonly how: 'native' | 'missing' | 'repaired' | 'unreadable' | 'order';
  readonly value: Value;
}

export interface CellContext {
  /** Every cell is text, and a plain number or an array in JSON is how it is written. */
  readonly isCsv: boolean;
  readonly dateOrder: DateOrder | undefined;
}

const MISSING: Reading = { how: 'missing', value: null };
const UNREADABLE: Reading = { how: 'unreadable', value: null };
const repaired = (value: Value): Reading => ({ how: 'repaired', value });

export function readCell(field: Field, cell: unknown, context: CellContext): Reading {
  if (cell === null || cell === undefined) return MISSING;
  if (Array.isArray(cell) && cell.length === 0) return MISSING;
  switch (field.kind) {
    case 'integer':
    case 'number':
      return readNumberCell(field, cell, context);
    case 'date':
      return readDateCell(cell, context);
    case 'tags':
      return readTagsCell(cell, context);
    default:
      return readTextCell(cell, field.kind);
  }
}

function readNumberCell({ kind }: Field, cell: unknown, { isCsv }: CellContext): Reading {
  if (typeof cell === 'bigint') return kind === 'number' ? { how: 'native', value: Number(cell) } : UNREADABLE;
  const text = typeof cell === 'string' ? cell.trim() : '';
  if (typeof cell === 'string' && text === '') return MISSING;
  const plain = readPlainNumber(text);
  const number = typeof cell === 'number' ? cell : (plain ?? readSpelledNumber(text));
  if (number === undefined || !Number.isFinite(number)) return UNREADABLE;
  if (kind === 'integer' && !Number.isSafeInteger(number)) return UNREADABLE;
  // -0 is written as 0.
  const value = number === 0 ? 0 : number;
  const isNative =
    typeof cell === 'number' || (isCsv && plain !== undefined && (kind === 'number' || /^-?\d+$/.test(text)));
  return isNative && text.length === (typeof cell === 'string' ? cell.length : 0)
    ? { how: 'native', value }
    : repaired(value);
}

function readDateCell(cell: unknown, { dateOrder }: CellContext): Reading {
  if (typeof cell === 'bigint') return readDateCell(Number(cell), { isCsv: false, dateOrder });
  if (typeof cell !== 'string' && typeof cell !== 'number') return UNREADABLE;
  if (typeof cell === 'string' && isCanonicalDate(cell)) return { how: 'native', value: cell };
  if (typeof cell === 'string' && cell.trim() === '') return MISSING;
  const reading = typeof cell === 'string' ? readDate(cell, dateOrder) : readEpochCell(cell);
  if (reading === 'order') return { how: 'order', value: null };
  return reading === 'unreadable' ? UNREADABLE : repaired(canonicalDate(reading.timeMs));
}

/** A number of eight digits may be a day: 20160804. */
function readEpochCell(cell: number) {
  const asDay = Number.isInteger(cell) && cell >= 1e7 && cell < 1e8 ? readDate(String(cell)) : 'unreadable';
  return asDay === 'unreadable' ? readEpoch(cell) : asDay;
}

function readTextCell(cell: unknown, kind: 'text' | 'url'): Reading {
  if (typeof cell === 'string') return { how: 'native', value: cell };
  if (typeof cell === 'number' || typeof cell === 'bigint') return repaired(String(cell));
  const text = Array.isArray(cell) ? joined(cell, kind) : innerText(cell, kind);
  return text === undefined ? UNREADABLE : repaired(text);
}

/** Several authors or categories are one text; of several addresses the first counts. */
function joined(cells: readonly unknown[], kind: 'text' | 'url'): string | undefined {
  const texts = cells.map((cell) => innerText(cell, kind));
  if (kind === 'url') return texts[0];
  return texts.every((text) => text !== undefined) ? texts.join(', ') : undefined;
}

/** `{"name": "…"}` and `{"url": "…"}`, as structured data on web pages has them. */
function innerText(cell: unknown, kind: 'text' | 'url'): string | undefined {
  if (typeof cell === 'string') return cell;
  if (typeof cell !== 'object' || cell === null) return undefined;
  const inner = new Map<string, unknown>(Object.entries(cell));
  const names = kind === 'url' ? ['url', 'src', 'href'] : ['name', 'title'];
  return names.map((name) => inner.get(name)).find((value) => typeof value === 'string');
}

function readTagsCell(cell: unknown, { isCsv }: CellContext): Reading {
  if (Array.isArray(cell)) return readTagList(cell);
  if (typeof cell !== 'string') return UNREADABLE;
  if (cell.trim() === '') return MISSING;
  const list = cell.startsWith('[') ? parseList(cell) : undefined;
  const tags = list ?? splitTags(cell);
  const reading = tags.length === 0 && list !== undefined ? MISSING : readTagList(tags);
  // In CSV a list in JSON is how a list is written; any other text is a repair.
  return reading.how === 'native' && !(isCsv && list !== undefined) ? repaired(reading.value) : reading;
}

function readTagList(cells: readonly unknown[]): Reading {
  if (cells.every((cell) => typeof cell === 'string')) return { how: 'native', value: cells };
  const texts = cells.map((cell) => (typeof cell === 'number' ? String(cell) : innerText(cell, 'text')));
  const tags = texts.filter((text) => text !== undefined);
  return tags.length === 0 ? UNREADABLE : repaired(tags);
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const PYTHON_LIST = /^\[\s*(?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*\s*\]$/;

/** `a, b`, `a;b`, `a|b`, and a list as Python prints it. */
function splitTags(text: string): readonly string[] {
  if (PYTHON_LIST.test(text)) return (text.match(/'[^']*'|"[^"]*"/g) ?? []).map((quoted) => quoted.slice(1, -1));
  const separator = ['|', ';', ','].find((sign) => text.includes(sign)) ?? ',';
  return text
    .split(separator)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Why a record can't do without this cell. */
export function requiredReason({ name, kind }: Field, cell: unknown): string {
  if (cell === null || cell === undefined) return `${name} is missing`;
  if (typeof cell === 'string' && cell.trim() === '') return `${name} is empty`;
  const found = typeof cell === 'object' ? (Array.isArray(cell) ? 'an array' : 'an object') : quote(cell);
  return `${name}: expected ${kind === 'integer' ? 'an integer' : 'text'}, found ${found}`;
}
