/** Compares what was loaded with what had been loaded before it, a collection at a time. */
import type { LoadReport } from '../load/report.js';
import { type Comparison, looksIncomplete, type Since, wholeChanges } from '../store/changes/changes.js';
import { compareCollections } from '../store/changes/compare.js';
import { pairingOf } from '../store/changes/pairs.js';
import type { RecordStores } from '../store/dataset.js';
import { grouped } from '../text.js';

/** Records, and how they were loaded. */
export interface Loaded {
  readonly stores: RecordStores;
  readonly report: LoadReport;
}

export type Comparisons = ReadonlyMap<string, Comparison>;

/** Compares each collection with the earlier one of its name. Yields after every few records. */
export function* compareLoaded(
  before: Loaded & { readonly since: Since },
  after: Loaded,
): Generator<void, Comparisons> {
  const comparisons = new Map<string, Comparison>();
  for (const [name, store] of after.stores) {
    const earlier = before.stores.get(name);
    if (earlier === undefined) continue;
    const hasOwnIds = [before.report, after.report].every((report) => idsAreOwn(report, name));
    const changes = yield* compareCollections(earlier, store, pairingOf(store.model, hasOwnIds));
    comparisons.set(name, { since: before.since, changes });
  }
  return comparisons;
}

/** Whether no record of a collection was given its id by position. */
const idsAreOwn = ({ files }: LoadReport, name: string): boolean =>
  files.every(({ collection, idsAssigned }) => collection !== name || idsAssigned === 0);

/** `3 added, 1 removed, 12 changed`, of all collections. */
export function countsText(comparisons: Comparisons): string {
  const { added, removed, changed } = totalsOf(comparisons);
  return `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed`;
}

/** A line for each collection whose new dump looks incomplete. */
export const incompleteText = (comparisons: Comparisons): readonly string[] =>
  [...comparisons].flatMap(([name, { changes }]) => {
    const { counts } = changes;
    if (!looksIncomplete(counts)) return [];
    const before = counts.removed + counts.changed + counts.unchanged;
    return [
      `${name}: the new dump looks incomplete, ${grouped(counts.removed)} of ${grouped(before)} records are gone`,
    ];
  });

function totalsOf(comparisons: Comparisons): { added: number; removed: number; changed: number } {
  const totals = { added: 0, removed: 0, changed: 0 };
  for (const { changes } of comparisons.values()) {
    totals.added += changes.counts.added;
    totals.removed += changes.counts.removed;
    totals.changed += changes.counts.changed;
  }
  return totals;
}

export const hasChanges = (comparisons: Comparisons): boolean =>
  [...comparisons.values()].some(({ changes }) => wholeChanges(changes.counts) > 0);

/** The newer comparisons, and the earlier ones of collections that are as they were. */
export function keepingSame(earlier: Comparisons, newer: Comparisons): Comparisons {
  const merged = new Map(newer);
  for (const [name, { changes }] of newer) {
    if (!changes.isSame) continue;
    const before = earlier.get(name);
    if (before === undefined) merged.delete(name);
    else merged.set(name, before);
  }
  return merged;
}
