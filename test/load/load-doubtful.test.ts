/** Values that may mean something else than they are read as: a line says so. */
import { expect, it } from 'vitest';
import { linesOf, loadFiles } from '../support/load.js';

const column = (name: string, values: readonly string[]): string =>
  `title,${name}\n${values.map((value, i) => `T${i},${value}`).join('\n')}\n`;

const SPACE = 'no value shows whether the space in "100 200" separates thousands or numbers; read as thousands';

it.each<[string, string, readonly string[], string | undefined]>([
  ['-9999 far from others', 'wind', ['-9999', '12', '7', '-9999'], '2 of the first values are -9999'],
  ['-999 among positive numbers', 'rain', ['-999', '512', '7', '-999'], '2 of the first values are -999'],
  ['999 among hundreds', 'seats', ['999', '512', '7', '999'], undefined],
  ['a single -9999', 'wind', ['-9999', '12', '7'], undefined],
  ['the last day', 'until', ['9999-12-31', '2024-01-02'], '1 of the first values is 9999-12-31'],
  ['two numbers in a cell', 'bus', ['100 200', '4 900'], SPACE],
  ['two numbers beside thousands', 'sold', ['100 200', '1 234 567'], undefined],
  ['two numbers beside decimals', 'sold', ['100 200', '"1 234,50"'], undefined],
  [
    'codes that are cut',
    'isbn',
    ['9.78E+12', '9.79E+12'],
    '2 of the first values may be codes that a spreadsheet has cut',
  ],
  ['a decimal with an exponent', 'mass', ['9.78E+3', '9.79E-3'], undefined],
])('%s', async (_, name, values, told) => {
  const { result } = await loadFiles({ 'things.csv': column(name, values) }, { columns: 'all' });
  const lines = result.ok ? linesOf(result.report, (kind) => kind === 'doubtful') : ['a fault'];
  expect(lines).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
});
