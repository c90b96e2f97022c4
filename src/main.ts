#!/usr/bin/env node
/** The process: flags, output, signals, reload. Nothing else in the project touches `process`. */
import { existsSync, readFileSync } from 'node:fs';
import type { BuiltDataset } from './build/build.js';
import { type Config, helpText, readCommandLine } from './config.js';
import type { createApp, Served } from './http/app.js';
import type { RunningServer } from './http/server.js';
import { faultText, hasFindings, type LoadReport, totalRefused } from './load/report.js';
import { checkText, startUpText } from './load/report-text.js';
import { createProgress, noProgress } from './progress.js';
import { grouped } from './text.js';

const GRACE_MS = 10_000;
const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`${line}\n`);
const fail = (line: string, exitCode = EXIT_FAILURE): void => {
  warn(line);
  process.exitCode = exitCode;
};

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2), process.env);
  switch (command.kind) {
    case 'help':
      return say(helpText(version()));
    case 'version':
      return say(version());
    case 'wrong':
      return fail(command.message, EXIT_USAGE);
    case 'check':
      return check(command.dir, command.json);
    case 'serve':
      return serve(command.config);
  }
}

const version = (): string => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

async function check(dir: string, json: boolean): Promise<void> {
  if (!existsSync(dir)) return fail(`There is no folder ${dir} to check.`);
  const { checkSnapshots } = await import('./build/check.js');
  const result = await withProgress((onProgress) => checkSnapshots({ dir, onProgress }));
  if (!result.ok) return fail(faultText(result.fault));
  warnAll(result.report.warnings);
  if (json) say(JSON.stringify(result.report, null, 2));
  else for (const line of checkText(result.report)) say(line);
  if (totalRefused(result.report) > 0) process.exitCode = EXIT_FAILURE;
}

type Serving = Awaited<ReturnType<typeof loadServing>>;

/** What is not needed before there is something to serve. */
async function loadServing() {
  const [app, log, server, compact, reloader, watch] = await Promise.all([
    import('./http/app.js'),
    import('./http/log.js'),
    import('./http/server.js'),
    import('./build/make-compact.js'),
    import('./build/reloader.js'),
    import('./build/watch.js'),
  ]);
  return { ...app, ...log, ...server, ...compact, ...reloader, ...watch };
}

async function serve(config: Config): Promise<void> {
  // While there is nothing to replace yet, it is kept that a reload was asked for: left alone, the signal ends the process.
  let isReloadDue = false;
  let hangUp = (): void => {
    isReloadDue = true;
  };
  process.on('SIGHUP', () => hangUp());
  const [built, serving] = await load(config);
  if (!built.ok) return fail(faultText(built.fault));
  tell(built.report, config);
  const { createReloader, makeCompact, watchFolder } = serving;

  let served: Served = { ...built, loadedAt: new Date() };
  const app = serving.createApp({
    served: () => served,
    envelope: config.envelope,
    maxLimit: config['max-limit'],
    rateLimit: config['rate-limit'],
    corsOrigin: config.cors,
    trustProxy: config['trust-proxy'],
    version: version(),
    now: () => performance.now(),
    onError: (error, request) => warn(`${request.method} ${request.url} failed: ${describe(error)}`),
  });
  const server = await start(serving, app, config);
  if (server === null) return;
  const saveMemory = () =>
    makeCompact(
      () => served.dataset,
      (dataset) => {
        served = { ...served, dataset };
      },
    ).catch((error: unknown) => warn(`the records stay as large as they are: ${describe(error)}`));
  const reload = createReloader(buildOptions(config), {
    current: () => served.dataset,
    replace(built) {
      served = { ...built, modifiedAt: modifiedSince(served, built), loadedAt: new Date() };
    },
    onReloaded({ dataset, report }, { added, removed, changed }) {
      const counts = `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed`;
      say(`reloaded: version ${dataset.version}, ${counts}`);
      tell(report, config);
      void saveMemory();
    },
    onFailed(fault) {
      warn(`reload failed, still serving version ${served.dataset.version}: ${faultText(fault)}`);
      served = { ...served, reloadFault: { ...fault, at: new Date().toISOString() } };
    },
  });
  hangUp = () => void reload();
  if (config.watch)
    void watchFolder(config.snapshots, built.signature, () => void reload(), new AbortController().signal);
  endOnSignals(server);
  say(`listening on ${server.url}`);
  if (isReloadDue) hangUp();
  void saveMemory();
}

/**
 * Other records are never older than those they replace, also where a file was taken away or an older one put back:
 * clients that ask by date must see them.
 */
function modifiedSince(before: Served, { dataset, modifiedAt }: BuiltDataset): Date {
  const earlier = before.modifiedAt ?? before.loadedAt;
  return dataset.version === before.dataset.version || modifiedAt > earlier ? modifiedAt : new Date();
}

const buildOptions = (config: Config) => ({ dir: config.snapshots, strict: config.strict });

/** What answers is loaded while the snapshots are read. */
const load = (config: Config) =>
  withProgress(async (onProgress) => {
    const { buildDataset } = await import('./build/build.js');
    return Promise.all([buildDataset({ ...buildOptions(config), onProgress }), loadServing()]);
  });

async function withProgress<T>(run: (onProgress: (file: string, done: number, total: number) => void) => Promise<T>) {
  const progress = process.stderr.isTTY
    ? createProgress(
        (text) => process.stderr.write(text),
        () => performance.now(),
      )
    : noProgress;
  try {
    return await run(progress.update);
  } finally {
    progress.end();
  }
}

const warnAll = (warnings: readonly string[]): void => {
  for (const warning of warnings) warn(`warning: ${warning}`);
};

/** What was loaded; what a user should act on goes to stderr, however quiet the rest. */
function tell(report: LoadReport, { quiet, snapshots }: Config): void {
  if (!quiet) for (const line of startUpText(report)) say(line);
  if (!quiet && hasFindings(report)) say(`what was found in them: scraper-data-api check ${snapshots}`);
  warnAll(report.warnings);
}

async function start(
  { listen, createRequestLog }: Serving,
  app: ReturnType<typeof createApp>,
  config: Config,
): Promise<RunningServer | null> {
  const { host, port } = config;
  const log =
    config.log === 'off' ? null : createRequestLog(config.log, Date.now, (lines) => process.stdout.write(lines));
  if (log !== null) process.on('exit', log.flush);
  try {
    return await listen(app, { host, port, ...(log !== null && { onAnswer: log.add }) });
  } catch (error) {
    fail(listenFault(error, host, port));
    return null;
  }
}

function listenFault(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use; choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this process has; choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine; see --host.`;
  return `Cannot listen on ${host}, port ${port}: ${describe(error)}`;
}

function endOnSignals(server: RunningServer): void {
  let ending = false;
  const end = (): void => {
    if (ending) process.exit(0);
    ending = true;
    void server.close(GRACE_MS).then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of the server.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main().catch((error: unknown) => fail(`Unexpected failure: ${describe(error)}`));
