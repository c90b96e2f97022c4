/**
 * Flags and environment → Config. One table describes every flag: parser, help text and README tests read it. Flags
 * win over the environment, the environment over the defaults.
 */
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { languages } from './languages.js';
import { readDate } from './load/dates.js';
import type { SnapshotPlace } from './load/folder.js';
import { isCollectionName } from './model.js';
import { didYouMean } from './nearest.js';
import { ENGINES } from './search/search.js';
import { quote } from './text.js';

/** Returned by the reader of a flag whose text is not what the flag expects. */
const WRONG = Symbol('wrong');
type Read<Value> = (text: string) => Value | typeof WRONG;

export interface Flag<Value = unknown> {
  /** The placeholder of the value in the help text; a flag without one is on or off. */
  readonly value?: string;
  readonly fallback: string;
  readonly description: string;
  /** Completes "must be …". */
  readonly expected: string;
  /** The flag may be given several times; in its variable this stands between the values. */
  readonly separator?: string;
  readonly read: Read<Value>;
}

/** Stands between several values of a flag: no path holds it. */
const VALUE_SEPARATOR = '\0';

/** Reads texts that meet a condition, as they are. */
const textThat =
  (isRight: (text: string) => boolean): Read<string> =>
  (text) =>
    isRight(text) ? text : WRONG;
const oneOf =
  <Name extends string>(names: readonly Name[]): Read<Name> =>
  (text) =>
    names.find((name) => name === text) ?? WRONG;
/** `a, b or c`. */
const either = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
const integerFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER): Read<number> =>
  (text) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : WRONG;
/** Without a text the flag has no value. */
const optional =
  <Value>(read: Read<Value>): Read<Value | undefined> =>
  (text) =>
    text === '' ? undefined : read(text);
const listThat =
  (isRight: (text: string) => boolean): Read<readonly string[]> =>
  (texts) => {
    const values = texts.split(VALUE_SEPARATOR).filter((text) => text !== '');
    return values.every(isRight) ? values : WRONG;
  };
const momentOf: Read<number> = (text) => {
  const reading = readDate(text);
  return typeof reading === 'object' ? reading.timeMs : WRONG;
};
const originOf: Read<string | null> = (text) => {
  if (text === 'off') return null;
  return text === 'local' || text === '*' || (URL.canParse(text) && new URL(text).origin === text) ? text : WRONG;
};

/** The spellings of off and on in a variable. */
const SWITCHED_OFF = ['0', 'false', 'off'];
const SWITCHED_ON = ['1', 'true', 'on'];
const onOff = (description: string): Flag<boolean> => ({
  fallback: '0',
  description,
  expected: 'on or off, written 1 or 0',
  read: (text) => SWITCHED_ON.includes(text) || (SWITCHED_OFF.includes(text) ? false : WRONG),
});

/** A flag whose value is one of some names. */
const choice = <const Name extends string>(
  value: string,
  names: readonly Name[],
  fallback: Name,
  description: string,
): Flag<Name> => ({ value, fallback, description, expected: either(names), read: oneOf(names) });

