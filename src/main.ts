#!/usr/bin/env node
/** The process: flags, output, signals, reload. Nothing else in the project touches `process`. */
import { existsSync, lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAllocationFailure } from './arrays.js';
import type { BuiltDataset } from './build/build.js';
import { type Comparisons, countsText, incompleteText } from './build/compare.js';
import {
  type Command,
  type Config,
  DEFAULT_HOST,
  helpText,
  nearCommand,
  type Place,
  readCommandLine,
} from './config.js';
import type { createApp, Served } from './http/app.js';
import { hostNames } from './http/semantics/host.js';
import type { RunningServer } from './http/server.js';
import type { SnapshotPlace } from './load/folder.js';
import type { LoadFailed } from './load/load.js';
import { faultText, hasFindings, totalRefused } from './load/report.js';
import { checkText, startUpText } from './load/report-text.js';
import { createProgress, noProgress } from './progress.js';
import { printable } from './text.js';
import { version } from './version.js';

const GRACE_MS = 10_000;
const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const EXIT_DIFFERENT = 1;

/** Each writes one line; a text of several is split by its caller. */
const say = (line: string): void => void process.stdout.write(`${printable(line)}\n`);
const warn = (line: string): void => void process.stderr.write(`${printable(line)}\n`);
const fail = (line: string, exitCode = EXIT_FAILURE): void => {
  warn(line);
  process.exitCode = exitCode;
};
const linesOf = (text: string): readonly string[] => text.split('\n');

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2), process.env);
  switch (command.kind) {
    case 'help':
      return linesOf(helpText(version())).forEach(say);
    case 'version':
      return say(version());
    case 'wrong':
      for (const line of linesOf(command.message)) fail(line, EXIT_USAGE);
      return;
    case 'check':
      return check(command.place, command.json);
    case 'diff':
      return diff(command);
    case 'bench':
      return bench(command);
    case 'serve':
      return serve(command);
  }
}

/** What is wrong with the place where the snapshots should be, before anything is read. */
function placeFault({ dir, paths, isDefault }: Place): string | undefined {
  const missing = (paths ?? [dir]).find((path) => !existsSync(path));
  if (missing === undefined) return undefined;
  if (/^https?:/i.test(missing)) return `${missing} is no file: download it first, then name the file.`;
  if (isThere(missing)) return `${missing} is a link to a file or folder that is not there.`;
  if (paths !== undefined) return `There is no file or folder ${missing}.${nearCommand(missing)}`;
  return isDefault ? undefined : `There is no folder ${dir}.`;
}

/** Whether something stands there itself, if only a link. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** The sample that comes with the program: it stands in where nobody named a place and the default folder holds nothing. */
const sampleDir = fileURLToPath(new URL('../snapshots/sample', import.meta.url));
const placeOf = ({ isDefault, ...place }: Place): SnapshotPlace => (isDefault ? { ...place, sampleDir } : place);

/** How to have other data served than the sample. */
const sampleLines = ({ dir }: SnapshotPlace): readonly string[] => [
  existsSync(dir)
    ? `${dir} holds no dump: this is the sample that comes with the program.`
    : `There is no folder ${dir} here: this is the sample that comes with the program.`,
  `To serve your own data: put a dump into ${dir}, or name it: ${commandName()} PATH…, files or folders of JSON, NDJSON or CSV.`,
];

/** How this program is started again from where it was started. */
function commandName(): string {
  if (process.env.npm_command === 'exec') return 'npx scraper-data-api';
  const path = relative(process.cwd(), fileURLToPath(import.meta.url));
  const isInstalled = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url));
  return isInstalled ? 'npx scraper-data-api' : `node ${path}`;
}

async function check(named: Place, json: boolean): Promise<void> {
  const missing = placeFault({ ...named, isDefault: false });
  const advice = named.isDefault ? ` Name a file or folder: ${commandName()} check PATH…` : '';
  if (missing !== undefined) return fail(`${missing}${advice}`);
  const { checkSnapshots } = await import('./build/check.js');
  const place = placeOf(named);
  const result = await withProgress((onProgress) => checkSnapshots({ ...place, onProgress }));
  if (!result.ok) return failAll(result);
  if (result.report.isSample) for (const line of sampleLines(place)) warn(line);
  warnAll(result.report.warnings);
  if (json) for (const line of linesOf(JSON.stringify(result.report, null, 2))) say(line);
  else for (const line of checkText(result.report)) say(line);
  if (totalRefused(result.report) > 0) process.exitCode = EXIT_FAILURE;
}

/** Like `diff` of POSIX: 0 where nothing changed, 1 where something did, 2 where that cannot be told. */
async function diff({ kind: _, before, after, json, ...reading }: Command & { kind: 'diff' }): Promise<void> {
  const { diffDumps, diffJson, diffText } = await import('./diff.js');
  const result = await withProgress((onProgress) => diffDumps(before, after, { ...reading, onProgress }));
  if (!result.ok) return fail(faultText(result.fault), EXIT_USAGE);
  for (const piece of (json ? diffJson : diffText)(result)) say(piece);
  if (result.hasChanges) process.exitCode = EXIT_DIFFERENT;
}

