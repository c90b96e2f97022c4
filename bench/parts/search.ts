/**
 * Search over 100,000 articles of 200 words, beside MiniSearch and SQLite FTS5 on the same records in the same run.
 * Every answer that is timed is checked first against the definition. Exit code 1 when a target is missed.
 * Needs `npm ci` in bench/ once, and about four minutes, most of them MiniSearch's.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { highlightOf } from '../../src/http/api/search-page.js';
import { createHighlighter } from '../../src/http/highlight/highlight.js';
import { collections } from '../../src/model.js';
import { EVERYTHING } from '../../src/query/query.js';
import { type OpenIndex, openIndex } from '../../src/search/index.js';
import { type TextOptions, USUAL } from '../../src/search/search.js';
import type { IndexTables } from '../../src/search/tables.js';
import { searchFields } from '../../src/store/documents.js';
import { parseRecord } from '../../src/store/record-values.js';
import { createSearchBuilder } from '../../test/support/search-builder.js';
import { type Article, FULL, makeVocabulary, writeArticles } from '../data.js';
import { readFlags } from '../flags.js';
import {
  bytesOf,
  heading,
  megabytes,
  ms,
  report,
  type Spread,
  type Target,
  table,
  time,
  timeEach,
  usedBytes,
} from '../measure.js';
import { readArticles } from '../neutral-dump.js';
import { naiveSearch } from './naive.js';
import { buildFts5, buildSecondEngine, type SearchEngine } from './search-peers.js';
import { asPrefix, hostileTexts, makeQueries, misspelt, numberTexts, titleOfBook } from './search-texts.js';

const [model] = collections;
const flags = readFlags({
  command: 'npm run bench -- search',
  description: 'Searches in process, beside MiniSearch and SQLite FTS5.',
  flags: { records: { value: 'N', description: `how many articles [${FULL.articles}]` } },
});
const articleCount = flags.count('records', FULL.articles);
const QUERIES = 1000;
const PEER_QUERIES = 150;
const CHECKED_QUERIES = 12;
/** Our queries are asked three times each, and the middle time counts. */
const ROUNDS = 3;
const HOSTILE_ROUNDS = 7;

const FIELDS = searchFields(model);

async function loadArticles(): Promise<Article[]> {
  const path = `.build/articles-${articleCount}-${FULL.seed}.json`;
  mkdirSync('.build', { recursive: true });
  if (!existsSync(path)) await writeArticles(path, { ...FULL, articles: articleCount });
  return [...readArticles(path)];
}

function buildTables(articles: readonly Article[]): IndexTables {
  const builder = createSearchBuilder(FIELDS);
  for (const { title, author, content, tags } of articles) builder.add([title, author, content, tags]);
  return builder.finishTables(Int32Array.from(articles, (_, row) => row));
}

function checkAnswers(index: OpenIndex, articles: readonly Article[], queries: readonly string[]): void {
  const sample = queries.slice(0, CHECKED_QUERIES).map((query) => `${query} `);
  naiveSearch(articles, sample, 20).forEach(({ total, best }, i) => {
    const hits = index.search(sample[i]!, 20, { ...USUAL, fuzzy: false });
    const wrong = best.findIndex(
      ({ row, score }, j) => row !== hits.rows[j] || Math.abs(score - hits.scores[j]!) > 1e-6,
    );
    if (hits.total !== total || wrong >= 0) throw new Error(`"${sample[i]}" is answered wrongly, from hit ${wrong} on`);
  });
  console.log(`${CHECKED_QUERIES} queries checked: rows, scores and totals are those of the definition`);
}

async function measurePeer(
  name: string,
  create: (articles: readonly Article[]) => SearchEngine,
  articles: readonly Article[],
  queries: readonly string[],
) {
  const before = await usedBytes();
  const built = time(() => create(articles));
  const bytes = (await usedBytes()) - before;
  for (const query of queries.slice(-10)) built.result.search(query);
  const spread = timeEach(queries.slice(0, PEER_QUERIES), (query) => built.result.search(query));
  return { name, ms: built.ms, bytes, spread };
}

const articles = await loadArticles();
const vocabulary = makeVocabulary(FULL.vocabulary, FULL.seed);
const queries = makeQueries(vocabulary, QUERIES);
console.log(`${heading()}\n${articles.length} articles of ${FULL.contentWords} words`);

/** An index is its tables, and their bytes are known; the text is not kept. */
const ownBuild = time(() => buildTables(articles));
const ownBytes = bytesOf(ownBuild.result);
const index = openIndex(ownBuild.result, FIELDS);
checkAnswers(index, articles, queries);

/** A space more each round makes it another text, so that nothing is remembered. */
const searchText = (text: string, round: number): number => index.search(' '.repeat(round) + text, 20).total;
for (const query of queries) searchText(query, ROUNDS);
const exact = timeEach(queries, searchText, ROUNDS);
const prefix = timeEach(queries.map(asPrefix), searchText, ROUNDS);
const spelling = timeEach(queries.map(misspelt), searchText, ROUNDS);

/** Records like one: the articles in turn, by their texts, each as often as its field weighs. */
const sampledArticles = Array.from({ length: QUERIES }, (_, i) => articles[(i * 7919) % articles.length]!);
const similar = timeEach(
  sampledArticles,
  ({ title, author, content, tags }) =>
    index.similar([{ text: title, weight: 3 }, ...[author, content, ...tags].map((text) => ({ text, weight: 1 }))], 11)
      .length,
  ROUNDS,
);

