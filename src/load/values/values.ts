/** Reads a field's value from a cell of the source that is not canonical for the field. */
import { type Field, type FieldPart, type FieldRole, isFound, type Value } from '../../model.js';
import { canonicalDate, parsedJson, parseUrl, quote, words } from '../../text.js';
import { canonicalTime, type DateOrder, type DateReading, readDate, readEpoch, readRelativeDate } from './dates.js';
import { readInUnit } from './measures.js';
import { MINOR_AMOUNTS, valueMembersOf } from './members.js';
import {
  currencyOf,
  type DecimalSign,
  hasComma,
  hasPoint,
  losesDigits,
  readAmount,
  readPercentage,
  readPlainNumber,
  readSpelledNumber,
  withDecimalPoint,
} from './numbers.js';
import { isPlainObject, nameKey, nameLike, wordsOfName } from './paths.js';
import type { TextForm } from './text-forms.js';
import { isNoValue, isNullWord, partsOf, trimmed } from './texts.js';

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
  /** The form of the field's texts; undefined is `plain`. */
  readonly form?: TextForm;
  /** The functions that read HTML and entities; see markup.ts. */
  readonly markup?: Markup | undefined;
  /** The file is an export of this service: a text is never read as JSON. */
  readonly isOurExport?: boolean;
  /** The file may be an export of this service in CSV: apostrophes guard formulas, and a text of a found field is never read as JSON. */
  readonly isGuarded?: boolean;
  /** The sign that the column proves. With commas, `1.234` is a thousand and more, and `12,345` twelve and more; with points, `$1.234` is no thousand. */
  readonly decimalSign?: DecimalSign | undefined;
  /** The name that each spelling of a currency has in its column. */
  readonly currencyNames?: ReadonlyMap<string, string> | undefined;
  /** When the record was scraped: `3 hours ago` counts from it. */
  readonly scrapedAtMs?: number | undefined;
  /** The address of the page: relative addresses are completed by it. */
  readonly baseUrl?: string | undefined;
}

export interface Markup {
  readonly withoutEntities: (text: string) => string;
  readonly textOfHtml: (html: string) => string;
}

const MISSING_VALUE: Reading = { how: 'missing', value: null };
const UNREADABLE: Reading = { how: 'unreadable', value: null };
const repaired = (value: Value): Reading => ({ how: 'repaired', value });

/** Reads a cell of a source as a value of a field. */
export function readCell(field: Field, cell: unknown, context: CellContext): Reading {
  if (cell === null || cell === undefined) return MISSING_VALUE;
  if (Array.isArray(cell) && cell.length === 0 && field.role !== 'comments') return MISSING_VALUE;
  if (field.part !== undefined) return readPart(field.part, cell, context);
  switch (field.kind) {
    case 'integer':
    case 'number':
      return typeof cell === 'object' ? readInner(field, cell, context) : readNumberCell(field, cell, context);
    case 'date':
      return typeof cell === 'object' ? readInner(field, cell, context) : readDateCell(cell, context);
    case 'boolean':
      return readBooleanCell(cell, context);
    case 'json':
      // The field's reader keeps it as it came.
      return UNREADABLE;
    case 'texts':
    case 'codes':
      return readTagsCell(field, cell, context);
    default:
      return readTextCell(field, cell, context);
  }
}

/**
 * The number or date in a list of one, or in an object, at any depth: `{"value": 5}`, `{"$date": {"$numberLong": "…"}}`. A list of
 * comments in place of their number stands for how many there are.
 */
function readInner(field: Field, cell: object, context: CellContext): Reading {
  const names = valueMembersOf(field);
  let holder: unknown = Array.isArray(cell) && cell.length === 1 ? cell[0] : cell;
  let value = isPlainObject(holder) ? memberLike(holder, names) : holder;
  while (isPlainObject(value)) {
    holder = value;
    value = memberLike(value, names);
  }
  const minorUnits = isPlainObject(holder) ? minorUnitsIn(holder) : undefined;
  value ??= minorUnits?.amount;
  const listLength = field.role === 'comments' && Array.isArray(cell) ? repaired(cell.length) : undefined;
  if (value === undefined || typeof value === 'object') return listLength ?? UNREADABLE;
  const { how, value: inner } = readCell(field, value, context);
  if (how !== 'native' && how !== 'repaired') return listLength ?? { how, value: inner };
  // {"amount": 1299, "value": 12.99, "precision": 2}: the digits are those of the amount.
  const areMinor = minorUnits !== undefined && (minorUnits.amount === undefined || minorUnits.amount === value);
  return repaired(typeof inner === 'number' && areMinor ? inner / minorUnits.divisor : inner);
}