async function bench({ paths, flags, json }: Command & { kind: 'bench' }): Promise<void> {
  const [{ benchDump }, { benchText }] = await Promise.all([import('./bench/bench.js'), import('./bench/table.js')]);
  const controller = new AbortController();
  process.once('exit', () => controller.abort());
  const { execPath, version: node } = process;
  const program = { execPath, main: fileURLToPath(import.meta.url), paths, flags, signal: controller.signal };
  const figures = await benchDump(program, { version: version(), node }, warn);
  if ('exitCode' in figures) process.exitCode = figures.exitCode;
  else for (const line of json ? linesOf(JSON.stringify(figures, null, 2)) : benchText(figures)) say(line);
}

type Serving = Awaited<ReturnType<typeof loadServing>>;

/** What is not needed before there is something to serve. */
async function loadServing() {
  const [app, log, server, compact, reloader, watch] = await Promise.all([
    import('./http/app.js'),
    import('./http/log.js'),
    import('./http/server.js'),
    import('./build/settle.js'),
    import('./build/reloader.js'),
    import('./build/watch.js'),
  ]);
  return { ...app, ...log, ...server, ...compact, ...reloader, ...watch };
}

async function serve({ config, place: named, fromEnvironment }: Command & { kind: 'serve' }): Promise<void> {
  const missing = placeFault(named) ?? placeFault({ dir: '', paths: config.previous });
  if (missing !== undefined) return fail(missing);
  if (fromEnvironment.length > 0 && !config.quiet)
    say(`from the environment: ${fromEnvironment.map(({ variable, text }) => `${variable}=${text}`).join(', ')}`);
  const place = placeOf(named);
  const serving = await loadServing();
  let served: Served | null = null;
  let loadedShare = 0;
  const appFor = (host: string) =>
    serving.createApp({
      served: () => served,
      loadedShare: () => loadedShare,
      envelope: config.envelope,
      hasAllFields: config.extra,
      maxLimit: config['max-limit'],
      rateLimit: config['rate-limit'],
      corsOrigin: config.cors,
      hostNames: hostNames(host, config['allowed-host'], config['trust-proxy']),
      trustProxy: config['trust-proxy'],
      version: version(),
      now: () => performance.now(),
      onError: (error, request) => warnOf(error, `${request.method} ${request.url} failed: `),
    });
  const isHostInherited = fromEnvironment.some(({ name }) => name === 'host');
  // A port in use is told at once; until there is something to serve, requests are told how far that is.
  const server = await start(serving, appFor, config, isHostInherited);
  if (server === null) return;
  // While there is nothing to replace yet, it is kept that a reload was asked for: left alone, the signal ends the process.
  let isReloadDue = false;
  let hangUp = (): void => {
    isReloadDue = true;
  };
  process.on('SIGHUP', () => hangUp());
  const built = await load(config, place, (share) => {
    loadedShare = share;
  });
  if (!built.ok) {
    failAll(built);
    return server.close(0);
  }
  tell(built, config, place);
  const comparisons = await compareWithPrevious(built, config, place);
  if (comparisons === null) return server.close(0);
  let current: Served = { ...built, dataset: { ...built.dataset, comparisons }, loadedAt: new Date() };
  const replace = (next: Served): void => {
    current = next;
    served = next;
  };
  replace(current);
  const { createReloader, settle, watchFolder } = serving;
  const settleServed = () =>
    settle(
      () => current.dataset,
      (dataset) => replace({ ...current, dataset }),
    ).catch((error: unknown) => warnOf(error, 'the records stay as large as they are: '));
  const reload = createReloader(buildOptions(config, place), {
    current: () => ({ ...current, modifiedAt: current.modifiedAt ?? current.loadedAt }),
    onReloaded(built, comparisons) {
      replace({ ...built, modifiedAt: modifiedSince(current, built), loadedAt: new Date() });
      say(`reloaded: version ${built.dataset.version}, ${countsText(comparisons)}`);
      warnAll(incompleteText(comparisons));
      tell(built, config, place);
      void settleServed();
    },
    onFailed(fault) {
      warn(`reload failed, still serving version ${current.dataset.version}: ${faultText(fault)}`);
      replace({ ...current, reloadFault: { ...fault, at: new Date().toISOString() } });
    },
  });
  hangUp = () => void reload();
  if (config.watch) void watchFolder(place, built.signature, () => void reload(), new AbortController().signal);
  endOnSignals(server);
  if (!config.quiet) say(`open ${server.url}/`);
  say(`listening on ${server.url}`);
  if (isReloadDue) hangUp();
  void settleServed();
}

/** What is different from an earlier dump; none where there is no such dump, null where it cannot be read. */
async function compareWithPrevious(
  { dataset, report }: BuiltDataset,
  { previous, quiet, html }: Config,
  { scrapedAtMs: _, ...reading }: SnapshotPlace,
): Promise<Comparisons | null> {
  if (previous.length === 0) return new Map();
  const { compareWithDump, loadDump } = await import('./build/previous.js');
  const dump = await withProgress((onProgress) =>
    loadDump(previous, { ...reading, keepsHtml: html === 'keep', onProgress }),
  );
  if (!dump.ok) {
    failAll(dump);
    return null;
  }
  const comparisons = await compareWithDump(dump, { stores: dataset.collections, report });
  if (!quiet) say(`compared with ${previous.join(', ')}: ${countsText(comparisons)}`);
  warnAll(incompleteText(comparisons));
  return comparisons;
}

