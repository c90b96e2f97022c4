/** A folder made of the given files, loaded, with what came out of it: the documented fields, unless a test says otherwise. */
import { type LoadOptions, loadSnapshots } from '../../src/load/load.js';
import { type FileReport, faultText } from '../../src/load/report/report.js';
import type { CollectionModel } from '../../src/model.js';
import type { RecordValues } from './batch-writer.js';
import { recordsIn } from './batches.js';
import { type Files, withFolder } from './program.js';

export async function loadFolder(dir: string, options: Partial<LoadOptions> = {}) {
  const recordsOf = new Map<string, RecordValues[]>();
  const models = new Map<string, CollectionModel>();
  const result = await loadSnapshots({
    dir,
    columns: 'documented',
    onCollection: (model) => {
      models.set(model.name, model);
      const records: RecordValues[] = [];
      const ids = new Set<unknown>();
      // A collection that is read again begins anew.
      recordsOf.set(model.name, records);
      return (batch) => {
        const replaced: number[] = [];
        for (const values of recordsIn(model, batch)) {
          if (ids.has(values[0])) replaced.push(Number(values[0]));
          records.push(values);
          ids.add(values[0]);
        }
        return replaced;
      };
    },
    ...options,
  });
  const records = [...recordsOf.values()].flat();
  const files: readonly FileReport[] = result.ok ? result.report.files : [];
  const warnings = result.ok ? result.report.warnings : [];
  return { result, records, models, files, warnings, fault: result.ok ? undefined : faultText(result.fault) };
}

export const loadFiles = (files: Files, options: Partial<LoadOptions> = {}) =>
  withFolder(files, (dir) => loadFolder(dir, options));
