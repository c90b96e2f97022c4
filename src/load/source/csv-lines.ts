/** A file → its lines in UTF-8. Each chunk of the file hands over the lines that it ends, so that no character is cut in two. */

import type { SnapshotFault } from '../report/report.js';
import { type OnBytesRead, readBytes } from './bytes.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';

/** `isLast`: the bytes behind the last line break. `heldBytes`: bytes that were read and begin the next line. Returning false ends the reading. */
export type TakeLines = (lines: Buffer, isLast: boolean, heldBytes: number) => boolean | Promise<boolean>;

export async function readLines(
  source: SnapshotFile,
  decoder: Decoder,
  take: TakeLines,
  onRead?: OnBytesRead,
): Promise<SnapshotFault | undefined> {
  let pendingChunks: Buffer[] = [];
  let heldBytes = 0;
  let isStopped = false;
  const fault = await readBytes(
    source,
    async (chunk) => {
      const end = chunk.lastIndexOf('\n') + 1 || chunk.lastIndexOf('\r') + 1;
      const lines = end === 0 ? [] : [...pendingChunks, chunk.subarray(0, end)];
      if (end > 0) {
        pendingChunks = [];
        heldBytes = 0;
      }
      pendingChunks.push(chunk.subarray(end));
      heldBytes += chunk.length - end;
      isStopped = !(await take(decoder.lines(Buffer.concat(lines)), false, heldBytes));
      return !isStopped;
    },
    onRead,
  );
  if (fault === undefined && !isStopped) await take(decoder.lines(Buffer.concat(pendingChunks)), true, 0);
  return fault;
}
