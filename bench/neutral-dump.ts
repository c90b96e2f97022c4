/**
 * The dump that every peer is given: articles made from a seed, the same bytes on every machine. Words are drawn by Zipf's law.
 * No word is a part of another, none is changed by an English stemmer, and none is a stop word: so every engine, and a search
 * for parts of texts as well, must find the same records, and totals can be compared.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { capitalised } from '../src/http/markup/format.js';
import { below, type Random, seeded } from '../test/support/random.js';
import { type Article, zipf } from './data.js';

/** A word is a letter of the first row, syllables, and a letter of the last: `b-a-lo-re-k`. The rows share no letter. */
const FIRST = [...'bcdfghj'];
const INNER = [...'lnrtvwz'];
const LAST = [...'kmpx'];
const INNER_VOWELS = [...'aeiou'];
const VOCABULARY = 40_000;
const AUTHORS = 1000;
const WORDS_A_TEXT = 30;
const FROM_MS = Date.UTC(2020, 0, 1);

/** Distinct words, the most frequent first; these are the shorter ones. */
export function makeDistinctWords(count: number, random: Random): readonly string[] {
  const pick = (letters: readonly string[]): string => letters[below(random, letters.length)] ?? '';
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = words.size < 2000 ? 1 : 2;
    let word = pick(FIRST) + pick(INNER_VOWELS);
    for (let i = 0; i < syllables; i++) word += pick(INNER) + pick(INNER_VOWELS);
    words.add(word + pick(LAST));
  }
  return [...words];
}

/** Yields one article at a time, and holds none. */
export function* makeNeutralArticles(count: number): Generator<Article> {
  const random = seeded(48);
  const words = makeDistinctWords(VOCABULARY, random);
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
      content: `${capitalised(some(WORDS_A_TEXT))}.`,
      tags: Array.from({ length: below(random, 4) }, word),
    };
  }
}

/** All that is searched, as words between spaces; a bar stands between values. */
export const searchedText = ({ title, content, author, tags }: Article): string =>
  ` ${[title, content.replace('.', ''), author, ...tags].join(' | ').toLowerCase()} `;

interface DumpPaths {
  readonly json: string;
  readonly db?: string;
  readonly tsv?: string;
}

const PIECE_BYTES = 1 << 20;

/** As a JSON array with a record a line, as json-server's database, and as separated values for what reads no JSON. */
export function writeDumps(count: number, { json, db, tsv }: DumpPaths): void {
  const jsonLine = (article: Article): string => `${article.id === 1 ? '' : ',\n'}${JSON.stringify(article)}`;
  const tsvLine = ({ id, title, author, tags, content }: Article): string =>
    `${[id, title, author, tags.join(' '), content].join('\t')}\n`;
  const dumps = [
    createDump(json, '[\n', jsonLine, '\n]\n'),
    ...(db === undefined ? [] : [createDump(db, '{"articles":[\n', jsonLine, '\n]}\n')]),
    ...(tsv === undefined ? [] : [createDump(tsv, '', tsvLine, '')]),
  ];
  for (const article of makeNeutralArticles(count)) for (const dump of dumps) dump.add(article);
  for (const dump of dumps) dump.end();
}

function createDump(path: string, begin: string, lineOf: (article: Article) => string, end: string) {
  const file = openSync(path, 'w');
  let text = begin;
  return {
    add(article: Article) {
      text += lineOf(article);
      if (text.length < PIECE_BYTES) return;
      writeSync(file, text);
      text = '';
    },
    end() {
      writeSync(file, text + end);
      closeSync(file);
    },
  };
}

/** The articles of a JSON dump, one at a time: reading them takes a tenth of the time of making them. */
export function* readArticles(path: string): Generator<Article> {
  const file = openSync(path, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  let rest = '';
  for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
    const lines = (rest + piece.toString('latin1', 0, length)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) yield JSON.parse(line.replace(/,$/, ''));
  }
  closeSync(file);
}
