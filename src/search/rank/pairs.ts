/** Which words of a query are worth more where they stand together. */
import { PAIR_WEIGHT, termWeight } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import type { QueryTerm } from './expansion.js';
import { documentFrequency } from './posting-lists.js';
import type { Pair } from './proximity.js';

/** Words further apart in the query do not count as standing together. */
const MAX_PAIR_DISTANCE = 4;

/** A query keeps this many pairs of words: those that weigh most. */
const MAX_PAIRS = 64;
/**
 * Beyond so many postings together, each pair with those of its rarer word, only the pairs that weigh most count: it takes
 * some 0.1 µs to see whether a record of a hundred words has one. The first few always do.
 */
export const MAX_PAIR_POSTINGS = 1 << 18;
export const MIN_PAIRS = 4;

/** Neighbouring words, stop words left out, that are both scored, those that count most first; a word beside itself says nothing. */
export function pairsOf(tables: IndexTables, words: readonly QueryTerm[], scored: ReadonlySet<number>): Pair[] {
  const pairs = new Map<string, Pair>();
  for (let i = 1; i < words.length; i++) {
    const first = words[i - 1]!;
    const second = words[i]!;
    const distance = second.word.position - first.word.position;
    if (first.word.run < 0 || first.word.run !== second.word.run || distance > MAX_PAIR_DISTANCE) continue;
    if (!scored.has(first.term) || !scored.has(second.term) || first.term === second.term) continue;
    const frequency = Math.max(documentFrequency(tables, first.term), documentFrequency(tables, second.term));
    const weight = PAIR_WEIGHT * termWeight(tables, frequency);
    pairs.set(`${first.term} ${second.term} ${distance}`, { first: first.term, second: second.term, distance, weight });
  }
  const byWeight = [...pairs.values()].sort((a, b) => b.weight - a.weight);
  return withinBudget(tables, byWeight.slice(0, MAX_PAIRS));
}

function withinBudget(tables: IndexTables, pairs: readonly Pair[]): Pair[] {
  let postings = 0;
  return pairs.filter(({ first, second }, i) => {
    postings += Math.min(documentFrequency(tables, first), documentFrequency(tables, second));
    return i < MIN_PAIRS || postings <= MAX_PAIR_POSTINGS;
  });
}
