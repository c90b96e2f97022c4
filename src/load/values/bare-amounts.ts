/**
 * A number with its sign, its currency and its scale, and nothing else beside it: `£51.77`, `1.234,56 €`, `-$5`, `1.2k points`, `Three`,
 * `4.5 out of 5 stars`. Labels and notes around it are left out by numbers.ts.
 */
import { isDigit } from '../../text.js';
import { commonMoneyOf, currencyDecimals, type Money, moneyOf } from './money.js';

/** An amount as a text has it. */
export interface Amount {
  readonly value: number;
  readonly money: Money | undefined;
  /** The power of ten that a scale stands for: 3 of `60k`. */
  readonly exponent?: number;
  /** The word for what the number counts, `ratings`, or the scale that it is of: `out of 5`, `/5`. */
  readonly counted?: string;
  /** A sign stands for no hundredths, as only in prices: `12,-`. */
  readonly hasNoHundredths?: true;
  /** The upper end of a range of prices: 20 of `$10 - $20`. */
  readonly upper?: number;
}

/** Knowledge of the column that a text stands in. */
export interface NumberContext {
  /** A point is the decimal sign, and separates no thousands. */
  readonly hasDecimalPoint?: boolean | undefined;
  /** The currency of the column: `K` in one of kinas, where it stands for no thousand. */
  readonly currency?: string | undefined;
  /** The number is an amount of money, whose currency stands elsewhere: the upper end of `€40.000 – 55.000`. */
  readonly isMoney?: boolean | undefined;
}

export const ALONE: NumberContext = {};

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten'.split(' ');
const COUNTED_UNITS =
  'stars? points? pts votes? upvotes? likes? comments? reply replies reviews? ratings? sternen? étoiles? estrellas? stelle ★';
const COUNTED_UNIT = String.raw`(?:${COUNTED_UNITS.split(' ').map(anyInitial).join('|')})\.?`;
/** `of 5`, also as Amazon writes it in German, French, Spanish, Italian and Vietnamese. */
export const OUT_OF_WORDS = String.raw`(?:out\s+of|of|\/|von|sur|de|su|trên)\s*`;
const OUT_OF = String.raw`${OUT_OF_WORDS}\d+(?:[.,]\d+)?`;
/**
 * An exponent as programs write it, behind a decimal or with a sign of its own: `8.1e-06`, `1e-7`. Without both, `7e3` may be a code, and is
 * read where it stands alone (`readPlainNumber`).
 */
const POWER = /(?:(?<=[.,]\d+)[eE]|[eE](?=[+-]))([+-]?\d{1,3})(?![\p{L}\d])/uy;
/** Groups of digits with separators between them, and a last group of any length. */
const DIGITS = /[.,]?\d+(?:[.,'’\u00a0\u202f ]\d+)*/y;
/** The words and signs for powers of ten: `15 Tsd.`, `1.2 Mio`, `3万`. */
const SCALES: readonly (readonly [exponent: number, words: string])[] = [
  [3, 'k thousand tsd tys тыс тис'],
  [6, 'm mio mln million millions млн'],
  [9, 'bn billion billions mrd mld млрд'],
  [12, 'tn trillion trillions трлн'],
  [5, 'lakh lakhs lac lacs'],
  [7, 'crore crores cr'],
];
const EAST_ASIAN_SCALES: readonly (readonly [exponent: number, signs: string])[] = [
  [4, '万萬만'],
  [8, '億亿억'],
];
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...SCALES.flatMap(([exponent, words]) => words.split(' ').map((word) => [word, exponent] as const)),
  ...EAST_ASIAN_SCALES.flatMap(([exponent, signs]) => [...signs].map((sign) => [sign, exponent] as const)),
]);
const SCALE_WORDS = [...EXPONENTS.keys()]
  .filter((word) => word.length > 2 || word === 'bn' || word === 'tn')
  .map(anyInitial);
