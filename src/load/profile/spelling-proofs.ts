/**
 * How a column spells dates and numbers that could be two: the order of day and month, and the decimal sign. The column's own proof
 * decides, else what the other columns of its file prove alike; without proof the month stands first, and the point is decimal.
 *
 *     last_seen   02/01/2024, 13/01/2024    proves day first
 *     added       03/01/2024                day first too, in the same file
 *     price       49,99 €   1.299.900       commas are decimal, points are thousands
 *     sold        1.234                     1234, in the same file
 *     length      3.350     3.3500          the point is decimal: 3.35
 *     fee         1,29      1,299           1.299, which is said: no other value has three decimals
 */
import { type DateOrder, provenOrder, readDate } from '../values/dates.js';
import { type DecimalSign, hasComma, hasPoint, isMoney, readSpelledNumber } from '../values/numbers.js';
import { trimmed } from '../values/texts.js';

/**
 * `day.month`, `month.day`: proven with points. `either end`: the day or the year stands first, `24.03.04`, and `year first`: others show that
 * the year does.
 */
export type OrderProof =
  | 'day first'
  | 'month first'
  | 'year first'
  | 'day.month'
  | 'month.day'
  | 'either order'
  | 'either end';
/**
 * `either sign`: `1.234` alone. `whole or grouped`: `1.299` beside `999`, as of prices without decimals. `three digits in all`: a comma before three digits, as all texts have it: `52,520`, `50,735`.
 * `money with three digits`: `€1.299`, a thousand unless others prove another sign. `other decimals`: beside decimal commas, a number of
 * decimals that is not two.
 */
export type SignProof =
  | DecimalSign
  | 'either sign'
  | 'whole or grouped'
  | 'three digits in all'
  | 'money with three digits'
  | 'other decimals';

/** The first text of a column that proves each, or that could be read in either way. */
export type Proofs<Proof extends string> = Readonly<Partial<Record<Proof, string>>>;

interface ProvenField<Proof extends string> {
  readonly name: string;
  /** The position of the field in the model. */
  readonly index: number;
  readonly proofs: Proofs<Proof>;
}

/** The order that a date proves; `either order` where day or month may stand first, which is asked for only where it is not known. */
export const orderProvenBy = (text: string, isEitherKnown: boolean): OrderProof | undefined =>
  provenOrder(text) ?? (!isEitherKnown && mayBeEither(text) ? 'either order' : undefined);

/** Two numbers before a third, in digits of any script. */
const TWO_NUMBERS = /(?<!\d)\d{1,2}\s?[/-]\s?\d|[\u0660-\u0669\u06f0-\u06f9]/;
const mayBeEither = (text: string): boolean => TWO_NUMBERS.test(text) && readDate(text) === 'order';

/** The order that a short date proves by its sign; none of `24-03-04`, which is read with the year first only. */
const SHORT_PROOFS: Readonly<Record<string, OrderProof | undefined>> = { '.': 'either end', '/': 'either order' };

/** The orders of day and month that the values of a column prove. */
export function orderProofsIn(values: Iterable<unknown>): Proofs<OrderProof> {
  const texts = [...values].filter((value) => typeof value === 'string');
  const proofs: Partial<Record<OrderProof, string>> = {};
  const years = yearsFirst(texts);
  for (const text of texts) {
    const sign = years === undefined ? undefined : SHORT_DATE.exec(text)?.[2];
    const shortProof = years === 'proven' ? 'year first' : SHORT_PROOFS[sign ?? ''];
    const proof = sign === undefined ? orderProvenBy(text, proofs['either order'] !== undefined) : shortProof;
    if (proof !== undefined) proofs[proof] ??= text;
  }
  return proofs;
}

/** Three numbers of two digits, of which the first or the last is the year. */
const SHORT_DATE = /^\s*(\d\d)([./-])(\d\d)\2(\d\d)(?!\d)/;
/** Years of one scrape are near one another; days are not. */
const MAX_SPREAD_OF_YEARS = 2;
const MIN_SPREAD_OF_DAYS = 10;
const MIN_SHORT_DATES = 3;

/**
 * Whether short dates begin with the year. It is proven by a first number that is no day, or by first numbers of several dates that are no
 * months and near one another, before last ones that are not; it is possible where the first number differs less often than the last, which may always be a day.
 *
 *     24.03.04   24.12.31   23.11.15      proven
 *     24.03.04   24.03.05                 possible
 *     24.03.04   12.05.04   01.01.05      undefined
 */
export function yearsFirst(texts: readonly string[]): 'proven' | 'possible' | undefined {
  const dates = texts.flatMap((text) => {
    const [, first, , month, last] = SHORT_DATE.exec(text) ?? [];
    return first === undefined ? [] : [{ first: Number(first), month: Number(month), last: Number(last) }];
  });
  const firsts = dates.map(({ first }) => first);
  const lasts = dates.map(({ last }) => last);
  const areDays = lasts.every((day) => day >= 1 && day <= 31) && dates.every(({ month }) => month <= 12);
  if (dates.length === 0 || !areDays) return undefined;
  const areNoMonths = firsts.length >= MIN_SHORT_DATES && firsts.every((number) => number > 12);
  const isProven = areNoMonths && spreadOf(firsts) <= MAX_SPREAD_OF_YEARS && spreadOf(lasts) >= MIN_SPREAD_OF_DAYS;
  if (isProven || firsts.some((number) => number > 31)) return 'proven';
  return new Set(firsts).size < new Set(lasts).size ? 'possible' : undefined;
}

