/**
 * The best rows of some posting lists, without scoring every row that matches: MaxScore (Turtle & Flood 1995) over
 * windows of rows. Lists that together cannot lift a row over the k-th best score so far are not read, only asked
 * about rows that other lists bring up. Of a few lists the strongest is read first by itself, and of the others blocks and
 * postings too weak are passed over (block-max indexes, Ding & Suel 2011). Exact: bounds are never below what they bound,
 * and scores are sums of whole multiples of one step.
 *
 * A row's score is what its lists add and what its pairs of neighbouring words add. Pairs are costly to count, so a row that
 * does not raise the threshold is a candidate with the most that they could add; at the end candidates are settled in the
 * order of that bound, until no unsettled one can be among the best.
 */

import { createBits, writeDifference } from '../../bits.js';
import { inAll, RowSet } from '../../row-set.js';
import { SCORE_STEP, score, scoreBound } from '../scoring.js';
import { Candidates } from './candidates.js';
import { listOfExpansion, type Plan, type SearchContext } from './plan.js';
import type { PostingList } from './posting-lists.js';
import { type Pair, PairReader } from './proximity.js';
import { WINDOW_ROWS } from './ranking-kernel.js';
import { BestScores } from './top-k.js';

export interface Ranked {
  /** Best first, ties by row. */
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

interface RankInput {
  readonly context: SearchContext;
  readonly lists: readonly PostingList[];
  readonly pairs: readonly Pair[];
  /** Only these rows are ranked. */
  readonly accept: RowSet;
}

/** Above what the rounding of pairs' scores can add. */
const PAIR_SLACK = 1000 * SCORE_STEP;

/** Looking a row up in a list costs as much as reading so many postings in sequence. */
const LOOK_UP_POSTINGS = 16;

/** No more lists are read one after the other, and none that have a frequency for each row. */
const MAX_LISTS_READ_SINGLY = 3;

export const NO_ROWS: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

/** The best k rows of a plan: those that hold a word itself come first, then those that only expansions bring up. */
export function rankPlan(context: SearchContext, plan: Plan, k: number): Ranked {
  const { lists, pairs, furtherExpansions, rows, exactRows, isFiltered } = plan;
  const exact = isFiltered ? inAll([exactRows, rows], context.tables.rows) : exactRows;
  const first = rank({ context, lists, pairs, accept: exact }, k);
  if (first.rows.length === k) return first;
  const expansions = [
    ...lists.filter((list) => !list.exact),
    ...furtherExpansions.map((expansion) => listOfExpansion(context, expansion)),
  ];
  const others = createBits(context.tables.rows);
  writeDifference(rows.bits, exactRows.bits, others);
  const second = rank({ context, lists: expansions, pairs: [], accept: RowSet.ofBits(others) }, k - first.rows.length);
  return joined(first, second);
}

function joined(first: Ranked, second: Ranked): Ranked {
  const count = first.rows.length;
  const rows = new Uint32Array(count + second.rows.length);
  const scores = new Float64Array(rows.length);
  rows.set(first.rows);
  rows.set(second.rows, count);
  scores.set(first.scores);
  scores.set(second.scores, count);
  return { rows, scores };
}

export const rank = (input: RankInput, k: number): Ranked =>
  k === 0 || input.accept.count === 0 ? NO_ROWS : new Ranking(input, k).run();

class Ranking {
  private readonly input: RankInput;
  private readonly norms: Float64Array;
  /** By their upper bounds, ascending. */
  private readonly lists: readonly PostingList[];
  /** What the first i lists add to a row at most. */
  private readonly listBounds: Float64Array;
  /** How many postings the first i lists have. */
  private readonly sizes: Float64Array;
  /** The lists of every pair's first and second word. */
  private readonly pairLists: readonly number[];
  /** What all pairs add to a row at most. */
  private readonly pairBound: number;
  /**
   * What all pairs add to a row at most, of what its lists add. A pair occurs no more often than either of its words, so it
   * adds at most its weight's share of what each of them adds, and at most half of both shares together.
   */
  private readonly pairShare: number;
  private readonly pairs: PairReader;
  private readonly best: BestScores;
  private readonly candidates = new Candidates();
  private readonly k: number;
  /** What a row must reach to be among the best; -1 while there are fewer than k. */
  private threshold = -1;

