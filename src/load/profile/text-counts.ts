/**
 * Counts over the texts of a column, by which guesses tell what they are. Each is made when it is asked for: names of months and of money
 * are looked up only for columns that may be guessed.
 */
import { isRelativeDate, readDate } from '../values/dates.js';
import { readMeasure } from '../values/measures.js';
import { isMoney, namedScale, readPercentage, readSpelledNumber } from '../values/numbers.js';
import { ADDRESS, hasValue, isCode, isMost } from '../values/texts.js';
import { timesOf, type ValueCounts } from '../values/value-counts.js';

export class TextCounts {
  readonly #texts = new Map<string, number>();
  readonly #counts = new Map<(text: string) => boolean, number>();
  /** All texts that are values. */
  readonly total: number;

  constructor(counts: ValueCounts) {
    let total = 0;
    for (const [value, times] of counts)
      if (typeof value === 'string' && hasValue(value)) {
        this.#texts.set(value, times);
        total += times;
      }
    this.total = total;
  }

  get distinct(): number {
    return this.#texts.size;
  }

  get codes(): number {
    return this.#count(isCode);
  }

  /** Texts without white space inside. */
  get tokens(): number {
    return this.#count(isToken);
  }

  get percentages(): number {
    return this.#count(isPercentage);
  }

  get relativeDates(): number {
    return this.#count(isRelativeDate);
  }

  /** Amounts of money. Their names are looked up where most texts have a digit. */
  get money(): number {
    return isMost(this.#count(hasDigit), this.total) ? this.#count(isMoney) : 0;
  }

  /** Numbers with two decimals: `12.50`. */
  get twoDecimals(): number {
    return this.#count(hasTwoDecimals);
  }

  /** Those of them that are more than 10. */
  get twoDecimalsAbove10(): number {
    return this.#count(isAbove10);
  }

  /** Numbers with units, percentages and dates. */
  get measures(): number {
    return 2 * this.#count(mayBeMeasure) >= this.total ? this.#count(isMeasure) : 0;
  }

  /** Texts that may be dates: other ones than numbers and versions, which have digits or count from now. */
  get mayBeDates(): number {
    return this.#count(mayBeDate);
  }

  /** Addresses of files of pictures. */
  get pictures(): number {
    return this.#count(isPicture);
  }

  /** Ratings that name their scale: `4/5`. */
  get ofScales(): number {
    return this.#count(isOfScale);
  }

  /** Texts that begin as counts: `12`, `1.2k points`. */
  get beginAsNumbers(): number {
    return this.#count(beginsAsNumber);
  }

  #count(test: (text: string) => boolean): number {
    const count = this.#counts.get(test) ?? timesOf(this.#texts, test);
    this.#counts.set(test, count);
    return count;
  }
}

const IMAGE_FILE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#].*)?$/i;

const hasDigit = (text: string): boolean => /\d/.test(text);
const isToken = (text: string): boolean => /^\S*$/.test(text.trim());
const isPercentage = (text: string): boolean => readPercentage(text) !== undefined;
const hasTwoDecimals = (text: string): boolean => /^\d+[.,]\d\d$/.test(text.trim());
const isAbove10 = (text: string): boolean => hasTwoDecimals(text) && Number(text.trim().replace(',', '.')) > 10;
const mayBeMeasure = (text: string): boolean =>
  hasDigit(text) || isRelativeDate(text) || readSpelledNumber(text) !== undefined;
const isMeasure = (text: string): boolean =>
  readMeasure(text) !== undefined ||
  readSpelledNumber(text) !== undefined ||
  isPercentage(text) ||
  typeof readDate(text, 'month first') === 'object' ||
  isRelativeDate(text);
const mayBeDate = (text: string): boolean => !/^[\d.]+$/.test(text) && (hasDigit(text) || isRelativeDate(text));
const isPicture = (text: string): boolean => IMAGE_FILE.test(text) && ADDRESS.test(text);
const isOfScale = (text: string): boolean => namedScale(text) !== undefined;
const beginsAsNumber = (text: string): boolean => /^-?[\d,.]+k?/i.test(text.trim());
