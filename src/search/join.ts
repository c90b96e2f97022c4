/** Blocks of terms that were laid out by themselves → the tables of all terms. */
import type { TermBlock } from './layout.js';
import type { PostingTables } from './tables.js';

/** Takes the blocks of all terms, in their order. */
export function joinBlocks(blocks: readonly TermBlock[]): PostingTables {
  const total = (size: (block: TermBlock) => number): number => blocks.reduce((sum, block) => sum + size(block), 0);
  const terms = total(({ firstRanges }) => firstRanges.length);
  const ranges = total(({ rangeMost }) => rangeMost.length);
  const tables = {
    documentFrequencies: new Uint32Array(terms),
    mostSaturation: new Float32Array(terms),
    rangeBits: new Uint8Array(terms),
    firstRanges: new Uint32Array(terms),
    postingStarts: new Uint32Array(ranges + 1),
    positionStarts: new Uint32Array(ranges + 1),
    rangeMost: new Uint8Array(ranges),
    postings: new Uint8Array(total(({ postings }) => postings.length)),
    positions: new Uint8Array(total(({ positions }) => positions.length)),
  };
  const at = { term: 0, range: 0, posting: 0, position: 0 };
  for (const block of blocks) {
    tables.documentFrequencies.set(block.documentFrequencies, at.term);
    tables.mostSaturation.set(block.mostSaturation, at.term);
    tables.rangeBits.set(block.rangeBits, at.term);
    setFrom(tables.firstRanges, at.term, block.firstRanges, at.range);
    setFrom(tables.postingStarts, at.range, block.postingStarts, at.posting);
    setFrom(tables.positionStarts, at.range, block.positionStarts, at.position);
    tables.rangeMost.set(block.rangeMost, at.range);
    tables.postings.set(block.postings, at.posting);
    tables.positions.set(block.positions, at.position);
    at.term += block.firstRanges.length;
    at.range += block.rangeMost.length;
    at.posting += block.postings.length;
    at.position += block.positions.length;
  }
  tables.postingStarts[ranges] = at.posting;
  tables.positionStarts[ranges] = at.position;
  const bits = numbered(blocks, terms, ({ frequentBits }) => frequentBits);
  const dense = numbered(blocks, terms, (block) => block.dense);
  return {
    ...tables,
    mostInRange: blocks.reduce((most, { mostInRange }) => Math.max(most, mostInRange), 0),
    mostPositions: blocks.reduce((most, { mostPositions }) => Math.max(most, mostPositions), 0),
    bitsOfTerm: bits.ofTerm,
    frequentBits: bits.all,
    denseOfTerm: dense.ofTerm,
    dense: dense.all,
  };
}

/** Copies numbers to `target[at …]`, each greater by `base`. */
function setFrom(target: Uint32Array, at: number, numbers: Uint32Array, base: number): void {
  for (let i = 0; i < numbers.length; i++) target[at + i] = numbers[i]! + base;
}

/** What some of the terms have, one after the other, and which each term's is: -1 where it has none. */
function numbered<T>(
  blocks: readonly TermBlock[],
  terms: number,
  having: (block: TermBlock) => ReadonlyMap<number, T>,
): { readonly ofTerm: Int32Array; readonly all: readonly T[] } {
  const ofTerm = new Int32Array(terms).fill(-1);
  const all: T[] = [];
  let first = 0;
  for (const block of blocks) {
    for (const [i, one] of having(block)) ofTerm[first + i] = all.push(one) - 1;
    first += block.firstRanges.length;
  }
  return { ofTerm, all };
}
