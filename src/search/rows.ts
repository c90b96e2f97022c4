/** What is known of each row once all records are inverted. */
import { float64, int32, roomFor, scratch } from '../growable.js';
import { type Inversion, type Inverted, NOWHERE } from './inverter.js';
import type { IndexTables, PostingTables, WordTables } from './tables.js';

/** A gap of so many rows and a posting's two bits of frequency are one number far below 2^31. */
const MAX_ROWS = 1 << 24;

/** The record of every row, -1 where a row has none. */
function recordsByRow(rowOf: Int32Array): Int32Array {
  let rows = 0;
  for (const row of rowOf) rows = Math.max(rows, row + 1);
  if (rows > MAX_ROWS) throw new RangeError(`an index holds at most ${MAX_ROWS} rows, found ${rows}`);
  const records = int32(roomFor(rows, 4)).subarray(0, rows).fill(-1);
  rowOf.forEach((row, record) => {
    if (row >= 0) records[row] = record;
  });
  return records;
}

/** The norm of every row, Infinity where a row has no record; written to `norms`. */
function normsOf({ parts, ranking: { k1, b } }: Inversion, byRow: Int32Array, norms: Float64Array): Float64Array {
  const lengths = joined(parts, (part) => part.lengths);
  let total = 0;
  let documents = 0;
  for (const record of byRow) {
    if (record < 0) continue;
    total += lengths[record]!;
    documents++;
  }
  const mean = total === 0 ? 1 : total / documents;
  norms.fill(Number.POSITIVE_INFINITY);
  byRow.forEach((record, row) => {
    if (record >= 0) norms[row] = k1 * (1 - b + (b * lengths[record]!) / mean);
  });
  return norms;
}

/** The norms for work of a while: their memory goes back to the system in whole. */
export function scratchNorms(inversion: Inversion): Float64Array {
  const byRow = recordsByRow(inversion.rowOf);
  return normsOf(inversion, byRow, float64(roomFor(byRow.length, 8)).subarray(0, byRow.length));
}

/** All of an index that is not about terms. */
export type RowTables = Omit<IndexTables, keyof PostingTables | keyof WordTables>;

export function rowTables(inversion: Inversion): RowTables {
  const byRow = recordsByRow(inversion.rowOf);
  const norms = normsOf(inversion, byRow, new Float64Array(byRow.length));
  return {
    rows: byRow.length,
    documents: byRow.reduce((sum, record) => sum + (record >= 0 ? 1 : 0), 0),
    k1: inversion.ranking.k1,
    norms,
    leastNorm: norms.reduce((least, norm) => Math.min(least, norm), Number.POSITIVE_INFINITY),
    fieldStarts: fieldStartsOf(inversion, byRow),
    fieldWeights: inversion.weights,
  };
}

function fieldStartsOf({ parts, weights }: Inversion, byRow: Int32Array): Uint32Array {
  const ofRecords = joined(parts, (part) => part.fieldStarts);
  const fields = weights.length;
  const starts = new Uint32Array(byRow.length * fields).fill(NOWHERE);
  byRow.forEach((record, row) => {
    if (record < 0) return;
    for (let field = 0; field < fields; field++) starts[row * fields + field] = ofRecords[record * fields + field]!;
  });
  return starts;
}

/** What the parts know of their records, one part after the other. */
function joined(parts: readonly Inverted[], of: (part: Inverted) => Uint32Array): Uint32Array {
  const arrays = parts.map(of);
  const all = scratch(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
