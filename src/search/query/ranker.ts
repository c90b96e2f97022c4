/**
 * The best rows of some posting lists, without scoring every row that matches: MaxScore (Turtle & Flood 1995) over
 * windows of rows. Lists that together cannot lift a row over the k-th best score so far are not walked, only asked
 * about rows that other lists bring up. Where one list is left, ranges of rows and postings too weak are passed over
 * (block-max indexes, Ding & Suel 2011). Exact: bounds are never below what they bound, and scores are sums of whole
 * multiples of one step.
 *
 * A row's score is what its lists add and what its pairs of neighbouring words add. Pairs are costly to count, so a
 * row is first kept with the most that they could add; at the end the rows are settled in the order of that bound,
 * until no unsettled one can be among the best.
 */

import { type Bits, countBits, hasBit, membersAt } from '../../bits.js';
import type { PostingBuffer } from '../posting-format.js';
import { SCORE_STEP, score, scoreBound } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import type { Candidates } from './candidates.js';
import { WINDOW } from './kernels.js';
import type { PostingList } from './posting-lists.js';
import { type Pair, PairReader } from './proximity.js';
import type { Scratch } from './scratch.js';
import type { BestScores } from './top-k.js';

export interface Ranked {
  /** Best first, ties by row. */
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

export interface RankInput {
  readonly tables: IndexTables;
  readonly scratch: Scratch;
  readonly lists: readonly PostingList[];
  readonly pairs: readonly Pair[];
  /** Only these rows are ranked. */
  readonly accept: Bits;
  /** Tolerated lists alone bring up no row of these. */
  readonly needsExact: boolean;
}

/** Above what the rounding of pairs' scores can add. */
const PAIR_SLACK = 1000 * SCORE_STEP;

/** Looking a row up in a list costs as much as reading so many postings in a row. */
const LOOK_UP = 16;

/** So few lists are walked one by one, unless all have a frequency a row. */
const FEW_LISTS = 3;

/** A small set of rows is scored row by row where that reads fewer postings than walking the lists would. */
const FEW = 16;

export function rankTop(input: RankInput, k: number): Ranked {
  return k === 0 || input.lists.length === 0 ? NOTHING : new Ranking(input, k).run();
}

/** Moves the accepted of the first `count` postings to the beginning; returns how many they are. */
function keepAccepted({ rows, frequencies }: PostingBuffer, count: number, accept: Bits): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    rows[kept] = row;
    frequencies[kept] = frequencies[i]!;
    kept += hasBit(accept, row) ? 1 : 0;
  }
  return kept;
}

export const NOTHING: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

class Ranking {
  private readonly input: RankInput;
  private readonly norms: Float64Array;
  /** By the most that they add; where many are walked together, those that cannot bring up a row come first. */
  private readonly lists: readonly PostingList[];
  private readonly passive: number;
  /** What the first i lists, and the pairs among them, can add together. */
  private readonly mostOfFirst: Float64Array;
  private readonly mostOfLists: Float64Array;
  private readonly mostOfPairs: number;
  /**
   * What all pairs add to a row, of what its lists add. A pair occurs no more often than either of its words, so it adds
   * at most its weight's share of what each of them adds, and at most half of both shares together.
   */
  private readonly pairShare: number;
  private readonly best: BestScores;
  private readonly candidates: Candidates;
  /** For each list, what pairs of its word with earlier lists' weigh, of its own weight. */
  private readonly pairShares: Float64Array;
  /** The frequencies of the row being considered, in the lists looked up for it. */
  private readonly heldFrequencies: Uint32Array;
  /** The lists of every pair's first and second word. */
  private readonly pairLists: readonly number[];
  private readonly pairs: PairReader;
  /** How many postings the first i lists have. */
  private readonly sizes: Float64Array;
  /** How many rows are accepted. */
  private readonly accepted: number;
  private readonly k: number;
  private readonly isFew: boolean;
  /** So few lists were looked up in the window before: as a rule there are no more in the next. */
  private open: number;
  private threshold = -1;

