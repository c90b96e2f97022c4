/**
 * Guesses the column of a field that no name feeds: by the words of a column's name, or by its texts. What the field reads of the column must
 * look like the field's, unless records are still looked for, and no value is read. A guess is a row of a table over the column's profile (`BY_TEXTS`, `BY_READINGS`). A wrong
 * guess is worse than none, so every doubt is against it.
 */

import type { Field, FieldRole } from '../../model.js';
import { words } from '../../text.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import type { ReadingCounts } from '../profile/reading-counts.js';
import { factOf } from '../profile/sample.js';
import type { SampledColumn } from '../profile/sampled-columns.js';
import type { TextCounts } from '../profile/text-counts.js';
import { nameKey, wordsOfName } from '../values/paths.js';
import { isMost } from '../values/texts.js';
import type { GuessStage } from './columns.js';
import { vocabularyOf } from './vocabulary.js';

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

/** The best column for a field, if one is good enough; `records`: how many the columns were taken from. `isByNames`: no value is looked at. */
export function guessColumn(
  field: Field,
  columns: readonly SampledColumn[],
  isCsv: boolean,
  stage: GuessStage,
  records: number,
  isByNames = false,
): SampledColumn | undefined {
  if (stage === 'values')
    return columns.find((column) => mayBeByTexts(field, column, records) && isReadable(field, column.profile, isCsv));
  return columns
    .flatMap((column) => {
      const rank =
        stage === 'words' ? guessRank(field, column.name) : nameRank(vocabularyOf(field).guess?.lastNames, column.name);
      return rank === undefined ? [] : [{ column, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .find(({ column }) => isByNames || isReadable(field, column.profile, isCsv))?.column;
}

/** Names of columns that hold texts of their own and are no title. */
const NO_TITLE = new Set(
  words(
    'description desc summary text body content comment comments review note notes remark address city country state region location street zip phone email mail date time price currency sku code isbn ean upc mpn barcode status availability stock available unit material size color colour language lang type kind condition shipping delivery feature features bullet weight ingredients tag tags beschreibung kommentar adresse ort stadt land farbe marke hersteller verfügbar verfuegbar versand material',
  ),
);

/** In `price_incl_vat` stands the price, in `vat` alone a tax. */
const TAXES = words('vat mwst');

/** Whether a column's texts alone say that it is a field's, and its name does not say otherwise. */
function mayBeByTexts(field: Field, { name, profile }: SampledColumn, records: number): boolean {
  const { role } = field;
  const { guess } = vocabularyOf(field);
  const isTold = role && BY_TEXTS[role];
  if (isTold === undefined) return false;
  const nameWords = wordsOfName(name);
  const isLast = nameRank(guess?.lastNames, name) !== undefined;
  if (role === 'price' && holdsOneOf(nameWords, TAXES)) return false;
  if (isLast || /^[@_]/.test(name) || holdsOneOf(nameWords, guess?.none ?? [])) return false;
  if (role === 'title') {
    const isInMost = records >= MIN_TITLES && isMost(profile.present, records);
    if (!isInMost || nameWords.some((word) => NO_TITLE.has(word))) return false;
  }
  return profile.areTexts && isTold(profile.texts);
}

/** With fewer pictures it does not tell anything that they are the same. */
const MIN_TELLING_IMAGES = 3;
const MIN_DISTINCT_SHARE = 0.1;

/** The texts by which a column, whatever its name, is a field of a role. */
const BY_TEXTS: Readonly<Partial<Record<FieldRole, (texts: TextCounts) => boolean>>> = {
  title: (texts) => texts.count('codes') < texts.total / 2 && !areMostlyMeasures(texts),
  price: (texts) =>
    (texts.areMost('withDigits') && texts.areMost('money')) ||
    (texts.areMost('twoDecimals') && texts.count('twoDecimalsAbove10') > 0),
  // The same picture in every record is the mark of a shop.
  image: (texts) =>
    texts.areMost('pictures') &&
    (texts.total < MIN_TELLING_IMAGES || texts.values.size > Math.max(1, MIN_DISTINCT_SHARE * texts.total)),
  date: (texts) => texts.areMost('mayBeDates'),
  rating: (texts) => texts.areMost('ofScales'),
};

/** Areas such as `4,740 sqft` are no titles. */
const areMostlyMeasures = (texts: TextCounts): boolean =>
  texts.count('mayBeMeasures') >= texts.total / 2 && texts.count('measures') >= texts.total / 2;

/** Whether a field can read most values of a column, and these look like its own. */
function isReadable(field: Field, profile: ColumnProfile, isCsv: boolean): boolean {
  const readings = profile.readAs(field, isCsv);
  const isOwn = field.role && BY_READINGS[field.role];
  return isMost(readings.total, profile.present) && (isOwn === undefined || isOwn(readings, profile));
}

/** From this many values on a column of categories has at least two different ones. */
const MIN_CATEGORY_VALUES = 5;

/** Whether the values that a field reads look like those of its role, whatever the column's name. */
const BY_READINGS: Readonly<Partial<Record<FieldRole, (read: ReadingCounts, column: ColumnProfile) => boolean>>> = {
  title: (read, column) => isProse(read, column) && read.meanLength <= 250 && read.values.size >= read.total / 2,
  author: (read, column) => isProse(read, column) && read.meanLength <= 100,
  link: (read) => read.areMost('addresses') && !read.areMost('pictures'),
  image: (read) => read.areMost('addressesOrPictures') && read.areMost('noPages'),
  body: (read, column) => isProse(read, column) && read.meanLength >= 20,
  category: (read, column) =>
    isProse(read, column) &&
    !read.areMost('recordTypes') &&
    read.meanLength <= 60 &&
    (read.total < MIN_CATEGORY_VALUES || (read.values.size > 1 && read.values.size <= 0.8 * read.total)),
  tags: (read, { values }) => values.count('numbers') === 0 && read.areMost('listsOfShortTags'),
  price: ({ lowest, highest }) => lowest >= 0 && highest > 0,
  // Whole numbers above five are counts, or shares of a hundred.
  rating: (read) => read.lowest >= 0 && read.highest <= 10 && (!read.areAll('integers') || read.highest <= 5),
  score: (_, { values, texts }) => values.count('numbers') + texts.count('beginAsNumbers') === values.total,
};

const isProse = (read: ReadingCounts, { values }: ColumnProfile): boolean =>
  values.count('numbers') === 0 && read.areMost('prose');
