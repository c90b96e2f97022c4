/**
 * Rows that may be among the best, each with its score before pairs. They are settled best first: a row's pairs are
 * counted only while it can still be among the best, which a few dozen rows of thousands are.
 */
import { BestScores } from './best.js';
import type { Pair, ProximityReader } from './proximity.js';
import type { Ranked } from './rank.js';

const START_ROOM = 1024;

export class Candidates {
  private readonly k: number;
  private rows = new Uint32Array(START_ROOM);
  private scores = new Float64Array(START_ROOM);
  /** The scores with the most that the rows' pairs could add. */
  private bounds = new Float64Array(START_ROOM);
  private count = 0;

  constructor(k: number) {
    this.k = k;
  }

  /** Rows whose bound does not reach `threshold` any more make room for others. */
  add(row: number, score: number, bound: number, threshold: number): void {
    if (this.count === this.rows.length) this.makeRoom(threshold);
    this.rows[this.count] = row;
    this.scores[this.count] = score;
    this.bounds[this.count++] = bound;
  }

  private makeRoom(threshold: number): void {
    this.keepFrom(threshold);
    if (this.count * 2 < this.rows.length) return;
    const { rows, scores, bounds } = this;
    this.rows = new Uint32Array(rows.length * 2);
    this.scores = new Float64Array(rows.length * 2);
    this.bounds = new Float64Array(rows.length * 2);
    this.rows.set(rows);
    this.scores.set(scores);
    this.bounds.set(bounds);
  }

  private keepFrom(threshold: number): void {
    const { rows, scores, bounds } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (bounds[i]! < threshold) continue;
      rows[kept] = rows[i]!;
      scores[kept] = scores[i]!;
      bounds[kept++] = bounds[i]!;
    }
    this.count = kept;
  }

  /** The k best rows by their whole scores. */
  settle(pairs: readonly Pair[], reader: ProximityReader): Ranked {
    const { rows, scores, bounds } = this;
    const best = new BestScores(this.k);
    for (let i = 0; i < this.count; i++) best.offer(scores[i]!);
    this.keepFrom(best.threshold);
    const order = this.orderBy(bounds);
    let settled = 0;
    const sure = new BestScores(this.k);
    for (; settled < order.length; settled++) {
      const i = order[settled]!;
      if (bounds[i]! < sure.threshold) break;
      if (bounds[i]! > scores[i]!) scores[i]! += reader.pairScore(rows[i]!, pairs);
      sure.offer(scores[i]!);
    }
    const byScore = (a: number, b: number): number => scores[b]! - scores[a]! || rows[a]! - rows[b]!;
    const top = order.subarray(0, settled).sort(byScore).subarray(0, this.k);
    return { rows: top.map((i) => rows[i]!), scores: Float64Array.from(top, (i) => scores[i]!) };
  }

  private orderBy(keys: Float64Array): Uint32Array {
    const order = new Uint32Array(this.count);
    for (let i = 0; i < order.length; i++) order[i] = i;
    return order.sort((a, b) => keys[b]! - keys[a]!);
  }
}
