/**
 * Whether the comma is the decimal sign in a column of numbers, and points separate thousands: what the column itself proves, else what
 * the other columns of its file prove alike. Without proof `1.234` is one and a bit, and `1,234` more than a thousand.
 *
 *     price   129.900   1.299.900     points are thousands: 129900
 *     weight  0,750     2,5           commas are decimal: 0.75
 *     price   49,99 €                 proves commas for its file
 *     sold    1.234                   1234, in the same file
 *     length  3.350     3.3500        the point is decimal: 3.35
 */

import { isMoney } from '../values/numbers.js';

/** The decimal sign that a text proves of its column: `1.234,50` the comma, `1,234.50` the point. */
export type DecimalSign = 'comma' | 'point';

/** The first text of a column that proves each sign, and the first that could have either. */
export interface SignProofs {
  readonly comma: string | undefined;
  readonly point: string | undefined;
  /** The first text that could have either. */
  readonly ambiguous: string | undefined;
}

/** The number in a text, with the letters and signs of a currency around it. */
const AMOUNT_DIGITS = /^[^\d.,]*(\d[\d.,]*\d|\d|[.,]\d+)(?![\d.,])[^\d]*$/;
/** No group of thousands begins with a zero: `0,750`. */
const PROOFS: readonly (readonly [DecimalSign, RegExp])[] = [
  [
    'comma',
    /^(?:\d{1,3}(?:\.\d{3})*|\d+)?,(?:\d{1,2}|\d{4,})$|^0,\d+$|^\d{1,3}(?:\.\d{3}){2,}$|^\d{1,3}(?:\.\d{3})+,\d+$/,
  ],
  [
    'point',
    /^(?:\d{1,3}(?:,\d{2,3})*|\d+)?\.(?:\d{1,2}|\d{4,})$|^0\.\d+$|^\d{1,3}(?:,\d{3}){2,}$|^\d{1,3}(?:,\d{3})+\.\d+$/,
  ],
];

const EITHER = /^\d{1,3}[.,]\d{3}$/;

const digitsIn = (text: string): string | undefined => AMOUNT_DIGITS.exec(text.trim())?.[1];

/** The decimal sign that a text proves; undefined where it proves none, such as `1.234`, `1,234` and `12`. */
export function provenSign(text: string): DecimalSign | undefined {
  const digits = digitsIn(text);
  return digits === undefined ? undefined : PROOFS.find(([, pattern]) => pattern.test(digits))?.[0];
}

/** Whether a text is another number with either sign: `1.234`, `1,234`. Amounts of money have no three decimals. */
export function mayHaveEitherSign(text: string): boolean {
  const digits = digitsIn(text);
  return digits !== undefined && EITHER.test(digits) && !digits.startsWith('0') && !isMoney(text);
}

export function signProofsIn(values: Iterable<unknown>): SignProofs {
  const texts = [...values].filter((value) => typeof value === 'string');
  const proofs = new Map<DecimalSign, string>();
  let ambiguous: string | undefined;
  // Where a comma occurs, it may be that both signs do.
  const hasCommas = texts.some((text) => text.includes(','));
  for (const text of texts) {
    if (!mayProve(text, proofs.has('point') && !hasCommas)) continue;
    const sign = provenSign(text);
    if (sign === undefined) ambiguous ??= mayHaveEitherSign(text) ? text : undefined;
    else if (!proofs.has(sign)) proofs.set(sign, text);
  }
  return { comma: proofs.get('comma'), point: proofs.get('point'), ambiguous };
}

/** Whether a text may prove a sign that is not known. Most numbers have one point, which proves what one before has proved. */
export function mayProve(text: string, isPointKnown: boolean): boolean {
  if (text.includes(',')) return true;
  const point = text.indexOf('.');
  return point !== -1 && (!isPointKnown || text.includes('.', point + 1));
}

export interface ColumnSigns extends SignProofs {
  readonly name: string;
  readonly hasDecimalCommas: boolean;
  /** The text of another column that proves its decimal commas. */
  readonly othersProof: string | undefined;
  /** Some column of the file proves the decimal point. */
  readonly isPointOfFile: boolean;
}

/** The text that proves the decimal comma of a column; undefined where another proves the point too: such a column is read value by value. */
const commaProofOf = ({ comma, point }: SignProofs): string | undefined => (point === undefined ? comma : undefined);

export function decimalSigns<Column extends SignProofs & { readonly name: string }>(
  columns: readonly Column[],
): readonly (Column & ColumnSigns)[] {
  const isPointOfFile = columns.some(({ point }) => point !== undefined);
  const fileProof = isPointOfFile ? undefined : columns.map(commaProofOf).find((proof) => proof !== undefined);
  return columns.map((column) => {
    const isUnproven = column.comma === undefined && column.point === undefined;
    const othersProof = isUnproven ? fileProof : undefined;
    return {
      ...column,
      hasDecimalCommas: (othersProof ?? commaProofOf(column)) !== undefined,
      othersProof,
      isPointOfFile,
    };
  });
}
