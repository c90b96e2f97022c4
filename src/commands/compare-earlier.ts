/** Compares the dump that a start has loaded with the dumps before it. */
import type { BuiltDataset } from '../build/build.js';
import {
  countsText,
  nothingComparedText,
  remarksOn,
  storesOf,
  type Turnover,
  withAllChanges,
  withComparisons,
} from '../build/compare.js';
import { dateOfPaths } from '../build/dated.js';
import { gateResults, gateText } from '../build/gates.js';
import { runInSlices } from '../build/slices.js';
import { gatesIn } from '../config/config.js';
import type { Since } from '../store/changes/changes.js';
import type { Dataset } from '../store/dataset.js';
import { count } from '../text.js';
import type { EarlierDumps, Timeline } from './history.js';
import type { ServeCommand } from './say-loaded.js';
import { fail, say, warnAll } from './terminal.js';

/** The dataset with its changes since the dumps before it; null if a gate does not hold. */
export async function compareWithEarlier(
  { history, last, count: earlierCount }: EarlierDumps,
  { dataset, report }: BuiltDataset,
  { config }: ServeCommand,
  since: Since,
): Promise<Dataset | null> {
  const holdsGates = (turnovers: ReadonlyMap<string, Turnover> | null): boolean => {
    const failures = gateResults(gatesIn(config), report, turnovers).filter(({ holds }) => !holds);
    for (const failure of failures) fail(gateText(failure));
    return failures.length === 0;
  };
  if (last === null) return holdsGates(null) ? dataset : null;
  const { comparisons, turnovers } = await runInSlices(
    history.compare({ stores: storesOf(dataset.collections), report, since }),
  );
  const earlierText = earlierCount > 1 ? `, the last of ${count(earlierCount, 'earlier dump')}` : '';
  if (!config.quiet) say(`compared with ${last.since.name}${earlierText}: ${countsText(comparisons)}`);
  warnAll(comparisons.size === 0 ? [nothingComparedText(last, report)] : remarksOn(comparisons));
  return holdsGates(turnovers) ? runInSlices(withComparisons(dataset, await withAllChanges(comparisons))) : null;
}

/** The served dump: its version, and the date of its name, else of its files. Dumps of a history have their names. */
export function sinceOf({ dataset, modifiedAt }: BuiltDataset, { place: { paths = [] }, folder }: Timeline): Since {
  const newest = folder?.dumps.at(-1);
  return newest === undefined
    ? { version: dataset.version, modifiedAt: dateOfPaths(paths) ?? modifiedAt }
    : { version: dataset.version, modifiedAt: new Date(newest.timeMs), name: newest.paths.join(', ') };
}
