/**
 * Compares a dump of a collection with what came before it. Records whose JSON texts are equal are unchanged; any other two
 * records of a pair are compared field by field: values whose JSON differs are parsed. Yields after every few records, so that the thread can serve in between.
 */
import { type CollectionModel, type Field, hasField, ID_FIELD, isNumeric, roleIndex } from '../../model.js';
import { Members, type Piece } from '../members.js';
import { recordBytes, recordJson, unclosedItem } from '../record-text.js';
import type { ChangeLog } from './change-log.js';
import {
  type ColumnChange,
  type Compared,
  type Difference,
  type FieldCounts,
  type Layer,
  type Pairing,
  unorderedJson,
} from './changes.js';
import { keyReader, NOT_PAIRED, pairRecords, type RecordPairs } from './pairs.js';

/** Bytes of records that are compared between two yields: a fraction of a millisecond. */
const STEP_BYTES = 1 << 14;

/** The first dump of a history. */
export const firstLayer = (store: Compared, hasOwnIds: boolean, timeMs: number): Layer => ({
  store,
  hasOwnIds,
  subjects: new Int32Array(store.size).fill(-1),
  firstSeen: new Float64Array(store.size).fill(timeMs),
  lastChanged: new Float64Array(store.size).fill(Number.NaN),
  isHidden: null,
});

interface CompareOptions {
  readonly hasOwnIds: boolean;
  readonly timeMs: number;
  /** Records that an incomplete dump lacks count as they were: their earlier layers stay. */
  readonly isIncomplete: boolean;
}

/**
 * Compares a dump with the layers before it: one, or, behind incomplete dumps, several, the newest first. Writes the changes to
 * the log; returns the layers for the next dump, and the difference.
 */
export function* compareWithLayers(
  layers: readonly Layer[],
  after: Compared,
  { hasOwnIds, timeMs, isIncomplete }: CompareOptions,
  log: ChangeLog,
): Generator<void, { readonly layers: readonly Layer[]; readonly difference: Difference }> {
  const fieldCounts: Counts = new Map();
  const pairs: LayerPairs[] = [];
  for (const layer of layers) {
    const differ = new RecordDiffer(layer.store, after, log, fieldCounts);
    pairs.push({ ...(yield* pairsOf(layer, after, hasOwnIds)), differ });
  }
  // An incomplete dump may have too few records to tell by what they are paired; the last layer is the whole one before.
  const wholeDump = pairs.at(-1);
  if (wholeDump === undefined) throw new Error('there is no earlier dump');
  const before = wholeDump.layer.store;
  const layer = firstLayer(after, hasOwnIds, timeMs);
  const { added, returned, changed, isMoved } = yield* compareRecords(pairs, wholeDump.pairing, layer, log, timeMs);
  let removed = 0;
  if (!isIncomplete) for (const one of pairs) removed += yield* removeUnpaired(one, log);
  const earlierLayers = isIncomplete
    ? pairs.map(({ layer: one, isPaired }) => ({ ...one, isHidden: hiddenOrPaired(one.isHidden, isPaired) }))
    : [];
  const { differ, pairing } = wholeDump;
  return {
    layers: [layer, ...earlierLayers],
    difference: {
      model: differ.model,
      pairing,
      columns: columnChanges(differ.model, before, after),
      counts: { added, removed, changed, unchanged: after.size - added - changed, fields: differ.fieldCounts() },
      returned,
      isSame: layers.length === 1 && before.size === after.size && added + changed === 0 && !isMoved,
    },
  };
}

interface RecordCounts {
  added: number;
  /** Added records that an earlier dump had. */
  returned: number;
  changed: number;
  /** Whether a record stands in another row than before. */
  isMoved: boolean;
}

