/** A folder made of the given files, loaded, with what came out of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadOptions, loadSnapshots } from '../src/load/load.js';
import { type FileReport, faultText } from '../src/load/report.js';
import { type CollectionModel, type CollectionName, collections, type RecordValues } from '../src/model.js';
import { recordsIn } from './support/batches.js';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const modelOf = (name: CollectionName): CollectionModel =>
  collections.find((model) => model.name === name) ?? collections[0];

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

export async function loadFiles(files: Files, options: Partial<LoadOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'load-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
    return await loadFolder(dir, options);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
