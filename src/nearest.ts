/** "Did you mean": the name that a misspelt one most likely means. */
import SearchableMap from 'minisearch/SearchableMap';
import { type Message, messageText } from './text.js';

/** The name at the smallest edit distance from `wrong`, case aside; null if that is more than a third of its length. */
export function nearest(wrong: string, names: Iterable<string>): string | null {
  if (wrong.length > 64) return null;
  const namesByLowerCase = SearchableMap.from<string>([...names].map((name) => [name.toLowerCase(), name]));
  const maxDistance = Math.max(1, Math.floor(wrong.length / 3));
  const candidates = [...namesByLowerCase.fuzzyGet(wrong.toLowerCase(), maxDistance).values()];
  candidates.sort(([a, distanceA], [b, distanceB]) => distanceA - distanceB || (a < b ? -1 : 1));
  return candidates[0]?.[0] ?? null;
}

/** The end of a message: ` Did you mean "x"?`, or nothing. */
export function nearestHint(wrong: string, names: Iterable<string>): Message {
  const name = nearest(wrong, names);
  return name === null ? [] : [' Did you mean ', { quoted: name }, '?'];
}

/** The text of `nearestHint`. */
export const didYouMean = (wrong: string, names: Iterable<string>): string => messageText(nearestHint(wrong, names));
