/**
 * Guesses the column of a field that no name feeds: by the words of a column's name, or by its values, which must fit the field in
 * either case. A wrong guess is worse than none, so every doubt is against it.
 */

import type { Field, FieldRole } from '../../model.js';
import { words } from '../../text.js';
import { factOf, factsOf } from '../profile/facts.js';
import type { SampledColumn } from '../profile/sampled-columns.js';
import { isRelativeDate, readDate } from '../values/dates.js';
import { readMeasure } from '../values/measures.js';
import { areMoney, namedScale, readPercentage, readSpelledNumber } from '../values/numbers.js';
import { nameKey } from '../values/paths.js';
import { ADDRESS, hasValue, isCode, isMost, mostAre } from '../values/texts.js';
import { readCell } from '../values/values.js';
import type { GuessStage } from './columns.js';
import { vocabularyOf } from './vocabulary.js';

/** The words of a name, in lower case: `customerReviewAverage` has three. */
export const wordsOfName = (name: string): readonly string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Longer names are sentences: the first row of a file without column names. */
const MAX_WORDS = 5;
/** With fewer records no column is guessed as the title by its values. */
const MIN_TITLES = 3;

/** How well a name matches the guess words of a field: 0 is best, undefined not at all. */
export function guessRank(field: Field, name: string, nameWords = wordsOfName(name)): number | undefined {
  const { guess } = vocabularyOf(field);
  if (guess === undefined || /^[@_]/.test(name)) return undefined;
  if (nameWords.length > MAX_WORDS) return undefined;
  const wordRank = wordsTogether(guess.any).findIndex((all) => all.every((word) => nameWords.includes(word)));
  // Among columns with the same word the shortest name wins: `rating` before `user rating`.
  if (wordRank !== -1 && !holdsOneOf(nameWords, guess.none)) return wordRank * (MAX_WORDS + 1) + nameWords.length;
  const rankByName = nameRank(guess.names, name);
  return rankByName === undefined ? undefined : guess.any.length * (MAX_WORDS + 1) + rankByName;
}

/** The words that a name has together: `review+score` are two. */
const wordsTogether = factOf((any: readonly string[]) => any.map((all) => all.split('+')));

const holdsOneOf = (nameWords: readonly string[], none: readonly string[]): boolean =>
  none.some((word) => nameWords.includes(word));

const nameRank = (names: readonly string[] = NO_NAMES, name: string): number | undefined =>
  ranksByKey(names).get(nameKey(name));

const NO_NAMES: readonly string[] = [];
/** The ranks of names by their keys; of two names with one key the first counts. */
const ranksByKey = factOf(
  (names: readonly string[]) => new Map(names.map((name, rank) => [nameKey(name), rank] as const).reverse()),
);

