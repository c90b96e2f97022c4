/**
 * Numbers with a unit or a sign, which is that of the whole column: `12 km`, `1,234 ratings`, `10,000+`, `#7`, `19M`. A single such text
 * may be anything, so a column's values decide together (`commonUnit`), and its texts are read by the unit that they have.
 */

import { endsWithDigit, LONG_SCALE } from './bare-amounts.js';
import { isRelativeDate } from './dates.js';
import { isEnglishMonth } from './months.js';
import { readSpelledNumber } from './numbers.js';
import { trimmed } from './texts.js';

/** A number and the text beside it. */
export interface Measure {
  readonly value: number;
  /** `km`, `ratings`, `+`, `#`; empty where the number has only a scale: `19M`. */
  readonly unit: string;
  readonly hasScale: boolean;
  /** A letter behind a small whole number, which may be no scale: gold of 14K, a pencil 2B, a size of 12M; empty of any other scale. */
  readonly doubtfulScale: string;
  /** A scale stands behind a decimal: `1.2k`. */
  readonly hasScaledDecimal: boolean;
  /** A sign before three digits may be decimal, `2,500 kg`, or, in groups of them, is none: `1,234,567`. */
  readonly thousands: 'possible' | 'certain' | undefined;
}

/** A number whose letter may be no scale. Neither karats nor months of age go beyond 36; doors, `214B`, do. */
const DOUBTFUL_SCALE = /^(?:(?:[12]?\d|3[0-6])[kKM]|\d{1,3}B)$/;
const MEASURED_NUMBER = String.raw`[-+−–]?\d(?:[\d.,'’\u00a0\u202f]*\d)?(?:\s\d{3})*(?:[.,]\d+)?`;
/**
 * A letter for a scale is a capital, or `k`, without a space unless words follow: `12m` are metres or minutes, `300 K` a temperature, `12 M`
 * may be metres.
 */
const SCALE_SUFFIX = String.raw`(?:(?:[kKMB]|bn|\s?k)(?![\p{L}/²³])|\s[KMB](?=\s\p{L})|\s?${LONG_SCALE})`;
/**
 * Words behind a space, a degree, an inch, a plus. Letters without a space are a unit from two on (`16GB`), since `12A` is a code. Sizes of
 * clothes, seats (`12 A`), ordinals, hours of the day (`9.30 Uhr`) and `mil`, a thousand or a million, are none.
 */
const WORDS = String.raw`\p{L}[\p{L}\p{M}.²³/]*(?:\s\p{L}[\p{L}\p{M}.]*){0,4}`;
const NO_UNIT = String.raw`(?!\s?(?:X+[SL]|[A-KM-UX-Z]|st|nd|rd|th|[AaPp]\.?[Mm]\.?|[Uu]hr|uur)$|\s?mil\.?(?!\p{L}))`;
const UNIT = String.raw`${NO_UNIT}(?:\s?\+(?:\s${WORDS})?|\s?[°º]\s?[CFK]?|\s?(?:["″”]|''|’’)|[\s-]inch(?:es)?|\s?\p{L}[\p{L}\p{M}²³/°·]+\.?|\s${WORDS})`;
const MEASURE = new RegExp(String.raw`^(?:([#№~≈±])\s?)?(${MEASURED_NUMBER})(${SCALE_SUFFIX})?(${UNIT})?$`, 'u');
/** `10115 Berlin` and `12 Main Street` are places. */
const ADDRESS_PART = /^\d{4,}\s\p{Lu}|^\d+\s\p{Lu}\p{Ll}+\s\p{Lu}/u;
/** No unit is longer, with its number. */
const MAX_MEASURE_CHARS = 40;

/** The number and the unit of a text; undefined where it has none, or where a zero or a letter before the number makes a code of it. */
export function readMeasure(spelled: string): Measure | undefined {
  const text = trimmed(spelled);
  if (text.length > MAX_MEASURE_CHARS) return undefined;
  const [, sign = '', number = '', scale = '', behind = ''] = MEASURE.exec(text) ?? [];
  if (number === '' || /^0\d/.test(number) || isRelativeDate(text)) return undefined;
  // `5 Mar` is a day, `4.5 APR` a rate.
  if (/^\d\d?$/.test(number) && isEnglishMonth(behind.trim())) return undefined;
  const value = readSpelledNumber(number + (scale.trim() === 'B' ? 'bn' : scale));
  return value === undefined
    ? undefined
    : {
        value,
        unit: `${sign}${behind.trim().replace(/^-/, '')}`,
        hasScale: scale !== '',
        doubtfulScale: DOUBTFUL_SCALE.test(`${number}${scale}`) ? scale : '',
        hasScaledDecimal: scale !== '' && /[.,]\d{1,2}$/.test(number),
        thousands: thousandsIn(number),
      };
}

function thousandsIn(number: string): Measure['thousands'] {
  if (/[.,]\d{3}[.,]\d{3}/.test(number)) return 'certain';
  return /[.,]\d{3}$/.test(number) ? 'possible' : undefined;
}

/** The key that spellings of a unit share: `rating`, `ratings` and `+ ratings`, `Min.` and `min`, `"` and `inch`, but `Mb` and `MB`. */
const unitKey = (unit: string): string =>
  INCH.test(unit) ? '"' : (unit.length > 2 ? unit.toLowerCase() : unit).replace(/^\+\s|(?<=\p{L}{2})s\b|\.$/gu, '');
