/**
 * Guesses which column feeds a field that no name gave one: by the words of its name or by its values, which must be what the field's
 * values are in any case. A wrong guess is worse than none, so every doubt is against it.
 */
import type { Field } from '../model.js';
import { isRelativeDate, readDate } from './dates.js';
import { nameKey } from './names.js';
import { currencyIn, readPercentage, readSpelledNumber } from './numbers.js';
import { namedScale } from './scales.js';
import { isNullWord } from './texts.js';
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
/** Fewer records say nothing of a column. */
const MIN_TITLES = 3;

/** How well a name matches the guess words of a field: 0 is best, undefined not at all. */
export function guessRank({ guess }: Field, name: string): number | undefined {
  if (guess === undefined || /^[@_]/.test(name)) return undefined;
  const words = wordsOf(name);
  if (words.length > MAX_WORDS) return undefined;
  const any = guess.any.findIndex((all) => all.split('+').every((word) => words.includes(word)));
  // Of several columns with the same word, the one with the shortest name says it most plainly.
  if (any !== -1 && !holdsOneOf(words, guess.none)) return any * (MAX_WORDS + 1) + words.length;
  const named = nameRank(guess.names, name);
  return named === undefined ? undefined : guess.any.length * (MAX_WORDS + 1) + named;
}

const holdsOneOf = (words: readonly string[], none: readonly string[]): boolean =>
  none.some((word) => words.includes(word));

function nameRank(names: readonly string[] = [], name: string): number | undefined {
  const key = nameKey(name);
  const rank = names.findIndex((known) => nameKey(known) === key);
  return rank === -1 ? undefined : rank;
}

/** How columns are guessed, the surest first: by words of their names, by their values, by names that come last. */
export const GUESS_STAGES = ['words', 'values', 'last names'] as const;
export type GuessStage = (typeof GUESS_STAGES)[number];

/** The best column for a field, if one is good enough. `records`: how many the columns were taken from. */
export function guessColumn<T extends Column>(
  field: Field,
  columns: readonly T[],
  isCsv: boolean,
  stage: GuessStage = 'words',
  records = 0,
): T | undefined {
  if (stage === 'values')
    return columns.find((column) => mayBeByValues(field, column, records) && valuesFit(field, column.values, isCsv));
  const rankOf = ({ name }: T): number =>
    (stage === 'words' ? guessRank(field, name) : nameRank(field.guess?.lastNames, name)) ?? Number.NaN;
  return columns
    .filter((column) => rankOf(column) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .find(({ values }) => valuesFit(field, values, isCsv));
}

/** Whether a column's values are what the field's are, whatever its name. */
export const fits = (field: Field, { name, values }: Column, isCsv: boolean): boolean =>
  !/^[@_]/.test(name) && valuesFit(field, values, isCsv);

/** Names of columns that hold texts of their own and are no title. */
const NO_TITLE = new Set(
  'description desc summary text body content comment comments review note notes remark address city country state region location street zip phone email mail date time price currency sku code isbn ean upc mpn barcode status availability stock available unit material size color colour language lang type kind condition shipping delivery feature features bullet weight ingredients tag tags beschreibung kommentar adresse ort stadt land farbe marke hersteller verfügbar verfuegbar versand material'.split(
    ' ',
  ),
);

/** Whether a column's values alone say that it is a field's, and its name does not say otherwise. */
function mayBeByValues({ name, kind, role, guess }: Field, column: Column, records: number): boolean {
  const words = wordsOf(column.name);
  const isLast = nameRank(guess?.lastNames, column.name) !== undefined;
  if (isLast || /^[@_]/.test(column.name) || holdsOneOf(words, guess?.none ?? [])) return false;
  const texts = column.values.filter(
    (value) => value !== '' && !(typeof value === 'string' && isNullWord(value.trim())),
  );
  if (texts.length === 0 || !texts.every((value) => typeof value === 'string')) return false;
  if (name === 'title')
    return (
      records >= MIN_TITLES &&
      texts.length >= MIN_FITTING_SHARE * records &&
      !words.some((word) => NO_TITLE.has(word)) &&
      share(texts, isCode) < 0.5 &&
      share(texts, isMeasure) < 0.5
    );
  if (role === 'price')
    return most(texts, isMoney) || (most(texts, hasTwoDecimals) && texts.some((text) => amountOf(text) > 10));
  if (role === 'image') return most(texts, (text) => IMAGE_FILE.test(text) && ADDRESS.test(text));
  if (role === 'date') return most(texts, (text) => !/^[\d.]+$/.test(text));
  return kind === 'number' && most(texts, (text) => namedScale(text) !== undefined);
}

/** An address, or one token with a digit or a sign inside: `SKU-0001`, `978-3-16-148410-0`, `a@b.example`. */
export const isCode = (text: string): boolean =>
  ADDRESS.test(text) || (/^\S+$/.test(text) && (/\d/.test(text) || /[^\s][^\p{L}\p{M}\p{N}][^\s]/u.test(text)));
/** A number or a date, whatever its spelling. */
const isMeasure = (text: string): boolean =>
  readSpelledNumber(text) !== undefined || readPercentage(text) !== undefined || isDate(text) || isRelativeDate(text);
const isDate = (text: string): boolean => typeof readDate(text, 'month first') === 'object';
const isMoney = (text: string): boolean => currencyIn(text) !== undefined && readSpelledNumber(text) !== undefined;
const hasTwoDecimals = (text: string): boolean => /^\d+[.,]\d\d$/.test(text.trim());
const amountOf = (text: string): number => Number(text.trim().replace(',', '.'));

function valuesFit(field: Field, values: readonly unknown[], isCsv: boolean): boolean {
  const read = values.map((value) => readCell(field, value, { isCsv, dateOrder: 'month first' }).value);
  const found = read.filter((value) => value !== null && value !== '');
  const filled = values.filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0));
  if (found.length === 0 || found.length < MIN_FITTING_SHARE * filled.length) return false;
  const check = CHECKS[field.name];
  return check === undefined || check(found, values);
}

type Check = (read: readonly unknown[], raw: readonly unknown[]) => boolean;

/** An address that names a file of a picture. */
const IMAGE_FILE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#].*)?$/i;
const ADDRESS = /^(?:https?:)?\/\/|^\/[^/\s]/i;
const IMAGE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|\/(?:images?|img|covers?|photos?|media|thumb)/i;

const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.filter(test).length / values.length;
const most = <T>(values: readonly T[], test: (value: T) => boolean): boolean =>
  share(values, test) >= MIN_FITTING_SHARE;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isProse = (value: unknown): boolean => /\p{L}/u.test(text(value)) && !ADDRESS.test(text(value));
const meanLength = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + text(value).length, 0) / values.length;
const distinct = (values: readonly unknown[]): number => new Set(values).size;
const isNumbers = (raw: readonly unknown[]): boolean => raw.some((value) => typeof value === 'number');

/** What a record is, and no category of it. */
const RECORD_TYPES = /^(?:product|article|post|story|item|page|news|record)s?$|Item$/i;
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
    !most(read, (value) => RECORD_TYPES.test(text(value))) &&
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
