/** Which dump is read by a command that serves none: that of a history which `serve` would serve. */
import { likelyHistory } from '../build/dated.js';
import type { DumpPlace } from '../config/config.js';
import type { NewestDump } from './history.js';

/** The newest dump, which a warning names, where names and records say that there are several. `isAddedUp`: all files are one dump. */
export async function newestDump(place: DumpPlace, isAddedUp: boolean): Promise<NewestDump> {
  const dumps = isAddedUp ? null : await likelyHistory(place.paths ?? [place.dir]);
  // The code that compares dumps is loaded only for names that a history has.
  return dumps === null ? { place, previous: [] } : (await import('./history.js')).newestOfHistory(place, dumps);
}