const INCH = /^(?:["″”]|''|’’|in\.?|inch(?:es)?|zoll)$/i;

/** The number that a text of a column has, whose unit is given; undefined where the text has another unit. A bare number has the column's. */
export function readInUnit(text: string, unit: string): number | undefined {
  const measure = readMeasure(text);
  if (measure === undefined) return undefined;
  const isBare = measure.unit === '' && !measure.hasScale;
  return isBare || unitKey(measure.unit) === unitKey(unit) ? measure.value : undefined;
}

/** The unit of a column, and whether its numbers are integers, whatever the decimal sign is. */
export interface ColumnUnit {
  readonly name: string;
  readonly areIntegers: boolean;
  /** All texts have the same doubtful scale: `14K`, `18K`. */
  readonly mayBeNoScale: boolean;
}

/** A unit with what was counted of it. */
class UnitCounts {
  readonly name: string;
  times = 0;
  hasScaledDecimals = false;
  #hasDecimals = false;
  #possibleThousands = 0;
  #hasThousands = false;
  readonly #doubtfulScales = new Set<string>();

  constructor(name: string) {
    this.name = name;
  }

  add({ unit, value, hasScaledDecimal, thousands, doubtfulScale }: Measure, times: number): void {
    this.times += times;
    this.#doubtfulScales.add(unit === '' ? doubtfulScale : '');
    this.#hasDecimals ||= !Number.isSafeInteger(value);
    this.hasScaledDecimals ||= hasScaledDecimal && unit === '';
    this.#hasThousands ||= thousands === 'certain';
    if (thousands === 'possible') this.#possibleThousands += times;
  }

  /** Adds values that were counted as having this unit, and are not read again. */
  addFitting({ areIntegers, mayBeNoScale }: ColumnUnit, times: number): void {
    this.times += times;
    if (!mayBeNoScale) this.#doubtfulScales.add('');
    this.#hasDecimals ||= !areIntegers;
  }

  get mayBeNoScale(): boolean {
    return this.#doubtfulScales.size === 1 && !this.#doubtfulScales.has('');
  }

  /** Most of `2,500 kg` and `1,200 kg` may be decimals; of `1,234 ratings`, `7 ratings` and `12 ratings` most are integers. */
  get areIntegers(): boolean {
    return !this.#hasDecimals && (this.#hasThousands || 2 * this.#possibleThousands <= this.times);
  }
}

/**
 * The unit that most texts have, and how many have it; undefined where none has one. Spellings of one unit count together: `rating`
 * and `ratings`. Each text comes with how often it stands in the column. `fitting`: further values of a unit.
 */
export function commonUnit(
  texts: Iterable<readonly [text: string, times: number]>,
  fitting?: { readonly unit: ColumnUnit; readonly times: number },
): UnitCounts | undefined {
  const units = new Map<string, UnitCounts>();
  const countsOfUnit = (name: string): UnitCounts => {
    const counts = units.get(unitKey(name)) ?? new UnitCounts(name);
    units.set(unitKey(name), counts);
    return counts;
  };
  if (fitting !== undefined) countsOfUnit(fitting.unit.name).addFitting(fitting.unit, fitting.times);
  for (const [text, times] of texts) {
    const measure = ADDRESS_PART.test(text) ? undefined : readMeasure(text);
    if (measure !== undefined) countsOfUnit(measure.unit).add(measure, times);
  }
  return [...units.values()].sort((a, b) => b.times - a.times)[0];
}

/** `each`, `/Stück`, `/pack` and `/szt` are a piece, as an amount without a unit is. */
const UNIT_BEHIND = String.raw`(?:\/|\b(?:per|pro|je|par|por|al|an?)\s)\s*(?!each|ea\b|pc|piece|item|unit|st(?:ü|k)|szt|pa(?:ck|ir|ar))((?:\d+\s*)?\p{L}{1,12}[²³]?)`;
const TAX_OR_TIME = String.raw`\b(pcm|pw|p\.?a|ht|ttc|netto|brutto|(?:inc|incl|inkl|ex|excl|exkl)\.?\s\p{L}+)`;
const UNIT_OF_MONEY = new RegExp(String.raw`\d.*?(?:${UNIT_BEHIND}|${TAX_OR_TIME})\.?$`, 'iu');

/** `hour` and `hrs` are `hr`, `month` is `mo`, `nights` are `night`. */
const LONG_TIME = /^(?:(h)ou(r)|(w)ee(k)|(y)ea(r)|(mo)nth)s?$|^(hr|wk|yr|mo|day|night)s$/;

/** A longer text is no amount, and would be searched from each of its digits. */
const MAX_PRICED_TEXT_CHARS = 200;

/** The unit that an amount is for, or its side of a tax: `mo` of `$1,200/mo`, `100 g` of `1,20 €/100 g`, `ht` of `100 € HT`. */
export function unitOfMoney(spelled: string): string | undefined {
  const text = trimmed(spelled);
  if (endsWithDigit(text) || text.length > MAX_PRICED_TEXT_CHARS) return undefined;
  const [, unit, word] = UNIT_OF_MONEY.exec(text) ?? [];
  return (unit ?? word)?.toLowerCase().replace(LONG_TIME, '$1$2$3$4$5$6$7$8');
}
