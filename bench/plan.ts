/**
 * What every peer is asked, and what is right: made once for a size of the dump, by the most obvious means (a scan of all
 * records for each checked request). Peers translate requests into addresses, or calls, of their own.
 */

import { below, createRandom, type Random, seeded } from '../test/support/random.js';
import type { Article } from './data.js';
import { makeNeutralArticles, searchedText } from './neutral-dump.js';

export type Request =
  | {
      readonly type: 'list';
      readonly page: number;
      readonly limit: number;
      readonly sort?: 'score';
      readonly minScore?: number;
    }
  | { readonly type: 'detail'; readonly id: number }
  | { readonly type: 'facets'; readonly minScore: number; readonly limit: number }
  | {
      readonly type: 'search';
      readonly words: readonly string[];
      readonly match: 'any' | 'all' | 'phrase';
      /** Whether near spellings are searched as well. */
      readonly isTolerant: boolean;
    }
  | { readonly type: 'export' };

/** Properties that a right answer has; an undefined one is not compared. */
export interface Expected {
  readonly total?: number;
  /** The first ids, in order. */
  readonly ids?: readonly number[];
  /** Ids of which one at least must be in the answer. */
  readonly oneOf?: readonly number[];
  /** The greatest counts. */
  readonly counts?: readonly number[];
}

export interface PlannedTask {
  readonly name: TaskName;
  readonly requests: readonly Request[];
  /** Properties of the answers to the first requests, in their order. */
  readonly expected: readonly Expected[];
}

export interface Plan {
  readonly records: number;
  readonly tasks: readonly PlannedTask[];
  /** Lists, details and searches in turn, each another one. */
  readonly mix: readonly Request[];
}

export const TASKS = [
  'list',
  'deep page',
  'sorted page',
  'detail',
  'filter',
  'facets',
  'rare word',
  'common word',
  'two words, either',
  'two words, both',
  'phrase',
  'misspelt',
  'no such word',
  'export',
] as const;
export type TaskName = (typeof TASKS)[number];
export const SEARCHES: readonly TaskName[] = TASKS.slice(6, 13);

const LIMIT = 20;
const TASK_REQUESTS = 1200;
const CHECKED_REQUESTS = 3;
const COMMON = 50;
/** Letters of a word that is rare enough, and long enough to be misspelt. */
const LONGEST = 7;
/** The number of records whose words are searched for, and of those whose words are counted. */
const SAMPLED_RECORDS = 4000;
const COUNTED_RECORDS = 20_000;

const searchOf = (match: 'any' | 'all' | 'phrase', words: readonly string[], isTolerant = false): Request => ({
  type: 'search',
  match,
  words,
  isTolerant,
});

/** `articles` gives those of the dump, twice. */
export function makePlan(
  records: number,
  articles: () => Iterable<Article> = () => makeNeutralArticles(records),
): Plan {
  const random = seeded(records);
  const countedEvery = Math.ceil(records / COUNTED_RECORDS);
  const scores = new Int32Array(records);
  const frequencies = new Map<string, number>();
  const sampled: string[][] = [];
  for (const article of articles()) {
    scores[article.id - 1] = article.score;
    if (article.id % countedEvery !== 0) continue;
    const words = searchedText(article).trim().split(' ');
    for (const word of new Set(words)) if (word !== '|') frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    if (sampled.length < SAMPLED_RECORDS && (article.id * SAMPLED_RECORDS) % records < SAMPLED_RECORDS)
      sampled.push(words);
  }
  const requests = requestsOf(records, frequencies, sampled, random);
  const bySort = Array.from(scores.keys()).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0) || a - b);
  const checked = Object.entries(requests).map(([name, all]) => ({ name: name as TaskName, all }));
  const judges = checked.map(({ all }) =>
    all.slice(0, CHECKED_REQUESTS).map((request) => judgeOf(request, records, bySort)),
  );
  for (const article of articles()) {
    const text = searchedText(article);
    for (const some of judges) for (const judge of some) judge.see(article, text);
  }
  return {
    records,
    tasks: checked.map(({ name, all }, i) => ({
      name,
      requests: all,
      expected: (judges[i] ?? []).map((judge) => judge.expected()),
    })),
    mix: requests['deep page']
      .slice(CHECKED_REQUESTS)
      .flatMap((list, i) => [list, requests.detail.at(-1 - i), requests['two words, either'].at(-1 - i)])
      .filter((request) => request !== undefined),
  };
}

