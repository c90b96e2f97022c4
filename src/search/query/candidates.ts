/**
 * Rows that may be among the best, each with its score before pairs. They are settled best first: a row's pairs are
 * counted only while it can still be among the best, which a few dozen rows of thousands are.
 */

import type { PairReader } from './proximity.js';
import type { Ranked } from './ranker.js';
import type { BestScores } from './top-k.js';

/** Beyond so many candidates, those that the threshold has left behind are dropped before more are taken. */
const MIN_CAPACITY = 1 << 12;

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
   * The k best rows by their whole scores. `best` has been offered each score that is whole; those of the other rows are
   * below its threshold until their pairs are added.
   */
  settle(k: number, best: BestScores, pairs: PairReader): Ranked {
    const { rows, scores, bounds } = this;
    this.keepFrom(best.threshold);
    const open = [...scores.keys()].filter((i) => bounds[i]! > scores[i]!).sort((a, b) => bounds[b]! - bounds[a]!);
    for (const i of open) {
      if (bounds[i]! < best.threshold) break;
      scores[i]! += pairs.scoreAt(rows[i]!, bounds[i]! - scores[i]!, best.threshold - scores[i]!);
      best.offer(scores[i]!);
    }
    const byScore = (a: number, b: number): number => scores[b]! - scores[a]! || rows[a]! - rows[b]!;
    const top = Uint32Array.from(
      [...scores.keys()]
        .filter((i) => scores[i]! >= best.threshold)
        .sort(byScore)
        .slice(0, k),
    );
    return { rows: top.map((i) => rows[i]!), scores: Float64Array.from(top, (i) => scores[i]!) };
  }
}
