/** How one dataset differs from the one before it, counted in small steps so that the thread can serve in between. */
import type { Collection } from './collection.js';
import type { Dataset } from './dataset.js';
import { idOfRow, rowOfId } from './ids.js';
import { recordView } from './record-text.js';

export interface Difference {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Rows compared between two steps: a fraction of a millisecond, unless records are huge. */
const STEP_ROWS = 32;

/** Yields after every few records; returns the counts. */
export function* differenceOf(before: Dataset, after: Dataset): Generator<void, Difference> {
  let added = 0;
  let removed = 0;
  let changed = 0;
  for (const [name, collection] of after.collections) {
    const earlier = before.collections.get(name);
    let kept = 0;
    for (let row = 0; row < collection.size; row++) {
      const outcome = earlier === undefined ? 'added' : compareRow(earlier, collection, row);
      if (outcome === 'added') added++;
      else kept++;
      if (outcome === 'changed') changed++;
      if (row % STEP_ROWS === 0) yield;
    }
    removed += (earlier?.size ?? 0) - kept;
  }
  return { added, removed, changed };
}

function compareRow(before: Collection, after: Collection, row: number): 'added' | 'same' | 'changed' {
  const earlierRow = rowOfId(before.ids, idOfRow(after.ids, row));
  if (earlierRow < 0) return 'added';
  return recordView(before.text, earlierRow).equals(recordView(after.text, row)) ? 'same' : 'changed';
}