  constructor(input: RankInput, k: number) {
    const { pairs } = input;
    const { tables, kernels } = input.context;
    const lists = [...input.lists].sort((a, b) => a.upperBound - b.upperBound);
    const listOf = (term: number): number => lists.findIndex((list) => list.exact && list.term === term);
    this.input = input;
    this.norms = kernels.norms;
    this.lists = lists;
    this.listBounds = sumsOf(lists.map(({ upperBound }) => upperBound));
    this.sizes = sumsOf(lists.map(({ size }) => size));
    this.pairLists = pairs.flatMap(({ first, second }) => [listOf(first), listOf(second)]);
    this.pairBound = pairs.reduce((sum, { weight }) => sum + weight + SCORE_STEP, 0);
    const shares = new Float64Array(lists.length);
    this.pairLists.forEach((list, i) => {
      shares[list]! += pairs[i >> 1]!.weight / lists[list]!.weight / 2;
    });
    this.pairShare = Math.max(0, ...shares);
    this.pairs = new PairReader(tables, kernels.norms, pairs);
    this.best = new BestScores(k);
    this.k = k;
  }

  run(): Ranked {
    const { lists } = this;
    this.rewind();
    if (this.input.accept.count * lists.length * LOOK_UP_POSTINGS < this.sizes[lists.length]!) this.lookUpAccepted();
    else if (lists.length <= MAX_LISTS_READ_SINGLY && lists.some(({ dense }) => !dense)) this.readSingly();
    else this.readWindows();
    return this.candidates.settle(this.k, this.best, this.pairs);
  }

  private rewind(): void {
    for (const list of this.lists) list.rewind();
  }

  /** Few rows are looked up in every list. */
  private lookUpAccepted(): void {
    for (const row of this.input.accept.rows) this.consider(row, 0, this.lists.length);
  }

  /**
   * A few lists are read one after the other, the strongest first; a row is scored where its strongest list brings it up.
   * Weaker lists have most of their postings passed over by frequency alone, for the threshold is high by then.
   */
  private readSingly(): void {
    for (let i = this.lists.length - 1; i >= 0 && this.reach(this.listBounds[i + 1]!) >= this.threshold; i--) {
      this.rewind();
      for (let base = 0; base < this.norms.length; base += WINDOW_ROWS) this.readList(i, base);
    }
  }

  /** Considers the rows of a window that list i holds and no later list. */
  private readList(i: number, base: number): void {
    const { norms } = this;
    const { accept, context } = this.input;
    const { kernels } = context;
    const { rows, frequencies } = kernels.window;
    const list = this.lists[i]!;
    const least = this.leastSum(i);
    const count = list.readWindow(base, least / list.weight, kernels);
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      const sum = score(list.weight, frequencies[at]!, norms[row]!);
      if (sum >= least && accept.has(row) && !this.isHeldAfter(i, row)) this.consider(row, sum, i);
    }
  }

  /** Whether a list after the i-th holds a row, which then has been considered. */
  private isHeldAfter(i: number, row: number): boolean {
    for (let j = i + 1; j < this.lists.length; j++) if (this.lists[j]!.frequencyAt(row) > 0) return true;
    return false;
  }

  /** Many lists are read together, a window of rows at a time, and fewer of them as the threshold rises. */
  private readWindows(): void {
    const { lists, listBounds } = this;
    let essential = 0;
    for (let base = 0; base < this.norms.length; base += WINDOW_ROWS) {
      // The lists before `essential` cannot lift a row to the threshold by themselves.
      while (essential < lists.length && this.reach(listBounds[essential + 1]!) < this.threshold) essential++;
      if (essential === lists.length) return;
      this.readWindow(base, essential);
    }
  }

