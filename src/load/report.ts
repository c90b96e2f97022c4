/** What loading found, as one structure that start-up text, `check`, `check --json` and `/health` all show. */
import type { CollectionName } from '../model.js';

/** Why a record was refused. `record` and `line` count from 1. */
export interface Refusal {
  readonly record: number;
  readonly line: number;
  readonly reason: string;
}

export interface FileReport {
  readonly file: string;
  readonly collection: CollectionName;
  readonly bytes: number;
  readonly tookMs: number;
  readonly records: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted records that took the place of an earlier one of the same id. */
  readonly replaced: number;
  /** The first refusals; `refused` counts all. */
  readonly refusals: readonly Refusal[];
}

export interface LoadReport {
  readonly files: readonly FileReport[];
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
}

/** A file that cannot be read at all; nothing is served from a folder that holds one. */
export interface SnapshotFault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** `articles.json:3:17: expected …`, the form that editors and terminals turn into a link. */
export const faultText = ({ file, line, column, message }: SnapshotFault): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;

export const totalRefused = ({ files }: LoadReport): number => files.reduce((sum, { refused }) => sum + refused, 0);
