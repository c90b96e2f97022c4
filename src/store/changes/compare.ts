/**
 * Compares a collection with an earlier one. Records whose JSON texts are equal are unchanged; the others are walked field
 * by field. Yields after every few records, so that the thread can serve in between.
 *
 * A field is unchanged where its canonical values are equal: a missing value is a null, and a list is a set of names.
 */
import { LINE_FEED } from '../../ascii.js';
import { float64, uint8, uint32, withRoom } from '../../growable.js';
import { type CollectionModel, fieldIndex, isNumeric, roleIndex } from '../../model.js';
import { type FoldedTexts, FoldedTextsBuilder } from '../folded-texts.js';
import { idOfRow } from '../ids.js';
import { itemOf } from '../record-text.js';
import {
  type ChangeForm,
  type Changes,
  changeFormOf,
  type FieldCounts,
  MAX_REMOVED_ITEMS,
  type Pairing,
  percentOf,
  type RemovedRecords,
} from './changes.js';
import { type Compared, pairRows } from './pairs.js';
import { RecordReader } from './record-reader.js';
import { ValueSpans } from './value-spans.js';

/** Bytes of records that are compared between two yields: a fraction of a millisecond. */
const STEP_BYTES = 1 << 14;
/** Rows between two yields of loops that read hardly any record. */
const STEP_ROWS = 1024;

export function* compareCollections(before: Compared, after: Compared, pairing: Pairing): Generator<void, Changes> {
  const pairs = yield* pairRows(before, after, pairing);
  const log = new ChangeLog(before, after, pairing);
  const isKept = new Uint8Array(before.size);
  // Per later row: 0 where it is unchanged, `ADDED`, or the number of its changed record + 1.
  const outcomes = new Int32Array(after.size);
  let added = 0;
  let isSame = before.size === after.size;
  let bytes = 0;
  for (let row = 0; row < after.size; row++) {
    const earlierRow = pairs[row]!;
    const outcome = earlierRow < 0 ? ADDED : log.compare(earlierRow, row);
    outcomes[row] = outcome;
    if (outcome === ADDED) added++;
    else isKept[earlierRow] = 1;
    if (earlierRow !== row || outcome !== 0) isSame = false;
    bytes += after.text.lengths[row]!;
    if (bytes < STEP_BYTES) continue;
    bytes = 0;
    yield;
  }
  const unchanged = after.size - added - log.size;
  const removed = before.size - log.size - unchanged;
  const counts = { added, removed, changed: log.size, unchanged, fields: log.fieldCounts() };
  const removedRows = yield* inTitleOrder(before, Math.min(removed, MAX_REMOVED_ITEMS), (row) => isKept[row] === 0);
  const changedByTitle = yield* inTitleOrder(after, log.size, (row) => outcomes[row]! > 0);
  const changedRows = yield* sortedBySize(changedByTitle, (row) => log.sizeOf(outcomes[row]! - 1));
  const addedRows = yield* inTitleOrder(after, added, (row) => outcomes[row] === ADDED);
  return {
    pairing,
    counts,
    changedRows,
    addedRows,
    ...(yield* log.finish(changedRows, (row) => outcomes[row]! - 1)),
    removed: yield* removedRecords(before, removedRows),
    titles: yield* foldedTitles([
      [after, changedRows],
      [after, addedRows],
      [before, removedRows],
    ]),
    isSame,
  };
}

const ADDED = -1;

/** The first `count` rows for which `isWanted` is true, by title. */
function* inTitleOrder(
  { orders, size }: Compared,
  count: number,
  isWanted: (row: number) => boolean,
): Generator<void, Uint32Array> {
  const rows = new Uint32Array(count);
  const byTitle = orders.get('title')?.rows;
  let filled = 0;
  for (let i = 0; i < size && filled < count; i++) {
    const row = byTitle === undefined ? i : byTitle[i]!;
    if (isWanted(row)) rows[filled++] = row;
    if (i % STEP_ROWS === 0) yield;
  }
  return rows;
}

const DIGIT_BITS = 11;
const DIGIT_VALUES = 1 << DIGIT_BITS;
const MAX_SIZE = 2 ** (2 * DIGIT_BITS) - 1;

