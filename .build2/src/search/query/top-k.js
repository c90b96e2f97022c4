/** The k greatest of the numbers offered: a binary heap with the least of them on top. */
export class BestScores {
    heap = new Float64Array(128);
    k = 0;
    size = 0;
    /** Forgets what was offered, and keeps the `k` greatest from now on. */
    reset(k) {
        if (k > this.heap.length)
            this.heap = new Float64Array(k);
        this.k = k;
        this.size = 0;
    }
    /** What a number must not be below to be among the k greatest; -1 while there are fewer than k. */
    get threshold() {
        return this.size < this.k ? -1 : this.heap[0];
    }
    offer(score) {
        if (this.size < this.k)
            this.siftUp(score, this.size++);
        else if (score > this.heap[0])
            this.siftDown(score);
    }
    siftUp(score, from) {
        const { heap } = this;
        let at = from;
        while (at > 0) {
            const parent = (at - 1) >>> 1;
            if (heap[parent] <= score)
                break;
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = score;
    }
    siftDown(score) {
        const { heap, size } = this;
        let at = 0;
        for (;;) {
            let child = 2 * at + 1;
            if (child >= size)
                break;
            if (child + 1 < size && heap[child + 1] < heap[child])
                child++;
            if (heap[child] >= score)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = score;
    }
}
