/** Comparisons of two dumps against a comparison of plain objects. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CollectionModel, collections, type Value } from '../src/model.js';
import { ALL_CHANGES, type ChangesQuery, measuredFields, selectChanges } from '../src/query/changes.js';
import { sortPart } from '../src/query/sort-part.js';
import { type Changes, type FieldCounts, looksIncomplete } from '../src/store/changes/changes.js';
import { compareCollections } from '../src/store/changes/compare.js';
import { changedFieldsOf, type Entry, entriesByRow, entryAt } from '../src/store/changes/entries.js';
import { createRecordStoreBuilder, type RecordStore } from '../src/store/collection.js';
import { idOfRow } from '../src/store/ids.js';
import type { RecordValues } from './support/batch-writer.js';
import { inBatches } from './support/batch-writer.js';
import { finished } from './support/finished.js';

type Plain = Readonly<Record<string, Value>>;

function storeOf(model: CollectionModel, records: readonly Plain[]): RecordStore {
  const builder = createRecordStoreBuilder(model);
  const values: RecordValues[] = records.map((record) => model.fields.map(({ name }) => record[name] ?? null));
  inBatches(model, values, (batch) => builder.addBatch(batch));
  return builder.finish();
}

/** What a comparison tells, as plain values. */
interface Told {
  readonly kind: string;
  readonly id: number;
  readonly title: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const toldOf = ({ kind, id, title, changes }: Entry): Told => ({
  kind,
  id,
  title,
  changes: Object.fromEntries([...changes].map(([name, { form: _, ...change }]) => [name, change])),
});

// The slow truth.

/** A later record takes the place of an earlier one of the same id. */
const withoutRepeats = (records: readonly Plain[]): Plain[] => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

function pairsOf(model: CollectionModel, before: readonly Plain[], after: readonly Plain[], hasIds: boolean) {
  const pairs = new Map<Plain, Plain>();
  const left = new Set(before);
  const pair = (later: Plain, earlier: Plain | undefined) => {
    if (earlier === undefined) return;
    pairs.set(later, earlier);
    left.delete(earlier);
  };
  if (hasIds) {
    for (const later of after)
      pair(
        later,
        before.find(({ id }) => id === later.id),
      );
    return { pairs, left, doubtful: new Set<Plain>() };
  }
  const address = model.fields.find(({ kind }) => kind === 'url')?.name ?? '';
  const addressOf = (record: Plain) => record[address] || null;
  const namesOf = ({ title, author }: Plain) => (title ? JSON.stringify([title, author ?? null]) : null);
  const commonIn = (keyOf: (record: Plain) => Value): number => {
    const [earlier, later] = [before.map(keyOf), after.map(keyOf)];
    const isIdentity = [earlier, later].every((keys) => !keys.includes(null) && new Set(keys).size === keys.length);
    return isIdentity ? later.filter((key) => earlier.includes(key)).length : 0;
  };
  const common = commonIn(addressOf);
  if (common > 0 && 2 * common >= Math.min(before.length, after.length) && common >= commonIn(namesOf)) {
    for (const later of after)
      pair(
        later,
        before.find((earlier) => addressOf(earlier) === addressOf(later)),
      );
    return { pairs, left, doubtful: new Set<Plain>() };
  }
  const contentsOf = ({ id: _, ...rest }: Plain) => JSON.stringify(Object.entries(rest).sort());
  for (const later of after)
    pair(
      later,
      [...left].find((earlier) => contentsOf(earlier) === contentsOf(later)),
    );
  const isRepeated = (name: string | null) =>
    [before, after].some((records) => records.filter((record) => namesOf(record) === name).length > 1);
  const doubtful = new Set<Plain>();
  for (const later of after) {
    const name = namesOf(later);
    if (pairs.has(later) || name === null) continue;
    pair(
      later,
      [...left].find((earlier) => namesOf(earlier) === name),
    );
    if (pairs.has(later) && isRepeated(name)) doubtful.add(later);
  }
  return { pairs, left, doubtful };
}

const namesOf = (list: Value): readonly string[] => (Array.isArray(list) ? [...new Set(list.map(String))] : []);

function changeOf(name: string, from: Value, to: Value, isDoubtful: boolean): unknown {
  if (name === 'tags') {
    const [before, after] = [namesOf(from), namesOf(to)];
    const added = after.filter((tag) => !before.includes(tag));
    const removed = before.filter((tag) => !after.includes(tag));
    return added.length + removed.length === 0 ? undefined : { added, removed };
  }
  if (from === to) return undefined;
  if (!['score', 'comments', 'price', 'rating'].includes(name)) return { from, to };
  const isMeasured = !isDoubtful && typeof from === 'number' && typeof to === 'number' && from !== 0;
  const percent = isMeasured ? Math.round(((to - from) / Math.abs(from)) * 10_000) / 100 : null;
  return { from, to, percent: percent !== null && Number.isFinite(percent) ? percent : null };
}

/** Prices before other numbers before the rest; of numbers the percentage, up to some ten thousand. */
function sizeOf({ changes }: Told): number {
  const sizes = Object.entries(changes).map(([name, change]) => {
    if (!['score', 'comments', 'price', 'rating'].includes(name)) return 0;
    const percent = Math.abs((change as Numbers).percent ?? 100);
    return (name === 'price' ? 2e6 : 1e6) + Math.min(percent, 10_485.75);
  });
  return Math.max(...sizes);
}

function comparedPlainly(model: CollectionModel, before: readonly Plain[], after: readonly Plain[], hasIds: boolean) {
  const { pairs, left, doubtful } = pairsOf(model, before, after, hasIds);
  const doubtfulOnes = new Set<Told>();
  const told: Told[] = after.map((later) => {
    const earlier = pairs.get(later);
    const { id, title } = later;
    const changes = model.fields.slice(1).flatMap(({ name }) => {
      const change = earlier && changeOf(name, earlier[name] ?? null, later[name] ?? null, doubtful.has(later));
      return change === undefined ? [] : [[name, change] as const];
    });
    const kind = earlier === undefined ? 'added' : changes.length > 0 ? 'changed' : 'unchanged';
    const one = { kind, id: Number(id), title: String(title), changes: Object.fromEntries(changes) };
    if (doubtful.has(later)) doubtfulOnes.add(one);
    return one;
  });
  const removed: Told[] = [...left].map(({ id, title }) => ({
    kind: 'removed',
    id: Number(id),
    title: String(title),
    changes: {},
  }));
  const { compare } = new Intl.Collator('en');
  const ofKind = (kind: string) =>
    [...told, ...removed].filter((one) => one.kind === kind).sort((a, b) => compare(a.title, b.title));
  const sizeIn = (one: Told) => (doubtfulOnes.has(one) ? 0 : sizeOf(one));
  const biggestFirst = ofKind('changed').sort((a, b) => sizeIn(b) - sizeIn(a));
  return {
    entries: [...biggestFirst, ...ofKind('added'), ...ofKind('removed')],
    unchanged: told.filter(({ kind }) => kind === 'unchanged').length,
    /** Where a record that is not removed stands. */
    rowOf: (entry: Told) => told.indexOf(entry),
  };
}

// Random pairs of dumps.

const orNull = <T extends Value>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
const anyText = fc.oneof(
  fc.constantFrom('Tea', 'tea', 'Café', 'cafe', 'a "b"', 'x\\', '東京', 'line\nbreak', '', 'Tea and\tcakes', 'null'),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const anyNumber = fc.oneof(
  fc.constantFrom(0, 1, 12, 9.5, -3, 1e-300, 1e300, 0.1234567890123, 0.12345678901234, 99_999_999_999_999.9),
  fc.integer({ min: -5, max: 50 }),
  fc.integer({ min: 0, max: 99_999_999 }).map((decimals) => decimals / 10_000),
);
const anyAddress = fc.constantFrom('https://x.org/1', 'https://x.org/2', 'https://x.org/3', '/é', '');
const anyDate = fc.constantFrom('2024-01-31T00:00:00Z', '2024-02-01T12:30:00.5Z', '2020-02-29T00:00:00Z');
const arbitraries: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  integer: fc.integer({ min: -3, max: 9 }),
  number: anyNumber,
  text: anyText,
  url: anyAddress,
  date: anyDate,
  tags: fc.array(fc.constantFrom('a', 'b', 'c"d', 'é'), { minLength: 1, maxLength: 4 }),
};

const anyPlain = (model: CollectionModel): fc.Arbitrary<Plain> =>
  fc.record(
    Object.fromEntries(
      model.fields.map(({ name, kind }) => {
        if (name === 'id') return [name, fc.integer({ min: 0, max: 12 })];
        return [name, name === 'title' ? anyText : orNull(arbitraries[kind] ?? anyText)];
      }),
    ),
  );

/** The second dump is made of the first: records are dropped, moved, repeated and edited, and others are added. */
function anyPair(model: CollectionModel): fc.Arbitrary<readonly [Plain[], Plain[]]> {
  const edit = fc.tuple(fc.nat(model.fields.length * 3), anyPlain(model), fc.nat(20));
  const before = fc.array(anyPlain(model), { maxLength: 14 });
  return fc
    .tuple(before, fc.array(edit, { maxLength: 14 }), fc.array(anyPlain(model), { maxLength: 4 }))
    .map(([records, edits, others]) => {
      const after: Plain[] = [];
      for (const [i, record] of records.entries()) {
        const [field, values, move] = edits[i] ?? [model.fields.length, record, 1];
        const name = model.fields[field]?.name;
        const edited = name === undefined ? record : { ...record, [name]: values[name] ?? null };
        if (move > 2) after.push(edited);
        if (move === 1) after.unshift(edited);
        if (move === 2) after.push(edited, { ...edited });
      }
      return [records, [...after, ...others]] as const;
    });
}

const numbered = (records: readonly Plain[]): Plain[] => records.map((record, i) => ({ ...record, id: i + 1 }));

interface Case {
  readonly collection: RecordStore;
  readonly changes: Changes;
  readonly expected: ReturnType<typeof comparedPlainly>;
}

function caseOf(model: CollectionModel, pair: readonly [Plain[], Plain[]], hasIds: boolean): Case {
  const [before, after] = hasIds ? pair.map(withoutRepeats) : pair.map(numbered);
  const [given, givenLater] = hasIds ? pair : [before ?? [], after ?? []];
  const earlier = storeOf(model, given);
  const collection = storeOf(model, givenLater);
  const changes = finished(compareCollections(earlier, collection, hasIds));
  return { collection, changes, expected: comparedPlainly(model, before ?? [], after ?? [], hasIds) };
}

const anyCase = fc
  .constantFrom(...collections)
  .chain((model) => fc.tuple(anyPair(model), fc.boolean()).map((made) => caseOf(model, ...made)));

const toldAll = ({ collection, changes }: Case, query: ChangesQuery = ALL_CHANGES, isWhole = false): Told[] => {
  const list = selectChanges(collection, changes, query, isWhole);
  return Array.from(list.slice(0, list.total), (entry) => toldOf(entryAt(collection, changes, entry)));
};

describe('a comparison', () => {
  test('tells what a comparison of plain objects does', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { changes, expected } = one;
        expect(toldAll(one)).toEqual(expected.entries);
        const { fields, ...counts } = changes.counts;
        const ofKind = (kind: string) => expected.entries.filter((entry) => entry.kind === kind);
        expect(counts).toEqual({
          added: ofKind('added').length,
          removed: ofKind('removed').length,
          changed: ofKind('changed').length,
          unchanged: expected.unchanged,
        });
        const counted = new Map<string, FieldCounts>();
        for (const { name } of one.collection.model.fields) {
          const found = expected.entries.flatMap(({ changes: of }) => (of[name] === undefined ? [] : [of[name]]));
          const isMeasured = measuredFields(one.collection.model).includes(name);
          const measured = isMeasured ? (found as { from: number | null; to: number | null }[]) : [];
          const both = measured.flatMap(({ from, to }) => (from === null || to === null ? [] : [to - from]));
          const [up, down] = [both.filter((by) => by > 0).length, both.filter((by) => by < 0).length];
          if (found.length > 0) counted.set(name, { changed: found.length, up, down });
        }
        expect(fields).toEqual(counted);
      }),
      { numRuns: 75 },
    );
  });

  test('is narrowed and sorted as plain lists are', () => {
    const anyQuery = fc.record({
      kinds: fc.subarray(['added', 'removed', 'changed'] as const),
      fields: fc.subarray(['title', 'author', 'price', 'rating', 'score', 'content', 'tags']),
      sort: fc.constantFrom(null, 'title', 'id', 'difference', 'percent'),
      direction: fc.constantFrom(null, 'up', 'down'),
      minPercent: fc.constantFrom(Number.NEGATIVE_INFINITY, -50, 0),
      maxPercent: fc.constantFrom(Number.POSITIVE_INFINITY, 50, 0),
      text: fc.constantFrom(null, 'tea', 'CAFÉ', 'cakes tea', 'b', ' '),
      descending: fc.boolean(),
    });
    fc.assert(
      fc.property(anyCase, anyQuery, fc.nat(9), fc.nat(9), fc.boolean(), (one, given, from, limit, isWhole) => {
        const { model } = one.collection;
        const fields = given.fields.filter((name) => model.fields.some((field) => field.name === name));
        const isMeasured = fields.length === 1 && measuredFields(model).includes(fields[0] ?? '');
        const query: ChangesQuery = isMeasured
          ? { ...given, fields }
          : {
              ...ALL_CHANGES,
              ...{ kinds: given.kinds, fields, text: given.text, descending: given.descending },
              sort: given.sort === 'difference' || given.sort === 'percent' ? null : given.sort,
            };
        const list = selectChanges(one.collection, one.changes, query, isWhole);
        const expected = queriedPlainly(one.expected, query);
        const tell = (entries: ArrayLike<number>) =>
          Array.from(entries, (entry) => toldOf(entryAt(one.collection, one.changes, entry)));
        expect(list.total).toBe(expected.length);
        expect(tell(list.slice(from, from + limit))).toEqual(expected.slice(from, from + limit));
        expect(tell(list.slice(0, list.total))).toEqual(expected);
      }),
      { numRuns: 75 },
    );
  });

  test('finds the change of a row, and its fields without reading the record', () => {
    fc.assert(
      fc.property(anyCase, ({ collection, changes }) => {
        const entries = entriesByRow(changes);
        for (let row = 0; row < collection.size; row++) {
          const at = entries[row] ?? -1;
          const entry = at < 0 ? null : entryAt(collection, changes, at);
          expect(entry?.kind === 'changed').toBe(changes.changedRows.includes(row));
          expect(entry?.kind === 'added').toBe(changes.addedRows.includes(row));
          if (entry === null) continue;
          expect(entry.id).toBe(idOfRow(collection.ids, row));
          if (entry.kind !== 'changed') continue;
          const expected = [...entry.changes].map(([name, change]) => [
            name,
            change.form === 'number' ? { from: change.from, to: change.to } : null,
          ]);
          const fields = changedFieldsOf(changes, at);
          expect(fields.map(({ field, numbers }) => [field.name, numbers])).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
  });
});

const plainFold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

interface Numbers {
  readonly from: number | null;
  readonly to: number | null;
  readonly percent: number | null;
}

function queriedPlainly({ entries, rowOf }: Case['expected'], query: ChangesQuery): readonly Told[] {
  const field = query.fields[0] ?? '';
  const numbersOf = ({ changes }: Told) => (changes[field] ?? { from: null, to: null, percent: null }) as Numbers;
  const differenceOf = (entry: Told) => {
    const { from, to } = numbersOf(entry);
    return from === null || to === null ? null : to - from;
  };
  const isBounded = query.minPercent > Number.NEGATIVE_INFINITY || query.maxPercent < Number.POSITIVE_INFINITY;
  const words = plainFold(query.text ?? '').split(/\s+/);
  const kept = entries.filter((entry) => {
    const { kind, changes, title } = entry;
    if (query.kinds.length > 0 && !query.kinds.some((asked) => asked === kind)) return false;
    if (query.fields.length > 0 && !query.fields.some((name) => changes[name] !== undefined)) return false;
    if (!words.every((word) => plainFold(title).includes(word))) return false;
    const difference = differenceOf(entry);
    if (query.direction === 'up' && (difference ?? 0) <= 0) return false;
    if (query.direction === 'down' && (difference ?? 0) >= 0) return false;
    const { percent } = numbersOf(entry);
    return !isBounded || (percent !== null && percent >= query.minPercent && percent <= query.maxPercent);
  });
  if (query.sort === null) return kept;
  if (query.sort === 'title') {
    const { compare } = new Intl.Collator('en');
    const placeOf = (entry: Told) => (entry.kind === 'removed' ? Number.POSITIVE_INFINITY : rowOf(entry));
    const sorted = [...kept].sort(
      (a, b) =>
        compare(a.title, b.title) || (a.kind !== 'removed' || b.kind !== 'removed' ? placeOf(a) - placeOf(b) : 0),
    );
    return query.descending ? sorted.reverse() : sorted;
  }
  const keyOf = (entry: Told) => {
    if (query.sort === 'id') return entry.id;
    return query.sort === 'percent' ? numbersOf(entry).percent : differenceOf(entry);
  };
  const valued = kept.filter((entry) => keyOf(entry) !== null);
  valued.sort((a, b) => Number(keyOf(a)) - Number(keyOf(b)));
  if (query.descending) valued.reverse();
  return [...valued, ...kept.filter((entry) => keyOf(entry) === null)];
}

test('part of a sort is that part of the whole sort', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 }),
      fc.nat(200),
      fc.nat(60),
      (numbers, from, count) => {
        const keys = Float64Array.from(numbers);
        const order = Uint32Array.from(numbers.keys());
        const expected = [...numbers.keys()].sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
        const to = Math.min(from + count, numbers.length);
        sortPart(order, keys, numbers.length, from, to);
        expect([...order.subarray(from, to)]).toEqual(expected.slice(from, to));
      },
    ),
  );
});

test('more than half of the records gone looks like a scrape that did not get through', () => {
  const counts = { added: 5, changed: 1, fields: new Map() };
  expect(looksIncomplete({ ...counts, removed: 4, unchanged: 3 })).toBe(false);
  expect(looksIncomplete({ ...counts, removed: 5, unchanged: 3 })).toBe(true);
  expect(looksIncomplete({ ...counts, removed: 0, unchanged: 0, changed: 0 })).toBe(false);
});
