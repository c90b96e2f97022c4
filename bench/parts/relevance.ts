/**
 * Ranking quality on test collections with relevance judgments (BEIR layout): nDCG@10 with linear gains, as trec_eval
 * counts it, of our index and of MiniSearch's defaults on the same fields. `npm run bench -- relevance DIR`, where DIR
 * holds the collections. Exit code 1 when a target is missed.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { collections, type Field } from '../../src/model.js';
import { createSearchBuilder } from '../../test/support/search-builder.js';
import { readFlags } from '../flags.js';
import { heading, report, table } from '../measure.js';

interface Judged {
  readonly _id: string;
  readonly title?: string;
  readonly author?: string;
  readonly text: string;
}

/** The first k rows for a query. */
type Ranker = (query: string) => readonly number[];

// biome-ignore lint/suspicious/noApproximativeNumericConstant: a measured precision, not the logarithm of 2
const WANTED = { cacm: 0.535, cranfield: 0.389, medline: 0.693 } as const;

const lines = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

const fieldsOf = ({ title, author, text }: Judged) => ({
  title: title || '(untitled)',
  author: author ?? '',
  content: text,
});

const [articles] = collections;
/** The weight that the program gives to a field. */
function weightOf(name: string): number {
  const field: Field | undefined = articles.fields.find((one) => one.name === name);
  return field?.searchWeight ?? 0;
}

function ourRanker(documents: readonly Judged[]): Ranker {
  const builder = createSearchBuilder(['title', 'author', 'content'].map((name) => ({ name, weight: weightOf(name) })));
  for (const document of documents) builder.add(Object.values(fieldsOf(document)));
  const index = builder.finish(Int32Array.from(documents, (_, row) => row));
  return (query) => Array.from(index.search(query, 10).rows);
}

function miniSearchRanker(documents: readonly Judged[]): Ranker {
  const index = new MiniSearch({ fields: ['title', 'author', 'content'] });
  index.addAll(documents.map((document, id) => ({ id, ...fieldsOf(document) })));
  return (query) =>
    index
      .search(query)
      .slice(0, 10)
      .map(({ id }) => Number(id));
}

/** The nDCG@10 of a ranked list: its discounted gain, as a share of the gain of the best order. */
function ndcg(ranked: readonly number[], judged: readonly number[]): number {
  const gain = (grades: readonly number[]): number =>
    grades.slice(0, 10).reduce((sum, grade, i) => sum + Math.max(grade, 0) / Math.log2(i + 2), 0);
  const ideal = gain(judged.toSorted((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked) / ideal;
}

function gradesOf(directory: string): Map<string, Map<string, number>> {
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(join(directory, 'qrels/test.tsv')).slice(1)) {
    const [query = '', document = '', grade] = line.split('\t');
    grades.set(query, (grades.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return grades;
}

function score(directory: string, create: (documents: readonly Judged[]) => Ranker): number {
  const parse = (line: string): Judged => JSON.parse(line);
  const documents = lines(join(directory, 'corpus.jsonl')).map(parse);
  const rank = create(documents);
  const grades = gradesOf(directory);
  const scores: number[] = [];
  for (const { _id, text } of lines(join(directory, 'queries.jsonl')).map(parse)) {
    const judged = grades.get(String(_id));
    if (!judged || ![...judged.values()].some((grade) => grade > 0)) continue;
    const ranked = rank(text).map((row) => judged.get(String(documents[row]?._id)) ?? 0);
    scores.push(ndcg(ranked, [...judged.values()]));
  }
  return scores.reduce((sum, one) => sum + one, 0) / scores.length;
}

const flags = readFlags({
  command: 'npm run bench -- relevance',
  description: 'The quality of ranking on test collections with relevance judgments, beside MiniSearch.',
  flags: {},
  operand: '[DIR]',
  notes: 'DIR holds the collections cacm, cranfield and medline in the layout of BEIR [../shared/relevance].',
});
const [root = '../shared/relevance'] = flags.operands;
const results = Object.entries(WANTED).map(([name, wanted]) => {
  const directory = join(root, name);
  return { name, wanted, ours: score(directory, ourRanker), theirs: score(directory, miniSearchRanker) };
});
console.log(heading());
console.log(
  table([
    ['nDCG@10', 'ours', 'MiniSearch defaults'],
    ...results.map(({ name, ours, theirs }) => [name, ours.toFixed(4), theirs.toFixed(4)]),
  ]),
);
report(
  results.map(({ name, wanted, ours }) => ({
    what: name,
    found: ours.toFixed(4),
    wanted: `at least ${wanted}`,
    holds: ours >= wanted,
  })),
);