/** The members by which an amount is read, so that they are no fields of their own. */
export const AMOUNT_MEMBERS = ['amount', 'value', 'divisor', 'scale', 'precision', 'centAmount', 'fractionDigits'];

/**
 * The amount of an object, and by what it is divided, where the object says so: `{"amount": 1299, "divisor": 100}`, any amount of which is
 * divided, `{"amount": 1299, "currency": "EUR", "scale": 2}`. It holds for no column with a decimal among its amounts (`areMinorUnits`).
 */
export function minorUnitsIn(
  object: Readonly<Record<string, unknown>>,
): { readonly amount?: unknown; readonly divisor: number } | undefined {
  const { divisor } = object;
  if (typeof divisor === 'number' && divisor > 0) return { divisor };
  if (!Object.keys(object).some((name) => nameKey(name).startsWith('currency'))) return undefined;
  for (const [amountName = '', digitsName = ''] of MINOR_AMOUNTS) {
    const amount = object[amountName];
    const digits = object[digitsName];
    const isWhole = typeof amount === 'string' ? /^\d+$/.test(amount) : Number.isInteger(amount);
    if (!isWhole || typeof digits !== 'number' || !Number.isInteger(digits)) continue;
    if (digits >= 0 && digits <= MAX_MINOR_DIGITS) return { amount, divisor: 10 ** digits };
  }
  return undefined;
}

/** Whether the amount of an object is a decimal, which is none of minor units: `{"amount": 12.99, "precision": 2}`. */
export function hasDecimalAmount(object: Readonly<Record<string, unknown>>): boolean {
  const amount = MINOR_AMOUNTS.map(([name = '']) => object[name]).find((one) => one !== undefined);
  const number = typeof amount === 'string' ? readSpelledNumber(amount) : amount;
  return typeof number === 'number' && !Number.isInteger(number);
}

/** No currency of ISO 4217 has minor units of more digits. */
const MAX_MINOR_DIGITS = 4;

