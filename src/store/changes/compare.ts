/**
 * Compares a collection with an earlier one. Records whose JSON texts are equal are unchanged; any other two records of a pair
 * are compared field by field: values whose JSON differs are parsed. Yields after every few records, so that the thread can serve in between.
 */
import { type CollectionModel, type Field, hasField, ID_FIELD, isNumeric } from '../../model.js';
import { FoldedTextsBuilder } from '../folded-texts.js';
import { idOfRow } from '../ids.js';
import { Members } from '../members.js';
import { recordJson, titleSpan, unclosedItem } from '../record-text.js';
import {
  type Changes,
  type ColumnChange,
  changeFormOf,
  type FieldCounts,
  MAX_REMOVED_ITEMS,
  namesIn,
  percentOf,
  type RemovedRecords,
  unorderedJson,
} from './changes.js';
import { type Compared, pairRecords } from './pairs.js';

/** Bytes of records that are compared between two yields: a fraction of a millisecond. */
const STEP_BYTES = 1 << 14;
/** Records between two yields of loops that read their list items. */
const STEP_ITEMS = 32;
/** Rows between two yields of loops that read no record. */
const STEP_ROWS = 1024;

/** `hasOwnIds`: no record of either dataset was given its id by position. */
export function* compareCollections(before: Compared, after: Compared, hasOwnIds: boolean): Generator<void, Changes> {
  const { pairing, earlierRows, isDoubtful } = yield* pairRecords(before, after, hasOwnIds);
  const isPaired = new Uint8Array(before.size);
  const log = new ChangeLog(before, after, isDoubtful);
  let added = 0;
  let isSame = before.size === after.size;
  let bytes = 0;
  // In the order of rows, in which records stand side by side.
  for (let row = 0; row < after.size; row++) {
    const earlierRow = earlierRows[row]!;
    if (earlierRow !== row) isSame = false;
    if (earlierRow === -1) added++;
    else {
      isPaired[earlierRow] = 1;
      const [earlier, later] = [recordJson(before.text, earlierRow, 'whole'), recordJson(after.text, row, 'whole')];
      if (!earlier.equals(later)) log.compare(row, earlier, later);
      bytes += earlier.length;
    }
    log.endRow(row);
    if (++bytes < STEP_BYTES) continue;
    bytes = 0;
    yield;
  }
  const changedByTitle = yield* byTitle(after, log.changedCount, log.isChanged);
  const { fieldCounts, ...changes } = yield* log.finish(changedByTitle);
  const { changedRows } = changes;
  const addedRows = yield* byTitle(after, added, (row) => earlierRows[row] === -1);
  const unchanged = after.size - added - changedRows.length;
  const removedCount = before.size - changedRows.length - unchanged;
  const removedRows = yield* byTitle(before, Math.min(removedCount, MAX_REMOVED_ITEMS), (row) => isPaired[row] === 0);
  const titles = new FoldedTextsBuilder();
  yield* addTitles(titles, after, changedRows);
  yield* addTitles(titles, after, addedRows);
  yield* addTitles(titles, before, removedRows);
  return {
    model: log.model,
    pairing,
    columns: columnChanges(before, after),
    counts: {
      added,
      removed: removedCount,
      changed: changedRows.length,
      unchanged,
      fields: fieldCounts,
    },
    ...changes,
    addedRows,
    removed: yield* removedRecords(before, removedRows),
    titles: titles.finish(),
    isSame: isSame && changedRows.length === 0,
  };
}

/** The later model, with the fields that only the earlier one has behind its own. A field whose form is another now is compared as text. */
function modelOfBoth(before: CollectionModel, after: CollectionModel): CollectionModel {
  const earlierField = (name: string) => before.fields.find((field) => field.name === name);
  const fields = after.fields.map((field): Field => {
    const earlier = earlierField(field.name);
    return earlier === undefined || changeFormOf(earlier) === changeFormOf(field) ? field : { ...field, kind: 'text' };
  });
  return { ...after, fields: [...fields, ...before.fields.filter(({ name }) => !hasField(after, name))] };
}

/** The columns that have values in one of the datasets only. Both must have records. */
function columnChanges(before: Compared, after: Compared): readonly ColumnChange[] {
  if (before.size === 0 || after.size === 0) return [];
  const filledCount = ({ model, missing, size }: Compared, name: string): number =>
    hasField(model, name) ? size - (missing.get(name)?.count ?? 0) : 0;
  return modelOfBoth(before.model, after.model).fields.flatMap(({ name }): ColumnChange[] => {
    const [earlier, later] = [filledCount(before, name), filledCount(after, name)];
    if (earlier > 0 === later > 0) return [];
    return [{ field: name, is: later > 0 ? 'new' : 'gone', records: Math.max(earlier, later) }];
  });
}

