/**
 * Rows that may be among the best, each with its score before pairs. They are settled best first: a row's pairs are
 * counted only while it can still be among the best, which a few dozen rows of thousands are.
 */

import { KeySort } from '../../key-sort.js';
import { SCORE_STEP } from '../scoring.js';
import type { PairReader } from './proximity.js';
import type { Ranked } from './ranker.js';
import type { BestScores } from './top-k.js';

/** Beyond so many candidates, those that the threshold has left behind are dropped before more are taken. */
const MIN_CAPACITY = 1 << 12;

/** From so many on, sorting by digits is quicker than by comparing. */
const MIN_KEYS_SORTED = 1 << 11;

export class Candidates {
  private readonly rows: number[] = [];
  private readonly scores: number[] = [];
  /** The scores with the most that the rows' pairs could add. */
  private readonly bounds: number[] = [];
  private capacity = MIN_CAPACITY;

  add(row: number, score: number, bound: number, threshold: number): void {
    if (this.rows.length === this.capacity) {
      this.keepFrom(threshold);
      this.capacity = Math.max(MIN_CAPACITY, 2 * this.rows.length);
    }
    this.rows.push(row);
    this.scores.push(score);
    this.bounds.push(bound);
  }

  private keepFrom(threshold: number): void {
    const { rows, scores, bounds } = this;
    let kept = 0;
    for (let i = 0; i < rows.length; i++) {
      if (bounds[i]! < threshold) continue;
      rows[kept] = rows[i]!;
      scores[kept] = scores[i]!;
      bounds[kept++] = bounds[i]!;
    }
    for (const each of [rows, scores, bounds]) each.length = kept;
  }

  /**
   * The k best rows by their whole scores. `best` has been offered those that raised its threshold; the scores of the other
   * rows are not above it until their pairs are added.
   */
  settle(k: number, best: BestScores, pairs: PairReader): Ranked {
    const { rows, scores, bounds } = this;
    this.keepFrom(best.threshold);
    const open = this.places((i) => bounds[i]! > scores[i]!);
    for (const i of open.sort((a, b) => bounds[b]! - bounds[a]!)) {
      if (bounds[i]! < best.threshold) break;
      scores[i]! += pairs.scoreAt(rows[i]!, bounds[i]! - scores[i]!, best.threshold - scores[i]!);
      best.offer(scores[i]!);
    }
    const top = this.byScore(this.places((i) => scores[i]! >= best.threshold)).subarray(0, k);
    return { rows: top.map((i) => rows[i]!), scores: Float64Array.from(top, (i) => scores[i]!) };
  }

  private places(isWanted: (i: number) => boolean): Uint32Array {
    const places = new Uint32Array(this.rows.length);
    let count = 0;
    for (let i = 0; i < places.length; i++) if (isWanted(i)) places[count++] = i;
    return places.subarray(0, count);
  }

  /** Candidates in order of their scores, the greatest first, ties by row. */
  private byScore(candidates: Uint32Array): Uint32Array {
    const { rows, scores } = this;
    if (candidates.length < MIN_KEYS_SORTED) {
      return candidates.sort((a, b) => scores[b]! - scores[a]! || rows[a]! - rows[b]!);
    }
    const sort = new KeySort();
    sort.reserve(candidates.length);
    candidates.forEach((i, at) => {
      const key = Number.MAX_SAFE_INTEGER - scores[i]! / SCORE_STEP;
      sort.set(at, i, Math.floor(key / 2 ** 32), key >>> 0, rows[i]!, 0);
    });
    sort.sort(candidates.length);
    return sort.rows(candidates.length);
  }
}
