/** "Did you mean": the name that a misspelt one most likely means. */
import SearchableMap from 'minisearch/SearchableMap';
import { type Message, messageText } from './text.js';

/** Names by their lower case, in which near ones are found. */
export type SpellingTree = SearchableMap<string>;

/** Takes about 2 µs a name. */
export const spellingTree = (names: Iterable<string>): SpellingTree =>
  SearchableMap.from<string>([...names].map((name) => [name.toLowerCase(), name]));

/**
 * The name at the smallest edit distance from `wrong`, case aside; null if that is more than a third of its length, or more
 * than `maxDistance`. Swapped letters are two edits and one slip, so that a short name may have them too: `feild`. Among 20,000 names a distance of 3 takes some 2 ms, and each further one twice as long.
 */
export function nearestIn(tree: SpellingTree, wrong: string, maxDistance = Number.POSITIVE_INFINITY): string | null {
  if (wrong.length > 64) return null;
  const distance = Math.min(maxDistance, Math.max(1, Math.floor(wrong.length / 3)));
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

/** As `nearestIn`, among a few names. */
export const nearest = (wrong: string, names: Iterable<string>): string | null => nearestIn(spellingTree(names), wrong);

/** The end of a message: ` Did you mean "x"?`, or nothing. */
export function nearestHint(wrong: string, names: Iterable<string>): Message {
  const name = nearest(wrong, names);
  return name === null ? [] : [' Did you mean ', { quoted: name }, '?'];
}

/** The text of `nearestHint`. */
export const didYouMean = (wrong: string, names: Iterable<string>): string => messageText(nearestHint(wrong, names));
