/**
 * From sequences (row → terms in order) to postings (term → rows with frequencies): a counting sort over the codes.
 * A posting's frequency is BM25F's: the occurrences in every field times the field's weight, added up; a record's
 * length is the same sum over all terms (Robertson & Zaragoza 2009, section 3.6).
 */
import { type Bits, createBits } from '../bits.js';
import { BREAK, type PositionTables, PositionWriter, positionSize } from './positions.js';
import { besideCode, firstTermCode, GAP, readCodes, type Sequences } from './sequence.js';
import type { IndexTables, RankingParameters } from './tables.js';

/** A term that more than one record in this many holds gets its rows as bits too. */
const FREQUENT_SHARE = 16;

/** A frequency of this or more stands beside the posting. */
export const LARGE_FREQUENCY = 255;

type Postings = Pick<IndexTables, 'offsets' | 'postings' | 'largeAt' | 'largeFrequencies'>;
type Norms = Pick<IndexTables, 'norms' | 'leastNorm'>;
type Saturations = Pick<IndexTables, 'mostSaturation'>;
type FrequentTerms = Pick<IndexTables, 'bitsOfTerm' | 'frequentBits'>;
type Inversion = Postings & PositionTables & Norms & Saturations & FrequentTerms & Pick<IndexTables, 'fieldStarts'>;

export function invert(
  sequences: Sequences,
  terms: number,
  weights: readonly number[],
  ranking: RankingParameters,
): Inversion {
  const counts = countPostings(sequences, terms, weights);
  const postings = placePostings(sequences, counts, weights);
  const norms = normsOf(counts.lengths, sequences, ranking);
  return {
    ...postings,
    ...norms,
    ...saturationsOf(postings, norms.norms),
    ...frequentBits(postings, sequences.starts.length - 1),
    fieldStarts: counts.fieldStarts,
  };
}

interface Counts {
  /** Term t will have the postings `offsets[t] .. offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  /** Its positions will take the bytes `positionOffsets[t] .. positionOffsets[t + 1]`. */
  readonly positionOffsets: Uint32Array;
  readonly lengths: Float64Array;
  readonly fieldStarts: Uint32Array;
}

/** What a pass knows of a term, side by side for the cache: the row seen last, plus 1; the position there; two counts. */
const ROW = 0;
const POSITION = 1;
const POSTINGS = 2;
const SIZE = 3;

/** First pass: how many records hold each term, the size of its positions, every record's weighted length. */
function countPostings(sequences: Sequences, terms: number, weights: readonly number[]): Counts {
  const { bytes, starts } = sequences;
  const rows = starts.length - 1;
  const fields = weights.length;
  const firstTerm = firstTermCode(fields);
  const beside = besideCode(fields);
  const state = new Uint32Array(terms * 4);
  const lengths = new Float64Array(rows);
  const fieldStarts = new Uint32Array(rows * fields).fill(0xffffffff);
  const codes = new Uint32Array(longestSpan(starts));
  for (let row = 0; row < rows; row++) {
    const count = readCodes(bytes, starts[row]!, starts[row + 1]!, codes);
    let weight = 0;
    let length = 0;
    let position = 0;
    for (let i = 0; i < count; i++) {
      const code = codes[i]!;
      if (code < firstTerm) {
        position += BREAK;
        if (code === beside) weight = 0;
        else if (code !== GAP) {
          weight = weights[code - 1]!;
          fieldStarts[row * fields + code - 1] = position;
        }
        continue;
      }
      const at = (code - firstTerm) * 4;
      length += weight;
      let difference = position;
      if (state[at + ROW] === row + 1) difference -= state[at + POSITION]!;
      else {
        state[at + ROW] = row + 1;
        state[at + POSTINGS]!++;
      }
      state[at + SIZE]! += difference < 64 ? 1 : positionSize(difference);
      state[at + POSITION] = position++;
    }
    lengths[row] = length;
  }
  return { offsets: runningSums(state, POSTINGS), positionOffsets: runningSums(state, SIZE), lengths, fieldStarts };
}

/** Where each term's part begins if every term takes as much as its state says. */
function runningSums(state: Uint32Array, entry: number): Uint32Array {
  const sums = new Uint32Array(state.length / 4 + 1);
  for (let term = 0; term + 1 < sums.length; term++) sums[term + 1] = sums[term]! + state[term * 4 + entry]!;
  return sums;
}

/** No row has more codes than bytes. */
function longestSpan(starts: Uint32Array): number {
  let longest = 0;
  for (let row = 0; row + 1 < starts.length; row++) longest = Math.max(longest, starts[row + 1]! - starts[row]!);
  return longest;
}