function requestsOf(
  records: number,
  frequencies: ReadonlyMap<string, number>,
  sampled: readonly (readonly string[])[],
  random: Random,
): Readonly<Record<TaskName, readonly Request[]>> {
  const pages = Math.max(1, Math.floor(records / LIMIT));
  const several = <T>(make: (i: number) => T | null): readonly T[] => {
    const distinct = new Map<string, T>();
    for (let i = 0; i < 4 * TASK_REQUESTS && distinct.size < TASK_REQUESTS; i++) {
      const item = make(i);
      if (item !== null) distinct.set(JSON.stringify(item), item);
    }
    // Every beginning of a task's requests is a sample of all: slow peers are asked fewer of them.
    return createRandom(records).shuffle([...distinct.values()]);
  };
  const list = (from: number, more: () => object = () => ({})): readonly Request[] =>
    several(() => ({
      type: 'list' as const,
      page: 1 + from + below(random, Math.max(1, pages - from)),
      limit: LIMIT + below(random, 5),
      ...more(),
    }));
  const pickOf = (words: readonly string[]): string => words[below(random, words.length)] ?? '';
  const sampledWords = [...new Set(sampled.flat())].filter((word) => word !== '|');
  const frequencyOf = (word: string): number => frequencies.get(word) ?? 0;
  const byFrequency = sampledWords.toSorted((a, b) => frequencyOf(b) - frequencyOf(a) || (a < b ? -1 : 1));
  const common = byFrequency.slice(0, COMMON);
  const rare = byFrequency.filter((word) => word.length === LONGEST).slice(-TASK_REQUESTS);
  /** A word of any frequency: its rank is drawn evenly from the logarithms. */
  const anyWord = (): string => byFrequency[Math.floor(byFrequency.length ** random()) - 1] ?? '';
  const pair = (): readonly string[] | null => {
    const [one, other] = [anyWord(), anyWord()];
    return one === other ? null : [one, other];
  };
  const pairs = (match: 'any' | 'all'): readonly Request[] =>
    several(() => {
      const words = pair();
      return words && searchOf(match, words);
    });
  return {
    list: list(0),
    'deep page': list(Math.floor(pages * 0.75)),
    'sorted page': list(0, () => ({ sort: 'score' })),
    detail: several(() => ({ type: 'detail' as const, id: 1 + below(random, records) })),
    filter: several(() => ({
      type: 'list' as const,
      page: 1 + below(random, 3),
      limit: LIMIT,
      minScore: below(random, 4000),
    })),
    facets: several(() => ({ type: 'facets' as const, minScore: below(random, 4000), limit: LIMIT })),
    'rare word': several((i) => (i < rare.length ? searchOf('any', [rare[i] ?? '']) : null)),
    'common word': several((i) => (i < common.length ? searchOf('any', [common[i] ?? '']) : null)),
    'two words, either': pairs('any'),
    'two words, both': pairs('all'),
    phrase: several(() => {
      const words = sampled[below(random, sampled.length)] ?? [];
      const at = below(random, words.length - 1);
      const phrase = words.slice(at, at + 2);
      return phrase.length < 2 || phrase.includes('|') ? null : searchOf('phrase', phrase);
    }),
    misspelt: several((i) => {
      const word = withWrongVowel(rare[i] ?? '', random);
      return word === '' || frequencies.has(word) ? null : searchOf('any', [word], true);
    }),
    'no such word': several(() =>
      searchOf('any', [Array.from({ length: 14 }, () => pickOf([...'qsy'])).join('')], true),
    ),
    export: [{ type: 'export' }],
  };
}

/** `balorek` → `baloryk`: a vowel inside becomes a letter that no word has. */
function withWrongVowel(word: string, random: Random): string {
  const vowels = [...word].flatMap((letter, i) => (i > 1 && 'aeiou'.includes(letter) ? [i] : []));
  const at = vowels[below(random, vowels.length)];
  return at === undefined ? '' : `${word.slice(0, at)}y${word.slice(at + 1)}`;
}

interface Judge {
  see(article: Article, text: string): void;
  expected(): Expected;
}

/** Looks at every record, in order, and says what the right answer is. */
function judgeOf(request: Request, records: number, bySort: readonly number[]): Judge {
  if (request.type === 'list' && request.minScore === undefined) {
    const from = (request.page - 1) * request.limit;
    const ids = Array.from({ length: Math.max(0, Math.min(request.limit, records - from)) }, (_, i) =>
      request.sort === undefined ? from + i + 1 : (bySort[from + i] ?? 0) + 1,
    );
    return { see() {}, expected: () => ({ total: records, ids }) };
  }
  if (request.type === 'detail') return { see() {}, expected: () => ({ ids: [request.id] }) };
  if (request.type === 'export') return { see() {}, expected: () => ({ total: records }) };
  if (request.type === 'facets') {
    const counts = new Map<string, number>();
    return {
      see({ score, author }) {
        if (score >= request.minScore) counts.set(author, (counts.get(author) ?? 0) + 1);
      },
      expected: () => ({ counts: [...counts.values()].sort((a, b) => b - a).slice(0, request.limit) }),
    };
  }
  const ids: number[] = [];
  const matchesText = request.type === 'search' ? matcherOf(request) : null;
  const minScore = request.type === 'list' ? (request.minScore ?? 0) : 0;
  return {
    see({ id, score }, text) {
      if (matchesText === null ? score >= minScore : matchesText(text)) ids.push(id);
    },
    expected() {
      if (request.type === 'list') {
        const from = (request.page - 1) * request.limit;
        return { total: ids.length, ids: ids.slice(from, from + request.limit) };
      }
      return request.isTolerant && ids.length > 0 ? { oneOf: ids } : { total: ids.length };
    },
  };
}

/** A test of a record's searched text. */
function matcherOf({ words, match, isTolerant }: Request & { type: 'search' }): (text: string) => boolean {
  const contains = (words: string) => (text: string) => text.includes(words);
  if (match === 'phrase') return contains(` ${words.join(' ')} `);
  // The right word is what was misspelt: `y` stands for any vowel, and no word has one.
  const spelling = (word: string) => {
    const pattern = new RegExp(` ${word.replace('y', '[aeiou]')} `);
    return (text: string) => pattern.test(text);
  };
  const tests = words.map((word) => (isTolerant ? spelling(word) : contains(` ${word} `)));
  return match === 'all' ? (text) => tests.every((test) => test(text)) : (text) => tests.some((test) => test(text));
}
