/**
 * The best rows of some posting lists, without scoring every row that matches: MaxScore (Turtle & Flood 1995) over
 * windows of rows. Lists that together cannot lift a row over the k-th best score so far are not walked, only asked
 * about rows that other lists bring up. Where one list is left, postings too weak are passed over by their frequency
 * alone. Exact: bounds are never below what they bound, and scores are sums of whole multiples of one step.
 *
 * A row's score is what its lists add and what its pairs of neighbouring words add. Pairs are costly to count, so a
 * row is first kept with the most that they could add; at the end the rows are settled in the order of that bound,
 * until no unsettled one can be among the best.
 */
import { BestScores } from './best.js';
import { hasBit, type RowBits, rowsOfBits } from './bits.js';
import { Candidates } from './candidates.js';
import { LARGE_FREQUENCY, largeFrequency } from './invert.js';
import { frequencyOf, type PostingList, rounded, SCORE_STEP, seek } from './lists.js';
import type { Pair, ProximityReader } from './proximity.js';
import type { IndexTables } from './tables.js';

export interface Ranked {
  /** Best first, ties by row. */
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

export interface RankInput {
  readonly tables: IndexTables;
  readonly reader: ProximityReader;
  readonly lists: readonly PostingList[];
  readonly pairs: readonly Pair[];
  /** Rows outside are passed over; null admits all. */
  readonly accept: RowBits | null;
  /** How many of the lists, at the end, cannot bring up a row by themselves. */
  readonly passive: number;
}

const WINDOW = 4096;

/** A small set of rows is scored row by row where that reads fewer postings than walking the lists would. */
const FEW = 16;

export function rankTop(input: RankInput, k: number): Ranked {
  return k === 0 || input.lists.length === 0 ? NOTHING : new Ranking(input, k).run();
}

export const NOTHING: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

class Ranking {
  private readonly input: RankInput;
  private readonly norms: Float64Array;
  /** Lists that cannot bring up a row first, then by the most that they add. */
  private readonly lists: readonly PostingList[];
  private readonly passive: number;
  private readonly cursors: Uint32Array;
  /** What the first i lists, and the pairs among them, can add together. */
  private readonly mostOfFirst: Float64Array;
  private readonly mostOfLists: Float64Array;
  private readonly mostOfPairs: number;
  private readonly best: BestScores;
  private readonly candidates: Candidates;
  /** The lists of every pair's first and second word, and how far each was read. */
  private readonly pairLists: readonly PostingList[];
  private readonly pairCursors: Uint32Array;
  private readonly sums = new Float64Array(WINDOW);
  private readonly marks = new Uint32Array(WINDOW >>> 5);
  private threshold = -1;

  constructor(input: RankInput, k: number) {
    const { tables, lists, pairs, passive } = input;
    const isPassive = new Set(lists.slice(lists.length - passive));
    const rank = (list: PostingList): number => (isPassive.has(list) ? list.most - 1e9 : list.most);
    this.input = input;
    this.norms = tables.norms;
    this.lists = [...lists].sort((a, b) => rank(a) - rank(b));
    this.passive = passive;
    this.cursors = Uint32Array.from(this.lists, (list) => list.from);
    this.mostOfLists = new Float64Array(lists.length + 1);
    this.lists.forEach((list, i) => {
      this.mostOfLists[i + 1] = this.mostOfLists[i]! + list.most;
    });
    this.mostOfFirst = this.mostOfLists.slice();
    let mostOfPairs = 0;
    for (const pair of pairs) {
      const most = pair.weight + SCORE_STEP;
      const first = this.listOf(pair.first);
      const second = this.listOf(pair.second);
      for (let i = Math.max(first, second) + 1; i <= lists.length; i++) this.mostOfFirst[i]! += most;
      mostOfPairs += most;
    }
    this.mostOfPairs = mostOfPairs;
    this.best = new BestScores(k);
    this.candidates = new Candidates(k);
    this.pairLists = pairs.flatMap(({ first, second }) =>
      [first, second].map((term) => this.lists[this.listOf(term)]!),
    );
    this.pairCursors = Uint32Array.from(this.pairLists, (list) => list.from);
  }

  private listOf(term: number): number {
    return this.lists.findIndex((list) => list.term === term);
  }

  run(): Ranked {
    const few = this.fewAccepted();
    if (few) for (const row of few) this.consider(row, 0, this.lists.length);
    else this.walk();
    return this.candidates.settle(this.input.pairs, this.input.reader);
  }

  /** The accepted rows, if they are so few that each is better looked up in every list. */
  private fewAccepted(): Uint32Array | null {
    const { accept } = this.input;
    if (!accept) return null;
    let walked = 0;
    for (const list of this.lists) walked += list.to - list.from;
    const rows = rowsOfBits(accept);
    return rows.length * this.lists.length * FEW < walked ? rows : null;
  }

  private walk(): void {
    const { lists } = this;
    const rows = this.input.tables.rows;
    let essential = this.passive;
    for (let base = 0; base < rows; base += WINDOW) {
      // The lists before `essential` cannot lift a row to the threshold by themselves.
      while (essential < lists.length && this.mostOfFirst[essential + 1]! < this.threshold) essential++;
      if (essential === lists.length) return;
      if (essential === lists.length - 1) this.walkLast(base + WINDOW);
      else this.walkWindow(base, essential);
    }
  }