/** Second pass: every posting to its place, ascending rows by the order of the pass. */
function placePostings(sequences: Sequences, counts: Counts, weights: readonly number[]): Postings & PositionTables {
  const { bytes, starts } = sequences;
  const { offsets } = counts;
  const rows = starts.length - 1;
  const terms = offsets.length - 1;
  const firstTerm = firstTermCode(weights.length);
  const beside = besideCode(weights.length);
  const postings = new Uint32Array(offsets[terms]!);
  const positions = new PositionWriter(counts.positionOffsets[terms]!, postings.length);
  const state = new Uint32Array(terms * 4);
  for (let term = 0; term < terms; term++) {
    state[term * 4 + POSTINGS] = offsets[term]!;
    state[term * 4 + SIZE] = counts.positionOffsets[term]!;
  }
  const codes = new Uint32Array(longestSpan(starts));
  const large = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    const count = readCodes(bytes, starts[row]!, starts[row + 1]!, codes);
    let weight = 0;
    let position = 0;
    for (let i = 0; i < count; i++) {
      const code = codes[i]!;
      if (code < firstTerm) {
        position += BREAK;
        if (code !== GAP && code !== beside) weight = weights[code - 1]!;
        continue;
      }
      const at = (code - firstTerm) * 4;
      if (state[at + ROW] !== row + 1) {
        state[at + ROW] = row + 1;
        const posting = state[at + POSTINGS]!++;
        postings[posting] = (row << 8) | weight;
        state[at + SIZE] = positions.writeFirst(state[at + SIZE]!, position, posting);
      } else {
        const posting = state[at + POSTINGS]! - 1;
        if ((postings[posting]! & 255) + weight < LARGE_FREQUENCY) postings[posting]! += weight;
        else addLarge(large, postings, posting, weight);
        state[at + SIZE] = positions.write(state[at + SIZE]!, position - state[at + POSITION]!, 0);
      }
      state[at + POSITION] = position++;
    }
  }
  const largeAt = Uint32Array.from(large.keys()).sort();
  const largeFrequencies = largeAt.map((at) => large.get(at)!);
  return { offsets, postings, largeAt, largeFrequencies, ...positions.finish(codes.length) };
}

function addLarge(large: Map<number, number>, postings: Uint32Array, at: number, weight: number): void {
  large.set(at, (large.get(at) ?? postings[at]! & 255) + weight);
  postings[at]! |= LARGE_FREQUENCY;
}

function normsOf(lengths: Float64Array, sequences: Sequences, { k1, b }: RankingParameters): Norms {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const mean = total === 0 ? 1 : total / sequences.documents;
  const norms = new Float64Array(lengths.length);
  let leastNorm = Number.POSITIVE_INFINITY;
  for (let row = 0; row < norms.length; row++) {
    norms[row] = sequences.hasRecord[row] === 1 ? k1 * (1 - b + (b * lengths[row]!) / mean) : Number.POSITIVE_INFINITY;
    if (norms[row]! < leastNorm) leastNorm = norms[row]!;
  }
  return { norms, leastNorm };
}

/** The exact frequency of a posting that holds the largest a byte can. */
export function largeFrequency({ largeAt, largeFrequencies }: Postings, at: number): number {
  let from = 0;
  let to = largeAt.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (largeAt[middle]! < at) from = middle + 1;
    else to = middle;
  }
  return largeFrequencies[from]!;
}

/** A bound one part in a million above the greatest f / (f + norm) of every term. */
function saturationsOf(tables: Postings, norms: Float64Array): Saturations {
  const { offsets, postings } = tables;
  const terms = offsets.length - 1;
  const mostSaturation = new Float32Array(terms);
  for (let term = 0; term < terms; term++) {
    let most = 0;
    const end = offsets[term + 1]!;
    for (let at = offsets[term]!; at < end; at++) {
      const posting = postings[at]!;
      let frequency = posting & 255;
      if (frequency === LARGE_FREQUENCY) frequency = largeFrequency(tables, at);
      const saturation = frequency / (frequency + norms[posting >>> 8]!);
      if (saturation > most) most = saturation;
    }
    mostSaturation[term] = most * (1 + 1e-6);
  }
  return { mostSaturation };
}

function frequentBits({ offsets, postings }: Postings, rows: number): FrequentTerms {
  const terms = offsets.length - 1;
  const bitsOfTerm = new Int32Array(terms).fill(-1);
  const frequent: Bits[] = [];
  for (let term = 0; term < terms; term++) {
    if ((offsets[term + 1]! - offsets[term]!) * FREQUENT_SHARE <= rows) continue;
    bitsOfTerm[term] = frequent.length;
    const bits = createBits(rows);
    for (let at = offsets[term]!; at < offsets[term + 1]!; at++) {
      const row = postings[at]! >>> 8;
      bits[row >>> 5]! |= 1 << (row & 31);
    }
    frequent.push(bits);
  }
  return { bitsOfTerm, frequentBits: frequent };
}