/** The first twenty records of each query, from their JSON text, as `highlight=1` tells them. */
const pages = queries.flatMap((text) => {
  const records = Array.from(index.search(text, 20).rows, (row) => Buffer.from(JSON.stringify(articles[row])));
  return records.length === 20 ? [{ text, records }] : [];
});
const highlights = timeEach(
  pages,
  ({ text, records }) => {
    const highlighter = createHighlighter(index, { ...EVERYTHING, text });
    const highlighted = records.map((record) => highlightOf(model, parseRecord(record), highlighter));
    return highlighted.filter(({ title, author, content, tags }) => title ?? author ?? content ?? tags).length;
  },
  ROUNDS,
);

const slowest = (some: OpenIndex, texts: readonly (readonly [string, string])[], options: TextOptions = USUAL) =>
  texts.map(([name, text]) => {
    const askSome = (asked: string, round: number): number => some.search(' '.repeat(round) + asked, 20, options).total;
    return { name, ms: timeEach([text], askSome, HOSTILE_ROUNDS).p50 };
  });

/** Titles, one a record. */
function indexOfTitles(titles: Iterable<string>): OpenIndex {
  const fields = [{ name: 'title', weight: 1 }];
  const builder = createSearchBuilder(fields);
  let count = 0;
  for (const title of titles) {
    builder.add([title]);
    count++;
  }
  return openIndex(builder.finishTables(new Int32Array(count).map((_, row) => row)), fields);
}

const books = articleCount * 10;
/** Titles with numbers, ten for each article; then a record of 300,000 words that holds all words of a query, among others. */
function* titlesOfBooks(): Generator<string> {
  for (let i = 0; i < books; i++) yield titleOfBook(i);
}
const commonWords = vocabulary.slice(0, 31);
const longRecord = Array.from({ length: 300_000 }, (_, i) => commonWords[(i * 7) % 31]).join(' ');
const threeLetters = Array.from({ length: 1000 }, (_, i) =>
  String.fromCharCode(...[i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100)].map((digit) => 97 + digit)),
);
const hostile = [
  ...slowest(index, hostileTexts(vocabulary)),
  ...slowest(indexOfTitles(titlesOfBooks()), numberTexts(books)),
  ...slowest(index, [['match=all: 1,000 words', vocabulary.slice(0, 1000).join(' ')]], { ...USUAL, match: 'all' }),
  ...slowest(indexOfTitles([longRecord, ...vocabulary]), [['31 words in a record of 300,000', commonWords.join(' ')]]),
  ...slowest(
    indexOfTitles(
      Array.from({ length: articleCount }, (_, i) =>
        (i % 50 === 0 ? threeLetters : threeLetters.slice(i % 900, (i % 900) + 20)).join(' '),
      ),
    ),
    [['match=all: 1,000 words that records hold', threeLetters.join(' ')]],
    { ...USUAL, match: 'all' },
  ),
];
console.log(table([['hostile text', 'p50'], ...hostile.map((text) => [text.name, ms(text.ms)])]));

const fts5 = await measurePeer('SQLite FTS5', buildFts5, articles, queries);
const mini = await measurePeer('MiniSearch', (some) => buildSecondEngine(FIELDS, some), articles, queries);

const figures = (name: string, buildMs: number, memory: string, { p50, p99, worst, count }: Spread): string[] => [
  name,
  ms(buildMs),
  memory,
  ms(p50),
  ms(p99),
  ms(worst),
  String(count),
];
console.log(
  table([
    ['', 'build', 'memory', 'p50', 'p99', 'worst', 'queries'],
    figures('ours', ownBuild.ms, megabytes(ownBytes), exact),
    figures('ours, prefix', ownBuild.ms, '', prefix),
    figures('ours, misspelt', ownBuild.ms, '', spelling),
    figures('ours, like an article', ownBuild.ms, '', similar),
    figures('ours, 20 records highlighted', ownBuild.ms, '', highlights),
    figures(fts5.name, fts5.ms, 'not in reach', fts5.spread),
    figures(mini.name, mini.ms, megabytes(mini.bytes), mini.spread),
  ]),
);

const atLeast = (what: string, ratio: number, wanted: number): Target => ({
  what,
  found: `${ratio.toFixed(1)} times`,
  wanted: `at least ${wanted}`,
  holds: ratio >= wanted,
});
const atMost = (what: string, ratio: number, wanted: number, unit: string): Target => ({
  what,
  found: `${ratio.toFixed(2)}${unit}`,
  wanted: `at most ${wanted}`,
  holds: ratio <= wanted,
});
report([
  atLeast('build, faster than MiniSearch', mini.ms / ownBuild.ms, 10),
  atLeast('build, faster than FTS5', fts5.ms / ownBuild.ms, 1),
  atLeast("memory, MiniSearch's of ours", mini.bytes / ownBytes, 10),
  atLeast('two words, p50, faster than MiniSearch', mini.spread.p50 / exact.p50, 300),
  atLeast('two words, p99, faster than MiniSearch', mini.spread.p99 / exact.p99, 200),
  atLeast('two words, p50, faster than FTS5', fts5.spread.p50 / exact.p50, 30),
  atMost('two words, worst of 1,000', exact.worst, 5, ' ms'),
  atMost('like an article, p99', similar.p99, 3, ' ms'),
  atMost('20 records highlighted, p99', highlights.p99, 3, ' ms'),
  atMost('hostile texts, the worst', Math.max(...hostile.map((text) => text.ms)), 50, ' ms'),
  atMost('prefix p50, times the exact one', prefix.p50 / exact.p50, 3, ' times'),
  atMost('misspelt p50, times the exact one', spelling.p50 / exact.p50, 3, ' times'),
]);
