/**
 * The significant terms of some texts: terms that few records hold, and terms that the texts repeat. Records that share them
 * are like the texts. On the test collections of `npm run bench -- relevance` they find 10 to 14 % more related records than the
 * rarest terms alone.
 */
import { inverseDocumentFrequency } from './scoring.js';
import type { WeightedText } from './search.js';
import { stringOf, type Tokenizer } from './tokenizer.js';
import type { WordRules } from './word-rules.js';

const MAX_SIGNIFICANT_TERMS = 32;
/** The terms' postings together; further terms are left out, but never the first four. */
const MAX_POSTINGS = 1 << 16;
const MIN_SIGNIFICANT_TERMS = 4;
/** Only the beginning of a longer text counts: to read all of it would take longer than the search. */
const MAX_TEXT_UNITS = 20_000;

interface SignificantTerm<Term> {
  readonly term: Term;
  /** How often it counts. */
  readonly weight: number;
}

/**
 * The terms of greatest tf · idf, with a sublinear tf (Manning, Raghavan & Schütze, section 6.4.1). `frequencyOf` is the document
 * frequency. A term that a single document holds cannot lead to another one, and is left out.
 */
export function significantTerms<Term>(
  frequencies: ReadonlyMap<Term, number>,
  frequencyOf: (term: Term) => number,
  documents: number,
): readonly SignificantTerm<Term>[] {
  const shared = Array.from(frequencies, ([term, count]) => {
    const weight = 1 + Math.log(count);
    const frequency = frequencyOf(term);
    return { term, weight, frequency, score: weight * inverseDocumentFrequency(documents, frequency) };
  }).filter(({ frequency }) => frequency > 1);
  const significant = shared.sort((a, b) => b.score - a.score).slice(0, MAX_SIGNIFICANT_TERMS);
  let postings = 0;
  return significant.filter(({ frequency }, i) => {
    if (i >= MIN_SIGNIFICANT_TERMS && postings + frequency > MAX_POSTINGS) return false;
    postings += frequency;
    return true;
  });
}

/** The frequency of each term in the texts, weighted by text; stop words are left out. */
export function countTerms<Term>(
  texts: readonly WeightedText[],
  { tokenizer, rules }: { readonly tokenizer: Tokenizer; readonly rules: WordRules },
  termOf: (word: string) => Term,
): ReadonlyMap<Term, number> {
  const frequencies = new Map<Term, number>();
  for (const { text, weight } of texts) {
    const count = (units: Uint16Array, length: number): void => {
      const word = stringOf(units, length);
      if (rules.isStopWord(word)) return;
      const term = termOf(word);
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
    };
    tokenizer.tokenize(text.slice(0, MAX_TEXT_UNITS), { word: count, compound: count, tail() {} });
  }
  return frequencies;
}
