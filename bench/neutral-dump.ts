/**
 * The dump that every peer is given: articles made from a seed, the same bytes on every machine. Words are drawn by Zipf's law.
 * No word is a part of another, none is changed by an English stemmer, and none is a stop word: so every engine, and a search
 * for parts of texts as well, must find the same records, and totals can be compared.
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { capitalised } from '../src/http/markup/format.js';
import { below, type Random, seeded } from '../test/support/random.js';
import { type Article, zipf } from './data.js';

/** A word is a letter of the first row, syllables, and a letter of the last: `b-a-lo-re-k`. The rows share no letter. */
const FIRST = [...'bcdfghj'];
const INNER = [...'lnrtvwz'];
const LAST = [...'kmpx'];
const VOWELS = [...'aeiou'];
const VOCABULARY = 40_000;
const AUTHORS = 1000;
const CONTENT_WORDS = 30;
const FROM_MS = Date.UTC(2020, 0, 1);

/** Distinct words, the most frequent first; these are the shorter ones. */
export function makeWords(count: number, random: Random): readonly string[] {
  const pick = (letters: readonly string[]): string => letters[below(random, letters.length)] ?? '';
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = words.size < 2000 ? 1 : 2;
    let word = pick(FIRST) + pick(VOWELS);
    for (let i = 0; i < syllables; i++) word += pick(INNER) + pick(VOWELS);
    words.add(word + pick(LAST));
  }
  return [...words];
}

/** Yields one article at a time, and holds none. */
export function* makeArticles(count: number): Generator<Article> {
  const random = seeded(48);
  const words = makeWords(VOCABULARY, random);
  const draw = zipf(VOCABULARY);
  const word = (): string => words[draw(random)] ?? '';
  const some = (length: number): string => Array.from({ length }, word).join(' ');
  const authors = Array.from({ length: AUTHORS }, () => `${word()} ${word()}`);
  for (let id = 1; id <= count; id++) {
    yield {
      id,
      title: capitalised(some(4 + below(random, 6))),
      url: `https://example.org/${id}`,
      score: Math.floor(5000 * random() ** 3),
      comments: below(random, 300),
      author: authors[below(random, AUTHORS)] ?? '',
      date: new Date(FROM_MS + below(random, 2e8) * 1000).toISOString().replace('.000', ''),
      content: `${capitalised(some(CONTENT_WORDS))}.`,
      tags: Array.from({ length: below(random, 4) }, word),
    };
  }
}

/** All that is searched, as words between spaces; a bar stands between values. */
export const searchedText = ({ title, content, author, tags }: Article): string =>
  ` ${[title, content.replace('.', ''), author, ...tags].join(' | ').toLowerCase()} `;

/** As a JSON array with a record a line, as json-server's database, and as separated values for what reads no JSON. */
export async function writeDumps(
  count: number,
  paths: { readonly json: string; readonly db?: string; readonly tsv?: string },
): Promise<void> {
  const write = (path: string, begin: string, line: (article: Article, i: number) => string, end: string) =>
    pipeline(function* () {
      let text = begin;
      let i = 0;
      for (const article of makeArticles(count)) {
        text += line(article, i++);
        if (i % 1000 !== 0) continue;
        yield text;
        text = '';
      }
      yield text + end;
    }, createWriteStream(path));
  const json = (article: Article, i: number): string => `${i === 0 ? '' : ',\n'}${JSON.stringify(article)}`;
  await write(paths.json, '[\n', json, '\n]\n');
  if (paths.db !== undefined) await write(paths.db, '{"articles":[\n', json, '\n]}\n');
  const tsv = ({ id, title, author, tags, content }: Article): string =>
    `${[id, title, author, tags.join(' '), content].join('\t')}\n`;
  if (paths.tsv !== undefined) await write(paths.tsv, '', tsv, '');
}
