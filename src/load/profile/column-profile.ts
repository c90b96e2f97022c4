/**
 * The profile of a column: counts over its values. Each value is looked at once, and only as far as its spelling lets it be more than a
 * text. Whatever decides about a column reads its profile, by the same notions of a number, a code and of most.
 */
import { parsedJson } from '../../text.js';
import { isCode } from '../fields/guesses.js';
import { readDate } from '../values/dates.js';
import { isMoney, readPercentage, readPlainNumber, readSpelledNumber } from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { hasValue, isMost } from '../values/texts.js';

/** Counts of values; words for no value, blank texts and empty lists are not counted. */
export interface ColumnProfile {
  readonly present: number;
  readonly objects: number;
  readonly lists: number;
  /** Texts that spell an object, and all others that spell a value of JSON. */
  readonly jsonObjects: number;
  readonly areTextsJson: boolean;
  /** `true`, or a text such as `True`. */
  readonly booleans: number;
  /** Values that are written as numbers, in JSON or in a text: integers, decimals, amounts of money, numbers with separators. */
  readonly numbers: number;
  readonly integers: number;
  /** Members of JSON that are numbers, however they are spelt. */
  readonly jsonNumbers: number;
  /** Integers of JSON that no double holds. */
  readonly longIntegers: number;
  /** Texts of digits that are no number: `0049`, a bar code, `043965548X` among other ISBNs. */
  readonly digitCodes: number;
  /** Texts such as `7e3`: a number with an exponent, or the number of a part. */
  readonly bareExponents: number;
  /** `1.10` beside `1.9`: decimals with a zero behind, of which others have fewer digits. */
  readonly hasVersions: boolean;
  readonly percentages: number;
  readonly dates: number;
  /** Tokens with a digit or a sign inside, and addresses. */
  readonly codes: number;
  /** The elements of all lists. */
  readonly elements: readonly unknown[];
}

const BOOLEAN_WORD = /^(?:true|false)$/i;
/** The check digit of an ISBN of ten digits may be X, for 10. */
const ISBN_WITH_X = /^\d{9}X$/i;
const INTEGER_TEXT = /^[+-]?\d+$/;
const BARE_EXPONENT = /^\d+[eE]\d+$/;
const DECIMAL = /^\d+\.(\d+)$/;
/** From here on a number is spelt with an exponent, and not by its digits. */
const MIN_EXPONENT_INTEGER = 1e21;
/** More digits are a code and no number: a bar code, a card. */
const MAX_NUMBER_DIGITS = 15;

export function profileOf(sampled: readonly unknown[]): ColumnProfile {
  const counts = {
    ...{ present: 0, objects: 0, lists: 0, jsonObjects: 0, booleans: 0, numbers: 0, integers: 0, jsonNumbers: 0 },
    ...{ longIntegers: 0, digitCodes: 0, bareExponents: 0, percentages: 0, dates: 0, codes: 0 },
  };
  const elements: unknown[] = [];
  const decimals = new Decimals();
  /** Texts with a digit that may be dates, or amounts of money with a rare name. */
  const undecided: string[] = [];

  const lookAtNumber = (value: number): void => {
    counts.jsonNumbers++;
    if (Number.isFinite(value)) counts.numbers++;
    if (Number.isSafeInteger(value)) counts.integers++;
    else if (Number.isInteger(value) && Math.abs(value) < MIN_EXPONENT_INTEGER) counts.longIntegers++;
  };

  const lookAtText = (spelled: string): void => {
    const text = spelled.trim();
    if (text.startsWith('{') && isPlainObject(parsedJson(text))) counts.jsonObjects++;
    if (BOOLEAN_WORD.test(text)) counts.booleans++;
    if (isCode(text)) counts.codes++;
    // All that follows has a digit.
    if (!/\d/.test(text)) return;
    if (isDigitsOfCode(text)) counts.digitCodes++;
    if (BARE_EXPONENT.test(text)) counts.bareExponents++;
    decimals.add(text);
    if (INTEGER_TEXT.test(text)) counts.integers++;
    if (INTEGER_TEXT.test(text) || isNumberText(text)) counts.numbers++;
    else if (readPercentage(text) !== undefined) counts.percentages++;
    else undecided.push(text);
  };

  const lookAt = (raw: unknown): void => {
    const value = spelledList(raw);
    if (!hasValue(value)) return;
    counts.present++;
    if (typeof value === 'number') lookAtNumber(value);
    else if (typeof value === 'string') lookAtText(value);
    else if (typeof value === 'boolean') counts.booleans++;
    else if (isPlainObject(value)) counts.objects++;
    else if (Array.isArray(value)) {
      counts.lists++;
      for (const element of value) elements.push(element);
    }
  };

  for (const value of sampled) lookAt(value);
  // Names of months and of money are looked up where most values may have some, since the platform takes its time to list them.
  if (isMost(counts.numbers + undecided.length, counts.present))
    for (const text of undecided) {
      if (isDateText(text)) counts.dates++;
      else if (isMoney(text)) counts.numbers++;
    }
  const areTextsJson =
    counts.jsonObjects > 0 &&
    sampled.every((value) => typeof value !== 'string' || !hasValue(value) || parsedJson(value) !== undefined);
  return { ...counts, areTextsJson, hasVersions: decimals.areVersions, elements };
}

/** Tells versions from decimals: programs write neither the zero of `1.10` nor, beside it, fewer digits; both end alike in `3.350`. */
class Decimals {
  #longestZero = 0;
  #shortest = Number.POSITIVE_INFINITY;

  add(text: string): void {
    const digits = DECIMAL.exec(text)?.[1];
    if (digits === undefined) return;
    if (digits.endsWith('0')) this.#longestZero = Math.max(this.#longestZero, digits.length);
    if (digits.length === 1 || !digits.endsWith('0')) this.#shortest = Math.min(this.#shortest, digits.length);
  }

  get areVersions(): boolean {
    return this.#longestZero > this.#shortest;
  }
}

/** The list that a text spells as JSON, such as a CSV cell `["a","b"]`; any other value as it is. */
function spelledList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : value;
}

function isDigitsOfCode(text: string): boolean {
  if (ISBN_WITH_X.test(text)) return true;
  if (!INTEGER_TEXT.test(text)) return false;
  const digits = text.replace(/^[+-]/, '');
  return digits.length > MAX_NUMBER_DIGITS || (digits.length > 1 && digits.startsWith('0'));
}

const isNumberText = (text: string): boolean =>
  readPlainNumber(text) !== undefined || isGroupedNumber(text) || (/\p{Sc}/u.test(text) && isMoney(text));

/** A number with separators: `1,234`, `12,5`. */
const isGroupedNumber = (text: string): boolean =>
  /^[+-]?\d[\d.,'’\u00a0\u202f ]*$/.test(text) && readSpelledNumber(text) !== undefined;

/** Digits and points alone are a number or a version, unless a day stands first: `31.12.2026`. */
const isDateText = (text: string): boolean =>
  (!/^[\d.]+$/.test(text) || /^\d\d?\.\d\d?\.\d{4}$/.test(text)) && typeof readDate(text, 'month first') === 'object';
