/** Looks at accepted records for what is no fault but may be a mistake. Costs some comparisons a record. */
import { isAscii } from 'node:buffer';
import { cellOf, NULL, type RecordBatch, textOf } from '../batch.js';
import { type CollectionModel, type FieldKind, isList, isNumeric } from '../model.js';
import { count, grouped } from '../text.js';
import { mayHoldDoubleEncoded } from './decode.js';

/** What windows-1252 makes of the bytes that follow the first of a character. */
const FOLLOWING = '[\\u0080-\\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]';
/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`, and two letters of Cyrillic, `Ð´Ð°` for `да`. */
const DOUBLE_ENCODED = new RegExp(`[ÂÃ]${FOLLOWING}|â[€\\u0080]${FOLLOWING}|(?:[ÐÑ]${FOLLOWING}){2}`);
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

const isRelative = (address: string): boolean =>
  address !== '' && !address.startsWith('http') && !ABSOLUTE.test(address);

const HTTP = Buffer.from('http');

function beginsWithHttp(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < HTTP.length; i++) if (bytes[start + i] !== HTTP[i]) return false;
  return true;
}

interface Column {
  present: number;
  zero: number;
  future: number;
  relative: number;
  doubleEncoded: number;
  firstDoubleEncoded: string;
}

export interface Suspicions {
  look(batch: RecordBatch): void;
  /** How many records have a value of a field. */
  present(row: number): number;
  texts(accepted: number): readonly string[];
}

/** For those who do not ask. */
export const NO_SUSPICIONS: Suspicions = { look() {}, present: () => 0, texts: () => [] };

export function createSuspicions({ fields, name: collection }: CollectionModel, nowMs: number): Suspicions {
  const columns = fields.map((): Column => {
    return { present: 0, zero: 0, future: 0, relative: 0, doubleEncoded: 0, firstDoubleEncoded: '' };
  });
  // A day more: clocks and zones differ.
  const futureMs = nowMs + 86_400_000;

  const lookAtText = (column: Column, text: string): void => {
    const found = DOUBLE_ENCODED.exec(text);
    if (found === null) return;
    if (column.doubleEncoded++ === 0)
      column.firstDoubleEncoded = text.slice(Math.max(0, found.index - 15), found.index + 15);
  };

  const lookAt = (column: Column, kind: FieldKind, batch: RecordBatch, cell: number): void => {
    if (isNumeric(kind)) column.zero += batch.numbers[cell] === 0 ? 1 : 0;
    else if (kind === 'date') column.future += batch.numbers[cell]! > futureMs ? 1 : 0;
    else if (kind === 'url') {
      if (!beginsWithHttp(batch.bytes, batch.starts[cell]!) && isRelative(textOf(batch, cell) ?? '')) column.relative++;
    } else if (kind === 'text' && !isAscii(batch.bytes.subarray(batch.starts[cell], batch.ends[cell])))
      lookAtText(column, textOf(batch, cell) ?? '');
  };

  const look = (batch: RecordBatch): void => {
    for (const [field, column] of columns.entries()) {
      const { kind } = fields[field]!;
      const first = cellOf(field, 0);
      const isLookedAt = kind === 'text' ? mayHoldDoubleEncoded(bytesBetween(batch, first)) : !isList(kind);
      for (let cell = first; cell < first + batch.size; cell++) {
        if (batch.kinds[cell]! <= NULL) continue;
        column.present++;
        if (isLookedAt) lookAt(column, kind, batch, cell);
      }
    }
  };

  const columnTexts = (column: Column, row: number, accepted: number): readonly string[] => {
    const { name = '', required } = fields[row] ?? {};
    const { present, zero, relative, doubleEncoded, firstDoubleEncoded } = column;
    const texts: string[] = [];
    if (!required && present > 0 && zero === present) texts.push(`${name}: 0 in every record that has one`);
    if (column.future > 0) texts.push(`${name}: ${count(column.future, 'date')} in the future`);
    if (relative > 0)
      texts.push(
        `${name}: ${count(relative, 'relative address').replace(/addresss$/, 'addresses')}, kept as ${relative === 1 ? 'it is' : 'they are'}; --base-url URL completes ${relative === 1 ? 'it' : 'them'}`,
      );
    if (doubleEncoded > 0)
      texts.push(
        `${name}: ${count(doubleEncoded, 'text')} of ${grouped(accepted)} ${doubleEncoded === 1 ? 'looks' : 'look'} double-encoded, such as ${JSON.stringify(firstDoubleEncoded)}`,
      );
    return texts;
  };

  /** Articles mostly have no tags. */
  const emptyText = (): readonly string[] => {
    const empty = fields.filter(({ kind }, row) => !isList(kind) && columns[row]!.present === 0);
    return empty.length === 0 ? [] : [`no record has a value for ${empty.map(({ name }) => name).join(', ')}`];
  };

  return {
    look,
    present: (row) => columns[row]?.present ?? 0,
    texts: (accepted) =>
      accepted === 0
        ? [`no ${collection} in this file`]
        : [...columns.flatMap((column, row) => columnTexts(column, row, accepted)), ...emptyText()],
  };
}

/** The bytes from the first of a column's cells to the last of them, with all that stands between: mostly in no time ASCII. */
function bytesBetween({ bytes, kinds, starts, ends, size }: RecordBatch, first: number): Buffer {
  let from = bytes.length;
  let to = 0;
  for (let cell = first; cell < first + size; cell++) {
    if (kinds[cell]! <= NULL) continue;
    from = Math.min(from, starts[cell]!);
    to = Math.max(to, ends[cell]!);
  }
  return bytes.subarray(from, Math.max(from, to));
}