/** The first `count` rows by title that meet a condition. */
function* byTitle(
  { orders, size: all }: Compared,
  count: number,
  isWanted: (row: number) => boolean,
): Generator<void, Uint32Array> {
  const rows = new Uint32Array(count);
  const order = orders.get('title')?.rows;
  let size = 0;
  for (let i = 0; i < all && size < count; i++) {
    const row = order === undefined ? i : order[i]!;
    if (isWanted(row)) rows[size++] = row;
    if (i % STEP_ROWS === 0) yield;
  }
  return rows;
}

const SIZE_DIGIT_BITS = 11;
const SIZE_DIGIT_VALUES = 1 << SIZE_DIGIT_BITS;
const MAX_SIZE = 2 ** (2 * SIZE_DIGIT_BITS) - 1;

/** Rows by their sizes, the largest first; equal ones keep their order. A radix sort of two digits, which can pause anywhere. */
function* largestFirst(rows: Uint32Array, sizesByRow: Uint32Array): Generator<void, Uint32Array> {
  let from = { rows, sizes: new Uint32Array(rows.length) };
  for (let i = 0; i < rows.length; i++) {
    from.sizes[i] = sizesByRow[rows[i]!]!;
    if (i % STEP_ROWS === 0) yield;
  }
  for (const shift of [0, SIZE_DIGIT_BITS]) {
    const digitAt = (i: number): number => ((MAX_SIZE - from.sizes[i]!) >>> shift) & (SIZE_DIGIT_VALUES - 1);
    const ends = new Uint32Array(SIZE_DIGIT_VALUES + 1);
    for (let i = 0; i < rows.length; i++) {
      ends[digitAt(i) + 1]!++;
      if (i % STEP_ROWS === 0) yield;
    }
    for (let digit = 1; digit < ends.length; digit++) ends[digit]! += ends[digit - 1]!;
    const to = { rows: new Uint32Array(rows.length), sizes: new Uint32Array(rows.length) };
    for (let i = 0; i < rows.length; i++) {
      const place = ends[digitAt(i)]!++;
      to.rows[place] = from.rows[i]!;
      to.sizes[place] = from.sizes[i]!;
      if (i % STEP_ROWS === 0) yield;
    }
    from = to;
  }
  return from.rows;
}

/**
 * The size of a change, 22 bits: a price is above other numbers, and these above texts. A number counts by hundredths of its
 * percentage: `8 → 10` is 2,500. One without a percentage, as from 0, counts as doubled.
 */
function changeSize({ kind, role }: Field, from: number, to: number): number {
  if (!isNumeric(kind)) return 0;
  const percent = percentOf(from, to);
  const hundredths = percent === null ? DOUBLED : Math.round(Math.abs(percent) * 100);
  return (role === 'price' ? PRICE_SIZE : NUMBER_SIZE) + Math.min(MAX_HUNDREDTHS, hundredths);
}

const PRICE_SIZE = 2 << 20;
const NUMBER_SIZE = 1 << 20;
const MAX_HUNDREDTHS = (1 << 20) - 1;
const DOUBLED = 10_000;

const CHUNK_CHANGES = 1 << 14;

/** The changes of rows, which are compared in their order. */
class ChangeLog {
  readonly model: CollectionModel;
  /** Per field of the model: its index in both collections, -1 where one has none of its name. */
  readonly #earlierFields: readonly number[];
  readonly #laterFields: readonly number[];
  readonly #isDoubtful: Uint8Array;
  readonly #earlier: Members;
  readonly #later: Members;
  readonly #counts: { changed: number; up: number; down: number }[];
  /** The changes of row r are those from `starts[r]` to `starts[r + 1]`, excluded. */
  readonly #starts: Uint32Array;
  /** By row: the size of its largest change. */
  readonly #sizes: Uint32Array;
  /** The number of rows that changed. */
  changedCount = 0;
  /** Per change its field, old and new value, in chunks, which are never copied. */
  readonly #chunks: Float64Array[] = [];
  readonly #oldValues: unknown[] = [];
  /** The number of changes. */
  #changes = 0;

  constructor(before: Compared, after: Compared, isDoubtful: Uint8Array) {
    this.model = modelOfBoth(before.model, after.model);
    const { fields } = this.model;
    const indexesIn = ({ model }: Compared) =>
      fields.map(({ name }) => model.fields.findIndex((field) => field.name === name));
    this.#earlierFields = indexesIn(before);
    this.#laterFields = indexesIn(after);
    this.#isDoubtful = isDoubtful;
    this.#earlier = new Members(before.model);
    this.#later = new Members(after.model);
    this.#counts = fields.map(() => ({ changed: 0, up: 0, down: 0 }));
    this.#starts = new Uint32Array(after.size + 1);
    this.#sizes = new Uint32Array(after.size);
  }

