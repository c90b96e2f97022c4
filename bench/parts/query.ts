/**
 * Lists of a million products, narrowed and sorted, first page: in process, beside `filter`, `sort` and `slice` on plain
 * objects and SQLite with an index on every column, in the same run. Answers are checked before they are timed. Exit
 * code 1 when a target is missed. Needs `npm ci` in bench/ once.
 */

import { createWholeBuilder } from '../../src/build/parts.js';
import { collectionOf, collections } from '../../src/model.js';
import { Conditions } from '../../src/query/conditions.js';
import { execute } from '../../src/query/execute.js';
import { facetsOf } from '../../src/query/facets.js';
import { EVERYTHING, type Query, type QueryFilter } from '../../src/query/query.js';
import { statsOf } from '../../src/query/stats.js';
import { RowSet } from '../../src/row-set.js';
import type { Collection } from '../../src/store/collection.js';
import { idOfRow } from '../../src/store/ids.js';
import type { RecordValues } from '../../test/support/batch-writer.js';
import { inBatches } from '../../test/support/batch-writer.js';
import { below, type Random, seeded } from '../../test/support/random.js';
import { readFlags } from '../flags.js';
import { heading, ms, report, type Spread, type Target, table, timeEach } from '../measure.js';
import { openSqlite } from './sqlite.js';

const flags = readFlags({
  command: 'npm run bench -- query',
  description: 'Filters, orders and first pages of products in process, beside plain objects and SQLite.',
  flags: { records: { value: 'N', description: 'how many products [1000000]' } },
});
const PRODUCT_COUNT = flags.count('records', 1_000_000);
const FILTER_QUERIES = 2000;
const WARM_UP = 300;
const PEER_FILTER_QUERIES = 40;
const PAGE = { page: 1, limit: 20 };

interface Product {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly price: number | null;
  readonly imageUrl: string;
  readonly rating: number | null;
  readonly category: string;
}

/** Authors and categories are skewed, as they are in any shop; some values are missing. */
function makeProduct(random: Random, id: number): Product {
  return {
    id,
    title: `Product ${below(random, PRODUCT_COUNT).toString(36)} of ${id}`,
    author: `Author ${Math.floor(random() ** 3 * 50_000)}`,
    price: random() < 0.02 ? null : below(random, 100_000) / 100,
    imageUrl: `https://example.org/${id}.jpg`,
    rating: random() < 0.1 ? null : 1 + below(random, 41) / 10,
    category: `Category ${Math.floor(random() ** 2 * 40)}`,
  };
}

function* makeProducts(): Generator<Product> {
  const random = seeded(5);
  for (let id = 0; id < PRODUCT_COUNT; id++) yield makeProduct(random, id);
}

function* valuesOf(products: Iterable<Product>): Generator<RecordValues> {
  for (const product of products) yield Object.values(product);
}

function buildCollection(made: Iterable<Product>): Collection {
  const [, model] = collections;
  const builder = createWholeBuilder();
  inBatches(model, valuesOf(made), builder.openCollection(model, 'english'));
  return {
    ...collectionOf(builder.finish().stores, model.name),
    search: {
      engine: 'bm25f',
      language: 'english',
      search: () => ({ rows: [], total: 0 }),
      withPartOfWord: () => RowSet.ofRows(new Uint32Array(0), PRODUCT_COUNT),
      matching: () => RowSet.ofRows(new Uint32Array(0), PRODUCT_COUNT),
      similar: () => [],
      suggestion: null,
      finder: () => ({ look: () => ({ words: 0, isFound: false }), mayBegin: () => false }),
    },
  };
}

/** Products that have an author of their own each. */
function* makeSigned(): Generator<Product> {
  const random = seeded(6);
  const letters = (): string =>
    Math.floor(random() * 36 ** 7)
      .toString(36)
      .padStart(7, '0');
  for (const product of makeProducts()) yield { ...product, author: `${letters()} ${letters()}` };
}

const filter = (field: string, operator: string, ...values: readonly (string | number)[]): QueryFilter => ({
  field,
  operator,
  values: values.map(String),
  match: 'any',
});
/** Numbers of six decimals: the parameters have no exponents. */
const range = (field: string, min: number, max: number): readonly QueryFilter[] => [
  filter(field, '_gte', min.toFixed(6)),
  filter(field, '_lte', max.toFixed(6)),
];