  constructor(input: RankInput, k: number) {
    const { tables, lists, pairs, needsExact } = input;
    const tolerated = needsExact ? lists.filter((list) => !list.exact).length : 0;
    const areDense = lists.every(({ dense }) => dense);
    this.isFew = !areDense && lists.length - tolerated <= FEW_LISTS && tolerated <= FEW_LISTS;
    this.passive = this.isFew ? 0 : tolerated;
    const rank = (list: PostingList): number => (this.passive > 0 && !list.exact ? list.most - 1e9 : list.most);
    this.input = input;
    this.accepted = countBits(input.accept);
    this.norms = input.scratch.kernels.norms;
    this.lists = [...lists].sort((a, b) => rank(a) - rank(b));
    this.mostOfLists = new Float64Array(lists.length + 1);
    this.sizes = new Float64Array(lists.length + 1);
    this.lists.forEach((list, i) => {
      this.mostOfLists[i + 1] = this.mostOfLists[i]! + list.most;
      this.sizes[i + 1] = this.sizes[i]! + list.size;
    });
    this.mostOfFirst = this.mostOfLists.slice();
    this.pairShares = new Float64Array(lists.length);
    this.pairLists = pairs.flatMap(({ first, second }) => [this.listOf(first), this.listOf(second)]);
    const halves = new Float64Array(lists.length);
    let mostOfPairs = 0;
    pairs.forEach((pair, at) => {
      const most = pair.weight + SCORE_STEP;
      const first = this.pairLists[2 * at]!;
      const second = this.pairLists[2 * at + 1]!;
      const later = Math.max(first, second);
      for (let i = later + 1; i <= lists.length; i++) this.mostOfFirst[i]! += most;
      mostOfPairs += most;
      this.pairShares[later]! += pair.weight / this.lists[later]!.weight;
      for (const list of [first, second]) halves[list]! += pair.weight / this.lists[list]!.weight / 2;
    });
    this.mostOfPairs = mostOfPairs;
    this.pairShare = Math.max(0, ...halves);
    for (let i = 0; i <= lists.length; i++) {
      this.mostOfFirst[i] = Math.min(this.mostOfFirst[i]!, this.mostOfLists[i]! * (1 + this.pairShare) + PAIR_SLACK);
    }
    const { best, candidates } = input.scratch;
    best.reset(k);
    candidates.reset();
    this.best = best;
    this.candidates = candidates;
    this.pairs = new PairReader(tables, this.norms, pairs);
    this.k = k;
    this.open = lists.length;
    this.heldFrequencies = new Uint32Array(lists.length + 1);
  }

  private listOf(term: number): number {
    return this.lists.findIndex((list) => list.exact && list.term === term);
  }

  run(): Ranked {
    this.rewind();
    const few = this.fewAccepted();
    if (few) for (const row of few) this.consider(row, 0, this.lists.length, this.mostOfPairs);
    else this.walk();
    return this.candidates.settle(this.k, this.pairs);
  }

  /** The accepted rows, if they are so few that each is better looked up in every list. */
  private fewAccepted(): Uint32Array | null {
    const { accept } = this.input;
    return this.accepted * this.lists.length * FEW < this.sizes[this.lists.length]!
      ? membersAt(accept, 0, this.accepted)
      : null;
  }

  private walk(): void {
    if (this.isFew) this.walkEach();
    else this.walkWindows();
  }

  /**
   * A few lists are walked one after the other, the strongest first; a row is scored where its strongest list brings
   * it up. Weaker lists have most of their postings passed over by frequency alone, for the threshold is high by then.
   */
  private walkEach(): void {
    for (let i = this.lists.length - 1; i >= 0 && this.mostOfFirst[i + 1]! >= this.threshold; i--) {
      this.rewind();
      for (let base = 0; base < this.norms.length; base += WINDOW) this.walkList(i, base);
    }
  }

  private rewind(): void {
    for (const list of this.lists) list.rewind();
  }

  /** Many lists are walked together, a window of rows at a time, and fewer of them as the threshold rises. */
  private walkWindows(): void {
    const { lists } = this;
    const rows = this.input.tables.rows;
    let essential = this.passive;
    for (let base = 0; base < rows; base += WINDOW) {
      // The lists before `essential` cannot lift a row to the threshold by themselves.
      while (essential < lists.length && this.mostOfFirst[essential + 1]! < this.threshold) essential++;
      if (essential === lists.length) return;
      this.walkWindow(base, essential);
    }
  }

  /**
   * Adds up what the lists from `essential` on add to the rows of a window, and further lists, the strongest first, until
   * so few rows can reach the threshold that looking them up in the others is less work.
   */
  private walkWindow(base: number, essential: number): void {
    const { kernels } = this.input.scratch;
    let open = Math.min(essential, this.open);
    const isFirst = this.threshold < 0;
    this.addLists(open, this.lists.length, base);
    let count = this.take(base, open);
    while (open > 0 && count * open * LOOK_UP > this.sizes[open]! * (WINDOW / this.norms.length)) {
      const next = open >>> 1;
      this.addLists(next, open, base);
      open = next;
      count = this.take(base, open);
    }
    if (!isFirst) this.open = open;
    for (let i = 0; i < count; i++) {
      const offset = kernels.taken[i]!;
      this.consider(base + offset, kernels.sums[offset]!, open, this.mostOfPairs);
    }
    kernels.sums.fill(0);
  }

  private addLists(from: number, to: number, base: number): void {
    for (let i = from; i < to; i++) this.lists[i]!.addScores(base, this.input.scratch.kernels);
  }

