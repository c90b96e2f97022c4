/** Looks for possible mistakes in accepted records. Costs some comparisons a record. */
import { isAscii } from 'node:buffer';
import { cellOf, NULL, type RecordBatch, textOf } from '../batch.js';
import { type CollectionModel, type Field, isFound, isList, isNumeric } from '../model.js';
import { count, grouped } from '../text.js';
import { mayHoldDoubleEncoded } from './decode.js';

/** The characters of windows-1252 that have the bytes 0x80 to 0xbf: those behind the first byte of a UTF-8 character. */
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

interface ColumnCounts {
  present: number;
  zero: number;
  future: number;
  relative: number;
  doubleEncoded: number;
  firstDoubleEncoded: string;
}

export type Suspicions = ReturnType<typeof createSuspicions>;

export function createSuspicions({ fields, name: collection }: CollectionModel, nowMs: number) {
  const columns = fields.map((): ColumnCounts => {
    return { present: 0, zero: 0, future: 0, relative: 0, doubleEncoded: 0, firstDoubleEncoded: '' };
  });
  // A day is added, since clocks and zones differ.
  const futureMs = nowMs + 86_400_000;

  const lookAtText = (column: ColumnCounts, text: string): void => {
    const match = DOUBLE_ENCODED.exec(text);
    if (match === null) return;
    if (column.doubleEncoded++ === 0)
      column.firstDoubleEncoded = text.slice(Math.max(0, match.index - 15), match.index + 15);
  };

  const lookAt = (column: ColumnCounts, field: Field, batch: RecordBatch, cell: number): void => {
    const { kind } = field;
    if (isNumeric(kind)) column.zero += batch.numbers[cell] === 0 ? 1 : 0;
    // A found date may be a deadline.
    else if (kind === 'date') column.future += !isFound(field) && batch.numbers[cell]! > futureMs ? 1 : 0;
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
        if (isLookedAt) lookAt(column, fields[field]!, batch, cell);
      }
    }
  };

  const columnTexts = (column: ColumnCounts, index: number, accepted: number): readonly string[] => {
    const { name = '', required } = fields[index] ?? {};
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

  /** The line about fields without any value. Lists do not count: articles mostly have no tags; nor does what another file has. */
  const emptyText = (): readonly string[] => {
    const isEmpty = (field: Field, index: number): boolean =>
      !isList(field.kind) && !isFound(field) && columns[index]!.present === 0;
    const empty = fields.filter(isEmpty);
    return empty.length === 0 ? [] : [`no record has a value for ${empty.map(({ name }) => name).join(', ')}`];
  };

  return {
    look,
    /** The number of records that have a value of a field. */
    present: (index: number): number => columns[index]?.present ?? 0,
    texts: (accepted: number): readonly string[] =>
      accepted === 0
        ? [`no ${collection} in this file`]
        : [...columns.flatMap((column, index) => columnTexts(column, index, accepted)), ...emptyText()],
  };
}

/** The bytes from a column's first cell to its last, with all between: one test whether all are ASCII is faster than one a cell. */
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
