/** What records behind the first 1,000 decide otherwise: the collection is built once more, and the report says so. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundKind } from '../../src/load/fields/column-kind.js';
import type { SnapshotLoadOptions } from '../../src/load/load.js';
import { ColumnProfile } from '../../src/load/profile/column-profile.js';
import { loadFiles } from '../support/load.js';

const ROWS = 1100;
const lineOf = (cells: readonly string[]): string =>
  cells.map((cell) => (/[,"]/.test(cell) ? `"${cell}"` : cell)).join(',');

/** A file of CSV with ids, names and a column, whose values behind the sample are `late`. */
function csvOf(column: string, early: (row: number) => string, late: readonly string[]): string {
  const rows = Array.from({ length: ROWS }, (_, row) => [String(row + 1), `Thing ${row}`, early(row)]);
  const lateRows = late.map((value, i) => [String(ROWS + i + 1), `Late ${i}`, value]);
  return `${[['id', 'title', column], ...rows, ...lateRows].map(lineOf).join('\n')}\n`;
}

async function columnOf(
  content: string,
  column: string,
  options: Partial<SnapshotLoadOptions> = {},
  file = 'things.csv',
) {
  const loaded = await loadFiles({ [file]: content }, { columns: 'all', ...options });
  const [model] = [...loaded.models.values()].filter(({ name }) => name === 'things' || name === 'products');
  const collection = loaded.models.get(loaded.files[0]?.collection ?? '') ?? model;
  const index = collection?.fields.findIndex(({ name }) => name === column) ?? -1;
  const note = loaded.files[0]?.decisions.find((text) => text.startsWith('read twice'));
  return {
    kind: collection?.fields[index]?.kind,
    first: loaded.records[0]?.[index],
    values: loaded.records.map((values) => values[index]),
    late: loaded.records.slice(ROWS).map((values) => values[index]),
    leftNull: loaded.files[0]?.fields.find(({ field }) => field === column)?.leftNull,
    note,
    size: loaded.records.length,
    loaded,
  };
}

