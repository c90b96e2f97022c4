/** Blocks of terms that were laid out by themselves → the tables of all terms. */
import type { TermBlock } from './layout.js';
import type { PostingTables } from './tables.js';

/** Takes the blocks of all terms, in their order, and uses them up. Calls `onLeft` when about half of what they took is left behind. */
export function joinBlocks(blocks: readonly TermBlock[], onLeft: () => void): PostingTables {
  const total = (size: (block: TermBlock) => number): number => blocks.reduce((sum, block) => sum + size(block), 0);
  const terms = total(({ firstRanges }) => firstRanges.length);
  const ranges = total(({ rangeMost }) => rangeMost.length);
  const places = joinPositions(blocks, ranges);
  onLeft();
  const tables = {
    ...places,
    documentFrequencies: new Uint32Array(terms),
    mostSaturation: new Float32Array(terms),
    rangeBits: new Uint8Array(terms),
    firstRanges: new Uint32Array(terms),
    postingStarts: new Uint32Array(ranges + 1),
    rangeMost: new Uint8Array(ranges),
    postings: new Uint8Array(total(({ postings }) => postings.length)),
  };
  const at = { term: 0, range: 0, posting: 0 };
  for (const block of blocks) {
    tables.documentFrequencies.set(block.documentFrequencies, at.term);
    tables.mostSaturation.set(block.mostSaturation, at.term);
    tables.rangeBits.set(block.rangeBits, at.term);
    setFrom(tables.firstRanges, at.term, block.firstRanges, at.range);
    setFrom(tables.postingStarts, at.range, block.postingStarts, at.posting);
    tables.rangeMost.set(block.rangeMost, at.range);
    tables.postings.set(block.postings, at.posting);
    at.term += block.firstRanges.length;
    at.range += block.rangeMost.length;
    at.posting += block.postings.length;
  }
  tables.postingStarts[ranges] = at.posting;
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

const NONE = new Uint8Array(0);

/** The positions of all blocks, which lose them, and where those of each range begin. */
function joinPositions(
  blocks: readonly TermBlock[],
  ranges: number,
): Pick<PostingTables, 'positions' | 'positionStarts'> {
  const positions = new Uint8Array(blocks.reduce((sum, block) => sum + block.positions.length, 0));
  const positionStarts = new Uint32Array(ranges + 1);
  let range = 0;
  let end = 0;
  for (const block of blocks) {
    positions.set(block.positions, end);
    setFrom(positionStarts, range, block.positionStarts, end);
    range += block.positionStarts.length;
    end += block.positions.length;
    block.positions = NONE;
  }
  positionStarts[ranges] = end;
  return { positions, positionStarts };
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
