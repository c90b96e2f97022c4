/** Comparisons of two dumps, and histories of many, against plain objects. */
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { withAllChanges } from '../../src/build/compare.js';
import { type CollectionModel, collections, type Value } from '../../src/model.js';
import { changesParts } from '../../src/store/changes/change-collection.js';
import { ChangeLog } from '../../src/store/changes/change-log.js';
import {
  type Comparison,
  differenceOf,
  type FieldCounts,
  looksIncomplete,
  percentOf,
} from '../../src/store/changes/changes.js';
import {
  CollectionHistory,
  type PendingComparison,
  withChanges,
  withHistoryFields,
} from '../../src/store/changes/history.js';
import { createRecordStoreBuilder, type RecordStore } from '../../src/store/collection.js';
import { NO_PIECE } from '../../src/store/members.js';
import { recordJson } from '../../src/store/record-text.js';
import type { RecordValues } from '../support/batch-writer.js';
import { inBatches } from '../support/batch-writer.js';
import { finished } from '../support/finished.js';

type Plain = Readonly<Record<string, Value>>;

function storeOf(model: CollectionModel, records: readonly Plain[]): RecordStore {
  const builder = createRecordStoreBuilder(model);
  const values: RecordValues[] = records.map((record) => model.fields.map(({ name }) => record[name] ?? null));
  inBatches(model, values, (batch) => builder.addBatch(batch));
  return builder.finish();
}

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

const namesOf = (list: Value): readonly string[] => (Array.isArray(list) ? list.map(String).sort() : []);

const isSame = (name: string, from: Value, to: Value): boolean =>
  name === 'tags' ? namesOf(from).join('|') === namesOf(to).join('|') : from === to;

const isNumber = (name: string): boolean => ['score', 'comments', 'price', 'rating'].includes(name);

/** A change as the API has it, without its number, and the rounding of its difference. */
interface Change {
  readonly record: number | null;
  readonly title: string | null;
  readonly kind: string;
  readonly field: string | null;
  readonly from: Value;
  readonly to: Value;
  readonly percent: number | null;
  readonly date: string;
}

function changedPlainly(name: string, from: Value, to: Value, isDoubtful: boolean) {
  const isMeasured = !isDoubtful && typeof from === 'number' && typeof to === 'number' && from !== 0;
  // How it is rounded is held by a test of its own, below.
  const percent = isMeasured ? percentOf(from, to) : null;
  return { kind: 'changed', field: name, from, to, percent: Number.isFinite(percent) ? percent : null };
}

const whole = (kind: string) => ({ kind, field: null, from: null, to: null, percent: null });
const titleOf = ({ title }: Plain): string | null => (typeof title === 'string' ? title : null);

