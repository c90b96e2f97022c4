/**
 * The history of a collection: dumps go in one after the other, the earliest first; a comparison comes out. Of each dump no more
 * is kept than its changes, but for the last one, and those before an incomplete one.
 */

import { fieldOf, hasField } from '../../model.js';
import { canonicalDate } from '../../text.js';
import type { ServedStore } from '../collection.js';
import { idOfRow } from '../ids.js';
import { missingIn } from '../missing.js';
import { columnOf, medianOf } from '../number-column.js';
import { copyRecord, NULL_TEXT, type RecordText, recordBytes, type WrittenText } from '../record-text.js';
import { type ChangesParts, type ChangesSource, type IndexTexts, openChanges } from './change-collection.js';
import { ChangeLog, type LogState } from './change-log.js';
import {
  type Compared,
  type Comparison,
  type ComparisonSummary,
  type Difference,
  type HistoryDump,
  historyFields,
  type Layer,
  type Since,
} from './changes.js';
import { compareWithLayers, firstLayer } from './compare.js';

/** A dump of one collection. */
interface DumpOfCollection {
  readonly store: Compared;
  /** Whether no record was given its id by position. */
  readonly hasOwnIds: boolean;
  readonly since: Since;
}

/** A comparison whose collection of changes is still to be built. */
export interface PendingComparison extends ComparisonSummary {
  readonly source: ChangesSource;
}

/** The comparison with what was built of its changes. */
export const withChanges = (
  name: string,
  { source, ...comparison }: PendingComparison,
  parts: ChangesParts,
  indexTexts?: IndexTexts,
): Comparison => ({ ...comparison, ...openChanges(name, source.log, parts, indexTexts), hash: parts.hash });

export class CollectionHistory {
  readonly #log: ChangeLog;
  #layers: readonly Layer[] = [];
  #pending: DumpOfCollection | null = null;
  readonly #dumps: HistoryDump[] = [];
  #last: { readonly difference: Difference; readonly since: Since } | null = null;
  #since: Since | null = null;
  /** Whether the last dump is served: it was compared as a whole one. */
  #isLastServed = false;
  /** Whether the served dump is incomplete, as the one after it tells. */
  isServedIncomplete = false;

  constructor(maxChanges?: number, state?: LogState) {
    this.#log = new ChangeLog(maxChanges, state);
  }

  /** The history that goes on from a served comparison, whose last dump is `since`. */
  static from({ continuation, dumps }: Comparison, since: Since, maxChanges?: number): CollectionHistory {
    const { layer, log } = continuation;
    const history = new CollectionHistory(maxChanges, log);
    history.#layers = [layer];
    history.#dumps.push(...dumps);
    history.#since = since;
    history.#isLastServed = true;
    return history;
  }

  /** The number of records in the last dump. */
  get records(): number {
    return this.#pending?.store.size ?? this.#dumps.at(-1)?.records ?? 0;
  }

