/**
 * Rows that may be among the best, each with its score before pairs. They are settled best first: a row's pairs are
 * counted only while it can still be among the best, which a few dozen rows of thousands are.
 */
import { BestScores } from './top-k.js';
const START_ROOM = 1024;
const MOST_ROOM = 1 << 16;
export class Candidates {
    rows = new Uint32Array(START_ROOM);
    scores = new Float64Array(START_ROOM);
    /** The scores with the most that the rows' pairs could add. */
    bounds = new Float64Array(START_ROOM);
    count = 0;
    best = new BestScores();
    reset() {
        this.count = 0;
    }
    /** Rows whose bound does not reach `threshold` any more make room for others. */
    add(row, score, bound, threshold) {
        if (this.count === this.rows.length)
            this.makeRoom(threshold);
        this.rows[this.count] = row;
        this.scores[this.count] = score;
        this.bounds[this.count++] = bound;
    }
    makeRoom(threshold) {
        this.keepFrom(threshold);
        if (this.count * 2 < this.rows.length)
            return;
        const { rows, scores, bounds } = this;
        this.setRoom(rows.length * 2);
        this.rows.set(rows);
        this.scores.set(scores);
        this.bounds.set(bounds);
    }
    setRoom(room) {
        this.rows = new Uint32Array(room);
        this.scores = new Float64Array(room);
        this.bounds = new Float64Array(room);
    }
    keepFrom(threshold) {
        const { rows, scores, bounds } = this;
        let kept = 0;
        for (let i = 0; i < this.count; i++) {
            if (bounds[i] < threshold)
                continue;
            rows[kept] = rows[i];
            scores[kept] = scores[i];
            bounds[kept++] = bounds[i];
        }
        this.count = kept;
    }
    /** The k best rows by their whole scores; long working arrays are given up after that. */
    settle(k, pairs) {
        const { rows, scores, bounds, best } = this;
        best.reset(k);
        for (let i = 0; i < this.count; i++)
            best.offer(scores[i]);
        this.keepFrom(best.threshold);
        const order = this.heapByBound();
        const settled = [];
        best.reset(k);
        for (let left = this.count; left > 0; left--) {
            const i = order[0];
            if (bounds[i] < best.threshold)
                break;
            const most = bounds[i] - scores[i];
            if (most > 0)
                scores[i] += pairs.scoreAt(rows[i], most, best.threshold - scores[i]);
            best.offer(scores[i]);
            if (scores[i] >= best.threshold)
                settled.push(i);
            order[0] = order[left - 1];
            siftDown(order, bounds, 0, left - 1);
        }
        const byScore = (a, b) => scores[b] - scores[a] || rows[a] - rows[b];
        const top = Uint32Array.from(settled
            .filter((i) => scores[i] >= best.threshold)
            .sort(byScore)
            .slice(0, k));
        const ranked = { rows: top.map((i) => rows[i]), scores: Float64Array.from(top, (i) => scores[i]) };
        if (rows.length > MOST_ROOM)
            this.setRoom(START_ROOM);
        return ranked;
    }
    /** All candidates as a heap with the greatest bound on top: few of many are ever taken off it. */
    heapByBound() {
        const order = new Uint32Array(this.count);
        for (let i = 0; i < order.length; i++)
            order[i] = i;
        for (let at = (order.length >>> 1) - 1; at >= 0; at--)
            siftDown(order, this.bounds, at, order.length);
        return order;
    }
}
/** Moves the entry at `from` down until none below it has a greater key. */
function siftDown(heap, keys, from, size) {
    const moved = heap[from];
    const key = keys[moved];
    let at = from;
    for (;;) {
        let child = 2 * at + 1;
        if (child >= size)
            break;
        if (child + 1 < size && keys[heap[child + 1]] > keys[heap[child]])
            child++;
        if (keys[heap[child]] <= key)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}
