/**
 * Rows that may be among the best, each with its score before pairs. They are settled best first: a row's pairs are
 * counted only while it can still be among the best, which a few dozen rows of thousands are.
 */

import type { PairReader } from './proximity.js';
import type { Ranked } from './ranker.js';
import { BestScores } from './top-k.js';

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

  /** The k best rows by their whole scores. */
  settle(k: number, pairs: PairReader): Ranked {
    const { rows, scores, bounds } = this;
    const bestBefore = new BestScores(k);
    for (const score of scores) bestBefore.offer(score);
    this.keepFrom(bestBefore.threshold);
    const order = this.heapByBound();
    const settled: number[] = [];
    const best = new BestScores(k);
    for (let left = order.length; left > 0; left--) {
      const i = order[0]!;
      if (bounds[i]! < best.threshold) break;
      const most = bounds[i]! - scores[i]!;
      if (most > 0) scores[i]! += pairs.scoreAt(rows[i]!, most, best.threshold - scores[i]!);
      best.offer(scores[i]!);
      if (scores[i]! >= best.threshold) settled.push(i);
      order[0] = order[left - 1]!;
      siftDown(order, bounds, 0, left - 1);
    }
    const byScore = (a: number, b: number): number => scores[b]! - scores[a]! || rows[a]! - rows[b]!;
    const top = Uint32Array.from(
      settled
        .filter((i) => scores[i]! >= best.threshold)
        .sort(byScore)
        .slice(0, k),
    );
    return { rows: top.map((i) => rows[i]!), scores: Float64Array.from(top, (i) => scores[i]!) };
  }

  /** All candidates as a heap with the greatest bound on top: few of many are ever taken off it. */
  private heapByBound(): Uint32Array {
    const order = Uint32Array.from(this.bounds, (_, i) => i);
    for (let at = (order.length >>> 1) - 1; at >= 0; at--) siftDown(order, this.bounds, at, order.length);
    return order;
  }
}

/** Moves the entry at `from` down until none below it has a greater key. */
function siftDown(heap: Uint32Array, keys: readonly number[], from: number, size: number): void {
  const moved = heap[from]!;
  const key = keys[moved]!;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && keys[heap[child + 1]!]! > keys[heap[child]!]!) child++;
    if (keys[heap[child]!]! <= key) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}
