/**
 * Pairs the records of two datasets that are the same record. Ids pair them if both dumps have ids of their own. Else the
 * address of the article or picture does, if it is unique in both; then title and author pair the remaining records, in
 * order. Yields after every few rows.
 */
import { fieldIndex, roleIndex } from '../../model.js';
import type { RecordStore } from '../collection.js';
import { DistinctNumbers } from '../distinct-numbers.js';
import { idOfRow, rowOfId } from '../ids.js';
import { addressField, type Pairing } from './changes.js';
import { RecordReader } from './record-reader.js';
import { ValueSpans } from './value-spans.js';

export type Compared = Pick<RecordStore, 'model' | 'size' | 'text' | 'ids' | 'orders'>;

/** Rows between two yields, each of which costs less than a microsecond by id, and a few by other fields. */
const STEP_ROWS = 64;

/** Per later row: the earlier one, or -1. */
export function pairRows(before: Compared, after: Compared, pairing: Pairing): Generator<void, Int32Array> {
  return pairing.by === 'id' ? byId(before, after) : byAddress(before, after, pairing.field);
}

function* byId(before: Compared, after: Compared): Generator<void, Int32Array> {
  const pairs = new Int32Array(after.size);
  for (let row = 0; row < after.size; row++) {
    pairs[row] = rowOfId(before.ids, idOfRow(after.ids, row));
    if (row % STEP_ROWS === 0) yield;
  }
  return pairs;
}

function* byAddress(before: Compared, after: Compared, address: string | null): Generator<void, Int32Array> {
  const { model } = after;
  const pairs = new Int32Array(after.size).fill(-1);
  const isPaired = new Uint8Array(before.size);
  if (address !== null) {
    const field = fieldIndex(model, address);
    const [earlier, later] = [yield* keysOf(before, [field]), yield* keysOf(after, [field])];
    const room = before.size + after.size;
    const table = new DistinctNumbers(room);
    const [earlierRows, laterRows] = [new Int32Array(room), new Int32Array(room)];
    yield* findUnique(table, earlier, earlierRows);
    yield* findUnique(table, later, laterRows);
    for (let code = 0; code < table.size; code++) {
      const [from, to] = [earlierRows[code]! - 1, laterRows[code]! - 1];
      if (from >= 0 && to >= 0) {
        pairs[to] = from;
        isPaired[from] = 1;
      }
      if (code % STEP_ROWS === 0) yield;
    }
  }
  yield* pairRest(before, after, pairs, isPaired);
  return pairs;
}

/** Pairs records of the same title and author: the first of both datasets, then the second, and so on. */
function* pairRest(before: Compared, after: Compared, pairs: Int32Array, isPaired: Uint8Array): Generator<void, void> {
  const fields = [fieldIndex(after.model, 'title'), roleIndex(after.model, 'author')];
  const earlier = yield* keysOf(before, fields, (row) => isPaired[row] === 0);
  const later = yield* keysOf(after, fields, (row) => pairs[row] === -1);
  const table = new DistinctNumbers(before.size + after.size);
  // Per key a linked list of unpaired rows: `firsts` has the first row + 1, `nexts` the next row + 1.
  const firsts = new Int32Array(before.size + after.size);
  const nexts = new Int32Array(before.size);
  for (let row = before.size - 1; row >= 0; row--) {
    if (row % STEP_ROWS === 0) yield;
    if (Number.isNaN(earlier[row]!)) continue;
    const code = table.codeOf(earlier[row]!);
    nexts[row] = firsts[code]!;
    firsts[code] = row + 1;
  }
  for (let row = 0; row < after.size; row++) {
    if (row % STEP_ROWS === 0) yield;
    if (Number.isNaN(later[row]!)) continue;
    const code = table.codeOf(later[row]!);
    const first = firsts[code]! - 1;
    if (first < 0) continue;
    pairs[row] = first;
    firsts[code] = nexts[first]!;
  }
}

const TWICE = -1;

/** Sets `rows[code]` of each key to its row + 1, or to `TWICE` if several rows have the key; 0 remains if no row has it. */
function* findUnique(table: DistinctNumbers, keys: Float64Array, rows: Int32Array): Generator<void, void> {
  for (let row = 0; row < keys.length; row++) {
    if (row % STEP_ROWS === 0) yield;
    if (Number.isNaN(keys[row]!)) continue;
    const code = table.codeOf(keys[row]!);
    rows[code] = rows[code] === 0 ? row + 1 : TWICE;
  }
}

/**
 * Per row: a hash of 53 bits of the values of some fields. NaN if the first of them is missing, or `isWanted` is false. Hashes
 * may collide: `ChangeLog` compares the values of each pair.
 */
function* keysOf(
  { model, size, text }: Compared,
  fields: readonly number[],
  isWanted: (row: number) => boolean = () => true,
): Generator<void, Float64Array> {
  const keys = new Float64Array(size);
  const reader = new RecordReader(text, size);
  const spans = new ValueSpans(model);
  const count = Math.max(...fields) + 1;
  const first = fields[0] ?? 0;
  for (let row = 0; row < size; row++) {
    if (row % STEP_ROWS === 0) yield;
    keys[row] = Number.NaN;
    if (!isWanted(row)) continue;
    reader.read(row);
    spans.find(reader.bytes, reader.at, count);
    if (spans.ends[first] !== 0) keys[row] = hashOf(reader.bytes, spans, fields);
  }
  return keys;
}

/** Two hashes side by side, each a multiplication for each byte (FNV-1a, draft-eastlake-fnv, and one with a rotation). */
function hashOf(bytes: Uint8Array, { starts, ends }: ValueSpans, fields: readonly number[]): number {
  let high = 0x811c_9dc5;
  let low = 0x2545_f491;
  for (const field of fields) {
    for (let at = starts[field]!; at < ends[field]!; at++) {
      high = Math.imul(high ^ bytes[at]!, 0x0100_0193);
      low = Math.imul(((low << 13) | (low >>> 19)) ^ bytes[at]!, 0x85eb_ca6b);
    }
    high = Math.imul(high ^ 0xff, 0x0100_0193);
  }
  return (high >>> 0) * 0x20_0000 + (low >>> 11);
}

/** How records are paired: by id only where both datasets' ids are the dumps' own. */
export const pairingOf = (model: Compared['model'], hasOwnIds: boolean): Pairing =>
  hasOwnIds ? { by: 'id' } : { by: 'address', field: addressField(model)?.name ?? null };
