/**
 * A file of CSV with one fault (the kinds of Pollock, Vitagliano et al., VLDB 2023), of the whole file or in each row and at each place,
 * held against the file without it: whatever is served is right, or the file's report says that something is not.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFolder } from '../support/load.js';
import { withFolder } from '../support/program.js';
import { below, seeded } from '../support/random.js';

const NAMES = ['sku', 'name', 'rent', 'text', 'stock'];

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

interface Loaded {
  readonly records: readonly Named[];
  /** Whether the report says that something is not right, or how it was read. */
  readonly said: boolean;
}

/** What becomes of each file. All of them are loaded at once, each as a collection of its own; those with a fault are left out first. */
async function loadEach(contents: readonly (string | Buffer)[]): Promise<readonly Loaded[]> {
  const names = contents.map(
    (_, i) => `file_${[...String(i)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`,
  );
  const files = Object.fromEntries(contents.map((content, i) => [`${names[i]}.csv`, content]));
  return withFolder(files, async (dir) => {
    const withFaults = await loadFolder(dir, { columns: 'all' });
    const faults = withFaults.result.ok ? [] : [withFaults.result.fault, ...withFaults.result.others];
    for (const { file } of faults) rmSync(join(dir, file));
    const {
      recordsOf,
      models,
      files: reports,
    } = faults.length === 0 ? withFaults : await loadFolder(dir, { columns: 'all' });
    return names.map((name) => {
      const fields = models.get(name)?.fields ?? [];
      const records = (recordsOf.get(name) ?? []).map((values): Named => {
        const members = fields.map((field, i) => [field.name, values[i]] as const).filter(([field]) => field !== 'id');
        return Object.fromEntries(
          members
            .filter(([, value]) => value !== null && value !== ' ')
            .map(([field, value]) => [field, trimmed(value)]),
        );
      });
      const report = reports.find(({ collection }) => collection === name);
      const said = report === undefined || records.length === 0 || report.refused > 0 || report.decisions.length > 0;
      return { records, said };
    });
  });
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const keyOf = (record: Named): string => JSON.stringify(Object.entries(record).sort());

interface PollutedFile {
  readonly content: string | Buffer;
  readonly fault: string;
  /** Without its row of names nothing can be right, but a word can be said. */
  readonly isOfNames: boolean;
}

function pollutedFiles(table: readonly (readonly string[])[], sign: string): readonly PollutedFile[] {
  const rows = [NAMES, ...table];
  const lines = rows.map((cells) => cells.join(sign));
  const ofRows = rows.flatMap((cells, row) => {
    const polluted = (kind: string, fault: Fault, at: number): PollutedFile => {
      const text = fault(cells, at, sign);
      return {
        content: fileOf(lines.with(row, text)),
        fault: `${kind}, row ${row}, place ${at}: ${text}`,
        isOfNames: row === 0,
      };
    };
    return [
      ...Object.entries(ROW_FAULTS).map(([kind, fault]) => polluted(kind, fault, 0)),
      ...Object.entries(FAULTS).flatMap(([kind, fault]) => NAMES.map((_, at) => polluted(kind, fault, at))),
    ];
  });
  const ofFile = Object.entries(FILE_FAULTS).map(([kind, fault]): PollutedFile => {
    return { content: fault(rows, sign), fault: kind, isOfNames: OF_NAMES.has(kind) };
  });
  return [...ofRows, ...ofFile];
}

test.each([
  [1, ','],
  [2, ';'],
  [3, '\t'],
])('none is served wrongly without a word, by seed %i, separated by %j', async (seed, sign) => {
  const table = tableOf(seed);
  const polluted = pollutedFiles(table, sign);
  expect(polluted.length).toBeGreaterThan(200);
  const [right, ...loaded] = await loadEach([
    fileOf([NAMES, ...table].map((cells) => cells.join(sign))),
    ...polluted.map(({ content }) => content),
  ]);
  expect(right?.records).toHaveLength(table.length);
  const rightKeys = new Set(right?.records.map(keyOf));
  const wrong = loaded.flatMap(({ records, said }, i) => {
    const { fault, isOfNames } = polluted[i]!;
    const areRight = records.every((record) => rightKeys.has(keyOf(record)));
    const isRight = areRight && (said || records.length === table.length);
    return isRight || (isOfNames && said) ? [] : [`${fault}: ${JSON.stringify(records)}`];
  });
  expect(wrong).toEqual([]);
});