/** Compares each record of a dump with the one that it is paired with in the newest of the layers before, and writes what changed. */
function* compareRecords(
  pairs: readonly LayerPairs[],
  pairing: Pairing,
  layer: Layer,
  log: ChangeLog,
  timeMs: number,
): Generator<void, RecordCounts> {
  const after = layer.store;
  const keyOf = keyReader(pairing, after);
  const titleOf = titleReader(after);
  const counts: RecordCounts = { added: 0, returned: 0, changed: 0, isMoved: false };
  let bytes = 0;
  for (let row = 0; row < after.size; row++) {
    const pair = pairs.find(({ earlierRows }) => earlierRows[row] !== NOT_PAIRED);
    if (pair === undefined) {
      counts.added++;
      if (addRecord(layer, row, titleOf(row), keyOf(row), log, timeMs)) counts.returned++;
      bytes += recordBytes(after.text, row, 'item');
    } else {
      const earlierRow = pair.earlierRows[row]!;
      if (earlierRow !== row) counts.isMoved = true;
      pair.isPaired[earlierRow] = 1;
      continueSubject(layer, row, pair.layer, earlierRow);
      const earlier = recordJson(pair.layer.store.text, earlierRow, 'whole');
      const later = recordJson(after.text, row, 'whole');
      bytes += earlier.length;
      if (!earlier.equals(later) && pair.differ.compare(layer, row, pair.isDoubtful[row] === 1, earlier, later)) {
        layer.lastChanged[row] = timeMs;
        counts.changed++;
      }
    }
    if (++bytes < STEP_BYTES) continue;
    bytes = 0;
    yield;
  }
  return counts;
}

/** The record of a row is that of an earlier row. */
function continueSubject(layer: Layer, row: number, earlier: Layer, earlierRow: number): void {
  layer.subjects[row] = earlier.subjects[earlierRow]!;
  layer.firstSeen[row] = earlier.firstSeen[earlierRow]!;
  layer.lastChanged[row] = earlier.lastChanged[earlierRow]!;
}

/** Writes the removal of each record of a layer that the later dump lacks; returns their number. */
function* removeUnpaired({ layer, pairing, isPaired }: LayerPairs, log: ChangeLog): Generator<void, number> {
  const { store, isHidden, firstSeen } = layer;
  // By id the key of a record is the same in every dump; any other key is that of the pairing.
  const keyOf = keyReader(pairing, store);
  const titleOf = titleReader(store);
  let removed = 0;
  for (let row = 0; row < store.size; row++) {
    if (isPaired[row] === 1 || isHidden?.[row] === 1) continue;
    removed++;
    log.remove(subjectOf(layer, row, log), titleOf(row), keyOf(row), firstSeen[row]!);
    if (row % STEP_UNPAIRED === 0) yield;
  }
  return removed;
}

/** Rows between two yields where the records without a pair are read. */
const STEP_UNPAIRED = 64;

interface LayerPairs extends RecordPairs {
  readonly layer: Layer;
  /** By row of the layer: 1 if the later dump has the record. */
  readonly isPaired: Uint8Array;
  readonly differ: RecordDiffer;
}

/** The pairs of a layer and a later dump, without the rows that a newer layer hides. */
function* pairsOf(layer: Layer, after: Compared, hasOwnIds: boolean): Generator<void, Omit<LayerPairs, 'differ'>> {
  const recordPairs = yield* pairRecords(layer.store, after, layer.hasOwnIds && hasOwnIds);
  const { earlierRows } = recordPairs;
  const { isHidden } = layer;
  // `isHidden` is undefined at `NOT_PAIRED`.
  if (isHidden !== null)
    for (let row = 0; row < after.size; row++) if (isHidden[earlierRows[row]!] === 1) earlierRows[row] = NOT_PAIRED;
  return { ...recordPairs, layer, isPaired: new Uint8Array(layer.store.size) };
}

/** The subject of a row's record, a new one where the record never changed. */
function subjectOf({ subjects }: Layer, row: number, log: ChangeLog): number {
  const subject = subjects[row]!;
  return subject >= 0 ? subject : log.nextSubject();
}

/** Adds a record: a new one, or one that an earlier dump lost. Returns whether it is one that was lost. */
function addRecord(layer: Layer, row: number, title: Piece, key: string, log: ChangeLog, timeMs: number): boolean {
  const gone = log.takeGone(key);
  const subject = gone?.subject ?? log.nextSubject();
  layer.subjects[row] = subject;
  layer.firstSeen[row] = gone?.firstSeen ?? timeMs;
  layer.lastChanged[row] = timeMs;
  log.add(subject, title);
  return gone !== undefined;
}

/** Finds the title of a row. */
function titleReader({ model, text }: Compared): (row: number) => Piece {
  const members = new Members(model);
  const field = roleIndex(model, 'title');
  return (row) => members.read(unclosedItem(text, row), Math.max(0, field)).textPiece(field);
}

const hiddenOrPaired = (hidden: Uint8Array | null, paired: Uint8Array): Uint8Array =>
  hidden === null ? paired : paired.map((bit, row) => bit | hidden[row]!);

