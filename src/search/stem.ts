/**
 * Words to stems, so that `running` finds `runs`, by Porter2 (the Snowball project's English stemmer), but for two things.
 * Porter2 writes `i` for a final `y`, and takes the `s` from `-is`, which makes `harry` a form of `Harris`. Here a stem keeps
 * its `y`, and gets one where a plural or a past has taken it (`tries`, `tried`). So only words with an `i` of their own have a stem
 * in `-i`: `taxi`, `taxis`. Words in `-ye` keep their ending for the same reason: `Bayes` is no form of `bay`. And a few common
 * words keep what tells them from others: `business` is no form of `busy`.
 */
import { stem as porter2 } from 'porter2';

const ENGLISH = /^[a-z]+$/;

const HAS_OWN_I = /i(?:s|ing)?$/;
const HAS_OWN_E = /([aeiou]ye)s?$/;
/** Words, and beginnings of words, that Porter2 cuts down to another word's stem: `universe`, `experience`, `import`, `custom`, `sever`. */
const PROTECTED_STEM =
  /^(?:business|bus|gas|ios|lens|plus)(?=(?:es)?$)|^universit(?=(?:y|ies)$)|^(?:experiment|importan|customer|several)/;

/** The stem of a folded word; a word that is not all English letters is its own stem. */
export function stem(word: string): string {
  if (!ENGLISH.test(word)) return word;
  const protectedStem = PROTECTED_STEM.exec(word);
  if (protectedStem !== null) return protectedStem[0];
  if (HAS_OWN_E.test(word)) return word.replace(HAS_OWN_E, '$1');
  const stemmed = porter2(word);
  return stemmed.endsWith('i') && !HAS_OWN_I.test(word) ? `${stemmed.slice(0, -1)}y` : stemmed;
}
