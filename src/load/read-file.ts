/** Reads the records of an opened file, whatever its format. */
import { readJson } from './json-reader.js';
import type { OpenedFile } from './open-file.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

export async function readFile(
  { source, layout }: OpenedFile,
  reading: Omit<Reading, 'source'>,
): Promise<SnapshotFault | undefined> {
  const whole = { ...reading, source };
  // Most dumps are JSON: they do not wait for the code that reads CSV.
  return 'dialect' in layout ? (await import('./csv-reader.js')).readCsv(whole, layout) : readJson(whole, layout);
}
