/** A folder made of the given files, loaded, with what came out of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadOptions, loadSnapshots } from '../src/load/load.js';
import { type FileReport, faultText } from '../src/load/report.js';
import type { RecordValues } from '../src/model.js';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function loadFolder(dir: string, options: Partial<LoadOptions> = {}) {
  const records: RecordValues[] = [];
  const ids = new Set<unknown>();
  const result = await loadSnapshots({
    dir,
    onRecord: (collection, values) => {
      records.push(values);
      const key = `${collection} ${values[0]}`;
      if (ids.has(key)) return 'replaced';
      ids.add(key);
      return 'added';
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