/** The best column for a field, if one is good enough. `records`: how many the columns were taken from. */
export function guessColumn(
  field: Field,
  columns: readonly SampledColumn[],
  isCsv: boolean,
  stage: GuessStage,
  records: number,
): SampledColumn | undefined {
  if (stage === 'values')
    return columns.find((column) => mayBeByValues(field, column, records) && valuesFit(field, column.values, isCsv));
  return columns
    .flatMap((column) => {
      const rank =
        stage === 'words' ? guessRank(field, column.name) : nameRank(vocabularyOf(field).guess?.lastNames, column.name);
      return rank === undefined ? [] : [{ column, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .find(({ column }) => valuesFit(field, column.values, isCsv))?.column;
}

/** Whether a column's values fit a field, whatever its name. */
export const fits = (field: Field, { name, values }: SampledColumn, isCsv: boolean): boolean =>
  !/^[@_]/.test(name) && valuesFit(field, values, isCsv);

/** Names of columns that hold texts of their own and are no title. */
const NO_TITLE = new Set(
  words(
    'description desc summary text body content comment comments review note notes remark address city country state region location street zip phone email mail date time price currency sku code isbn ean upc mpn barcode status availability stock available unit material size color colour language lang type kind condition shipping delivery feature features bullet weight ingredients tag tags beschreibung kommentar adresse ort stadt land farbe marke hersteller verfügbar verfuegbar versand material',
  ),
);

/** Names of columns whose numbers have two decimals and are no price. */
const NO_PRICE = new Set(
  words(
    'kg g lb lbs oz gram grams ml l cm mm m km width height length depth size area sqft tax vat mwst discount fee deposit pfand lng duration',
  ),
);

/** Whether a column's values alone say that it is a field's, and its name does not say otherwise. */
function mayBeByValues(field: Field, { name, values }: SampledColumn, records: number): boolean {
  const { role } = field;
  const { guess } = vocabularyOf(field);
  if (role === undefined || BY_VALUES[role] === undefined) return false;
  const nameWords = wordsOfName(name);
  const isLast = nameRank(guess?.lastNames, name) !== undefined;
  if (isLast || /^[@_]/.test(name) || holdsOneOf(nameWords, guess?.none ?? [])) return false;
  if (role === 'price' && nameWords.some((word) => NO_PRICE.has(word))) return false;
  if (role === 'title') {
    const isInMost = records >= MIN_TITLES && isMost(textsIn(values).length, records);
    if (!isInMost || nameWords.some((word) => NO_TITLE.has(word))) return false;
  }
  return tellRole(values, role);
}

/** The values of a column that are no missing ones, if all of them are texts; else none. */
const textsIn = factOf((values: readonly unknown[]): readonly string[] => {
  const present = values.filter(hasValue);
  const texts = present.filter((value) => typeof value === 'string');
  return texts.length === present.length ? texts : [];
});

/** The texts by which a column, whatever its name, is a field of a role. */
const BY_VALUES: Readonly<Partial<Record<FieldRole, (texts: readonly string[]) => boolean>>> = {
  title: (texts) => share(texts, isCode) < 0.5 && !areMeasures(texts),
  price: (texts) => areMoney(texts) || (mostAre(texts, hasTwoDecimals) && texts.some((each) => amountOf(each) > 10)),
  // The same picture in every record is the mark of a shop.
  image: (texts) =>
    mostAre(texts, (each) => IMAGE_FILE.test(each) && ADDRESS.test(each)) &&
    (texts.length < MIN_TELLING_IMAGES || distinct(texts) > Math.max(1, MIN_DISTINCT_SHARE * texts.length)),
  date: (texts) => mostAre(texts, (each) => !/^[\d.]+$/.test(each) && (/\d/.test(each) || isRelativeDate(each))),
  rating: (texts) => mostAre(texts, (each) => namedScale(each) !== undefined),
};

/** With fewer pictures it does not tell anything that they are the same. */
const MIN_TELLING_IMAGES = 3;
const MIN_DISTINCT_SHARE = 0.1;

const tellRole = factsOf((values: readonly unknown[], role: FieldRole): boolean => {
  const texts = textsIn(values);
  return texts.length > 0 && BY_VALUES[role]?.(texts) === true;
});

/** A number or a date, whatever its spelling. */
const areMeasures = (texts: readonly string[]): boolean =>
  share(texts, mayBeMeasure) >= 0.5 && share(texts, isMeasure) >= 0.5;
const mayBeMeasure = (text: string): boolean =>
  /\d/.test(text) || isRelativeDate(text) || readSpelledNumber(text) !== undefined;
const isMeasure = (text: string): boolean =>
  readMeasure(text) !== undefined ||
  readSpelledNumber(text) !== undefined ||
  readPercentage(text) !== undefined ||
  isDate(text) ||
  isRelativeDate(text);
const isDate = (text: string): boolean => typeof readDate(text, 'month first') === 'object';
const hasTwoDecimals = (text: string): boolean => /^\d+[.,]\d\d$/.test(text.trim());
const amountOf = (text: string): number => Number(text.trim().replace(',', '.'));

/** Whether a field can read most values of a column, and these look like its own. */
const fitsOf = (isCsv: boolean) =>
  factsOf((values: readonly unknown[], field: Field): boolean => {
    const readings = values.map((value) => readCell(field, value, { isCsv, dateOrder: 'month first' }).value);
    const readable = readings.filter((value) => value !== null && value !== '');
    const present = values.filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0));
    const check = field.role && CHECKS[field.role];
    return isMost(readable.length, present.length) && (check === undefined || check(readable, values));
  });
const [fitsInCsv, fitsInJson] = [fitsOf(true), fitsOf(false)];

const valuesFit = (field: Field, values: readonly unknown[], isCsv: boolean): boolean =>
  (isCsv ? fitsInCsv : fitsInJson)(values, field);

/** `values`: the column's values as the field reads them; `raw`: as they stand in the source. */
type Check = (values: readonly unknown[], raw: readonly unknown[]) => boolean;

/** An address that names a file of a picture. */
const IMAGE_FILE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#].*)?$/i;
const IMAGE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|\/(?:images?|img|covers?|photos?|media|thumb)/i;

const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.filter(test).length / values.length;
const textGuess = (value: unknown): string => (typeof value === 'string' ? value : '');
const isProse = (value: unknown): boolean => /\p{L}/u.test(textGuess(value)) && !ADDRESS.test(textGuess(value));
const meanLength = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + textGuess(value).length, 0) / values.length;
const distinct = (values: readonly unknown[]): number => new Set(values).size;
const holdNumbers = (raw: readonly unknown[]): boolean => raw.some((value) => typeof value === 'number');

/** Types of records, which are no categories: `product`, `NewsItem`. */
const RECORD_TYPES = /^(?:product|article|post|story|item|page|news|record|feature)s?$|Item$/i;
/** From this many values on a column of categories has at least two different ones. */
const MIN_CATEGORY_VALUES = 5;

/** The values of a field with this role, whatever its name. */
const CHECKS: Readonly<Partial<Record<FieldRole, Check>>> = {
  title: (values, raw) =>
    !holdNumbers(raw) && mostAre(values, isProse) && meanLength(values) <= 250 && distinct(values) >= values.length / 2,
  author: (values, raw) => !holdNumbers(raw) && mostAre(values, isProse) && meanLength(values) <= 100,
  link: (values) =>
    mostAre(values, (value) => ADDRESS.test(textGuess(value))) &&
    !mostAre(values, (value) => IMAGE.test(textGuess(value))),
  image: (values) =>
    mostAre(values, (value) => ADDRESS.test(textGuess(value)) || IMAGE.test(textGuess(value))) &&
    mostAre(values, (value) => IMAGE.test(textGuess(value)) || !/\.(?:html?|php)\b/.test(textGuess(value))),
  body: (values, raw) => !holdNumbers(raw) && mostAre(values, isProse) && meanLength(values) >= 20,
  category: (values, raw) =>
    !holdNumbers(raw) &&
    mostAre(values, isProse) &&
    !mostAre(values, (value) => RECORD_TYPES.test(textGuess(value))) &&
    meanLength(values) <= 60 &&
    (values.length < MIN_CATEGORY_VALUES || (distinct(values) > 1 && distinct(values) <= 0.8 * values.length)),
  tags: (values, raw) => !holdNumbers(raw) && mostAre(values, hasShortTags),
  price: (values) => values.every((value) => Number(value) >= 0) && values.some((value) => Number(value) > 0),
  // Whole numbers above five are counts, or shares of a hundred.
  rating: (values) =>
    values.every((value) => Number(value) >= 0 && Number(value) <= 10) &&
    (values.some((value) => !Number.isInteger(value)) || values.every((value) => Number(value) <= 5)),
  score: (values, raw) =>
    raw.every((value) => typeof value === 'number' || /^-?[\d,.]+k?/i.test(textGuess(value).trim())) &&
    values.length > 0,
};

const hasShortTags = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((tag) => textGuess(tag).length > 0 && textGuess(tag).length <= 60 && !ADDRESS.test(textGuess(tag)));
