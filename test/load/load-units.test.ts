/** Numbers with a unit, the upper ends of ranges and currencies: decided by columns, and said in the report. */
import { describe, expect, it, test } from 'vitest';
import { foundLines } from '../../src/load/report/report-text.js';
import { readMeasure } from '../../src/load/values/measures.js';
import { linesOf, loadFiles } from '../support/load.js';

async function fieldsOf(records: readonly object[], file = 'products.json') {
  const content = file.endsWith('.json') ? JSON.stringify(records) : '';
  const loaded = await loadFiles({ [file]: content }, { columns: 'all' });
  const model = [...loaded.models.values()].find(({ name }) => name === (loaded.files[0]?.collection ?? ''));
  const valuesOf = (name: string) => {
    const index = model?.fields.findIndex((field) => field.name === name) ?? -1;
    return index < 0 ? undefined : loaded.records.map((values) => values[index]);
  };
  return { loaded, valuesOf, field: (name: string) => model?.fields.find((field) => field.name === name) };
}

const productsWith = (column: string, values: readonly unknown[]) =>
  values.map((value, i) => ({ id: i + 1, name: `Thing ${'abcdefgh'.charAt(i)}`, price: 5 + i, [column]: value }));

describe('a number with a unit', () => {
  it.each([
    ['12 km', 12, 'km'],
    ['1,234 ratings', 1234, 'ratings'],
    ['10,000+', 10_000, '+'],
    ['500+ bought', 500, '+ bought'],
    ['19M', 19_000_000, ''],
    ['2K+ sold last month', 2000, '+ sold last month'],
    ['16GB', 16, 'GB'],
    ['-2,5 m', -2.5, 'm'],
    ['#7', 7, '#'],
    ['25 °C', 25, '°C'],
    ['5 min read', 5, 'min read'],
    ['1.2M views', 1_200_000, 'views'],
    ['32"', 32, '"'],
    ['4.5 APR', 4.5, 'APR'],
    ["32''", 32, "''"],
    ['65-inch', 65, 'inch'],
  ])('%s → %d of %s', (text, value, unit) => expect(readMeasure(text)).toMatchObject({ value, unit }));

  it.each([
    '12A',
    '2XL',
    '4th',
    '12m',
    '#007',
    '007 km',
    '3 days ago',
    '8 PM',
    '12.5.3 km',
    '10-12 km',
    '12 34 km',
    'SKU-12',
    'Chapter 3',
    '3 x 4 cm',
  ])('%s is none', (text) => expect(readMeasure(text)).toBeUndefined());
});

