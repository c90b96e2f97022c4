/** Random fields, operators and sorts, held against filter and sort over the plain objects that the API serves. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operators } from '../../src/query/operators.js';
import { FoldedTextsBuilder } from '../../src/store/folded-texts.js';
import { naturalPlaces } from '../../src/store/natural-order.js';
import { textsWithPart } from '../../src/store/part-search.js';
import { type ValueIndex, valueAtCode } from '../../src/store/value-index.js';
import { createValueIndexBuilder } from '../../src/store/value-index-builder.js';
import { appOf, datasetIn, datasetOf, getJson } from '../support/api.js';
import { cellWith } from '../support/batches.js';
import { withFolder } from '../support/program.js';

type Kind = 'integer' | 'date' | 'title' | 'text' | 'code' | 'url' | 'boolean' | 'long' | 'list';
type Plain = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, Kind>> = {
  id: 'integer',
  title: 'title',
  url: 'url',
  score: 'integer',
  author: 'text',
  date: 'date',
  content: 'long',
  tags: 'list',
  release: 'code',
  stock: 'integer',
  flag: 'boolean',
};

/** Values that decide the kinds of the columns, and are asked for; words of contents have no other form. */
const VALUES: Readonly<Record<Kind, readonly string[]>> = {
  integer: ['0', '3', '7', '-2', '12'],
  date: [
    '1969-07-20T20:17:40Z',
    '2023-12-31T23:59:59Z',
    '2024-01-31T00:00:00Z',
    '2024-01-31T12:30:00Z',
    '2024-02-01T00:00:00Z',
  ],
  title: ['Tea', 'tea pot', 'Café', 'cafe', 'Zebra 10', 'Zebra 9', 'Ünder', '🦀 tea', `Tea ${'long '.repeat(80)}`],
  text: ['Ann', 'ann', 'Élan', 'Bo Lee', 'Кот', 'Zed', '🦀', '', '  ', 'Ann '.repeat(90).trim()],
  code: ['1.9', '1.10', '1.010', 'a-9', 'A-10', 'x7y2', 'x07y10'],
  url: ['https://a.example/p/9', 'https://a.example/p/10', 'https://www.b.example/', 'https://b.example/Q?x=1'],
  boolean: ['true', 'false'],
  long: ['quartz zebra', 'Plinth QUARTZ acme', 'zebra', 'acme quartz plinth', 'zebra '.repeat(2000).trim()],
  list: ['red', 'Red tea', 'blu', 'grün'],
};
const DATES = [
  '1969',
  '1969-07-20',
  '2024',
  '2023',
  '2024-01',
  '2024-01-31',
  '2024-02-01',
  '2024-01-31T12:30',
  '2024-01-31T12:30:00Z',
];
const PARTS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  title: ['e', 'EA', 'cafe', 'zebra 1', 'ü', 'q', '🦀', 'long tea'],
  text: ['n', 'É', 'lee', 'ко', ' ', '🦀'],
  code: ['1.', 'a-', 'y', '10'],
  url: ['/p/', 'EXAMPLE', '?x', 'www'],
  long: ['uart', 'zeb', 'PLINTH', 'inth quar', 'none'],
  list: ['re', 'tea', 'UN'],
};

const fold = (value: unknown): string =>
  String(value)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
const isBlank = (value: unknown): boolean => value === undefined || value === null || String(value).trim() === '';

/** Whether a record passes `field` + `suffix` with these values. */
function passes(record: Plain, field: string, suffix: string, values: readonly string[]): boolean {
  const value = record[field];
  const kind = KINDS[field] ?? 'text';
  const [first = ''] = values;
  if (suffix === '_ne') return !passes(record, field, '', values);
  if (isBlank(value)) return false;
  const own = [value].flat().map(fold);
  if (suffix === '_like') {
    const pieces = kind === 'long' ? fold(first).split(' ') : [fold(first)];
    const texts = kind === 'long' ? fold(value).split(' ') : own;
    return pieces.every((piece) => texts.some((text) => text.includes(piece)));
  }
  if (kind !== 'integer' && kind !== 'date') return values.some((wanted) => own.includes(fold(wanted)));
  // A date compares as far as the other is written.
  const sizeOf = (wanted: string): number =>
    kind === 'integer'
      ? Number(value) - Number(wanted)
      : String(value).slice(0, wanted.length).localeCompare(wanted, 'en');
  if (suffix === '') return values.some((wanted) => sizeOf(wanted) === 0);
  if (suffix === '_gte') return sizeOf(first) >= 0;
  if (suffix === '_gt') return sizeOf(first) > 0;
  if (suffix === '_lte') return sizeOf(first) <= 0;
  if (suffix === '_lt') return sizeOf(first) < 0;
  throw new Error(`what ${suffix} finds is not said here`);
}

