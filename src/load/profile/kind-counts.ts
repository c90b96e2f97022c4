/**
 * The counts that decide the kind of a column. Each value is looked at once, and only as far as its spelling lets it be more than a text.
 * They go on while a file is read: what its later records hold is added to them.
 */
import { type FieldKind, isNumeric } from '../../model.js';
import { parsedJson } from '../../text.js';
import { likelyOrder, readDate } from '../values/dates.js';
import { type ColumnUnit, commonUnit } from '../values/measures.js';
import { isMoney, readPercentage, readPlainNumber, readSpelledNumber } from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { hasValue, isCode, isMost, trimmed } from '../values/texts.js';
import { listIn } from '../values/values.js';
import { yearsFirst } from './spelling-proofs.js';

const BOOLEAN_WORD = /^(?:true|false)$/i;
/** The check digit of an ISBN of ten digits may be X, for 10. */
const ISBN_WITH_X = /^\d{9}X$/i;
export const INTEGER_TEXT = /^[+-]?\d+$/;
/** The first characters of a value of JSON. */
const MAY_BE_JSON = /^[[{"\-\dtfn]/;
const PHONE = /^\+\d{10,15}$/;
const SPACED_DIGITS = /^\d+(?: \d{2,4})+$/;
const INTEGER_LIST = /^\d+(?:[, ]\s?\d+)+$/;
const BARE_EXPONENT = /^\d+[eE]\d+$/;
/** A long code that a spreadsheet has cut: `4.00638E+12`. */
const CUT_CODE = /^\d(?:\.\d+)?E\+1\d$/;
const PADDED_DECIMAL = /^0\d+\.\d+$/;
const DECIMAL = /^\d+\.(\d+)$/;
/** `99:90` beside `499:-`: an amount of money. */
const COLON_DECIMALS = /^\d+:\d\d$/;
/** From here on a number is spelt with an exponent, and not by its digits. */
const MIN_EXPONENT_INTEGER = 1e21;
/** More digits are a code and no number: a bar code, a card. */
export const MAX_NUMBER_DIGITS = 15;

/**
 * Counts of values; words for no value, blank texts and empty lists are not counted. Values can be added at any time, each any number
 * of times, so the counts over all values need no second look at those that were counted.
 */
export class KindCounts {
  present = 0;
  objects = 0;
  lists = 0;
  texts = 0;
  /** `true`, or a text such as `True`. */
  booleans = 0;
  integers = 0;
  /** Members of JSON that are numbers, however they are spelt. */
  jsonNumbers = 0;
  /** Integers of JSON that no double holds. */
  longIntegers = 0;
  /** Texts of digits that are no number: `0049`, a bar code, `043965548X` among other ISBNs. */
  digitCodes = 0;
  /** Groups of digits with spaces between them: `552 100 554`. */
  spacedDigits = 0;
  /** Numbers of telephones with their country: `+4930123456`. */
  phones = 0;
  /** Integers with commas or spaces between them: `123,456`, a number or two ids. */
  integerLists = 0;
  /** Texts such as `7e3`: a number with an exponent, or the number of a part. */
  bareExponents = 0;
  /** Texts such as `4.00638E+12`: a number, or a bar code that a spreadsheet has cut. */
  cutCodes = 0;
  /** Decimals with a zero before other digits: `01.10`. */
  paddedDecimals = 0;
  percentages = 0;
  /** Tokens with a digit or a sign inside, and addresses. */
  codes = 0;
  /** The elements of all lists. */
  readonly elements: unknown[] = [];
  readonly decimals = new Decimals();
  #jsonObjects = 0;
  #areTextsJson = true;
  #numbers = 0;
  #dates = 0;
  /** Texts with a digit that may be dates, or amounts of money with a rare name, and how often each was added. */
  #undecided: (readonly [text: string, times: number])[] = [];
  #undecidedTimes = 0;
  /** Texts with a digit that are neither dates nor amounts of money, and may have a unit. */
  readonly #measures: (readonly [text: string, times: number])[] = [];
  /** Values that fit a column of this unit. */
  #fitting: { readonly unit: ColumnUnit; readonly times: number } | undefined;

  /** Whether a text spells an object of JSON, and all others spell a value of JSON. */
  get areTextsJson(): boolean {
    return this.#jsonObjects > 0 && this.#areTextsJson;
  }

  /** Values that are written as numbers, in JSON or in a text: integers, decimals, amounts of money, numbers with separators. */
  get numbers(): number {
    this.#decideTexts();
    return this.#numbers;
  }

  /** Values that have the commonest unit, also where they are too few to give it to the column. */
  get measures(): number {
    const mayBeHalf = 2 * (this.texts - this.#numbers) >= this.present;
    return mayBeHalf ? (commonUnit([...this.#undecided, ...this.#measures], this.#fitting)?.times ?? 0) : 0;
  }

  get dates(): number {
    this.#decideTexts();
    return this.#dates;
  }

  /** Names of months and of money are looked up where most values may have some, since the platform takes its time to list them. */
  #decideTexts(): void {
    if (!isMost(this.#numbers + this.#dates + this.#undecidedTimes, this.present)) return;
    const years = yearsFirst(this.#undecided.map(([text]) => text));
    const mayBeMoney = this.#undecided.some(([text]) => COLON_DECIMALS.test(text));
    const hasMoney = mayBeMoney && this.#undecided.some(([text]) => isMoney(text));
    for (const [text, times] of this.#undecided) {
      if (isDateText(text, years)) this.#dates += times;
      else if (isMoney(text) || (hasMoney && COLON_DECIMALS.test(text))) this.#numbers += times;
      else this.#measures.push([text, times]);
    }
    this.#undecided = [];
    this.#undecidedTimes = 0;
  }

  /**
   * The unit that numbers have: at least half of the values with it, and most of them as numbers with or without it. A scale behind a
   * decimal (`1.2k`) is no part of a code, and so a single one is enough.
   */
  get unit(): ColumnUnit | undefined {
    this.#decideTexts();
    if (this.#measures.length === 0 && this.#fitting === undefined) return undefined;
    const common = commonUnit(this.#measures, this.#fitting);
    if (common === undefined || !isMost(common.times + this.#numbers, this.present)) return undefined;
    if (2 * common.times < this.present && !common.hasScaledDecimals) return undefined;
    return {
      name: common.name,
      areIntegers: common.areIntegers && this.#numbers === this.integers,
      mayBeNoScale: common.mayBeNoScale && this.#numbers === 0,
    };
  }

  /** Counts a value that stands in the column `times` times. A text that spells a list, `["a","b"]`, counts as the list. */
  add(raw: unknown, times = 1): void {
    const value = spelledList(raw);
    if (!hasValue(value)) return;
    this.present += times;
    if (typeof value === 'number' || typeof value === 'bigint') this.#addNumber(value, times);
    else if (typeof value === 'string') this.#addText(trimmed(value), times);
    else if (typeof value === 'boolean') this.booleans += times;
    else if (isPlainObject(value)) this.objects += times;
    else if (Array.isArray(value)) {
      this.lists += times;
      // Once, however often the list stands there: elements only show which kinds occur.
      for (const element of value) this.elements.push(element);
    }
  }

  /** Adds values that fit a kind as those of the `sample` do, without a look at any of them. */
  addFitting(kind: FieldKind, times: number, sample: KindCounts): void {
    this.present += times;
    if (kind === 'boolean') this.booleans += times;
    if (kind === 'date') this.#dates += times;
    const { unit } = sample;
    if (unit !== undefined && isNumeric(kind)) {
      this.#fitting = { unit, times };
      return;
    }
    if (kind === 'integer') this.integers += times;
    if (kind === 'number' && sample.percentages > sample.present / 2) this.percentages += times;
    else if (isNumeric(kind)) this.#numbers += times;
    if (sample.codes > sample.present / 2) this.codes += times;
  }

  #addNumber(value: number | bigint, times: number): void {
    this.jsonNumbers += times;
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    if (typeof value === 'bigint' || Number.isFinite(value)) this.#numbers += times;
    if (Number.isSafeInteger(value)) this.integers += times;
    else if (isInteger && Math.abs(Number(value)) < MIN_EXPONENT_INTEGER) this.longIntegers += times;
  }

  #addText(text: string, times: number): void {
    this.texts += times;
    if (text.startsWith('{') && isPlainObject(parsedJson(text))) this.#jsonObjects += times;
    if (BOOLEAN_WORD.test(text)) this.booleans += times;
    if (isCode(text)) this.codes += times;
    // Most texts are told to be no JSON by their first letter, and after the first such text none is parsed.
    if (this.#areTextsJson && readPlainNumber(text) === undefined)
      this.#areTextsJson = MAY_BE_JSON.test(text) && parsedJson(text) !== undefined;
    // All that follows has a digit.
    if (!/\p{Nd}/u.test(text)) return;
    if (isDigitsOfCode(text)) this.digitCodes += times;
    if (PHONE.test(text)) this.phones += times;
    if (SPACED_DIGITS.test(text)) this.spacedDigits += times;
    if (INTEGER_LIST.test(text)) this.integerLists += times;
    if (BARE_EXPONENT.test(text)) this.bareExponents += times;
    if (CUT_CODE.test(text)) this.cutCodes += times;
    if (PADDED_DECIMAL.test(text)) this.paddedDecimals += times;
    this.decimals.add(text, times);
    const isInteger = INTEGER_TEXT.test(text);
    if (isInteger) this.integers += times;
    if (isInteger || isNumberText(text)) this.#numbers += times;
    else if (readPercentage(text) !== undefined) this.percentages += times;
    else {
      this.#undecided.push([text, times]);
      this.#undecidedTimes += times;
    }
  }
}

/**
 * A spelling that makes codes, or versions, of a column whose other values are numbers: `02138`, a bar code, `7e3`, `1.10`. A value
 * that is none, and fits its field, overturns nothing.
 */
export const mayBeNoNumber = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^\s*(?:[+-]?(?:0\d+(?:\.\d+)?|\d{16,})|\d+[eE]\d+|\d+\.\d*0|\d{9}[xX])\s*$/.test(value)
    : typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));

/** The least share of shorter decimals in a column of versions: a single `1.5` among weights such as `3.450` makes none of them. */
const MIN_SHORTER_SHARE = 0.02;

/**
 * Tells versions from decimals. `1.10` beside `1.9` are versions: a program writes numbers either without the
 * last zero (`1.1`, `1.9`), or all with equally many digits (`1.10`, `1.90`).
 */
export class Decimals {
  #longestZero = 0;
  #total = 0;
  /** Per number of digits behind the point: the decimals that have it, and whose last digit is no zero. */
  readonly #counts: (number | undefined)[] = [];

  add(text: string, times: number): void {
    const digits = DECIMAL.exec(text)?.[1];
    if (digits === undefined) return;
    const endsInZero = digits.endsWith('0');
    if (endsInZero) this.#longestZero = Math.max(this.#longestZero, digits.length);
    if (digits.length === 1 || !endsInZero) this.addDigits(digits.length, times);
    else this.#total += times;
  }

  /** Adds decimals with this number of digits behind the point, the last of which is no zero. */
  addDigits(digits: number, times = 1): void {
    this.#counts[digits] = (this.#counts[digits] ?? 0) + times;
    this.#total += times;
  }

  addAll(other: Decimals): void {
    for (const [digits, times] of other.#counts.entries()) if (times !== undefined) this.addDigits(digits, times);
  }

  /** Whether a decimal of several digits ends in a zero, which a number does not need: `3.10`; a program writes integers as `7.0`. */
  get endInZero(): boolean {
    return this.#longestZero > 1;
  }

  get areVersions(): boolean {
    let shorter = 0;
    for (const [digits, times = 0] of this.#counts.entries()) if (digits < this.#longestZero) shorter += times;
    return shorter > 0 && shorter >= MIN_SHORTER_SHARE * this.#total;
  }
}

/** The list that a text spells as JSON or Python, such as a CSV cell `["a","b"]`; any other value as it is. */
function spelledList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const list = listIn(value);
  return Array.isArray(list) ? list : value;
}

function isDigitsOfCode(text: string): boolean {
  if (ISBN_WITH_X.test(text)) return true;
  if (!INTEGER_TEXT.test(text)) return false;
  const digits = text.replace(/^[+-]/, '');
  return digits.length > MAX_NUMBER_DIGITS || (digits.length > 1 && digits.startsWith('0'));
}

const isNumberText = (text: string): boolean =>
  readPlainNumber(text) !== undefined || isGroupedNumber(text) || (/\p{Sc}/u.test(text) && isMoney(text));

/** A number with separators: `1,234`, `12,5`, `.485`. */
const isGroupedNumber = (text: string): boolean =>
  /^[-+−–]?[.,]?\d[\d.,'’\u00a0\u202f ]*$/.test(text) && readSpelledNumber(text) !== undefined;

/**
 * Digits and points alone are a number or a version, unless a day stands first: `31.12.2026`. `13/01/24` begins with a day, unless the
 * dates of its column may begin with years.
 */
function isDateText(text: string, years: ReturnType<typeof yearsFirst>): boolean {
  const order = years === 'proven' ? 'year first' : 'month first';
  return (
    (!/^[\d.]+$/.test(text) || /^\d\d?\.\d\d?\.\d{4}$/.test(text)) &&
    typeof readDate(text, years === undefined ? likelyOrder(text) : order) === 'object'
  );
}
