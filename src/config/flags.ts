/**
 * Every flag, in one table: the reader of a command line, the help text and README's tests read it. Those that a command
 * alone has stand below.
 */
import { delimiter } from 'node:path';
import type { FilledGate } from '../build/gates.js';
import { languages } from '../languages.js';
import { stepsAt } from '../load/place/json-place.js';
import { ENCODINGS, isEncoding } from '../load/source/decode.js';
import { readDate } from '../load/values/dates.js';
import { isCollectionName, RESERVED_COLLECTIONS } from '../names.js';
import { ENGINES } from '../search/search.js';
import { parseUrl } from '../text.js';

/** Returned by the reader of a flag whose text is not what the flag expects. */
export const WRONG = Symbol('wrong');
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
export const SWITCHED_OFF = ['0', 'false', 'off'];
export const SWITCHED_ON = ['1', 'true', 'on'];
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

const postgresAddress = {
  value: 'ADDRESS',
  fallback: '',
  expected: 'an address with a database, such as postgres://shop@db.example/shop',
  isSecret: true,
} as const;
/** By the names of the flags. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** Every flag of `serve`, in the order of README's table. */
export const flags = {
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
  'max-changes': integerFlag(
    '1000000',
    "most changes that are kept, with at most 256 MB of their texts; the oldest dumps' go first",
    1,
  ),
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
} satisfies FlagTable;

export type FlagName = keyof typeof flags;
type ValueOf<F> = F extends Flag<infer Value> ? (F extends { separator: string } ? readonly Value[] : Value) : never;
export type ValuesOf<Flags extends FlagTable> = { readonly [Name in keyof Flags]: ValueOf<Flags[Name]> };
export type Config = ValuesOf<typeof flags>;

const isFlagName = (name: string): name is FlagName => Object.hasOwn(flags, name);
export const flagNames: readonly FlagName[] = Object.keys(flags).filter(isFlagName);
export const flagOf = (name: FlagName): Flag => flags[name];
export const serveFlags = flagNames.map((name) => ({ name, ...flagOf(name) }));
/** Variables whose values no message shows. */
export const isSecretVariable = (variable: string): boolean =>
  serveFlags.some(({ name, isSecret }) => isSecret === true && variableOf(name) === variable);
export const DEFAULT_HOST = flags.host.fallback;

export const GATE_FLAGS: readonly FlagName[] = ['min-records', 'max-lost', 'max-new', 'min-filled', 'max-refused'];

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
  'gates that a dump must pass': GATE_FLAGS,
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

/** How a dump is read, whichever command reads it. */
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
const SCHEMA_TARGETS = ['postgres', 'clickhouse', 'opensearch'] as const;
export type SchemaTarget = (typeof SCHEMA_TARGETS)[number];

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
} satisfies FlagTable;
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
} satisfies FlagTable;

const jsonFlag = onOff('print JSON');
/** The flags that a command alone has; no variable stands for them. */
export const ownFlags = {
  serve: {},
  check: { json: jsonFlag },
  diff: { json: jsonFlag },
  convert: convertFlags,
  push: pushFlags,
  types: {},
  bench: { json: jsonFlag },
} satisfies Readonly<Record<string, FlagTable>>;
export type CommandName = keyof typeof ownFlags;
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(ownFlags, name);
/** All flags of all commands. Two commands have a `--to`, and both take a value. */
export const allFlags: FlagTable = Object.assign({}, ...Object.values(ownFlags), flags);
