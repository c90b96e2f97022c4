/** Words to stems, so that `running` finds `runs`, by Porter's algorithm. */
import { stemmer } from 'stemmer';

const A = 'a'.charCodeAt(0);
const Z = 'z'.charCodeAt(0);

/** Whether a folded word of so many units is all letters of ASCII. */
export function isEnglish(units: ArrayLike<number>, length: number): boolean {
  for (let i = 0; i < length; i++) if (units[i]! < A || units[i]! > Z) return false;
  return true;
}

const ENGLISH = /^[a-z]+$/;

/** The stem of a folded word; a word that is not all English letters is its own stem. */
export const stem = (word: string): string => (ENGLISH.test(word) ? stemmer(word) : word);
