/** The most frequent values of a field among some rows: one pass over them, and no sorting of all the values. */
import type { ValueIndex } from '../../store/value-index.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** At most `limit` values that any of the rows have, biggest first, ties by name; null stands for all rows. */
export function topValues(index: ValueIndex, rows: Uint32Array | null, limit: number): readonly ValueCount[] {
  const { names, offsets } = index;
  const counts = rows === null ? null : countValues(index, rows);
  const countOf = (code: number): number => (counts === null ? offsets[code + 1]! - offsets[code]! : counts[code]!);
  const codes = biggest(names.length, countOf, limit);
  return codes
    .map((code) => ({ name: names[code] ?? '', count: countOf(code) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function countValues({ names, rowOffsets, rowCodes }: ValueIndex, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(names.length);
  for (let i = 0; i < rows.length; i++) {
    const end = rowOffsets[rows[i]! + 1]!;
    for (let at = rowOffsets[rows[i]!]!; at < end; at++) counts[rowCodes[at]!]!++;
  }
  return counts;
}

/** The codes with the biggest counts above 0. Kept sorted by insertion: few of many ever enter. */
function biggest(size: number, countOf: (code: number) => number, limit: number): readonly number[] {
  const kept: number[] = [];
  let least = 0;
  for (let code = 0; code < size; code++) {
    const count = countOf(code);
    if (count <= least) continue;
    let at = kept.length;
    while (at > 0 && countOf(kept[at - 1]!) < count) at--;
    kept.splice(at, 0, code);
    if (kept.length > limit) kept.pop();
    if (kept.length === limit) least = countOf(kept[limit - 1]!);
  }
  return kept;
}