const bytes = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

/** Numbers in codes compare as numbers; before anything else a number stands where a digit would. */
function natural(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => fold(text).match(/\d+|\D/g) ?? []);
  for (let i = 0; i < Math.min(left!.length, right!.length); i++) {
    const [x, y] = [left![i]!, right![i]!];
    const areNumbers = /\d/.test(x) && /\d/.test(y);
    const difference = areNumbers ? Number(x) - Number(y) : bytes(/\d/.test(x) ? '0' : x, /\d/.test(y) ? '0' : y);
    if (difference !== 0) return difference;
  }
  return left!.length - right!.length || bytes(fold(a), fold(b));
}

const collator = new Intl.Collator('en');

function compare(a: unknown, b: unknown, kind: Kind): number {
  if (kind === 'integer') return Number(a) - Number(b);
  if (kind === 'date') return Date.parse(String(a)) - Date.parse(String(b));
  if (kind === 'title') return collator.compare(String(a), String(b));
  return kind === 'code' ? natural(String(a), String(b)) : bytes(fold(a), fold(b));
}

/** Records without a value come last, key by key; equal records keep their order, which a single descending key turns round. */
function sorted(records: readonly Plain[], keys: readonly string[]): readonly Plain[] {
  const places = new Map(records.map((record, i) => [record, i]));
  const [only, ...further] = keys;
  const turnsTies = further.length === 0 && only?.startsWith('-') === true;
  return records.toSorted((a, b) => {
    for (const key of keys) {
      const [field, sign] = key.startsWith('-') ? [key.slice(1), -1] : [key, 1];
      const [left, right] = [isBlank(a[field]), isBlank(b[field])];
      if (left || right) {
        if (left !== right) return left ? 1 : -1;
        if (turnsTies) return places.get(a)! - places.get(b)!;
        continue;
      }
      const difference = compare(a[field], b[field], KINDS[field] ?? 'text');
      if (difference !== 0) return sign * difference;
    }
    return (turnsTies ? -1 : 1) * (places.get(a)! - places.get(b)!);
  });
}

const fields = Object.keys(KINDS);
const valuesOfKind = (kind: Kind): fc.Arbitrary<unknown> => {
  const one = fc.constantFrom(...VALUES[kind]);
  if (kind === 'integer') return one.map(Number);
  if (kind === 'boolean') return one.map((text) => text === 'true');
  return kind === 'list' ? fc.array(one, { maxLength: 3 }) : one;
};
const record = fc.record(
  Object.fromEntries(
    fields
      .filter((field) => field !== 'id')
      .map((field) => [
        field,
        field === 'title' ? valuesOfKind('title') : fc.option(valuesOfKind(KINDS[field]!), { freq: 4 }),
      ]),
  ),
);

/** Records that have every value, so that no column changes its kind. */
const decided = Array.from({ length: 8 }, (_, i) =>
  Object.fromEntries(
    fields.map((field) => {
      const kind = KINDS[field]!;
      const text = VALUES[kind][i % VALUES[kind].length]!;
      if (field === 'id') return [field, 2 * i];
      if (kind === 'integer') return [field, Number(text)];
      return [field, kind === 'list' ? [text] : kind === 'boolean' ? text === 'true' : text];
    }),
  ),
);

const SIZES = ['_gte', '_gt', '_lte', '_lt'];
const condition = fc.constantFrom(...fields).chain((field) => {
  const kind = KINDS[field]!;
  const isOrdered = kind === 'integer' || kind === 'date';
  const values = fc.constantFrom(...(kind === 'date' ? DATES : VALUES[kind].filter((one) => one.trim() !== '')));
  const of = (suffix: string, some: fc.Arbitrary<readonly string[]>) =>
    some.map((wanted) => ({ field, suffix, values: wanted }));
  const several = fc.array(values, { minLength: 1, maxLength: 3 });
  const one = (from: readonly string[]) => fc.constantFrom(...from).map((value) => [value]);
  const parts = PARTS[kind];
  return fc.oneof(
    of('', several),
    of('_ne', several),
    ...(isOrdered
      ? SIZES.map((suffix) =>
          of(
            suffix,
            values.map((value) => [value]),
          ),
        )
      : []),
    ...(parts === undefined ? [] : [of('_like', one(parts))]),
    ...(field === 'id' || field === 'title' ? [] : [of('missing', fc.constant([]))]),
  );
});

