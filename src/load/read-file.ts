/** Reads any file of a collection, whatever its format. */
import type { CollectionModel } from '../model.js';
import type { Rank } from './columns.js';
import { readJson } from './json-reader.js';
import type { Reading, RecordLikeness } from './reading.js';
import type { SnapshotFault } from './report.js';

export type ReadFile = (reading: Omit<Reading, 'likeness' | 'knowsAny'>) => Promise<SnapshotFault | undefined>;

export function createFileReader(model: CollectionModel, rank: Rank): ReadFile {
  const knows = (names: readonly string[]) => (field: CollectionModel['fields'][number]) =>
    names.some((name) => rank(field, name) !== undefined);
  const likeness = (names: readonly string[]): RecordLikeness => {
    const required = model.fields.filter((field) => field.required);
    if (required.every(knows(names))) return 'whole';
    return required.some((field) => field.name !== 'id' && knows(names)(field)) ? 'partly' : 'none';
  };
  const knowsAny = (names: readonly string[]) => model.fields.some(knows(names));
  return async (reading) => {
    // Most dumps are JSON: they do not wait for the code that reads CSV.
    const read = reading.source.format === 'csv' ? (await import('./csv-reader.js')).readCsv : readJson;
    return read({ ...reading, likeness, knowsAny });
  };
}
