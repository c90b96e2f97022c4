/** Rows of CSV, read from bytes, held against rows of strings. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { csvText } from '../../src/http/api/export/formats.js';
import { findDelimiter } from '../../src/load/place/csv-dialect.js';
import { type CsvDialect, CsvRows, ESCAPED, NOT_JSON, rowsOfTable } from '../../src/load/place/csv-rows.js';
import { type PlainRow, plainRows } from '../support/csv-oracle.js';

const COMMAS: CsvDialect = { delimiter: ',', quotes: 'doubled' };

function parse(text: string, { dialect = COMMAS, sizes = [1 << 20] }: { dialect?: CsvDialect; sizes?: number[] } = {}) {
  let room = Buffer.alloc(0);
  const rows = new CsvRows(dialect, (needed) => {
    if (needed > room.length) room = Buffer.concat([room], needed);
    return room;
  });
  const bytes = Buffer.from(text);
  const found: ReturnType<typeof row>[] = [];
  const row = () => ({
    line: rows.line,
    cells: Array.from({ length: rows.cellCount }, (_, cell) => (rows.isEmpty(cell) ? null : rows.text(cell))),
    ...(rows.problem === undefined ? {} : { problem: rows.problem }),
  });
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    rows.feed(bytes.subarray(at, at + size));
    while (rows.next()) found.push(row());
    at += size;
  }
  rows.finish();
  while (rows.next()) found.push(row());
  return found;
}

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r\n', ' ', "'", '=', ';'),
  maxLength: 6,
});
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
const dialects = fc.record<CsvDialect>({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quotes: fc.constantFrom('doubled', 'backslash', 'none'),
});
const anyText = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ',', ';', '\t', '|', '"', '"', '\\', '\n', '\r\n', '\r', ' ', '\0'),
  maxLength: 60,
});

const exportedCell = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'é', ',', ';', '\t', '|', '"', '\n', '\r', ' ', "'", '\ufeff'),
    maxLength: 4,
  }),
  fc.constantFrom(null, undefined, true, false, 0, -1.5, 1e21),
);

test('lines of exports are those that papaparse writes', () => {
  const rows = fc.array(fc.array(exportedCell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (cells, delimiter) => {
      const quotes = (cell: unknown): boolean => cell === '' || (typeof cell === 'string' && cell.startsWith("'"));
      const lines = `${Papa.unparse(cells, { newline: '\r\n', delimiter, quotes })}\r\n`;
      expect(csvText(cells, { delimiter, isGuarded: false, hasMark: false })).toBe(lines);
    }),
  );
});

describe('rows', () => {
  it('are those of papaparse, whatever the chunks', () => {
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
    fc.assert(
      fc.property(table, sizes, fc.constantFrom('\r\n' as const, '\n' as const), (cells, pieces, newline) => {
        const text = Papa.unparse(cells, { newline });
        const rows = parse(text, { sizes: pieces });
        // A formula that is one text is that text.
        const expected = Papa.parse<string[]>(text, { newline, delimiter: ',' }).data.map((row) =>
          row.map((value) => value.replace(/^="([^"]*)"$/, '$1')),
        );
        expect(rows.map((row) => row.cells.map((value) => value ?? ''))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['="00123"', '00123'],
    ['"=""00123"""', '00123'],
    ['=""', ''],
    ['="a"&"b"', '="a"&"b"'],
    ['=SUM(A1)', '=SUM(A1)'],
    ['="00123', '="00123'],
    ['="', '="'],
  ])('have the text of a formula that is one text: %s', (cells, text) => {
    expect(parse(`${cells},x\n`)[0]?.cells).toEqual([text, 'x']);
  });

  it('are those of plain strings, whatever the text, its dialect and the chunks', () => {
    fc.assert(
      fc.property(anyText, dialects, sizes, (text, dialect, pieces) => {
        const withoutCellsOfFaults = (row: PlainRow): PlainRow => (row.problem ? { ...row, cells: [] } : row);
        expect(parse(text, { dialect, sizes: pieces }).map(withoutCellsOfFaults)).toEqual(
          plainRows(text, dialect).map(withoutCellsOfFaults),
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('say of each cell whether its bytes are its text, and JSON', () => {
    fc.assert(
      fc.property(anyText, dialects, (text, dialect) => {
        const rows = rowsOfTable(Buffer.from(text), dialect);
        rows.finish();
        while (rows.next())
          for (let i = 0; i < rows.cellCount && rows.problem === undefined; i++) {
            const raw = rows.bytes.toString('utf8', rows.starts[i], rows.ends[i]);
            const escaped = (rows.flags[i]! & ESCAPED) !== 0;
            if (!escaped) expect(rows.text(i)).toBe(raw);
            expect((rows.flags[i]! & NOT_JSON) !== 0).toBe(escaped || JSON.stringify(raw) !== `"${raw}"`);
          }
      }),
      { numRuns: 2000 },
    );
  });

  it('know their lines, quoted line breaks and blank lines included', () => {
    const rows = parse('a,b\n"x\ny\r\nz",2\n\n3,4\r\n5,6\r7,8');
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [2, 'x\ny\r\nz', '2'],
      [6, '3', '4'],
      [7, '5', '6'],
      [8, '7', '8'],
    ]);
  });

  it('tell an empty cell from an empty text', () => {
    expect(parse('"",,a\n,""').map(({ cells }) => cells)).toEqual([
      ['', null, 'a'],
      [null, ''],
    ]);
  });

  it('that have a fault end with their first line', () => {
    const rows = parse('1,"a b,2\n3,"c",4\n5,d,6\n');
    expect(rows.map(({ line, cells, problem }) => problem ?? [line, ...cells])).toEqual([
      'expected a separator behind the closing quote of cell 2, found "c\\""',
      [2, '3', 'c', '4'],
      [3, '5', 'd', '6'],
    ]);
  });

  it('end with their first line where a quote never closes', () => {
    expect(parse('1,"a\n2,b\n3,""\n4,c').map(({ line, cells, problem }) => problem ?? [line, ...cells])).toEqual([
      'a quoted cell of the row never ends: a closing quote is missing',
      [2, '2', 'b'],
      [3, '3', ''],
      [4, '4', 'c'],
    ]);
  });

  it('have a million cells at most', () => {
    const rows = parse(`${','.repeat(3 << 20)}\na,b\n`);
    expect(rows.map(({ problem }) => problem)).toEqual(['more than 1,048,576 cells', undefined]);
  });
});

describe('separators', () => {
  it.each([
    ['a,b,c', ','],
    ['a;b;"c,d,e,f"', ';'],
    ['a\tb', '\t'],
    ['a|b|c', '|'],
    ['a', ','],
  ])('%j is separated by %j', (header, delimiter) => expect(findDelimiter(header)).toBe(delimiter));
});