test('no operator is without random conditions, its row for users, and addresses of both engines', () => {
  const conditions = fc.sample(condition, { numRuns: 2_000, seed: 1 });
  // What `_in_last` finds depends on the clock: its test is below.
  const drawn = new Set(['_in_last', ...conditions.map(({ suffix }) => suffix)]);
  const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [readme, guide, addresses] = ['README.md', 'src/http/docs/guide.md', 'test/commands/postgres.test.ts'].map(
    textOf,
  );
  const end = '[=`]';
  const words = operators.flatMap(({ elsewhere }) => elsewhere.split(' ')).filter((word) => word !== '');
  expect(new Set(words).size).toBe(words.length);
  for (const { suffix, finds } of operators.filter((one) => one.suffix !== '_site')) {
    expect(drawn).toContain(suffix);
    expect(readme).toMatch(new RegExp(`^\\|.*[a-z]${suffix}${end}`, 'm'));
    expect(guide).toMatch(new RegExp(`^ *\\|.*[A-Za-z]${suffix}${end}`, 'm'));
    // PostgreSQL has one condition for all intervals, and one for all parts.
    if (finds.by !== 'interval' && finds.by !== 'part') expect(addresses).toMatch(new RegExp(`[?&][a-z]+${suffix}=`));
  }
});

const sortable = fields.filter((field) => KINDS[field] !== 'list' && KINDS[field] !== 'long');
const view = fc.record({
  // One condition of each parameter.
  conditions: fc.uniqueArray(condition, { maxLength: 3, selector: ({ field, suffix }) => field + suffix }),
  sort: fc.uniqueArray(
    fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...sortable)).map(([sign, field]) => sign + field),
    { maxLength: 3, selector: (key) => key.replace('-', '') },
  ),
  page: fc.integer({ min: 1, max: 3 }),
});

test('any fields, operators and sorts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 25 }),
      fc.array(view, { minLength: 25, maxLength: 40 }),
      (more, views) => {
        const dump = [...decided, ...more.map((one, i) => ({ ...one, id: 100 - 3 * i }))];
        return withFolder({ 'articles.json': JSON.stringify(dump) }, async (dir) => {
          const served = await datasetIn(dir);
          const kinds = served.dataset.collections
            .get('articles')
            ?.model.fields.map(({ name, kind }) => `${name} ${kind}`);
          for (const found of ['release code', 'stock integer', 'flag boolean']) expect(kinds).toContain(found);
          const app = appOf(served);
          const all = (await getJson<{ data: readonly Plain[] }>(app, '/api/articles?fields=*&limit=100')).data;
          expect(all.length).toBe(dump.length);
          for (const { conditions, sort, page } of views) {
            const isRefused = conditions.some(({ field, suffix, values: [min = ''] }) =>
              conditions.some(
                (other) =>
                  other.field === field &&
                  suffix === '_gte' &&
                  other.suffix === '_lte' &&
                  isAbove(min, other.values[0]!),
              ),
            );
            if (isRefused) continue;
            const pairs = conditions.flatMap(({ field, suffix, values }): readonly (readonly [string, string])[] =>
              suffix === 'missing' ? [['missing', field]] : values.map((value) => [field + suffix, value]),
            );
            const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
            if (sort.length > 0) query.set('sort', sort.join(','));
            const matching = all.filter((one) =>
              conditions.every(({ field, suffix, values }) =>
                suffix === 'missing' ? isBlank(one[field]) : passes(one, field, suffix, values),
              ),
            );
            const address = `/api/articles?${query}&limit=4&page=${page}`;
            const { data, pagination } = await getJson<{
              data: readonly Plain[];
              pagination: { readonly total: number };
            }>(app, address);
            const expected = sorted(matching, sort).slice(4 * (page - 1), 4 * page);
            expect([address, pagination.total, data.map(({ id }) => id)]).toEqual([
              address,
              matching.length,
              expected.map(({ id }) => id),
            ]);
          }
        });
      },
    ),
    { numRuns: 12 },
  );
});

const isAbove = (min: string, max: string): boolean =>
  /^\d{4}/.test(min) ? min.slice(0, max.length) > max.slice(0, min.length) : Number(min) > Number(max);

