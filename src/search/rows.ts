/** What is known of each row once all records are inverted. */
import { float64, type Narrow, narrow } from '../growable.js';
import { count, grouped } from '../text.js';
import type { Inversion, Inverted } from './inverter.js';
import { IndexLimitError } from './limits.js';
import type { IndexTables, PostingTables, RowLengths, WordTables } from './tables.js';

/** A gap of so many rows and a posting's two bits of frequency are one number far below 2^31. */
const MAX_ROWS = 1 << 24;

export function rowLengths(inversion: Inversion): RowLengths {
  const { parts, ranking } = inversion;
  const longest = Math.max(0, ...parts.map((part) => part.longest));
  const shortest = Math.min(longest, ...parts.map((part) => part.shortest));
  const lengths = narrow(countRows(inversion), longest + 1).fill(longest + 1);
  putByRow(inversion, (part) => part.lengths, 1, lengths);
  const { documents, total } = totalOf(inversion, lengths, longest);
  return { ...ranking, documents, lengths, longest, shortest, meanLength: total === 0 ? 1 : total / documents };
}

/** Puts so many numbers of each record where its row has them. */
function putByRow(
  { parts, rowOf, inOrder }: Inversion,
  numbersOf: (part: Inverted) => Uint32Array,
  each: number,
  into: Narrow,
): void {
  let record = 0;
  for (const part of parts) {
    const numbers = numbersOf(part);
    // Of many records much faster than a loop that runs once.
    if (inOrder) into.set(numbers, record * each);
    for (let i = 0; i < numbers.length && !inOrder; i++) {
      const row = rowOf[record + Math.floor(i / each)]!;
      if (row >= 0) into[row * each + (i % each)] = numbers[i]!;
    }
    record += part.records;
  }
}

/** How many records have a row, and how long they are together. */
function totalOf({ parts, rowOf, inOrder }: Inversion, lengths: Narrow, longest: number) {
  if (inOrder) return { documents: rowOf.length, total: parts.reduce((sum, part) => sum + part.total, 0) };
  let [documents, total] = [0, 0];
  for (const length of lengths) {
    if (length > longest) continue;
    documents++;
    total += length;
  }
  return { documents, total };
}

function countRows({ rowOf, inOrder }: Inversion): number {
  const rows = inOrder ? rowOf.length : rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
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

/** The norm of each length: in a nearer cache than one for each row would be. */
export function normsByLength(known: RowLengths): Float64Array {
  const norms = float64(known.longest + 1);
  for (let length = 0; length < norms.length; length++) norms[length] = normOf(known, length);
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

function fieldStartsOf(inversion: Inversion, rows: number): Narrow {
  const { parts, weights } = inversion;
  const starts = narrow(rows * weights.length, Math.max(0, ...parts.map(({ lastStart }) => lastStart)));
  putByRow(inversion, (part) => part.fieldStarts, weights.length, starts);
  return starts;
}