/** Every flag, in the order of the help text. */
const flags = {
  snapshots: {
    value: 'DIR',
    fallback: 'snapshots',
    description: 'folder with the scrape dumps',
    expected: 'a folder',
    read: textThat((text) => text !== ''),
  },
  as: {
    value: 'NAME',
    fallback: '',
    description:
      'what the named files hold: articles, products, or a collection of its own such as jobs; if not given, file names or fields decide',
    expected: 'articles, products, or a name of small letters such as jobs',
    read: optional(textThat(isCollectionName)),
  },
  'base-url': {
    value: 'URL',
    fallback: '',
    description: 'the page that was scraped: relative addresses in the dump are completed by it',
    expected: 'an address such as https://shop.example/',
    read: optional(textThat((text) => URL.canParse(text) && /^https?:/i.test(text))),
  },
  'scraped-at': {
    value: 'DATE',
    fallback: '',
    description: 'when the dump was scraped: "3 hours ago" counts from it',
    expected: 'a date such as 2024-03-05T09:30Z',
    read: optional(momentOf),
  },
  columns: choice(
    'WHICH',
    ['all', 'documented'],
    'all',
    'columns of a dump that feed no documented field are fields of their own, which answers have where `fields` asks; documented leaves them out',
  ),
  language: {
    value: 'NAME',
    fallback: '',
    description: `language that texts are searched in, in place of the one guessed from their words: ${languages.join(', ')}`,
    expected: either(languages),
    read: optional(oneOf(languages)),
  },
  previous: {
    value: 'PATH',
    fallback: '',
    description: 'earlier dump to compare with, a folder or a file; may be given several times',
    expected: 'a folder or a file',
    separator: delimiter,
    read: listThat(() => true),
  },
  host: {
    value: 'HOST',
    fallback: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 for every network interface',
    expected: 'an address',
    read: textThat((text) => text !== ''),
  },
  'allowed-host': {
    value: 'NAME',
    fallback: '',
    description: 'further name that requests may come to, such as shop.test; may be given several times',
    expected: 'a name such as shop.test',
    separator: ',',
    read: listThat((text) => /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(text)),
  },
  port: {
    value: 'N',
    fallback: '3000',
    description: 'port to listen on; 0 picks a free one',
    expected: 'an integer from 0 to 65535',
    read: integerFrom(0, 65535),
  },
  envelope: choice('NAME', ['pagination', 'meta'], 'pagination', 'page numbers as "pagination" or as "meta"'),
  'rate-limit': {
    value: 'N',
    fallback: '100',
    description: 'requests a minute for each client; 0 for no limit',
    expected: 'an integer of at least 0',
    read: integerFrom(0),
  },
  'max-limit': {
    value: 'N',
    fallback: '1000',
    description: 'most records per page',
    expected: 'an integer of at least 1',
    read: integerFrom(1),
  },
  cors: {
    value: 'ORIGIN',
    fallback: 'local',
    description: 'origins that browsers may call from: local (this machine), *, one such as https://shop.test, or off',
    expected: 'local, *, off or an origin such as https://shop.test',
    read: originOf,
  },
  'trust-proxy': onOff('count clients by X-Forwarded-For, as one proxy in front sets it'),
  watch: onOff('load the snapshots again whenever their folder changes'),
  partial: onOff('of a JSON file that is cut off, serve what stands before the cut'),
  strict: onOff('refuse to start if any record is refused or repaired'),
  engine: choice(
    'NAME',
    ENGINES,
    'bm25f',
    'search by bm25f, or by minisearch: large dumps take minutes, phrases and -words count as plain words',
  ),
  extra: onOff('lists, details and exports have all fields where a request has no `fields`'),
  html: choice('FORM', ['text', 'keep'], 'text', 'contents that are HTML become text, or are kept: text or keep'),
  log: choice(
    'FORMAT',
    ['text', 'json', 'off'],
    'off',
    'one line per request on stdout: text (also plain --log), json, or off',
  ),
  quiet: onOff('no load report, only warnings and the line that says where it listens'),
} satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;
export type Config = { readonly [Name in FlagName]: (typeof flags)[Name] extends Flag<infer Value> ? Value : never };

const isFlagName = (name: string): name is FlagName => Object.hasOwn(flags, name);
const flagNames: readonly FlagName[] = Object.keys(flags).filter(isFlagName);
const flagOf = (name: FlagName): Flag => flags[name];
export const serveFlags = flagNames.map((name) => ({ name, ...flagOf(name) }));
export const DEFAULT_HOST = flags.host.fallback;

/**
 * The environment variable of a flag. Common names belong to other programs: conda's shells export `AS` and `HOST`. `PORT`
 * and `HOST` are what hosting platforms set.
 */
export function variableOf(name: string): string {
  const capitals = name.toUpperCase().replaceAll('-', '_');
  return name === 'port' || name === 'host' ? capitals : `SCRAPER_${capitals}`;
}

