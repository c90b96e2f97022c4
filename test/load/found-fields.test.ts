/** Columns that feed no documented field: which there are, their kinds, and what the API calls them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonKind, type FoundKind, foundKind } from '../../src/load/fields/column-kind.js';
import { nameColumns } from '../../src/load/fields/found-fields.js';
import { createPlan, MAX_FOUND_FIELDS } from '../../src/load/fields/plan.js';
import { ColumnProfile } from '../../src/load/profile/column-profile.js';
import { sampleOf } from '../../src/load/profile/sample.js';
import { collections } from '../../src/model.js';

describe('kinds by the sample', () => {
  it.each<[string, readonly unknown[], FoundKind | undefined]>([
    ['integers', [1, 2, 30], 'integer'],
    ['integers as texts', ['1', '-2', ' 30 '], 'integer'],
    ['integers and decimals', [1, 2.5], 'number'],
    ['one decimal of many', ['1.5', ...Array.from({ length: 20 }, () => '1')], 'number'],
    ['money', ['€1.299,00', '$5', 'CHF 9.50'], 'number'],
    ['decimal commas', ['12,5', '1,5'], 'number'],
    ['percentages', ['15%', '7,5 %'], 'number'],
    ['days', ['2024-03-05', '5. März 2024'], 'date'],
    ['times', ['2024-03-05T09:30:00Z'], 'date'],
    ['days with points', ['31.12.2026', '1.2.2026'], 'date'],
    ['versions', ['1.2.3', '10.4.1'], 'code'],
    ['integers that no double holds', [2 ** 60, 2 ** 61], 'code'],
    ['objects in cells of CSV', ['{"a":1}', '"x"', '5'], 'json'],
    ['years', [2001, '1999'], 'integer'],
    ['booleans', [true, false], 'boolean'],
    ['booleans as texts', ['TRUE', 'false'], 'boolean'],
    ['yes and no', ['Yes', 'No'], 'text'],
    ['brands', ['Acme', 'Foo', 'T-Fal'], 'text'],
    ['numbers with one unit', ['1.2 kg', '3 kg'], 'number'],
    ['numbers with several units', ['1.2 kg', '300 g'], 'text'],
    ['prose', ['A kettle, 2 l', 'A pan'], 'text'],
    ['SKUs', ['SKU-0001', 'SKU-0002', 'KETTLE'], 'code'],
    ['ISBNs', ['978-3-16-148410-0'], 'code'],
    ['addresses', ['https://a.example/1', '/p/2'], 'code'],
    ['digits with a leading zero', ['0049', '1234'], 'code'],
    ['ISBNs of ten digits', ['439785960', '043965548X', '316769487'], 'code'],
    ['bar codes', ['40063813339310123', '12'], 'code'],
    ['lists of texts', [['red', 'blue'], [], ['green']], 'texts'],
    ['lists of codes', [['SKU-1', 'SKU-2']], 'codes'],
    ['lists in cells of CSV', ['["red","blue"]', '[]'], 'texts'],
    ['lists of objects', [[{ a: 1 }]], 'json'],
    ['objects', [{ a: 1 }, 'x'], 'json'],
    ['words for no value among numbers', ['N/A', '-', '', 5], 'integer'],
    ['nothing', ['', 'n/a', []], undefined],
    ['an integer that no double holds among others', [2 ** 60, 12], 'code'],
    ['numbers beyond 2^53 with decimals', [2 ** 60, 0.5], 'number'],
    ['versions of two numbers', ['1.10', '1.9', '1.1'], 'code'],
    ['decimals of equal length', ['1.10', '1.95', '1.15'], 'number'],
    ['decimals that end alike', ['3.350', '3.3500'], 'number'],
    ['decimals as pandas writes them', ['1.0', '2.5', '10.25'], 'number'],
    ['money with a zero behind', ['£1.10', '£1.9'], 'number'],
    ['exponents beside words', ['7e3', '7000', '81a0'], 'code'],
    ['exponents among numbers', ['7e3', '7000'], 'number'],
    ['exponents with a point', ['1.5e3', 'none', ...Array.from({ length: 20 }, () => '2')], 'number'],
    ['false beside a time', [false, 1192450700], 'json'],
    ['lists of numbers', [[13.4, 52.5], [1]], 'json'],
    ['lists of numbers that no double holds', [[2 ** 60, 5]], 'codes'],
    ['lists of numbers and texts', [[1, 'red']], 'json'],
    ['lists of switches', [[true, false], [true]], 'json'],
    ['lists of texts and nulls', [['red', null], ['blue']], 'texts'],
    ['lists of texts and long numbers', [[2 ** 60, '5']], 'codes'],
    ['lists as Python prints them', ["['red', 'blue']", "['green']"], 'texts'],
    ['several values in a token', ['red|blue', 'green|black', 'white'], 'text'],
    ['pairs of coordinates', ['52.5,13.4', '48.1,11.5'], 'code'],
    ['numbers with exponents and commas', ['5,58199E+12', '5,582E+12'], 'code'],
    ['short dates with the day first', ['02/01/24', '13/01/24', '04/01/24'], 'date'],
    ['short dates with the year first', ['24/03/05', '24/03/06', '23/03/07'], 'code'],
    ['percentages below zero', ['-20%', '15 %', '−5%'], 'number'],
    ['decimals with a leading zero', ['01.10', '02.5'], 'code'],
    ['decimals below one', ['0.10', '0.25'], 'number'],
    ['counts with a plus', ['10K+', '1M+', '5B+'], 'integer'],
    ['codes with a letter behind', ['10A', '12B', '5B'], 'code'],
    ['amounts without hundredths', ['249,-', '1 249,-', '12,-'], 'number'],
    ['versions behind a letter', ['v1.10', 'v1.9', 'v1.12'], 'code'],
    ['codes behind a name of money', ['Kr-1', 'Kr-2', 'Kr-3'], 'code'],
    ['a mixture', ['1', 'two', 'three of a kind'], 'text'],
  ])('%s', (_, values, kind) => expect(foundKind(new ColumnProfile(values).kinds)).toBe(kind));

  it.each<[string, readonly unknown[], FoundKind]>([
    ['part_number', ['7e3', '7000'], 'code'],
    ['distance', ['7e3', '7000'], 'number'],
    ['unit_cost', ['1.10', '1.9'], 'number'],
    ['version', ['1.10', '1.9'], 'code'],
    ['lat', ['52.520', '48.1'], 'number'],
    ['rating_avg', ['4.50', '4.5'], 'number'],
    ['weightClass', ['01.10', '2.5'], 'number'],
    ['chapter', ['01.10', '2.5'], 'code'],
  ])('a column named %s', (name, values, kind) => expect(foundKind(new ColumnProfile(values).kinds, name)).toBe(kind));

  it.each<[FoundKind, FoundKind, FoundKind]>([
    ['integer', 'integer', 'integer'],
    ['integer', 'number', 'number'],
    ['code', 'integer', 'text'],
    ['texts', 'text', 'text'],
    ['json', 'text', 'text'],
  ])('%s in one file and %s in another is %s', (a, b, common) => {
    expect(commonKind(a, b)).toBe(common);
    expect(commonKind(b, a)).toBe(common);
  });
});

describe('columns', () => {
  const foundIn = (records: readonly object[], mapping: ReadonlyMap<string, string | null> = new Map()) =>
    createPlan({ model: collections[1], mapping, isCsv: false }, sampleOf(records)).found;

  it('are names and paths of three steps that feed no documented field and have a value', () => {
    const columns = foundIn([
      {
        name: 'Tea',
        price: { value: 9, currency: 'EUR' },
        brand: 'Acme',
        mixed: { a: 1 },
        empty: null,
        variants: [{ sku: 1 }],
      },
      {
        name: 'Salt',
        price: { value: 8, unit: { per: 'kg', of: { deep: { deeper: 1 } } } },
        brand: null,
        mixed: 'x',
        variants: [],
      },
    ]);
    expect(columns.map(({ text, values }) => [text, values.length])).toEqual([
      ['price.currency', 1],
      ['price.unit.per', 1],
      ['price.unit.of', 1],
      ['brand', 1],
      ['mixed', 2],
      ['variants', 2],
    ]);
  });

  it('of a plan are those that feed no documented field and were not mapped', () => {
    const record = {
      name: 'Tea',
      price: { value: 9, currency: 'EUR' },
      crumbs: 'A > B',
      brand: 'Acme',
      stock: 3,
      stars: 4,
    };
    const columns = foundIn([record, record], new Map([['stock', null]]));
    expect(columns.map(({ text, profile }) => [text, foundKind(profile.kinds)])).toEqual([
      ['price.currency', 'text'],
      ['crumbs', 'text'],
      ['brand', 'text'],
    ]);
  });

  it('are no more than a collection may have', () => {
    const record = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c${i}`, i]));
    expect(foundIn([record]).length).toBe(MAX_FOUND_FIELDS);
  });
});

describe('names', () => {
  const reserved = new Set(['id', 'title', 'price', 'page', 'limit', 'q']);
  it.each<[string, readonly (readonly string[])[], readonly string[]]>([
    [
      'of the source',
      [['brand'], ['Größe'], ['価格'], ['_type'], ['__proto__']],
      ['brand', 'Größe', '価格', '_type', '__proto__'],
    ],
    ['of words', [['list-price'], ['Sale (EUR)'], ['price', 'currency']], ['listPrice', 'saleEur', 'priceCurrency']],
    ['that mean something else', [['page'], ['price'], ['Page']], ['page2', 'price2', 'Page']],
    ['of bounds', [['stock'], ['stock_gte'], ['size_lte']], ['stock', 'stockGte', 'size_lte']],
    ['of the source before those of words', [['list price'], ['listPrice']], ['listPrice2', 'listPrice']],
    ['without a letter', [['#'], ['%'], ['2nd image']], ['column', 'column2', '_2ndImage']],
  ])('%s', (_, paths, names) =>
    expect(
      nameColumns(
        paths.map((path) => ({ path })),
        { reserved },
      ),
    ).toEqual(names),
  );

  it('are identifiers, each once, and none is reserved', () => {
    const path = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'a b', 'A', 'page', 'a_gte')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), (paths) => {
        const distinct = [...new Map(paths.map((each) => [JSON.stringify(each), each])).values()];
        const names = nameColumns(
          distinct.map((path) => ({ path })),
          { reserved },
        );
        expect(new Set(names).size).toBe(distinct.length);
        for (const name of names) {
          expect(name).toMatch(/^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u);
          expect(reserved.has(name)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});
