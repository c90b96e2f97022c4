/** A folder made of the given files, loaded, with what came out of it. */
import { type LoadOptions, loadSnapshots } from '../../src/load/load.js';
import { type FileReport, faultText } from '../../src/load/report.js';
import { type CollectionModel, collections, type RecordValues } from '../../src/model.js';
import { recordsIn } from './batches.js';
import { type Files, withFolder } from './program.js';

const modelOf = (name: string): CollectionModel => collections.find((model) => model.name === name) ?? collections[0];

export async function loadFolder(dir: string, options: Partial<LoadOptions> = {}) {
  const records: RecordValues[] = [];
  const ids = new Set<unknown>();
  const result = await loadSnapshots({
    dir,
    onBatch(name, batch) {
      const before = ids.size;
      for (const values of recordsIn(modelOf(name), batch)) {
        records.push(values);
        ids.add(`${name} ${values[0]}`);
      }
      return batch.size - (ids.size - before);
    },
    ...options,
  });
  const files: readonly FileReport[] = result.ok ? result.report.files : [];
  const warnings = result.ok ? result.report.warnings : [];
  return { result, records, files, warnings, fault: result.ok ? undefined : faultText(result.fault) };
}

export const loadFiles = (files: Files, options: Partial<LoadOptions> = {}) =>
  withFolder(files, (dir) => loadFolder(dir, options));
