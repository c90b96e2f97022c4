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

import { type Bits, hasBit, membersAt } from '../bits.js';
import type { BestScores } from './best.js';
import type { Candidates } from './candidates.js';
import { type PostingList, rounded, SCORE_STEP } from './lists.js';
import type { PostingBuffer } from './posting-code.js';
import { mostOfPair, type Pair, PairReader } from './proximity.js';
import { type Scratch, WINDOW } from './scratch.js';
import { SEEDS, seedRows } from './seeds.js';
import type { IndexTables } from './tables.js';

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
  /** Rows outside are passed over; null admits all. */
  readonly accept: Bits | null;
  /** How many are admitted. */
  readonly accepted: number;
  /** Only rows that an exact list holds are ranked. */
  readonly needsExact: boolean;
}

/** Above what the rounding of pairs' scores can add. */
const PAIR_SLACK = 1000 * SCORE_STEP;

/** So few lists are walked one by one. */
const FEW_LISTS = 3;

/** A small set of rows is scored row by row where that reads fewer postings than walking the lists would. */
const FEW = 16;

export function rankTop(input: RankInput, k: number): Ranked {
  return k === 0 || input.lists.length === 0 ? NOTHING : new Ranking(input, k).run();
}

/** Frequencies whose bounds are looked up instead of computed. */
const QUICK = 32;

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

