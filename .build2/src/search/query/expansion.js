/** One query word to terms: the word itself, else what is tolerated in its place. */
import { editsAllowed, find, nearestWords, wordsWithPrefix } from '../dictionary.js';
import { stem } from '../stem.js';
import { documentFrequency } from './posting-lists.js';
/** A prefix stands for at most this many words, those that most records hold. */
export const MAX_EXPANSIONS = 1000;
/** The term of a word in just this form, or of its stem; -1 if no record has it. */
export function exactTerm(tables, word) {
    const at = find(tables.words, word);
    const term = at < 0 ? termOfStem(tables, stem(word)) : tables.words.terms[at];
    return term >= 0 && documentFrequency(tables, term) > 0 ? term : -1;
}
function termOfStem(tables, stemmed) {
    const at = find(tables.stems, stemmed);
    return at < 0 ? -1 : tables.stems.terms[at];
}
/** Distinct terms in use of some words, in the words' order. */
export function termsInUse(tables, words) {
    const terms = new Set();
    for (const word of words)
        addInUse(tables, word, terms);
    return [...terms];
}
function addInUse(tables, word, terms) {
    const term = tables.words.terms[word];
    if (documentFrequency(tables, term) > 0)
        terms.add(term);
}
/** The terms of words that begin with `prefix`, but for `except`; the most frequent ones if there are too many. */
export function prefixTerms(tables, prefix, except) {
    const { from, to } = wordsWithPrefix(tables.words, prefix);
    const terms = new Set();
    for (let word = from; word < to; word++)
        addInUse(tables, word, terms);
    terms.delete(except);
    return terms.size <= MAX_EXPANSIONS ? [...terms] : mostFrequent(tables, terms);
}
/** Sorted as numbers, which takes a third of the time of comparing them. */
function mostFrequent(tables, terms) {
    const count = tables.documentFrequencies.length;
    const keys = Float64Array.from(terms, (term) => term - documentFrequency(tables, term) * count).sort();
    return Array.from(keys.subarray(0, MAX_EXPANSIONS), (key) => ((key % count) + count) % count);
}
/** The nearest spellings of a word that the dictionary lacks. */
export const spellings = (tables, word) => nearestWords(tables, word, editsAllowed(word.length));
export const hasPrefix = (tables, prefix) => {
    const { from, to } = wordsWithPrefix(tables.words, prefix);
    return to > from;
};