/** Where the snapshots are. */
export interface Place extends SnapshotPlace {
  /** Nobody named a folder: the sample may stand in for one that holds nothing. */
  readonly isDefault?: boolean;
}

export type Command =
  | {
      readonly kind: 'serve';
      readonly config: Config;
      readonly place: Place;
      readonly fromEnvironment: readonly EnvironmentValue[];
    }
  | { readonly kind: 'check'; readonly place: Place; readonly json: boolean }
  | (Reading & {
      readonly kind: 'diff';
      readonly before: string;
      readonly after: string;
      readonly json: boolean;
    })
  | {
      readonly kind: 'bench';
      readonly paths: readonly string[];
      /** Flags of `serve`, as they stand on a command line. */
      readonly flags: readonly string[];
      readonly json: boolean;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

/** A value that an environment variable gave, in place of a flag. */
export interface EnvironmentValue {
  /** The flag's name. */
  readonly name: string;
  readonly variable: string;
  readonly text: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A command line whose command has been read: its paths, and the flags that it gives. */
interface Line {
  readonly paths: readonly string[];
  readonly flagTexts: ReadonlyMap<string, string>;
  readonly environment: Environment;
}

const wrong = (message: string): Command => ({ kind: 'wrong', message });

/** Reads a command line without the program's own name. */
export function readCommandLine(args: readonly string[], environment: Environment): Command {
  const { tokens } = parseArgs({ args: [...spellOutLog(args)], options: parseOptions, strict: false, tokens: true });
  const flagTexts = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const fault = flagFault(token.name, token.rawName, token.value);
    if (fault !== null) return wrong(fault);
    const earlier = flagTexts.get(token.name);
    const isFurther = earlier !== undefined && isFlagName(token.name) && flagOf(token.name).separator !== undefined;
    flagTexts.set(token.name, isFurther ? `${earlier}${VALUE_SEPARATOR}${token.value}` : (token.value ?? '1'));
  }
  if (flagTexts.has('help')) return { kind: 'help' };
  if (flagTexts.has('version')) return { kind: 'version' };
  const reader = readers.get(positionals[0] ?? '');
  const paths = reader === undefined ? positionals : positionals.slice(1);
  if (paths.length > 0 && flagTexts.has('snapshots'))
    return wrong(
      `Name files and folders, or one folder with --snapshots, but not both: found ${quote(paths[0])} as well.`,
    );
  return (reader ?? readServe)({ paths, flagTexts, environment });
}

/** A word that is no path but nearly a command was meant as one. */
export const nearCommand = (path: string): string => didYouMean(path, readers.keys());

interface ParseOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
}

const parseOptions: Readonly<Record<string, ParseOption>> = {
  ...Object.fromEntries(flagNames.map((name) => [name, { type: 'value' in flags[name] ? 'string' : 'boolean' }])),
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
};

/** `--log` alone means text; a next word that is neither a flag nor a command is its value. */
function* spellOutLog(args: readonly string[]): Iterable<string> {
  for (const [i, arg] of args.entries()) {
    yield arg === '--log' && /^(?:-.*|serve|check|diff|bench|)$/.test(args[i + 1] ?? '') ? '--log=text' : arg;
  }
}

function flagFault(name: string, rawName: string, value: string | undefined): string | null {
  const option = parseOptions[name];
  const names = Object.keys(parseOptions).map((known) => `--${known}`);
  if (option === undefined) return `Unknown flag ${rawName}.${didYouMean(rawName, names)} See --help.`;
  if (option.type === 'string' && value === undefined) return `${rawName} needs a value. See --help.`;
  if (option.type === 'boolean' && value !== undefined) return `${rawName} takes no value. See --help.`;
  return null;
}

/** How dumps are read, as a place has it. */
type Reading = Pick<SnapshotPlace, 'as' | 'baseUrl' | 'scrapedAtMs' | 'columns' | 'language' | 'isPartial'>;
const READING_FLAGS = ['as', 'base-url', 'scraped-at', 'columns', 'language', 'partial'] as const;

