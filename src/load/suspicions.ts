/** Looks at accepted records for what is no fault but may be a mistake. Costs some comparisons a record. */
import type { CollectionModel, Value } from '../model.js';
import { count, grouped } from '../text.js';
import { canonicalDate } from './schema.js';

/** What windows-1252 makes of the bytes that follow the first of a character. */
const FOLLOWING = '[\\u0080-\\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]';
/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`, and two letters of Cyrillic, `Ð´Ð°` for `да`. */
const DOUBLE_ENCODED = new RegExp(`[ÂÃ]${FOLLOWING}|â[€\\u0080]${FOLLOWING}|(?:[ÐÑ]${FOLLOWING}){2}`);
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

const isRelative = (address: string): boolean =>
  address !== '' && !address.startsWith('http') && !ABSOLUTE.test(address);

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

export interface Suspicions {
  look(values: readonly Value[], mayBeDoubleEncoded: boolean): void;
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
    look(values, mayBeDoubleEncoded) {
      for (let row = 0; row < columns.length; row++)
        lookAt(columns[row]!, kinds[row]!, values[row]!, mayBeDoubleEncoded);
    },
    present: (row) => columns[row]?.present ?? 0,
    texts: (accepted) =>
      accepted === 0
        ? [`no ${collection} in this file`]
        : columns.flatMap((column, row) => columnTexts(column, row, accepted)),
  };
}