describe('a column of numbers with one unit', () => {
  it.each<[string, readonly unknown[], string | undefined, readonly unknown[], string]>([
    ['distance', ['12 km', '2.5 km', '120 km'], 'km', [12, 2.5, 120], 'number'],
    ['reviews', ['1 rating', '1,234 ratings', '87 ratings'], 'rating', [1, 1234, 87], 'integer'],
    ['reviews', ['1,234 ratings', '12,001 ratings', '87 ratings'], 'ratings', [1234, 12_001, 87], 'number'],
    ['reviews', ['1,234 ratings', '1,234,567 ratings'], 'ratings', [1234, 1_234_567], 'integer'],
    ['views', ['15 Tsd.', '987', '1,2 Mio.'], '', [15_000, 987, 1_200_000], 'integer'],
    ['views', ['1.2 万', '3万', '900'], '', [12_000, 30_000, 900], 'integer'],
    ['views', ['1,2 k', '15 k', '987'], '', [1200, 15_000, 987], 'integer'],
    ['sold', ['500+ bought', '1K+ bought', '30 bought'], '+ bought', [500, 1000, 30], 'integer'],
    ['installs', ['10,000+', '500+', '0', '5,000,000+'], '+', [10_000, 500, 0, 5_000_000], 'integer'],
    ['size', ['19M', '8.7M', '201k'], '', [19_000_000, 8_700_000, 201_000], 'integer'],
    ['length', ['25 m', '2.5 m', '2,5 m', '-25 m', null], 'm', [25, 2.5, 2.5, -25, null], 'number'],
    ['age', ['12 yrs old', '5 yrs old', '1 yr old'], 'yrs old', [12, 5, 1], 'integer'],
    ['rank', ['#1', '#2', '#10'], '#', [1, 2, 10], 'integer'],
    ['screen', ['32"', '40.5 in', '55 inches', '65-inch'], '"', [32, 40.5, 55, 65], 'number'],
  ])('%s: %j has the unit %s', async (column, values, unit, numbers, kind) => {
    const { field, valuesOf, loaded } = await fieldsOf(productsWith(column, values));
    expect(valuesOf(column)).toEqual(numbers);
    expect(field(column)).toMatchObject({ kind, unit });
    const line = loaded.files.flatMap(foundLines).find((text) => text.startsWith(`${column}: `));
    if (unit === '') expect(line).not.toContain('unit');
    else expect(line).toContain(`its unit ${JSON.stringify(unit)} is left out`);
  });

  it.each<[string, readonly unknown[], string]>([
    ['length', ['25 m', '2 km', '3 m', '4 km'], 'text'],
    ['size', ['2XL', '3XL', '4XL'], 'code'],
    ['seat', ['12A', '7B', '3C'], 'code'],
    ['seen', ['3 days ago', '4 days ago', '5 days ago'], 'text'],
    ['house', ['12 Main St', '14 Main St', '9 Main St'], 'text'],
    ['room', ['12 A', '14 A', '9 A'], 'text'],
    ['place', ['10115 Berlin', '10117 Berlin', '10119 Berlin'], 'text'],
    ['part', ['12 mm', '13 mm', '14 mm'], 'text'],
    ['note', ['12 km', 'far', 'near', 'there'], 'text'],
    ['day', ['Fr. 12', 'Fr. 13', 'Fr. 14'], 'text'],
    ['level', ['Level 1', 'Level 2', 'Level 3'], 'text'],
    ['heat', ['300 K', '273 K', '310 K'], 'text'],
    ['engine', ['12 L', '2 V', '3 A'], 'text'],
    ['views', ['15 mil', '12 mil', '987'], 'text'],
    ['day', ['5 Mar', '6 Mar', '7 Mar'], 'text'],
  ])('%s: %j has none', async (column, values, kind) => {
    const { field, valuesOf } = await fieldsOf(productsWith(column, values));
    expect(field(column)).toMatchObject({ kind });
    expect(field(column)).not.toHaveProperty('unit');
    expect(valuesOf(column)).toEqual(values);
  });

  it('thousands are separated as the file has them', async () => {
    const { valuesOf } = await fieldsOf(
      [
        ['49,95 €', '1.234 Bewertungen'],
        ['5,00 €', '87 Bewertungen'],
        ['7,50 €', '12.001 Bewertungen'],
      ].map(([price, reviews], i) => ({ id: i + 1, name: `Ding ${'abc'.charAt(i)}`, price, reviews })),
    );
    expect(valuesOf('reviews')).toEqual([1234, 87, 12_001]);
  });

  it('a scale behind a decimal is no unit of amounts of money', async () => {
    const { valuesOf, field } = await fieldsOf(productsWith('fee', ['£5.50', '£7.25', '1.2k', '19B']));
    expect(valuesOf('fee')).toEqual([5.5, 7.25, 1200, 19_000_000_000]);
    expect((await fieldsOf(productsWith('fee', [...Array(20).fill('£5.50'), '1.2k']))).field('fee')?.currency).toBe(
      '£',
    );
    expect(field('fee')?.kind).toBe('number');
  });

  it('a capital is no scale in a column of metres', async () => {
    const { valuesOf } = await fieldsOf(productsWith('way', [...Array(12).fill('7 m'), '12 M']));
    expect(valuesOf('way')?.at(-1)).toBeNull();
  });

  it.each([
    ['rating', ['1,234 ratings', '17 ratings', '1 rating'], 'rating2', [1234, 17, 1]],
    ['rating', ['12 reviews', '3 reviews', '1 review'], 'rating2', [12, 3, 1]],
    ['price', ['12 points', '3 points', '4 points'], 'price2', [12, 3, 4]],
    ['rating', ['4 out of 5 stars, 1,234 ratings', '3 stars', 'Three reviews'], 'rating', [4, 3, null]],
  ])('%s: %j are of %s', async (column, values, name, numbers) => {
    const { valuesOf } = await fieldsOf(values.map((value, i) => ({ id: i + 1, name: `Thing ${i}`, [column]: value })));
    expect(valuesOf(name)).toEqual(numbers);
  });

  it.each([
    [['$5', 'USD 6', 'US$ 7'], []],
    [['5 kr', 'SEK 6', '7 kr'], []],
    [['$5', 'CAD 6', 'US$ 7'], ['$ 1, CAD 1, US$ 1']],
    [['$5', 'CAD 6', 'USD 7'], ['$ 1, CAD 1, USD 1']],
    [['$5', '€6', 'EUR 7'], ['€ 2, $ 1']],
    [['$5', 'CA$6', '$7'], ['$ 2, CA$ 1']],
    [['850 € CC', '1 450 € HC', '7 €'], []],
    [['$ 5 SGD', '$ 6 USD', '7 USD'], ['USD 2, SGD 1']],
    [['5 руб', '6 р', '7 р.', '8 RUB'], []],
    [['1.500 OMR', 'BD 2.500', 'OMR 1.200'], ['OMR 2, BD 1']],
    [['5 kr', '6 €', '7 R$'], ['kr 1, € 1, R$ 1']],
    [['$12.50 HKD', '$5', 'HK$4.99'], ['HKD 2, $ 1']],
    [['$5', '$4.99 MXN', 'MX$7.50'], ['MXN 2, $ 1']],
    [['$12.50 CAD', '$5', '6 CAD'], []],
  ])('%j are of the currencies %j', async (prices, counts) => {
    const { loaded, field } = await fieldsOf(prices.map((price, i) => ({ id: i + 1, name: `Thing ${i}`, price })));
    const told = loaded.result.ok ? linesOf(loaded.result.report, (kind) => kind === 'currencies') : [];
    expect(told).toEqual(counts.map((text) => `price: several currencies, none is converted: ${text}`));
    expect(field('priceCurrency') !== undefined).toBe(counts.length > 0);
  });

  it.each([
    ['rent', ['$1,200/mo', '$300/wk', '$85 per night'], 'mo 1, wk 1, night 1'],
    ['rent', ['$1,200/mo', '$900 per month', '$800 / Months'], undefined],
    ['price', ['$5/pack', '$6', '$7 / pair'], undefined],
    ['price', ['100 € HT', '120 € TTC', '60 € TTC'], 'ttc 2, ht 1'],
    ['price', ['1,99 €', '0,99 €/100 g', '5,50 €'], 'without one 2, 100 g 1'],
    ['pay', ['$15/hr', '$16 per hr', '$17/hr'], undefined],
    ['price', ['$5', '$6 each', '$6 / each', '7 €/Stück'], undefined],
    ['speed', ['15 km/h', '16 m/s', '17 km/h'], undefined],
  ])('%s: %j are for %s', async (column, values, counts) => {
    const { loaded } = await fieldsOf(productsWith(column, values));
    const told = loaded.result.ok ? linesOf(loaded.result.report, (kind) => kind === 'units') : [];
    expect(told).toEqual(counts === undefined ? [] : [`${column}: several units, none is converted: ${counts}`]);
  });

  it('a unit of an amount behind the first records is told', async () => {
    const { loaded } = await fieldsOf(productsWith('rent', [...Array<string>(1100).fill('$900/mo'), '$250/wk']));
    const told = loaded.result.ok ? linesOf(loaded.result.report, (kind) => kind === 'units') : [];
    expect(told).toEqual(['rent: several units, none is converted: mo, wk']);
  });

  it.each([
    ['HK$1.50', true],
    ['$1.50 MXN', false],
    ['Now $1.50', false],
  ])('of dollars, then %s, which makes currencies a field: %s', async (later, isOther) => {
    const { field } = await fieldsOf(productsWith('price', [...Array<string>(1100).fill('$1.50'), later]));
    expect(field('priceCurrency') !== undefined).toBe(isOther);
  });

  it.each<[unit: string, number, value: string, later: readonly string[], share: string]>([
    ['GB', 2, '8 GB', ['512'], '1 of 3'],
    ['g', 1100, '250 g', ['3', '1,234', '2 g', '3'], '3 of 1,104'],
    ['%', 9, '10%', ['0.35'], '1 of 10'],
    ['%', 19, '10,5%', ['0,5', 'n/a'], '1 of 20'],
  ])(
    'numbers without %s behind %d of %s are read as of it, which is told: %j',
    async (unit, size, value, later, share) => {
      const { loaded } = await fieldsOf(productsWith('amount', [...Array<string>(size).fill(value), ...later]));
      expect(loaded.result.ok && linesOf(loaded.result.report, (kind) => kind === 'bare-numbers')).toEqual([
        `amount: read as of "${unit}" without a unit: ${share} values`,
      ]);
    },
  );

  it('a text of another unit is null, and counted', async () => {
    const values = [...Array.from({ length: 19 }, (_, i) => `${i + 1} km`), '7 miles'];
    const { valuesOf, loaded } = await fieldsOf(productsWith('way', values));
    expect(valuesOf('way')?.at(-1)).toBeNull();
    expect(loaded.files[0]?.fields.find(({ field }) => field === 'way')?.leftNull).toBe(1);
  });

  it.each<[string, string, string | undefined, number, object]>([
    ['a unit', 'soon', ' km', 2600, { kind: 'integer', unit: 'km' }],
    ['a unit behind numbers', '', ' km', 2600, { kind: 'integer', unit: 'km' }],
    ['percentages', 'soon', '%', 2600, { kind: 'number', isPercent: true }],
    ['percentages behind numbers', '', '%', 11_000, { kind: 'number', isPercent: true }],
  ])('most values have %s only behind the first records', async (_, word, unit, size, expected) => {
    const early = (i: number) => (word === '' ? String(i) : i % 5 === 0 ? word : `${i}${unit}`);
    const values = Array.from({ length: size }, (__, i) => (i < 1000 ? early(i) : `${i}${unit}`));
    const { valuesOf, field, loaded } = await fieldsOf(productsWith('way', values));
    expect(field('way')).toMatchObject(expected);
    expect([valuesOf('way')?.[1], valuesOf('way')?.at(-1)]).toEqual([1, size - 1]);
    expect(loaded.files[0]?.decisions.join()).toContain('read twice');
  });

  it.each([
    ['kilometres', ' km', 'integer'],
    ['percentages', '%', 'number'],
  ])('a column whose later values are no %s is text, and has no unit', async (_, unit, kind) => {
    const values = Array.from({ length: 3000 }, (__, i) => (i < 1100 ? `${i % 90}${unit}` : `far off ${i}`));
    const { field, loaded } = await fieldsOf(productsWith('way', values));
    expect(field('way')?.kind).toBe('text');
    expect(loaded.files[0]?.decisions).toContain(
      `read twice, since later records decide otherwise than the first: way is text, not ${kind}`,
    );
  });

  it('a rating whose first values come late may be a percentage', async () => {
    const records = Array.from({ length: 1200 }, (_, i) => ({
      name: `Thing ${i}`,
      price: 5,
      rating: i < 1100 ? '' : '90%',
    }));
    const { valuesOf } = await fieldsOf(records);
    expect(valuesOf('rating')?.at(-1)).toBe(90);
  });

  it('a decimal behind the first records makes a number of an integer, in the same unit', async () => {
    const values = [...Array.from({ length: 1100 }, (_, i) => `${i + 1} km`), '2.5 km'];
    const { valuesOf, field } = await fieldsOf(productsWith('way', values));
    expect(field('way')).toMatchObject({ kind: 'number', unit: 'km' });
    expect([valuesOf('way')?.[0], valuesOf('way')?.at(-1)]).toEqual([1, 2.5]);
  });
});