/** Rows by their sizes, the largest first; equal ones keep their order. A radix sort of two digits, which can pause anywhere. */
function* sortedBySize(rows: Uint32Array, sizeOf: (row: number) => number): Generator<void, Uint32Array> {
  let from = rows;
  for (const shift of [0, DIGIT_BITS]) {
    const digitOf = (row: number): number => ((MAX_SIZE - sizeOf(row)) >>> shift) & (DIGIT_VALUES - 1);
    const ends = new Uint32Array(DIGIT_VALUES + 1);
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
const PRICE_SIZE = 2 << 20;
const NUMBER_SIZE = 1 << 20;
const MAX_HUNDREDTHS = (1 << 20) - 1;
const DOUBLED = 10_000;

/** The changes of changed records, in row order. */
class ChangeLog {
  /** The number of changed records. */
  size = 0;
  private readonly model: CollectionModel;
  private readonly forms: readonly ChangeForm[];
  private readonly before: RecordReader;
  private readonly after: RecordReader;
  private readonly oldSpans: ValueSpans;
  private readonly newSpans: ValueSpans;
  /** Per field: the number of records that changed in it, and of those whose number rose, and fell. */
  private readonly changed: Uint32Array;
  private readonly up: Uint32Array;
  private readonly down: Uint32Array;
  /** Per field: whether the record compared last changed in it. */
  private readonly isChanged: Uint8Array;
  /** Groups of fields: in a pair that is not by id, one of the groups must be equal. */
  private readonly keyFields: readonly (readonly number[])[];
  private starts = uint32(0);
  private fields = uint8(0);
  private olds = float64(0);
  private news = float64(0);
  private used = 0;
  private texts = uint8(0);
  private textBytes = 0;

  constructor(before: Compared, after: Compared, pairing: Pairing) {
    const { model } = after;
    this.model = model;
    this.forms = model.fields.map(changeFormOf);
    this.before = new RecordReader(before.text, before.size);
    this.after = new RecordReader(after.text, after.size);
    this.oldSpans = new ValueSpans(model);
    this.newSpans = new ValueSpans(model);
    const count = model.fields.length;
    this.changed = new Uint32Array(count);
    this.up = new Uint32Array(count);
    this.down = new Uint32Array(count);
    this.isChanged = new Uint8Array(count);
    this.keyFields = pairing.by === 'id' ? [] : keyFieldsOf(model, pairing.field);
  }

  /** 0 where the records are the same, the number of the changed record + 1, or `ADDED` where they are no pair. */
  compare(earlierRow: number, laterRow: number): number {
    const { before, after, oldSpans, newSpans, isChanged } = this;
    before.read(earlierRow);
    after.read(laterRow);
    if (isEqual(before.bytes, before.at, before.end, after.bytes, after.at, after.end)) return 0;
    oldSpans.find(before.bytes, before.at);
    newSpans.find(after.bytes, after.at);
    let changes = 0;
    // The first field is the id.
    for (let field = 1; field < isChanged.length; field++) {
      isChanged[field] = this.isFieldChanged(field) ? 1 : 0;
      changes += isChanged[field]!;
    }
    const { keyFields } = this;
    if (keyFields.length > 0 && keyFields.every((fields) => fields.some((field) => isChanged[field] === 1)))
      return ADDED;
    if (changes === 0) return 0;
    this.starts = withRoom(this.starts, this.size + 1, uint32);
    this.starts[this.size++] = this.used;
    for (let field = 1; field < isChanged.length; field++) if (isChanged[field] === 1) this.add(field);
    return this.size;
  }

  private isFieldChanged(field: number): boolean {
    const { before, after, oldSpans, newSpans } = this;
    const [from, to] = [oldSpans.starts[field]!, oldSpans.ends[field]!];
    const [newFrom, newTo] = [newSpans.starts[field]!, newSpans.ends[field]!];
    if (isEqual(before.bytes, from, to, after.bytes, newFrom, newTo)) return false;
    if (this.forms[field] !== 'list') return true;
    const [old, now] = [namesIn(before.bytes, from, to), namesIn(after.bytes, newFrom, newTo)];
    return old.size !== now.size || [...old].some((name) => !now.has(name));
  }

  private add(field: number): void {
    const { before, after, oldSpans, newSpans } = this;
    const form = this.forms[field]!;
    const [from, to] = [oldSpans.starts[field]!, oldSpans.ends[field]!];
    const [newFrom, newTo] = [newSpans.starts[field]!, newSpans.ends[field]!];
    let old = this.textBytes;
    let now = 0;
    if (form === 'number') {
      old = numberIn(before.bytes, from, to);
      now = numberIn(after.bytes, newFrom, newTo);
      if (now > old) this.up[field]!++;
      if (now < old) this.down[field]!++;
    } else this.addText(before.bytes, from, to);
    this.changed[field]!++;
    this.fields = withRoom(this.fields, this.used + 1, uint8);
    this.olds = withRoom(this.olds, this.used + 1, float64);
    this.news = withRoom(this.news, this.used + 1, float64);
    this.fields[this.used] = field;
    this.news[this.used] = now;
    this.olds[this.used++] = old;
  }

  private addText(bytes: Buffer, from: number, to: number): void {
    const [source, start, end] = to === 0 ? [NULL_TEXT, 0, NULL_TEXT.length] : [bytes, from, to];
    this.texts = withRoom(this.texts, this.textBytes + end - start + 1, uint8);
    const { texts } = this;
    let at = this.textBytes;
    for (let i = start; i < end; i++) texts[at++] = source[i]!;
    texts[at++] = LINE_FEED;
    this.textBytes = at;
  }

  /** The size of a changed record's largest change. */
  sizeOf(record: number): number {
    const { starts, fields, olds, news, model } = this;
    const end = record + 1 < this.size ? starts[record + 1]! : this.used;
    let size = 0;
    for (let change = starts[record]!; change < end; change++) {
      const { kind, role } = model.fields[fields[change]!]!;
      if (!isNumeric(kind)) continue;
      const percent = percentOf(olds[change]!, news[change]!);
      const hundredths = percent === null ? DOUBLED : Math.abs(percent) * 100;
      const base = role === 'price' ? PRICE_SIZE : NUMBER_SIZE;
      size = Math.max(size, base + Math.min(MAX_HUNDREDTHS, Math.round(hundredths)));
    }
    return size;
  }

  fieldCounts(): ReadonlyMap<string, FieldCounts> {
    const counted = this.model.fields.map(
      ({ name }, field) =>
        [name, { changed: this.changed[field]!, up: this.up[field]!, down: this.down[field]! }] as const,
    );
    return new Map(counted.filter(([, { changed }]) => changed > 0));
  }

  /** The changes in the order of `rows`; `recordOf(row)` is the number of the row's changed record. */
  *finish(
    rows: Uint32Array,
    recordOf: (row: number) => number,
  ): Generator<void, Pick<Changes, 'starts' | 'fields' | 'olds' | 'news' | 'oldTexts'>> {
    const starts = new Uint32Array(this.size + 1);
    const fields = new Uint8Array(this.used);
    const olds = new Float64Array(this.used);
    const news = new Float64Array(this.used);
    let at = 0;
    for (let i = 0; i < rows.length; i++) {
      const record = recordOf(rows[i]!);
      starts[i] = at;
      const end = record + 1 < this.size ? this.starts[record + 1]! : this.used;
      for (let change = this.starts[record]!; change < end; change++) {
        fields[at] = this.fields[change]!;
        news[at] = this.news[change]!;
        olds[at++] = this.olds[change]!;
      }
      if (i % STEP_ROWS === 0) yield;
    }
    starts[this.size] = at;
    return { starts, fields, olds, news, oldTexts: this.texts.subarray(0, this.textBytes) };
  }
}

const NULL_TEXT = Buffer.from('null');

/** Groups of fields of which one must be equal in two records paired by a hash, since hashes may collide. */
const keyFieldsOf = (model: CollectionModel, address: string | null): readonly (readonly number[])[] => [
  ...(address === null ? [] : [[fieldIndex(model, address)]]),
  [fieldIndex(model, 'title'), roleIndex(model, 'author')],
];

/** Below this a loop takes less time than a call of the runtime. */
const MIN_NATIVE_BYTES = 96;

function isEqual(a: Buffer, aFrom: number, aTo: number, b: Buffer, bFrom: number, bTo: number): boolean {
  const length = aTo - aFrom;
  if (length !== bTo - bFrom) return false;
  if (length > MIN_NATIVE_BYTES) return a.compare(b, bFrom, bTo, aFrom, aTo) === 0;
  for (let i = 0; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}

/** The number of a JSON text; NaN where there is none. */
const numberIn = (bytes: Buffer, from: number, to: number): number =>
  to === 0 ? Number.NaN : Number(bytes.toString('latin1', from, to));

const namesIn = (bytes: Buffer, from: number, to: number): ReadonlySet<string> =>
  new Set(to === 0 ? [] : namesOf(bytes.toString('utf8', from, to)));

/** The texts of a JSON list; an empty list for any other JSON. */
export function namesOf(json: string): readonly string[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

function* removedRecords({ ids, text }: Compared, rows: Uint32Array): Generator<void, RemovedRecords> {
  const removedIds = new Float64Array(rows.length);
  const starts = new Uint32Array(rows.length + 1);
  let items = uint8(0);
  let used = 0;
  for (let i = 0; i < rows.length; i++) {
    const item = itemOf(text, rows[i]!);
    removedIds[i] = idOfRow(ids, rows[i]!);
    items = withRoom(items, used + item.length, uint8);
    items.set(item, used);
    used += item.length;
    starts[i + 1] = used;
    if (i % STEP_ITEMS === 0) yield;
  }
  return { ids: removedIds, starts, items: items.subarray(0, used) };
}

/** Records between two yields of loops that read them in title order. */
const STEP_ITEMS = 32;

function* foldedTitles(lists: readonly (readonly [Compared, Uint32Array])[]): Generator<void, FoldedTexts> {
  const titles = new FoldedTextsBuilder();
  for (const [{ model, size, text }, rows] of lists) {
    const reader = new RecordReader(text, size);
    const spans = new ValueSpans(model);
    const title = fieldIndex(model, 'title');
    for (let i = 0; i < rows.length; i++) {
      reader.read(rows[i]!);
      spans.find(reader.bytes, reader.at, title + 1);
      const { bytes } = reader;
      const [start, end] = [spans.starts[title]!, spans.ends[title]!];
      titles.add(bytes, start + 1, end - 1, () => String(JSON.parse(bytes.toString('utf8', start, end))));
      if (i % STEP_ITEMS === 0) yield;
    }
  }
  return titles.finish();
}
