/**
 * Scraper Data API as a library: everything that `import … from 'scraper-data-api'` gives. Options are the flags of the
 * command line, `--base-url` as `baseUrl`; README describes each. A wrong option throws a `TypeError` that names it.
 */

/** A language whose stop words and endings are known. */
export type Language = 'english' | 'german' | 'french' | 'spanish' | 'italian' | 'portuguese' | 'dutch';

export interface LoadOptions {
  /** The collection of the files: `articles`, `products`, or one of its own such as `jobs`. Else names or fields tell. */
  readonly as?: string;
  /** The page that was scraped: relative addresses are completed by it. */
  readonly baseUrl?: string;
  /** When the dump was scraped: `3 hours ago` counts from it. */
  readonly scrapedAt?: Date | string;
  /** Whether columns that feed no documented field become fields of their own: `all`, unless told otherwise. */
  readonly columns?: 'all' | 'documented';
  /** The language as which texts are searched. Else their words tell. */
  readonly language?: Language;
  /** Where the records stand in JSON files, such as `threads[].posts[]`. Else the files show it. */
  readonly records?: string;
  /** The encoding of the files, such as `shift_jis`. Else UTF-8, UTF-16 or windows-1252, as their bytes say. */
  readonly encoding?: string;
  /** Whether a file that is cut off is loaded up to the cut. */
  readonly partial?: boolean;
  /** The first refusal, repair or guess is a fault. */
  readonly strict?: boolean;
  /** Whether contents that are HTML become text. */
  readonly html?: 'text' | 'keep';
  readonly engine?: 'bm25f' | 'minisearch';
  /** Files and folders of an earlier dump to compare with. */
  readonly previous?: string | readonly string[];
  /** Whether files of dated names that repeat one another's records are one dump. Else the newest is loaded. */
  readonly addUp?: boolean;
  /** Called now and then while a file is read. */
  readonly onProgress?: (file: string, doneBytes: number, totalBytes: number) => void;
}

/** All records of a load with their indexes: immutable, and served by any number of apps. */
export interface Dataset {
  /** A hash of the records: equal wherever the same files are loaded with the same options. */
  readonly version: string;
  /** Collections by name, with their numbers of records. */
  readonly collections: ReadonlyMap<string, { readonly size: number }>;
}

/** The reason why a file cannot be loaded. `line` and `column` count from 1. */
export interface Fault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** The report on the files; `check --json` prints the same. All numbers count records, unless they say otherwise. */
export interface LoadReport {
  readonly files: readonly FileReport[];
  /** Files that were not read, each with the reason and what to do. */
  readonly ignored: readonly string[];
  /** All that is to be said about the files, in the order in which `check` prints it. */
  readonly findings: readonly Finding[];
  /** The files are the sample's, since there are no others. */
  readonly isSample?: true;
}

/** A gate, as it was evaluated for a collection: `check --json` adds a list of them to the report, as `gates`. */
export interface GateResult {
  /** The flag: `--max-lost`. */
  readonly gate: string;
  /** Null where no collection has records, or the field. */
  readonly collection: string | null;
  readonly expected: string;
  readonly found: string;
  readonly holds: boolean;
}

/** The subject of a finding: records that are left out, values, decisions about columns, possible mistakes of the source. */
export type FindingKind =
  | 'nothing-served'
  | 'mapping'
  | 'encoding'
  | 'left-out'
  | 'repeated-names'
  | 'refused'
  | 'names'
  | 'untitled'
  | 'empty'
  | 'read-twice'
  | 'date-order'
  | 'last-rows'
  | 'calendar'
  | 'decimal-sign'
  | 'bare-numbers'
  | 'language'
  | 'repeated'
  | 'replaced'
  | 'ids'
  | 'other-types'
  | 'place'
  | 'guess'
  | 'unsuited'
  | 'html'
  | 'several-values'
  | 'renamed'
  | 'alternative'
  | 'repaired'
  | 'left-null'
  | 'relative-date'
  | 'not-kept'
  | 'zeros'
  | 'future'
  | 'relative-address'
  | 'double-encoded'
  | 'control-characters'
  | 'currencies'
  | 'scales'
  | 'units'
  | 'doubtful'
  | 'time-zone'
  | 'no-records'
  | 'no-values';

/** A finding of a load. Printed, it is `field: text, such as examples; advice`. */
export interface Finding {
  readonly kind: FindingKind;
  /** Undefined where it is about no single file. */
  readonly file?: string;
  /** The collection that the file's records are in. */
  readonly collection?: string;
  readonly field?: string;
  /** How many records, values or columns it is about. */
  readonly count: number;
  readonly text: string;
  /** The flag or the change of the dump that has it otherwise. */
  readonly advice?: string;
  /** The line of the first record that it is about. */
  readonly line?: number;
  readonly examples: readonly Example[];
}

