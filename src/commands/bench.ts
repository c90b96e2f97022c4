/** The command `bench`: prints how fast this machine serves the snapshots. */
import { benchDump } from '../bench/bench.js';
import { benchText } from '../bench/table.js';
import type { Command } from '../config/command-line.js';
import { version } from '../config/config.js';
import { jsonLines, say, warn } from './terminal.js';

export async function bench({ paths, flags, json }: Command & { kind: 'bench' }, main: string): Promise<void> {
  const controller = new AbortController();
  process.once('exit', () => controller.abort());
  const { execPath, version: node } = process;
  const figures = await benchDump(
    { execPath, main, paths, flags, signal: controller.signal },
    { version: version(), node },
    warn,
  );
  if ('exitCode' in figures) process.exitCode = figures.exitCode;
  else for (const line of json ? jsonLines(figures) : benchText(figures)) say(line);
}
