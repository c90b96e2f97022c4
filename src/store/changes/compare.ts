/**
 * Compares a collection with an earlier one. Records whose JSON texts are equal are unchanged; any other two records of a pair
 * are compared field by field: values whose JSON differs are parsed. Yields after every few records, so that the thread can serve in between.
 */
import { float64, uint8, withRoom } from '../../arrays.js';
import { type CollectionModel, type Field, ID_FIELD, isNumeric } from '../../model.js';
import { type FoldedTexts, FoldedTextsBuilder } from '../folded-texts.js';
import { idOfRow } from '../ids.js';
import { itemOf, itemView, recordView, titleOf } from '../record-text.js';
import {
  type Changes,
  changeFormOf,
  type FieldCounts,
  MAX_REMOVED_ITEMS,
  namesIn,
  type Pairing,
  percentOf,
  type RemovedRecords,
} from './changes.js';
import { Members } from './members.js';
import { type Compared, pairRows } from './pairs.js';

/** Bytes of records that are compared between two yields: a fraction of a millisecond. */
const STEP_BYTES = 1 << 14;
/** Records between two yields of loops that read their list items. */
const STEP_ITEMS = 32;
/** Rows between two yields of loops that read no record. */
const STEP_ROWS = 1024;

export function* compareCollections(before: Compared, after: Compared, pairing: Pairing): Generator<void, Changes> {
  const earlierRows = yield* pairRows(before, after, pairing);
  const isPaired = new Uint8Array(before.size);
  const log = new ChangeLog(before.model, after.model, after.size);
  const added = new Uint32Array(after.size);
  let addedCount = 0;
  let isSame = before.size === after.size;
  let bytes = 0;
  for (const row of rowsByTitle(after)) {
    const earlierRow = earlierRows[row]!;
    if (earlierRow !== row) isSame = false;
    if (earlierRow === -1) added[addedCount++] = row;
    else {
      isPaired[earlierRow] = 1;
      const [earlier, later] = [recordView(before.text, earlierRow), recordView(after.text, row)];
      if (!earlier.equals(later)) log.compare(row, earlier, later);
      bytes += earlier.length;
    }
    if (++bytes < STEP_BYTES) continue;
    bytes = 0;
    yield;
  }
  const { fieldCounts, ...changes } = yield* log.finish();
  const { changedRows } = changes;
  const addedRows = added.subarray(0, addedCount);
  const unchanged = after.size - addedCount - changedRows.length;
  const removedCount = before.size - changedRows.length - unchanged;
  const removed = yield* removedRecords(before, isPaired, Math.min(removedCount, MAX_REMOVED_ITEMS));
  return {
    pairing,
    counts: {
      added: addedCount,
      removed: removedCount,
      changed: changedRows.length,
      unchanged,
      fields: fieldCounts,
    },
    ...changes,
    addedRows,
    removed,
    titles: yield* foldedTitles(after, [changedRows, addedRows], removed),
    isSame: isSame && changedRows.length === 0,
  };
}

const rowsByTitle = ({ orders, size }: Compared): Uint32Array =>
  orders.get('title')?.rows ?? Uint32Array.from({ length: size }, (_, row) => row);

const SIZE_DIGIT_BITS = 11;
const SIZE_DIGIT_VALUES = 1 << SIZE_DIGIT_BITS;
const MAX_SIZE = 2 ** (2 * SIZE_DIGIT_BITS) - 1;

/** The indexes of sizes, the largest size first; equal ones keep their order. A radix sort of two digits, which can pause anywhere. */
function* largestFirst(sizes: Uint32Array): Generator<void, Uint32Array> {
  let from = sizes.map((_, index) => index);
  for (const shift of [0, SIZE_DIGIT_BITS]) {
    const digitOf = (index: number): number => ((MAX_SIZE - sizes[index]!) >>> shift) & (SIZE_DIGIT_VALUES - 1);
    const ends = new Uint32Array(SIZE_DIGIT_VALUES + 1);
    for (let i = 0; i < from.length; i++) {
      ends[digitOf(from[i]!) + 1]!++;
      if (i % STEP_ROWS === 0) yield;
    }
    for (let digit = 1; digit < ends.length; digit++) ends[digit]! += ends[digit - 1]!;
    const to = new Uint32Array(from.length);
    for (let i = 0; i < from.length; i++) {
      to[ends[digitOf(from[i]!)]!++] = from[i]!;
      if (i % STEP_ROWS === 0) yield;
    }
    from = to;
  }
  return from;
}

/**
 * The size of a change, 22 bits: a price is above other numbers, and these above texts. A number counts by hundredths of its
 * percentage: `8 → 10` is 2,500. One without a percentage, as from 0, counts as doubled.
 */
function sizeOf({ kind, role }: Field, from: number, to: number): number {
  if (!isNumeric(kind)) return 0;
  const percent = percentOf(from, to);
  const hundredths = percent === null ? DOUBLED : Math.round(Math.abs(percent) * 100);
  return (role === 'price' ? PRICE_SIZE : NUMBER_SIZE) + Math.min(MAX_HUNDREDTHS, hundredths);
}

const PRICE_SIZE = 2 << 20;
const NUMBER_SIZE = 1 << 20;
const MAX_HUNDREDTHS = (1 << 20) - 1;
const DOUBLED = 10_000;

