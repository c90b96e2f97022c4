/** Binary search: the first number in [low, high) that meets a condition which all later ones meet as well; else `high`. */
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
