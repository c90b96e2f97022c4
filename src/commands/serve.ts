/**
 * What happens between the start of a server and its end?
 * Takes: the checked command line (`ServeCommand`).
 * Gives: a bound port, which answers 503 until the first load is done; then the dataset in the one slot that changes. A reload puts
 * another in its place. Signals end the process.
 * Skip: what is printed (`terminal.ts`, `say-loaded.ts`), the dumps before this one (`history.ts`), how a port is bound (`listen.ts`).
 */
import { on } from 'node:events';
import { type BuiltDataset, buildBeside } from '../build/build.js';
import { countsText, remarksOn } from '../build/compare.js';
import type { HistorySteps } from '../build/dated.js';
import { gateFault, gateResults } from '../build/gates.js';
import { createReloader, type ReloadHandlers, type ServedDumps, type WithOptions } from '../build/reloader.js';
import { prepareServed } from '../build/slices.js';
import { appOptionsIn, type DumpPlace, gatesIn } from '../config/config.js';
import { type Config, isSecretVariable } from '../config/flags.js';
import type { LoadProgress } from '../http/options.js';
import { simulationText } from '../http/semantics/simulation.js';
import type { Served } from '../http/served.js';
import { faultText } from '../load/report/report.js';
import { type Dataset, fieldsHash } from '../store/dataset.js';
import { count } from '../text.js';
import {
  compareWithEarlier,
  dumpSource,
  type HistorySource,
  readEarlier,
  sinceOf,
  timelineOf,
  warnLeftOut,
} from './history.js';
import { openInBrowser, type StartedServer, startListening } from './listen.js';
import { pathFault, placeFault } from './place.js';
import { type ServeCommand, sayLoaded } from './say-loaded.js';
import { fail, failAll, say, warn, warnAll, warnOf, withProgress } from './terminal.js';

/** Running responses have this long to finish after SIGTERM. */
const GRACE_MS = 10_000;

/** The one value that changes while the program runs: the served dataset, which is null until the first load is done. */
class ServedSlot {
  /** How far the first load is. */
  progress: LoadProgress = { phase: 'read', file: null, share: 0 };
  served: Served | null = null;

  get current(): Served {
    if (this.served === null) throw new Error('nothing is served yet');
    return this.served;
  }
}

const variableText = (variable: string): string =>
  isSecretVariable(variable) ? variable : `${variable}=${process.env[variable]}`;

export async function serve(command: ServeCommand, main: string): Promise<void> {
  const { config, variables } = command;
  if (variables.length > 0 && !config.quiet) say(`from the environment: ${variables.map(variableText).join(', ')}`);
  const missing = missingDump(command);
  if (missing !== undefined) return fail(missing);
  const slot = new ServedSlot();
  // The port is bound before anything is read: one that is in use fails at once.
  const server = await startListening(config, slot, variables.includes('HOST'));
  if (server === null) return;
  const isServed = config.from === undefined ? await loadInto(slot, command, main) : await openInto(slot, config.from);
  if (!isServed) return (await server.answer()).close(0);
  await serveOn(server, config);
  if (config.from === undefined) void prepareSlot(slot);
}

/** The fault of a path on the command line; undefined where all may be read, or a database is. */
function missingDump({ config, place }: ServeCommand): string | undefined {
  if (config.from !== undefined) return undefined;
  const isFolderOfDumps = config.history !== undefined && place.paths === undefined;
  return (isFolderOfDumps ? undefined : placeFault(place)) ?? pathFault(config.previous, 'previous');
}

/** Puts the dump of a database into the slot; false, and a line, where there is none. */
async function openInto(slot: ServedSlot, address: string): Promise<boolean> {
  const { openDatabase } = await import('./database.js');
  const fault = await openDatabase(address, slot);
  if (fault !== null) fail(fault);
  return fault === null;
}

