/** Builds the article records from `articles/*.txt`: the words come from the files, the rest from a fixed seed. */
import { join } from 'node:path';
import type { RandomChoices } from '../../test/support/random.js';
import { createRandom } from '../../test/support/random.js';
import type { ArticleText } from './text.js';
import { parseArticles } from './text.js';
import { readTexts } from './text-files.js';

export interface ArticleRecord {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly score: number;
  readonly comments: number;
  readonly author: string;
  /** ISO 8601 in UTC, to the second. */
  readonly date: string;
  readonly content: string;
  readonly tags?: readonly string[];
}

interface Draft {
  readonly text: ArticleText;
  readonly topic: string;
  readonly time: number;
}

const SEED = 20_190_107;
const FIRST_ID = 40_000_000;
const FIRST_DAY = Date.UTC(2019, 0, 1);
const LAST_DAY = Date.UTC(2026, 9, 31);
const DAY_MS = 86_400_000;
const MAX_SCORE = 2400;
const IS_ASCII_NAME = /^[a-z0-9-]+$/;

/** `directory` is the folder that holds `articles/`. Ids grow with the date; the order is a scrape's, not the ids'. */
export function buildArticles(directory: string): ArticleRecord[] {
  const random = createRandom(SEED);
  const drafts = readDrafts(join(directory, 'articles'), random).sort((a, b) => a.time - b.time);
  let id = FIRST_ID;
  const records = drafts.map((draft) => {
    id += random.integer(3, 40_000);
    return { record: toRecord(draft, id, random), place: draft.time + random.normal(0, 45 * DAY_MS) };
  });
  return records.sort((a, b) => b.place - a.place).map(({ record }) => record);
}

function readDrafts(directory: string, random: RandomChoices): Draft[] {
  return readTexts(directory).flatMap(({ name, file, text }) =>
    parseArticles(text, file).map((article) => ({ text: article, topic: name, time: randomTime(random) })),
  );
}

function randomTime(random: RandomChoices): number {
  return FIRST_DAY + 1000 * random.integer(0, (LAST_DAY - FIRST_DAY) / 1000);
}

function toRecord(draft: Draft, id: number, random: RandomChoices): ArticleRecord {
  const { title, author, tags, paragraphs } = draft.text;
  const date = new Date(draft.time).toISOString().replace('.000Z', 'Z');
  const url = `https://${randomSite(draft, date, random)}/${slug(title)}`;
  const score = randomScore(random);
  return {
    id,
    title,
    url,
    score,
    comments: randomComments(score, random),
    author,
    date,
    content: paragraphs.join('\n\n'),
    ...(tags.length > 0 && { tags }),
  };
}

/** Log-normal with a median of 22: about four in five are below 80, a few are far above. */
function randomScore(random: RandomChoices): number {
  return Math.min(MAX_SCORE, Math.max(1, Math.round(22 * Math.exp(random.normal(0, 1.5)))));
}

function randomComments(score: number, random: RandomChoices): number {
  return Math.floor(0.7 * score ** 0.9 * Math.exp(random.normal(-0.3, 0.8)));
}

/** The author's own site or one of the topic's. `.example` never resolves (RFC 2606, section 3). */
function randomSite({ text, topic }: Draft, date: string, random: RandomChoices): string {
  const person = slug(text.author);
  const site = IS_ASCII_NAME.test(person) ? person : `${topic}-letters`;
  return random.pick([
    `${site}.example`,
    `${site}.example/posts`,
    `${topic}-weekly.example/articles`,
    `the-${topic}-letter.example`,
    `notes-on-${topic}.example/${date.slice(0, 4)}/${date.slice(5, 7)}`,
  ]);
}

/** Latin letters lose their accents; other scripts stay, percent-encoded as in the links of real sites. */
function slug(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Variation_Selector}|[\u0300-\u036f'’]/gu, '')
    .normalize('NFC');
  const words = plain.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ['untitled'];
  return encodeURIComponent(words.join('-'));
}