  /** Adds the next dump. One that may be incomplete is compared once it is known how many records its successor has. */
  *add(dump: DumpOfCollection): Generator<void, void> {
    const { size } = dump.store;
    const served = this.#isLastServed ? this.#dumps.at(-1) : undefined;
    if (served !== undefined)
      this.isServedIncomplete = isHalved(served.records, wholeSizeOf(this.#dumps.slice(0, -1)), size);
    this.#isLastServed = false;
    yield* this.#settle(size);
    this.#pending = dump;
    if (!isHalved(size, wholeSizeOf(this.#dumps))) yield* this.#settle(null);
  }

  /** The comparison, after the last dump, without the collection of its changes; null where there was but one dump. */
  *compare(): Generator<void, PendingComparison | null> {
    yield* this.#settle(null);
    const [layer] = this.#layers;
    if (layer === undefined || this.#last === null) return null;
    const log = yield* this.#log.finish();
    const recordIds = new Float64Array(log.subjects).fill(Number.NaN);
    layer.subjects.forEach((subject, row) => {
      if (subject >= 0) recordIds[subject] = idOfRow(layer.store.ids, row);
    });
    return {
      since: this.#last.since,
      last: this.#last.difference,
      dumps: this.#dumps,
      knownSinceMs: Number.isNaN(log.droppedUpToMs) ? (this.#dumps[0]?.timeMs ?? 0) : log.droppedUpToMs,
      source: { log, recordIds },
      continuation: { layer, log },
    };
  }

  /** Compares the pending dump. `nextSize`: the records of its successor, null for the last dump. */
  *#settle(nextSize: number | null): Generator<void, void> {
    const dump = this.#pending;
    if (dump === null) return;
    this.#pending = null;
    const { store, hasOwnIds, since } = dump;
    const timeMs = since.modifiedAt.getTime();
    const price = store.columns.get(fieldOf(store.model, 'price')?.name ?? '');
    const isIncomplete = nextSize !== null && isHalved(store.size, wholeSizeOf(this.#dumps), nextSize);
    this.#dumps.push({
      timeMs,
      ...(since.name !== undefined && { name: since.name }),
      records: store.size,
      medianPrice: price === undefined ? null : medianOf(price),
      isIncomplete,
    });
    if (this.#layers.length === 0) this.#layers = [firstLayer(store, hasOwnIds, timeMs)];
    else {
      yield* this.#log.beginDump(timeMs);
      const options = { hasOwnIds, timeMs, isIncomplete };
      const { layers, difference } = yield* compareWithLayers(this.#layers, store, options, this.#log);
      this.#layers = layers;
      if (this.#since !== null) this.#last = { difference, since: this.#since };
    }
    this.#since = since;
  }
}

/** Whether a dump has less than half of the records of each of its neighbours. */
const isHalved = (size: number, ...neighbours: readonly number[]): boolean =>
  neighbours.every((neighbour) => 2 * size < neighbour);

/** The records of the last dump that is not incomplete; 0 where there is none. */
const wholeSizeOf = (dumps: readonly HistoryDump[]): number =>
  dumps.findLast(({ isIncomplete }) => !isIncomplete)?.records ?? 0;

/** The store with the fields of the history behind all others. */
export function* withHistoryFields(
  store: ServedStore,
  { firstSeen, lastChanged }: Layer,
): Generator<void, ServedStore> {
  const times = { firstSeen, lastChanged };
  const fields = historyFields.filter(({ name }) => !hasField(store.model, name));
  if (fields.length === 0) return store;
  const columns = new Map(store.columns);
  const orders = new Map(store.orders);
  const missing = new Map(store.missing);
  for (const { name } of fields) {
    const column = columnOf(times[name]);
    columns.set(name, column);
    orders.set(name, column.order);
    missing.set(name, missingIn(times[name]));
    yield;
  }
  const model = { ...store.model, fields: [...store.model.fields, ...fields] };
  return {
    ...store,
    model,
    text: withTimes(
      store.text,
      fields.map(({ name }) => [name, times[name]]),
    ),
    columns,
    orders,
    missing,
  };
}

/** The records' texts with times behind all other members, which are written when a whole record is read. */
function withTimes(text: RecordText, times: readonly (readonly [name: string, ofRows: Float64Array])[]): WrittenText {
  const jsonOfTimes = new Map([[Number.NaN, NULL_TEXT]]);
  const jsonOfTime = (timeMs: number): string => {
    const json = jsonOfTimes.get(timeMs) ?? `"${canonicalDate(timeMs)}"`;
    jsonOfTimes.set(timeMs, json);
    return json;
  };
  // `,"firstSeen":"2026-11-01T00:00:00Z","lastChanged":null}`
  const endingOf = (row: number): string =>
    `${times.map(([name, ofRows]) => `,"${name}":${jsonOfTime(ofRows[row]!)}`).join('')}}`;
  return {
    bytesOf: (row, extent) => recordBytes(text, row, extent) + (extent === 'whole' ? endingOf(row).length - 1 : 0),
    write(row, extent, target, at) {
      const end = copyRecord(text, row, extent, target, at);
      return extent === 'whole' ? end - 1 + target.write(endingOf(row), end - 1, 'latin1') : end;
    },
  };
}