describe('of a range the upper end is a field', () => {
  test('of a price', async () => {
    const { valuesOf, field, loaded } = await fieldsOf([
      { id: 1, name: 'Tea', price: '$10 - $20' },
      { id: 2, name: 'Cup', price: '$7' },
      { id: 3, name: 'Pot', price: 9 },
    ]);
    expect([valuesOf('price'), valuesOf('priceTo')]).toEqual([
      [10, 7, 9],
      [20, null, null],
    ]);
    expect(field('priceTo')).toMatchObject({ kind: 'number', part: 'upper end' });
    expect(loaded.files.flatMap(foundLines)).toContain('priceTo: the upper end in price, of 1 record');
  });

  test('of a found column, with the decimal commas of its file', async () => {
    const { valuesOf, field } = await fieldsOf(
      [
        { name: 'Clerk', salary: '1.200,50 € – 2.400 €' },
        { name: 'Cook', salary: '1.100,25 €' },
      ],
      'jobs.json',
    );
    expect([valuesOf('salary'), valuesOf('salaryTo')]).toEqual([
      [1200.5, 1100.25],
      [2400, null],
    ]);
    expect(field('salaryTo')).toMatchObject({ currency: '€' });
  });

  test('a column of that name keeps it', async () => {
    const { valuesOf } = await fieldsOf([{ id: 1, name: 'Tea', price: '$10 - $20', priceTo: 'the shop' }]);
    expect([valuesOf('priceTo'), valuesOf('priceTo2')]).toEqual([['the shop'], [20]]);
  });

  test('behind the first records', async () => {
    const records = Array.from({ length: 1100 }, (_, i) => ({ id: i + 1, name: `Thing ${i}`, price: `$${i + 1}` }));
    const { valuesOf, loaded } = await fieldsOf([...records, { id: 1101, name: 'Tea', price: '$10 - $20' }]);
    expect([valuesOf('price')?.at(-1), valuesOf('priceTo')?.at(-1), valuesOf('priceTo')?.[0]]).toEqual([10, 20, null]);
    expect(loaded.files[0]?.decisions[0]).toContain('priceTo has its first value behind them');
  });

  test('where no value is a range there is none', async () => {
    const { field } = await fieldsOf(productsWith('span', ['10-20', '5-7']));
    expect([field('priceTo'), field('spanTo')]).toEqual([undefined, undefined]);
  });
});