  /** The rows of the window that can reach the threshold, to which the first `open` lists have not been added. */
  private take(base: number, open: number): number {
    const { kernels } = this.input.scratch;
    const { accept } = this.input;
    // What `withPairs` of the sum and these lists has to reach, solved for the sum.
    const needed = this.threshold - PAIR_SLACK;
    const sum = Math.max(needed - this.mostOfPairs, needed / (1 + this.pairShare)) - this.mostOfLists[open]!;
    return kernels.take(accept, base, sum - PAIR_SLACK);
  }

  /**
   * Considers the rows of a window that list i holds and no later list. Postings too weak to reach the threshold are
   * passed over, whatever the list's other words add.
   */
  private walkList(i: number, base: number): void {
    const { norms } = this;
    const { kernels } = this.input.scratch;
    const { rows, frequencies } = kernels.strong;
    const list = this.lists[i]!;
    const { weight } = list;
    // A pair with this list's word occurs no more often than the word: it adds at most this share of what the word adds.
    const whole = 1 + this.pairShares[i]!;
    const others = this.mostOfFirst[i]! + PAIR_SLACK;
    const read = list.readWindow(base, (this.threshold - others) / (weight * whole), kernels);
    const count = this.accepted < list.size ? keepAccepted(kernels.strong, read, this.input.accept) : read;
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      const frequency = frequencies[at]!;
      const sum = score(weight, frequency, norms[row]!);
      if (sum * whole + others < this.threshold || this.isHeldAfter(i, row)) continue;
      this.heldFrequencies[i] = frequency;
      this.consider(row, sum, i, sum * (whole - 1));
    }
  }

  /** Whether a list after the i-th holds a row, which then has been considered. */
  private isHeldAfter(i: number, row: number): boolean {
    for (let j = i + 1; j < this.lists.length; j++) if (this.lists[j]!.frequencyAt(row) > 0) return true;
    return false;
  }

  /**
   * Completes a row's sum with the first `open` lists, as long as it can still reach the threshold, and keeps it. Its
   * pairs that need a list from `open` on add at most `pairs`.
   */
  private consider(row: number, sum: number, open: number, pairs: number): void {
    const { accept } = this.input;
    const { mostOfLists } = this;
    const mostOfPairs = pairs + this.mostOfFirst[open]! - mostOfLists[open]!;
    if (this.withPairs(sum + mostOfLists[open]!, mostOfPairs) < this.threshold) return;
    if (!hasBit(accept, row)) return;
    let score = sum;
    for (let i = open - 1; i >= 0; i--) {
      if (this.withPairs(score + mostOfLists[i + 1]!, mostOfPairs) < this.threshold) return;
      score += this.lookUp(i, row);
    }
    if (this.withPairs(score, mostOfPairs) < this.threshold) return;
    const bound = this.mostOfPairs === 0 ? score : score + this.mostOfPairsAt(row, open, score);
    if (bound < this.threshold) return;
    this.best.offer(score);
    this.threshold = this.best.threshold;
    this.candidates.add(row, score, bound, this.threshold);
  }

  /** What a row can reach to which lists add at most `lists`, and pairs at most `pairs`. */
  private withPairs(lists: number, pairs: number): number {
    return lists + Math.min(pairs, lists * this.pairShare) + PAIR_SLACK;
  }

  /**
   * What the pairs can add to a row at most: no pair occurs more often than the rarer of its words. Some number that
   * does not lift `score` to the threshold where that is certain: it is, as soon as the pairs looked at so far lack
   * enough of what `pairShare` allows them, which is the mean of what both words would.
   */
  private mostOfPairsAt(row: number, open: number, score: number): number {
    const { pairLists } = this;
    const { pairs } = this.input;
    const norm = this.norms[row]!;
    let most = 0;
    let allowed = score * this.pairShare + PAIR_SLACK;
    for (let i = 0; i < pairs.length && score + allowed >= this.threshold; i++) {
      const { weight } = pairs[i]!;
      const first = this.frequencyIn(pairLists[2 * i]!, row, open);
      const second = this.frequencyIn(pairLists[2 * i + 1]!, row, open);
      const least = scoreBound(weight, Math.min(first, second), norm);
      most += least;
      allowed -= (scoreBound(weight, Math.max(first, second), norm) - least) / 2;
    }
    return Math.min(most, allowed);
  }

  /** A row's frequency in list i: as just looked up, else, where lists were summed, by a look-up now. */
  private frequencyIn(i: number, row: number, open: number): number {
    if (i < open || this.isFew) return i <= open ? this.heldFrequencies[i]! : 0;
    return this.lists[i]!.frequencyAt(row);
  }

  /** What list i adds to a row. */
  private lookUp(i: number, row: number): number {
    const list = this.lists[i]!;
    const frequency = list.frequencyAt(row);
    this.heldFrequencies[i] = frequency;
    return frequency === 0 ? 0 : score(list.weight, frequency, this.norms[row]!);
  }
}
