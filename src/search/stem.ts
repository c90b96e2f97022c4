/** Words to stems, so that `running` finds `runs`: Porter's algorithm (Porter 1980), for words it was made for. */
import { stemmer } from 'stemmer';

const ENGLISH = /^[a-z]{3,}$/;

/** The stem of a folded word; a word that is not all English letters is its own stem. */
export const stem = (word: string): string => (ENGLISH.test(word) ? stemmer(word) : word);
