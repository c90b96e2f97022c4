/**
 * Style sheets and scripts of pages, which are files of their own kind: beside the program where it is built, by their path where it
 * runs from its sources, and so for benchmarks, whose modules are compiled a folder deeper.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The text of a file, by its path in the project. */
export function assetFile(path: string): string {
  const places = [`./${basename(path)}`, `../../${path}`, `../../../${path}`].map(
    (place) => new URL(place, import.meta.url),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`${path} is missing: the program is to be built again`);
  return readFileSync(found, 'utf8');
}