function comparedPlainly(model: CollectionModel, before: readonly Plain[], after: readonly Plain[], hasIds: boolean) {
  const { pairs, left, doubtful } = pairsOf(model, before, after, hasIds);
  const date = LATER;
  const changes: Change[] = after.flatMap((later): Change[] => {
    const earlier = pairs.get(later);
    const common = { record: Number(later.id), title: titleOf(later), date };
    if (earlier === undefined) return [{ ...common, ...whole('added') }];
    return model.fields.slice(1).flatMap(({ name }) => {
      const [from, to] = [earlier[name] ?? null, later[name] ?? null];
      return isSame(name, from, to) ? [] : [{ ...common, ...changedPlainly(name, from, to, doubtful.has(later)) }];
    });
  });
  const removed = [...left].map((earlier) => ({ record: null, title: titleOf(earlier), date, ...whole('removed') }));
  return [...changes, ...removed];
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
  texts: fc.array(fc.constantFrom('a', 'b', 'c"d', 'é'), { minLength: 1, maxLength: 4 }),
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

const EARLIER = '2026-11-01T00:00:00Z';
const LATER = '2026-11-02T00:00:00Z';

/** The comparison with its changes, after the last dump. */
function* wholeOf(history: CollectionHistory, name: string): Generator<void, Comparison | null> {
  const pending = yield* history.compare();
  return pending && withChanges(name, pending, yield* changesParts(pending.source));
}

/** The history of dumps, the earliest first. */
function historyOf(
  dumps: readonly { readonly store: RecordStore; readonly date: string }[],
  hasOwnIds: boolean,
): Comparison {
  const history = new CollectionHistory();
  const comparison = finished(
    (function* () {
      for (const { store, date } of dumps) {
        const modifiedAt = new Date(date);
        yield* history.add({ store, hasOwnIds, since: { version: date, modifiedAt } });
      }
      return yield* wholeOf(history, dumps.at(-1)?.store.model.name ?? '');
    })(),
  );
  if (comparison === null) throw new Error('two dumps have a history');
  return comparison;
}

type Served = Change & { readonly id: number; readonly difference: number | null };

const servedIn = ({ changes: { text, size } }: Comparison): Served[] =>
  Array.from({ length: size }, (_, row) => JSON.parse(recordJson(text, row, 'whole').toString()));

const withoutNumbers = (served: readonly Served[]): Change[] =>
  served.map(({ id: _, difference: __, ...change }) => change);

const asSet = (changes: readonly Change[]): string[] =>
  changes.map((change) => JSON.stringify(Object.entries(change).sort())).sort();

const anyCase = fc
  .constantFrom(...collections)
  .chain((model) => fc.tuple(fc.constant(model), anyPair(model), fc.boolean()));

describe('the changes of two dumps', () => {
  test('are those of plain objects', () => {
    fc.assert(
      fc.property(anyCase, ([model, pair, hasIds]) => {
        const [before = [], after = []] = pair.map(hasIds ? withoutRepeats : numbered);
        const comparison = historyOf(
          [
            { store: storeOf(model, hasIds ? pair[0] : before), date: EARLIER },
            { store: storeOf(model, hasIds ? pair[1] : after), date: LATER },
          ],
          hasIds,
        );
        const served = servedIn(comparison);
        const expected = comparedPlainly(model, before, after, hasIds);
        expect(asSet(withoutNumbers(served))).toEqual(asSet(expected));
        expect(served.map(({ id }) => id)).toEqual(served.map((_, i) => served.length - i));
        for (const { from, to, difference } of served) {
          if (typeof from !== 'number' || typeof to !== 'number') expect(difference).toBe(null);
          else expect(difference).toBeCloseTo(to - from, 6);
        }
        const { fields, ...counts } = comparison.last.counts;
        const ofKind = (kind: string) => expected.filter((change) => change.kind === kind);
        const changed = new Set(ofKind('changed').map(({ record }) => record)).size;
        const added = ofKind('added').length;
        expect(counts).toEqual({
          added,
          removed: ofKind('removed').length,
          changed,
          unchanged: after.length - added - changed,
        });
        const counted = model.fields.flatMap(({ name }): [string, FieldCounts][] => {
          const found = expected.filter(({ field }) => field === name);
          if (found.length === 0) return [];
          const both = found.flatMap(({ from, to }) =>
            isNumber(name) && typeof from === 'number' && typeof to === 'number' ? [to - from] : [],
          );
          const [up, down] = [both.filter((by) => by > 0).length, both.filter((by) => by < 0).length];
          return [[name, { changed: found.length, up, down }]];
        });
        expect([...fields]).toEqual(counted);
      }),
      { numRuns: 75 },
    );
  });
});

// Histories of random dumps.

interface Item {
  readonly price: number;
  readonly title: string;
}
/** A dump: items by their code, in the order of the file. */
type Dump = ReadonlyMap<string, Item>;

const anyItem = fc.record({ price: fc.integer({ min: 1, max: 4 }), title: fc.constantFrom('Tea', 'Cake') });
const codes = Array.from({ length: 9 }, (_, i) => `A-${i}`);
/** Some records are missing in a dump, in nights that broke off nearly all; rows are in any order. */
const anyDump: fc.Arbitrary<Dump> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.subarray(codes, { minLength: 6 }) },
      fc.subarray(codes, { minLength: 1, maxLength: 2 }),
    ),
    fc.array(anyItem, { minLength: 9, maxLength: 9 }),
    fc.nat(8),
  )
  .map(([kept, items, turn]) => {
    const turned = [...kept.slice(turn), ...kept.slice(0, turn)];
    return new Map(turned.flatMap((code) => [[code, items[codes.indexOf(code)] ?? { price: 1, title: 'Tea' }]]));
  });

