/** Partial quicksort (Hoare's quickselect, 1961): a page of a million entries costs a few passes. */

const MIN_PARTITION = 16;

/** Partially sorts `order[0 … size)` by key, ties by index: positions from `from` to `to`, excluded, are as in the full sort. */
export function sortPart(order: Uint32Array, keys: Float64Array, size: number, from: number, to: number): void {
  const comesBefore = (a: number, b: number): boolean => keys[a]! < keys[b]! || (keys[a] === keys[b] && a < b);

  function sort(first: number, last: number): void {
    let [low, high] = [first, last];
    while (high - low > MIN_PARTITION) {
      const middle = partition(low, high);
      // The smaller side by recursion, the larger by the loop: the stack stays logarithmic.
      const isLeftSmaller = middle - low < high - middle;
      const [smallFrom, smallTo] = isLeftSmaller ? [low, middle] : [middle, high];
      if (smallFrom < to && smallTo > from) sort(smallFrom, smallTo);
      if (isLeftSmaller) low = middle;
      else high = middle;
      if (low >= to || high <= from) return;
    }
    insertionSort(low, high);
  }

  // Returns the beginning of the right side. No element of it comes before one of the left side; neither side is empty.
  function partition(low: number, high: number): number {
    const pivot = medianOf(order[low]!, order[(low + high) >>> 1]!, order[high - 1]!);
    let i = low - 1;
    let j = high;
    for (;;) {
      do i++;
      while (comesBefore(order[i]!, pivot));
      do j--;
      while (comesBefore(pivot, order[j]!));
      if (i >= j) return j + 1;
      swap(i, j);
    }
  }

  function swap(i: number, j: number): void {
    const entry = order[i]!;
    order[i] = order[j]!;
    order[j] = entry;
  }

  function medianOf(a: number, b: number, c: number): number {
    if (comesBefore(a, b)) return comesBefore(b, c) ? b : comesBefore(a, c) ? c : a;
    return comesBefore(a, c) ? a : comesBefore(b, c) ? c : b;
  }

  function insertionSort(low: number, high: number): void {
    for (let i = low + 1; i < high; i++) {
      const moved = order[i]!;
      let at = i;
      for (; at > low && comesBefore(moved, order[at - 1]!); at--) order[at] = order[at - 1]!;
      order[at] = moved;
    }
  }

  if (from < to) sort(0, size);
}
