/**
 * Pairs the records of two datasets that are the same record. Ids pair them if both dumps have ids of their own. Else the
 * address of the article or picture does, if it is unique in both; then title and author pair the remaining records, in
 * order; where a collection has neither, first those of the same contents. Yields after every few rows.
 */
import { roleIndex } from '../../model.js';
import type { RecordStore } from '../collection.js';
import { idOfRow, rowOfId } from '../ids.js';
import { itemOf, unclosedItem } from '../record-text.js';
import { addressField, type Pairing } from './changes.js';
import { Members, NULL_JSON } from './members.js';

export type Compared = Pick<RecordStore, 'model' | 'size' | 'text' | 'ids' | 'orders'>;

/** Rows between two yields, each of which costs less than a microsecond by id, and a few by other fields; a map of a million keys that grows costs 0.1 s. */
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
  const pairs = new Int32Array(after.size).fill(-1);
  const isPaired = new Uint8Array(before.size);
  if (address !== null) {
    const earlierRows = yield* uniqueRows(before, address);
    const laterRows = yield* uniqueRows(after, address);
    for (const [key, row] of laterRows) {
      const earlierRow = earlierRows.get(key) ?? SEVERAL;
      if (row !== SEVERAL && earlierRow !== SEVERAL) {
        pairs[row] = earlierRow;
        isPaired[earlierRow] = 1;
      }
      if (row % STEP_PAIRS === 0) yield;
    }
  }
  // Without names, records that are as they were tell which of the others may be the same.
  if (NAME_ROLES.every((role) => roleIndex(after.model, role) === -1))
    yield* pairRest(before, after, pairs, isPaired, contentsOf);
  yield* pairRest(before, after, pairs, isPaired, namesOf);
  return pairs;
}

/** The row of an address that several records have. */
const SEVERAL = -1;

/** The row of each address, as JSON has it, that one record has. */
function* uniqueRows(collection: Compared, address: string): Generator<void, Map<string, number>> {
  const rows = new Map<string, number>();
  const members = new Members(collection.model);
  const field = collection.model.fields.findIndex(({ name }) => name === address);
  for (let row = 0; row < collection.size; row++) {
    const key = members.read(unclosedItem(collection.text, row)).json(field);
    if (key !== NULL_JSON) rows.set(key, rows.get(key) === undefined ? row : SEVERAL);
    if (row % STEP_PAIRS === 0) yield;
  }
  return rows;
}

/** Pairs the records of one key that have no pair: the first of both datasets, then the second, and so on. */
function* pairRest(
  before: Compared,
  after: Compared,
  pairs: Int32Array,
  isPaired: Uint8Array,
  keysOf: (collection: Compared) => (row: number) => string,
): Generator<void, void> {
  // Per key a linked list of the unpaired earlier rows: its first row, and in `nextRows` the one behind each row.
  const firstRows = new Map<string, number>();
  const nextRows = new Int32Array(before.size);
  const earlierKey = keysOf(before);
  for (let row = before.size - 1; row >= 0; row--) {
    if (row % STEP_PAIRS === 0) yield;
    if (isPaired[row] === 1) continue;
    const key = earlierKey(row);
    nextRows[row] = firstRows.get(key) ?? -1;
    firstRows.set(key, row);
  }
  const laterKey = keysOf(after);
  for (let row = 0; row < after.size; row++) {
    if (row % STEP_PAIRS === 0) yield;
    if (pairs[row] !== -1) continue;
    const key = laterKey(row);
    const earlierRow = firstRows.get(key) ?? -1;
    if (earlierRow === -1) continue;
    pairs[row] = earlierRow;
    isPaired[earlierRow] = 1;
    firstRows.set(key, nextRows[earlierRow]!);
  }
}

const NAME_ROLES = ['title', 'author'] as const;

/** The title and author of a row as JSON has them. */
function namesOf({ model, text }: Compared): (row: number) => string {
  const members = new Members(model);
  const fields = NAME_ROLES.map((role) => roleIndex(model, role));
  return (row) => {
    members.read(unclosedItem(text, row));
    return fields.map((field) => members.json(field)).join();
  };
}

/** All of a row's list item but its id. */
const contentsOf =
  ({ text }: Compared) =>
  (row: number): string =>
    itemOf(text, row)
      .toString()
      .replace(/^[^,]*/, '');