  /** Adds up what the essential lists add to the rows of a window, then considers each row that they hold. */
  private walkWindow(base: number, essential: number): void {
    const { sums, marks } = this;
    for (let i = essential; i < this.lists.length; i++) this.addList(i, base);
    for (let i = 0; i < marks.length; i++) {
      let word = marks[i]!;
      marks[i] = 0;
      for (; word !== 0; word &= word - 1) {
        const offset = (i << 5) + 31 - Math.clz32(word & -word);
        const sum = sums[offset]!;
        sums[offset] = 0;
        this.consider(base + offset, sum, essential);
      }
    }
  }

  private addList(i: number, base: number): void {
    const { sums, marks, norms } = this;
    const { postings, to, weight } = this.lists[i]!;
    const end = base + WINDOW;
    let at = this.cursors[i]!;
    for (; at < to; at++) {
      const posting = postings[at]!;
      const row = posting >>> 8;
      if (row >= end) break;
      let frequency = posting & 255;
      if (frequency === LARGE_FREQUENCY) frequency = largeFrequency(this.input.tables, at);
      const offset = row - base;
      sums[offset]! += rounded((weight * frequency) / (frequency + norms[row]!));
      marks[offset >>> 5]! |= 1 << (offset & 31);
    }
    this.cursors[i] = at;
  }

  /** Walks the only list left that can bring up rows, and passes over frequencies that cannot reach the threshold. */
  private walkLast(end: number): void {
    const { norms } = this;
    const last = this.lists.length - 1;
    const { postings, to, weight } = this.lists[last]!;
    const others = this.mostOfLists[last]! + this.mostOfPairs;
    const least = this.leastFrequency(weight, this.threshold - others);
    let at = this.cursors[last]!;
    for (; at < to; at++) {
      const posting = postings[at]!;
      if (posting >>> 8 >= end) break;
      let frequency = posting & 255;
      if (frequency < least) continue;
      if (frequency === LARGE_FREQUENCY) frequency = largeFrequency(this.input.tables, at);
      const row = posting >>> 8;
      const sum = rounded((weight * frequency) / (frequency + norms[row]!));
      if (sum + others >= this.threshold) this.consider(row, sum, last);
    }
    this.cursors[last] = at;
  }

  /** The least frequency with which any record could be given `needed`: weight f / (f + norm) solved for f. */
  private leastFrequency(weight: number, needed: number): number {
    const norm = this.input.tables.leastNorm;
    if (needed <= 0 || needed >= weight) return 0;
    return Math.min((needed * norm) / (weight - needed) - 1e-6, LARGE_FREQUENCY);
  }

  /** Completes a row's sum with the first `open` lists, as long as it can still reach the threshold, and keeps it. */
  private consider(row: number, sum: number, open: number): void {
    const { accept } = this.input;
    if (sum + this.mostOfLists[open]! + this.mostOfPairs < this.threshold) return;
    if (accept && !hasBit(accept, row)) return;
    let score = sum;
    for (let i = open - 1; i >= 0; i--) {
      if (score + this.mostOfLists[i + 1]! + this.mostOfPairs < this.threshold) return;
      score += this.lookUp(i, row);
    }
    if (score + this.mostOfPairs < this.threshold) return;
    const bound = this.mostOfPairs === 0 ? score : score + this.mostOfPairsAt(row);
    if (bound < this.threshold) return;
    this.best.offer(score);
    this.threshold = this.best.threshold;
    this.candidates.add(row, score, bound, this.threshold);
  }

  /** What the pairs can add to a row at most: no pair occurs more often than the rarer of its words. */
  private mostOfPairsAt(row: number): number {
    const { pairs } = this.input;
    const norm = this.norms[row]!;
    let most = 0;
    for (let i = 0; i < pairs.length; i++) {
      const first = this.frequencyIn(2 * i, row);
      const second = first === 0 ? 0 : this.frequencyIn(2 * i + 1, row);
      const { weight } = pairs[i]!;
      const frequency = Math.min(first, second);
      if (frequency > 0) most += (weight * frequency) / (frequency + norm) + SCORE_STEP;
    }
    return most;
  }

  /** A list's frequency in a row, 0 where it lacks the row; each cursor is asked about ascending rows. */
  private frequencyIn(cursor: number, row: number): number {
    const list = this.pairLists[cursor]!;
    if (list.bits && !hasBit(list.bits, row)) return 0;
    const at = seek(list.postings, this.pairCursors[cursor]!, list.to, row);
    this.pairCursors[cursor] = at;
    if (at === list.to || list.postings[at]! >>> 8 !== row) return 0;
    return frequencyOf(this.input.tables, list, at);
  }

  /** What list i adds to a row; rows are asked about in ascending order. */
  private lookUp(i: number, row: number): number {
    const list = this.lists[i]!;
    if (list.bits && !hasBit(list.bits, row)) return 0;
    const at = seek(list.postings, this.cursors[i]!, list.to, row);
    this.cursors[i] = at;
    if (at === list.to || list.postings[at]! >>> 8 !== row) return 0;
    const frequency = frequencyOf(this.input.tables, list, at);
    return rounded((list.weight * frequency) / (frequency + this.norms[row]!));
  }
}