const dateOf = (night: number): string => `2026-11-${String(night + 1).padStart(2, '0')}T00:00:00Z`;

/** All dumps at once: what each code was from night to night. */
function historyPlainly(dumps: readonly Dump[], idOf: (code: string, night: number) => number) {
  const changes: Change[] = [];
  const firstSeen = new Map<string, number>();
  const lastChanged = new Map<string, number>();
  const incomplete: number[] = [];
  let state: Dump = new Map();
  // The records of the last dump that was not incomplete.
  let wholeSize = 0;
  const last = dumps.length - 1;
  const recordOf = (code: string) => (dumps[last]?.has(code) ? idOf(code, last) : null);
  for (const [night, dump] of dumps.entries()) {
    const next = dumps[night + 1];
    const isIncomplete = next !== undefined && 2 * dump.size < wholeSize && 2 * dump.size < next.size;
    if (isIncomplete) incomplete.push(night);
    const date = dateOf(night);
    for (const [code, item] of dump) {
      const earlier = state.get(code);
      if (!firstSeen.has(code)) firstSeen.set(code, night);
      const common = { record: recordOf(code), title: item.title, date };
      if (earlier === undefined) {
        if (night === 0) continue;
        lastChanged.set(code, night);
        changes.push({ ...common, ...whole('added') });
        continue;
      }
      for (const field of ['title', 'price'] as const) {
        if (earlier[field] === item[field]) continue;
        lastChanged.set(code, night);
        changes.push({ ...common, ...changedPlainly(field, earlier[field], item[field], false) });
      }
    }
    if (!isIncomplete)
      for (const [code, { title }] of state)
        if (!dump.has(code)) changes.push({ record: recordOf(code), title, date, ...whole('removed') });
    state = isIncomplete ? new Map([...state, ...dump]) : dump;
    if (!isIncomplete) wholeSize = dump.size;
  }
  return { changes, firstSeen, lastChanged, incomplete };
}

const itemModel: CollectionModel = {
  name: 'items',
  singular: 'Item',
  isOwn: true,
  fields: [
    { name: 'id', kind: 'integer', role: 'id', required: true, description: '' },
    { name: 'title', kind: 'text', role: 'title', searchWeight: 3, description: '' },
    { name: 'price', kind: 'number', role: 'price', description: '' },
    { name: 'sku', kind: 'code', sourcePath: ['sku'], isNamedAsId: true, description: '' },
  ],
};