/** The changes of changed records, in the order in which these are compared. */
class ChangeLog {
  readonly #model: CollectionModel;
  /** Per field: its index in the earlier collection, -1 where that has none of its name. */
  readonly #earlierFields: readonly number[];
  readonly #earlier: Members;
  readonly #later: Members;
  readonly #counts: { changed: number; up: number; down: number }[];
  readonly #rows: Uint32Array;
  readonly #starts: Uint32Array;
  /** Per changed record: the size of its largest change. */
  readonly #sizes: Uint32Array;
  #records = 0;
  #fields = uint8(0);
  #olds = float64(0);
  #news = float64(0);
  readonly #oldValues: unknown[] = [];
  #size = 0;

  constructor(earlierModel: CollectionModel, model: CollectionModel, maxRecords: number) {
    this.#model = model;
    this.#earlierFields = model.fields.map(({ name }) => earlierModel.fields.findIndex((field) => field.name === name));
    this.#earlier = new Members(earlierModel);
    this.#later = new Members(model);
    this.#counts = model.fields.map(() => ({ changed: 0, up: 0, down: 0 }));
    this.#rows = new Uint32Array(maxRecords);
    this.#starts = new Uint32Array(maxRecords + 1);
    this.#sizes = new Uint32Array(maxRecords);
  }

  compare(row: number, earlierRecord: Buffer<ArrayBuffer>, laterRecord: Buffer<ArrayBuffer>): void {
    const before = this.#size;
    const [earlier, later] = [this.#earlier.read(earlierRecord), this.#later.read(laterRecord)];
    for (let field = 0; field < this.#earlierFields.length; field++) {
      const earlierField = this.#earlierFields[field]!;
      if (field === ID_FIELD || later.isSame(field, earlier, earlierField)) continue;
      const [from, to]: [unknown, unknown] = [JSON.parse(earlier.json(earlierField)), JSON.parse(later.json(field))];
      if (from !== to) this.#compareValues(field, from, to);
    }
    if (this.#size === before) return;
    this.#starts[this.#records] = before;
    this.#rows[this.#records++] = row;
  }

  /** Adds the change of a field, unless both values are the same list of names, or the same JSON. */
  #compareValues(field: number, from: unknown, to: unknown): void {
    const form = changeFormOf(this.#model.fields[field]!);
    const counts = this.#counts[field]!;
    let [old, now] = [0, 0];
    if (form === 'number') {
      [old, now] = [numberIn(from), numberIn(to)];
      if (now > old) counts.up++;
      if (now < old) counts.down++;
      const record = this.#records;
      this.#sizes[record] = Math.max(this.#sizes[record]!, sizeOf(this.#model.fields[field]!, old, now));
    } else if (form === 'list' ? areSameNames(namesIn(from), namesIn(to)) : areSameJson(from, to)) return;
    else old = this.#oldValues.push(from) - 1;
    counts.changed++;
    const size = this.#size++;
    this.#fields = withRoom(this.#fields, this.#size, uint8);
    this.#olds = withRoom(this.#olds, this.#size, float64);
    this.#news = withRoom(this.#news, this.#size, float64);
    this.#fields[size] = field;
    this.#olds[size] = old;
    this.#news[size] = now;
  }

  /** The changes, the largest first. */
  *finish() {
    this.#starts[this.#records] = this.#size;
    const records = yield* largestFirst(this.#sizes.subarray(0, this.#records));
    const changedRows = new Uint32Array(this.#records);
    const starts = new Uint32Array(this.#records + 1);
    const fields = new Uint8Array(this.#size);
    const olds = new Float64Array(this.#size);
    const news = new Float64Array(this.#size);
    let at = 0;
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      for (let change = this.#starts[record]!; change < this.#starts[record + 1]!; change++) {
        fields[at] = this.#fields[change]!;
        olds[at] = this.#olds[change]!;
        news[at++] = this.#news[change]!;
      }
      changedRows[i] = this.#rows[record]!;
      starts[i + 1] = at;
      if (i % STEP_ROWS === 0) yield;
    }
    const counted = this.#model.fields.map(({ name }, field): [string, FieldCounts] => [name, this.#counts[field]!]);
    return {
      fieldCounts: new Map(counted.filter(([, { changed }]) => changed > 0)),
      ...{ changedRows, starts, fields, olds, news, oldValues: this.#oldValues },
    };
  }
}

const areSameNames = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((name) => b.has(name));

const areSameJson = (a: unknown, b: unknown): boolean =>
  typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** The first `count` records by title that are in no pair. */
function* removedRecords(before: Compared, isPaired: Uint8Array, count: number): Generator<void, RemovedRecords> {
  const ids = new Float64Array(count);
  const items: string[] = [];
  let steps = 0;
  for (const row of rowsByTitle(before)) {
    if (items.length === count) break;
    if (++steps % STEP_ITEMS === 0) yield;
    if (isPaired[row] === 1) continue;
    ids[items.length] = idOfRow(before.ids, row);
    items.push(itemOf(before.text, row).toString());
  }
  return { ids, items };
}

/** The titles of entries: of rows, then of removed records. */
function* foldedTitles(
  { text }: Compared,
  rowsOfKinds: readonly Uint32Array[],
  removed: RemovedRecords,
): Generator<void, FoldedTexts> {
  const titles = new FoldedTextsBuilder();
  for (const rows of rowsOfKinds) {
    for (let i = 0; i < rows.length; i++) {
      titles.add(titleOf(itemView(text, rows[i]!)));
      if (i % STEP_ITEMS === 0) yield;
    }
  }
  for (const [i, item] of removed.items.entries()) {
    titles.add(titleOf(Buffer.from(item)));
    if (i % STEP_ITEMS === 0) yield;
  }
  return titles.finish();
}
