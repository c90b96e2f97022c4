/** What the reader of a format is given. */
import type { BatchFiller } from './batch-filler.js';
import type { ColumnFinder } from './columns.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { SnapshotFault } from './report.js';

export interface Reading {
  readonly source: SnapshotFile;
  readonly columns: ColumnFinder;
  /** Where records go. */
  readonly filler: BatchFiller;
  readonly decoder: Decoder;
  /** Asked after each batch: whether the rest of the file is to be left unread. */
  readonly isStopped: () => boolean;
  /** Called where the order of day and month must be known before a record can be read; the filler's context has it then. */
  readonly onDates: () => Promise<SnapshotFault | undefined>;
  readonly onRead?: (doneBytes: number) => void;
}