/** A scale of three letters or more, `bn`, or a sign. */
export const LONG_SCALE = String.raw`(?:(?:${SCALE_WORDS.join('|')})(?!\p{L})\.?|[${EAST_ASIAN_SCALES.map(([, signs]) => signs).join('')}])`;
const ANY_SCALE = String.raw`(?:[kKmM]|[Cc]r\.?)(?!\p{L})|${LONG_SCALE}`;
/** The text behind the digits: a sign for no hundredths (`12,-`, `12,=`), a scale, a currency, `out of 5`, a unit. */
const BEHIND = new RegExp(
  String.raw`^([.,:](?:[-–—]{1,2}|=))?\s*(${ANY_SCALE})?\s*(\D*?)\s*(${OUT_OF})?\s*(${COUNTED_UNIT})?$`,
  'u',
);
/** A letter before a sign is no part of it: `12 M€` are twelve million, while `M$` may be a currency's. */
const SCALED_SIGN = /^[KM]\s?€$/;
/** Lakhs beside rupees, `₹ 85 L`, and billions and trillions behind a sign of money: `$28.5B`. */
const RUPEES = /^(?:₹|Rs\.?|INR)$/;
const LETTER_EXPONENTS: Readonly<Record<string, number>> = { B: 9, T: 12 };
const letterExponent = (money: string, letter: string): number | undefined =>
  letter === 'L' && RUPEES.test(money) ? 5 : LETTER_EXPONENTS[letter];
const NUMBER_WORD = new RegExp(
  `^(?:star-rating\\s+)?(${NUMBER_WORDS.join('|')})(\\s+${OUT_OF})?(?:\\s+(${COUNTED_UNIT}))?$`,
  'i',
);
const FOR_FREE = /^(?:free|gratis|gr[aá]tis|gratuita?|gratuito|kostenlos|бесплатно|無料|免费)!?$/i;
const STAR_SIGNS = /^(★+)☆*$/;
/** No currency, but the hundredth of one. */
export const CENT = '¢';
const BARE_THREE_BEHIND_COMMA = /^\d{1,3},\d{3}$/;
/** In an amount of money three digits behind a point are thousands: `1.299 €`. */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;

export const endsWithDigit = (text: string): boolean => isDigit(text.charCodeAt(text.length - 1));

/** Where the first digit of a text stands; -1 where it has none. */
export function firstDigitIn(text: string): number {
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) return at;
  return -1;
}

/** Where the first number of a text begins: at a point or comma before its first digit, unless that ends an abbreviation (`Rs.499`). */
function numberStart(text: string): number {
  const at = firstDigitIn(text);
  const before = at > 0 ? text.charAt(at - 1) : '';
  return (before === '.' || before === ',') && !/[\p{L}\d/]$/u.test(text.slice(0, at - 1)) ? at - 1 : at;
}

/** Reads one number with what may stand directly before and behind it. */
export function readBare(text: string, context: NumberContext): Amount | undefined {
  const from = numberStart(text);
  if (from < 0) return readWord(text);
  DIGITS.lastIndex = from;
  const digits = DIGITS.exec(text)?.[0] ?? '';
  const ahead = from === 0 ? NOTHING_AHEAD : readAhead(text.slice(0, from), digits, context);
  if (ahead === undefined) return undefined;
  POWER.lastIndex = from + digits.length;
  const [powerText = '', power] = POWER.exec(text) ?? [];
  const end = from + digits.length + powerText.length;
  const behind = end === text.length ? NOTHING_BEHIND : readBehind(text.slice(end), digits, ahead.money, context);
  if (behind === undefined) return undefined;
  // In `$5 CAD` the code says more than the sign.
  const isByCode = ahead.money?.code === undefined && behind.money?.code !== undefined;
  const money = isByCode ? behind.money : (ahead.money ?? behind.money);
  const isSure = money === undefined || money.strength === 'sure' || isWrittenAsMoney(digits, ahead, behind);
  if (money?.strength === 'letter' && !isSure && money.name !== context.currency) return undefined;
  // A program groups no digits before an exponent: `1.299e-05`.
  const size =
    power === undefined ? readSize(digits, money, behind.hasNoHundredths, context) : Number(digits.replace(',', '.'));
  if (size === undefined || Number.isNaN(size)) return undefined;
  // A dash before a comma stands for no units: `-,89`.
  const isNegative = ahead.isNegative && !digits.startsWith(',');
  const exponent = Number(power ?? 0) + behind.exponent - (money?.name === CENT ? 2 : 0);
  const value = timesTenTo(exponent, isNegative ? -size : size);
  return {
    ...{ value, money: isSure ? money : undefined, exponent: behind.exponent },
    ...(behind.hasNoHundredths && { hasNoHundredths: true }),
    ...(behind.counted !== undefined && { counted: behind.counted }),
  };
}

