/**
 * Style sheets and scripts of pages, which are files of their own kind: beside the program where it is built, by their path where it
 * runs from its sources, and for benchmarks, whose modules are compiled elsewhere, in the sources as well.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
const SOURCES = '../../../src/http';
/** The text of a file under `src/http`. */
export function assetFile(path) {
    const places = [`./${basename(path)}`, `./${path}`, `${SOURCES}/${path}`].map((place) => new URL(place, import.meta.url));
    const found = places.find((place) => existsSync(place));
    if (found === undefined)
        throw new Error(`${path} is missing: the program is to be built again`);
    return readFileSync(found, 'utf8');
}
