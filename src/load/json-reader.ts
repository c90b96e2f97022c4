/**
 * A JSON or NDJSON file → its records, in the filler's batches. Where anything is irregular the file is read once more by
 * the strict checker, which knows the exact place and reason.
 */
import { readBytes } from './bytes.js';
import { firstFault } from './json-checker.js';
import type { JsonLayout } from './json-layout.js';
import { JsonPlaces, twoArrays } from './json-places.js';
import { JsonRecords } from './json-records.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

export async function readJson(reading: Reading, layout: JsonLayout): Promise<SnapshotFault | undefined> {
  const { source, filler, isStopped, onDates, onRead } = reading;
  const places = new JsonPlaces(layout);
  const records = new JsonRecords({ ...reading, places, ...(layout.header && { header: layout.header }) });
  let isIrregular = false;
  let fault: SnapshotFault | undefined;
  /** Bytes of a record that was not whole, when it was begun last: it is begun again when there are twice as many. */
  let unfinishedBytes = 0;

  const run = async (isLast: boolean): Promise<boolean> => {
    for (;;) {
      const outcome = records.run(isLast);
      filler.flush();
      if (outcome === 'dates') fault = await onDates();
      isIrregular = outcome === 'irregular';
      if (isStopped() || fault || isIrregular) return false;
      if (outcome !== 'more') continue;
      unfinishedBytes = records.unreadBytes;
      return true;
    }
  };

  const failed = await readBytes(
    source,
    (chunk) => {
      records.feed(chunk);
      return records.unreadBytes < 2 * unfinishedBytes || run(false);
    },
    onRead,
  );
  if (failed) return failed;
  if (!isStopped() && !fault && !isIrregular) await run(true);
  return isIrregular ? explain(reading, layout, places) : fault;
}

/** What the first fault of an irregular file is: it is read strictly once more. */
async function explain(
  { source: { file }, source }: Reading,
  { shape }: JsonLayout,
  { line, entered, second }: JsonPlaces,
): Promise<SnapshotFault> {
  if (entered && second) return { file, line: second.line, message: twoArrays(entered, second) };
  const message = 'expected one JSON value after the other; is a separator missing, or a value too long?';
  return (await firstFault(source, shape)) ?? { file, line, message };
}
