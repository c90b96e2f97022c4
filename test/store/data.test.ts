/** The whole API against the naive oracle, on the sample and on real dumps. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { unguardFormula } from '../../src/text.js';
import { type App, appOf, cleanDir, datasetIn, getJson, haveShared, sampleDir } from '../support/api.js';
import {
  fieldNames,
  item,
  load,
  type Name,
  names,
  ofCategory,
  type PlainRecord,
  sorted,
  sortNames,
} from '../support/oracle.js';
import { expectSame } from '../support/same.js';

interface PageOf {
  readonly data: readonly PlainRecord[];
  readonly pagination: { total: number; page: number; limit: number; totalPages: number };
}

function readPlain(dir: string, name: Name): readonly PlainRecord[] {
  const files = readdirSync(dir).filter((file) => file.startsWith(name));
  return load(
    name,
    files.sort().flatMap((file) => JSON.parse(readFileSync(join(dir, file), 'utf8'))),
  );
}

/** Every page of a listing, one after the other; each page's numbers are checked on the way. */
async function allPages(app: App, path: string, limit: number, expected: number): Promise<readonly PlainRecord[]> {
  const records: PlainRecord[] = [];
  for (let page = 1; page <= Math.max(1, Math.ceil(expected / limit)); page++) {
    const mark = path.includes('?') ? '&' : '?';
    const body = await getJson<PageOf>(app, `${path}${mark}limit=${limit}&page=${page}`);
    const totalPages = Math.ceil(expected / limit);
    expect(body.pagination, `${path} page ${page}`).toEqual({ total: expected, page, limit, totalPages });
    records.push(...body.data);
  }
  return records;
}

const folders = [
  { what: 'the sample', dir: sampleDir, limit: 37, run: true },
  { what: 'real dumps', dir: cleanDir, limit: 1000, run: haveShared() },
];

describe.each(folders)('the API over $what', ({ dir, limit, run }) => {
  // Skipped only where the folder beside the project is missing, which `haveShared` has said.
  const check = run ? test : test.skip;
  const start = run ? datasetIn(dir).then((served) => appOf(served)) : Promise.reject(new Error('not run'));
  start.catch(() => {});

  describe.each(names)('%s', (name) => {
    const records = run ? readPlain(dir, name) : [];
    const items = records.map(item);

    check('are as many as the folder holds', () => expect(records.length).toBeGreaterThan(300));

    check('list in snapshot order, every page adding up to the whole', async () => {
      const pages = await allPages(await start, `/api/${name}`, limit, records.length);
      expectSame(pages, items);
    });

    const orders = sortNames[name].flatMap((sort) => ['asc', 'desc', ''].map((order) => ({ sort, order })));
    check.each(orders)('list by $sort $order', async ({ sort, order }) => {
      const path = `/api/${name}?sort=${sort}${order && `&order=${order}`}`;
      const expected = sorted(items, sort, order || 'asc');
      expectSame(await allPages(await start, path, limit, records.length), expected);
    });

    check('answer each id with the whole record', async () => {
      const app = await start;
      const step = Math.ceil(records.length / 1000);
      for (const record of records.filter((_, i) => i % step === 0)) {
        expect(await getJson(app, `/api/${name}/${record.id}`)).toEqual(record);
      }
    });

    check('export JSON that parses back to the records, one a line', async () => {
      const text = await (await (await start).request(`/api/export/${name}`)).text();
      expectSame(JSON.parse(text), records);
      expect(text.split('\n').length).toBe(records.length + 3);
    });

    check('export CSV that reads back to the records', async () => {
      const text = await (await (await start).request(`/api/export/${name}?format=csv`)).text();
      const { data, errors } = Papa.parse<string[]>(text, { newline: '\r\n', skipEmptyLines: true });
      expect(errors).toEqual([]);
      expect(data[0]).toEqual(fieldNames[name]);
      expect(data.slice(1).map((cells) => cells.map(unguardFormula))).toEqual(
        records.map((record) =>
          fieldNames[name].map((field) => {
            const value = record[field] ?? '';
            return Array.isArray(value) ? JSON.stringify(value) : String(value);
          }),
        ),
      );
    });
  });

  check('list each category, under its name with other case and accents too', async () => {
    const app = await start;
    const items = readPlain(dir, 'products').map(item);
    const categories = [...new Set(items.map((record) => String(record.category)))];
    expect(categories.length).toBeGreaterThan(11);
    for (const category of categories) {
      const expected = ofCategory(items, category);
      for (const spelling of [category, category.toUpperCase(), category.normalize('NFD')]) {
        const path = `/api/products/category/${encodeURIComponent(spelling)}`;
        expectSame(await allPages(app, path, limit, expected.length), expected);
      }
      const path = `/api/products/category/${encodeURIComponent(category)}?sort=price&order=desc`;
      expectSame(await allPages(app, path, limit, expected.length), sorted(expected, 'price', 'desc'));
    }
  });
});