function anyFilter(random: Random, field: string): readonly QueryFilter[] {
  const category = (): string => `Category ${Math.floor(random() ** 2 * 40)}`;
  if (field === 'price') {
    const min = random() * 1000;
    return range('price', min, min + random() ** 2 * 1000);
  }
  if (field === 'rating') {
    const min = 1 + random() * 4;
    return range('rating', min, min + random() * 2);
  }
  if (field === 'author') return [filter(field, '', `Author ${Math.floor(random() ** 3 * 50_000)}`)];
  return [filter(field, '', ...Array.from({ length: 1 + below(random, 8) }, category))];
}

const FILTER_FIELDS = ['price', 'rating', 'author', 'category'];
const SORT_KEYS = [null, 'price', 'title', 'rating'];

/** Queries with this many filters on different fields, by any sort in either direction. */
function drawQueries(filters: number, count: number, sorts: readonly (string | null)[]): readonly Query[] {
  const random = seeded(filters + 11);
  return Array.from({ length: count }, () => ({
    ...EVERYTHING,
    filters: FILTER_FIELDS.map((field) => ({ field, key: random() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, filters)
      .flatMap(({ field }) => anyFilter(random, field)),
    sort: sorts[below(random, sorts.length)] ?? null,
    descending: random() < 0.5,
  }));
}

interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

type PeerAnswer = (query: Query) => Found;

function passes(product: Product, filter: QueryFilter): boolean {
  const value = filter.field === 'price' ? product.price : filter.field === 'rating' ? product.rating : null;
  if (filter.operator === '_gte') return value !== null && value >= Number(filter.values[0]);
  if (filter.operator === '_lte') return value !== null && value <= Number(filter.values[0]);
  return filter.values.includes(filter.field === 'author' ? product.author : product.category);
}

function plainObjects(products: readonly Product[]): PeerAnswer {
  const { compare } = new Intl.Collator('en');
  const key = { price: (p: Product) => p.price, rating: (p: Product) => p.rating };
  return ({ filters, sort, descending }) => {
    const matching = products.filter((product) => filters.every((filter) => passes(product, filter)));
    let sorted = matching;
    if (sort === 'title') sorted = matching.sort((a, b) => compare(a.title, b.title) || a.id - b.id);
    else if (sort === 'price' || sort === 'rating') {
      const value = key[sort];
      const valued = matching.filter((product) => value(product) !== null);
      valued.sort((a, b) => Number(value(a)) - Number(value(b)) || a.id - b.id);
      if (descending) valued.reverse();
      sorted = [...valued, ...matching.filter((product) => value(product) === null)];
    }
    if (sort === 'title' && descending) sorted.reverse();
    return { ids: sorted.slice(0, PAGE.limit).map(({ id }) => id), total: matching.length };
  };
}

function sqlite(products: readonly Product[]): PeerAnswer {
  const database = openSqlite();
  database.exec('CREATE TABLE p(id INTEGER PRIMARY KEY, title, author, price REAL, imageUrl, rating REAL, category)');
  const insert = database.prepare('INSERT INTO p VALUES (?, ?, ?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const product of products) insert.run(...Object.values(product));
  database.exec('COMMIT');
  for (const column of ['title', 'author', 'price', 'rating', 'category']) {
    database.exec(`CREATE INDEX p_${column} ON p(${column})`);
  }
  database.exec('ANALYZE');
  return ({ filters, sort, descending }) => {
    const values: (string | number)[] = [];
    const conditions = filters.map((filter) => {
      if (filter.operator !== '') {
        values.push(Number(filter.values[0]));
        return `${filter.field} ${filter.operator === '_gte' ? '>=' : '<='} ?`;
      }
      values.push(...filter.values);
      return `${filter.field} IN (${filter.values.map(() => '?').join(', ')})`;
    });
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const direction = descending ? 'DESC' : 'ASC';
    const order = sort === null ? 'ORDER BY id' : `ORDER BY ${sort} IS NULL, ${sort} ${direction}, id ${direction}`;
    const rows = database.prepare(`SELECT id FROM p ${where} ${order} LIMIT ${PAGE.limit}`).all(...values);
    const [counted] = database.prepare(`SELECT count(*) AS total FROM p ${where}`).all(...values);
    return { ids: rows.map(({ id }) => id ?? -1), total: counted?.total ?? -1 };
  };
}

/** SQLite compares titles by byte, so where they are sorted by, only its totals can be the same. */
function checkPeer(name: string, peer: PeerAnswer, queries: readonly Query[], answers: readonly Found[]): void {
  for (const [i, query] of queries.entries()) {
    const [found, own] = [peer(query), answers[i]];
    const comparable = name !== 'SQLite' || query.sort !== 'title';
    if (found.total === own?.total && (!comparable || String(found.ids) === String(own?.ids))) continue;
    throw new Error(`${name} answers ${JSON.stringify([query, found])}, ours is ${JSON.stringify(own)}`);
  }
}

const cells = (name: string, { p50, p99, worst, count }: Spread): string[] => [
  name,
  ms(p50),
  ms(p99),
  ms(worst),
  String(count),
];
const headings = (what: string): string[] => [what, 'p50', 'p99', 'worst', 'queries'];

const kinds = [
  { what: 'one filter, any sort', queries: drawQueries(1, FILTER_QUERIES, SORT_KEYS), bound: 2 },
  { what: 'three filters and a sort', queries: drawQueries(3, FILTER_QUERIES, SORT_KEYS.slice(1)), bound: 10 },
];
const CHECKED = 12;

// Ours first, in a heap that holds what a server holds; the peers' million objects would slow its garbage collections.
const collection = buildCollection(makeProducts());
const countOf = (query: Query): number => execute(collection, query, PAGE).total;
/** Arithmetic that takes about as long as a query: its p99 is what the machine alone adds. */
const spin = (rounds: number): number => {
  let n = rounds;
  for (let i = 0; i < rounds; i++) n = Math.imul(n, 31) + i;
  return n;
};
const floor = timeEach(Array<number>(FILTER_QUERIES).fill(50_000), spin);
const measured = kinds.map(({ what, queries, bound }) => {
  timeEach(queries.slice(0, WARM_UP), countOf);
  const ours = timeEach(queries, countOf);
  const answers = queries.slice(0, CHECKED).map((query): Found => {
    const { rows, total } = execute(collection, query, PAGE);
    return { ids: Array.from(rows, (row) => idOfRow(collection.ids, row)), total };
  });
  return { what, queries, bound, ours, answers };
});
const oneFilterQueries = drawQueries(1, 100, [null]);
const facets = timeEach(
  oneFilterQueries,
  (query) => facetsOf(collection, 'category', new Conditions(collection, query).all).length,
);
const stats = timeEach(oneFilterQueries, (query) => statsOf(collection, query).count);

/** Completions of authors as they are typed letter by letter, among the records of one filter or all records. */
const signed = buildCollection(makeSigned());
const typed = oneFilterQueries.flatMap((query, i) =>
  ['a', 'a1', 'a1b'].map((text) => ({ text, query: i % 4 === 0 ? null : query })),
);
const completed = timeEach(typed, ({ text, query }) => {
  const matching = query && new Conditions(signed, query).all;
  return facetsOf(signed, 'author', matching, { beginning: text, limit: 10 }).length;
});

const products = [...makeProducts()];
const peers = [
  { name: 'plain objects', answer: plainObjects(products) },
  { name: 'SQLite', answer: sqlite(products) },
];
for (const { name, answer } of peers) {
  for (const { queries, answers } of measured) checkPeer(name, answer, queries.slice(0, CHECKED), answers);
}
console.log(`${heading()}\n${PRODUCT_COUNT.toLocaleString('en')} products, first page of ${PAGE.limit}`);
console.log(`${CHECKED * kinds.length} queries checked: rows and totals are those of both peers\n`);
console.log(table([headings('floor'), cells('arithmetic alone', floor)]), '\n');

const targets: Target[] = [];
for (const { what, queries, bound, ours } of measured) {
  const theirs = peers.map(({ name, answer }) => ({
    name,
    spread: timeEach(queries.slice(0, PEER_FILTER_QUERIES), (query) => answer(query).total),
  }));
  console.log(table([headings(what), cells('ours', ours), ...theirs.map(({ name, spread }) => cells(name, spread))]));
  for (const { name, spread } of theirs) {
    const [p50, p99] = [spread.p50 / ours.p50, spread.p99 / ours.p99];
    console.log(`  ${name}: ${p50.toFixed(1)} times ours at the median, ${p99.toFixed(0)} times at p99`);
  }
  console.log();
  targets.push({ what: `${what}: p99`, found: ms(ours.p99), wanted: `under ${bound} ms`, holds: ours.p99 < bound });
}
console.log(
  table([
    headings('one filter'),
    cells('categories with counts', facets),
    cells('stats', stats),
    cells('authors that begin as typed, of a million', completed),
  ]),
);
targets.push({
  what: 'authors that begin as typed: p99',
  found: ms(completed.p99),
  wanted: 'under 20 ms',
  holds: completed.p99 < 20,
});
report(targets);
