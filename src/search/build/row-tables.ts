/** What is known of each row once its record is measured. */
import { float64, narrow } from '../../growable.js';
import { count, grouped } from '../../text.js';
import { IndexLimitError } from '../limits.js';
import { normOf } from '../scoring.js';
import type { RankingParameters, RowLengths, RowTables } from '../tables.js';

/** A gap of so many rows and a posting's mask are one number of 32 bits. */
const MAX_ROWS = 1 << 24;

/** `recordStarts[row]` is 0 where a row has no record; `fieldStarts` has as many numbers a row as there are weights. */
export function rowTables(
  recordStarts: Uint32Array,
  lengths: Uint32Array,
  fieldStarts: Uint32Array,
  weights: readonly number[],
  ranking: RankingParameters,
): RowTables {
  const rows = lengths.length;
  if (rows > MAX_ROWS)
    throw new IndexLimitError(`expected at most ${count(MAX_ROWS, 'record')} to search in, found ${grouped(rows)}`);
  let documents = 0;
  let total = 0;
  let longest = 0;
  for (let row = 0; row < rows; row++) {
    if (recordStarts[row] === 0) continue;
    const length = lengths[row]!;
    documents++;
    total += length;
    if (length > longest) longest = length;
  }
  const kept = narrow(rows, longest + 1);
  for (let row = 0; row < rows; row++) kept[row] = recordStarts[row] === 0 ? longest + 1 : lengths[row]!;
  const known: RowLengths = {
    ...ranking,
    documents,
    lengths: kept,
    longest,
    meanLength: total === 0 ? 1 : total / documents,
  };
  const lastStart = fieldStarts.reduce((last, start) => Math.max(last, start), 0);
  const starts = narrow(fieldStarts.length, lastStart);
  starts.set(fieldStarts);
  return { ...known, rows, fieldStarts: starts, fieldWeights: weights };
}

/** The norm of each length: in a nearer cache than one for each row would be. */
export function normsByLength(known: RowLengths): Float64Array {
  const norms = float64(known.longest + 1);
  for (let length = 0; length < norms.length; length++) norms[length] = normOf(known, length);
  return norms;
}
