/** What the readers of all formats hand on: a record's names and cells, side by side, and where it stands. */
import type { SnapshotFault } from './report.js';

export interface SourceRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Names of the source's fields; the same array for all rows of a CSV file. */
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
  /** Its text holds what double-encoded text begins with. */
  readonly mayBeDoubleEncoded: boolean;
  /** Why it can't be a record at all; names and cells are empty then. */
  readonly refusal?: string;
}

/** Takes records in their order; false ends the reading. */
export type TakeRecords = (records: readonly SourceRecord[]) => boolean | Promise<boolean>;

/** Undefined where the whole file was read, or as much of it as was wanted. */
export type ReadOutcome = SnapshotFault | undefined;

export const refused = (line: number, refusal: string): SourceRecord => ({
  line,
  names: [],
  cells: [],
  mayBeDoubleEncoded: false,
  refusal,
});
