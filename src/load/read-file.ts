/** Reads any file of a collection, whatever its format. */

import type { CollectionModel } from '../model.js';
import { readJson } from './json-reader.js';
import { createKnowsAny, type OpenedFile } from './open-file.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

export type ReadFile = (
  opened: OpenedFile,
  reading: Omit<Reading, 'source' | 'knowsAny'>,
) => Promise<SnapshotFault | undefined>;

export function createFileReader(model: CollectionModel): ReadFile {
  return async ({ source, layout, mapping }, reading) => {
    const whole = { ...reading, source, knowsAny: createKnowsAny({ model, mapping }) };
    if (layout) return readJson(whole, layout);
    // Most dumps are JSON: they do not wait for the code that reads CSV.
    return (await import('./csv-reader.js')).readCsv(whole);
  };
}