const spreadOf = (numbers: readonly number[]): number =>
  numbers.reduce((highest, number) => Math.max(highest, number)) -
  numbers.reduce((lowest, number) => Math.min(lowest, number));

export interface DateSpelling extends ProvenField<OrderProof> {
  readonly order: DateOrder;
}

/** `isDayFirst`: what a mapping says of the file. */
export function dateOrders(
  columns: readonly Omit<DateSpelling, 'order'>[],
  isDayFirst: boolean | undefined,
): readonly DateSpelling[] {
  // Columns that prove different orders say nothing about any other.
  const telling = columns.filter(({ proofs }) => 'day first' in proofs !== 'month first' in proofs);
  const areAgreed = new Set(telling.map(({ proofs }) => 'day first' in proofs)).size === 1;
  const fileProofs = areAgreed ? telling[0]?.proofs : undefined;
  return columns.map((column) => {
    const isUnproven = Object.keys(column.proofs).join() === 'either order';
    const proofs = isUnproven ? { ...fileProofs, ...column.proofs } : column.proofs;
    const readsDayFirst = isDayFirst ?? ('day first' in proofs && !('month first' in proofs));
    if (isDayFirst === undefined && 'year first' in proofs) return { ...column, proofs, order: 'year first' };
    return { ...column, proofs, order: readsDayFirst ? 'day first' : monthFirst(proofs) };
  });
}

const monthFirst = (proofs: Proofs<OrderProof>): DateOrder =>
  'month.day' in proofs && !('day.month' in proofs) ? 'month first with points' : 'month first';

/** The number in a text, with the letters and signs of a currency around it. */
const AMOUNT_DIGITS = /^[^\d.,]*(\d[\d.,]*\d|\d|[.,]\d+)(?![\d.,])[^\d]*$/;
/** No group of thousands begins with a zero: `0,750`. */
const SIGN_PROOFS: readonly (readonly [DecimalSign, RegExp])[] = [
  [
    'comma',
    /^(?:\d{1,3}(?:\.\d{3})*|\d+)?,(?:\d{1,2}|\d{4,})$|^0,\d+$|^\d{1,3}(?:\.\d{3}){2,}$|^\d{1,3}(?:\.\d{3})+,\d+$/,
  ],
  [
    'point',
    /^(?:\d{1,3}(?:,\d{2,3})*|\d+)?\.(?:\d{1,2}|\d{4,})$|^0\.\d+$|^\d{1,3}(?:,\d{3}){2,}$|^\d{1,3}(?:,\d{3})+\.\d+$/,
  ],
];
const EITHER_SIGN = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** The decimal sign that a text proves, or that it may have either: `1.234`. Most amounts of money have no three decimals. */
export function signProvenBy(text: string, isMoneyCertain = true): SignProof | undefined {
  const digits = AMOUNT_DIGITS.exec(trimmed(text))?.[1];
  if (digits === undefined) return undefined;
  const sign = SIGN_PROOFS.find(([, pattern]) => pattern.test(digits))?.[0];
  if (sign !== undefined || !EITHER_SIGN.test(digits)) return sign;
  if (!isMoney(text)) return 'either sign';
  // `1.250 KWD` is one and a quarter, as amounts of Kuwait are written.
  if ((readSpelledNumber(text) ?? 0) < 1000) return undefined;
  return isMoneyCertain ? 'money with three digits' : 'either sign';
}

/** Whether a text may prove a sign that is not known. Most numbers have one point, which proves what one before has proved. */
function mayProve(text: string, isPointKnown: boolean): boolean {
  if (text.includes(',')) return true;
  const point = text.indexOf('.');
  return point !== -1 && (!isPointKnown || text.includes('.', point + 1));
}