export function readingIn(config: Pick<Config, (typeof READING_FLAGS)[number]>): Reading {
  const { as, 'base-url': baseUrl, 'scraped-at': scrapedAtMs, columns, language, partial } = config;
  return {
    ...(columns === 'documented' && { columns }),
    ...(partial && { isPartial: true }),
    ...(language !== undefined && { language }),
    ...(as !== undefined && { as }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(scrapedAtMs !== undefined && { scrapedAtMs }),
  };
}

function placeIn(line: Line, reading: Reading): Place {
  const { paths } = line;
  if (paths.length > 0) return { dir: paths.join(', '), paths, ...reading };
  const isNamed = line.flagTexts.has('snapshots') || isInEnvironment(line.environment, 'snapshots');
  return { dir: textIn('snapshots', line), ...reading, ...(!isNamed && { isDefault: true }) };
}

function readServe(line: Line): Command {
  const { paths, flagTexts, environment } = line;
  if (flagTexts.has('json')) return wrong('--json belongs to "check", "diff" and "bench". See --help.');
  const config = readFlags(flagNames, line);
  if (typeof config === 'string') return wrong(config);
  const fromEnvironment = flagNames
    .filter((name) => !flagTexts.has(name) && isInEnvironment(environment, name))
    .filter((name) => paths.length === 0 || name !== 'snapshots')
    .map((name) => ({ name, variable: variableOf(name), text: environment[variableOf(name)] ?? '' }));
  return { kind: 'serve', config, place: placeIn(line, readingIn(config)), fromEnvironment };
}

/** The values of some flags, or a line for each whose text is wrong, with the source of that text. */
function readTexts<Name extends FlagName>(
  names: readonly Name[],
  textOf: (name: Name) => string,
  sourceOf: (name: Name) => string,
): Pick<Config, Name> | string {
  const faults: string[] = [];
  const values = names.map((name) => {
    const { read, expected } = flagOf(name);
    const text = textOf(name);
    const value = read(text);
    if (value === WRONG) faults.push(`${sourceOf(name)} must be ${expected}, received ${quote(text)}.`);
    return [name, value] as const;
  });
  return faults.length > 0 ? faults.join('\n') : (Object.fromEntries(values) as Pick<Config, Name>);
}

const readFlags = <Name extends FlagName>(names: readonly Name[], line: Line): Pick<Config, Name> | string =>
  readTexts(
    names,
    (name) => textIn(name, line),
    (name) => (line.flagTexts.has(name) ? `--${name}` : variableOf(name)),
  );

/** How a command reads dumps that takes no flags but those for it, and some others; or what is wrong with its flags. */
function readReading(command: string, others: readonly string[], line: Line): Reading | string {
  const ownFlags: readonly string[] = [...others, ...READING_FLAGS];
  const strayFlag = [...line.flagTexts.keys()].find((name) => !ownFlags.includes(name));
  if (strayFlag !== undefined) return `--${strayFlag} does not belong to "${command}". See --help.`;
  const config = readFlags(READING_FLAGS, line);
  return typeof config === 'string' ? config : readingIn(config);
}

function readCheck(line: Line): Command {
  const reading = readReading('check', ['json', 'snapshots'], line);
  if (typeof reading === 'string') return wrong(reading);
  return { kind: 'check', place: placeIn(line, reading), json: line.flagTexts.has('json') };
}

/** Whatever `serve` takes. The measurement sets the flags that it needs. */
function readBench(line: Line): Command {
  const serveTexts = new Map(line.flagTexts);
  const json = serveTexts.delete('json');
  const served = readServe({ ...line, flagTexts: serveTexts });
  if (served.kind !== 'serve') return served;
  const spelt = (name: string, value: string): string =>
    parseOptions[name]?.type === 'boolean' ? `--${name}` : `--${name}=${value}`;
  const spellings = [...serveTexts].flatMap(([name, values]) =>
    values.split(VALUE_SEPARATOR).map((value) => spelt(name, value)),
  );
  return { kind: 'bench', paths: line.paths, flags: spellings, json };
}

function readDiff(line: Line): Command {
  const { paths, flagTexts } = line;
  const [before, after, ...more] = paths;
  if (before === undefined || after === undefined || more.length > 0)
    return wrong(
      `"diff" takes two dumps, an earlier and a later one, received ${paths.map(quote).join(', ') || 'none'}.`,
    );
  const reading = readReading('diff', ['json'], line);
  if (typeof reading === 'string') return wrong(reading);
  return { kind: 'diff', before, after, ...reading, json: flagTexts.has('json') };
}

/** The commands, each with the reader of its line. */
const readers = new Map([
  ['serve', readServe],
  ['check', readCheck],
  ['diff', readDiff],
  ['bench', readBench],
]);

/** An option of the package is a flag in camelCase: `baseUrl` is `--base-url`. */
const optionOf = (flag: string): string => flag.replace(/-./g, (hyphened) => hyphened.charAt(1).toUpperCase());

/** A flag's text for the value of an option. */
function optionText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
  return Array.isArray(value) ? value.map(optionText).join(VALUE_SEPARATOR) : String(value);
}

