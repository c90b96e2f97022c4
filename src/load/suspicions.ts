/** Looks at accepted records for what is no fault but may be a mistake. Costs some comparisons a record. */
import type { CollectionModel, Value } from '../model.js';
import { hasText, NULL, PLAIN_TEXT, type RawCells, type RawRecords, textOf } from '../raw.js';
import { count, grouped } from '../text.js';
import { mayHoldDoubleEncoded } from './decode.js';
import { canonicalDate } from './schema.js';

/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`. */
const DOUBLE_ENCODED =
  /[ÂÃ][\u0080-\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]|â[€\u0080][\u0080-\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/;
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

const isRelative = (address: string): boolean =>
  address !== '' && !address.startsWith('http') && !ABSOLUTE.test(address);

const HTTP = Buffer.from('"http');

function beginsWithHttp(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < HTTP.length; i++) if (bytes[start + i] !== HTTP[i]) return false;
  return true;
}

function mayHold({ bytes, kinds, starts, ends }: RawCells, cell: number): boolean {
  const kind = kinds[cell]!;
  return hasText(kind) && (kind !== PLAIN_TEXT || mayHoldDoubleEncoded(bytes.subarray(starts[cell], ends[cell])));
}

const NUMBER = 0;
const TEXT = 1;
const DATE = 2;
const URL = 3;
const KINDS = { integer: NUMBER, number: NUMBER, text: TEXT, tags: TEXT, date: DATE, url: URL } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

interface Column {
  present: number;
  zero: number;
  future: number;
  relative: number;
  doubleEncoded: number;
  firstDoubleEncoded: string;
}

export function createSuspicions({ fields, name: collection }: CollectionModel, nowMs: number) {
  const columns = fields.map((): Column => {
    return { present: 0, zero: 0, future: 0, relative: 0, doubleEncoded: 0, firstDoubleEncoded: '' };
  });
  const kinds = fields.map(({ kind }) => KINDS[kind]);
  // A day more: clocks and zones differ.
  const future = canonicalDate(nowMs + 86_400_000);

  const lookAtText = (column: Column, text: string): void => {
    const found = DOUBLE_ENCODED.exec(text);
    if (found === null) return;
    if (column.doubleEncoded++ === 0)
      column.firstDoubleEncoded = text.slice(Math.max(0, found.index - 15), found.index + 15);
  };

  const lookAt = (column: Column, kind: Kind, value: Value, mayBeDoubleEncoded: boolean): void => {
    if (value === null) return;
    column.present++;
    if (kind === NUMBER) column.zero += value === 0 ? 1 : 0;
    else if (typeof value !== 'string') return;
    else if (kind === DATE) column.future += value > future ? 1 : 0;
    else if (kind === URL) column.relative += isRelative(value) ? 1 : 0;
    else if (mayBeDoubleEncoded) lookAtText(column, value);
  };

  /** Looks at a field's cells `from … to`, the latter excluded. */
  const lookAtCells = (raw: RawCells, field: number, from: number, to: number, mayBeDoubleEncoded: boolean): void => {
    const column = columns[field]!;
    const kind = kinds[field]!;
    for (let cell = from; cell < to; cell++) {
      if (raw.kinds[cell]! <= NULL) continue;
      column.present++;
      if (kind === NUMBER) column.zero += raw.numbers[cell] === 0 ? 1 : 0;
      else if (kind === DATE) column.future += isFuture(raw, cell) ? 1 : 0;
      else if (kind === URL)
        column.relative += beginsWithHttp(raw.bytes, raw.starts[cell]!) || !isRelative(textOf(raw, cell) ?? '') ? 0 : 1;
      else if (mayBeDoubleEncoded && mayHold(raw, cell)) lookAtText(column, textOf(raw, cell) ?? '');
    }
  };

  /** Most dates lie well in the past; the others are compared as texts, as those of any record are. */
  const isFuture = (raw: RawCells, cell: number): boolean =>
    raw.numbers[cell]! >= nowMs && (textOf(raw, cell) ?? '') > future;

  const columnTexts = (column: Column, row: number, accepted: number): readonly string[] => {
    const { name = '', kind = '', required } = fields[row] ?? {};
    const { present, zero, relative, doubleEncoded, firstDoubleEncoded } = column;
    const texts: string[] = [];
    if (present === 0 && kind !== 'tags') texts.push(`${name}: no record has a value`);
    if (!required && present > 0 && zero === present) texts.push(`${name}: 0 in every record that has one`);
    if (column.future > 0) texts.push(`${name}: ${count(column.future, 'date')} in the future`);
    if (relative > 0)
      texts.push(
        `${name}: ${count(relative, 'relative address').replace(/addresss$/, 'addresses')}, kept as ${relative === 1 ? 'it is' : 'they are'}`,
      );
    if (doubleEncoded > 0)
      texts.push(
        `${name}: ${count(doubleEncoded, 'text')} of ${grouped(accepted)} ${doubleEncoded === 1 ? 'looks' : 'look'} double-encoded, such as ${JSON.stringify(firstDoubleEncoded)}`,
      );
    return texts;
  };

  return {
    look(values: readonly Value[], mayBeDoubleEncoded: boolean): void {
      for (let row = 0; row < columns.length; row++)
        lookAt(columns[row]!, kinds[row]!, values[row]!, mayBeDoubleEncoded);
    },
    lookRaw(raw: RawRecords, mayBeDoubleEncoded: boolean): void {
      for (let field = 0; field < columns.length; field++) {
        const first = raw.columns[field]!;
        lookAtCells(raw, field, first, first + raw.size, mayBeDoubleEncoded);
      }
    },
    present: (row: number): number => columns[row]?.present ?? 0,
    texts(accepted: number, foreignTexts: number): readonly string[] {
      const texts =
        accepted === 0
          ? [`no ${collection} in this file`]
          : columns.flatMap((column, row) => columnTexts(column, row, accepted));
      if (foreignTexts > 0) texts.push('some text is not in UTF-8 and was read as windows-1252');
      return texts;
    },
  };
}
