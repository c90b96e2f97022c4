/**
 * Flags and environment → Config. One table describes every flag: parser, help text and README tests read it. Flags
 * win over the environment, the environment over the defaults.
 */
import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { languages } from './languages.js';
import { readDate } from './load/dates.js';
import type { SnapshotPlace } from './load/folder.js';
import { didYouMean } from './query/nearest.js';
import { ENGINES } from './search/search.js';
import { quote } from './text.js';

export interface Flag {
  readonly name: string;
  /** What stands for the value in the help text; a flag without one is on or off. */
  readonly value?: string;
  readonly fallback: string;
  readonly description: string;
  /** Completes "must be …". */
  readonly expected: string;
  /** May be given several times; in its variable this stands between the values. */
  readonly separator?: string;
}

const onOff = 'on or off, written 1 or 0';

export const serveFlags = [
  {
    name: 'snapshots',
    value: 'DIR',
    fallback: 'snapshots',
    description: 'folder with the scrape dumps',
    expected: 'a folder',
  },
  {
    name: 'as',
    value: 'NAME',
    fallback: '',
    description:
      'what the named files hold: articles, products, or a collection of its own such as jobs; else their names or fields tell',
    expected: 'articles, products, or a name of small letters such as jobs',
  },
  {
    name: 'base-url',
    value: 'URL',
    fallback: '',
    description: 'the page that was scraped: relative addresses in the dump are completed by it',
    expected: 'an address such as https://shop.example/',
  },
  {
    name: 'scraped-at',
    value: 'DATE',
    fallback: '',
    description: 'when the dump was scraped: "3 hours ago" counts from it',
    expected: 'a date such as 2024-03-05T09:30Z',
  },
  {
    name: 'columns',
    value: 'WHICH',
    fallback: 'all',
    description:
      'columns of a dump that feed no documented field are fields of their own, which answers have where `fields` asks; documented leaves them out',
    expected: 'all or documented',
  },
  {
    name: 'language',
    value: 'NAME',
    fallback: '',
    description: `what the texts are searched as, where their words tell otherwise: ${languages.join(', ')}`,
    expected: `${languages.slice(0, -1).join(', ')} or ${languages.at(-1)}`,
  },
  {
    name: 'previous',
    value: 'PATH',
    fallback: '',
    description: 'earlier dump to compare with, a folder or a file; may be given several times',
    expected: 'a folder or a file',
    separator: delimiter,
  },
  {
    name: 'host',
    value: 'HOST',
    fallback: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 for every network interface',
    expected: 'an address',
  },
  {
    name: 'allowed-host',
    value: 'NAME',
    fallback: '',
    description: 'further name that requests may come to, such as shop.test; may be given several times',
    expected: 'a name such as shop.test',
    separator: ',',
  },
  {
    name: 'port',
    value: 'N',
    fallback: '3000',
    description: 'port to listen on; 0 picks a free one',
    expected: 'an integer from 0 to 65535',
  },
  {
    name: 'envelope',
    value: 'NAME',
    fallback: 'pagination',
    description: 'page numbers as "pagination" or as "meta"',
    expected: 'pagination or meta',
  },
  {
    name: 'rate-limit',
    value: 'N',
    fallback: '100',
    description: 'requests a minute for each client; 0 for no limit',
    expected: 'an integer of at least 0',
  },
  {
    name: 'max-limit',
    value: 'N',
    fallback: '1000',
    description: 'most records per page',
    expected: 'an integer of at least 1',
  },
  {
    name: 'cors',
    value: 'ORIGIN',
    fallback: 'local',
    description: 'origins that browsers may call from: local (this machine), *, one such as https://shop.test, or off',
    expected: 'local, *, off or an origin such as https://shop.test',
  },
  {
    name: 'trust-proxy',
    fallback: '0',
    description: 'count clients by X-Forwarded-For, as one proxy in front sets it',
    expected: onOff,
  },
  {
    name: 'watch',
    fallback: '0',
    description: 'load the snapshots again whenever their folder changes',
    expected: onOff,
  },
  {
    name: 'partial',
    fallback: '0',
    description: 'of a JSON file that is cut off, serve what stands before the cut',
    expected: onOff,
  },
  {
    name: 'strict',
    fallback: '0',
    description: 'refuse to start if any record is refused or repaired',
    expected: onOff,
  },
  {
    name: 'engine',
    value: 'NAME',
    fallback: 'bm25f',
    description: 'search by bm25f, or by minisearch: large dumps take minutes, phrases and -words are plain words',
    expected: 'bm25f or minisearch',
  },
  {
    name: 'extra',
    fallback: '0',
    description: 'lists, details and exports have all fields where a request has no `fields`',
    expected: onOff,
  },
  {
    name: 'html',
    value: 'FORM',
    fallback: 'text',
    description: 'contents that are HTML become text, or are kept: text or keep',
    expected: 'text or keep',
  },
  {
    name: 'log',
    value: 'FORMAT',
    fallback: 'off',
    description: 'one line per request on stdout: text (also plain --log), json, or off',
    expected: 'text, json or off',
  },
  {
    name: 'quiet',
    fallback: '0',
    description: 'no load report, only warnings and the line that says where it listens',
    expected: onOff,
  },
] as const satisfies readonly Flag[];

