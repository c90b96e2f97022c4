/**
 * Articles as a scraper might have left them, made from a seed: 200 words of content drawn from a vocabulary whose
 * frequencies follow Zipf's law (p proportional to 1 / (rank + 2.7), Mandelbrot's form), word lengths like English
 * ones (frequent words are short), endings that a stemmer takes off. One article at a time: nothing is held.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { capitalised } from '../src/http/markup/format.js';
import { below, type Random, seeded } from '../test/support/random.js';

export interface Article {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly score: number;
  readonly comments: number;
  readonly author: string;
  readonly date: string;
  readonly content: string;
  readonly tags: readonly string[];
}

export interface DataSettings {
  readonly articles: number;
  readonly contentWords: number;
  readonly vocabulary: number;
  readonly seed: number;
}

export const FULL: DataSettings = { articles: 100_000, contentWords: 200, vocabulary: 80_000, seed: 2 };

const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
].concat(['s', 'sh', 'sk', 'st', 't', 'th', 'tr', 'v', 'w', 'z']);
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ee', 'io', 'ou'];
const CODAS = ['', '', '', 'l', 'm', 'n', 'nt', 'r', 'rd', 's', 'st', 't'];
const ENDINGS = ['', '', '', '', 'ly', 'er', 'ation'];
const FORMS = ['s', 'ed', 'ing'];
/** The share of words that are forms of others: about half of all tokens then share a stem with another form, as in English. */
const FORM_SHARE = 0.4;
/** A form belongs to one of the latest stems, which are about as frequent as the form. */
const RECENT_STEMS = 200;

/** Distinct words, the most frequent first. */
export function makeVocabulary(size: number, seed: number): string[] {
  const random = seeded(seed);
  const pick = (from: readonly string[]): string => from[below(random, from.length)]!;
  const words = new Set<string>();
  const stems: string[] = [];
  while (words.size < size) {
    if (stems.length > 20 && random() < FORM_SHARE) {
      words.add(stems[stems.length - 1 - below(random, Math.min(stems.length, RECENT_STEMS))]! + pick(FORMS));
      continue;
    }
    // 1 syllable for the first words, 2 to 4 for the thousandth and later.
    const syllables = 1 + Math.min(3, Math.floor(Math.log10(1 + words.size) * (0.3 + 0.6 * random())));
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(ONSETS) + pick(VOWELS) + (random() < 0.4 ? pick(CODAS) : '');
    stems.push(word);
    words.add(words.size < 100 ? word : word + pick(ENDINGS));
  }
  return [...words];
}

/** Draws ranks by Zipf's law: the cumulative distribution, inverted once into a table of four million draws. */
export function zipf(size: number): (random: Random) => number {
  const draws = 1 << 22;
  let total = 0;
  for (let rank = 0; rank < size; rank++) total += 1 / (rank + 2.7);
  const table = new Uint32Array(draws);
  let sum = 0;
  let at = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 2.7) / total;
    for (const end = Math.min(draws, Math.round(sum * draws)); at < end; at++) table[at] = rank;
  }
  return (random) => table[below(random, draws)]!;
}

export function* makeArticles(settings: DataSettings): Generator<Article> {
  const { vocabulary, seed } = settings;
  const words = makeVocabulary(vocabulary, seed);
  const draw = zipf(vocabulary);
  const random = seeded(seed + 1);
  const some = (count: number): string[] => Array.from({ length: count }, () => words[draw(random)]!);
  for (let i = 0; i < settings.articles; i++) {
    yield {
      id: i + 1,
      title: capitalised(some(4 + below(random, 8)).join(' ')),
      url: `https://example.org/${i + 1}/${some(3).join('-')}`,
      score: Math.floor(1 / (random() + 0.001)),
      comments: below(random, 300),
      author: some(1)[0]!,
      date: new Date(1.4e12 + below(random, 3e8) * 1000).toISOString().replace('.000', ''),
      content: sentences(some(settings.contentWords), random),
      tags: some(below(random, 4)),
    };
  }
}

function sentences(words: readonly string[], random: Random): string {
  let text = '';
  let begins = true;
  for (const word of words) {
    text += begins ? capitalised(word) : word;
    const ends = random();
    begins = ends < 0.07;
    text += begins ? '. ' : ends < 0.14 ? ', ' : ' ';
  }
  return text.trimEnd();
}

/** Writes the articles as one JSON array, a record a line. */
export async function writeArticles(path: string, settings: DataSettings): Promise<void> {
  const file = createWriteStream(path);
  let separator = '[\n';
  for (const article of makeArticles(settings)) {
    if (!file.write(separator + JSON.stringify(article))) await once(file, 'drain');
    separator = ',\n';
  }
  file.end('\n]\n');
  await once(file, 'finish');
}
