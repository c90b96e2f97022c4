/** The arguments of a format's reader. */
import type { Binder } from './bind.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';

export interface FileReading {
  readonly source: SnapshotFile;
  /** Takes the records. */
  readonly binder: Binder;
  readonly decoder: Decoder;
  /** Called after each batch: true ends the reading of the file. */
  readonly isStopped: () => boolean;
  /** A file that is cut off is read up to the cut. */
  readonly isPartial?: boolean;
  readonly onRead?: (doneBytes: number) => void;
}