/** Loads the dump, compares it with those before it, puts it into the slot, and reloads it later; false, and lines, where it cannot be served. */
async function loadInto(slot: ServedSlot, command: ServeCommand, main: string): Promise<boolean> {
  const { config, place } = command;
  // A SIGHUP of the first load, which by default would end the process, waits until it is done.
  const hangUps: AsyncIterable<unknown> = on(process, 'SIGHUP');
  const timeline = await timelineOf(config, place);
  if (typeof timeline === 'string') {
    fail(timeline);
    return false;
  }
  const source = await dumpSource(timeline, config);
  const earlier = await readEarlier(timeline, config);
  if (!earlier.ok) {
    failAll(earlier);
    return false;
  }
  const { folder } = timeline;
  // The newest dump of a history is the one that was listed with the earlier ones, although another may have come since.
  const built = await (folder === null
    ? source.use((files) => load(config, files, slot))
    : load(config, timeline.place, slot));
  if (!built.ok) {
    failAll(built);
    return false;
  }
  sayLoaded(built, command, timeline.place, main);
  slot.progress = { ...slot.progress, phase: 'compare' };
  const since = sinceOf(built, timeline);
  const dataset = await compareWithEarlier(earlier, built, command, since);
  if (dataset === null) return false;
  slot.served = { ...built, dataset, loadedAt: new Date() };
  const reload = createReload(command, main, slot, source, { since, dumps: folder?.dumps ?? null });
  const onFault = (message: string): void =>
    warn(`asked again for the dump, still serving the earlier one: ${message}`);
  if (config.watch) source.watch(built.signature, { onChange: reload, onFault }, new AbortController().signal);
  void reloadOnEach(hangUps, reload);
  return true;
}

/** Says where the server listens, and answers from then on. */
async function serveOn(server: StartedServer, config: Config): Promise<void> {
  endOnSignals(server);
  const { simulation } = appOptionsIn(config);
  if (simulation !== undefined) warn(`Answers of /api ${simulationText(simulation)}, as --delay and --fail ask.`);
  if (!config.quiet) say(`open ${server.url}${config.from === undefined ? '/' : '/docs'}`);
  say(`listening on ${server.url}`);
  if (config.open) await openInBrowser(`${server.url}/`);
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
        const share = total === 0 ? 1 : done / total;
        slot.progress = { phase: share < 1 ? 'read' : 'index', file, share };
        onProgress(file, done, total);
      },
    }),
  );

/** The function that asks for a reload. A reload that fails leaves the served records as they are. */
function createReload(
  command: ServeCommand,
  main: string,
  slot: ServedSlot,
  source: HistorySource,
  started: ServedDumps,
): () => void {
  const { strict, engine } = command.config;
  let readPlace = command.place;
  const withOptions: WithOptions = (use) =>
    source.use((place, dumps) => {
      readPlace = place;
      return use({ ...place, strict, engine }, dumps);
    });
  const handlers: ReloadHandlers = {
    current: () => slot.current,
    onReloaded(built, comparisons, steps) {
      slot.served = { ...built, modifiedAt: modifiedSince(slot.current, built), loadedAt: new Date() };
      say(`reloaded: version ${built.dataset.version}, ${countsText(comparisons)}${stepsText(steps)}`);
      warnAll(remarksOn(comparisons));
      sayLoaded(built, command, readPlace, main);
      void prepareSlot(slot);
    },
    maxChanges: command.config['max-changes'],
    refusalOf: (report, turnovers) => gateFault(gateResults(gatesIn(command.config), report, turnovers)),
    onFailed(fault) {
      warn(`reload failed, still serving version ${slot.current.dataset.version}: ${faultText(fault)}`);
      slot.served = { ...slot.current, reloadFault: { ...fault, at: new Date().toISOString() } };
    },
    onLeftOut: warnLeftOut,
  };
  const reload = createReloader(withOptions, handlers, started);
  return () => void reload();
}

/** The text on dumps that were compared besides the newest and the one before it. */
function stepsText({ between, isAnew }: HistorySteps): string {
  if (between.length === 0) return '';
  const dumps = count(between.length + 1, 'dump');
  return isAnew
    ? ` in the newest of ${dumps}, all of which were read anew`
    : ` in the newest of ${dumps} that came together`;
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