/** Options of the package, or what is wrong with some of them, a line each. Undefined stands for a flag's default. */
export function readOptions(options: object, names: readonly FlagName[]): Config | string {
  const values = new Map(Object.entries(options).filter(([, value]) => value !== undefined));
  const knownOptions = flagNames.filter((name) => names.includes(name)).map(optionOf);
  const unknown = [...values.keys()].filter((option) => !knownOptions.includes(option));
  if (unknown.length > 0)
    return unknown.map((option) => `There is no option ${option}.${didYouMean(option, knownOptions)}`).join('\n');
  return readTexts(
    flagNames,
    (name) => (values.has(optionOf(name)) ? optionText(values.get(optionOf(name))) : flagOf(name).fallback),
    optionOf,
  );
}

/** An empty variable counts as none. */
const isInEnvironment = (environment: Environment, name: FlagName): boolean => Boolean(environment[variableOf(name)]);

/** The text of a flag: the one given, else that of its variable, else the default. */
function textIn(name: FlagName, { flagTexts, environment }: Line): string {
  const { fallback, separator } = flagOf(name);
  const text = environment[variableOf(name)] || fallback;
  return flagTexts.get(name) ?? (separator === undefined ? text : text.replaceAll(separator, VALUE_SEPARATOR));
}

/** The version of the program, as its package says it. */
export const version = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

export function helpText(): string {
  const lines = serveFlags.map(({ name, value, fallback, description }) => {
    const usage = `--${name}${value === undefined ? '' : ` ${value}`}`;
    const fallbackText = value === undefined ? '' : `, ${fallback || 'none'}`;
    return `  ${usage.padEnd(20)} ${description} [${variableOf(name)}${fallbackText}]`;
  });
  return [
    `scraper-data-api ${version()}: scraped articles and products as a fast JSON API`,
    '',
    'usage: scraper-data-api [serve] [PATH…] [flags]      load snapshots and serve them',
    '       scraper-data-api check [PATH…] [--json]       read snapshots, print the report; exit 1 if a record was refused',
    '       scraper-data-api diff OLD NEW [--json]        what changed between two dumps; exit 0 if nothing did, 1 if something did',
    '       scraper-data-api bench [PATH…] [--json] [flags]  how fast this machine serves the snapshots',
    '',
    'PATH is a file or folder of any name; without one, the folder of --snapshots. A file called check is ./check.',
    '',
    'flags of serve [environment variable, default]:',
    ...lines,
    '',
    '  -h, --help           this text',
    '  -v, --version        the version',
    '',
    'SIGTERM ends the server once running answers are sent, SIGINT at once; SIGHUP loads the snapshots again.',
  ].join('\n');
}
