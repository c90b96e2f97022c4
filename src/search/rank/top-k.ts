/** The k greatest of the numbers offered: a binary heap with the least of them on top. */
export class BestScores {
  private readonly heap: Float64Array;
  private size = 0;

  constructor(k: number) {
    this.heap = new Float64Array(k);
  }

  /** What a number must not be below to be among the k greatest; -1 while there are fewer than k. */
  get threshold(): number {
    return this.size < this.heap.length ? -1 : this.heap[0]!;
  }

  offer(score: number): void {
    if (this.size < this.heap.length) this.siftUp(score, this.size++);
    else if (score > this.heap[0]!) this.siftDown(score);
  }

  private siftUp(score: number, from: number): void {
    const { heap } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (heap[parent]! <= score) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = score;
  }

  private siftDown(score: number): void {
    const { heap, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = score;
  }
}
