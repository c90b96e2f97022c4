/** Words to stems, so that `running` finds `runs`, by Porter's algorithm: see `stem-kernel.ts`. */
import { createMemory } from '../wasm.js';
import { BEFORE_A, createStemKernel, STEM_MARGIN } from './stem-kernel.js';
import { MAX_WORD_UNITS } from './tokenize.js';

const ENGLISH = new RegExp(`^[a-z]{1,${MAX_WORD_UNITS}}$`);

const memory = createMemory(2 * STEM_MARGIN + MAX_WORD_UNITS);
const letters = new Uint8Array(memory.buffer, STEM_MARGIN, MAX_WORD_UNITS);
const kernel = createStemKernel(memory);

/** The stem of a folded word; a word that is not all English letters is its own stem. */
export function stem(word: string): string {
  if (!ENGLISH.test(word)) return word;
  for (let i = 0; i < word.length; i++) letters[i] = word.charCodeAt(i) - BEFORE_A;
  return String.fromCharCode(...letters.subarray(0, kernel.stem(word.length)).map((letter) => letter + BEFORE_A));
}