/** The number that words or stars spell: `Three`, `four out of 5 stars`, `free`, `★★★☆☆`. */
function readWord(text: string): Amount | undefined {
  const [, word, outOf, counted] = NUMBER_WORD.exec(text) ?? [];
  if (word !== undefined)
    return {
      ...{ value: NUMBER_WORDS.indexOf(word.toLowerCase()), money: undefined },
      ...((outOf ?? counted) !== undefined && { counted: outOf ?? counted }),
    };
  if (FOR_FREE.test(text)) return { value: 0, money: undefined };
  const stars = STAR_SIGNS.exec(text)?.[1];
  return stars === undefined ? undefined : { value: stars.length, money: undefined };
}

/** The text behind the first number of a text. */
export function textBehindNumber(text: string): string {
  DIGITS.lastIndex = numberStart(text);
  DIGITS.test(text);
  return text.slice(DIGITS.lastIndex);
}

interface Ahead {
  readonly isNegative: boolean;
  readonly money: Money | undefined;
}

const NOTHING_AHEAD: Ahead = { isNegative: false, money: undefined };

/** A sign stands before or behind the currency: -$5, $-5. A dash with a space before a currency is a bullet of a list. */
function readAhead(untrimmed: string, digits: string, context: NumberContext): Ahead | undefined {
  const text = untrimmed.trim();
  const common = commonMoneyOf(text);
  if (common !== undefined) return { isNegative: false, money: common };
  const [, outer = '', name = '', inner = ''] = AHEAD.exec(text) ?? [];
  if (outer !== '' && inner !== '') return undefined;
  const sign = outer.trim() || inner;
  if (name === '' || name === 'Rated') return { isNegative: isMinus(sign), money: undefined };
  if (/^[-−–]\s/.test(outer)) return undefined;
  const money = commonMoneyOf(name) ?? (mayBeMoneyAhead(name, digits, context) ? moneyOf(name) : undefined);
  // `USD-5` and `Kr-5` are codes of another kind, `USD -5` and `$-5` amounts.
  if (money === undefined || (inner !== '' && /\p{L}.$/u.test(text))) return undefined;
  return { isNegative: isMinus(sign), money };
}

/** A rare abbreviation is looked up where the number is written as money: `Nu. 1,200`, not `Top 10`. */
const mayBeMoneyAhead = (name: string, digits: string, { currency }: NumberContext): boolean =>
  name === currency ||
  !/^[A-Za-z]+\.?$/.test(name) ||
  (name.length <= 5 && (HAS_DECIMALS.test(digits) || HAS_GROUPS.test(digits)));

const AHEAD = /^([-+−–]?\s*)(.*?)\s*:?\s*([-+−–]?)$/;
export const isMinus = (sign: string): boolean => sign !== '' && sign !== '+';

interface Behind {
  readonly hasNoHundredths: boolean;
  readonly exponent: number;
  readonly money: Money | undefined;
  readonly counted?: string | undefined;
}

const NOTHING_BEHIND: Behind = { hasNoHundredths: false, exponent: 0, money: undefined };

function readBehind(
  untrimmed: string,
  digits: string,
  ahead: Money | undefined,
  { currency }: NumberContext,
): Behind | undefined {
  const text = untrimmed.trim();
  const common = SCALED_SIGN.test(text) ? undefined : commonMoneyOf(text);
  if (common !== undefined) return { hasNoHundredths: false, exponent: 0, money: common };
  const parts = BEHIND.exec(text);
  if (parts === null) return undefined;
  const [, dashes, scale = '', name = '', outOf, unit] = parts;
  const hasNoHundredths = dashes !== undefined;
  const exponent = EXPONENTS.get(scale.toLowerCase().replace('.', '')) ?? 0;
  if (name === '' && scale !== '') {
    // In a column of kinas `25 K` is 25. `12 m` is a length.
    if (scale === currency) return { hasNoHundredths, exponent: 0, money: { name: scale, strength: 'letter' } };
    if (scale === 'm' && ahead === undefined && untrimmed.startsWith(' ') && text === 'm') return undefined;
  }
  if (name === '') return { hasNoHundredths, exponent, money: undefined, counted: outOf ?? unit };
  const exponentOfLetter = ahead === undefined ? undefined : letterExponent(ahead.name, name);
  if (exponentOfLetter !== undefined) return { hasNoHundredths, exponent: exponentOfLetter, money: ahead };
  // Letters without a space are a code as often (`12GB`), and so is a single letter (`12.50 L`).
  const isUnlikely = name !== currency && (name.length === 1 ? /[A-Za-z]/.test(name) : /^[A-Za-z]/.test(untrimmed));
  if (isUnlikely && (name.length === 1 || !HAS_CENTS.test(digits)) && commonMoneyOf(name) === undefined)
    return undefined;
  const money = moneyOf(name);
  return money && { hasNoHundredths, exponent, money };
}