test('parts of values of any script, and of marks alone', () => {
  const value = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', '1', 'é', '\u0301', '"', 'К', '.'),
    maxLength: 6,
  });
  const part = value.filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(value, { maxLength: 30 }), part, (texts, sought) => {
      const index = indexOfTexts(texts);
      const distinct = [...new Set(texts.filter((text) => text.trim() !== '').map(fold))];
      const found = Array.from(textsWithPart(index.names, sought), (code) => fold(valueAtCode(index, code)));
      expect(found.toSorted()).toEqual(distinct.filter((text) => text.includes(fold(sought))).toSorted());
    }),
  );
});

function indexOfTexts(texts: readonly string[]): ValueIndex {
  const builder = createValueIndexBuilder({ kind: 'text' });
  for (const [row, text] of texts.entries()) builder.setAll(Int32Array.of(row), row + 1, cellWith(text), 0);
  return builder.finish(texts.length);
}

test.each([
  [
    ['1.9', '1.10', '1.1'],
    ['1.1', '1.9', '1.10'],
  ],
  [
    ['a10', 'a9', 'a', 'b1'],
    ['a', 'a9', 'a10', 'b1'],
  ],
  [
    ['9', '10', 'x'],
    ['9', '10', 'x'],
  ],
  [
    ['01', '1', '001', '2'],
    ['001', '01', '1', '2'],
  ],
  [
    ['v2-rc10', 'v2-rc9', 'v10'],
    ['v2-rc9', 'v2-rc10', 'v10'],
  ],
  [
    ['12345678901234567890', '2'],
    ['2', '12345678901234567890'],
  ],
])('codes in their natural order: %j', (codes, expected) => {
  const sortedCodes = codes.toSorted(bytes);
  const folded = new FoldedTextsBuilder();
  for (const code of sortedCodes) folded.add(code);
  const places = naturalPlaces(folded.finish(), Uint32Array.from(codes.keys()));
  const inOrder = places === null ? sortedCodes : sortedCodes.toSorted((a, b) => placeOf(a) - placeOf(b));
  expect(inOrder).toEqual(expected);

  function placeOf(code: string): number {
    return places?.[sortedCodes.indexOf(code)] ?? -1;
  }
});

test('`_in_last` goes by the clock, and no answer outlives its minute', async () => {
  vi.useFakeTimers({ now: Date.parse('2024-03-10T12:00:30Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // The second one is of the minute that has not ended.
  const dates = ['2024-03-11T00:00:00Z', '2024-03-10T12:00:20Z', '2024-03-10T00:00:00Z', '2024-03-03T12:00:00Z', null];
  const app = appOf(datasetOf({ articles: dates.map((date, i) => ({ id: i + 1, title: `A${i}`, date, score: i })) }));
  const ask = async (query: string, headers = {}) => {
    const response = await app.request(`/api/articles?${query}`, { headers });
    const body = await response.text();
    const ids = response.status === 200 ? JSON.parse(body).data.map(({ id }: { id: number }) => id) : body;
    return {
      status: response.status,
      ids,
      tag: response.headers.get('ETag'),
      modified: response.headers.get('Last-Modified'),
    };
  };
  const idsOf = async (query: string) => (await ask(query)).ids;
  expect(await idsOf('date_in_last=1h')).toEqual([2]);
  expect(await idsOf('date_in_last=1d')).toEqual([2, 3]);
  expect(await idsOf('date_in_last=7d')).toEqual([2, 3, 4]);
  expect(await idsOf('date_in_last=1w&sort=-score&score_lt=3')).toEqual([3, 2]);
  expect(await idsOf('date_in_last=99999w')).toEqual([2, 3, 4]);
  expect(await (await app.request('/api/export/articles?date_in_last=1h&fields=id')).json()).toEqual([{ id: 2 }]);
  expect(await (await app.request('/articles?date_in_last=1d')).text()).toContain('in the last');
  const [first, again] = [await ask('date_in_last=12h'), await ask('date_in_last=12h')];
  expect([first.ids, first.modified, again]).toEqual([[2, 3], null, first]);
  const ifChanged = { 'If-None-Match': first.tag, 'If-Modified-Since': new Date().toUTCString() };
  expect((await ask('date_in_last=12h', ifChanged)).status).toBe(304);
  vi.setSystemTime(Date.parse('2024-03-10T12:01:00Z'));
  expect(await ask('date_in_last=12h', ifChanged)).toMatchObject({ status: 200, ids: [2] });
  for (const wrong of ['7', '0d', '100000h', '7 days', '-1d', '1.5h', ''])
    expect((await ask(`date_in_last=${encodeURIComponent(wrong)}`)).ids).toContain(
      'must be 1 to 99999 hours, days or weeks, such as 12h, 7d or 2w',
    );
  expect((await ask('score_in_last=7d')).ids).toContain('Unknown parameter');
});
