/** Looks at accepted records for what is no fault but may be a mistake. Costs some comparisons a record. */
import type { CollectionModel, Value } from '../model.js';
import { count } from '../text.js';
import { canonicalDate } from './schema.js';

/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`. */
const DOUBLE_ENCODED =
  /[ÂÃ][\u0080-\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]|â[€\u0080][\u0080-\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/;
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

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
  // A day more: clocks and zones differ.
  const future = canonicalDate(nowMs + 86_400_000);

  const lookAtText = (column: Column, text: string): void => {
    const found = DOUBLE_ENCODED.exec(text);
    if (found === null) return;
    if (column.doubleEncoded++ === 0)
      column.firstDoubleEncoded = text.slice(Math.max(0, found.index - 15), found.index + 15);
  };

  const lookAt = (column: Column, kind: string, value: Value): void => {
    if (value === null) return;
    column.present++;
    if (value === 0) column.zero++;
    if (typeof value !== 'string') return;
    if (kind === 'date') column.future += value > future ? 1 : 0;
    else if (kind === 'url')
      column.relative += value !== '' && !value.startsWith('http') && !ABSOLUTE.test(value) ? 1 : 0;
    else lookAtText(column, value);
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
        `${name}: ${count(doubleEncoded, 'text')} of ${accepted.toLocaleString('en')} ${doubleEncoded === 1 ? 'looks' : 'look'} double-encoded, such as ${JSON.stringify(firstDoubleEncoded)}`,
      );
    return texts;
  };

  return {
    look(values: readonly Value[]): void {
      for (let row = 0; row < columns.length; row++) lookAt(columns[row]!, fields[row]!.kind, values[row]!);
    },
    present: (row: number): number => columns[row]?.present ?? 0,
    texts(accepted: number, foreignTexts: number): readonly string[] {
      const texts =
        accepted === 0
          ? [`no ${collection} in this file`]
          : columns.flatMap((column, row) => columnTexts(column, row, accepted));
      if (foreignTexts > 0) texts.push(`${count(foreignTexts, 'record')} not in UTF-8, read as windows-1252`);
      return texts;
    },
  };
}
