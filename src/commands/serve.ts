/**
 * The command `serve`: binds the port, loads the snapshots, and serves them until a signal ends the process. Until the first
 * load is done, every request is answered 503. A reload builds a dataset beside the served one, and replaces it in whole.
 */
import { on } from 'node:events';
import { type BuiltDataset, buildBeside } from '../build/build.js';
import { countsText, nothingComparedText, remarksOn, type Turnover, withComparisons } from '../build/compare.js';
import { dateOfPaths } from '../build/dated.js';
import { gateFault, gateResults, gateText } from '../build/gates.js';
import { createReloader, type WithOptions } from '../build/reloader.js';
import { prepareServed, runInSlices } from '../build/slices.js';
import {
  appOptionsIn,
  type Command,
  type Config,
  type DumpPlace,
  gatesIn,
  isSecretVariable,
  STANDARD_INPUT,
} from '../config.js';
import type { Served } from '../http/options.js';
import { simulationText } from '../http/semantics/simulation.js';
import { hasFindings } from '../load/report/findings.js';
import { faultText } from '../load/report/report.js';
import { startUpText, warningLines } from '../load/report/report-text.js';
import { type Dataset, fieldsHash } from '../store/dataset.js';
import { count } from '../text.js';
import type { DumpSource } from './dump-source.js';
import { dumpSource, type EarlierDumps, readEarlier, type Timeline, timelineOf } from './history.js';
import { type StartedServer, startListening } from './listen.js';
import { commandName, pathFault, placeFault, sampleLines, shellQuoted } from './place.js';
import { fail, failAll, say, warn, warnAll, warnOf, withProgress } from './terminal.js';

/** Running responses have this long to finish after SIGTERM. */
const GRACE_MS = 10_000;

/** The one value that changes while the program runs: the served dataset, which is null until the first load is done. */
class ServedSlot {
  /** Progress of the first load, from 0 to 1. */
  loadedShare = 0;
  served: Served | null = null;

  get current(): Served {
    if (this.served === null) throw new Error('nothing is served yet');
    return this.served;
  }
}

type ServeCommand = Command & { kind: 'serve' };

const variableText = (variable: string): string =>
  isSecretVariable(variable) ? variable : `${variable}=${process.env[variable]}`;

export async function serve(command: ServeCommand, main: string): Promise<void> {
  const { config, place, variables } = command;
  if (variables.length > 0 && !config.quiet) say(`from the environment: ${variables.map(variableText).join(', ')}`);
  const isFolderOfDumps = config.history !== undefined && place.paths === undefined;
  const missing =
    config.from === undefined
      ? ((isFolderOfDumps ? undefined : placeFault(place)) ?? pathFault(config.previous, 'previous'))
      : undefined;
  if (missing !== undefined) return fail(missing);
  const slot = new ServedSlot();
  // The port is bound before anything is read: one that is in use fails at once.
  const server = await startListening(config, slot, variables.includes('HOST'));
  if (server === null) return;
  if (config.from !== undefined) {
    const { openDatabase } = await import('./database.js');
    const fault = await openDatabase(config.from, slot);
    if (fault !== null) {
      fail(fault);
      return (await server.answer()).close(0);
    }
    return serveOn(server, config);
  }
  // A SIGHUP of the first load, which by default would end the process, waits until it is done.
  const hangUps: AsyncIterable<unknown> = on(process, 'SIGHUP');
  const timeline = await timelineOf(config, place);
  if (typeof timeline === 'string') {
    fail(timeline);
    return (await server.answer()).close(0);
  }
  const source = await dumpSource(timeline, config.watch);
  const earlier = await readEarlier(timeline, config['max-changes']);
  if (!earlier.ok) {
    failAll(earlier);
    return (await server.answer()).close(0);
  }
  const built = await source.use((files) => load(config, files, slot));
  if (!built.ok) {
    failAll(built);
    return (await server.answer()).close(0);
  }
  sayLoaded(built, command, main);
  const dataset = await compareWithEarlier(earlier, built, command, timeline);
  if (dataset === null) return (await server.answer()).close(0);
  slot.served = { ...built, dataset, loadedAt: new Date() };
  const reload = createReload(command, main, slot, source);
  const onFault = (message: string): void =>
    warn(`asked again for the dump, still serving the earlier one: ${message}`);
  if (config.watch) source.watch(built.signature, { onChange: reload, onFault }, new AbortController().signal);
  void reloadOnEach(hangUps, reload);
  await serveOn(server, config);
  void prepareSlot(slot);
}

/** Says where the server listens, and answers from then on. */
async function serveOn(server: StartedServer, config: Config): Promise<void> {
  endOnSignals(server);
  const { simulation } = appOptionsIn(config);
  if (simulation !== undefined) warn(`Answers of /api ${simulationText(simulation)}, as --delay and --fail ask.`);
  if (!config.quiet) say(`open ${server.url}${config.from === undefined ? '/' : '/docs'}`);
  say(`listening on ${server.url}`);
  if (config.open) (await import('./open.js')).openInBrowser(`${server.url}/`);
  await server.answer();
}

/** Waits for signals apart from `serve`, whose return lets go of the dataset as it was loaded. */
async function reloadOnEach(hangUps: AsyncIterable<unknown>, reload: () => void): Promise<void> {
  for await (const _ of hangUps) reload();
}

