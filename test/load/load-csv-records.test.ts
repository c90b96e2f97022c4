/** Records of CSV, whose cells are placed and spelt as bytes, held against cells read one by one from strings. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findLayout } from '../../src/load/place/csv-dialect.js';
import { readCell } from '../../src/load/values/values.js';
import { collections } from '../../src/model.js';
import type { RecordValues } from '../support/batch-writer.js';
import { type PlainRow, plainRows } from '../support/csv-oracle.js';
import { loadFiles } from '../support/load.js';

const fieldNames = (names: readonly string[]) => {
  const isName = (name: string): boolean => names.includes(name);
  return { isFieldName: isName, isExactName: isName };
};

const [articles] = collections;
const context = { isCsv: true, dateOrder: 'month first' } as const;

/** No text here has an entity. */
const markup = { withoutEntities: (text: string) => text, textOfHtml: (text: string) => text };

/** No content: a record without a title would take its first words. */
const names = articles.fields.map(({ name }) => (name === 'content' ? 'unknown' : name));

/** Null where most rows have a cell more than there are names: a first column without a name is another test's (`load-csv-faults`). */
function plainRecords(text: string): readonly RecordValues[] | null {
  const { dialect } = findLayout(Buffer.from(text), true, fieldNames(names));
  const [header, ...rows] = plainRows(text, dialect);
  const width = header?.cells.length ?? 0;
  const wider = rows.filter(({ cells }) => cells.length === width + 1 && cells[width] !== null);
  if (2 * wider.length >= rows.length) return null;
  // A separator that ends most rows makes a cell of nothing behind the last one.
  const tail = commonestTail(rows, width);
  const whole = rows.flatMap(({ cells, problem }, i) =>
    problem === undefined && tailOf(cells, width) !== undefined && cells.length <= width + tail
      ? [{ cells, record: i + 1 }]
      : [],
  );
  const arePadded = articles.fields.map(
    ({ kind }, i) =>
      kind === 'texts' ||
      (kind === 'text' && whole.some(({ cells: { [i]: cell = null } }) => cell !== null && cell !== cell.trim())),
  );
  const idOf = (cells: readonly (string | null)[]) =>
    readCell(articles.fields[0], cells[0] ?? null, { ...context, markup, form: 'plain' }).value;
  // Where fewer than half have an integer id, records are numbered.
  const haveIds = 2 * whole.filter(({ cells }) => idOf(cells) !== null).length >= whole.length;
  const areAddresses = articles.fields.map(
    ({ kind }, i) => kind !== 'url' || mayBeAddresses(whole.map(({ cells }) => cells[i])),
  );
  return whole.flatMap(({ cells, record }) => {
    const values = articles.fields.map((field, i) => {
      const cell = names[i] === field.name && areAddresses[i] ? (cells[i] ?? null) : null;
      return readCell(field, cell, { ...context, markup, form: arePadded[i] ? 'padded' : 'plain' }).value;
    });
    if (!haveIds) values[0] = record;
    const [id, title] = values;
    return id === null || title === null || String(title).trim() === '' ? [] : [values];
  });
}

/** Texts with white space inside are no addresses. Where nine of ten are none, and there are two at least, the column feeds no address. */
function mayBeAddresses(cells: readonly (string | null | undefined)[]): boolean {
  const texts = cells.map((cell) => cell?.trim() ?? '').filter((text) => text !== '' && text !== 'N/A');
  return texts.length < 2 || texts.filter((text) => /\s/.test(text)).length < 0.9 * texts.length;
}

/** The number of empty cells behind the last of `width` cells; undefined for a row that lacks cells, or has others behind them. */
const tailOf = (cells: readonly (string | null)[], width: number): number | undefined =>
  cells.length < width || cells.slice(width).some((cell) => cell !== null) ? undefined : cells.length - width;

/** The tail that most rows have, and else 0. */
function commonestTail(rows: readonly PlainRow[], width: number): number {
  const sound = rows.filter(({ problem }) => problem === undefined);
  const tails = sound.map(({ cells }) => tailOf(cells, width));
  return tails.find((tail) => 2 * tails.filter((other) => other === tail).length > sound.length) ?? 0;
}

const words = fc.string({
  unit: fc.constantFrom(
    'a',
    'é',
    '😀',
    ' ',
    ',',
    '"',
    '\\',
    '\n',
    '\r\n',
    '\t',
    '\0',
    '\u001f',
    '\u007f',
    "'",
    '=',
    '[',
    '1',
  ),
  maxLength: 8,
});
const text = fc.oneof(words, fc.constantFrom('', ' ', '[]', "'=1", "''", 'N/A', '["a","b"]'));
const number = fc.oneof(
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom(
    '1.50',
    '-0',
    '007',
    ' 3',
    '1e3',
    '4 out of 5 stars',
    '£1,234.50',
    "'-5",
    '9007199254740993',
    '',
    '-',
  ),
);
const date = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('2100-01-01') })
    .map((day) => day.toISOString()),
  fc.constantFrom('2016-08-04T15:52:00Z', '8/4/2016 11:52', '8/14/2016', '2016-02-30T00:00:00Z', '1470325920', 'soon'),
);
const list = fc.oneof(
  fc.array(words, { maxLength: 3 }).map((tags) => JSON.stringify(tags)),
  words,
  fc.constantFrom('["a", "b"]', '[1]', '["a"'),
);
const flag = fc.constantFrom('true', 'false', 'TRUE', '', 'yes');
const CELLS = {
  integer: number,
  number,
  date,
  boolean: flag,
  text,
  code: text,
  url: text,
  texts: list,
  codes: list,
  json: text,
};
const row = fc.tuple(...articles.fields.map(({ kind }) => CELLS[kind]));
/** In quotes, or as it is: then it may not be one cell. */
const spelt = fc
  .tuple(row, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), fc.nat(20))
  .map(([cells, quoted, id]) =>
    cells
      .map((cell, i) =>
        i === 0 ? `${id}` : quoted[i] || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
      )
      .join(','),
  );

it('the records of any CSV are those of its cells', async () => {
  const header = names.join(',');
  await fc.assert(
    fc.asyncProperty(fc.array(spelt, { minLength: 1, maxLength: 8 }), fc.boolean(), async (lines, isRaw) => {
      // A missing quote makes the rows that follow something else.
      const body = lines.map((line, i) => (isRaw && i === 1 ? line.replace('"', '') : line)).join('\n');
      const content = `${header}\n${body}\n`;
      const expected = plainRecords(content);
      if (expected === null) return;
      const { records, fault } = await loadFiles({ 'articles.csv': content });
      if (fault === undefined) expect(records).toEqual(expected);
      else expect(fault).toMatch(/quoted cell/);
    }),
    { numRuns: 50 },
  );
});
