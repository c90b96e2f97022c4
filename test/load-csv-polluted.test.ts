/**
 * A file of CSV with one fault (the kinds of Pollock, Vitagliano et al., VLDB 2023) in each row and at each place, held against the
 * whole file: whatever is served is right, or the file's report says that something is not.
 */
import { expect, test } from 'vitest';
import { loadFiles } from './support/load.js';
import { below, seeded } from './support/random.js';

const NAMES = ['sku', 'name', 'price', 'text', 'stock', 'note'];

/** Rows of texts, as they stand in the file: some in quotes, some of these with separators in them, some empty. */
function tableOf(seed: number): readonly (readonly string[])[] {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => values[below(random, values.length)]!;
  return Array.from({ length: 8 }, (_, i) => [
    `K-${100 + i}`,
    `${pick(['Tea', 'Cup', 'Pot', 'Rye'])} ${pick(['green', 'small', 'old'])} ${i}`,
    `${1 + below(random, 50)}.${pick(['25', '50', '75'])}`,
    pick(['"white, tall"', '"a ""big"" one"', 'plain', '"in quotes"', '']),
    `${below(random, 90)}`,
    pick(['x', 'y', '', '"z"']),
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
  'a blank row before it': (cells, _, sign) => `${cells.map(() => '').join(sign)}\n${cells.join(sign)}`,
  'the names before it': (cells, _, sign) => `${NAMES.join(sign)}\n${cells.join(sign)}`,
  'an empty line before it': (cells, _, sign) => `\n${cells.join(sign)}`,
};

type Named = Readonly<{ [name: string]: unknown }>;

async function load(content: string) {
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
  const said = fault !== undefined || files.some(({ refused, decisions }) => refused > 0 || decisions.length > 0);
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
  for (const [kind, fault] of Object.entries(FAULTS))
    for (let row = 0; row < whole.length; row++)
      for (let at = 0; at < NAMES.length; at++) {
        const cells = row === 0 ? NAMES : table[row - 1]!;
        const { records, said } = await load(textOf(whole.with(row, fault(cells, at, sign))));
        const isRight = records.length === table.length && records.every((record) => rightKeys.has(keyOf(record)));
        const isRightAsFarAsServed = row > 0 && said && records.every((record) => rightKeys.has(keyOf(record)));
        tried++;
        if (!isRight && !isRightAsFarAsServed && !(row === 0 && said))
          wrong.push(`${kind}, row ${row}, place ${at}: ${fault(cells, at, sign)}`);
      }
  expect(tried).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});