describe('a found column is decided by all of its values', () => {
  it.each<[string, (row: number) => string, readonly string[], string, unknown, readonly unknown[]]>([
    ['a leading zero', (row) => String(10_000 + row), ['02138'], 'code', '10000', ['02138']],
    ['a decimal among integers', (row) => String(row), ['2.75'], 'number', 0, [2.75]],
    ['an amount of money among integers', (row) => String(row), ['$5'], 'number', 0, [5]],
    ['an integer beyond 2^53', (row) => String(row + 7), ['9007199254740993'], 'code', '7', ['9007199254740993']],
    ['a canonical integer beyond 2^53', (row) => String(row), ['9007199254740994'], 'code', '0', ['9007199254740994']],
    ['a trailing zero beside fewer decimals', (row) => `1.${(row % 9) + 1}`, ['1.10'], 'code', '1.1', ['1.10']],
    ['an exponent beside a text', (row) => String(row), ['7e3', 'x-1'], 'code', '0', ['7e3', 'x-1']],
    [
      'more texts among numbers than the rule allows',
      (row) => String(row),
      Array.from({ length: 200 }, (_, i) => `sold out ${i % 7}`),
      'code',
      '0',
      Array.from({ length: 200 }, (_, i) => `sold out ${i % 7}`),
    ],
    [
      'more texts among switches than the rule allows',
      () => 'true',
      Array.from({ length: 200 }, () => 'perhaps'),
      'text',
      'true',
      Array.from({ length: 200 }, () => 'perhaps'),
    ],
    [
      'texts among numbers that come to be few',
      (row) => (row % 5 === 1 ? 'sold out' : String(row)),
      Array.from({ length: ROWS + 100 }, (_, row) => String(row)),
      'integer',
      0,
      Array.from({ length: ROWS + 100 }, (_, row) => row),
    ],
  ])('%s', async (_, early, late, kind, first, lateValues) => {
    const column = await columnOf(csvOf('thing_no', early, late), 'thing_no');
    expect([column.kind, column.first, column.late]).toEqual([kind, first, lateValues]);
    expect(column.note).toMatch(/^read twice, since later records decide otherwise than the first: thing_no is /);
    expect(column.size).toBe(ROWS + late.length);
  });

  it.each<[string, (row: number) => string, readonly string[], string, readonly unknown[], number]>([
    ['a few texts among numbers', (row) => String(row), ['sold out', '7'], 'integer', [null, 7], 1],
    ['integers with a sign or with spaces', (row) => String(row), ['+5', ' 7 '], 'integer', [5, 7], 0],
    ['integers with a unit', (row) => `${row} km`, ['1,234 km', '7km'], 'integer', [1234, 7], 0],
    ['a zero alone', (row) => String(row), ['0'], 'integer', [0], 0],
    ['amounts of money', (row) => `£${row}.50`, ['£7.10', '£7.1'], 'number', [7.1, 7.1], 0],
    ['a first decimal point', (row) => `1.${(row % 9) + 1}23`, ['2.5'], 'number', [2.5], 0],
    ['a decimal of fewer digits among many', (row) => `${row}.450`, ['1.5'], 'number', [1.5], 0],
    ['a trailing zero that all have', (row) => `${row}.50`, ['3.10'], 'number', [3.1], 0],
    ['a text in a column of texts', (row) => `Thing no ${row}`, ['0123', '2.75'], 'text', ['0123', '2.75'], 0],
    ['percentages', (row) => `${row % 5}0%`, ['05%', '7%'], 'number', [5, 7], 0],
    [
      'texts among numbers that stay many',
      (row) => (row % 5 === 1 ? 'sold out' : String(row)),
      ['7'],
      'code',
      ['7'],
      0,
    ],
    ['words for no value', (row) => String(row), ['N/A', '', '-'], 'integer', [null, null, null], 2],
  ])('%s: read once', async (_, early, late, kind, lateValues, leftNull) => {
    const column = await columnOf(csvOf('thing_no', early, late), 'thing_no');
    expect([column.kind, column.late, column.leftNull]).toEqual([kind, lateValues, leftNull]);
    expect(column.note).toBeUndefined();
  });
});

/** So few values decide nothing by their share. */
const MAX_FEW = 10;
/** Early and late values of which rules take numbers, codes, dates and texts. */
const EARLY: readonly ((row: number) => string)[] = [
  (row) => String(row),
  (row) => String(20_000 + row),
  (row) => `${row}.25`,
  (row) => `1.${(row % 89) + 11}`,
  (row) => `£${row}.50`,
  (row) => `2024-05-${String((row % 28) + 1).padStart(2, '0')}`,
  (row) => (row % 2 === 0 ? 'true' : 'false'),
  (row) => (row % 20 === 0 ? 'sold out' : String(row)),
  (row) => `0${(row % 9) + 1}/0${(row % 7) + 1}/2024`,
  (row) => `${row} km`,
  (row) => `${(row % 9) + 1}.${(row % 800) + 100}`,
  (row) => `€${(row % 9) + 1}.${(row % 800) + 100}`,
];
const LATE = [
  ...['13/05/2024', '$5', '$5 - $7', '-20%', '1,5', '1.234.567', '5 km', ' padded ', '3 miles', '01.10', '--'],
  ...['02138', '2.75', '1.10', '1.9', '7e3', '9007199254740993', '12345678901234567', 'sold out', 'N/A', '043965548X'],
  ...['true', '2024-05-31', '£7.10', '12 %', 'x-1', '-3', '1.5', '0', '100'],
];

