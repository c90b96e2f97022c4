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

/** Faults of a row at the place `at`: between or inside of its cells. */
const FAULTS: Readonly<Record<string, (cells: readonly string[], at: number) => string>> = {
  'a separator too many': (cells, at) => cells.toSpliced(at, 0, '').join(),
  'a separator too few': (cells, at) =>
    cells.flatMap((cell, i) => (i === at ? [] : i === at - 1 ? [cell + cells[at]] : [cell])).join(),
  'another separator': (cells, at) => cells.reduce((row, cell, i) => `${row}${i === at ? ';' : ','}${cell}`),
  'a quote before a cell': (cells, at) => cells.with(at, `"${cells[at]}`).join(),
  'spaces before a cell': (cells, at) => cells.with(at, ` ${cells[at]}`).join(),
  'a blank row before it': (cells) => `,,,,,\n${cells.join()}`,
  'the names before it': (cells) => `${NAMES.join()}\n${cells.join()}`,
  'an empty line before it': (cells) => `\n${cells.join()}`,
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
  const said = fault !== undefined || files.some(({ refused, notes }) => refused > 0 || notes.length > 0);
  return { records: named, said };
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const keyOf = (record: Named): string => JSON.stringify(Object.entries(record).sort());

test.each([1, 2, 3])('none is served wrongly without a word, by seed %i', async (seed) => {
  const table = tableOf(seed);
  const textOf = (rows: readonly string[]) => `${rows.join('\n')}\n`;
  const whole = [NAMES, ...table].map((cells) => cells.join());
  const right = await load(textOf(whole));
  expect(right.records).toHaveLength(table.length);
  const rightKeys = new Set(right.records.map(keyOf));
  const wrong: string[] = [];
  let tried = 0;
  for (const [kind, fault] of Object.entries(FAULTS))
    for (let row = 0; row < whole.length; row++)
      for (let at = 1; at < NAMES.length; at++) {
        // Faults before a row do not depend on the place.
        if (fault.length === 1 && at > 1) continue;
        const cells = row === 0 ? NAMES : table[row - 1]!;
        const { records, said } = await load(textOf(whole.with(row, fault(cells, at))));
        const isRight = records.length === table.length && records.every((record) => rightKeys.has(keyOf(record)));
        const isRightAsFarAsServed = row > 0 && said && records.every((record) => rightKeys.has(keyOf(record)));
        tried++;
        if (!isRight && !isRightAsFarAsServed && !(row === 0 && said))
          wrong.push(`${kind}, row ${row}, place ${at}: ${fault(cells, at)}`);
      }
  expect(tried).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});
