/** The command `check`: reads the snapshots and prints the report. It exits with 1 if a record was refused. */
import { checkSnapshots } from '../build/parts.js';
import type { Command } from '../config.js';
import { totalRefused } from '../load/report/report.js';
import { checkText } from '../load/report/report-text.js';
import { commandName, placeFault, sampleLines } from './place.js';
import { EXIT_FAILURE, fail, failAll, jsonLines, say, warn, warnAll, withProgress } from './terminal.js';

export async function check({ place, json }: Command & { kind: 'check' }, main: string): Promise<void> {
  const { sampleDir, ...named } = place;
  const missing = placeFault(named);
  const advice = sampleDir === undefined ? '' : ` Name a file or folder: ${commandName(main)} check PATH…`;
  if (missing !== undefined) return fail(`${missing}${advice}`);
  const result = await withProgress((onProgress) => checkSnapshots({ ...place, onProgress }));
  if (!result.ok) return failAll(result);
  const { report } = result;
  if (report.isSample) for (const line of sampleLines(place, main)) warn(line);
  warnAll(report.warnings);
  for (const line of json ? jsonLines(report) : checkText(report)) say(line);
  if (totalRefused(report) > 0) process.exitCode = EXIT_FAILURE;
}