/**
 * The environment variable of a flag. Common names belong to other programs: conda's shells export `AS` and `HOST`. `PORT`
 * and `HOST` are what hosting platforms set.
 */
export function variableOf(name: string): string {
  const capitals = name.toUpperCase().replaceAll('-', '_');
  return name === 'port' || name === 'host' ? capitals : `SCRAPER_${capitals}`;
}

/** What separates several values of a flag: no path holds it. */
const SEPARATOR = '\0';

export type FlagName = (typeof serveFlags)[number]['name'];

const integer = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.minValue(min), v.maxValue(max));
const switched = v.pipe(
  v.picklist(['0', '1', 'true', 'false', 'on', 'off']),
  v.transform((text) => ['1', 'true', 'on'].includes(text)),
);
const origin = v.pipe(
  v.string(),
  v.check((text) => ['local', '*', 'off'].includes(text) || (URL.canParse(text) && new URL(text).origin === text)),
  v.transform((text) => (text === 'off' ? null : text)),
);
const name = v.pipe(v.string(), v.nonEmpty());
const optional = <T extends v.GenericSchema<string, unknown>>(schema: T) =>
  v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => undefined),
    ),
    schema,
  ]);
/** Addresses of the server, which no collection can have. */
const ADDRESSES = ['api', 'assets', 'docs', 'export', 'health', 'openapi'];
const collectionName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]*$/),
  v.check((text) => !ADDRESSES.includes(text)),
);
const pageUrl = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:/i.test(text)),
);
const moment = v.pipe(
  v.string(),
  v.transform((text) => readDate(text)),
  v.check((reading) => typeof reading === 'object'),
  v.transform((reading) => (typeof reading === 'object' ? reading.timeMs : Number.NaN)),
);
const several = v.pipe(
  v.string(),
  v.transform((text) => text.split(SEPARATOR).filter((one) => one !== '')),
);
const most = Number.MAX_SAFE_INTEGER;

/** How the flags are read that say how dumps are read. */
const readingEntries = {
  as: optional(collectionName),
  'base-url': optional(pageUrl),
  'scraped-at': optional(moment),
  columns: v.picklist(['all', 'documented']),
  language: optional(v.picklist(languages)),
  partial: switched,
};

/** How each flag's text is read. */
const configSchema = v.object({
  snapshots: name,
  ...readingEntries,
  previous: several,
  host: name,
  'allowed-host': v.pipe(
    several,
    v.check((names) => names.every((text) => /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(text))),
  ),
  port: integer(0, 65535),
  envelope: v.picklist(['pagination', 'meta']),
  'rate-limit': integer(0, most),
  'max-limit': integer(1, most),
  cors: origin,
  'trust-proxy': switched,
  watch: switched,
  strict: switched,
  engine: v.picklist(ENGINES),
  extra: switched,
  html: v.picklist(['text', 'keep']),
  log: v.picklist(['text', 'json', 'off']),
  quiet: switched,
} satisfies Record<FlagName, v.GenericSchema<string, unknown>>);

export type Config = v.InferOutput<typeof configSchema>;

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
      /** Those of `serve`, as they stand on a command line. */
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

const commands = ['serve', 'check', 'diff', 'bench'] as const;
const wrong = (message: string): Command => ({ kind: 'wrong', message });

