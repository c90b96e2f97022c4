/**
 * The terms that tell most of some texts: rare ones among records, and those that the texts say again and again. Records
 * that share them are like the texts, more so than those that share the rarest terms alone (on the test collections of
 * `npm run bench -- relevance` a tenth to a seventh more of them belong together).
 */
import { inverseDocumentFrequency } from './scoring.js';
import type { WeightedText } from './search.js';
import { type Tokenizer, textOf } from './tokenizer.js';
import type { WordRules } from './word-rules.js';

const MAX_TELLING_TERMS = 32;
/** Beyond so many postings together, only the terms that tell most count; the first few always do. */
const MAX_POSTINGS = 1 << 16;
const MIN_TELLING_TERMS = 4;
/** Of a longer text its beginning counts: reading more takes longer than a search does. */
const MAX_TEXT_UNITS = 20_000;

export interface TellingTerm<Term> {
  readonly term: Term;
  /** How often it counts. */
  readonly weight: number;
}

/**
 * By tf · idf with a sublinear tf (Manning, Raghavan & Schütze, section 6.4.1). `frequencyOf` is how many of the documents have
 * a term: one that fewer than two have tells nothing of another.
 */
export function tellingTerms<Term>(
  times: ReadonlyMap<Term, number>,
  frequencyOf: (term: Term) => number,
  documents: number,
): readonly TellingTerm<Term>[] {
  const shared = Array.from(times, ([term, count]) => {
    const weight = 1 + Math.log(count);
    const frequency = frequencyOf(term);
    return { term, weight, frequency, told: weight * inverseDocumentFrequency(documents, frequency) };
  }).filter(({ frequency }) => frequency > 1);
  const telling = shared.sort((a, b) => b.told - a.told).slice(0, MAX_TELLING_TERMS);
  let postings = 0;
  return telling.filter(({ frequency }, i) => {
    if (i >= MIN_TELLING_TERMS && postings + frequency > MAX_POSTINGS) return false;
    postings += frequency;
    return true;
  });
}

/** How often texts say each term, each time as often as the text counts; stop words aside. */
export function countTerms<Term>(
  texts: readonly WeightedText[],
  { tokenizer, rules }: { readonly tokenizer: Tokenizer; readonly rules: WordRules },
  termOf: (word: string) => Term,
): ReadonlyMap<Term, number> {
  const times = new Map<Term, number>();
  for (const { text, weight } of texts) {
    const count = (units: Uint16Array, length: number): void => {
      const word = textOf(units, length);
      if (rules.isStopWord(word)) return;
      const term = termOf(word);
      times.set(term, (times.get(term) ?? 0) + weight);
    };
    tokenizer.tokenize(text.slice(0, MAX_TEXT_UNITS), { word: count, compound: count, tail() {} });
  }
  return times;
}
