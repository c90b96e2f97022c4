/** The report of a load, whose types are public since `check --json` prints all of it; the fault of a file; what both tell in short. */
import type { Fault, LoadReport } from '../../package.js';

export type { Example, FieldReport, FileReport, LoadReport, Refusal, SourceName } from '../../package.js';

/** A file that cannot be read at all; nothing is served from a folder that holds one. */
export interface SnapshotFault extends Fault {
  /** The file is whole, and holds no records that are understood: in a folder it is ignored. */
  readonly isForeign?: true;
}

/** `articles.json:3:17: expected …`, the form that editors and terminals turn into a link. */
export const faultText = ({ file, line, column, message }: SnapshotFault): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;

export const totalRefused = ({ files }: LoadReport): number => files.reduce((sum, { refused }) => sum + refused, 0);
