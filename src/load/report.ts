/** The results of loading, as one structure that start-up text, `check`, `check --json` and `/health` all show. */
import type { Language } from '../languages.js';
import type { FieldKind, Value } from '../model.js';

/** Why records were refused: how many for the same reason, and the first of them. `record` and `line` count from 1. */
export interface Refusal {
  readonly records: number;
  readonly record: number;
  readonly line: number;
  readonly reason: string;
}

/** A cell as it stood in the source, and the value that was read from it; `read` is null where none could be. */
export interface Example {
  readonly record: number;
  readonly line: number;
  /** Quoted as JSON and shortened. */
  readonly raw: string;
  readonly read: Value;
}

/** A source's name for a field, and the records that used it. */
export interface SourceName {
  readonly name: string;
  readonly records: number;
}

/** How one field of the accepted records came about; all numbers count records. */
export interface FieldReport {
  readonly field: string;
  /** The kind of a found field, and where records of the dump have its values, as a mapping spells it. */
  readonly found?: { readonly from: string; readonly kind: FieldKind; readonly mayBeKey?: true };
  /** The column was guessed: a note says from what. */
  readonly isGuessed?: true;
  /** Names in the source that differ from the field's own. */
  readonly renamedFrom: readonly SourceName[];
  /** Alternative columns: names that fit this field too, in records with a better one. An exact name goes before an alias. */
  readonly passedOver: readonly SourceName[];
  readonly present: number;
  /** Values that were read from another spelling. */
  readonly repaired: number;
  /** The first repairs; no two of them look the same. */
  readonly repairs: readonly Example[];
  /** Cells that hold something which could not be read. */
  readonly leftNull: number;
  readonly leftNullExamples: readonly Example[];
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
  /** The first reasons of refusals; `refused` counts all records. */
  readonly refusals: readonly Refusal[];
  /** Records that were given their id by position; none or all of a file's. */
  readonly idsAssigned: number;
  /** Types of records that were left out, most frequent first; `records` counts none of these. */
  readonly otherTypes: readonly SourceName[];
  readonly fields: readonly FieldReport[];
  /** Names in the source that no field is read from, most frequent first. */
  readonly notKept: readonly SourceName[];
  /** Where no column is the title: the columns that could be. */
  readonly titleCandidates: readonly string[];
  /** Decisions of the file's plan: guesses, columns whose values are not the field's, HTML made text. */
  readonly notes: readonly string[];
  /** Possible mistakes of the source that are no faults: a field without any value, dates in the future, double-encoded text. */
  readonly suspicions: readonly string[];
  /** The order of day and month that was assumed for dates such as `8/4/2016`; undefined where they prove to be month/day, or there are none. */
  readonly dateOrder?: string;
}

export interface LoadReport {
  readonly files: readonly FileReport[];
  /** Files that were not read, each with the reason and what to do. */
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
  /** The files are the sample's, since there are no others. */
  readonly isSample?: true;
}

/** A file that cannot be read at all; nothing is served from a folder that holds one. */
export interface SnapshotFault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** The file is whole, and holds no records that are understood: in a folder it is ignored. */
  readonly isForeign?: true;
}

/** `articles.json:3:17: expected …`, the form that editors and terminals turn into a link. */
export const faultText = ({ file, line, column, message }: SnapshotFault): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;

export const totalRefused = ({ files }: LoadReport): number => files.reduce((sum, { refused }) => sum + refused, 0);

/** Whether `check` has more to tell than how many records there are. */
export const hasFindings = ({ files }: LoadReport): boolean =>
  files.some(
    ({ refused, suspicions, dateOrder, fields }) =>
      refused > 0 ||
      suspicions.length > 0 ||
      dateOrder !== undefined ||
      fields.some(({ repaired, leftNull }) => repaired + leftNull > 0),
  );