/** SIGTERM comes from a supervisor, and no response is lost to it. SIGINT comes from a person, who waits for nobody. */
function endOnSignals({ answer }: StartedServer): void {
  const endNow = (): void => process.exit(0);
  process.once('SIGTERM', () => {
    process.on('SIGTERM', endNow);
    void answer()
      .then(({ close }) => close(GRACE_MS))
      .then(endNow);
  });
  process.on('SIGINT', endNow);
}

const load = ({ strict, engine }: Config, place: DumpPlace, slot: ServedSlot) =>
  withProgress((onProgress) =>
    buildBeside({
      ...place,
      strict,
      engine,
      onProgress(file, done, total) {
        slot.loadedShare = total === 0 ? 1 : done / total;
        onProgress(file, done, total);
      },
    }),
  );

/** The dataset with its changes since the dumps before it; null if a gate does not hold. */
async function compareWithEarlier(
  { history, last }: EarlierDumps,
  { dataset, report, modifiedAt }: BuiltDataset,
  { config }: ServeCommand,
  { place, earlier }: Timeline,
): Promise<Dataset | null> {
  const holdsGates = (turnovers: ReadonlyMap<string, Turnover> | null): boolean => {
    const failures = gateResults(gatesIn(config), report, turnovers).filter(({ holds }) => !holds);
    for (const failure of failures) fail(gateText(failure));
    return failures.length === 0;
  };
  if (last === null) return holdsGates(null) ? dataset : null;
  const date = dateOfPaths(place.paths ?? []) ?? modifiedAt;
  const served = { stores: dataset.collections, report, since: { version: dataset.version, modifiedAt: date } };
  const { comparisons, turnovers } = await runInSlices(history.finish(served));
  const earlierText = earlier.length > 1 ? `, the last of ${count(earlier.length, 'earlier dump')}` : '';
  if (!config.quiet) say(`compared with ${last.since.name}${earlierText}: ${countsText(comparisons)}`);
  warnAll(comparisons.size === 0 ? [nothingComparedText(last, report)] : remarksOn(comparisons));
  return holdsGates(turnovers) ? runInSlices(withComparisons(dataset, comparisons)) : null;
}

/** The function that asks for a reload. A reload that fails leaves the served records as they are. */
function createReload(command: ServeCommand, main: string, slot: ServedSlot, source: DumpSource): () => void {
  const { strict, engine } = command.config;
  const withOptions: WithOptions = (use) => source.use((place) => use({ ...place, strict, engine }));
  const reload = createReloader(withOptions, {
    current: () => ({ ...slot.current, modifiedAt: slot.current.modifiedAt ?? slot.current.loadedAt }),
    onReloaded(built, comparisons) {
      slot.served = { ...built, modifiedAt: modifiedSince(slot.current, built), loadedAt: new Date() };
      say(`reloaded: version ${built.dataset.version}, ${countsText(comparisons)}`);
      warnAll(remarksOn(comparisons));
      sayLoaded(built, command, main);
      void prepareSlot(slot);
    },
    maxChanges: command.config['max-changes'],
    refusalOf: (report, turnovers) => gateFault(gateResults(gatesIn(command.config), report, turnovers)),
    onFailed(fault) {
      warn(`reload failed, still serving version ${slot.current.dataset.version}: ${faultText(fault)}`);
      slot.served = { ...slot.current, reloadFault: { ...fault, at: new Date().toISOString() } };
    },
  });
  return () => void reload();
}

/** Whether records and fields are the same: a page also shows the currency of a price, which the records lack. */
const isServedAlike = (a: Dataset, b: Dataset): boolean => a.version === b.version && fieldsHash(a) === fieldsHash(b);

/**
 * The time of a reloaded dataset is never earlier than the time of the one before, though a file may have been taken away or an
 * older one put back: clients that ask by date must see the new records.
 */
function modifiedSince(before: Served, { dataset, modifiedAt }: BuiltDataset): Date {
  const earlier = before.modifiedAt ?? before.loadedAt;
  return isServedAlike(before.dataset, dataset) || modifiedAt > earlier ? modifiedAt : new Date();
}

/** Counts what pages show, between requests: the one work after the start. */
async function prepareSlot(slot: ServedSlot): Promise<void> {
  try {
    const { preparePages } = await import('./answer.js');
    await prepareServed(() => slot.current.dataset, preparePages);
  } catch (error) {
    warnOf(error, 'pages count when they are first asked for: ');
  }
}

/** Says what was loaded. Warnings go to stderr, also with `--quiet`. */
function sayLoaded({ report, timing }: BuiltDataset, command: ServeCommand, main: string): void {
  const { place, readingFlags } = command;
  const { quiet } = command.config;
  if (report.isSample) for (const line of sampleLines(place, main)) say(line);
  if (!quiet) for (const line of startUpText(report)) say(line);
  if (!quiet && timing) say(`read in ${seconds(timing.readMs)}, indexed in ${seconds(timing.indexMs)}`);
  // Standard input cannot be read once more.
  if (!quiet && hasFindings(report) && place.paths?.includes(STANDARD_INPUT) !== true) {
    const paths = place.paths ?? (report.isSample ? [] : [place.dir]);
    say(`full report: ${commandName(main)} check ${[...paths, ...readingFlags].map(shellQuoted).join(' ')}`.trimEnd());
  }
  warnAll(warningLines(report));
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
