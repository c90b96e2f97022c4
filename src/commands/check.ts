/** The command `check`: reads the snapshots and prints the report. It exits with 1 if a record was refused, or a gate does not hold. */
import { compareWithDump, countsText, loadPrevious, nothingComparedText, type Turnover } from '../build/compare.js';
import { gateResults, gateText } from '../build/gates.js';
import { buildCompared, checkSnapshots } from '../build/parts.js';
import type { Command } from '../config/command-line.js';
import type { DumpPlace } from '../config/config.js';
import type { LoadFailed } from '../load/load.js';
import { type LoadReport, totalRefused } from '../load/report/report.js';
import { checkText, warningLines } from '../load/report/report-text.js';
import { withFiles } from './dump-source.js';
import { newestDump } from './newest-dump.js';
import { commandName, pathFault, placeFault, sampleLines } from './place.js';
import { EXIT_FAILURE, EXIT_USAGE, fail, failAll, jsonLines, say, warn, warnAll, withProgress } from './terminal.js';

type CheckCommand = Command & { readonly kind: 'check' };

interface Checked {
  readonly ok: true;
  readonly report: LoadReport;
  /** By collection of the earlier dump; null without one. */
  readonly turnovers: ReadonlyMap<string, Turnover> | null;
  /** A line on the comparison with the earlier dump. */
  readonly comparison?: string;
}

export async function check({ place, isAddedUp, json, previous, gates }: CheckCommand, main: string): Promise<void> {
  const { sampleDir, ...named } = place;
  const missing = placeFault(named);
  const advice = sampleDir === undefined ? '' : ` Name a file or folder: ${commandName(main)} check PATH…`;
  if (missing !== undefined) return fail(`${missing}${advice}`);
  const noPrevious = pathFault(previous, 'previous');
  if (noPrevious !== undefined) return fail(noPrevious);
  const newest = await newestDump(place, isAddedUp || previous.length > 0);
  const gate = gates.maxLost !== undefined ? 'max-lost' : gates.maxNew !== undefined ? 'max-new' : undefined;
  // The dump before the newest of a history is compared only where a gate asks for it.
  const earlier = previous.length > 0 || gate === undefined ? previous : newest.previous;
  if (gate !== undefined && earlier.length === 0)
    return fail(`--${gate} needs --previous OLD, the dump to compare with, or a folder of dated dumps.`, EXIT_USAGE);
  const result = await withFiles(newest.place, (files) =>
    earlier.length === 0 ? checkAlone(files) : checkAfter(earlier, files),
  );
  if (!result.ok) return failAll(result);
  const { report, turnovers, comparison } = result;
  if (report.isSample) for (const line of sampleLines(place, main)) warn(line);
  warnAll(warningLines(report));
  const results = gateResults(gates, report, turnovers);
  if (json) for (const line of jsonLines({ ...report, ...(results.length > 0 && { gates: results }) })) say(line);
  else {
    for (const line of checkText(report)) say(line);
    if (comparison !== undefined) say(comparison);
    for (const each of results) say(`gate ${each.holds ? 'held' : 'not held'}: ${gateText(each)}`);
  }
  const isRefusalFailure = gates.maxRefused === undefined && totalRefused(report) > 0;
  if (isRefusalFailure || results.some(({ holds }) => !holds)) process.exitCode = EXIT_FAILURE;
}

async function checkAlone(place: DumpPlace): Promise<Checked | LoadFailed> {
  const result = await withProgress((onProgress) => checkSnapshots({ ...place, onProgress }));
  return result.ok ? { ...result, turnovers: null } : result;
}

/** Checks a dump and compares it with an earlier one, for which the records of both are kept. */
async function checkAfter(previous: readonly string[], place: DumpPlace): Promise<Checked | LoadFailed> {
  const dump = await withFiles({ ...place, dir: '', paths: previous }, ({ paths = [], fetched = {} }) =>
    withProgress((onProgress) => loadPrevious(paths, { ...place, fetched, onProgress })),
  );
  if (!dump.ok) return dump;
  const built = await withProgress((onProgress) => buildCompared({ ...place, onProgress }));
  if (!built.ok) return built;
  const { report, made } = built;
  const later = { ...made, report, since: { version: made.version, modifiedAt: new Date() } };
  const { comparisons, turnovers } = await compareWithDump(dump, later);
  const comparison =
    comparisons.size === 0
      ? nothingComparedText(dump, report)
      : `compared with ${previous.join(', ')}: ${countsText(comparisons)}`;
  return { ok: true, report, turnovers, comparison };
}