/** The decimal signs that the values of a column prove. */
export function signProofsIn(values: Iterable<unknown>): Proofs<SignProof> {
  const texts = [...values].filter((value) => typeof value === 'string');
  const proofs: Partial<Record<SignProof, string>> = {};
  // Beside commas, `1.234` may be a thousand, so texts with one point are read further there, also when a point is proven.
  const hasCommas = texts.some((text) => text.includes(','));
  // Where each amount is like `$3.459` or `1,859 €`, these may be prices of a litre, and of a share where all are like `€99.876`.
  const haveThreeDigits = texts.length > 1 && texts.every((text) => THREE_BEHIND_POINT.test(text));
  const mayBeDecimals =
    texts.every((text) => ONE_BEFORE_THREE.test(text)) || (haveThreeDigits && texts.some((text) => ODD_END.test(text)));
  for (const text of texts) {
    const proof = mayProve(text, 'point' in proofs && !hasCommas) ? signProvenBy(text, !mayBeDecimals) : undefined;
    if (proof !== undefined) proofs[proof] ??= text;
    if (proof === 'comma' && OTHER_DECIMALS.test(text)) proofs['other decimals'] ??= text;
  }
  const [first] = texts;
  if (hasCommas && first !== undefined && texts.every((text) => THREE_BEHIND_COMMA.test(text)))
    proofs['three digits in all'] = first;
  const grouped = texts.find((text) => GROUPED.test(text));
  const hasHundreds = texts.some((text) => HUNDREDS.test(text));
  if (grouped !== undefined && hasHundreds && texts.every((text) => WHOLE.test(text) || GROUPED.test(text)))
    proofs['whole or grouped'] = grouped;
  return proofs;
}

const THREE_BEHIND_COMMA = /^[^\d,]*\d{1,3},\d{3}[^\d,]*$/;
/** Beside `2`, `1.859` may be the price of a litre. */
const HUNDREDS = /^\s*\d{3}\s*$/;
const WHOLE = /^\s*\d{1,3}\s*$/;
const GROUPED = /^\s*[1-9]\d{0,2}\.\d{3}\s*$/;
const THREE_BEHIND_POINT = /^\D*\d{1,3}\.\d{3}\D*$/;
/** Prices in whole units end in 0, 5 or 9 mostly. */
const ODD_END = /[1-46-8]\D*$/;
const ONE_BEFORE_THREE = /^\D*\d\.\d{3}\D*$|^\d,\d{3}\D+$/;
const OTHER_DECIMALS = /,(?!\d\d(?!\d))\d+(?![\d.,])/;

/** The text that is read with three decimals behind a comma, where all others have two: `1,299` beside `1,29` may be a thousand. */
export function thirdDecimal(proofs: Proofs<SignProof>): string | undefined {
  if (onlySign(proofs) !== 'comma' || proofs['other decimals'] !== undefined) return undefined;
  return [proofs['either sign'], proofs['money with three digits']].find(
    (text) => text !== undefined && hasComma(text),
  );
}

export interface NumberSpelling extends ProvenField<SignProof> {
  /** Whether its numbers are prices: of these `1.299` beside `999` is a thousand. */
  readonly isPrice: boolean;
  /** Whether amounts of money are among its numbers, which are read otherwise where the decimal point is proven. */
  readonly hasMoney: boolean;
  /** The sign that all proofs show: beside `€1.65`, `€1.599` is no thousand. Undefined where none or both are proven: values are read one by one. */
  readonly sign: DecimalSign | undefined;
  /** The text of another column that proves its decimal commas. */
  readonly othersProof: string | undefined;
  /** Columns of the file prove the decimal point, and none the comma. */
  readonly isPointOfFile: boolean;
}

const provesPoint = (proofs: Proofs<SignProof>): boolean => 'point' in proofs;

/**
 * `otherProofs`: those of ratings and coordinates, which tell only by commas, since programs write many of their points. `hasSemicolons`:
 * semicolons separate the cells, as where the comma is the decimal sign.
 */
export function decimalSigns(
  columns: readonly Omit<NumberSpelling, 'sign' | 'othersProof' | 'isPointOfFile'>[],
  otherProofs: readonly Proofs<SignProof>[],
  hasSemicolons: boolean,
): readonly NumberSpelling[] {
  const ownProofs = columns.map(({ proofs }) => proofs);
  const hasPoints = ownProofs.some(provesPoint);
  const hasOtherPoints = otherProofs.some(provesPoint);
  const tellingProofs = hasOtherPoints ? ownProofs : [...ownProofs, ...otherProofs];
  const thousands = tellingProofs.flatMap((proofs) =>
    provesPoint(proofs) ? [] : (proofs['money with three digits'] ?? []),
  );
  const comma = tellingProofs.find(({ comma: text }) => text !== undefined)?.comma ?? thousands.find(hasPoint);
  return columns.map((column) => {
    const { proofs } = column;
    const isUnproven = proofs.comma === undefined && !provesPoint(proofs);
    const othersProof = isUnproven && !hasPoints ? comma : undefined;
    const isBySemicolons =
      isUnproven &&
      hasSemicolons &&
      !hasPoints &&
      !hasOtherPoints &&
      'three digits in all' in proofs &&
      'either sign' in proofs;
    const isByWhole = isUnproven && column.isPrice && proofs['whole or grouped'] !== undefined;
    const sign = othersProof !== undefined || isBySemicolons || isByWhole ? 'comma' : onlySign(proofs);
    return { ...column, sign, othersProof, isPointOfFile: hasPoints && comma === undefined };
  });
}

function onlySign({ comma, point }: Proofs<SignProof>): DecimalSign | undefined {
  if (comma !== undefined) return point === undefined ? 'comma' : undefined;
  return point === undefined ? undefined : 'point';
}
