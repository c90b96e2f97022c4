/** A key is a sum (29 bits) and a row (24 bits) as one number: the greater sum is greater, then the lower row. */
const ROWS = 2 ** 24;

export const keyOf = (sum: number, row: number): number => sum * ROWS + (ROWS - 1 - row);
export const sumOfKey = (key: number): number => Math.floor(key / ROWS);
export const rowOfKey = (key: number): number => ROWS - 1 - (key % ROWS);

/** The `count` greatest keys: a binary heap with the least of them on top. */
export class BestKeys {
  private readonly heap: Float64Array;
  private size = 0;

  constructor(count: number) {
    this.heap = new Float64Array(count);
  }

  get isFull(): boolean {
    return this.size === this.heap.length;
  }

  /** The least key of a full heap: only greater keys replace it. */
  get least(): number {
    return this.heap[0]!;
  }

  /** The keys, the greatest first. */
  descending(): Float64Array {
    return this.heap.slice(0, this.size).sort().reverse();
  }

  offer(key: number): void {
    if (!this.isFull) this.siftUp(key, this.size++);
    else if (key > this.least) this.siftDown(key);
  }

  private siftUp(key: number, from: number): void {
    const { heap } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (heap[parent]! <= key) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = key;
  }

  private siftDown(key: number): void {
    const { heap, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= key) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = key;
  }
}
