/**
 * Pairs the records of two datasets that are the same record. Integer ids pair them if both dumps have ids of their own. Else an
 * identity does: a field that is filled, and different, in every record of both. Without one, records of the same contents are
 * pairs first, then those of the same title and author, in order. Yields after every few rows.
 *
 *     earlier: A-1,Vase,6     later: A-2,Vase,9     by the codes, one price rose: 8 → 9;
 *              A-2,Vase,8            A-1,Vase,6     by titles, it would seem that two changed
 */
import { ByteTable } from '../../byte-table.js';
import { COMMA, QUOTE } from '../../kernels/ascii.js';
import { type Field, fieldIndex, roleIndex } from '../../model.js';
import { sourceOf } from '../chunks.js';
import { idOfRow, rowOfId } from '../ids.js';
import { Members, NO_PIECE } from '../members.js';
import { recordJson, unclosedItem } from '../record-text.js';
import type { Compared, Pairing } from './changes.js';

export interface RecordPairs {
  readonly pairing: Pairing;
  /** By later row: the earlier one, or -1. */
  readonly earlierRows: Int32Array;
  /** By later row: 1 if another pair is as likely, because the title and author repeat. */
  readonly isDoubtful: Uint8Array;
}

/** Rows between two yields. A row takes less than a microsecond by id, and a few by other fields, unless the table of keys grows. */
const STEP_PAIRS = 64;
export const NOT_PAIRED = -1;

export function* pairRecords(before: Compared, after: Compared, hasOwnIds: boolean): Generator<void, RecordPairs> {
  const isDoubtful = new Uint8Array(after.size);
  if (hasOwnIds) return { pairing: { by: 'id' }, earlierRows: yield* byId(before, after), isDoubtful };
  const identity = yield* identityIn(before, after);
  if (identity === null) return yield* byNames(before, after);
  return { pairing: { by: 'field', field: identity.name }, earlierRows: identity.earlierRows, isDoubtful };
}

function* byId(before: Compared, after: Compared): Generator<void, Int32Array> {
  const earlierRows = new Int32Array(after.size);
  for (let row = 0; row < after.size; row++) {
    earlierRows[row] = rowOfId(before.ids, idOfRow(after.ids, row));
    if (row % STEP_PAIRS === 0) yield;
  }
  return earlierRows;
}

/**
 * The identity of two datasets: a field of an id's name (`sku`) before others, then the one with the most values in common, which
 * must be half. Titles that differ in every record go before another field of which fewer values stayed: a stock of 7, 5 and 9
 * pieces tells records apart on one day, and is another on the next.
 */
function* identityIn(before: Compared, after: Compared): Generator<void, Identity | null> {
  const minCommon = Math.max(1, Math.min(before.size, after.size) / 2);
  let [namedAsId, other]: [Identity | null, Identity | null] = [null, null];
  for (const field of after.model.fields) {
    if (!mayBeIdentity(before, after, field)) continue;
    const identity = yield* identityBy(before, after, field.name, valueKeysOf(field.name));
    if (identity === null) continue;
    if (field.isNamedAsId) namedAsId = largerOf(namedAsId, identity);
    else if (identity.common >= minCommon && !(yield* isPosition(before, after, field)))
      other = largerOf(other, identity);
  }
  if (namedAsId !== null || other === null) return namedAsId;
  const names = yield* identityBy(before, after, 'title', namesOf);
  return names !== null && names.common > other.common ? null : other;
}

interface Identity {
  readonly name: string;
  readonly earlierRows: Int32Array;
  /** The number of values that both datasets have; not 0. */
  readonly common: number;
}

const largerOf = (one: Identity | null, other: Identity): Identity =>
  one === null || other.common > one.common ? other : one;

/** Whether a field has a value in every record of both datasets, and values of a kind that stands for records. */
function mayBeIdentity(before: Compared, after: Compared, { name, isNamedAsId }: Field): boolean {
  return [before, after].every(({ model, missing, size }) => {
    const field = model.fields.find((one) => one.name === name);
    if (name === 'id' || field === undefined || size === 0 || (missing.get(name)?.count ?? 0) > 0) return false;
    if (field.kind === 'code' || field.kind === 'url') return true;
    if (field.kind === 'integer') return isNamedAsId === true || isPlainNumber(field);
    return isNamedAsId === true && field.kind === 'text';
  });
}

/**
 * Whether a field's numbers may stand for records. Amounts do not: the numbers of documented fields (which have no `sourcePath`), money,
 * percentages, lengths.
 */
const isPlainNumber = ({ sourcePath, role, currency, isPercent, unit, part }: Field): boolean =>
  sourcePath !== undefined && [role, currency, isPercent, unit, part].every((one) => one === undefined);

/** Whether a column numbers the records of a dataset: its numbers, which differ, have no gap. */
function* isPosition(before: Compared, after: Compared, { name, kind }: Field): Generator<void, boolean> {
  for (const dataset of kind === 'integer' ? [before, after] : []) {
    const keyOf = valueKeysOf(name)(dataset);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < dataset.size; row++) {
      if (row % STEP_PAIRS === 0) yield;
      const number = Number(keyOf(row));
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
    if (most - least === dataset.size - 1) return true;
  }
  return false;
}

/** The pairs of a key that every record of both datasets has, and no two of one share; null if that is not so, or there is no pair. */
function* identityBy(
  before: Compared,
  after: Compared,
  name: string,
  keysOf: KeysOf,
): Generator<void, Identity | null> {
  const [earlier, later] = [sideOf(before), sideOf(after)];
  const isRepeated = yield* pairByKey(earlier, later, keysOf, true);
  const common = later.pairs.reduce((sum, row) => (row === NOT_PAIRED ? sum : sum + 1), 0);
  return isRepeated === null || common === 0 ? null : { name, earlierRows: later.pairs, common };
}

