/** What the reader of a format is given, and the choice between them. */
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { TakeRecords } from './source-record.js';

/** Whether an object with these names is a record rather than an envelope of many: it names id and title, title alone, or neither. */
export type RecordLikeness = 'whole' | 'partly' | 'none';

export interface Reading {
  readonly source: SnapshotFile;
  readonly take: TakeRecords;
  readonly onRead?: (doneBytes: number) => void;
  readonly likeness: (names: readonly string[]) => RecordLikeness;
  /** Whether any of these names is a field's. */
  readonly knowsAny: (names: readonly string[]) => boolean;
  readonly decoder?: Decoder;
}
