/**
 * Flags and environment → Config. One table describes every flag: parser, help text and README tests read it. Flags
 * win over the environment, the environment over the defaults.
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type FilledGate, type Gates, hasGates } from './build/gates.js';
import { languages } from './languages.js';
import type { LoadOptions } from './load/load.js';
import { stepsAt } from './load/place/json-place.js';
import { ENCODINGS, isEncoding } from './load/source/encoding-names.js';
import type { SnapshotPlace } from './load/source/folder.js';
import { readDate } from './load/values/dates.js';
import { isCollectionName, RESERVED_COLLECTIONS } from './names.js';
import { didYouMean } from './nearest.js';
import { ENGINES } from './search/search.js';
import { parseUrl, quote } from './text.js';

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
  /** The flag has a list of values, and may be given several times; in its variable this stands between them. */
  readonly separator?: string;
  /** The value may hold a password, so no message shows it. */
  readonly isSecret?: true;
  readonly read: Read<Value>;
}

/** `a, b or c`. */
export const series = (names: readonly string[], conjunction: 'and' | 'or'): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${conjunction} `);

/** Reads texts that meet a condition, as they are. */
const textThat =
  (isRight: (text: string) => boolean): Read<string> =>
  (text) =>
    isRight(text) ? text : WRONG;
const nameIn =
  <Name extends string>(names: readonly Name[]): Read<Name> =>
  (text) =>
    names.find((name) => name === text) ?? WRONG;
/** Without a text the flag has no value. */
const optional =
  <Value>(read: Read<Value>): Read<Value | undefined> =>
  (text) =>
    text === '' ? undefined : read(text);
const momentOf: Read<number> = (text) => {
  const reading = readDate(text);
  return typeof reading === 'object' ? reading.timeMs : WRONG;
};
const originOf: Read<string | null> = (text) => {
  if (text === 'off') return null;
  return text === 'local' || text === '*' || parseUrl(text)?.origin === text ? text : WRONG;
};
/** `300` or `200-800`: the least and the most milliseconds. */
const delayOf: Read<readonly [least: number, most: number]> = (text) => {
  const [, least = '', most = least] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const isRange = least !== '' && Number(least) <= Number(most) && Number(most) <= MAX_DELAY_MS;
  return isRange ? [Number(least), Number(most)] : WRONG;
};
const MAX_DELAY_MS = 60_000;
/** `5%` is 0.05. */
const anyShareOf: Read<number> = (text) => {
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(text) ?? [];
  return percent === undefined ? WRONG : Number(percent) / 100;
};
const shareOf: Read<number> = (text) => {
  const share = anyShareOf(text);
  return share !== WRONG && share <= 1 ? share : WRONG;
};
const SHARE = 'a percentage from 0% to 100%, such as 5%';
/** `price=95%` */
const filledOf: Read<FilledGate> = (text) => {
  const [, field = '', percent = ''] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  const share = shareOf(percent);
  return share === WRONG ? WRONG : { field, share };
};

/** `500MB` is 500,000,000 bytes. */
const bytesOfSize: Read<number> = (text) => {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kMG]B)$/i.exec(text) ?? [];
  return number === undefined ? WRONG : Number(number) * (SIZE_UNITS[unit.toLowerCase()] ?? Number.NaN);
};
const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

const postgresAddress = {
  value: 'ADDRESS',
  fallback: '',
  expected: 'an address with a database, such as postgres://shop@db.example/shop',
  isSecret: true,
} as const;
const isPostgresAddress = (text: string): boolean =>
  /^postgres(?:ql)?:\/\/./.test(text) && (parseUrl(text)?.pathname ?? '').length > 1 && isPercentEncoded(text);

/** Whether the escapes of an address are UTF-8. */
function isPercentEncoded(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

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
): Flag<Name> => ({ value, fallback, description, expected: series(names, 'or'), read: nameIn(names) });

const integerFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER): Read<number> =>
  (text) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : WRONG;

const integerFlag = (fallback: string, description: string, least: number, most?: number): Flag<number> => ({
  value: 'N',
  fallback,
  description,
  expected: most === undefined ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
  read: integerFrom(least, most),
});

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
    expected: `articles, products, or a name of small letters such as jobs, and none of ${RESERVED_COLLECTIONS.join(', ')}`,
    read: optional(textThat(isCollectionName)),
  },
  'base-url': {
    value: 'URL',
    fallback: '',
    description: 'the page that was scraped: relative addresses in the dump are completed by it',
    expected: 'an address such as https://shop.example/',
    read: optional(textThat((text) => /^https?:/i.test(text) && parseUrl(text) !== null)),
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
    expected: series(languages, 'or'),
    read: optional(nameIn(languages)),
  },
  previous: {
    value: 'PATH',
    fallback: '',
    description: 'earlier dump to compare with, a folder or a file; may be given several times',
    expected: 'a folder or a file',
    separator: delimiter,
    read: (path) => path,
  },
  history: {
    value: 'DIR',
    fallback: '',
    description:
      'folder of dated dumps, a file or folder each; the newest is served, and all changes from one to the next',
    expected: 'a folder',
    read: optional((text) => text),
  },
  'add-up': onOff('dated files of one name add up, though they repeat the same records; they are no history'),
  'max-changes': integerFlag('1000000', "most changes that are kept; the oldest dumps' go first", 1),
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
    read: textThat((text) => /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(text)),
  },
  port: integerFlag('3000', 'port to listen on; 0 picks a free one', 0, 65535),
  from: {
    ...postgresAddress,
    description:
      'serve what push copied into this database, in place of files; PGPASSWORD is its password where the address has none',
    read: optional(textThat(isPostgresAddress)),
  },
  envelope: choice('NAME', ['pagination', 'meta'], 'pagination', 'page numbers as "pagination" or as "meta"'),
  'rate-limit': integerFlag('100', 'requests a minute for each client; 0 for no limit', 0),
  'max-limit': integerFlag('1000', 'most records per page', 1),
  cors: {
    value: 'ORIGIN',
    fallback: 'local',
    description: 'origins that browsers may call from: local (this machine), *, one such as https://shop.test, or off',
    expected: 'local, *, off or an origin such as https://shop.test',
    read: originOf,
  },
  'trust-proxy': onOff('count clients by X-Forwarded-For, as one proxy in front sets it'),
  watch: onOff('load the snapshots again whenever their folder changes'),
  partial: onOff('of a file that is cut off, serve what stands before the cut'),
  records: {
    value: 'PATH',
    fallback: '',
    description: 'where the records stand in a JSON file, such as threads[].posts[]',
    expected: 'a path such as data.items[], threads[].posts[] or books.*',
    read: optional(textThat((text) => stepsAt(text) !== null)),
  },
  encoding: {
    value: 'NAME',
    fallback: '',
    description:
      'encoding of the files, such as shift_jis; if not given, UTF-8, UTF-16 or windows-1252 as their bytes say',
    expected: `one of ${ENCODINGS.join(', ')}`,
    read: optional(textThat(isEncoding)),
  },
  'max-download': {
    value: 'SIZE',
    fallback: '4GB',
    description: 'most bytes of a dump that is fetched from an address',
    expected: 'a size such as 500MB or 4GB',
    read: bytesOfSize,
  },
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
  delay: {
    value: 'MS',
    fallback: '',
    description:
      'answers of /api come so many milliseconds late, or between two such as 200-800, to see how a page loads',
    expected: `milliseconds such as 300, or two such as 200-800, and at most ${MAX_DELAY_MS}`,
    read: optional(delayOf),
  },
  fail: {
    value: 'N%',
    fallback: '',
    description: 'so many answers of /api are a 503, chosen by chance, to see how a page fails',
    expected: SHARE,
    read: optional(shareOf),
  },
  'min-records': { ...integerFlag('', 'gate: each collection has so many records', 0), read: optional(integerFrom(0)) },
  'max-lost': {
    value: 'N%',
    fallback: '',
    description: 'gate: of the earlier records at most so many are gone',
    expected: SHARE,
    read: optional(shareOf),
  },
  'max-new': {
    value: 'N%',
    fallback: '',
    description: 'gate: at most so many records are new, in percent of the earlier ones',
    expected: 'a percentage such as 50%',
    read: optional(anyShareOf),
  },
  'min-filled': {
    value: 'FIELD=N%',
    fallback: '',
    description: 'gate: so many records have a value of the field; may be given several times',
    expected: 'a field and a percentage, such as price=95%',
    separator: ',',
    read: filledOf,
  },
  'max-refused': {
    value: 'N%',
    fallback: '',
    description: 'gate: at most so many records are refused; refusals within it are no failure of check',
    expected: SHARE,
    read: optional(shareOf),
  },
  open: onOff('open the overview in the browser'),
  quiet: onOff('no load report, only warnings and the line that says where it listens'),
} satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;
type ValueOf<F> = F extends Flag<infer Value> ? (F extends { separator: string } ? readonly Value[] : Value) : never;
export type Config = { readonly [Name in FlagName]: ValueOf<(typeof flags)[Name]> };

const isFlagName = (name: string): name is FlagName => Object.hasOwn(flags, name);
const flagNames: readonly FlagName[] = Object.keys(flags).filter(isFlagName);
const flagOf = (name: FlagName): Flag => flags[name];
export const serveFlags = flagNames.map((name) => ({ name, ...flagOf(name) }));
/** Variables whose values no message shows. */
export const isSecretVariable = (variable: string): boolean =>
  serveFlags.some(({ name, isSecret }) => isSecret === true && variableOf(name) === variable);
export const DEFAULT_HOST = flags.host.fallback;

/** The flags by what they are about, as the help text shows them. */
export const flagGroups: Readonly<Record<string, readonly FlagName[]>> = {
  'the dump': [
    'snapshots',
    'as',
    'from',
    'base-url',
    'scraped-at',
    'columns',
    'language',
    'html',
    'previous',
    'history',
    'add-up',
    'max-changes',
    'records',
    'encoding',
    'partial',
    'strict',
    'max-download',
  ],
  'the server': ['host', 'port', 'allowed-host', 'cors', 'trust-proxy', 'rate-limit', 'watch', 'open', 'log', 'quiet'],
  'gates that a dump must pass': ['min-records', 'max-lost', 'max-new', 'min-filled', 'max-refused'],
  'the answers': ['envelope', 'max-limit', 'extra', 'engine', 'delay', 'fail'],
};

/**
 * The environment variable of a flag. Common names belong to other programs: conda's shells export `AS` and `HOST`. `PORT`
 * and `HOST` are what hosting platforms set.
 */
export function variableOf(name: string): string {
  const capitals = name.toUpperCase().replaceAll('-', '_');
  return name === 'port' || name === 'host' ? capitals : `SCRAPER_${capitals}`;
}

/**
 * The texts given for a flag. A command line or variable gives several only where the flag has a separator; an option of the
 * package may be a list for any flag.
 */
interface GivenTexts {
  readonly texts: readonly string[];
  /** `--port`, `PORT`, or an option of the package. */
  readonly source: string;
}

/** By the name of the flag. */
type GivenFlags = ReadonlyMap<string, GivenTexts>;

/** The values of all flags, or a line for each flag whose text is wrong. A flag for which nothing is given has its default. */
function configOf(given: GivenFlags): Config | string {
  const faults: string[] = [];
  const values = flagNames.map((name) => {
    const flag = flagOf(name);
    const { texts, source } = given.get(name) ?? { texts: [flag.fallback], source: name };
    const value = flagValue(flag, texts);
    if (value === WRONG) faults.push(wrongText(source, flag, texts));
    return [name, value] as const;
  });
  return faults.length > 0 ? faults.join('\n') : (Object.fromEntries(values) as Config);
}

const wrongText = (source: string, { expected, isSecret }: Flag, texts: readonly string[]): string =>
  `${source} must be ${expected}${isSecret ? '' : `, received ${quote(texts.join(', '))}`}.`;

/** The value of a flag. One that takes a single value is read from all that it was given, joined: `--port 1 --port 2` is no number. */
function flagValue({ read, separator }: Flag, texts: readonly string[]): unknown {
  if (separator === undefined) return read(texts.join(', '));
  const values = texts.filter((text) => text !== '').map(read);
  return values.includes(WRONG) ? WRONG : values;
}

/** Where the snapshots are, and how they are read. The sample may stand in for a folder that nobody named. */
export type DumpPlace = SnapshotPlace &
  Pick<LoadOptions, 'keepsHtml' | 'records'> & {
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

export type Command =
  | {
      readonly kind: 'serve';
      readonly config: Config;
      readonly place: DumpPlace;
      /** The variables that count, in place of flags. */
      readonly variables: readonly string[];
      /** The flags that `check` takes as well, as they stand on a command line. */
      readonly readingFlags: readonly string[];
    }
  | {
      readonly kind: 'check';
      readonly place: DumpPlace;
      readonly previous: readonly string[];
      readonly gates: Gates;
      readonly json: boolean;
    }
  | (DumpReading & {
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
  | {
      readonly kind: 'convert';
      readonly place: DumpPlace;
      readonly to: ConvertFormat;
      /** All of them where it is undefined. */
      readonly fields?: readonly string[];
      readonly schema?: SchemaTarget;
      readonly collection?: string;
    }
  | {
      readonly kind: 'push';
      readonly place: DumpPlace;
      readonly to: string;
      readonly partitions: readonly string[];
      readonly isCitus: boolean;
    }
  | {
      readonly kind: 'types';
      readonly place: DumpPlace;
      readonly options: Pick<ReturnType<typeof appOptionsIn>, 'envelope' | 'hasAllFields'>;
    }
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

const wrong = (message: string): Command => ({ kind: 'wrong', message });

/** A command line without its command. */
interface Line {
  readonly paths: readonly string[];
  readonly flags: GivenFlags;
  /** The variables of flags that are not given. */
  readonly variables: GivenFlags;
  /** The values of all flags. */
  readonly config: Config;
}

export type CommandName = 'serve' | 'check' | 'diff' | 'bench' | 'types' | 'convert' | 'push';

interface CommandSyntax {
  readonly flags: readonly string[];
  readonly read: (line: Line) => Command;
}

export const READING_FLAGS: readonly FlagName[] = [
  'as',
  'base-url',
  'scraped-at',
  'columns',
  'language',
  'records',
  'encoding',
  'partial',
];

const CONVERT_FORMATS = ['ndjson', 'csv', 'json'] as const;
export type ConvertFormat = (typeof CONVERT_FORMATS)[number];
const SCHEMA_TARGETS = ['postgres', 'clickhouse', 'opensearch'] as const;
export type SchemaTarget = (typeof SCHEMA_TARGETS)[number];

/** The flags of every command that reads dumps. */
const DUMP_FLAGS: readonly FlagName[] = [...READING_FLAGS, 'max-download'];
const GATE_FLAGS: readonly FlagName[] = ['min-records', 'max-lost', 'max-new', 'min-filled', 'max-refused'];

/** The flags of `convert` alone. */
const convertFlags = {
  to: choice('FORMAT', CONVERT_FORMATS, 'ndjson', 'format of the records'),
  fields: {
    value: 'NAMES',
    fallback: '',
    description: 'fields that are written, separated by commas; if not given, all',
    expected: 'names of fields, separated by commas, such as id,title,price',
    read: optional((text) => (/^[^,]+(?:,[^,]+)*$/.test(text) ? text.split(',') : WRONG)),
  },
  schema: {
    value: 'SYSTEM',
    fallback: '',
    description: 'instead of records, the table or mapping that takes them: postgres, clickhouse or opensearch',
    expected: series(SCHEMA_TARGETS, 'or'),
    read: optional(nameIn(SCHEMA_TARGETS)),
  },
  collection: {
    value: 'NAME',
    fallback: '',
    description: 'which collection goes out, where a dump has several',
    expected: 'the name of a collection, such as products',
    read: optional((text) => text),
  },
} satisfies Readonly<Record<string, Flag>>;
/** The flags of `push` alone. */
const pushFlags = {
  to: {
    ...postgresAddress,
    description: 'the database that takes the dump; PGPASSWORD is its password where the address has none',
    read: optional(textThat(isPostgresAddress)),
  },
  partitions: {
    ...postgresAddress,
    description: 'a database that takes a part of the rows, by their ids; may be given several times',
    separator: '\n',
    read: textThat(isPostgresAddress),
  },
  citus: onOff('the database has Citus, which distributes the rows by their ids'),
} satisfies Readonly<Record<string, Flag>>;

const commands: Readonly<Record<CommandName, CommandSyntax>> = {
  serve: { flags: flagNames, read: readServe },
  check: { flags: [...DUMP_FLAGS, 'snapshots', 'previous', ...GATE_FLAGS, 'json'], read: readCheck },
  diff: { flags: [...DUMP_FLAGS, 'json'], read: readDiff },
  convert: { flags: [...DUMP_FLAGS, 'html', ...Object.keys(convertFlags)], read: readConvert },
  push: { flags: [...DUMP_FLAGS, 'html', ...Object.keys(pushFlags)], read: readPush },
  types: { flags: [...DUMP_FLAGS, 'snapshots', 'html', 'envelope', 'extra'], read: readTypes },
  bench: { flags: [...flagNames.filter((name) => !['open', 'from'].includes(name)), 'json'], read: readBench },
};

/** The flags that a command alone has. */
export const ownFlagsOf = (command: CommandName): Readonly<Record<string, Flag>> =>
  command === 'convert' ? convertFlags : command === 'push' ? pushFlags : {};

export const takesJson = (command: CommandName): boolean => commands[command].flags.includes('json');
/** The flags of `serve` that a command takes as well. */
export const flagsOf = (command: CommandName): readonly FlagName[] => commands[command].flags.filter(isFlagName);
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Advice for an operand that is no path: a command behind paths, `true` of `--watch true`, `help`, or nearly a command. */
export function operandHint(operand: string): string {
  if (isCommandName(operand)) return ' A command stands before all paths.';
  if ([...SWITCHED_ON, ...SWITCHED_OFF].includes(operand)) return ' A flag that is on or off takes no value.';
  if (Object.hasOwn(parseOptions, operand)) return ` Did you mean "--${operand}"?`;
  return didYouMean(operand, Object.keys(commands));
}

const parseOptions: NonNullable<ParseArgsConfig['options']> = {
  ...Object.fromEntries(
    serveFlags.map(({ name, value, separator }) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: separator !== undefined },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries<Flag>({ ...convertFlags, ...pushFlags }).map(([name, { value, separator }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: separator !== undefined },
    ]),
  ),
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a command line without the program's own name. */
export function readCommandLine(args: readonly string[], environment: Environment): Command {
  const parsed = { args: [...spellOutLog(args)], options: parseOptions, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(parsed);
  const [first = ''] = positionals;
  const command = isCommandName(first) ? first : 'serve';
  const flags = new Map<string, GivenTexts>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const flagValues = [values[name]].flat();
    const fault = flagFault(name, rawName, flagValues, command);
    if (fault !== null) return wrong(fault);
    flags.set(name, { texts: flagValues.map(String), source: `--${name}` });
  }
  if (flags.has('help')) return { kind: 'help', command: isCommandName(first) ? first : null };
  if (flags.has('version')) return { kind: 'version' };
  const paths = command === first ? positionals.slice(1) : positionals;
  const stray = [...flags.keys()].find((name) => !commands[command].flags.includes(name));
  if (stray !== undefined) return wrong(strayText(stray, command));
  if (paths.length > 0 && flags.has('snapshots'))
    return wrong(
      `Name files and folders, or one folder with --snapshots, but not both: found ${quote(paths[0])} as well.`,
    );
  const isPlaceGiven = paths.length > 0 || flags.has('snapshots');
  const absent = flagNames
    .filter((name) => commands[command].flags.includes(name) && !flags.has(name))
    .filter((name) => !isPlaceGiven || !['snapshots', 'from'].includes(name));
  const variables = variablesOf(absent, environment);
  const config = configOf(new Map([...flags, ...variables]));
  return typeof config === 'string' ? wrong(config) : commands[command].read({ paths, flags, variables, config });
}

/** `--log` alone means text; a next word that is neither a flag nor a command is its value. */
function* spellOutLog(args: readonly string[]): Iterable<string> {
  for (const [i, arg] of args.entries()) {
    const next = args[i + 1] ?? '';
    yield arg === '--log' && (next === '' || next.startsWith('-') || isCommandName(next)) ? '--log=text' : arg;
  }
}

/** The fault of a flag, written as `spelling`, whose values are as `parseArgs` gives them: true where there is none. */
function flagFault(name: string, spelling: string, values: readonly unknown[], command: CommandName): string | null {
  const spellings = Object.keys(parseOptions).map((option) => `--${option}`);
  if (!spellings.includes(`--${name}`))
    return `Unknown flag ${spelling}.${didYouMean(spelling, spellings)} See --help.`;
  const commandFlags = { ...convertFlags, ...pushFlags, ...ownFlagsOf(command) };
  const flag = isFlagName(name)
    ? flagOf(name)
    : Object.entries<Flag>(commandFlags).find(([each]) => each === name)?.[1];
  const hasValue = values.every((value) => typeof value === 'string');
  if (hasValue && flag?.value === undefined) return `${spelling} takes no value. See --help.`;
  if (!hasValue && flag?.value !== undefined) return `${spelling} needs a value: ${flag.expected}.`;
  return null;
}

function strayText(flag: string, command: CommandName): string {
  const owners = Object.entries(commands).filter(([, { flags }]) => flags.includes(flag));
  const names = owners.map(([name]) => quote(name));
  return `--${flag} belongs to ${series(names, 'and')}, not to ${quote(command)}. See --help.`;
}

/** The variables of some flags. An empty one counts as none. */
function variablesOf(names: readonly FlagName[], environment: Environment): GivenFlags {
  const variables = new Map<string, GivenTexts>();
  for (const name of names) {
    const source = variableOf(name);
    const text = environment[source];
    const { separator } = flagOf(name);
    if (text) variables.set(name, { texts: separator === undefined ? [text] : text.split(separator), source });
  }
  return variables;
}

function placeIn({ paths, flags, variables, config }: Line): DumpPlace {
  const reading = readingIn(config);
  if (paths.length > 0) return { dir: paths.join(', '), paths, ...reading };
  const isNamed = flags.has('snapshots') || variables.has('snapshots');
  // The sample would pass the gates of a dump that is missing.
  const hasSample = !isNamed && !hasGates(gatesIn(config));
  return { dir: config.snapshots, ...reading, ...(hasSample && { sampleDir: fromPackage('snapshots/sample') }) };
}

/** Standard input can be read once. */
function standardInputFault(paths: readonly string[]): Command | null {
  const isRepeated = paths.filter((path) => path === STANDARD_INPUT).length > 1;
  return isRepeated ? wrong('Standard input is read once, and - is named more than once.') : null;
}

/** Flags of files and gates are refused with `--from`: a database's records were read, and passed their gates, when they were pushed. */
function fromFault({ paths, flags, config }: Line): Command | null {
  if (config.from === undefined) return null;
  const ofFiles: readonly FlagName[] = [...(flagGroups['the dump'] ?? []), ...GATE_FLAGS, 'watch', 'engine'];
  const stray = ofFiles.find((name) => name !== 'from' && flags.has(name));
  if (paths.length === 0 && stray === undefined) return null;
  const strayArgument = stray === undefined ? quote(paths[0]) : `--${stray}`;
  return wrong(`--from serves what push copied, and reads no files: found ${strayArgument} as well.`);
}

function readServe(line: Line): Command {
  const { previous, watch } = line.config;
  const fault = standardInputFault([...line.paths, ...previous]) ?? fromFault(line);
  if (fault !== null) return fault;
  if (line.config.history !== undefined && previous.length > 0)
    return wrong('--history has the earlier dumps: leave --previous out, or put its dump into the folder.');
  if (watch && line.paths.includes(STANDARD_INPUT))
    return wrong('--watch needs a file, a folder or an address: standard input is read once.');
  const variables = [...line.variables.values()].map(({ source }) => source);
  const readingFlags = spelled(READING_FLAGS, line);
  return { kind: 'serve', config: line.config, place: placeIn(line), variables, readingFlags };
}

function readCheck(line: Line): Command {
  const { flags, config } = line;
  const needsPrevious = (['max-lost', 'max-new'] as const).find((name) => config[name] !== undefined);
  if (needsPrevious !== undefined && config.previous.length === 0)
    return wrong(`--${needsPrevious} needs --previous OLD, the dump to compare with.`);
  const fault = standardInputFault([...line.paths, ...config.previous]);
  if (fault !== null) return fault;
  return {
    kind: 'check',
    place: placeIn(line),
    previous: config.previous,
    gates: gatesIn(config),
    json: flags.has('json'),
  };
}

function readConvert(line: Line): Command {
  const { paths, flags } = line;
  const place = placeIn(line);
  if (paths.length === 0)
    return wrong('"convert" takes a dump: a file, a folder, an address, or - for standard input.');
  const fault = standardInputFault(paths);
  if (fault !== null) return fault;
  const { faults, valueFor } = ownValues(flags);
  const to = valueFor('to', convertFlags.to) ?? 'ndjson';
  const [fields, schema, collection] = [
    valueFor<readonly string[] | undefined>('fields', convertFlags.fields),
    valueFor<SchemaTarget | undefined>('schema', convertFlags.schema),
    valueFor<string | undefined>('collection', convertFlags.collection),
  ];
  if (faults.length > 0) return wrong(faults.join('\n'));
  if (schema !== undefined && flags.has('to')) return wrong('--schema writes no records: leave --to out.');
  return {
    ...{ kind: 'convert', place, to },
    ...(fields !== undefined && { fields }),
    ...(schema !== undefined && { schema }),
    ...(collection !== undefined && { collection }),
  };
}

/** Reads the flags that a command alone has. */
function ownValues(flags: GivenFlags) {
  const faults: string[] = [];
  const valueFor = <Value>(name: string, flag: Flag<Value>): Value | undefined => {
    const text = flags.get(name)?.texts.join(', ') ?? flag.fallback;
    const value = flag.read(text);
    if (value !== WRONG) return value;
    faults.push(wrongText(`--${name}`, flag, [text]));
    return undefined;
  };
  return { faults, valueFor };
}

function readPush(line: Line): Command {
  const { paths, flags } = line;
  if (paths.length === 0) return wrong('"push" takes a dump: a file, a folder, an address, or - for standard input.');
  const fault = standardInputFault(paths);
  if (fault !== null) return fault;
  const { faults, valueFor } = ownValues(flags);
  const to = valueFor('to', pushFlags.to);
  const partitions = flags.get('partitions')?.texts ?? [];
  if (!partitions.every(isPostgresAddress)) faults.push(wrongText('--partitions', pushFlags.partitions, []));
  const isCitus = flags.has('citus');
  if (isCitus && partitions.length > 0) faults.push('--citus and --partitions are two ways to spread rows: name one.');
  if (faults.length > 0) return wrong(faults.join('\n'));
  if (to === undefined) return wrong(`"push" needs --to ADDRESS: ${pushFlags.to.expected}.`);
  return { kind: 'push', place: placeIn(line), to, partitions, isCitus };
}

function readTypes(line: Line): Command {
  const { sampleDir: _, ...place } = placeIn(line);
  const fault = standardInputFault(line.paths);
  if (fault !== null) return fault;
  return { kind: 'types', place, options: { envelope: line.config.envelope, hasAllFields: line.config.extra } };
}

function readDiff({ paths, flags, config }: Line): Command {
  const [before, after, ...more] = paths;
  if (before === undefined || after === undefined || more.length > 0)
    return wrong(
      `"diff" takes two dumps, an earlier and a later one, received ${paths.map(quote).join(', ') || 'none'}.`,
    );
  const fault = standardInputFault(paths);
  if (fault !== null) return fault;
  return { kind: 'diff', before, after, ...readingIn(config), json: flags.has('json') };
}

/** The measurement starts `serve` with the same flags, and sets those that it needs. */
function readBench(line: Line): Command {
  if (line.paths.includes(STANDARD_INPUT))
    return wrong('"bench" starts the server several times, and standard input is read once: name a file.');
  return { kind: 'bench', paths: line.paths, flags: spelled(flagNames, line), json: line.flags.has('json') };
}

/** The given ones of some flags, as a command line has them. */
const spelled = (names: readonly FlagName[], { flags }: Line): readonly string[] =>
  names.flatMap((name) => {
    const texts = flags.get(name)?.texts ?? [];
    return texts.map((text) => (flagOf(name).value === undefined ? `--${name}` : `--${name}=${text}`));
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
  const flags = new Map<string, GivenTexts>();
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const name = flagsByOption.get(option);
    if (name === undefined) faults.push(`There is no option ${option}.${didYouMean(option, flagsByOption.keys())}`);
    else flags.set(name, { texts: [value].flat().map(optionText), source: option });
  }
  return faults.length > 0 ? faults.join('\n') : configOf(flags);
}

/** The path of a file or folder of this package. Tests and benchmarks run from a folder that is one deeper. */
function fromPackage(path: string): string {
  const folders = ['../', '../../'].map((folder) => new URL(folder, import.meta.url));
  const root = folders.find((folder) => existsSync(new URL('package.json', folder)));
  return fileURLToPath(new URL(path, root ?? folders[0]));
}

/** The version of the program, as its package says it. */
export const version = (): string => JSON.parse(readFileSync(fromPackage('package.json'), 'utf8')).version;