/** Reads a command line without the program's own name. */
export function readCommandLine(args: readonly string[], environment: Environment): Command {
  const { tokens } = parseArgs({ args: [...spellOutLog(args)], options: parseOptions, strict: false, tokens: true });
  const given = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const fault = flagFault(token.name, token.rawName, token.value);
    if (fault !== null) return wrong(fault);
    const earlier = given.get(token.name);
    const isFurther = earlier !== undefined && parseOptions[token.name]?.isRepeatable === true;
    given.set(token.name, isFurther ? `${earlier}${SEPARATOR}${token.value}` : (token.value ?? '1'));
  }
  if (given.has('help')) return { kind: 'help' };
  if (given.has('version')) return { kind: 'version' };
  const command = commands.find((known) => known === positionals[0]);
  const paths = command === undefined ? positionals : positionals.slice(1);
  if (paths.length > 0 && given.has('snapshots'))
    return wrong(
      `Name files and folders, or one folder with --snapshots, but not both: found ${quote(paths[0])} as well.`,
    );
  switch (command) {
    case 'check':
      return readCheck(paths, given, environment);
    case 'diff':
      return readDiff(paths, given, environment);
    case 'bench':
      return readBench(paths, given, environment);
    default:
      return readServe(paths, given, environment);
  }
}

/** A word that is no path but nearly a command was meant as one. */
export const nearCommand = (path: string): string => didYouMean(path, commands);

const parseOptions = Object.fromEntries([
  ...serveFlags.map((flag) => [
    flag.name,
    { type: 'value' in flag ? ('string' as const) : ('boolean' as const), isRepeatable: 'separator' in flag },
  ]),
  ['json', { type: 'boolean' as const }],
  ['help', { type: 'boolean' as const, short: 'h' }],
  ['version', { type: 'boolean' as const, short: 'v' }],
]);

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
type ReadingConfig = Pick<Config, 'as' | 'base-url' | 'scraped-at' | 'columns' | 'language' | 'partial'>;

export const readingIn = ({
  as,
  'base-url': baseUrl,
  'scraped-at': scrapedAtMs,
  columns,
  language,
  partial,
}: ReadingConfig): Reading => ({
  ...(columns === 'documented' && { columns }),
  ...(partial && { isPartial: true }),
  ...(language !== undefined && { language }),
  ...(as !== undefined && { as }),
  ...(baseUrl !== undefined && { baseUrl }),
  ...(scrapedAtMs !== undefined && { scrapedAtMs }),
});

function placeOf(
  paths: readonly string[],
  given: ReadonlyMap<string, string>,
  environment: Environment,
  reading: Reading,
): Place {
  if (paths.length > 0) return { dir: paths.join(', '), paths, ...reading };
  const [flag] = serveFlags;
  const isNamed = given.has(flag.name) || isInEnvironment(environment, flag);
  const dir = given.get(flag.name) ?? valueIn(environment, flag);
  return { dir, ...reading, ...(!isNamed && { isDefault: true }) };
}

function readServe(paths: readonly string[], given: ReadonlyMap<string, string>, environment: Environment): Command {
  if (given.has('json')) return wrong('--json belongs to "check", "diff" and "bench". See --help.');
  const config = readFlags(configSchema, given, environment);
  if (typeof config === 'string') return wrong(config);
  const place = placeOf(paths, given, environment, readingIn(config));
  const fromEnvironment = serveFlags
    .filter((flag) => !given.has(flag.name) && isInEnvironment(environment, flag))
    .filter(({ name }) => paths.length === 0 || name !== 'snapshots')
    .map(({ name }) => ({ name, variable: variableOf(name), text: environment[variableOf(name)] ?? '' }));
  return { kind: 'serve', config, place, fromEnvironment };
}

/** The flags of a schema, or what is wrong with some of them, a line each. */
function readFlags<Entries extends v.ObjectEntries>(
  schema: v.ObjectSchema<Entries, undefined>,
  given: ReadonlyMap<string, string>,
  environment: Environment,
): v.InferOutput<typeof schema> | string {
  const flags = serveFlags.filter(({ name }) => name in schema.entries);
  const texts = Object.fromEntries(
    flags.map((flag) => [flag.name, given.get(flag.name) ?? valueIn(environment, flag)]),
  );
  const result = v.safeParse(schema, texts);
  if (result.success) return result.output;
  const faulty = new Set(result.issues.map((issue) => v.getDotPath(issue)));
  return flags
    .filter((flag) => faulty.has(flag.name))
    .map((flag) => {
      const source = given.has(flag.name) ? `--${flag.name}` : variableOf(flag.name);
      return `${source} must be ${flag.expected}, received ${quote(texts[flag.name])}.`;
    })
    .join('\n');
}

