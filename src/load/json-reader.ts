/**
 * A JSON or NDJSON file → its records, in the binder's batches. Where anything is irregular the file is read once more by
 * the strict checker, which knows the exact place and reason.
 */
import { grouped } from '../text.js';
import { readBytes } from './bytes.js';
import { firstFault } from './json-checker.js';
import type { JsonLayout } from './json-layout.js';
import { JsonRecords } from './json-records.js';
import { JsonWalk } from './json-walk.js';
import type { FileReading } from './reading.js';
import type { SnapshotFault } from './report.js';

export async function readJson(reading: FileReading, layout: JsonLayout): Promise<SnapshotFault | undefined> {
  const { source, binder, isStopped, isPartial = false, onRead } = reading;
  const places = new JsonWalk(layout, binder.memory);
  const { header, keyName } = layout;
  const records = new JsonRecords({
    ...reading,
    places,
    areLines: layout.shape === 'sequence' && layout.steps.length === 0 && header === undefined,
    isPartial,
    ...(header && { header }),
    ...(keyName !== undefined && { keyName }),
  });
  let isIrregular = false;
  /** Bytes of the unfinished record at the last try. It is tried again once they have doubled: so the work stays linear. */
  let unfinishedBytes = 0;

  const run = (isLast: boolean): boolean => {
    for (;;) {
      const outcome = records.run(isLast);
      binder.flush();
      isIrregular = outcome === 'irregular';
      if (isStopped() || isIrregular) return false;
      if (outcome !== 'more') continue;
      unfinishedBytes = records.unreadBytes;
      return true;
    }
  };

  const readFault = await readBytes(
    source,
    (chunk) => {
      records.feed(chunk);
      return records.unreadBytes < 2 * unfinishedBytes || run(false);
    },
    onRead,
  );
  if (readFault) return readFault;
  if (!isStopped() && !isIrregular) run(true);
  if (!isIrregular) return undefined;
  const fault = await explain(reading, layout, places);
  const isCut = fault.message.startsWith(CUT_OFF_PREFIX) && records.readCount > 0;
  if (!isCut) return fault;
  const before = records.readCount === 1 ? 'the record' : `the ${grouped(records.readCount)} records`;
  return { ...fault, message: `${fault.message}; --partial serves ${before} before the cut` };
}

/** The beginning of the checker's messages about files that are cut off. */
const CUT_OFF_PREFIX = 'the file ends inside';

/** The first fault of an irregular file, which is read once more by the strict checker. */
async function explain(
  { source: { file }, source }: FileReading,
  { shape }: JsonLayout,
  { line }: JsonWalk,
): Promise<SnapshotFault> {
  const message = 'expected one JSON value after the other; is a separator missing, or a value too long?';
  return (await firstFault(source, shape)) ?? { file, line, message };
}
