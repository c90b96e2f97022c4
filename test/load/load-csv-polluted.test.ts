/**
 * A file of CSV with one fault (the kinds of Pollock, Vitagliano et al., VLDB 2023), of the whole file or in each row and at each place,
 * held against the file without it: whatever is served is right, or the file's report says that something is not.
 */
import { expect, test } from 'vitest';
import { loadFiles } from '../support/load.js';
import { below, seeded } from '../support/random.js';

const NAMES = ['sku', 'name', 'price', 'text', 'stock'];

/** Rows of texts, as they stand in the file: some in quotes, some of these with separators in them, some empty. */
function tableOf(seed: number): readonly (readonly string[])[] {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => values[below(random, values.length)]!;
  return Array.from({ length: 4 }, (_, i) => [
    `K-${100 + i}`,
    `${pick(['Tea', 'Cup', 'Pot', 'Rye'])} ${pick(['green', 'small', 'old'])} ${i}`,
    `${1 + below(random, 50)}.${pick(['25', '50', '75'])}`,
    pick(['"white, tall"', '"a ""big"" one"', 'plain', '"in quotes"', '']),
    pick(['7', '12', '', '"30"']),
  ]);
}

type Fault = (cells: readonly string[], at: number, separator: string) => string;

/** Faults of a row at the place `at`: between or inside of its cells. A quote behind a cell is none: inches are written so. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'a separator too many': (cells, at, sign) => cells.toSpliced(at, 0, '').join(sign),
  'a separator too few': (cells, at, sign) => {
    const joined = cells.with(at - 1, `${cells[at - 1]}${cells[at]}`);
    return (at === 0 ? cells.slice(1) : joined.toSpliced(at, 1)).join(sign);
  },
  'another separator': (cells, at, sign) =>
    cells.reduce((row, cell, i) => `${row}${i === at ? (sign === ';' ? ',' : ';') : sign}${cell}`),
  'a quote before a cell': (cells, at, sign) => cells.with(at, `"${cells[at]}`).join(sign),
  'spaces before a cell': (cells, at, sign) => cells.with(at, ` ${cells[at]}`).join(sign),
};

/** Faults of a row as a whole, and rows that are none. */
const ROW_FAULTS: Readonly<Record<string, Fault>> = {
  'a blank row before it': (cells, _, sign) => `${cells.map(() => '').join(sign)}\n${cells.join(sign)}`,
  'the names before it': (cells, _, sign) => `${NAMES.join(sign)}\n${cells.join(sign)}`,
  'an empty line before it': (cells, _, sign) => `\n${cells.join(sign)}`,
  'a note before it': (cells, _, sign) => `figures of the first quarter\n${cells.join(sign)}`,
  'a comment before it': (cells, _, sign) => `# more below\n${cells.join(sign)}`,
  'another table before it': (cells, _, sign) => `\ncity${sign}rent\nGraz${sign}700\n\n${cells.join(sign)}`,
  'one cell alone before it': (cells, _, sign) => `${cells[0]}\n${cells.join(sign)}`,
  'half of it': (cells, _, sign) => cells.slice(0, 2).join(sign),
  'it twice in a line': (cells, _, sign) => [...cells, ...cells].join(sign),
};

type FileFault = (rows: readonly (readonly string[])[], separator: string) => string | Buffer;

const linesOf = (rows: readonly (readonly string[])[], separator: string): readonly string[] =>
  rows.map((cells) => cells.join(separator));
const fileOf = (lines: readonly string[], end = '\n'): string => `${lines.join(end)}${end}`;
const bare = (cell: string): string => (/^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);
const quotedBy = (quote: string, escapeSign: string) => (cell: string) =>
  `${quote}${bare(cell).replaceAll(quote, escapeSign + quote)}${quote}`;