/** The later model, with the fields that only the earlier one has behind its own. A field that is a number in one of them only is compared as text. */
function modelOfBoth(before: CollectionModel, after: CollectionModel): CollectionModel {
  const earlierField = (name: string) => before.fields.find((field) => field.name === name);
  const fields = after.fields.map((field): Field => {
    const earlier = earlierField(field.name);
    const isSameForm = earlier === undefined || isNumeric(earlier.kind) === isNumeric(field.kind);
    return isSameForm ? field : { ...field, kind: 'text' };
  });
  return { ...after, fields: [...fields, ...before.fields.filter(({ name }) => !hasField(after, name))] };
}

/** The columns that have values in one of the datasets only. Both must have records. */
function columnChanges({ fields }: CollectionModel, before: Compared, after: Compared): readonly ColumnChange[] {
  if (before.size === 0 || after.size === 0) return [];
  const filledCount = ({ model, missing, size }: Compared, name: string): number =>
    hasField(model, name) ? size - (missing.get(name)?.count ?? 0) : 0;
  return fields.flatMap(({ name }): ColumnChange[] => {
    const [earlier, later] = [filledCount(before, name), filledCount(after, name)];
    if (earlier > 0 === later > 0) return [];
    return [{ field: name, is: later > 0 ? 'new' : 'gone', records: Math.max(earlier, later) }];
  });
}

type Counts = Map<string, { changed: number; up: number; down: number }>;

/** Compares pairs of records field by field. */
class RecordDiffer {
  readonly model: CollectionModel;
  readonly #counts: Counts;
  readonly #log: ChangeLog;
  /** Per field of the model: its index in both collections, -1 where one has none of its name, and its number in the log. */
  readonly #fields: readonly { earlier: number; later: number; isNumber: boolean; code: number }[];
  readonly #earlier: Members;
  readonly #later: Members;
  readonly #title: number;

  constructor(before: Compared, after: Compared, log: ChangeLog, counts: Counts) {
    this.model = modelOfBoth(before.model, after.model);
    this.#counts = counts;
    this.#log = log;
    const indexIn = ({ model }: Compared, name: string) => model.fields.findIndex((field) => field.name === name);
    this.#fields = this.model.fields.map((field) => ({
      earlier: indexIn(before, field.name),
      later: indexIn(after, field.name),
      isNumber: isNumeric(field.kind),
      code: log.codeOf(field.name),
    }));
    this.#earlier = new Members(before.model);
    this.#later = new Members(after.model);
    this.#title = roleIndex(after.model, 'title');
  }

  fieldCounts(): ReadonlyMap<string, FieldCounts> {
    const counted = this.model.fields.flatMap(({ name }) => {
      const counts = this.#counts.get(name);
      return counts === undefined ? [] : [[name, counts] as const];
    });
    return new Map(counted);
  }

  /** Writes the changes of a row's record, which has a subject from the first one on; returns whether there are any. */
  compare(layer: Layer, row: number, isDoubtful: boolean, earlierRecord: Buffer, laterRecord: Buffer): boolean {
    const [earlier, later] = [this.#earlier.read(earlierRecord), this.#later.read(laterRecord)];
    let isChanged = false;
    for (let i = 0; i < this.#fields.length; i++) {
      const field = this.#fields[i]!;
      if (i === ID_FIELD || later.isSame(field.later, earlier, field.earlier)) continue;
      const [from, to] = [earlier.value(field.earlier), later.value(field.later)];
      if (from === to || (!field.isNumber && areSameValues(from, to))) continue;
      this.#count(i, from, to);
      isChanged = true;
      layer.subjects[row] = subjectOf(layer, row, this.#log);
      this.#log.change(
        layer.subjects[row],
        field.code,
        isDoubtful,
        later.textPiece(this.#title),
        earlier.piece(field.earlier),
        later.piece(field.later),
      );
    }
    return isChanged;
  }

  #count(index: number, from: unknown, to: unknown): void {
    const name = this.model.fields[index]!.name;
    const counts = this.#counts.get(name) ?? { changed: 0, up: 0, down: 0 };
    this.#counts.set(name, counts);
    counts.changed++;
    if (!this.#fields[index]!.isNumber || typeof from !== 'number' || typeof to !== 'number') return;
    if (to > from) counts.up++;
    if (to < from) counts.down++;
  }
}

/** Whether values differ by their spelling at most: in the order of members and elements, or as the text "5" from the number 5. */
const areSameValues = (a: unknown, b: unknown): boolean =>
  a !== null &&
  b !== null &&
  (typeof a === 'object' && typeof b === 'object'
    ? unorderedJson(a) === unorderedJson(b)
    : comparedText(a) === comparedText(b));

const comparedText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
