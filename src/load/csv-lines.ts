/** A file → its lines in UTF-8, as many whole ones at a time as a chunk of the file ends: so no character is cut in two. */
import { type OnBytesRead, readBytes } from './bytes.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { SnapshotFault } from './report.js';

/** `isLast`: what is behind the last line break. `heldBytes` of the file were read behind the lines. False ends the reading. */
export type TakeLines = (lines: Buffer, isLast: boolean, heldBytes: number) => boolean | Promise<boolean>;

export async function readLines(
  source: SnapshotFile,
  decoder: Decoder,
  take: TakeLines,
  onRead?: OnBytesRead,
): Promise<SnapshotFault | undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isStopped = false;
  const fault = await readBytes(
    source,
    async (chunk) => {
      const end = chunk.lastIndexOf('\n') + 1 || chunk.lastIndexOf('\r') + 1;
      const lines = end === 0 ? [] : [...held, chunk.subarray(0, end)];
      if (end > 0) {
        held = [];
        heldBytes = 0;
      }
      // A chunk is only lent.
      held.push(Buffer.from(chunk.subarray(end)));
      heldBytes += chunk.length - end;
      isStopped = !(await take(decoder.lines(Buffer.concat(lines)), false, heldBytes));
      return !isStopped;
    },
    onRead,
  );
  if (fault === undefined && !isStopped) await take(decoder.lines(Buffer.concat(held)), true, 0);
  return fault;
}