/** Faults of a whole file, and other ways to write it. */
const FILE_FAULTS: Readonly<Record<string, FileFault>> = {
  'lines end with CRLF': (rows, sign) => fileOf(linesOf(rows, sign), '\r\n'),
  'lines end with CR': (rows, sign) => fileOf(linesOf(rows, sign), '\r'),
  'lines end in both ways': (rows, sign) =>
    linesOf(rows, sign)
      .map((line, i) => line + (i % 2 ? '\r\n' : '\n'))
      .join(''),
  'no line break at its end': (rows, sign) => linesOf(rows, sign).join('\n'),
  'a byte order mark': (rows, sign) => `\ufeff${fileOf(linesOf(rows, sign))}`,
  'UTF-16': (rows, sign) => Buffer.from(`\ufeff${fileOf(linesOf(rows, sign))}`, 'utf16le'),
  'a separator of two signs': (rows, sign) => fileOf(linesOf(rows, `${sign} `)),
  'spaces around separators': (rows, sign) => fileOf(linesOf(rows, ` ${sign} `)),
  'a vertical bar': (rows) => fileOf(linesOf(rows, '|')),
  'a colon': (rows) => fileOf(linesOf(rows, ':')),
  'a circumflex': (rows) => fileOf(linesOf(rows, '^')),
  'all cells in quotes': (rows, sign) => fileOf(rows.map((cells) => cells.map(quotedBy('"', '"')).join(sign))),
  'all cells in single quotes': (rows, sign) => fileOf(rows.map((cells) => cells.map(quotedBy("'", "'")).join(sign))),
  'quotes behind backslashes': (rows, sign) => fileOf(rows.map((cells) => cells.map(quotedBy('"', '\\')).join(sign))),
  'no names': (rows, sign) => fileOf(linesOf(rows.slice(1), sign)),
  'names alone': (rows, sign) => fileOf(linesOf(rows.slice(0, 1), sign)),
  'no row at all': () => '',
  'names on two rows': (rows, sign) => fileOf(linesOf([['', 'Product', '', 'Details', ''], ...rows], sign)),
  'names on three rows': (rows, sign) =>
    fileOf(linesOf([['Our shop', '', '', '', ''], ['', 'Product', '', 'Details', ''], ...rows], sign)),
  'the names twice': (rows, sign) => fileOf(linesOf([NAMES, ...rows], sign)),
  'a preamble': (rows, sign) => fileOf(['Report of the shop', 'made on 2026-11-27', '', ...linesOf(rows, sign)]),
  'a preamble of the same width': (rows, sign) =>
    fileOf([['Report of the shop', '', '', '', ''].join(sign), ...linesOf(rows, sign)]),
  footnotes: (rows, sign) => fileOf([...linesOf(rows, sign), '', 'Source: the shop', 'All prices with tax']),
  'a table behind it': (rows, sign) =>
    fileOf([...linesOf(rows, sign), '', ['city', 'rent'].join(sign), ['Graz', '700'].join(sign)]),
  'a table of the same width behind it': (rows, sign) =>
    fileOf(linesOf([...rows, [], ['city', 'rent', 'area', 'floor', 'owner'], ['Graz', '700', '50', '2', 'Ann']], sign)),
  'a row of signs below the names': (rows, sign) =>
    fileOf(
      linesOf(
        rows.toSpliced(
          1,
          0,
          NAMES.map(() => '---'),
        ),
        sign,
      ),
    ),
  'a separator at the end of each row': (rows, sign) =>
    fileOf(
      linesOf(
        rows.map((cells) => [...cells, '']),
        sign,
      ),
    ),
  'a separator at the end of each row but the first': (rows, sign) =>
    fileOf(
      linesOf(
        rows.map((cells, i) => (i === 0 ? cells : [...cells, ''])),
        sign,
      ),
    ),
  'an index without a name': (rows, sign) =>
    fileOf(
      linesOf(
        rows.map((cells, i) => (i === 0 ? cells : [`${i}`, ...cells])),
        sign,
      ),
    ),
  'the last row cut off': (rows, sign) => fileOf(linesOf(rows, sign)).slice(0, -9),
  'the separator stated': (rows, sign) => `sep=${sign}\n${fileOf(linesOf(rows, sign))}`,
};

/** Faults that take the names away. */
const OF_NAMES = new Set(['no names', 'names on two rows', 'names on three rows', 'a preamble of the same width']);

type Named = Readonly<{ [name: string]: unknown }>;

async function load(content: string | Buffer) {
  const { records, models, files, fault } = await loadFiles(
    { 'things.csv': content },
    { as: 'things', columns: 'all' },
  );
  const fields = models.get('things')?.fields ?? [];
  const named = records.map((values): Named => {
    const members = fields.map(({ name }, i) => [name, values[i]] as const).filter(([name]) => name !== 'id');
    return Object.fromEntries(
      members.filter(([, value]) => value !== null && value !== ' ').map(([name, value]) => [name, trimmed(value)]),
    );
  });
  const said =
    fault !== undefined ||
    records.length === 0 ||
    files.some(({ refused, decisions }) => refused > 0 || decisions.length > 0);
  return { records: named, said };
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const keyOf = (record: Named): string => JSON.stringify(Object.entries(record).sort());

test.each([
  [1, ','],
  [2, ';'],
  [3, '\t'],
])('none is served wrongly without a word, by seed %i, separated by %j', async (seed, sign) => {
  const table = tableOf(seed);
  const textOf = (rows: readonly string[]) => `${rows.join('\n')}\n`;
  const whole = [NAMES, ...table].map((cells) => cells.join(sign));
  const right = await load(textOf(whole));
  expect(right.records).toHaveLength(table.length);
  const rightKeys = new Set(right.records.map(keyOf));
  const wrong: string[] = [];
  let tried = 0;
  const tryFile = async (content: string | Buffer, isOfNames: boolean, fault: string): Promise<void> => {
    const { records, said } = await load(content);
    const areRight = records.every((record) => rightKeys.has(keyOf(record)));
    const isRight = areRight && (said || records.length === table.length);
    tried++;
    // Without a row of names nothing can be right, but a word can be said.
    if (!isRight && !(isOfNames && said)) wrong.push(`${fault}: ${JSON.stringify(records)}`);
  };
  for (let row = 0; row < whole.length; row++) {
    const cells = row === 0 ? NAMES : table[row - 1]!;
    const tryRow = (kind: string, fault: Fault, at: number): Promise<void> => {
      const polluted = fault(cells, at, sign);
      return tryFile(textOf(whole.with(row, polluted)), row === 0, `${kind}, row ${row}, place ${at}: ${polluted}`);
    };
    for (const [kind, fault] of Object.entries(ROW_FAULTS)) await tryRow(kind, fault, 0);
    for (const [kind, fault] of Object.entries(FAULTS))
      for (let at = 0; at < NAMES.length; at++) await tryRow(kind, fault, at);
  }
  for (const [kind, fault] of Object.entries(FILE_FAULTS))
    await tryFile(fault([NAMES, ...table], sign), OF_NAMES.has(kind), kind);
  expect(tried).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});
