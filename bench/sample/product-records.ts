/** Builds the product records from `products/*.txt`: the words come from the files, the rest from a fixed seed. */
import { join } from 'node:path';
import type { RandomChoices } from '../../test/support/random.js';
import { createRandom } from '../../test/support/random.js';
import { drawCover } from './covers.js';
import type { BookText } from './text.js';
import { parseCategory } from './text.js';
import { readTexts } from './text-files.js';

/** Author, price and rating are left out where the scrape found none. */
export interface ProductRecord {
  readonly id: number;
  readonly title: string;
  readonly author?: string;
  readonly price?: number;
  readonly imageUrl: string;
  readonly rating?: number;
  readonly category: string;
  /** What no documented field holds: found fields. */
  readonly publisher: string;
  readonly pages?: number;
}

interface Draft extends BookText {
  readonly category: string;
}

const SEED = 19_840_229;
/** Publishers and pages have numbers of their own, so that they change no other value. */
const FOUND_SEED = 20_260_711;
const FIRST_ID = 1001;
const UNRATED_SHARE = 0.03;
const UNCOUNTED_SHARE = 0.05;
const PUBLISHERS = [
  'Kestrel & Finch',
  'Lantern House',
  'Ondine Verlag',
  'Harrow Lane',
  'Éditions du Phare',
  'Quarry Press',
  'Tern Books',
  'Vellum & Sons',
] as const;

/** `directory` is the folder that holds `products/`. Ids grow in snapshot order; the categories are mixed. */
export function buildProducts(directory: string): ProductRecord[] {
  const random = createRandom(SEED);
  const foundRandom = createRandom(FOUND_SEED);
  const publisherOf = new Map<string, string>();
  let next = FIRST_ID;
  return random.shuffle(readDrafts(join(directory, 'products'))).map((draft) => {
    const id = next;
    next += random.integer(1, 9);
    // An author stays with a publisher.
    const publisher = publisherOf.get(draft.author) ?? foundRandom.pick(PUBLISHERS);
    if (draft.author !== '') publisherOf.set(draft.author, publisher);
    const pages = foundRandom.chance(UNCOUNTED_SHARE) ? {} : { pages: randomPages(foundRandom) };
    return { ...toRecord(draft, id, random), publisher, ...pages };
  });
}

function readDrafts(directory: string): Draft[] {
  return readTexts(directory).flatMap(({ file, text }) => {
    const { category, books } = parseCategory(text, file);
    return books.map((book) => ({ ...book, category }));
  });
}

function toRecord(
  { title, author, price, category }: Draft,
  id: number,
  random: RandomChoices,
): Omit<ProductRecord, 'publisher' | 'pages'> {
  return {
    id,
    title,
    ...(author !== '' && { author }),
    ...(price !== '' && { price: Number(price) }),
    imageUrl: drawCover({ title, author, category }, id),
    ...(!random.chance(UNRATED_SHARE) && { rating: randomRating(random) }),
    category,
  };
}

/** Books have whole sheets of 16 pages. */
const randomPages = (random: RandomChoices): number => 16 * Math.max(2, Math.round(random.normal(18, 7)));

function randomRating(random: RandomChoices): number {
  const rating = Math.min(5, Math.max(2.6, random.normal(3.9, 0.45)));
  return Math.round(10 * rating) / 10;
}