/** Cents, or behind a currency thousands in groups or its three decimals: `R1,899.00`, `BD 2.500`, `12,90 KM`; `85,000 KM` is rather a way. */
const isWrittenAsMoney = (digits: string, { money }: Ahead, { hasNoHundredths }: Behind): boolean =>
  hasNoHundredths ||
  HAS_CENTS.test(digits) ||
  (money !== undefined && (HAS_GROUPS.test(digits) || (digits.at(-4) === '.' && currencyDecimals(money) === 3)));

const HAS_CENTS = /[.,]\d\d$/;
const HAS_DECIMALS = /[.,]\d{2,3}$/;
const HAS_GROUPS = /[,'’\u00a0\u202f ]\d{3}\b/;

function readSize(
  digits: string,
  money: Money | undefined,
  hasNoHundredths: boolean,
  { hasDecimalPoint, isMoney = money !== undefined }: NumberContext,
): number | undefined {
  // `12,500 TND` is twelve and a half in Tunis; `12,500 KWD` is twelve thousand five hundred in Kuwait.
  const areEither = hasDecimalPoint !== true && money !== undefined && BARE_THREE_BEHIND_COMMA.test(digits);
  if (areEither && currencyDecimals(money) === 3) return undefined;
  // Before `,-` stand no decimals, whatever the column proves: `1.299,-`.
  const mayHaveThousands = (hasNoHundredths || (isMoney && hasDecimalPoint !== true)) && THOUSANDS.test(digits);
  if (mayHaveThousands && (money === undefined || currencyDecimals(money) < 3)) return Number(digits.replace('.', ''));
  return readDigits(digits);
}

/** Multiplies by way of the decimal text, so that `4.1k` is 4100 and not 4099.9999999999995. */
const timesTenTo = (exponent: number, size: number): number => (exponent === 0 ? size : Number(`${size}e${exponent}`));

const AS_PROGRAMS_WRITE = /^\d*\.?\d+$/;
const WITH_COMMAS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const GROUPED_DIGITS = /^\d{1,3}([.,'’\u00a0\u202f ])\d{3}(?:\1\d{3})*$/;
/** As India writes: `1,09,999`. */
const GROUPED_BY_TWO = /^\d{1,2}(?:,\d\d)+,\d{3}$/;

/**
 * Decides which separators are those of thousands, and which is the decimal sign.
 *
 *     two kinds                      the last one is the decimal sign: 1.234,5
 *     one kind, several times        thousands: 1.234.567
 *     one comma before three digits  thousands: 1,234
 *     one point                      a decimal sign, as programs write it: 1.234
 */
export function readDigits(digits: string): number | undefined {
  if (AS_PROGRAMS_WRITE.test(digits)) return Number(digits);
  if (WITH_COMMAS.test(digits)) return Number(digits.replaceAll(',', ''));
  const separators = digits.replace(/\d/g, '');
  const last = separators.at(-1);
  if (last === undefined) return Number(digits);
  const at = digits.lastIndexOf(last);
  const isSingle = separators.length === 1;
  const hasKinds = new Set(separators).size > 1;
  if (isSingle && last === '.') return Number(digits);
  if (!hasKinds && isGrouped(digits)) return Number(digits.replace(/\D/g, ''));
  if (isSingle && last === ',') return Number(digits.replace(',', '.'));
  if (!hasKinds || (last !== '.' && last !== ',')) return undefined;
  const integerDigits = digits.slice(0, at);
  return isGrouped(integerDigits) ? Number(`${integerDigits.replace(/\D/g, '')}.${digits.slice(at + 1)}`) : undefined;
}

const isGrouped = (digits: string): boolean => GROUPED_DIGITS.test(digits) || GROUPED_BY_TWO.test(digits);

function anyInitial(word: string): string {
  const initial = word.charAt(0);
  return `[${initial}${initial.toUpperCase()}]${word.slice(1)}`;
}
