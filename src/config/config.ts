/** The texts that flags, variables or options of the package have → their values, and what these say of a dump and of an app. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Gates } from '../build/gates.js';
import type { SnapshotLoadOptions } from '../load/load.js';
import type { SnapshotPlace } from '../load/source/folder.js';
import { didYouMean } from '../nearest.js';
import { quote } from '../text.js';
import { type Config, type Flag, type FlagName, type FlagTable, flags, type ValuesOf, WRONG } from './flags.js';

/**
 * The texts given for a flag. A command line or variable gives several only where the flag has a separator; an option of the
 * package may be a list for any flag.
 */
export interface GivenTexts {
  readonly texts: readonly string[];
  /** `--port`, `PORT`, or an option of the package. */
  readonly source: string;
}

/** By the name of the flag. */
export type GivenFlags = ReadonlyMap<string, GivenTexts>;

/** The values of the flags of a table, or a line for each flag whose text is wrong. A flag for which nothing is given has its default. */
export function valuesOf<Flags extends FlagTable>(table: Flags, given: GivenFlags): ValuesOf<Flags> | string {
  const faults: string[] = [];
  const values = Object.entries(table).map(([name, flag]) => {
    const { texts, source } = given.get(name) ?? { texts: [flag.fallback], source: name };
    const value = flagValue(flag, texts);
    const received = flag.isSecret === true ? '' : `, received ${quote(texts.join(', '))}`;
    if (value === WRONG) faults.push(`${source} must be ${flag.expected}${received}.`);
    return [name, value] as const;
  });
  return faults.length > 0 ? faults.join('\n') : (Object.fromEntries(values) as ValuesOf<Flags>);
}

/** The value of a flag. One that takes a single value is read from all that it was given, joined: `--port 1 --port 2` is no number. */
function flagValue({ read, separator }: Flag, texts: readonly string[]): unknown {
  if (separator === undefined) return read(texts.join(', '));
  const values = texts.filter((text) => text !== '').map(read);
  return values.includes(WRONG) ? WRONG : values;
}

/** Where the snapshots are, and how they are read. The sample may stand in for a folder that nobody named. */
export type DumpPlace = SnapshotPlace &
  Pick<SnapshotLoadOptions, 'keepsHtml' | 'records'> & {
    /** The most bytes of a dump that is fetched from an address; `DEFAULT_MAX_DOWNLOAD_BYTES` if not given. */
    readonly maxDownloadBytes?: number;
  };
type DumpReading = Omit<DumpPlace, 'dir' | 'paths' | 'sampleDir'>;

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';
/** Whether a path is no file: standard input, or an address. */
export const isFetched = (path: string): boolean => path === STANDARD_INPUT || /^https?:\/\//i.test(path);
export const DEFAULT_MAX_DOWNLOAD_BYTES = 4e9;

export function readingIn(config: Config): DumpReading {
  const {
    as,
    'base-url': baseUrl,
    'scraped-at': scrapedAtMs,
    columns,
    language,
    partial,
    html,
    encoding,
    records,
  } = config;
  const maxDownloadBytes = config['max-download'];
  return {
    ...(maxDownloadBytes !== DEFAULT_MAX_DOWNLOAD_BYTES && { maxDownloadBytes }),
    ...(columns === 'documented' && { columns }),
    ...(partial && { isPartial: true }),
    ...(html === 'keep' && { keepsHtml: true }),
    ...(encoding !== undefined && { encoding }),
    ...(records !== undefined && { records }),
    ...(language !== undefined && { language }),
    ...(as !== undefined && { as }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(scrapedAtMs !== undefined && { scrapedAtMs }),
  };
}

export const gatesIn = (config: Config): Gates => ({
  minFilled: config['min-filled'],
  ...(config['min-records'] !== undefined && { minRecords: config['min-records'] }),
  ...(config['max-lost'] !== undefined && { maxLost: config['max-lost'] }),
  ...(config['max-new'] !== undefined && { maxNew: config['max-new'] }),
  ...(config['max-refused'] !== undefined && { maxRefused: config['max-refused'] }),
});

const simulationIn = ({ delay, fail }: Config) =>
  delay === undefined && fail === undefined ? {} : { simulation: { delayMs: delay ?? [0, 0], failShare: fail ?? 0 } };

/** The options of an app that are the same for the program and the library. */
export const appOptionsIn = (config: Config) => ({
  envelope: config.envelope,
  hasAllFields: config.extra,
  maxLimit: config['max-limit'],
  rateLimit: config['rate-limit'],
  corsOrigin: config.cors,
  trustProxy: config['trust-proxy'],
  ...simulationIn(config),
  version: version(),
  now: () => performance.now(),
});

/** An option of the package is a flag in camelCase: `baseUrl` is `--base-url`. */
const optionOf = (flag: string): string => flag.replace(/-./g, (hyphened) => hyphened.charAt(1).toUpperCase());

/** A flag's text for the value of an option. */
function optionText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
  return String(value);
}

/** Options of the package, or what is wrong with some of them, a line each. Undefined stands for a flag's default. */
export function readOptions(options: object, names: readonly FlagName[]): Config | string {
  const flagsByOption = new Map(names.map((name) => [optionOf(name), name]));
  const faults: string[] = [];
  const textsByFlag = new Map<string, GivenTexts>();
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const name = flagsByOption.get(option);
    if (name === undefined) faults.push(`There is no option ${option}.${didYouMean(option, flagsByOption.keys())}`);
    else textsByFlag.set(name, { texts: [value].flat().map(optionText), source: option });
  }
  return faults.length > 0 ? faults.join('\n') : valuesOf(flags, textsByFlag);
}

/** The path of a file or folder of this package, which is bundled into `dist/`; tests and benches run from deeper folders. */
export function fromPackage(path: string): string {
  const folders = ['../', '../../', '../../../'].map((folder) => new URL(folder, import.meta.url));
  const root = folders.find((folder) => existsSync(new URL('package.json', folder)));
  return fileURLToPath(new URL(path, root ?? folders[0]));
}

/** The version of the program, as its package says it. */
export const version = (): string => JSON.parse(readFileSync(fromPackage('package.json'), 'utf8')).version;
