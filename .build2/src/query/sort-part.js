/** Quicksort that leaves out what is not asked for (Hoare's quickselect, 1961): a page of a million costs a few passes. */
const MIN_PARTITION = 16;
/** Puts those of `order[0 … size)` in place that belong from `from` to `to`, excluded: by their keys, ties by index. */
export function sortPart(order, keys, size, from, to) {
    const comesBefore = (a, b) => keys[a] < keys[b] || (keys[a] === keys[b] && a < b);
    function sort(first, last) {
        let [low, high] = [first, last];
        while (high - low > MIN_PARTITION) {
            const middle = partition(low, high);
            // The smaller side by recursion, the larger by the loop: the stack stays logarithmic.
            const isLeftSmaller = middle - low < high - middle;
            const [smallFrom, smallTo] = isLeftSmaller ? [low, middle] : [middle, high];
            if (smallFrom < to && smallTo > from)
                sort(smallFrom, smallTo);
            if (isLeftSmaller)
                low = middle;
            else
                high = middle;
            if (low >= to || high <= from)
                return;
        }
        insertionSort(low, high);
    }
    /** Returns where the right side begins, of which every element comes behind those of the left; neither is empty. */
    function partition(low, high) {
        const pivot = medianOf(order[low], order[(low + high) >>> 1], order[high - 1]);
        let i = low - 1;
        let j = high;
        for (;;) {
            do
                i++;
            while (comesBefore(order[i], pivot));
            do
                j--;
            while (comesBefore(pivot, order[j]));
            if (i >= j)
                return j + 1;
            swap(i, j);
        }
    }
    function swap(i, j) {
        const held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
    function medianOf(a, b, c) {
        if (comesBefore(a, b))
            return comesBefore(b, c) ? b : comesBefore(a, c) ? c : a;
        return comesBefore(a, c) ? a : comesBefore(b, c) ? c : b;
    }
    function insertionSort(low, high) {
        for (let i = low + 1; i < high; i++) {
            const moved = order[i];
            let at = i;
            for (; at > low && comesBefore(moved, order[at - 1]); at--)
                order[at] = order[at - 1];
            order[at] = moved;
        }
    }
    if (from < to)
        sort(0, size);
}