/** The flag among those given that a command does not take, as a message. */
function otherFlag(command: string, given: ReadonlyMap<string, string>, flags: readonly string[]): string | undefined {
  const other = [...given.keys()].find((name) => !flags.includes(name));
  return other === undefined ? undefined : `--${other} does not belong to "${command}". See --help.`;
}

const readingFlags = Object.keys(readingEntries);

function readCheck(paths: readonly string[], given: ReadonlyMap<string, string>, environment: Environment): Command {
  const other = otherFlag('check', given, ['json', 'snapshots', ...readingFlags]);
  const config = readFlags(v.object(readingEntries), given, environment);
  if (other !== undefined || typeof config === 'string') return wrong(other ?? String(config));
  return { kind: 'check', place: placeOf(paths, given, environment, readingIn(config)), json: given.has('json') };
}

/** Whatever `serve` takes; flags that a measurement needs are set by it. */
function readBench(paths: readonly string[], given: ReadonlyMap<string, string>, environment: Environment): Command {
  const flags = new Map([...given].filter(([name]) => name !== 'json'));
  const served = readServe(paths, flags, environment);
  if (served.kind !== 'serve') return served;
  const spell = (name: string, value: string): string =>
    parseOptions[name]?.type === 'boolean' ? `--${name}` : `--${name}=${value}`;
  return {
    kind: 'bench',
    paths,
    flags: [...flags].flatMap(([name, values]) => values.split(SEPARATOR).map((value) => spell(name, value))),
    json: given.has('json'),
  };
}

function readDiff(paths: readonly string[], given: ReadonlyMap<string, string>, environment: Environment): Command {
  const [before, after, ...more] = paths;
  if (before === undefined || after === undefined || more.length > 0)
    return wrong(
      `"diff" takes two dumps, an earlier and a later one, received ${paths.map(quote).join(', ') || 'none'}.`,
    );
  const other = otherFlag('diff', given, ['json', ...readingFlags]);
  const config = readFlags(v.object(readingEntries), given, environment);
  if (other !== undefined || typeof config === 'string') return wrong(other ?? String(config));
  return { kind: 'diff', before, after, ...readingIn(config), json: given.has('json') };
}

/** An option of the package is a flag in camelCase: `baseUrl` is `--base-url`. */
const optionOf = (flag: string): string => flag.replace(/-./g, (hyphened) => hyphened.charAt(1).toUpperCase());

/** A flag's text for the value of an option. */
function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
  return Array.isArray(value) ? value.map(textOf).join(SEPARATOR) : String(value);
}

/** Options of the package, or what is wrong with some of them, a line each. Undefined stands for a flag's default. */
export function readOptions(options: object, names: readonly FlagName[]): Config | string {
  const flags: readonly Flag[] = serveFlags.filter(({ name }) => names.includes(name));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const known = flags.map(({ name }) => optionOf(name));
  const unknown = given.map(([name]) => name).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return unknown.map((name) => `There is no option ${name}.${didYouMean(name, known)}`).join('\n');
  const texts = Object.fromEntries(serveFlags.map(({ name, fallback }): [string, string] => [name, fallback]));
  for (const { name } of flags) {
    const [, value] = given.find(([option]) => option === optionOf(name)) ?? [];
    if (value !== undefined) texts[name] = textOf(value);
  }
  const result = v.safeParse(configSchema, texts);
  if (result.success) return result.output;
  const faulty = new Set(result.issues.map((issue) => v.getDotPath(issue)));
  return flags
    .filter(({ name }) => faulty.has(name))
    .map(({ name, expected }) => `${optionOf(name)} must be ${expected}, received ${quote(texts[name])}.`)
    .join('\n');
}

/** An empty variable counts as none. */
const isInEnvironment = (environment: Environment, { name }: Flag): boolean => Boolean(environment[variableOf(name)]);

function valueIn(environment: Environment, { name, fallback, separator }: Flag): string {
  const value = environment[variableOf(name)] || fallback;
  return separator === undefined ? value : value.replaceAll(separator, SEPARATOR);
}

export function helpText(version: string): string {
  const lines = serveFlags.map((flag) => {
    const left = `--${flag.name}${'value' in flag ? ` ${flag.value}` : ''}`;
    return `  ${left.padEnd(20)} ${flag.description} [${variableOf(flag.name)}${'value' in flag ? `, ${flag.fallback || 'none'}` : ''}]`;
  });
  return [
    `scraper-data-api ${version}: scraped articles and products as a fast JSON API`,
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
