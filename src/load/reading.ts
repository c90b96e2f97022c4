/** What the reader of a format is given. */
import type { Binder } from './bind.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';

export interface FileReading {
  readonly source: SnapshotFile;
  /** Where records go. */
  readonly binder: Binder;
  readonly decoder: Decoder;
  /** Asked after each batch: whether the rest of the file is to be left unread. */
  readonly isStopped: () => boolean;
  /** Of a file that is cut off, what stands before the cut is read. */
  readonly isPartial?: boolean;
  readonly onRead?: (doneBytes: number) => void;
}