/** The first member of an object that has a value and one of these names, tried in their order. */
function memberLike(cell: Readonly<Record<string, unknown>>, wantedNames: readonly string[] = []): unknown {
  for (const wantedName of wantedNames) {
    const name = nameLike(Object.keys(cell), wantedName);
    const value = name === undefined ? undefined : cell[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The spellings of an id, `7` and `#7`. Read from words or an amount of money, an id would be that of another record. */
const ID_SPELLING = /^[\d\s.,'+-]*$/;

/** The upper end of the range that a text spells, or its currency. Texts without one are no repairs. */
function readPart(part: FieldPart, cell: unknown, { decimalSign, currencyNames }: CellContext): Reading {
  if (typeof cell !== 'string') return MISSING_VALUE;
  const spelled = decimalSign === 'comma' ? withDecimalPoint(cell) : cell;
  const amount = readAmount(spelled, { hasDecimalPoint: decimalSign !== undefined });
  const currency = currencyOf(amount);
  const value = part === 'currency' ? currency && (currencyNames?.get(currency) ?? currency) : amount?.upper;
  return value === undefined ? MISSING_VALUE : { how: 'native', value };
}

export const COORDINATE_WORDS = words('lat latitude lng lon long longitude');

/** Whether no number of a field is a thousand, as in ratings and coordinates: `4,125` is more than four, and so is `4.125`. */
export const haveNoThousands = ({ role, name }: Field): boolean =>
  role === undefined ? wordsOfName(name).some((word) => COORDINATE_WORDS.includes(word)) : role === 'rating';

/** The words for what a field's numbers never count, `1,234 ratings` is no rating, and what they are no share of: `1/2` is no price. */
const OTHER_COUNTS: Readonly<Partial<Record<FieldRole, RegExp>>> = {
  price: /./,
  rating: /^(?:(?:up)?vote|like|comment|repl|review|rating)/i,
  score: /\d|^(?:comment|repl|review|rating)/i,
  comments: /^(?!comment|repl|review)/i,
};
const OF_A_SCALE = /\d/;

const isOtherCount = ({ role }: Field, counted: string | undefined): boolean =>
  counted !== undefined && (role === undefined ? OF_A_SCALE : OTHER_COUNTS[role])?.test(counted) === true;

/** Shops of Sweden write `99:90`, which is no time; `12:50` may be one, except in a column of prices. */
const HIGH_COLON_DECIMALS = /^(\d[\d\s.]*):(?=[6-9]\d$)/;
const COLON_DECIMALS_OF_PRICE = /^(\d[\d\s.]*):(?=\d\d$)/;
/** A dash for no francs, as Swiss shops write it: `–.95`. */
const DASH_FOR_ZERO = /^[-–—](?=\.\d\d$)/;

/** The text of a number as other fields have it: of an id without its `#`, of a price with a decimal sign. */
function usualNumber({ required: isId, role, currency }: Field, text: string): string {
  if (isId) return text.replace(/^#(?=\d)/, '');
  return role === 'price' || currency !== undefined
    ? text.replace(COLON_DECIMALS_OF_PRICE, '$1,').replace(DASH_FOR_ZERO, '')
    : text.replace(HIGH_COLON_DECIMALS, '$1,');
}

/**
 * Reads a number, or a text that spells one. The first of these that fits gives the value: a percentage, where the column has them (`5 %`);
 * a plain number (`5`); a measure in the column's unit (`5 km`); an amount (`£5`, `5k`). The only required field of numbers is the id.
 */
function readNumberCell(field: Field, cell: unknown, { isCsv, decimalSign, form }: CellContext): Reading {
  const { kind, required: isId, currency, unit } = field;
  if (typeof cell === 'bigint') return kind === 'number' ? { how: 'native', value: Number(cell) } : UNREADABLE;
  const untrimmed = typeof cell === 'string' ? cell : '';
  const inner = trimmed(untrimmed);
  const text = usualNumber(field, inner);
  if (typeof cell === 'string' && text === '') return MISSING_VALUE;
  if (isId && !ID_SPELLING.test(text)) return UNREADABLE;
  // A spreadsheet makes 13.404.954 of the longitude 13.404954.
  if (/[.,]\d+[.,]/.test(text) && haveNoThousands(field)) return UNREADABLE;
  const hasCommas =
    decimalSign === 'comma' || (text.includes(',') && haveNoThousands(field) && hasComma(text) && !hasPoint(text));
  const spelled = hasCommas ? withDecimalPoint(text) : text;
  const plain = spelled === text ? readPlainNumber(text) : undefined;
  const percentage = form === 'percent' ? readPercentage(spelled) : undefined;
  // In a column of metres `12 M` is no 12 million. A column of scales, `19B`, may have amounts of money besides: `£5`.
  const readText = (): number | undefined => {
    const measured = unit === undefined ? undefined : readInUnit(spelled, unit);
    if (unit || measured !== undefined) return measured;
    const amount = readAmount(spelled, { hasDecimalPoint: hasCommas || decimalSign === 'point', currency });
    return isOtherCount(field, amount?.counted) ? undefined : amount?.value;
  };
  const spelledNumber = percentage ?? plain ?? readText();
  const number = typeof cell === 'number' ? cell : spelledNumber;
  if (number === undefined || !Number.isFinite(number)) return UNREADABLE;
  if (kind === 'integer' && !Number.isSafeInteger(number)) return UNREADABLE;
  // -0 is written as 0.
  const value = number === 0 ? 0 : number;
  const isPlain = plain !== undefined && (kind === 'number' || /^-?\d+$/.test(text)) && !losesDigits(text, plain);
  const isNative = typeof cell === 'number' || (isCsv && isPlain);
  return isNative && text.length === untrimmed.length ? { how: 'native', value } : repaired(value);
}

function readDateCell(cell: unknown, { dateOrder, scrapedAtMs }: CellContext): Reading {
  if (typeof cell === 'number' || typeof cell === 'bigint') return repairedDate(readEpochCell(Number(cell)));
  if (typeof cell !== 'string') return UNREADABLE;
  if (!Number.isNaN(canonicalTime(cell))) return { how: 'native', value: cell };
  if (trimmed(cell) === '') return MISSING_VALUE;
  const relativeMs = scrapedAtMs === undefined ? undefined : readRelativeDate(cell, scrapedAtMs);
  const reading = repairedDate(relativeMs === undefined ? readDate(cell, dateOrder) : { timeMs: relativeMs });
  return reading.how === 'repaired' && DAY.test(cell) ? { how: 'native', value: reading.value } : reading;
}

function repairedDate(reading: DateReading): Reading {
  if (reading === 'order') return { how: 'order', value: null };
  return reading === 'unreadable' ? UNREADABLE : repaired(canonicalDate(reading.timeMs));
}

/** A day as programs write it (ISO 8601): an ordinary spelling, and no repair. */
const DAY = /^\d{4}-\d\d-\d\d$/;

/** `true` and `false` are booleans in every format; spreadsheets and pandas write `TRUE` and `True`. */
function readBooleanCell(cell: unknown, { isCsv }: CellContext): Reading {
  if (typeof cell === 'boolean') return { how: 'native', value: cell };
  if (typeof cell !== 'string') return UNREADABLE;
  const word = trimmed(cell).toLowerCase();
  if (word === '') return MISSING_VALUE;
  if (word !== 'true' && word !== 'false') return UNREADABLE;
  const value = word === 'true';
  return isCsv && word.length === cell.length ? { how: 'native', value } : repaired(value);
}

/** The time that a cell holds, if it does. */
export function timeOf(cell: unknown, dateOrder: DateOrder = 'month first'): number | undefined {
  const { value } = readDateCell(cell, { isCsv: false, dateOrder });
  return typeof value === 'string' ? Date.parse(value) : undefined;
}

/** A number of eight digits may be a day, one of 14 a second: 20160804, 20160804115230. */
function readEpochCell(cell: number) {
  const asDigits = /^(?:\d{8}|\d{14})$/.test(String(cell)) ? readDate(String(cell)) : 'unreadable';
  return asDigits === 'unreadable' ? readEpoch(cell) : asDigits;
}

function readTextCell(field: Field, cell: unknown, context: CellContext): Reading {
  const servedText = (text: string) => (field.kind === 'url' ? completedAddress(text, context) : inForm(text, context));
  if (typeof cell === 'string') {
    if (context.isOurExport !== true && (field.required ? isNoValue(cell) : isNullWord(cell))) return UNREADABLE;
    const inner = mayHoldList(field, context) ? listIn(cell) : undefined;
    if (inner !== undefined) return readCell(field, inner, context);
    const text = servedText(cell);
    return text === cell ? { how: 'native', value: cell } : repaired(text);
  }
  if (typeof cell === 'number' && !Number.isFinite(cell)) return UNREADABLE;
  // The digits of a code are its spelling, also where JSON has them as a number.
  if (typeof cell === 'number' || typeof cell === 'bigint')
    return field.kind === 'code' ? { how: 'native', value: String(cell) } : repaired(String(cell));
  // A documented text that is `false` is missing.
  if (typeof cell === 'boolean' && isFound(field)) return repaired(String(cell));
  const text = Array.isArray(cell) ? textOfCells(field, cell) : innerText(field, cell);
  if (text === undefined || (context.isOurExport !== true && isNullWord(trimmed(text)))) return UNREADABLE;
  return repaired(servedText(text));
}

/** Completes a relative address, `/p/1` or `//host/p/1`, where the page's address is known. */
function completedAddress(address: string, { baseUrl }: CellContext): string {
  if (baseUrl === undefined || /^(?:[a-z][a-z\d+.-]*:|$)/i.test(address)) return address;
  return parseUrl(address, baseUrl)?.href ?? address;
}

/** The text that people read: without markup, with entities decoded, without white space around. */
function inForm(text: string, { form = 'plain', markup }: CellContext): string {
  if (form === 'trimmed') return trimmed(text) || text;
  if (form === 'plain' || markup === undefined) return text;
  if (form === 'html') return markup.textOfHtml(text);
  const decoded = markup.withoutEntities(text);
  // A blank text stays blank, and is reported as such.
  return form === 'padded' ? trimmed(decoded) || decoded : decoded;
}

/** Whether a text of CSV may spell a list or object. A title and a body are what they are, and so are texts of our exports. */
export function mayHoldList({ role, detailOnly, sourcePath }: Field, context: CellContext): boolean {
  const isLiteral = context.isOurExport === true || (context.isGuarded === true && sourcePath !== undefined);
  return context.isCsv && !isLiteral && role !== 'title' && !detailOnly;
}

/** The list or object that a text cell spells. */
export function listIn(cell: string): readonly unknown[] | object | undefined {
  const first = cell.trimStart().charAt(0);
  if (first !== '[' && first !== '{') return undefined;
  const parsed = parsedJson(cell) ?? parsedPython(cell);
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
}

/** Several authors or categories become one text; among several addresses the first counts. */
function textOfCells(field: Field, cells: readonly unknown[]): string | undefined {
  const texts = cells.map((cell) => innerText(field, cell));
  if (field.kind === 'url') return texts[0];
  if (!texts.every((text) => text !== undefined)) return undefined;
  // Pieces of one text have the space between them: ["see ", {"type": "link", "text": "https://a.test"}, " now"].
  const arePieces = field.role === 'body' && cells.some(isPlainObject) && texts.some((text) => /^\s|\s$/.test(text));
  return texts.join(arePieces ? '' : ', ');
}

const INNER_TEXT_MEMBERS = ['name', 'title'];
const ADDRESS_MEMBERS = ['url', 'src', 'href'];

/** `{"name": "…"}` and `{"url": "…"}`, as structured data on web pages has them. */
function innerText(field: Field, cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell;
  if (!isPlainObject(cell)) return undefined;
  const names = valueMembersOf(field) ?? (field.kind === 'url' ? ADDRESS_MEMBERS : INNER_TEXT_MEMBERS);
  const value = memberLike(cell, names);
  if (isPlainObject(value) || Array.isArray(value)) {
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    const deeper = isPlainObject(inner) ? memberLike(inner, names) : inner;
    return typeof deeper === 'string' ? deeper : undefined;
  }
  return typeof value === 'string' ? value : personName(cell);
}

const FIRST_NAMES = ['first_name', 'given', 'given_name', 'first'];
const LAST_NAMES = ['last_name', 'family', 'family_name', 'surname', 'last'];

/** `Ada Moor` of `{"given": "Ada", "family": "Moor"}`. */
function personName(cell: Readonly<Record<string, unknown>>): string | undefined {
  const first = memberLike(cell, FIRST_NAMES);
  const last = memberLike(cell, LAST_NAMES);
  return typeof first === 'string' && typeof last === 'string' ? `${first} ${last}` : undefined;
}

function readTagsCell(field: Field, cell: unknown, context: CellContext): Reading {
  if (Array.isArray(cell)) return readTagList(field, cell, context);
  if (typeof cell !== 'string') return UNREADABLE;
  if (trimmed(cell) === '') return MISSING_VALUE;
  if (context.isOurExport !== true && isNullWord(trimmed(cell))) return UNREADABLE;
  const list = listIn(cell);
  if (!Array.isArray(list)) {
    // Entities are decoded first, since they end in a separator: `Arts &amp; Crafts, Music`.
    const tags = splitTags(inForm(cell, context));
    return tags.length === 0 ? UNREADABLE : repaired(tags);
  }
  if (list.length === 0) return MISSING_VALUE;
  const reading = readTagList(field, list, context);
  // In CSV a list in JSON is how a list is written; any other text is a repair.
  const isWrittenSo = context.isCsv && parsedJson(cell) !== undefined;
  return reading.how === 'native' && !isWrittenSo ? repaired(reading.value) : reading;
}

function readTagList(field: Field, cells: readonly unknown[], context: CellContext): Reading {
  const areTexts = cells.every((cell): cell is string => typeof cell === 'string' && inForm(cell, context) === cell);
  if (areTexts) return { how: 'native', value: cells };
  const texts = cells.map((cell) => (Number.isFinite(cell) ? String(cell) : innerText(field, cell)));
  const tags = texts.flatMap((text) => (text === undefined ? [] : [inForm(text, context)]));
  return tags.length === 0 ? UNREADABLE : repaired(tags);
}

/** A token of Python. One without its closing quote goes on to the end, so that matching stays linear. */
const PYTHON_TOKEN = /'((?:[^'\\]|\\[\s\S])*)(?:'|\\?$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\b(?:None|True|False|nan)\b/g;
/** A longer text is no list that somebody printed. */
const MAX_PYTHON_CHARS = 1 << 18;
const PYTHON_WORDS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false', nan: 'null' };

/** A list or object as Python prints it: `['a', "b's"]`, `[{'id': 16, 'name': 'Crime'}]`. */
const parsedPython = (text: string): unknown =>
  text.length > MAX_PYTHON_CHARS ? undefined : parsedJson(text.replace(PYTHON_TOKEN, jsonToken));

const jsonToken = (token: string, quoted?: string): string =>
  quoted === undefined
    ? (PYTHON_WORDS[token] ?? token)
    : `"${quoted.replaceAll("\\'", "'").replaceAll('"', '\\"').replaceAll('\\x', '\\u00')}"`;

/** `a, b`, `a;b`, `a|b` and `<a><b>`. */
function splitTags(text: string): readonly string[] {
  if (text.startsWith('<') && text.endsWith('>')) {
    const parts = text.slice(1, -1).split('><');
    if (parts.every((part) => /^[^<>]+$/.test(part))) return parts;
  }
  return partsOf(text, ['|', ';', ','].find((sign) => text.includes(sign)) ?? ',');
}

/** The reason of a refusal: why the cell of a required field is no value. */
export function requiredReason({ name, kind }: Field, cell: unknown): string {
  if (cell === null || cell === undefined) return `${name} is missing`;
  if (typeof cell === 'string' && trimmed(cell) === '') return `${name} is empty`;
  const structure = Array.isArray(cell) ? 'an array' : 'an object';
  const cellText = typeof cell === 'object' ? structure : quote(cell);
  return `${name}: expected ${kind === 'integer' ? 'an integer' : 'text'}, found ${cellText}`;
}
