/** The tables of an index that have an entry for each row: lengths, and where fields begin. Made once all records are measured. */
import { bytesFor, float64, greatest, narrow, narrowIn } from '../../arrays.js';
import { count, grouped } from '../../text.js';
import type { SharedWasmMemory } from '../../wasm.js';
import { MAX_ROWS, normOf } from '../scoring.js';
import type { RankingParameters, RowLengths, RowTables } from '../tables.js';
import { IndexLimitError, type WorkMemory } from '../work-memory.js';

/**
 * `recordStarts[row]` is 0 where a row has no record; `fieldStarts` has one number for each row and field, which kernels of queries
 * read in `tablesMemory`.
 */
export function rowTables(
  recordStarts: Uint32Array,
  lengths: Uint32Array,
  fieldStarts: Uint32Array,
  weights: readonly number[],
  ranking: RankingParameters,
  tablesMemory: WorkMemory<SharedWasmMemory>,
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
  const narrowLengths = narrow(rows, longest + 1);
  for (let row = 0; row < rows; row++) narrowLengths[row] = recordStarts[row] === 0 ? longest + 1 : lengths[row]!;
  const rowLengths: RowLengths = {
    ...ranking,
    documents,
    lengths: narrowLengths,
    longest,
    meanLength: total === 0 ? 1 : total / documents,
  };
  const lastStart = greatest(fieldStarts);
  const bytes = bytesFor(lastStart);
  const at = tablesMemory.allocate(bytes * fieldStarts.length);
  const starts = narrowIn(tablesMemory.memory.buffer, at, bytes, fieldStarts.length);
  starts.set(fieldStarts);
  return { ...rowLengths, rows, fieldStarts: starts, fieldWeights: weights };
}

/** The norm of each length. A table by length fits a nearer cache than a table by row. */
export function normsByLength(rowLengths: RowLengths): Float64Array {
  const norms = float64(rowLengths.longest + 1);
  for (let length = 0; length < norms.length; length++) norms[length] = normOf(rowLengths, length);
  return norms;
}
