/** Reads any file of a collection, whatever its format. */
import { readJson } from './json-reader.js';
import type { OpenedFile, OpenOptions } from './open-file.js';
import { createKnowsAny } from './open-file.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

export type ReadFile = (
  opened: OpenedFile,
  reading: Omit<Reading, 'source' | 'knowsAny'>,
) => Promise<SnapshotFault | undefined>;

export function createFileReader(options: OpenOptions): ReadFile {
  const knowsAny = createKnowsAny(options);
  return async ({ source, layout }, reading) => {
    const whole = { ...reading, source, knowsAny };
    if (layout) return readJson(whole, layout);
    // Most dumps are JSON: they do not wait for the code that reads CSV.
    return (await import('./csv-reader.js')).readCsv(whole);
  };
}
