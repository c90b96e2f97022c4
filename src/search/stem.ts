/**
 * Words to stems, so that `running` finds `runs`, by Porter's algorithm, but for one thing. Porter writes `i` for a final `y`,
 * and takes the `s` from `-is`, which makes `harry` a form of `Harris`. Here a stem keeps its `y`, and gets one where a plural
 * or a past has taken it (`tries`, `tried`), so only words that have an `i` themselves, in the singular (`taxi`, `taxis`),
 * have a stem in `-i`. Words in `-ye` keep their ending for the same reason: `Bayes` is no form of `bay`.
 */
import { stemmer } from 'stemmer';

const ENGLISH = /^[a-z]+$/;

const HAS_OWN_I = /i(?:s|ing)?$/;
const HAS_OWN_E = /([aeiou]ye)s?$/;

/** The stem of a folded word; a word that is not all English letters is its own stem. */
export function stem(word: string): string {
  if (!ENGLISH.test(word)) return word;
  if (HAS_OWN_E.test(word)) return word.replace(HAS_OWN_E, '$1');
  const stemmed = stemmer(word);
  return stemmed.endsWith('i') && !HAS_OWN_I.test(word) ? `${stemmed.slice(0, -1)}y` : stemmed;
}
