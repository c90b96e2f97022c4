/** How many texts of a column pass the tests by which guesses tell what they are. A further question to texts is a further row. */
import { isRelativeDate, readDate } from '../values/dates.js';
import { readMeasure } from '../values/measures.js';
import { isMoney, namedScale, readSpelledNumber } from '../values/numbers.js';
import { isPercentage } from '../values/text-forms.js';
import { ADDRESS, isCode, trimmed } from '../values/texts.js';
import { TestedCounts, type ValueCounts } from '../values/value-counts.js';

const IMAGE_FILE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#].*)?$/i;
const TWO_DECIMALS = /^\s*\d+[.,]\d\d\s*$/;

const TEXT_TESTS = {
  codes: isCode,
  /** Without white space inside. */
  tokens: (text: string) => /^\S*$/.test(trimmed(text)),
  withDigits: (text: string) => /\d/.test(text),
  relativeDates: isRelativeDate,
  /** Names of money are looked up by this test: ask first whether most texts have digits. */
  money: isMoney,
  twoDecimals: (text: string) => TWO_DECIMALS.test(text),
  twoDecimalsAbove10: (text: string) => TWO_DECIMALS.test(text) && Number(text.replace(',', '.')) > 10,
  mayBeMeasures: (text: string) => /\d/.test(text) || isRelativeDate(text) || readSpelledNumber(text) !== undefined,
  /** Numbers with units, percentages and dates. Names of months are looked up by this test. */
  measures: (text: string) =>
    readMeasure(text) !== undefined ||
    readSpelledNumber(text) !== undefined ||
    isPercentage(text) ||
    typeof readDate(text, 'month first') === 'object' ||
    isRelativeDate(text),
  /** No numbers or versions, and with digits or words that count from now. */
  mayBeDates: (text: string) => !/^[\d.]+$/.test(text) && (/\d/.test(text) || isRelativeDate(text)),
  /** Addresses of files of pictures. */
  pictures: (text: string) => IMAGE_FILE.test(text) && ADDRESS.test(text),
  /** Ratings that name their scale: `4/5`. */
  ofScales: (text: string) => namedScale(text) !== undefined,
  /** `12`, `1.2k points` */
  beginAsNumbers: (text: string) => /^-?[\d,.]+k?/i.test(trimmed(text)),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

export type TextCounts = TestedCounts<keyof typeof TEXT_TESTS, string>;

/** Counts over the texts among the values of a column, of which none is blank. */
export const textsIn = (values: ValueCounts): TextCounts =>
  new TestedCounts(
    new Map([...values].filter((entry): entry is [string, number] => typeof entry[0] === 'string')),
    TEXT_TESTS,
  );
