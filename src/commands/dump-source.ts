/** Where dumps come from: files, or what has to be fetched first. The code that fetches is loaded only then. */
import { watchFolder } from '../build/watch.js';
import { type DumpPlace, isFetched } from '../config/config.js';
import type { LoadFailed } from '../load/load.js';
import type { DumpSource } from './fetched.js';

export type { DumpSource };

const isFetchedPlace = ({ paths = [] }: DumpPlace): boolean => paths.some(isFetched);

/** Calls `use` with a place that holds files only: what has to be fetched first is, and is deleted afterwards. */
export async function withFiles<Result>(
  place: DumpPlace,
  use: (place: DumpPlace) => Promise<Result>,
): Promise<Result | LoadFailed> {
  return isFetchedPlace(place) ? (await import('./fetched.js')).useFetched(place, use) : use(place);
}

/** The source of a server's dump. */
export async function openSource(place: DumpPlace): Promise<DumpSource> {
  if (isFetchedPlace(place)) return (await import('./fetched.js')).createFetchedSource(place);
  return {
    use: (use) => use(place),
    watch: (signature, { onChange }, signal) => void watchFolder(place, signature, onChange, signal),
  };
}
