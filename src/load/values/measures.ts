/**
 * Numbers with a unit or a sign, which is that of the whole column: `12 km`, `1,234 ratings`, `10,000+`, `#7`, `19M`. A single such text
 * may be anything, so a column's values decide together (`commonUnit`), and its texts are read by the unit that they have.
 */
import { isRelativeDate } from './dates.js';
import { readSpelledNumber } from './numbers.js';

/** A number and the text beside it. */
export interface Measure {
  readonly value: number;
  /** `km`, `ratings`, `+`, `#`; empty where the number has only a scale: `19M`. */
  readonly unit: string;
  readonly hasScale: boolean;
  /** A scale stands behind a decimal: `1.2k`. */
  readonly hasScaledDecimal: boolean;
}

const MEASURED_NUMBER = String.raw`[-+−–]?\d(?:[\d.,'’\u00a0\u202f]*\d)?(?:\s\d{3})*(?:[.,]\d+)?`;
/** A scale is written in capitals, or as `k`, without a space unless words follow: `12m` are metres or minutes, `300 K` a temperature. */
const SCALE_SUFFIX = String.raw`(?:(?:[kKMB]|bn)(?![\p{L}/²³])|\s(?:[kKMB]|bn)(?=\s\p{L}))`;
/**
 * Words behind a space, a degree, an inch, a plus. Letters without a space are a unit from two on (`16GB`), since `12A` is a code. Sizes of
 * clothes, seats (`12 A`), ordinals and hours of the day are none.
 */
const WORDS = String.raw`\p{L}[\p{L}\p{M}.²³/]*(?:\s\p{L}[\p{L}\p{M}.]*){0,4}`;
const NO_UNIT = String.raw`(?!\s?(?:X+[SL]|[A-KM-UX-Z]|st|nd|rd|th|[AaPp]\.?[Mm]\.?)$)`;
const UNIT = String.raw`${NO_UNIT}(?:\s?\+(?:\s${WORDS})?|\s?[°º]\s?[CFK]?|\s?(?:["″”]|''|’’)|[\s-]inch(?:es)?|\s?\p{L}[\p{L}\p{M}²³/°·]+\.?|\s${WORDS})`;
const MEASURE = new RegExp(String.raw`^(?:([#№~≈])\s?)?(${MEASURED_NUMBER})(${SCALE_SUFFIX})?(${UNIT})?$`, 'u');
/** `10115 Berlin` and `12 Main Street` are places. */
const ADDRESS_PART = /^\d{4,}\s\p{Lu}|^\d+\s\p{Lu}\p{Ll}+\s\p{Lu}/u;
/** No unit is longer, with its number. */
const MAX_MEASURE_CHARS = 40;

/** The number and the unit of a text; undefined where it has none, or where a zero or a letter before the number makes a code of it. */
export function readMeasure(spelled: string): Measure | undefined {
  const text = spelled.trim();
  if (text.length > MAX_MEASURE_CHARS) return undefined;
  const [, sign = '', number = '', scale = '', behind = ''] = MEASURE.exec(text) ?? [];
  if (number === '' || /^0\d/.test(number) || isRelativeDate(text)) return undefined;
  const value = readSpelledNumber(number + (scale.trim() === 'B' ? 'bn' : scale));
  return value === undefined
    ? undefined
    : {
        value,
        unit: `${sign}${behind.trim().replace(/^-/, '')}`,
        hasScale: scale !== '',
        hasScaledDecimal: scale !== '' && /[.,]\d{1,2}$/.test(number),
      };
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

/** The unit of a column, and whether its numbers are integers. */
export interface ColumnUnit {
  readonly name: string;
  readonly areIntegers: boolean;
}

/**
 * The unit that most texts have, and how many have it; undefined where none has one. Spellings of one unit count together: `rating`
 * and `ratings`. Each text comes with how often it stands in the column. `fitting`: further values that were counted as having this
 * unit, and are not read again.
 */
export function commonUnit(
  texts: Iterable<readonly [text: string, times: number]>,
  fitting?: { readonly unit: ColumnUnit; readonly times: number },
): (ColumnUnit & { readonly times: number; readonly hasScaledDecimals: boolean }) | undefined {
  const units = new Map<string, { name: string; areIntegers: boolean; hasScaledDecimals: boolean; times: number }>();
  const add = (name: string, areIntegers: boolean, hasScaledDecimal: boolean, times: number): void => {
    const unit = units.get(unitKey(name)) ?? { name, areIntegers: true, hasScaledDecimals: false, times: 0 };
    unit.areIntegers &&= areIntegers;
    unit.hasScaledDecimals ||= hasScaledDecimal;
    unit.times += times;
    units.set(unitKey(name), unit);
  };
  if (fitting !== undefined) add(fitting.unit.name, fitting.unit.areIntegers, false, fitting.times);
  for (const [text, times] of texts) {
    const measure = ADDRESS_PART.test(text) ? undefined : readMeasure(text);
    if (measure !== undefined)
      add(measure.unit, Number.isSafeInteger(measure.value), measure.hasScaledDecimal && measure.unit === '', times);
  }
  return [...units.values()].sort((a, b) => b.times - a.times)[0];
}