  compare(row: number, earlierRecord: Buffer<ArrayBuffer>, laterRecord: Buffer<ArrayBuffer>): void {
    const [earlier, later] = [this.#earlier.read(earlierRecord), this.#later.read(laterRecord)];
    for (let field = 0; field < this.#earlierFields.length; field++) {
      const earlierField = this.#earlierFields[field]!;
      const laterField = this.#laterFields[field]!;
      if (field === ID_FIELD || later.isSame(laterField, earlier, earlierField)) continue;
      const [from, to] = [earlier.value(earlierField), later.value(laterField)];
      if (from !== to) this.#compareValues(row, field, from, to);
    }
  }

  /** Ends a row, whether or not it was compared. */
  endRow(row: number): void {
    this.#starts[row + 1] = this.#changes;
    if (this.isChanged(row)) this.changedCount++;
  }

  readonly isChanged = (row: number): boolean => this.#starts[row]! < this.#starts[row + 1]!;

  /** Adds the change of a field, unless both values are the same list of names, or the same JSON. */
  #compareValues(row: number, field: number, from: unknown, to: unknown): void {
    const form = changeFormOf(this.model.fields[field]!);
    const counts = this.#counts[field]!;
    let [old, now] = [0, 0];
    if (form === 'number') {
      [old, now] = [numberIn(from), numberIn(to)];
      if (now > old) counts.up++;
      if (now < old) counts.down++;
      this.#sizes[row] = Math.max(this.#sizes[row]!, this.#sizeOf(row, field, old, now));
    } else if (form === 'list' ? areSameNames(namesIn(from), namesIn(to)) : areSameValues(from, to)) return;
    else old = this.#oldValues.push(from) - 1;
    counts.changed++;
    const place = 3 * (this.#changes++ % CHUNK_CHANGES);
    if (place === 0) this.#chunks.push(new Float64Array(3 * CHUNK_CHANGES));
    const chunk = this.#chunks[this.#chunks.length - 1]!;
    chunk[place] = field;
    chunk[place + 1] = old;
    chunk[place + 2] = now;
  }

  /** The size of a change; of a doubtful pair, that of the smallest change. */
  #sizeOf(row: number, field: number, from: number, to: number): number {
    return this.#isDoubtful[row] === 1 ? 0 : changeSize(this.model.fields[field]!, from, to);
  }

  /** The changes, the largest first; equal ones in the order of the given rows, which are those of all changed records. */
  *finish(rows: Uint32Array) {
    const changedRows = yield* largestFirst(rows, this.#sizes);
    const starts = new Uint32Array(rows.length + 1);
    const isDoubtful = new Uint8Array(rows.length);
    const fields = new Uint16Array(this.#changes);
    const olds = new Float64Array(this.#changes);
    const news = new Float64Array(this.#changes);
    let at = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = changedRows[i]!;
      isDoubtful[i] = this.#isDoubtful[row]!;
      for (let change = this.#starts[row]!; change < this.#starts[row + 1]!; change++) {
        const chunk = this.#chunks[Math.floor(change / CHUNK_CHANGES)]!;
        const place = 3 * (change % CHUNK_CHANGES);
        fields[at] = chunk[place]!;
        olds[at] = chunk[place + 1]!;
        news[at++] = chunk[place + 2]!;
      }
      starts[i + 1] = at;
      if (i % STEP_ROWS === 0) yield;
    }
    const counted = this.model.fields.map(({ name }, field): [string, FieldCounts] => [name, this.#counts[field]!]);
    return {
      fieldCounts: new Map(counted.filter(([, { changed }]) => changed > 0)),
      ...{ changedRows, starts, fields, olds, news, oldValues: this.#oldValues },
      isDoubtful,
    };
  }
}

const areSameNames = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((name) => b.has(name));

/** Whether values differ by their spelling at most: in the order of members and elements, or as the text "5" from the number 5. */
const areSameValues = (a: unknown, b: unknown): boolean =>
  a !== null &&
  b !== null &&
  (typeof a === 'object' && typeof b === 'object'
    ? unorderedJson(a) === unorderedJson(b)
    : comparedText(a) === comparedText(b));

const comparedText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** The removed records as their list items. */
function* removedRecords({ ids, text }: Compared, rows: Uint32Array): Generator<void, RemovedRecords> {
  const removedIds = new Float64Array(rows.length);
  const items: string[] = [];
  for (let i = 0; i < rows.length; i++) {
    removedIds[i] = idOfRow(ids, rows[i]!);
    items.push(recordJson(text, rows[i]!, 'item').toString());
    if (i % STEP_ITEMS === 0) yield;
  }
  return { ids: removedIds, items };
}

/** Adds the titles of rows. */
function* addTitles(titles: FoldedTextsBuilder, { text }: Compared, rows: Uint32Array): Generator<void, void> {
  for (let i = 0; i < rows.length; i++) {
    const item = unclosedItem(text, rows[i]!);
    titles.addJson(item, ...titleSpan(item));
    if (i % STEP_ITEMS === 0) yield;
  }
}