/**
 * Other records are never older than those they replace, also where a file was taken away or an older one put back:
 * clients that ask by date must see them.
 */
function modifiedSince(before: Served, { dataset, modifiedAt }: BuiltDataset): Date {
  const earlier = before.modifiedAt ?? before.loadedAt;
  return dataset.version === before.dataset.version || modifiedAt > earlier ? modifiedAt : new Date();
}

const buildOptions = ({ strict, engine, html }: Config, place: SnapshotPlace) => ({
  ...place,
  strict,
  engine,
  keepsHtml: html === 'keep',
});

/** Names each file that has a fault. */
function failAll({ fault, others }: Pick<LoadFailed, 'fault' | 'others'>): void {
  for (const each of [fault, ...others]) fail(faultText(each));
}

const load = (config: Config, place: SnapshotPlace, onShare: (share: number) => void) =>
  withProgress(async (onProgress) => {
    const { buildDataset } = await import('./build/build.js');
    return buildDataset({
      ...buildOptions(config, place),
      onProgress(file, done, total) {
        onShare(total === 0 ? 1 : done / total);
        onProgress(file, done, total);
      },
    });
  });

async function withProgress<T>(run: (onProgress: (file: string, done: number, total: number) => void) => Promise<T>) {
  const progress = process.stderr.isTTY
    ? createProgress(
        (text) => process.stderr.write(text),
        () => performance.now(),
      )
    : noProgress;
  try {
    return await run((file, done, total) => progress.update(printable(file), done, total));
  } finally {
    progress.end();
  }
}

const warnAll = (warnings: readonly string[]): void => {
  for (const warning of warnings) warn(`warning: ${warning}`);
};

/** What was loaded; what a user should act on goes to stderr, however quiet the rest. */
function tell({ report, timing }: BuiltDataset, { quiet }: Config, place: SnapshotPlace): void {
  const { dir, paths = report.isSample ? [] : [dir], as } = place;
  if (report.isSample) for (const line of sampleLines(place)) say(line);
  if (!quiet) for (const line of startUpText(report)) say(line);
  if (!quiet && timing) say(`read in ${seconds(timing.readMs)}, indexed in ${seconds(timing.indexMs)}`);
  if (!quiet && hasFindings(report))
    say(`full report: ${[commandName(), 'check', ...paths.map(shellQuoted), ...(as ? ['--as', as] : [])].join(' ')}`);
  warnAll(report.warnings);
}

/**
 * Listens, or says why that cannot be. Some shells export a `HOST` that is the name of a compiler's target, and no address:
 * that one is left alone.
 */
async function start(
  serving: Serving,
  appFor: (host: string) => ReturnType<typeof createApp>,
  { host, port, log: format }: Pick<Config, 'host' | 'port' | 'log'>,
  isHostInherited: boolean,
): Promise<RunningServer | null> {
  const { listen, createRequestLog } = serving;
  const log = format === 'off' ? null : createRequestLog(format, Date.now, (lines) => process.stdout.write(lines));
  try {
    const server = await listen(appFor(host), { host, port, ...(log !== null && { onAnswer: log.add }) });
    if (log !== null) process.on('exit', log.flush);
    return server;
  } catch (error) {
    if (isHostInherited && NO_ADDRESS.includes(codeOf(error))) {
      say(`HOST=${host} is no address of this machine, and is left alone: --host names one.`);
      return start(serving, appFor, { host: DEFAULT_HOST, port, log: format }, false);
    }
    fail(listenFault(error, host, port));
    return null;
  }
}

const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** A path as a shell takes it. */
const shellQuoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function listenFault(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use; choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this process has; choose one above 1023 with --port.`;
  if (NO_ADDRESS.includes(code)) return `${host} is not an address of this machine; see --host.`;
  return `Cannot listen on ${host}, port ${port}: ${describe(error)}`;
}

/** SIGTERM is sent by what replaces the server, and no answer is lost to it; SIGINT by a person, who waits for nobody. */
function endOnSignals(server: RunningServer): void {
  const endNow = (): void => process.exit(0);
  process.once('SIGTERM', () => {
    process.on('SIGTERM', endNow);
    void server.close(GRACE_MS).then(endNow);
  });
  process.on('SIGINT', endNow);
}

/** What happened, with the stack of an error. */
const warnOf = (error: unknown, before: string): void => linesOf(`${before}${describe(error)}`).forEach(warn);

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of the server.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Nothing is left half open: a process that cannot go on ends. */
function die(error: unknown): void {
  const message = isAllocationFailure(error)
    ? `There is not enough memory: ${error.message}.`
    : `Unexpected failure: ${describe(error)}`;
  for (const line of linesOf(message)) fail(line);
  process.exit();
}
process.on('uncaughtException', die);
main().catch(die);