/** weight · f / (f + norm) for each weight and f; the weight itself from `QUICK` - 1 on. */
function quickTable(of: readonly { readonly weight: number }[], norm: number): Float64Array {
  const table = new Float64Array(of.length * QUICK);
  of.forEach(({ weight }, i) => {
    for (let f = 1; f < QUICK; f++) table[i * QUICK + f] = f === QUICK - 1 ? weight : (weight * f) / (f + norm);
  });
  return table;
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
  /** What list i adds at most with frequency f: entry i * QUICK + f; the last one of a list stands for all above. */
  private readonly quickMost: Float64Array;
  private readonly quickPairs: Float64Array;
  private readonly sums: Float64Array;
  private readonly marks: Uint32Array;
  private readonly k: number;
  private readonly isFew: boolean;
  private threshold = -1;
  private seededThreshold = -1;

  constructor(input: RankInput, k: number) {
    const { tables, lists, pairs, needsExact } = input;
    const tolerated = needsExact ? lists.filter((list) => !list.exact).length : 0;
    this.isFew = lists.length - tolerated <= FEW_LISTS && tolerated <= FEW_LISTS;
    this.passive = this.isFew ? 0 : tolerated;
    const rank = (list: PostingList): number => (this.passive > 0 && !list.exact ? list.most - 1e9 : list.most);
    this.input = input;
    this.norms = tables.norms;
    this.lists = [...lists].sort((a, b) => rank(a) - rank(b));
    this.mostOfLists = new Float64Array(lists.length + 1);
    this.lists.forEach((list, i) => {
      this.mostOfLists[i + 1] = this.mostOfLists[i]! + list.most;
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
    const { best, candidates, sums, marks } = input.scratch;
    best.reset(k);
    candidates.reset();
    this.best = best;
    this.candidates = candidates;
    this.sums = sums;
    this.marks = marks;
    this.pairs = new PairReader(tables, pairs);
    this.k = k;
    this.heldFrequencies = new Uint32Array(lists.length + 1);
    this.quickMost = quickTable(this.lists, tables.leastNorm);
    this.quickPairs = quickTable(pairs, tables.leastNorm);
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
    const { accept, accepted } = this.input;
    if (!accept) return null;
    let walked = 0;
    for (const list of this.lists) walked += list.size;
    return accepted * this.lists.length * FEW < walked ? membersAt(accept, 0, accepted) : null;
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
    this.seed(this.lists.length - 1);
    for (let i = this.lists.length - 1; i >= 0 && this.mostOfFirst[i + 1]! >= this.threshold; i--) {
      this.rewind();
      for (let base = 0; base < this.norms.length; base += WINDOW) this.walkList(i, base);
    }
  }

  private rewind(): void {
    for (const list of this.lists) list.rewind();
  }

  /**
   * Raises the threshold before a long list is walked: the whole scores of some promising rows say what the k-th best
   * row reaches at least. Where a filter passes over most of the list, the rest is walked as fast as they are found.
   */
  private seed(i: number): void {
    const { scratch, accept, accepted } = this.input;
    if (this.k * 2 > SEEDS || (accept && accepted * 2 < this.lists[i]!.size)) return;
    const pool = this.poolOf(i);
    scratch.seeds.reset(SEEDS);
    for (const { bound } of pool) scratch.seeds.offer(bound);
    const least = scratch.seeds.threshold;
    scratch.seeds.reset(this.k);
    for (const { row, score, bound } of pool) {
      if (bound < least) continue;
      scratch.seeds.offer(score + this.pairs.scoreAt(row, bound - score, scratch.seeds.threshold - score));
    }
    this.seededThreshold = scratch.seeds.threshold;
    this.threshold = this.seededThreshold;
  }

  /** The strongest rows of list i, with their scores before pairs and the most that their pairs could add. */
  private poolOf(i: number): { readonly row: number; readonly score: number; readonly bound: number }[] {
    const { tables, accept, scratch } = this.input;
    const pool: { row: number; score: number; bound: number }[] = [];
    for (const row of seedRows(tables, this.lists[i]!, scratch.range)) {
      if (accept && !hasBit(accept, row)) continue;
      let score = 0;
      for (let j = 0; j <= i; j++) score += this.lookUp(j, row);
      pool.push({ row, score, bound: score + this.mostOfPairsAt(row, i, score) });
    }
    return pool;
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
      if (essential === lists.length - 1) this.walkList(essential, base);
      else this.walkWindow(base, this.bringsUpAll(essential) ? 0 : essential);
    }
  }

  /** Whether the lists from `essential` on bring up about every row: then the others are walked faster than looked up. */
  private bringsUpAll(essential: number): boolean {
    let postings = 0;
    for (let i = essential; i < this.lists.length; i++) postings += this.lists[i]!.size;
    return postings > this.norms.length;
  }

  /**
   * Adds up what the lists from `open` on add to the rows of a window, then considers each row that one of them brings
   * up.
   */
  private walkWindow(base: number, open: number): void {
    const { sums, marks } = this;
    for (let i = open; i < this.lists.length; i++) this.addList(i, base);
    for (let i = 0; i < marks.length; i++) {
      let word = marks[i]!;
      marks[i] = 0;
      for (; word !== 0; word &= word - 1) {
        const offset = (i << 5) + 31 - Math.clz32(word & -word);
        this.consider(base + offset, sums[offset]!, open, this.mostOfPairs);
      }
    }
    sums.fill(0);
  }

  private addList(i: number, base: number): void {
    const { sums, norms } = this;
    const list = this.lists[i]!;
    const { weight } = list;
    const { rows, frequencies } = this.input.scratch.window;
    const count = list.readWindow(base, 1, 0, this.input.scratch.window);
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      sums[row - base]! += rounded((weight * frequencies[at]!) / (frequencies[at]! + norms[row]!));
    }
    if (i >= this.passive) this.markRows(list.bits, base, count);
  }

  /** Marks the rows just read: a word of bits at a time where the list has its rows as bits. */
  private markRows(bits: Bits | null, base: number, count: number): void {
    const { marks } = this;
    if (bits) {
      const first = base >>> 5;
      for (let i = 0; i < marks.length && first + i < bits.length; i++) marks[i]! |= bits[first + i]!;
      return;
    }
    const { rows } = this.input.scratch.window;
    for (let at = 0; at < count; at++) marks[(rows[at]! - base) >>> 5]! |= 1 << (rows[at]! & 31);
  }

  /**
   * Considers the rows of a window that list i holds and no later list. Frequencies too low to reach the threshold are
   * passed over, whatever the list's other words add.
   */
  private walkList(i: number, base: number): void {
    const { norms } = this;
    const { window } = this.input.scratch;
    const { rows, frequencies } = window;
    const list = this.lists[i]!;
    const { weight } = list;
    // A pair with this list's word occurs no more often than the word: it adds at most this share of what the word adds.
    const whole = 1 + this.pairShares[i]!;
    const others = this.mostOfFirst[i]! + PAIR_SLACK;
    const needed = this.threshold - others;
    const least = this.leastFrequency(weight * whole, needed);
    const read = list.readWindow(base, least, needed / (weight * whole), window);
    const { accept } = this.input;
    const count = accept === null ? read : keepAccepted(window, read, accept);
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      const frequency = frequencies[at]!;
      const sum = rounded((weight * frequency) / (frequency + norms[row]!));
      if (sum * whole + others < this.threshold || this.isHeldAfter(i, row)) continue;
      this.heldFrequencies[i] = frequency;
      if (this.isFew && sum + this.mostOfHeld(i, row) < this.threshold) continue;
      this.consider(row, sum, i, sum * (whole - 1));
    }
  }

  /** What the first `open` lists and all pairs can add to a row with its frequencies, were it the shortest record. */
  private mostOfHeld(open: number, row: number): number {
    const { quickMost, quickPairs, pairLists, heldFrequencies } = this;
    let most = PAIR_SLACK;
    for (let i = 0; i < open; i++) {
      const frequency = this.lists[i]!.frequencyAt(row);
      heldFrequencies[i] = frequency;
      most += quickMost[i * QUICK + (frequency < QUICK ? frequency : QUICK - 1)]!;
    }
    for (let pair = 0; 2 * pair < pairLists.length; pair++) {
      const first = pairLists[2 * pair]!;
      const second = pairLists[2 * pair + 1]!;
      if (first > open || second > open) continue;
      const frequency = Math.min(heldFrequencies[first]!, heldFrequencies[second]!, QUICK - 1);
      most += quickPairs[pair * QUICK + frequency]!;
    }
    return most;
  }

  /** Whether a list after the i-th holds a row, which then has been considered. */
  private isHeldAfter(i: number, row: number): boolean {
    for (let j = i + 1; j < this.lists.length; j++) if (this.lists[j]!.frequencyAt(row) > 0) return true;
    return false;
  }

  /** The least frequency with which any record could be given `needed`: weight f / (f + norm) solved for f. */
  private leastFrequency(weight: number, needed: number): number {
    const norm = this.input.tables.leastNorm;
    if (needed <= 0 || needed >= weight) return 0;
    return (needed * norm) / (weight - needed) - 1e-6;
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
    if (accept && !hasBit(accept, row)) return;
    let score = sum;
    let isExact = !this.input.needsExact || (sum > 0 && (!this.isFew || this.lists[open]!.exact));
    for (let i = open - 1; i >= 0; i--) {
      if (this.withPairs(score + mostOfLists[i + 1]!, mostOfPairs) < this.threshold) return;
      score += this.lookUp(i, row);
      isExact ||= this.heldFrequencies[i]! > 0 && this.lists[i]!.exact;
    }
    if (!isExact || this.withPairs(score, mostOfPairs) < this.threshold) return;
    const bound = this.mostOfPairs === 0 ? score : score + this.mostOfPairsAt(row, open, score);
    if (bound < this.threshold) return;
    if (score > this.best.threshold) this.settle(row, score, bound);
    else this.candidates.add(row, score, bound, this.threshold);
  }

  /** Counts the pairs of a row that raises the threshold at once: it rises the more. */
  private settle(row: number, score: number, bound: number): void {
    const whole = score + (bound > score ? this.pairs.scoreAt(row, bound - score, this.threshold - score) : 0);
    this.best.offer(whole);
    this.threshold = Math.max(this.best.threshold, this.seededThreshold);
    this.candidates.add(row, whole, whole, this.threshold);
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
      const least = mostOfPair(weight, Math.min(first, second), norm);
      most += least;
      allowed -= (mostOfPair(weight, Math.max(first, second), norm) - least) / 2;
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
    return frequency === 0 ? 0 : rounded((list.weight * frequency) / (frequency + this.norms[row]!));
  }
}
