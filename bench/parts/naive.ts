/** BM25F by its definition over all articles, for queries of two words: what the index's answers are checked against. */

import { IMPACT_STEPS } from '../../src/kernels/posting-layout.js';
import { collections } from '../../src/model.js';
import { PAIRED_ROWS } from '../../src/search/rank/ranker.js';
import { DEFAULT_RANKING, impactScale, PAIR_WEIGHT, scaledWeight } from '../../src/search/scoring.js';
import { stem } from '../../src/search/stem.js';
import { searchFields } from '../../src/store/documents.js';
import type { Article } from '../data.js';

interface Counted {
  readonly length: number;
  /** Per query: the weighted frequencies of its first word, its second, and both in a row. */
  readonly frequencies: readonly (readonly [number, number, number])[];
}

const stems = new Map<string, string>();
function stemOf(word: string): string {
  const knownStem = stems.get(word);
  if (knownStem !== undefined) return knownStem;
  const stemmed = stem(word);
  stems.set(word, stemmed);
  return stemmed;
}

const weights = new Map(searchFields(collections[0]).map(({ name, weight }) => [name, weight]));

const textsOf = ({ title, author, content, tags }: Article): readonly (readonly [number, string])[] =>
  Object.entries({ title, author, content, tags }).flatMap(([name, texts]) =>
    [texts].flat().map((text) => [weights.get(name) ?? 0, text] as const),
  );

function countWords(article: Article, queries: readonly (readonly [string, string])[]): Counted {
  const texts = textsOf(article).map(
    ([weight, text]) => [weight, (text.toLowerCase().match(/[a-z]+/g) ?? []).map(stemOf)] as const,
  );
  const frequencies = queries.map(([first, second]): [number, number, number] => {
    const sums: [number, number, number] = [0, 0, 0];
    for (const [weight, words] of texts) {
      words.forEach((word, i) => {
        if (word === first) sums[0] += weight;
        if (word === second) sums[1] += weight;
        if (word === first && words[i + 1] === second) sums[2] += weight;
      });
    }
    return sums;
  });
  return { length: texts.reduce((sum, [weight, words]) => sum + weight * words.length, 0), frequencies };
}

/** The best `k` rows of every query, and how many rows match. */
export function naiveSearch(articles: readonly Article[], texts: readonly string[], k: number) {
  const queries = texts.map((text) => text.trim().split(' ').map(stemOf)).map(([a = '', b = '']) => [a, b] as const);
  const counted = articles.map((article) => countWords(article, queries));
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / articles.length;
  return queries.map((words, query) => {
    const inRows = (word: 0 | 1): number => counted.filter(({ frequencies }) => frequencies[query]![word] > 0).length;
    const holders = [inRows(0), inRows(1)];
    const idf = holders.map((n) => Math.log(1 + (articles.length - n + 0.5) / (n + 0.5)));
    const { k1, b } = DEFAULT_RANKING;
    const isPair = words[0] !== words[1] && Math.min(...holders) > 0;
    const ofWords = idf.map((weight, i) => (holders[i] === 0 ? 0 : weight * (k1 + 1)));
    const weights = [...ofWords, isPair ? PAIR_WEIGHT * Math.min(...ofWords) : 0];
    const scale = impactScale(weights);
    const hits = counted.flatMap(({ length, frequencies }, row) => {
      const norm = k1 * (1 - b + (b * length) / mean);
      const [first, second, pair] = frequencies[query]!.map((f, i) => {
        const impact = f === 0 || weights[i] === 0 ? 0 : Math.max(1, Math.floor((IMPACT_STEPS * f) / (f + norm) + 0.5));
        return (scaledWeight(weights[i]!, scale) * impact) / scale / IMPACT_STEPS;
      });
      const score = (first ?? 0) + (second ?? 0);
      return score > 0 ? [{ row, score, pair: pair ?? 0 }] : [];
    });
    const bestFirst = (some: readonly { readonly row: number; readonly score: number }[]) =>
      some.toSorted((a, b) => b.score - a.score || a.row - b.row);
    const byWords = hits.toSorted((a, b) => b.score - a.score || a.row - b.row).slice(0, PAIRED_ROWS);
    const best = bestFirst(byWords.map(({ row, score, pair }) => ({ row, score: score + pair }))).slice(0, k);
    return { total: hits.length, best };
  });
}
