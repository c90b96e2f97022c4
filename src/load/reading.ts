/** What the reader of a format is given, and the choice between them. */
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { TakeRecords } from './source-record.js';

export interface Reading {
  readonly source: SnapshotFile;
  readonly take: TakeRecords;
  readonly onRead?: (doneBytes: number) => void;
  /** Whether an object with these names is one record rather than an envelope of many. */
  readonly isRecord: (names: readonly string[]) => boolean;
  /** Whether any of these names is a field's. */
  readonly knowsAny: (names: readonly string[]) => boolean;
  readonly decoder?: Decoder;
}