/** The fields that a column of a file becomes, and their values by the records' ids. */
async function servedOf(rows: readonly string[]) {
  const { models, records, files } = await loadFiles(
    { 'things.csv': ['id,title,thing_no', ...rows].join('\n') },
    { columns: 'all' },
  );
  const [, , ...fields] = models.get('things')?.fields ?? [];
  const values = records.map(([id, , ...others]) => [Number(id), others] as const).sort(([a], [b]) => a - b);
  const notes = files[0]?.decisions.filter((text) => text.startsWith('read twice')) ?? [];
  return { fields, values, notes };
}

it('a column is decided by all of its values, and served the same wherever they stand', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...EARLY),
      fc.array(fc.constantFrom(...LATE), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 50, 200),
      async (early, values, times) => {
        // A long number is an epoch to a column of dates, and fits.
        fc.pre(!early(0).includes('2024') || !values.some((value) => /^\d{9,}$/.test(value)));
        const late = Array.from({ length: times }, () => values).flat();
        const all = [...Array.from({ length: ROWS }, (_, row) => early(row)), ...late];
        const rows = all.map((value, row) => lineOf([String(row + 1), `Thing ${row}`, value]));
        const { fields, values: servedValues } = await servedOf(rows);
        expect(fields[0]?.kind).toBe(foundKind(new ColumnProfile(all).kinds, 'thing_no'));
        // In the sample, these would be another share of the values than they are of all.
        if (late.length > MAX_FEW) return;
        const lateFirst = await servedOf([...rows.slice(ROWS), ...rows.slice(0, ROWS)]);
        expect([fields, servedValues]).toEqual([lateFirst.fields, lateFirst.values]);
        expect(lateFirst.notes).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

it('an amount with a decimal says that no amount of its column is minor units', async () => {
  const priceOf = (amount: number) => ({ amount, currency: 'EUR', precision: 2 });
  const records = Array.from({ length: ROWS }, (_, row) => ({
    id: row + 1,
    title: `Thing ${row}`,
    price: priceOf(13),
  }));
  const late = { id: ROWS + 1, title: 'Late', price: priceOf(12.99) };
  const column = await columnOf(JSON.stringify([...records, late]), 'price', {}, 'products.json');
  expect([column.first, column.late]).toEqual([13, [12.99]]);
  expect(column.note).toContain('price is from price.amount, not from price');
});

describe('how a file spells dates and numbers is decided by all of its values', () => {
  const [early] = [(row: number) => `0${(row % 9) + 1}/02/2024`];

  it('a date that proves the other order', async () => {
    const column = await columnOf(csvOf('last_seen', early, ['13/02/2024']), 'last_seen');
    expect([column.first, column.late]).toEqual(['2024-02-01T00:00:00Z', ['2024-02-13T00:00:00Z']]);
    expect(column.note).toBe(
      'read twice, since later records decide otherwise than the first: last_seen is day first, not month first',
    );
  });

  it('dates of both orders are read as before', async () => {
    const column = await columnOf(csvOf('last_seen', early, ['13/02/2024', '02/13/2024']), 'last_seen');
    expect([column.first, column.late]).toEqual([
      '2024-01-02T00:00:00Z',
      ['2024-02-13T00:00:00Z', '2024-02-13T00:00:00Z'],
    ]);
    expect(column.note).toBeUndefined();
  });

  it('a mapping says the order', async () => {
    const files = {
      'things.csv': csvOf('last_seen', early, ['13/02/2024']),
      'things.mapping.json': '{"dayFirst":false}',
    };
    const {
      files: [report],
      records,
    } = await loadFiles(files, { columns: 'all' });
    expect(report?.decisions.some((note) => note.startsWith('read twice'))).toBe(false);
    expect(records[0]).toContain('2024-01-02T00:00:00Z');
  });

  it.each<[string, (row: number) => string, readonly string[], number, readonly number[]]>([
    ['points that prove to be thousands', (row) => `${(row % 899) + 100}.900`, ['1.299.900'], 100_900, [1_299_900]],
    ['a decimal comma', (row) => `0,${(row % 899) + 100}`, ['2,5'], 0.1, [2.5]],
    ['points beside a decimal comma', (row) => `${(row % 899) + 100}.900`, ['2,5'], 100_900, [2.5]],
    ['a decimal point beside a comma', (row) => `1.${(row % 9) + 1}23`, ['2,5', '2.5'], 1.123, [2.5, 2.5]],
    ['a decimal point of money', (row) => `€1.${(row % 9) + 1}99`, ['€1.65'], 1.199, [1.65]],
    ['a decimal comma beside points of money', (row) => `€${row}.50`, ['€1.599', '3,45 €'], 0.5, [1599, 3.45]],
  ])('%s', async (_, earlyNumbers, late, first, lateNumbers) => {
    const { first: firstValue, late: lateValues } = await columnOf(csvOf('size', earlyNumbers, late), 'size');
    expect([firstValue, lateValues]).toEqual([first, lateNumbers]);
  });
});

describe('ids', () => {
  it.each([
    ['a leading zero', '0049'],
    ['an integer beyond 2^53', '9007199254740993'],
  ])('%s makes all of them codes', async (_, id) => {
    const rows = Array.from({ length: ROWS }, (__, row) => `${row + 1},Thing ${row},5`);
    const { loaded, size } = await columnOf(`id,title,price\n${rows.join('\n')}\n${id},Late,6\n`, 'key');
    const model = loaded.models.get('products');
    const key = model?.fields.findIndex(({ name }) => name === 'key') ?? -1;
    expect(size).toBe(ROWS + 1);
    expect(loaded.records.at(-1)?.[0]).toBe(ROWS + 1);
    expect(loaded.records.map((values) => values[key]).slice(-2)).toEqual([String(ROWS), id]);
    expect(loaded.files[0]?.decisions[0]).toContain('ids are codes, and given by position');
  });
});

describe('a column whose first value comes late', () => {
  it('is a field, of the kind that all of its values have', async () => {
    const late = [...Array.from({ length: 150 }, (_, i) => String(i)), '02138'];
    const column = await columnOf(
      csvOf('block', () => '', late),
      'block',
    );
    expect([column.kind, column.first, column.late.slice(-2)]).toEqual(['code', null, ['149', '02138']]);
    expect(column.note).toBe(
      'read twice, since later records decide otherwise than the first: block has its first value behind them',
    );
  });

  it.each<[string, object, string, unknown]>([
    ['a member', { brand: 'Acme' }, 'brand', 'Acme'],
    ['a member of an object', { specs: { size: 3, weight: 2.5 } }, 'specsWeight', 2.5],
    ['an object', { maker: { name: 'Acme', city: 'Ulm' } }, 'makerCity', 'Ulm'],
    ['a documented field of another name', { stars: 4.5 }, 'rating', 4.5],
    ['a list', { sizes: ['S', 'M'] }, 'sizes', ['S', 'M']],
  ])('%s', async (_, late, name, value) => {
    const records = Array.from({ length: ROWS }, (__, i) => ({
      id: i + 1,
      title: `Thing ${i}`,
      price: i,
      specs: { size: i },
    }));
    const content = JSON.stringify([...records, { id: ROWS + 1, title: 'Late', price: 1, ...late }]);
    const column = await columnOf(content, name, {}, 'products.json');
    expect(column.late).toEqual([value]);
    expect(column.size).toBe(ROWS + 1);
  });

  it.each<[string, object]>([
    ['an empty object', { brand: {} }],
    ['null, a word for no value and an empty list', { brand: null, maker: 'N/A', sizes: [] }],
  ])('%s is no value', async (_, late) => {
    const records = Array.from({ length: ROWS }, (__, i) => ({ id: i + 1, title: `Thing ${i}`, price: i }));
    const content = JSON.stringify([...records, { id: ROWS + 1, title: 'Late', price: 1, ...late }]);
    const { note, loaded } = await columnOf(content, 'brand', {}, 'products.json');
    expect([note, loaded.models.get('products')?.fields.some(({ name }) => name === 'brand')]).toEqual([
      undefined,
      false,
    ]);
  });

  it('that a mapping keeps out is no field', async () => {
    const content = csvOf('block', () => '', ['02138']);
    const { models } = await loadFiles(
      { 'things.csv': content, 'things.mapping.json': '{"block":null}' },
      { columns: 'all' },
    );
    expect(models.get('things')?.fields.map(({ name }) => name)).toEqual(['id', 'title']);
  });
});

describe('white space around values is no part of them, wherever it stands', () => {
  const SPACES = [' ', '\u00a0', '\u3000', '\u2003', '\ufeff', '\t', '\n'];

  it.each(['json', 'csv'])('%s', async (format) => {
    const late = SPACES.flatMap((space) => [`${space}Acme`, `Acme${space}`, `${space}Acme${space}Ltd ${space}`]);
    const brands = [...Array.from({ length: ROWS }, () => 'Acme Ltd'), ...late, 'Acme’', '…Acme', 'Acmé'];
    const records = brands.map((brand, i) => ({ id: i + 1, title: `Thing ${i}`, price: 1, author: brand, brand }));
    const csv = ['id,title,price,author,brand', ...brands.map((brand, i) => `${i + 1},Thing,1,"${brand}","${brand}"`)];
    const content = format === 'json' ? JSON.stringify(records) : csv.join('\n');
    const { records: read, models } = await loadFiles({ [`products.${format}`]: content }, { columns: 'all' });
    const fields = models.get('products')?.fields.map(({ name }) => name) ?? [];
    for (const field of ['author', 'brand'])
      expect(read.map((values) => values[fields.indexOf(field)])).toEqual(brands.map((brand) => brand.trim()));
  });
});

describe('what stays as it is', () => {
  it('a documented field keeps its kind', async () => {
    const { late, kind, leftNull, note } = await columnOf(
      csvOf('price', (row) => String(row), ['02138', 'sold out', '1.10']),
      'price',
    );
    expect([late, kind, leftNull, note]).toEqual([[2138, null, 1.1], 'number', 1, undefined]);
  });

  it('a kind that a mapping says', async () => {
    const content = csvOf('block', (row) => String(row), ['02138', 'x']);
    const mapping = '{"block":{"kind":"integer"}}';
    const { models, records, files } = await loadFiles(
      { 'things.csv': content, 'things.mapping.json': mapping },
      { columns: 'all' },
    );
    expect(models.get('things')?.fields.at(-1)?.kind).toBe('integer');
    expect(records.slice(ROWS).map((values) => values.at(-1))).toEqual([2138, null]);
    expect(files[0]?.decisions.some((note) => note.startsWith('read twice'))).toBe(false);
  });
});

it('a collection of several files is built once more as a whole, others are read once', async () => {
  const files = {
    'things-1.csv': csvOf('block', (row) => String(10_000 + row), ['02138']),
    'things-2.csv': csvOf('block', (row) => String(20_000 + row), ['20002']).replace(/^(\d)/gm, '9$1'),
    'jobs.csv': 'id,title,block\n1,Baker,10115\n',
  };
  const { models, records, files: reports } = await loadFiles(files, { columns: 'all' });
  expect([models.get('things')?.fields.at(-1)?.kind, models.get('jobs')?.fields.at(-1)?.kind]).toEqual([
    'text',
    'integer',
  ]);
  expect(records).toHaveLength(2 * ROWS + 3);
  expect(reports.map(({ decisions }) => decisions.some((line) => line.startsWith('read twice')))).toEqual([
    false,
    true,
    true,
  ]);
});

it('--strict judges the last reading: a code needs no repair', async () => {
  const { fault } = await loadFiles(
    { 'things.csv': csvOf('block', (row) => String(10_000 + row), ['02138']) },
    { columns: 'all', strict: true },
  );
  expect(fault).toBeUndefined();
});
