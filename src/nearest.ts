/** "Did you mean": the name that a misspelt one most likely means. */
import SearchableMap from 'minisearch/SearchableMap';
import { type Message, messageText } from './text.js';

/**
 * The name at the smallest edit distance from `wrong`, case aside; null if that is more than a third of its length. Swapped letters
 * are two edits and one slip, so that a short name may have them too: `feild`.
 */
export function nearest(wrong: string, names: Iterable<string>): string | null {
  if (wrong.length > 64) return null;
  const distance = Math.max(1, Math.floor(wrong.length / 3));
  const tree = SearchableMap.from<string>([...names].map((name) => [name.toLowerCase(), name]));
  // `--prot` is `--port` rather than `--from`.
  const letters = lettersOf(wrong);
  const isOther = (name: string): number => Number(lettersOf(name) !== letters);
  const candidates = [...tree.fuzzyGet(wrong.toLowerCase(), Math.max(distance, SWAP)).values()].filter(
    ([name, edits]) => edits <= distance || isOther(name) === 0,
  );
  candidates.sort(
    ([a, distanceA], [b, distanceB]) => distanceA - distanceB || isOther(a) - isOther(b) || (a < b ? -1 : 1),
  );
  return candidates[0]?.[0] ?? null;
}

/** The edits of two letters that are swapped. */
const SWAP = 2;

const lettersOf = (name: string): string => [...name.toLowerCase()].sort().join('');

/** The end of a message: ` Did you mean "x"?`, or nothing. */
export function nearestHint(wrong: string, names: Iterable<string>): Message {
  const name = nearest(wrong, names);
  return name === null ? [] : [' Did you mean ', { quoted: name }, '?'];
}

/** The text of `nearestHint`. */
export const didYouMean = (wrong: string, names: Iterable<string>): string => messageText(nearestHint(wrong, names));
