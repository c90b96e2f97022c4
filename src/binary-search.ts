/** The first of the places from `low` on, below `high`, for which something holds that holds for all that follow; else `high`. */
export function firstWhere(low: number, high: number, holds: (place: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
