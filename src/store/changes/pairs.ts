/**
 * Pairs the records of two datasets that are the same record. Ids pair them if both dumps have ids of their own. Else the
 * address of the article or picture does, if it is unique in both; then title and author pair the remaining records, in
 * order; where a collection has neither, first those of the same contents. Yields after every few rows.
 */
import { ByteTable } from '../../byte-table.js';
import { roleIndex } from '../../model.js';
import { COMMA } from '../../text.js';
import { sourceOf } from '../chunks.js';
import type { RecordStore } from '../collection.js';
import { idOfRow, rowOfId } from '../ids.js';
import { Members } from '../members.js';
import { unclosedItem } from '../record-text.js';
import { addressField, type Pairing } from './changes.js';

export type Compared = Pick<RecordStore, 'model' | 'size' | 'text' | 'ids' | 'orders'>;

/** Rows between two yields. A row takes less than a microsecond by id, and a few by other fields, unless the table of keys grows. */
const STEP_PAIRS = 64;

/** How records are paired: by id only where both datasets' ids are the dumps' own. */
export const pairingOf = (model: Compared['model'], hasOwnIds: boolean): Pairing =>
  hasOwnIds ? { by: 'id' } : { by: 'address', field: addressField(model)?.name ?? null };

/** Per later row: the earlier one, or -1. */
export function pairRows(before: Compared, after: Compared, pairing: Pairing): Generator<void, Int32Array> {
  return pairing.by === 'id' ? byId(before, after) : byAddress(before, after, pairing.field);
}

function* byId(before: Compared, after: Compared): Generator<void, Int32Array> {
  const pairs = new Int32Array(after.size);
  for (let row = 0; row < after.size; row++) {
    pairs[row] = rowOfId(before.ids, idOfRow(after.ids, row));
    if (row % STEP_PAIRS === 0) yield;
  }
  return pairs;
}

function* byAddress(before: Compared, after: Compared, address: string | null): Generator<void, Int32Array> {
  const earlier = { collection: before, pairs: new Int32Array(before.size).fill(NO_ROW) };
  const later = { collection: after, pairs: new Int32Array(after.size).fill(NO_ROW) };
  if (address !== null) yield* pairByKey(earlier, later, addressesIn(address), true);
  // Without names, records that are as they were tell which of the others may be the same.
  if (NAME_ROLES.every((role) => roleIndex(after.model, role) === -1)) yield* pairByKey(earlier, later, contentsOf);
  yield* pairByKey(earlier, later, namesOf);
  return later.pairs;
}

const NO_ROW = -1;

/** A dataset, and per row that of the other dataset with which it is a pair. */
interface Side {
  readonly collection: Compared;
  readonly pairs: Int32Array;
}

/** Gives the bytes by which each row is paired, none where it cannot be. */
type KeysOf = (collection: Compared) => (row: number) => Buffer;

/**
 * Pairs the records of one key that have no pair: the first of both datasets, then the second, and so on; if `isUnique`, only
 * those whose key no other record of their dataset has.
 */
function* pairByKey(earlier: Side, later: Side, keysOf: KeysOf, isUnique = false): Generator<void, void> {
  const keys = new ByteTable();
  const addKey = (key: Buffer): number => keys.codeOf(sourceOf(key), 0, key.length);
  const findKey = (key: Buffer): number => keys.find(sourceOf(key), 0, key.length);
  const earlierRows = yield* unpairedRows(earlier, keysOf(earlier.collection), addKey, earlier.collection.size);
  const laterRows = yield* unpairedRows(later, keysOf(later.collection), findKey, keys.size);
  for (let code = 0; code < keys.size; code++) {
    if (code % STEP_PAIRS === 0) yield;
    let [earlierRow, row] = [earlierRows.first[code]!, laterRows.first[code]!];
    if (isUnique && (earlierRows.next[earlierRow] !== NO_ROW || laterRows.next[row] !== NO_ROW)) continue;
    while (earlierRow !== NO_ROW && row !== NO_ROW) {
      if (row % STEP_PAIRS === 0) yield;
      earlier.pairs[earlierRow] = row;
      later.pairs[row] = earlierRow;
      [earlierRow, row] = [earlierRows.next[earlierRow]!, laterRows.next[row]!];
    }
  }
}

/**
 * The unpaired rows of each key as a linked list: `first` by the key's code, and in `next` the one behind each row. Keys without a code
 * (-1) are left out.
 */
function* unpairedRows(
  { collection, pairs }: Side,
  keyOf: (row: number) => Buffer,
  codeOf: (key: Buffer) => number,
  maxKeys: number,
) {
  const first = new Int32Array(maxKeys).fill(NO_ROW);
  const next = new Int32Array(collection.size);
  for (let row = collection.size - 1; row >= 0; row--) {
    if (row % STEP_PAIRS === 0) yield;
    if (pairs[row] !== NO_ROW) continue;
    const key = keyOf(row);
    if (key.length === 0) continue;
    const code = codeOf(key);
    if (code < 0) continue;
    next[row] = first[code]!;
    first[code] = row;
  }
  return { first, next };
}

/** The address of a row as JSON has it. */
const addressesIn =
  (address: string): KeysOf =>
  ({ model, text }) => {
    const members = new Members(model);
    const field = model.fields.findIndex(({ name }) => name === address);
    return (row) => members.read(unclosedItem(text, row)).textBytes(field);
  };

const NAME_ROLES = ['title', 'author'] as const;

/** The title and author of a row as JSON has them. */
const namesOf: KeysOf = ({ model, text }) => {
  const members = new Members(model);
  const fields = NAME_ROLES.map((role) => roleIndex(model, role));
  return (row) => {
    members.read(unclosedItem(text, row));
    return Buffer.from(fields.map((field) => members.json(field)).join());
  };
};

/** All of a row's list item but its id and what closes it. */
const contentsOf: KeysOf =
  ({ text }) =>
  (row) => {
    const item = unclosedItem(text, row);
    return item.subarray(item.indexOf(COMMA), -1);
  };