  /**
   * Adds up what the lists from `essential` on add to the rows of a window, and further lists, the strongest first, until
   * so few rows can reach the threshold that looking them up in the others is less work.
   */
  private readWindow(base: number, essential: number): void {
    const { kernels } = this.input.context;
    let open = essential;
    this.addLists(open, this.lists.length, base);
    let count = this.take(base, open);
    while (open > 0 && count * open * LOOK_UP_POSTINGS > this.sizes[open]! * (WINDOW_ROWS / this.norms.length)) {
      const next = open >>> 1;
      this.addLists(next, open, base);
      open = next;
      count = this.take(base, open);
    }
    for (let i = 0; i < count; i++) {
      const offset = kernels.taken[i]!;
      this.consider(base + offset, kernels.sums[offset]!, open);
    }
    kernels.sums.fill(0);
  }

  private addLists(from: number, to: number, base: number): void {
    for (let i = from; i < to; i++) this.lists[i]!.addScores(base, this.input.context.kernels);
  }

  /** The rows of the window that can reach the threshold, to which the first `open` lists have not been added. */
  private take(base: number, open: number): number {
    const { accept, context } = this.input;
    return context.kernels.take(accept.bits, base, this.leastSum(open));
  }

  /** What a row can reach to which lists add at most `lists`. */
  private reach(lists: number): number {
    return lists + Math.min(this.pairBound, lists * this.pairShare) + PAIR_SLACK;
  }

  /** What all but the first `open` lists must add to a row that can reach the threshold: `reach`, solved for the sum. */
  private leastSum(open: number): number {
    const needed = this.threshold - 2 * PAIR_SLACK;
    return Math.max(needed - this.pairBound, needed / (1 + this.pairShare)) - this.listBounds[open]!;
  }

  /** Completes an accepted row's sum with the first `open` lists, as long as it can still reach the threshold, and keeps it. */
  private consider(row: number, sum: number, open: number): void {
    const { listBounds } = this;
    if (this.reach(sum + listBounds[open]!) < this.threshold) return;
    let score = sum;
    for (let i = open - 1; i >= 0; i--) {
      score += this.lookUp(i, row);
      if (this.reach(score + listBounds[i]!) < this.threshold) return;
    }
    const bound = this.pairBound === 0 ? score : score + this.pairBoundAt(row);
    if (bound < this.threshold) return;
    if (score > this.best.threshold) this.settle(row, score, bound);
    else this.candidates.add(row, score, bound, this.threshold);
  }

  /** Counts the pairs of a row that raises the threshold at once: it rises the more. */
  private settle(row: number, score: number, bound: number): void {
    const whole = score + (bound > score ? this.pairs.scoreAt(row, bound - score, this.threshold - score) : 0);
    this.best.offer(whole);
    this.threshold = this.best.threshold;
    this.candidates.add(row, whole, whole, this.threshold);
  }

  /** What the pairs can add to a row at most: no pair occurs more often than the rarer of its words. */
  private pairBoundAt(row: number): number {
    const { pairLists, lists } = this;
    const { pairs } = this.input;
    const norm = this.norms[row]!;
    let bound = 0;
    for (let i = 0; i < pairs.length; i++) {
      const first = lists[pairLists[2 * i]!]!.frequencyAt(row);
      const second = lists[pairLists[2 * i + 1]!]!.frequencyAt(row);
      bound += scoreBound(pairs[i]!.weight, Math.min(first, second), norm);
    }
    return bound;
  }

  /** What list i adds to a row. */
  private lookUp(i: number, row: number): number {
    const list = this.lists[i]!;
    const frequency = list.frequencyAt(row);
    return frequency === 0 ? 0 : score(list.weight, frequency, this.norms[row]!);
  }
}

/** The sums of the first 0, 1, 2 … numbers. */
function sumsOf(numbers: readonly number[]): Float64Array {
  const sums = new Float64Array(numbers.length + 1);
  numbers.forEach((number, i) => {
    sums[i + 1] = sums[i]! + number;
  });
  return sums;
}
