/**
 * Guesses which column feeds a field that no name gave one: the column's name holds one of the field's guess words, and
 * its values are what the field's values are. A wrong guess is worse than none, so every doubt is against it.
 */
import type { Field } from '../model.js';
import { readCell } from './values.js';

/** A column of the file's first records: its name, and its values that are not null. */
export interface Column {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** The words of a name, in lower case: `customerReviewAverage` has three. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Longer names are sentences: the first row of a file without column names. */
const MAX_WORDS = 5;
const MIN_FITTING_SHARE = 0.9;

/** How well a name matches the guess words of a field: 0 is best, undefined not at all. */
export function guessRank({ guess }: Field, name: string): number | undefined {
  if (guess === undefined || /^[@_]/.test(name)) return undefined;
  const words = wordsOf(name);
  if (words.length > MAX_WORDS || guess.none.some((word) => words.includes(word))) return undefined;
  const found = guess.any.findIndex((all) => all.split('+').every((word) => words.includes(word)));
  // Of several columns with the same word, the one with the shortest name says it most plainly.
  return found === -1 ? undefined : found * (MAX_WORDS + 1) + words.length;
}

/** The best column for a field, if one is good enough. */
export function guessColumn<T extends Column>(field: Field, columns: readonly T[], isCsv: boolean): T | undefined {
  const rankOf = ({ name }: T): number => guessRank(field, name) ?? Number.NaN;
  return columns
    .filter((column) => rankOf(column) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .find(({ values }) => valuesFit(field, values, isCsv));
}

function valuesFit(field: Field, values: readonly unknown[], isCsv: boolean): boolean {
  const read = values.map((value) => readCell(field, value, { isCsv, dateOrder: 'month first' }).value);
  const found = read.filter((value) => value !== null && value !== '');
  const filled = values.filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0));
  if (found.length === 0 || found.length < MIN_FITTING_SHARE * filled.length) return false;
  const fits = CHECKS[field.name];
  return fits === undefined || fits(found, values);
}

type Check = (read: readonly unknown[], raw: readonly unknown[]) => boolean;

const ADDRESS = /^(?:https?:)?\/\/|^\/[^/\s]/i;
const IMAGE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|\/(?:images?|img|covers?|photos?|media|thumb)/i;

const share = (values: readonly unknown[], test: (value: unknown) => boolean): number =>
  values.filter(test).length / values.length;
const most = (values: readonly unknown[], test: (value: unknown) => boolean): boolean =>
  share(values, test) >= MIN_FITTING_SHARE;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isProse = (value: unknown): boolean => /\p{L}/u.test(text(value)) && !ADDRESS.test(text(value));
const meanLength = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + text(value).length, 0) / values.length;
const distinct = (values: readonly unknown[]): number => new Set(values).size;
const isNumbers = (raw: readonly unknown[]): boolean => raw.some((value) => typeof value === 'number');

/** Above these many values a column that has one value only says nothing. */
const MIN_TELLING_VALUES = 5;

const CHECKS: Readonly<Record<string, Check>> = {
  title: (read, raw) =>
    !isNumbers(raw) && most(read, isProse) && meanLength(read) <= 250 && distinct(read) >= read.length / 2,
  author: (read, raw) => !isNumbers(raw) && most(read, isProse) && meanLength(read) <= 100,
  url: (read) => most(read, (value) => ADDRESS.test(text(value))) && !most(read, (value) => IMAGE.test(text(value))),
  imageUrl: (read) =>
    most(read, (value) => ADDRESS.test(text(value)) || IMAGE.test(text(value))) &&
    share(read, (value) => IMAGE.test(text(value)) || !/\.(?:html?|php)\b/.test(text(value))) >= MIN_FITTING_SHARE,
  content: (read, raw) => !isNumbers(raw) && most(read, isProse) && meanLength(read) >= 20,
  category: (read, raw) =>
    !isNumbers(raw) &&
    most(read, isProse) &&
    meanLength(read) <= 60 &&
    (read.length < MIN_TELLING_VALUES || (distinct(read) > 1 && distinct(read) <= 0.8 * read.length)),
  tags: (read, raw) => !raw.some((value) => typeof value === 'number') && most(read, hasShortTags),
  price: (read) => read.every((value) => Number(value) >= 0) && read.some((value) => Number(value) > 0),
  // Whole numbers above five are counts, or shares of a hundred.
  rating: (read) =>
    read.every((value) => Number(value) >= 0 && Number(value) <= 10) &&
    (read.some((value) => !Number.isInteger(value)) || read.every((value) => Number(value) <= 5)),
  score: (read, raw) =>
    raw.every((value) => typeof value === 'number' || /^-?[\d,.]+k?/i.test(text(value).trim())) && read.length > 0,
};

const hasShortTags = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((tag) => text(tag).length > 0 && text(tag).length <= 60 && !ADDRESS.test(text(tag)));