it('a currency has one name, however the dump spells it', async () => {
  const prices = ['5 €', 'EUR 6', '$7', '€8', 'USD 9', '$10'];
  const { valuesOf } = await fieldsOf(prices.map((price, i) => ({ id: i + 1, name: `Thing ${i}`, price })));
  expect(valuesOf('priceCurrency')).toEqual(['€', '€', '$', '€', '$', '$']);
});

describe('where a dump has several currencies', () => {
  test('each record has its own', async () => {
    const { valuesOf } = await fieldsOf([
      { id: 1, name: 'Tea', price: '$10' },
      { id: 2, name: 'Cup', price: '€7' },
      { id: 3, name: 'Pot', price: 9 },
    ]);
    expect(valuesOf('priceCurrency')).toEqual(['$', '€', null]);
  });

  test('each record has its own, where all digits are those of another script', async () => {
    const { valuesOf } = await fieldsOf([
      { id: 1, name: 'Tea', price: '١٬٨٩٩ ر.س' },
      { id: 2, name: 'Cup', price: '٥ €' },
    ]);
    expect([valuesOf('price'), valuesOf('priceCurrency')]).toEqual([
      [1899, 5],
      ['ر.س', '€'],
    ]);
  });

  test('cents have that of the others', async () => {
    const prices = async (values: readonly string[]) =>
      fieldsOf(values.map((price, i) => ({ id: i + 1, name: `Thing ${i}`, price })));
    const { valuesOf, field } = await prices(['99¢', '$1.99', 'Rs. 5', 'Rs 7']);
    expect([valuesOf('price'), valuesOf('priceCurrency')]).toEqual([
      [0.99, 1.99, 5, 7],
      [null, '$', 'Rs', 'Rs'],
    ]);
    expect((await prices(['99¢', '$1.99'])).field('priceCurrency')).toBeUndefined();
    expect(field('price')?.currency).toBeUndefined();
    expect((await prices(['Rs. 5', 'Rs 7'])).field('price')?.currency).toBe('Rs');
  });

  test.each([['$'], ['']])('behind the first records, which have %j', async (sign) => {
    const early = Array.from({ length: 1100 }, (_, i) => ({ id: i + 1, name: `Thing ${i}`, price: `${sign}${i + 1}` }));
    const late = ['$5', '€6'].map((price, i) => ({ id: 1101 + i, name: 'Tea', price }));
    const { valuesOf, loaded } = await fieldsOf([...early, ...late]);
    expect(valuesOf('priceCurrency')?.slice(-3)).toEqual([sign === '' ? null : sign, '$', '€']);
    expect(loaded.files[0]?.decisions[0]).toContain('priceCurrency has its first value behind them');
  });

  test('one currency is told once', async () => {
    const { field } = await fieldsOf([
      { id: 1, name: 'Tea', price: '$10' },
      { id: 2, name: 'Cup', price: '$7' },
    ]);
    expect([field('priceCurrency'), field('price')?.currency]).toEqual([undefined, '$']);
  });
});

test('a letter is a currency where the column proves it, and else a thousand', async () => {
  const prices = async (values: readonly string[]) =>
    (await fieldsOf(values.map((price, i) => ({ id: i + 1, name: `Thing ${i}`, price })))).valuesOf('price');
  expect(await prices(['K 12.50', 'K1,200.00', '25 K'])).toEqual([12.5, 1200, 25]);
  expect(await prices(['$12.50', '25K', '1.5k'])).toEqual([12.5, 25_000, 1500]);
  expect(await prices(['R1,899.00', 'R499', 'R 50'])).toEqual([1899, 499, 50]);
});
