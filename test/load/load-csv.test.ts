import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collections, type Value } from '../../src/model.js';
import { guardFormula } from '../../src/text.js';
import type { RecordValues } from '../support/batch-writer.js';
import { loadFiles } from '../support/load.js';

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r\n', ' ', "'", '=', ';'),
  maxLength: 6,
});

/** A CSV as the service's own export writes it, by the plainest means. */
function exported(fields: readonly string[], records: readonly RecordValues[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const cellText = (value: Value): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const text =
      typeof value === 'number'
        ? String(value)
        : guardFormula(typeof value === 'string' ? value : JSON.stringify(value));
    return text === '' || /[",\r\n]/.test(text) ? quoted(text) : text;
  };
  return [fields.join(','), ...records.map((values) => values.map(cellText).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
}

const articles = collections[0];
const text = fc.oneof(cell, fc.string(), fc.constantFrom('=1', "'=1", '', ' ', 'N/A'));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const date = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().replace('.000Z', 'Z'));
const integer = fc.maxSafeInteger().map((n) => n + 0);
const title = text.filter((value) => value.trim() !== '');
const record: fc.Arbitrary<Value[]> = fc.tuple<Value[]>(
  integer,
  title,
  maybe(text),
  maybe(integer),
  maybe(integer),
  maybe(text),
  maybe(date),
  maybe(text),
  maybe(fc.array(text, { minLength: 1, maxLength: 3 })),
);
const records = fc.uniqueArray(record, { selector: ([id]) => id, minLength: 1, maxLength: 8 });

describe('every format gives back what was written in it', () => {
  const asObjects = (rows: readonly RecordValues[]) =>
    rows.map((values) => Object.fromEntries(articles.fields.map(({ name }, row) => [name, values[row]])));
  const formats: readonly [string, (rows: readonly RecordValues[]) => string | Uint8Array][] = [
    ['articles.json', (rows) => JSON.stringify(asObjects(rows))],
    ['articles-2.json', (rows) => JSON.stringify({ articles: asObjects(rows) }, null, 2)],
    [
      'articles.ndjson',
      (rows) =>
        asObjects(rows)
          .map((row) => JSON.stringify(row))
          .join('\n'),
    ],
    [
      'articles.csv',
      (rows) =>
        exported(
          articles.fields.map(({ name }) => name),
          rows,
        ),
    ],
    [
      'articles.csv.gz',
      (rows) =>
        gzipSync(
          exported(
            articles.fields.map(({ name }) => name),
            rows,
          ),
        ),
    ],
  ];
  it.each(formats)('%s', async (name, write) => {
    await fc.assert(
      fc.asyncProperty(records, async (rows) => {
        const { records: loaded, fault, files } = await loadFiles({ [name]: write(rows) });
        expect(fault).toBeUndefined();
        expect(loaded).toEqual(rows);
        expect(files[0]?.fields.map(({ repaired, leftNull }) => repaired + leftNull)).toEqual(
          articles.fields.map(() => 0),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('CSV files', () => {
  it('refuses uneven rows, with the reason', async () => {
    const { files, records } = await loadFiles({
      'articles.csv': 'id,title,score\n1,a,2\n2,b\n3,c,4,5\n4,d,5,,\n5,"e" f,6\n',
    });
    expect(records.map(([id]) => id)).toEqual([1]);
    expect(files[0]?.refusals).toEqual([
      { records: 1, record: 2, line: 3, reason: 'expected 3 cells, found 2' },
      { records: 1, record: 3, line: 4, reason: 'expected 3 cells, found 4' },
      { records: 1, record: 4, line: 5, reason: 'expected 3 cells, found 5' },
      { records: 1, record: 5, line: 6, reason: 'expected a separator behind the closing quote of cell 2, found "f"' },
    ]);
  });

  it.each([
    ['', 'articles.csv:1:1: the file is empty: expected a row of column names'],
    ['\n\n', 'articles.csv:1:1: the file is empty: expected a row of column names'],
    [
      'foo,bar\n1,2\n',
      'articles.csv:1: expected a row of column names, found none that is known: "foo", "bar"; put names such as id,title above the records, or say in articles.mapping.json what these are',
    ],
    [
      'id,title\n1,a\n2,"b\n3,c',
      'articles.csv:3: the file ends inside a quoted cell of the row that begins here: the download was probably cut off, or a closing quote is missing; --partial serves the 1 record before it',
    ],
    [
      'PK\u0003\u0004\u0000',
      'articles.csv:1:1: expected text, found a ZIP file inside of another file: unpack it first',
    ],
    [
      'id,ti\u0000tle\n1,a',
      'articles.csv:1:6: expected text, found NUL bytes: this is no text file, or one in UTF-16 without a byte order mark, to be saved as UTF-8',
    ],
  ])('%j', async (content, message) => expect((await loadFiles({ 'articles.csv': content })).fault).toBe(message));

  it('a file whose every cell is quoted does not tell empty from missing', async () => {
    const { records } = await loadFiles({ 'products.csv': '"id","title","author"\n"1","t",""\n' });
    expect(records).toEqual([[1, 't', null, null, null, null, null]]);
  });

  it('reads semicolons, a byte order mark and windows-1252', async () => {
    const content = Buffer.from('\ufeffID;Title;Price\r\n1;Caf\u00e9;"1.234,56 \u0080"\r\n', 'latin1');
    const utf8 = Buffer.concat([Buffer.from('\ufeff'), content.subarray(1)]);
    const { records, warnings } = await loadFiles({ 'products.csv': utf8 });
    expect(records).toEqual([[1, 'Café', null, 1234.56, null, null, null]]);
    expect(warnings).toEqual([
      'products.csv: some text is not in UTF-8 and was read as windows-1252, in 1 line: one is "1;Café;\\"1.234,56 €\\"" in windows-1252, or "1;Café;\\"1.234,56 €\\"" in windows-1250; --encoding NAME says which',
    ]);
  });

  it.each(['\n', '\r', '\r\n'])('reads the lines that are no UTF-8 as windows-1252, and no others: %j', async (end) => {
    const line = (id: number): string => `${id},Émile${end}`;
    const before = Array.from({ length: 20_000 }, (_, i) => line(i + 1)).join('');
    const content = Buffer.concat([
      Buffer.from(`id,title${end}${before}`),
      Buffer.from(`20001,Caf\u00e9${end}`, 'latin1'),
      Buffer.from(line(20_002)),
    ]);
    const { records, warnings, files } = await loadFiles({ 'articles.csv': content });
    expect(new Set(records.map(([, title], i) => (i === 20_000 ? `also ${title}` : title)))).toEqual(
      new Set(['Émile', 'also Café']),
    );
    expect(warnings).toHaveLength(1);
    expect(files[0]?.mistakes.filter((text) => text.includes('double-encoded'))).toEqual([]);
  });
});

it('a last row that is too short and that no line break ends is told to be cut off', async () => {
  const reasonOf = async (text: string) => (await loadFiles({ 'articles.csv': text })).files[0]?.refusals[0]?.reason;
  const rows = 'id,title,author\n1,a,b\n2,c';
  const cutOff = 'the file ends here, without a line break: the download was probably cut off';
  expect(await reasonOf(rows)).toBe(`expected 3 cells, found 2: ${cutOff}`);
  expect(await reasonOf(`${rows}\n`)).toBe('expected 3 cells, found 2');
  expect(await reasonOf(`${rows},d,e`)).toBe('expected 3 cells, found 4');
});
