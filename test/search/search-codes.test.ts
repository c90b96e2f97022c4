/** Codes of records in a plain search; numbers, which have no near spellings; words whose parts records have; vowel points. */
import { expect, test } from 'vitest';
import { appOf, datasetIn, getJson, isMiniSearch } from '../support/api.js';
import { withFolder } from '../support/program.js';

const products = [
  { sku: 'KT-INS114-DRE', title: 'Blue dress', price: 3, parts: ['P-1', 'USB-3'] },
  { sku: 'KT-INS115-DRE', title: 'Green dress', price: 3, parts: ['P-2'] },
  { sku: 'KT-INS116-DRE', title: 'Laptop with 16 GB of memory', price: 3, parts: ['P-3'] },
  { sku: 'KT-INS117-DRE', title: 'Laptop 16GB blue', price: 3, parts: ['P-3'] },
  { sku: 'KT-INS118-DRE', title: 'Space odyssey 2001, 16 years on, GB flag', price: 3, parts: ['P-4'] },
  { sku: 'KT-INS119-DRE', title: 'Cable USB-3', price: 3, parts: ['P-5'] },
  { sku: 'KT-INS120-DRE', title: 'Kindle e-reader', price: 3, parts: ['P-6'] },
  { sku: 'KT-INS121-DRE', title: 'שָׁלוֹם', price: 3, parts: ['P-7'] },
  { sku: 'KT-INS122-DRE', title: 'عَرَبِيّ آدم ٱلله', price: 3, parts: ['P-8'] },
  { sku: 'KT-INS123-DRE', title: 'A PS 5 controller', price: 3, parts: ['P-9'] },
];

/** The ids that a search finds, best first. */
const foundBy = <Result>(run: (idsOf: (query: string) => Promise<readonly number[]>) => Promise<Result>) =>
  withFolder({ 'products.json': JSON.stringify(products) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    return run(async (query) => {
      const { data } = await getJson<{ data: readonly { id: number }[] }>(app, `/api/products/search?q=${query}`);
      return data.map(({ id }) => id);
    });
  });

test.each([
  ['a code, whole', 'KT-INS114-DRE', [1]],
  ['case aside', 'kt-ins114-dre', [1]],
  ['a value of a list of codes, in the order of records', 'P-3', [3, 4]],
  ['no part of a code', 'INS114', []],
  ['no near spelling of a number', '2002', []],
  ['a number itself', '2001', [5]],
  ['Hebrew without vowel points', 'שלום', [8]],
  ['Hebrew with them', 'שָׁלוֹם', [8]],
  ['Arabic without vowel points', 'عربي', [9]],
  ['alef with madda as alef', 'ادم', [9]],
  ['alef with wasla as alef', 'الله', [9]],
  ['a compound written together, beside another word', 'ereader%20kindle&match=all', [7]],
])('%s: %s', (_, query, ids) => foundBy(async (idsOf) => expect(await idsOf(query)).toEqual(ids)));

test.skipIf(isMiniSearch).each([
  ['a code beside words: the code leads', 'green%20KT-INS114-DRE', [1, 2]],
  ['all of a code and a word', 'blue%20KT-INS114-DRE&match=all', [1]],
  ['a code and a word of another record', 'green%20KT-INS114-DRE&match=all', []],
  ['a code in quotes', '%22KT-INS114-DRE%22', [1]],
  ['all but a code', 'dress%20-KT-INS114-DRE', [2]],
  ['a code of which texts have the words: both', 'usb-3', [1, 6]],
  ['a number and a unit, written apart in a record', '16gb&prefix=0', [4, 3]],
  ['letters and a number', 'ps5', [10]],
  ['beside another word', '16gb%20laptop&match=all', [4, 3]],
])('%s: %s', (_, query, ids) =>
  foundBy(async (idsOf) => expect((await idsOf(query)).toSorted()).toEqual([...ids].toSorted())),
);

test.skipIf(isMiniSearch)('a code beside words ranks first', () =>
  foundBy(async (idsOf) => expect((await idsOf('green%20KT-INS114-DRE'))[0]).toBe(1)),
);

test.skipIf(isMiniSearch)('the near spelling of a number is suggested', () =>
  withFolder({ 'products.json': JSON.stringify(products) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    expect(await getJson(app, '/api/products/search?q=2002&suggest=1')).toMatchObject({ data: [], suggestion: '2001' });
    expect(await getJson(app, '/api/products/search?q=16gb&suggest=1')).toMatchObject({ suggestion: null });
  }),
);
