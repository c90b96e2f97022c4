/**
 * The history of a collection: dumps go in one after the other, the earliest first; a comparison comes out. Of each dump no more
 * is kept than its changes, but for the last one, and those before an incomplete one.
 */
import { narrowed } from '../../arrays.js';
import { countBits, createBits, setBit } from '../../bits.js';
import { OPEN_ARRAY, QUOTE } from '../../kernels/ascii.js';
import { hasField } from '../../model.js';
import { addressesOf, Chunks } from '../chunks.js';
import type { Collection, RecordStore } from '../collection.js';
import { versionOf } from '../dataset.js';
import { idOfRow } from '../ids.js';
import { Members } from '../members.js';
import type { MissingRows } from '../missing.js';
import { columnOf, numberAtRow } from '../number-column.js';
import { RECORD_SEPARATOR, type RecordText, recordBytes, recordJson, recordStart } from '../record-text.js';
import { type ChangesParts, type ChangesSource, changesParts, isoTime, openChanges } from './change-batches.js';
import { ADDED, CHANGED, ChangeLog, REMOVED } from './change-log.js';
import {
  CHANGE_DATE,
  type Comparison,
  type ComparisonSummary,
  type Continuation,
  changeKinds,
  type Difference,
  type HistoryDump,
  historyFields,
  type LogState,
  percentOf,
  type Since,
} from './changes.js';
import { compareWithLayers, firstLayer, type Layer } from './compare.js';
import type { Compared } from './pairs.js';

/** A dump of one collection. */
export interface DumpOfCollection {
  readonly store: Compared;
  /** Whether no record was given its id by position. */
  readonly hasOwnIds: boolean;
  readonly timeMs: number;
  readonly since: Since;
}

/** A comparison whose collection of changes is still to be built. */
export interface PendingComparison extends ComparisonSummary {
  readonly source: ChangesSource;
  readonly continuation: Omit<Continuation, 'subjectsOfChanges'>;
}

/** The collection of changes as plain values, and a hash of it. */
export interface BuiltChanges extends ChangesParts {
  readonly hash: string;
}

/** Builds the changes of a collection, on any thread. */
function* buildChanges(name: string, source: ChangesSource): Generator<void, BuiltChanges> {
  const parts = yield* changesParts(name, source);
  yield;
  return { ...parts, hash: versionOf(new Map([[parts.store.model.name, parts.store]])) };
}

/** Builds the changes of several collections, by their names. */
export function* buildAllChanges(
  sources: ReadonlyMap<string, ChangesSource>,
): Generator<void, ReadonlyMap<string, BuiltChanges>> {
  const built = new Map<string, BuiltChanges>();
  for (const [name, source] of sources) built.set(name, yield* buildChanges(name, source));
  return built;
}

/** The comparison with the changes that were built of its source. */
export function withChanges({ source: _, ...comparison }: PendingComparison, built: BuiltChanges): Comparison {
  const continuation = { ...comparison.continuation, subjectsOfChanges: built.subjects };
  return { ...comparison, changes: openChanges(built), hash: built.hash, continuation };
}

export class CollectionHistory {
  readonly #log: ChangeLog;
  #layers: readonly Layer[] = [];
  #pending: DumpOfCollection | null = null;
  readonly #dumps: HistoryDump[] = [];
  #last: { readonly difference: Difference; readonly since: Since } | null = null;
  #since: Since | null = null;
  #knownSinceMs: number | null = null;
  /** The records that were known before the last dump that was compared. */
  #recordsBefore = 0;
  #hasServedLast = false;
  #isServedIncomplete = false;

  constructor(maxChanges?: number, state?: LogState) {
    this.#log = new ChangeLog(maxChanges, state);
  }