/** A source's name for a field, and the records that used it. */
export interface SourceName {
  readonly name: string;
  readonly records: number;
}

/** Why records were refused: how many for the same reason, and the first of them. `record` and `line` count from 1. */
export interface Refusal {
  readonly records: number;
  readonly record: number;
  readonly line: number;
  readonly reason: string;
}

export interface FileReport {
  readonly file: string;
  readonly collection: string;
  /** The language as which the collection's texts are searched. */
  readonly language: Language;
  /** The mapping file that can have its columns read otherwise, whether or not there is one. */
  readonly mapping: string;
  readonly bytes: number;
  readonly tookMs: number;
  readonly records: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted records that took the place of an earlier one of the same id. */
  readonly replaced: number;
  /** The first ids of replaced records. */
  readonly replacedIds: readonly number[];
  /** The first reasons; `refused` counts all records. */
  readonly refusals: readonly Refusal[];
  /** Records that were given their id by position: none or all of a file's. */
  readonly idsAssigned: number;
  /** Types of records that were left out, most frequent first; `records` counts none of these. */
  readonly otherTypes: readonly SourceName[];
  readonly fields: readonly FieldReport[];
  /** Names in the source that no field is read from, most frequent first. */
  readonly notKept: readonly SourceName[];
  /** Where no column is the title: the columns that could be. */
  readonly titleCandidates: readonly string[];
}

/** A cell as it stood in the source, quoted and shortened, and the value that was read from it; null where none could be. */
export interface Example {
  readonly record: number;
  readonly line: number;
  readonly raw: string;
  readonly read: string | number | boolean | readonly string[] | null;
}

export interface FieldReport {
  readonly field: string;
  /** The kind of a found field, and where records of the dump have its values, as a mapping spells it. */
  readonly found?: {
    readonly from: string;
    readonly kind: 'integer' | 'number' | 'date' | 'boolean' | 'text' | 'code' | 'url' | 'texts' | 'codes' | 'json';
    readonly mayBeKey?: true;
    /** The unit that the dump has with its numbers: `km`, `ratings`, `+`. */
    readonly unit?: string;
    /** The part of each text that the field has, of which another field has the rest. */
    readonly part?: 'upper end' | 'currency';
  };
  /** The column was guessed: a finding says from what. */
  readonly isGuessed?: true;
  /** Names in the source that differ from the field's own. */
  readonly renamedFrom: readonly SourceName[];
  /** Names that fit this field too, in records with a better one. An exact name goes before an alias. */
  readonly passedOver: readonly SourceName[];
  readonly present: number;
  /** Values that were read from another spelling, such as `"£47.01"`. */
  readonly repaired: number;
  /** The first repairs; no two of them look the same. */
  readonly repairs: readonly Example[];
  /** Cells that hold something which could not be read. */
  readonly leftNull: number;
  readonly leftNullExamples: readonly Example[];
}

export type Loaded =
  | { readonly ok: true; readonly dataset: Dataset; readonly report: LoadReport }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Loads files and folders. A file that cannot be read is a fault; a record that cannot is refused, and reported. */
export declare function loadDataset(paths: string | readonly string[], options?: LoadOptions): Promise<Loaded>;

export interface AppOptions {
  /** The name of the member that holds a list's page numbers: `pagination`, unless told otherwise. */
  readonly envelope?: 'pagination' | 'meta';
  /** Whether answers have all fields, where a request does not say which. */
  readonly extra?: boolean;
  /** Most records of a page: 1000, unless told otherwise. */
  readonly maxLimit?: number;
  /** Requests a minute for each client. 0, for no limit, unless told otherwise. */
  readonly rateLimit?: number;
  /** The origins that browsers may call from: `local`, `*`, one origin, or `off`. */
  readonly cors?: string;
  /** The names that requests may come to, besides those of this machine. Any name, where it is left out. */
  readonly allowedHost?: string | readonly string[];
  /** Whether clients are counted by `X-Forwarded-For`. */
  readonly trustProxy?: boolean;
  /** Milliseconds that answers of the API come late: `300`, or `'200-800'` for a time between two. */
  readonly delay?: number | string;
  /** How many answers of the API are a 503, chosen by chance: `'5%'`. */
  readonly fail?: string;
  /** Called with an unexpected exception, whose request is answered with status 500. Prints it, unless told otherwise. */
  readonly onError?: (error: unknown, request: { readonly method: string; readonly url: string }) => void;
}

export interface App {
  /**
   * Answers a request: every address of the server, `/`, `/docs` and `/health` among them. `env` is that of
   * `@hono/node-server`, whose socket tells the client's address to the rate limit; a test needs none.
   */
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
}

/** An app over a dataset. It opens no port, and its addresses begin at the root of its host. */
export declare function createApp(dataset: Dataset, options?: AppOptions): App;
