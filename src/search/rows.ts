/** What is known of each row once all records are inverted. */
import { float64, type Narrow, narrow } from '../growable.js';
import { count, grouped } from '../text.js';
import type { Inversion } from './inverter.js';
import { IndexLimitError } from './limits.js';
import type { IndexTables, PostingTables, RowLengths, WordTables } from './tables.js';

/** A gap of so many rows and a posting's two bits of frequency are one number far below 2^31. */
const MAX_ROWS = 1 << 24;

export function rowLengths({ parts, rowOf, ranking }: Inversion): RowLengths {
  const longest = parts.reduce((most, part) => part.lengths.reduce(larger, most), 0);
  const lengths = narrow(countRows(rowOf), longest + 1).fill(longest + 1);
  let shortest = longest;
  let total = 0;
  let documents = 0;
  let record = 0;
  for (const part of parts) {
    for (let i = 0; i < part.records; i++) {
      const row = rowOf[record++]!;
      const length = part.lengths[i]!;
      if (row < 0) continue;
      lengths[row] = length;
      if (length < shortest) shortest = length;
      total += length;
      documents++;
    }
  }
  return { ...ranking, documents, lengths, longest, shortest, meanLength: total === 0 ? 1 : total / documents };
}

const larger = (a: number, b: number): number => (a > b ? a : b);

function countRows(rowOf: Int32Array): number {
  const rows = rowOf.reduce(larger, -1) + 1;
  if (rows > MAX_ROWS)
    throw new IndexLimitError(`expected at most ${count(MAX_ROWS, 'record')} to search in, found ${grouped(rows)}`);
  return rows;
}

/** k1 · (1 - b + b · length / mean length). */
const normOf = ({ k1, b, meanLength }: RowLengths, length: number): number => k1 * (1 - b + (b * length) / meanLength);

/** Writes the norm of every row, Infinity where a row has no record. */
export function writeNorms(known: RowLengths, norms: Float64Array): void {
  const { lengths, longest } = known;
  for (let row = 0; row < lengths.length; row++) {
    const length = lengths[row]!;
    norms[row] = length > longest ? Number.POSITIVE_INFINITY : normOf(known, length);
  }
}

/** The norm of each length that rows with a record have: in a nearer cache than one for each row would be. */
export function normsByLength(known: RowLengths): Float64Array {
  const { lengths, longest } = known;
  const norms = float64(longest + 2);
  for (let row = 0; row < lengths.length; row++) norms[lengths[row]!] = normOf(known, lengths[row]!);
  return norms;
}

/** All of an index that is not about terms. */
export type RowTables = Omit<IndexTables, keyof PostingTables | keyof WordTables>;

export function rowTables(inversion: Inversion): RowTables {
  const known = rowLengths(inversion);
  const { documents, shortest } = known;
  return {
    ...known,
    rows: known.lengths.length,
    leastNorm: documents === 0 ? Number.POSITIVE_INFINITY : normOf(known, shortest),
    fieldStarts: fieldStartsOf(inversion, known.lengths.length),
    fieldWeights: inversion.weights,
  };
}

function fieldStartsOf({ parts, rowOf, weights }: Inversion, rows: number): Narrow {
  const fields = weights.length;
  const last = parts.reduce((most, { lastStart }) => larger(most, lastStart), 0);
  const starts = narrow(rows * fields, last);
  let record = 0;
  for (const { records, fieldStarts } of parts) {
    for (let i = 0; i < records * fields; i += fields) {
      const row = rowOf[record++]!;
      if (row < 0) continue;
      for (let field = 0; field < fields; field++) starts[row * fields + field] = fieldStarts[i + field]!;
    }
  }
  return starts;
}
