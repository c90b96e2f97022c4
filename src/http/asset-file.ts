/**
 * Reads style sheets, scripts and the guide. In the built program they lie beside it; when it runs from its sources,
 * they lie at their paths. Benchmarks are compiled one folder deeper.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The text of the file at a path in the project. */
export function assetFile(path: string): string {
  const candidates = [`./${basename(path)}`, `../../${path}`, `../../../${path}`].map(
    (candidate) => new URL(candidate, import.meta.url),
  );
  const existing = candidates.find((candidate) => existsSync(candidate));
  if (existing === undefined) throw new Error(`${path} is missing: the program is to be built again`);
  return readFileSync(existing, 'utf8');
}