  /** The history that goes on from the served records, which are the dump `since`. */
  static *from(
    served: Collection,
    comparison: Comparison,
    since: Since,
    maxChanges?: number,
  ): Generator<void, CollectionHistory> {
    const { continuation, dumps } = comparison;
    const { subjects, firstSeen, lastChanged, hasOwnIds, log } = continuation;
    const history = new CollectionHistory(maxChanges, log);
    const store = plainStore(served, continuation);
    history.#layers = [{ store, hasOwnIds, subjects: subjects.slice(), firstSeen, lastChanged, isHidden: null }];
    history.#dumps.push(...dumps);
    history.#knownSinceMs = comparison.knownSinceMs;
    history.#since = since;
    history.#recordsBefore = continuation.recordsBefore;
    history.#hasServedLast = true;
    yield* repeatChanges(comparison.changes, continuation.subjectsOfChanges, history.#log);
    return history;
  }

  /** The number of records in the last dump. */
  get records(): number {
    return this.#pending?.store.size ?? this.#dumps.at(-1)?.records ?? 0;
  }

  /** Whether the served dump was compared as a whole one, and is incomplete, as the one after it tells. */
  get isServedIncomplete(): boolean {
    return this.#isServedIncomplete;
  }

  /** Adds the next dump. One that may be incomplete is compared once it is known how many records its successor has. */
  *add(dump: DumpOfCollection): Generator<void, void> {
    const [served] = this.#layers;
    if (this.#hasServedLast && served !== undefined)
      this.#isServedIncomplete = isHalved(served.store, this.#recordsBefore) && isHalved(served.store, dump.store.size);
    this.#hasServedLast = false;
    yield* this.#settle(dump.store.size);
    this.#pending = dump;
    if (!isHalved(dump.store, sizeOf(this.#layers))) yield* this.#settle(null);
  }

  /** The comparison, after the last dump, without the collection of its changes; null where there was but one dump. */
  *compare(): Generator<void, PendingComparison | null> {
    yield* this.#settle(null);
    const [layer] = this.#layers;
    if (layer === undefined || this.#last === null) return null;
    const recordIds = new Float64Array(this.#log.subjectCount).fill(Number.NaN);
    layer.subjects.forEach((subject, row) => {
      if (subject >= 0) recordIds[subject] = idOfRow(layer.store.ids, row);
    });
    const { droppedUpToMs } = this.#log;
    return {
      since: this.#last.since,
      last: this.#last.difference,
      dumps: this.#dumps,
      knownSinceMs: Number.isNaN(droppedUpToMs) ? (this.#knownSinceMs ?? this.#dumps[0]?.timeMs ?? 0) : droppedUpToMs,
      source: { log: this.#log.changes, recordIds },
      continuation: {
        subjects: layer.subjects,
        firstSeen: layer.firstSeen,
        lastChanged: layer.lastChanged,
        model: layer.store.model,
        lengths: layer.store.text.lengths,
        hasOwnIds: layer.hasOwnIds,
        recordsBefore: this.#recordsBefore,
        log: this.#log.state,
      },
    };
  }

  /** Compares the pending dump. `nextSize`: the records of its successor, null for the last dump. */
  *#settle(nextSize: number | null): Generator<void, void> {
    const dump = this.#pending;
    if (dump === null) return;
    this.#pending = null;
    const { store, hasOwnIds, timeMs, since } = dump;
    const summary = { timeMs, ...(since.name !== undefined && { name: since.name }), records: store.size };
    if (this.#layers.length === 0) {
      this.#layers = [firstLayer(store, hasOwnIds, timeMs)];
      this.#dumps.push({ ...summary, isIncomplete: false });
    } else {
      const isIncomplete = nextSize !== null && isHalved(store, sizeOf(this.#layers)) && isHalved(store, nextSize);
      // The last dump written again has the same ones before it.
      if (since.name === undefined || since.name !== this.#since?.name) this.#recordsBefore = sizeOf(this.#layers);
      this.#log.beginDump(timeMs);
      const { layers, difference } = yield* compareWithLayers(
        this.#layers,
        store,
        { hasOwnIds, timeMs, isIncomplete },
        this.#log,
      );
      this.#layers = layers;
      if (this.#since !== null) this.#last = { difference, since: this.#since };
      this.#dumps.push({ ...summary, isIncomplete });
    }
    this.#since = since;
  }
}

/** Whether a dump has less than half of the records of a neighbour. */
const isHalved = ({ size }: Compared, neighbourSize: number): boolean => 2 * size < neighbourSize;

const sizeOf = (layers: readonly Layer[]): number =>
  layers.reduce((sum, { store, isHidden }) => {
    const hidden = isHidden === null ? 0 : isHidden.reduce((count, bit) => count + bit, 0);
    return sum + store.size - hidden;
  }, 0);

/** The served records as their dump has them. */
const plainStore = (served: RecordStore, { model, lengths }: Continuation): Compared => ({
  ...served,
  model,
  text: { ...served.text, lengths },
});

/** Changes between two yields while they are repeated. */
const STEP_REPEATED = 64;

/** Writes the changes of a collection to a log, the oldest dump's first. */
function* repeatChanges(changes: Collection, subjects: Uint32Array, log: ChangeLog): Generator<void, void> {
  const { model, text, size, values, columns } = changes;
  const members = new Members(model);
  const [title, kind, field, from, to] = ['title', 'kind', 'field', 'from', 'to'].map((name) =>
    model.fields.findIndex((one) => one.name === name),
  );
  const dates = columns.get(CHANGE_DATE);
  if (dates === undefined || values.size === 0) return;
  const timeOf = (row: number): number => numberAtRow(dates, row);
  const kinds = { changed: CHANGED, added: ADDED, removed: REMOVED } as const;
  // Rows of one dump stand side by side, the newest dump's first.
  for (let end = size; end > 0; ) {
    let start = end - 1;
    while (start > 0 && timeOf(start - 1) === timeOf(start)) start--;
    for (let row = start; row < end; row++) {
      const record = members.read(recordJson(text, row, 'whole'));
      const name = String(record.value(kind ?? -1));
      const fieldName = record.value(field ?? -1);
      const [earlier, later] = [record.bytes(from ?? 0), record.bytes(to ?? 0)];
      log.repeat({
        subject: subjects[row]!,
        timeMs: timeOf(row),
        kind: kinds[changeKinds.find((one) => one === name) ?? 'changed'],
        isDoubtful: lacksPercent(record.value(from ?? -1), record.value(to ?? -1), numberOfPercent(changes, row)),
        field:
          typeof fieldName === 'string' ? { name: fieldName, isList: isNameList(earlier) || isNameList(later) } : null,
        title: record.textBytes(title ?? -1),
        from: earlier,
        to: later,
      });
      if (row % STEP_REPEATED === 0) yield;
    }
    end = start;
  }
}

const numberOfPercent = ({ columns }: Collection, row: number): number => {
  const column = columns.get('percent');
  return column === undefined ? Number.NaN : numberAtRow(column, row);
};

/** Whether two numbers have a percentage that the change lacks, since its pair was doubtful. */
const lacksPercent = (from: unknown, to: unknown, percent: number): boolean =>
  typeof from === 'number' && typeof to === 'number' && percentOf(from, to) !== null && Number.isNaN(percent);

/** Whether JSON is a list of texts. */
const isNameList = (json: Buffer): boolean => json[0] === OPEN_ARRAY && json[1] === QUOTE;

/** Records between two yields while their times are written behind them. */
const STEP_TEXTS = 256;

/** The store with the fields of the history behind all others. */
export function* withHistoryFields(
  store: RecordStore,
  continuation: Pick<Continuation, 'firstSeen' | 'lastChanged'>,
): Generator<void, RecordStore> {
  const fields = historyFields.filter(({ name }) => !hasField(store.model, name));
  if (fields.length === 0) return store;
  const columns = new Map(store.columns);
  const orders = new Map(store.orders);
  const missing = new Map(store.missing);
  for (const { name } of fields) {
    const column = columnOf(continuation[name]);
    columns.set(name, column);
    orders.set(name, column.order);
    missing.set(name, missingIn(continuation[name]));
    yield;
  }
  const text = yield* withTimes(
    store,
    fields.map(({ name }) => ({ name, times: continuation[name] })),
  );
  const model = { ...store.model, fields: [...store.model.fields, ...fields] };
  return { ...store, model, text, columns, orders, missing };
}

function missingIn(numbers: Float64Array): MissingRows {
  const bits = createBits(numbers.length);
  numbers.forEach((number, row) => {
    if (Number.isNaN(number)) setBit(bits, row);
  });
  return { bits, count: countBits(bits) };
}

/** The records' texts with more members behind all others. */
function* withTimes(
  { text, size }: RecordStore,
  fields: readonly { readonly name: string; readonly times: Float64Array }[],
): Generator<void, RecordText> {
  const chunks = new Chunks();
  const starts = new Float64Array(size);
  const lengths = new Uint32Array(size);
  const defaultLengths = new Uint32Array(size);
  const endings = new Map<string, Buffer>();
  let longest = 0;
  for (let row = 0; row < size; row++) {
    const times = fields.map((field) => field.times[row]!);
    const key = times.join();
    const ending = endings.get(key) ?? endingOf(fields, times);
    endings.set(key, ending);
    const bytes = recordBytes(text, row, 'whole') - 1;
    chunks.reserve(bytes + ending.length);
    starts[row] = chunks.start + chunks.used;
    recordStart(text, row, bytes).copy(chunks.current, chunks.used);
    ending.copy(chunks.current, chunks.used + bytes);
    lengths[row] = bytes + ending.length - RECORD_SEPARATOR.length;
    chunks.used += bytes + ending.length;
    defaultLengths[row] = text.defaultLengths?.[row] ?? bytes;
    longest = Math.max(longest, lengths[row]!);
    if (row % STEP_TEXTS === 0) yield;
  }
  return {
    chunks: chunks.all,
    starts: addressesOf(chunks, starts),
    itemLengths: text.itemLengths,
    defaultLengths: narrowed(defaultLengths, longest),
    lengths: narrowed(lengths, longest),
  };
}

/** `,"firstSeen":"2026-11-01T00:00:00Z","lastChanged":null}` and the separator behind a record. */
function endingOf(fields: readonly { readonly name: string }[], times: readonly number[]): Buffer {
  const members = fields.map(({ name }, i) => {
    const timeMs = times[i] ?? Number.NaN;
    return `,${JSON.stringify(name)}:${Number.isNaN(timeMs) ? 'null' : JSON.stringify(isoTime(timeMs))}`;
  });
  return Buffer.from(`${members.join('')}}${RECORD_SEPARATOR}`);
}
