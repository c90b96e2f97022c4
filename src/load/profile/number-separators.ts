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

/** The decimal sign that a text proves of its column: `1.234,50` the comma, `1,234.50` the point. */
export type DecimalSign = 'comma' | 'point';

/** The first text of a column that proves each sign, and whether a text could have either. */
export interface SignProofs {
  readonly comma: string | undefined;
  readonly point: string | undefined;
  readonly areAmbiguous: boolean;
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

const EITHER = /(?<!\d)\d{1,3}[.,]\d{3}(?!\d)/;

/** The decimal sign that a text proves; undefined where it proves none, such as `1.234`, `1,234` and `12`. */
export function provenSign(text: string): DecimalSign | undefined {
  const digits = AMOUNT_DIGITS.exec(text.trim())?.[1];
  return digits === undefined ? undefined : PROOFS.find(([, pattern]) => pattern.test(digits))?.[0];
}

/** Whether a text is another number with either sign: `1.234`, `1,234`. */
export const mayHaveEitherSign = (text: string): boolean => EITHER.test(text) && provenSign(text) === undefined;

export function signProofsIn(values: readonly unknown[]): SignProofs {
  const proofs = new Map<DecimalSign, string>();
  let areAmbiguous = false;
  for (const value of values) {
    if (typeof value !== 'string' || !mayProve(value, proofs.has('point'))) continue;
    const sign = provenSign(value);
    if (sign === undefined) areAmbiguous ||= mayHaveEitherSign(value);
    else if (!proofs.has(sign)) proofs.set(sign, value);
  }
  return { comma: proofs.get('comma'), point: proofs.get('point'), areAmbiguous };
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
}

/** A column that proves both signs is read value by value. */
const onlyComma = ({ comma, point }: SignProofs): string | undefined => (point === undefined ? comma : undefined);

export function decimalSigns<Column extends SignProofs & { readonly name: string }>(
  columns: readonly Column[],
): readonly (Column & ColumnSigns)[] {
  const fileProof = columns.some(({ point }) => point !== undefined)
    ? undefined
    : columns.map(onlyComma).find((proof) => proof !== undefined);
  return columns.map((column) => {
    const isUnproven = column.comma === undefined && column.point === undefined;
    const othersProof = isUnproven ? fileProof : undefined;
    return { ...column, hasDecimalCommas: (othersProof ?? onlyComma(column)) !== undefined, othersProof };
  });
}
