/**
 * Seeded dumps for the load bench, written once and kept: the same name, count and seed give the same bytes.
 * Articles have some 200 words of text with quotes, line breaks and a few letters outside ASCII; in prose one word of ten
 * is a number, or tied to others, as in texts that people write; products are short.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { seeded } from '../test/support/random.js';

export interface DumpPlan {
  readonly path: string;
  readonly kind: 'articles' | 'prose' | 'products';
  /** Records are added until the file holds this much. */
  readonly minBytes?: number;
  readonly records?: number;
}

const SYLLABLES = 'ka lo mi ren ta sol ver ny pe dra gon is tu fal mer chi do ra bel un'.split(' ');

function makeWords(random: () => number, size: number): readonly string[] {
  const word = () => {
    let text = '';
    for (let left = 1 + Math.floor(random() * 3); left >= 0; left--)
      text += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    return text;
  };
  return Array.from({ length: size }, word);
}

function createMaker(seed: number) {
  const random = seeded(seed);
  const words = makeWords(random, 20_000);
  // Squaring makes some words much more frequent than others.
  const word = () => words[Math.floor(random() ** 2 * words.length)] ?? '';
  const sentence = (length: number) => Array.from({ length }, word).join(' ');
  const paragraphs = (some: (length: number) => string) =>
    Array.from({ length: 4 }, () => `${some(35)}, "${some(4)}" – ${some(10)}.`).join('\n\n');
  const number = () => Math.floor(random() ** 3 * 3000);
  /** A word inside of a compound: few words make up most compounds, as in real texts. */
  const frequentWord = () => words[Math.floor(random() ** 6 * words.length)] ?? '';
  const compounds = [
    () => `${number()}`,
    () => `${frequentWord()}-${frequentWord()}`,
    () => `${word()}’s`,
    () => "don't",
    () => `https://${frequentWord()}.org/${word()}/${number()}`,
    () => `v${number() % 9}.${number() % 9}`,
    () => `(${word()}é)`,
  ];
  const written = (length: number) =>
    Array.from({ length }, () =>
      random() < 0.1 ? compounds[Math.floor(random() * compounds.length)]?.() : word(),
    ).join(' ');
  const date = () => new Date(1.2e12 + Math.floor(random() * 5e8) * 1000).toISOString().replace('.000', '');
  const article = (some: (length: number) => string) => (id: number) => ({
    id,
    title: sentence(7),
    url: `https://example.org/${id}/${word()}`,
    score: Math.floor(random() * 500),
    comments: Math.floor(random() * 90),
    author: word(),
    date: date(),
    content: paragraphs(some),
    tags: [word(), word()],
  });
  return {
    articles: article(sentence),
    prose: article(written),
    products: (id: number) => ({
      id,
      title: sentence(4),
      author: `${word()} ${word()}`,
      price: Math.floor(random() * 10_000) / 100,
      imageUrl: `https://example.org/i/${id}.jpg`,
      rating: Math.floor(random() * 11) / 2,
      category: word(),
    }),
  };
}

export function writeDump({ path, kind, minBytes = 0, records = 0 }: DumpPlan): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const make = createMaker(1)[kind];
  const file = openSync(`${path}.part`, 'w');
  let written = writeSync(file, '[\n');
  let lines: string[] = [];
  for (let id = 1; id <= records || written < minBytes; id++) {
    lines.push(`${id === 1 ? '' : ',\n'}${JSON.stringify(make(id))}`);
    if (lines.length === 1000) {
      written += writeSync(file, lines.join(''));
      lines = [];
    }
  }
  writeSync(file, `${lines.join('')}\n]\n`);
  closeSync(file);
  renameSync(`${path}.part`, path);
}