function* byNames(before: Compared, after: Compared): Generator<void, RecordPairs> {
  const [earlier, later] = [sideOf(before), sideOf(after)];
  yield* pairByKey(earlier, later, contentsOf);
  const isDoubtful = (yield* pairByKey(earlier, later, namesOf)) ?? new Uint8Array(after.size);
  const repeated = isDoubtful.reduce((sum, bit) => sum + bit, 0);
  return { pairing: { by: 'names', repeated }, earlierRows: later.pairs, isDoubtful };
}

/** A dataset, and per row that of the other dataset with which it is a pair. */
interface Side {
  readonly dataset: Compared;
  readonly pairs: Int32Array;
}

const sideOf = (dataset: Compared): Side => ({ dataset, pairs: new Int32Array(dataset.size).fill(NOT_PAIRED) });

/** Gives the bytes by which each row is paired, none where it cannot be. */
type KeysOf = (dataset: Compared) => (row: number) => Buffer;

/**
 * Pairs the records of one key that have no pair: the first of both datasets, then the second, and so on. Returns by later row
 * whether it was paired by a key that another record of either dataset has; null where keys `mustDiffer`, and do not.
 */
function* pairByKey(
  earlier: Side,
  later: Side,
  keysOf: KeysOf,
  mustDiffer = false,
): Generator<void, Uint8Array | null> {
  const keys = new ByteTable();
  const maxKeys = earlier.dataset.size + later.dataset.size;
  const earlierRows = yield* unpairedRows(earlier, keysOf, keys, maxKeys, mustDiffer);
  if (earlierRows === null) return null;
  const laterRows = yield* unpairedRows(later, keysOf, keys, maxKeys, mustDiffer);
  if (laterRows === null) return null;
  const isRepeated = new Uint8Array(later.dataset.size);
  for (let code = 0; code < keys.size; code++) {
    if (code % STEP_PAIRS === 0) yield;
    const repeats = earlierRows.counts[code]! > 1 || laterRows.counts[code]! > 1 ? 1 : 0;
    let [earlierRow, row] = [earlierRows.first[code]!, laterRows.first[code]!];
    while (earlierRow !== NOT_PAIRED && row !== NOT_PAIRED) {
      if (row % STEP_PAIRS === 0) yield;
      earlier.pairs[earlierRow] = row;
      later.pairs[row] = earlierRow;
      isRepeated[row] = repeats;
      [earlierRow, row] = [earlierRows.next[earlierRow]!, laterRows.next[row]!];
    }
  }
  return isRepeated;
}

/**
 * The unpaired rows of each key as a linked list: `first` by the key's code, and in `next` the one behind each row; and the number
 * of all rows of each key. Null where keys `mustDiffer`, and a row has none, or that of another.
 */
function* unpairedRows(
  { dataset, pairs }: Side,
  keysOf: KeysOf,
  keys: ByteTable,
  maxKeys: number,
  mustDiffer: boolean,
) {
  const first = new Int32Array(maxKeys).fill(NOT_PAIRED);
  const counts = new Uint32Array(maxKeys);
  const next = new Int32Array(dataset.size);
  const keyOf = keysOf(dataset);
  for (let row = dataset.size - 1; row >= 0; row--) {
    if (row % STEP_PAIRS === 0) yield;
    const key = keyOf(row);
    if (mustDiffer && key.length === 0) return null;
    if (key.length === 0) continue;
    const code = keys.codeOf(sourceOf(key), 0, key.length);
    counts[code]!++;
    if (mustDiffer && counts[code]! > 1) return null;
    if (pairs[row] !== NOT_PAIRED) continue;
    next[row] = first[code]!;
    first[code] = row;
  }
  return { first, next, counts };
}

/** The value of a field that every record has, as JSON but without quotes: the code `"12"` is the number 12. */
const valueKeysOf =
  (name: string): KeysOf =>
  ({ model, text }) => {
    const members = new Members(model);
    const field = fieldIndex(model, name);
    return (row) => {
      const value = members.read(recordJson(text, row, 'whole'), field).bytes(field);
      return value[0] === QUOTE ? value.subarray(1, -1) : value;
    };
  };

/** The title and author of a record as JSON; no key where it has no title. */
const namesOf: KeysOf = ({ model, text }) => {
  const members = new Members(model);
  const [title, author] = [roleIndex(model, 'title'), roleIndex(model, 'author')];
  return (row) => {
    const { record, start, end } = members.read(unclosedItem(text, row)).textPiece(title);
    return end - start <= EMPTY_TEXT.length
      ? NO_PIECE.record
      : Buffer.concat([record.subarray(start, end), Buffer.from(members.json(author))]);
  };
};

const EMPTY_TEXT = '""';

/** All of a row's record but its id. */
const contentsOf: KeysOf =
  ({ text }) =>
  (row) => {
    const record = recordJson(text, row, 'whole');
    return record.subarray(record.indexOf(COMMA));
  };

/** Reads the key by which a record is recognised when it comes back; the same for every dump that is paired by this rule. */
export function keyReader(pairing: Pairing, store: Compared): (row: number) => string {
  if (pairing.by === 'id') return (row) => String(idOfRow(store.ids, row));
  const keyOf = pairing.by === 'field' ? valueKeysOf(pairing.field)(store) : namesOf(store);
  return (row) => keyOf(row).toString();
}