describe('the history of many dumps', () => {
  test('is that of plain objects, read all at once: missing nights and swapped rows included', () => {
    fc.assert(
      fc.property(fc.array(anyDump, { minLength: 2, maxLength: 7 }), fc.boolean(), (dumps, hasIds) => {
        // By position, a record's id is another in each dump.
        const idOf = (code: string, night: number): number =>
          hasIds ? Number(code.slice(2)) + 1 : [...(dumps[night]?.keys() ?? [])].indexOf(code) + 1;
        const pairedAll =
          hasIds || dumps.every((dump, i) => i === 0 || [...dump.keys()].some((code) => dumps[i - 1]?.has(code)));
        fc.pre(pairedAll);
        const stores = dumps.map((dump, night) => ({
          date: dateOf(night),
          store: storeOf(
            itemModel,
            [...dump].map(([sku, item]) => ({ id: idOf(sku, night), ...item, sku })),
          ),
        }));
        const comparison = historyOf(stores, hasIds);
        const expected = historyPlainly(dumps, idOf);
        expect(asSet(withoutNumbers(servedIn(comparison)))).toEqual(asSet(expected.changes));
        const dates = servedIn(comparison).map(({ date }) => date);
        expect(dates).toEqual([...dates].sort().reverse());
        expect(comparison.dumps.flatMap(({ isIncomplete }, night) => (isIncomplete ? [night] : []))).toEqual(
          expected.incomplete,
        );
        const newest = stores.at(-1)?.store;
        if (newest === undefined) return;
        const store = finished(withHistoryFields(newest, comparison.continuation.layer));
        const seen = [...(dumps.at(-1)?.keys() ?? [])].map((code, row) => {
          const { firstSeen, lastChanged } = JSON.parse(recordJson(store.text, row, 'whole').toString());
          return [code, firstSeen, lastChanged];
        });
        const timeOf = (night: number | undefined) => (night === undefined ? null : dateOf(night));
        expect(seen).toEqual(
          seen.map(([code]) => [code, timeOf(expected.firstSeen.get(code)), timeOf(expected.lastChanged.get(code))]),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('goes on from what is served, by one dump or several that come together, as if all had been read at once', () => {
    const anyArrival = fc
      .array(anyDump, { minLength: 3, maxLength: 6 })
      .chain((dumps) => fc.record({ dumps: fc.constant(dumps), later: fc.integer({ min: 1, max: dumps.length - 2 }) }));
    fc.assert(
      fc.property(anyArrival, ({ dumps, later }) => {
        const stores = dumps.map((dump, night) => ({
          date: dateOf(night),
          store: storeOf(
            itemModel,
            [...dump].map(([sku, item]) => ({ id: Number(sku.slice(2)) + 1, ...item, sku })),
          ),
        }));
        const [earlier, arrived] = [stores.slice(0, -later), stores.slice(-later)];
        // An incomplete dump is told by its successor, which a served one does not have yet.
        const all = historyOf(stores, true);
        fc.pre(all.dumps[earlier.length - 1]?.isIncomplete === false);
        const before = historyOf(earlier, true);
        const [last] = earlier.slice(-1);
        if (last === undefined) return;
        const sinceOf = (date: string) => ({ version: date, modifiedAt: new Date(date) });
        const appended = finished(
          (function* () {
            const history = CollectionHistory.from(before, sinceOf(last.date));
            for (const { store, date } of arrived) yield* history.add({ store, hasOwnIds: true, since: sinceOf(date) });
            return yield* wholeOf(history, 'items');
          })(),
        );
        expect(appended && servedIn(appended)).toEqual(servedIn(all));
        expect(appended && [appended.dumps, appended.since]).toEqual([all.dumps, all.since]);
        expect(appended?.continuation.layer.firstSeen).toEqual(all.continuation.layer.firstSeen);
        expect(appended?.continuation.layer.lastChanged).toEqual(all.continuation.layer.lastChanged);
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ['empty', ''],
    ['of other records', 'z'],
  ])('pairs by a code across a night that is %s, and knows a record that returns', (_, brokenNight) => {
    const nights = ['abcd', 'abc', brokenNight, 'dcba'].map((codes, night) => ({
      date: dateOf(night),
      store: storeOf(
        itemModel,
        [...codes].map((sku, i) => ({ id: i + 1, title: `Tea ${sku}`, price: 5, sku })),
      ),
    }));
    const { last, dumps, continuation } = historyOf(nights, false);
    expect(dumps.map(({ isIncomplete }) => isIncomplete)).toEqual([false, false, true, false]);
    expect([last.pairing, last.returned, last.columns]).toEqual([{ by: 'field', field: 'sku' }, 1, []]);
    expect([...continuation.layer.firstSeen]).toEqual(Array(4).fill(Date.parse(dateOf(0))));
  });

  test('keeps the newest changes, whole dumps of them', () => {
    const store = (price: number) =>
      storeOf(
        itemModel,
        [1, 2].map((id) => ({ id, title: 'Tea', price: price + id, sku: `${id}` })),
      );
    const history = new CollectionHistory(4);
    const comparison = finished(
      (function* () {
        for (const night of [0, 1, 2, 3]) {
          const modifiedAt = new Date(dateOf(night));
          const since = { version: '', modifiedAt };
          yield* history.add({ store: store(night), hasOwnIds: true, since });
        }
        return yield* wholeOf(history, 'items');
      })(),
    );
    const served = comparison === null ? [] : servedIn(comparison);
    expect(served.map(({ id, date }) => [id, date])).toEqual([
      [6, dateOf(3)],
      [5, dateOf(3)],
      [4, dateOf(2)],
      [3, dateOf(2)],
    ]);
    expect(comparison?.knownSinceMs).toBe(Date.parse(dateOf(1)));
  });
});

describe('the changes of a reload', () => {
  const internals = (): Promise<{ readonly withAllChanges: typeof withAllChanges }> =>
    import(fileURLToPath(new URL('../../dist/internals.js', import.meta.url)));

  /** Every price is another one in the second dump, and the last record is gone. */
  const dumpsOf = (records: number) =>
    [0, 1].map((night) => ({
      date: dateOf(night),
      store: storeOf(
        itemModel,
        Array.from({ length: records - night }, (_, id) => ({
          id,
          title: `Tea ${id % 7}`,
          price: id + night,
          sku: `${id}`,
        })),
      ),
    }));

  function pendingOf(dumps: ReturnType<typeof dumpsOf>) {
    const history = new CollectionHistory();
    const steps = (function* () {
      for (const { store, date } of dumps) {
        const modifiedAt = new Date(date);
        const since = { version: date, modifiedAt };
        yield* history.add({ store, hasOwnIds: true, since });
      }
      return yield* history.compare();
    })();
    for (let stepCount = 1; ; stepCount++) {
      const step = steps.next();
      if (!step.done) continue;
      if (step.value === null) throw new Error('two dumps have a comparison');
      return { pending: step.value, stepCount };
    }
  }

  /** What a comparison says: its changes by their texts, and what a reload continues from. */
  const saidBy = ({ changes, hash, since, last, dumps, knownSinceMs }: Comparison) => ({
    texts: Array.from({ length: changes.size }, (_, row) => recordJson(changes.text, row, 'whole').toString()),
    orders: [...changes.orders.keys()],
    ...{ hash, since, last, dumps, knownSinceMs },
  });
  const foundIn = ({ changes: { search } }: Comparison) =>
    ['tea', '"tea 3"', 'kettle'].map((text) => search.search(text, 20));

  test.each([
    ['few', 100, 'the serving thread'],
    ['many', 5000, 'another thread'],
  ])('%s of them (%i) are built by %s, and equal to those that are built at once', async (_, records) => {
    const { withAllChanges } = await internals();
    const dumps = dumpsOf(records);
    const { pending, stepCount } = pendingOf(dumps);
    // The serving thread compares some 100 records in a step.
    expect(stepCount).toBeGreaterThan(records / 100);
    const built = (await withAllChanges(new Map([['items', pending]]), new Map())).get('items');
    if (built === undefined) throw new Error('the records changed');
    const atOnce = historyOf(dumps, true);
    expect(atOnce.changes.size).toBe(records);
    expect(saidBy(built)).toEqual(saidBy(atOnce));
    // Texts of many are indexed by another thread as well, once for all who wait for it.
    const [awaited, awaitedToo] = [built.indexTexts(), built.indexTexts()];
    expect([awaited === null, awaitedToo === awaited]).toEqual([records < 4000, true]);
    await awaited;
    expect(built.indexTexts()).toBe(null);
    expect(foundIn(built)).toStrictEqual(foundIn(atOnce));
    expect(foundIn(built).map(({ total }) => total > 0)).toEqual([true, true, false]);
  });

  test('are not built where the records are as they were: the earlier comparison stays, if there is one', async () => {
    const { withAllChanges } = await internals();
    const [dump] = dumpsOf(5000);
    if (dump === undefined) throw new Error('there is a dump');
    const earlier = historyOf(dumpsOf(3), true);
    const same = (): ReadonlyMap<string, PendingComparison> => new Map([['items', pendingOf([dump, dump]).pending]]);
    expect(await withAllChanges(same(), new Map(), false)).toEqual(new Map());
    expect((await withAllChanges(same(), new Map([['items', earlier]]), false)).get('items')?.changes).toBe(
      earlier.changes,
    );
  });
});

test('a record that is only written otherwise is no subject of changes', () => {
  const [id, ...others] = itemModel.fields;
  if (id === undefined) throw new Error('there is an id');
  const reordered: CollectionModel = { ...itemModel, fields: [id, ...others.reverse()] };
  const records = [{ id: 1, title: 'Tea', price: 5, sku: 'a' }];
  const dumps = [itemModel, reordered, itemModel].map((model, night) => ({
    date: dateOf(night),
    store: storeOf(model, records),
  }));
  const { changes, continuation } = historyOf(dumps, true);
  expect([changes.size, continuation.log.subjects, [...continuation.layer.subjects]]).toEqual([0, 0, [-1]]);
});

test('a difference is that of the decimals', () => {
  const decimal = fc.tuple(fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(decimal, decimal, ([from, fromDecimals], [to, toDecimals]) => {
      const wholes = [from * 10 ** (4 - fromDecimals), to * 10 ** (4 - toDecimals)].map(BigInt);
      const expected = Number(wholes[1]! - wholes[0]!) / 10_000;
      expect(differenceOf(from / 10 ** fromDecimals, to / 10 ** toDecimals)).toBe(expected === 0 ? 0 : expected);
    }),
  );
  expect([differenceOf(0.1, 0.3), differenceOf(1e300, 2e300), differenceOf(Number.NaN, 1)]).toEqual([
    0.2,
    1e300,
    Number.NaN,
  ]);
});

test.each([
  [12, 9, -25],
  [3, 4, 33.33],
  [-8, -4, 50],
  [1000, 999.96, -0.004],
  [1e9, 1e9 + 1, 1e-7],
  [300, 302.999, 0.999667],
  [0, 5, Number.NaN],
  [5, 0, -100],
  [Number.NaN, 5, Number.NaN],
  [1e-300, 1e300, Number.NaN],
])('from %d to %d it is %d percent: a change is never one of 0', (from, to, percent) => {
  expect(percentOf(from, to)).toBe(
    Number.isNaN(percent) ? percent : Number(percent.toPrecision(Math.abs(percent) < 1 ? 3 : 15)),
  );
});

test('more than half of the records gone looks like a scrape that did not get through', () => {
  const counts = { added: 5, changed: 1, fields: new Map() };
  expect(looksIncomplete({ ...counts, removed: 4, unchanged: 3 })).toBe(false);
  expect(looksIncomplete({ ...counts, removed: 5, unchanged: 3 })).toBe(true);
  expect(looksIncomplete({ ...counts, removed: 0, unchanged: 0, changed: 0 })).toBe(false);
});

test('texts are kept up to a number of bytes: the oldest dumps go, never those of the last one', () => {
  const piece = (length: number) => ({ record: Buffer.from(`"${'x'.repeat(length)}"`), start: 0, end: length + 2 });
  const log = new ChangeLog(undefined, undefined, 100);
  for (const [time, length] of [30, 40, 50, 200].entries()) {
    finished(log.beginDump(time));
    log.change(log.nextSubject(), log.codeOf('content'), false, NO_PIECE, NO_PIECE, piece(length));
    const { dumps, dropped, droppedUpToMs } = finished(log.finish());
    expect([dumps.map(({ timeMs }) => timeMs), dropped, droppedUpToMs]).toEqual(
      [
        [[0], 0, Number.NaN],
        [[0, 1], 0, Number.NaN],
        [[1, 2], 1, 0],
        [[3], 3, 2],
      ][time],
    );
  }
});
