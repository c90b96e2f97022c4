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

/** What a text proves of its column: `comma`, that the comma is the decimal sign; `point`, that the point is. */
export type DecimalSign = 'comma' | 'point';

/** The first text that proves each sign. */
export type SignProofs = ReadonlyMap<DecimalSign, string>;

/** The number in a text, with the letters and signs of a currency around it. */
const NUMBER = /^[^\d.,]*(\d[\d.,]*\d|\d|[.,]\d+)(?![\d.,])[^\d]*$/;
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

/** The decimal sign that a text proves; undefined where it proves none, such as `1.234`, `1,234` and `12`. */
export function provenSign(text: string): DecimalSign | undefined {
  const digits = NUMBER.exec(text.trim())?.[1];
  return digits === undefined ? undefined : PROOFS.find(([, pattern]) => pattern.test(digits))?.[0];
}

export function signProofsIn(values: readonly unknown[]): SignProofs {
  const proofs = new Map<DecimalSign, string>();
  for (const value of values) {
    if (typeof value !== 'string' || !mayProve(value, proofs.has('point'))) continue;
    const sign = provenSign(value);
    if (sign !== undefined && !proofs.has(sign)) proofs.set(sign, value);
  }
  return proofs;
}

/** Whether a text may prove a sign that is not known. Most numbers have one point, which proves what one before has proved. */
export function mayProve(text: string, isPointKnown: boolean): boolean {
  if (text.includes(',')) return true;
  const point = text.indexOf('.');
  return point !== -1 && (!isPointKnown || text.includes('.', point + 1));
}

interface ColumnProofs {
  readonly name: string;
  readonly proofs: SignProofs;
  /** Whether it is read as another column of its file proves, where it proves nothing itself. */
  readonly takesOthersProof: boolean;
}

export interface ColumnSigns {
  readonly name: string;
  readonly proofs: SignProofs;
  readonly hasDecimalCommas: boolean;
  /** The text of another column that proves its decimal commas. */
  readonly othersProof: string | undefined;
}

/** A column that proves both signs is read value by value. */
const onlyComma = (proofs: SignProofs): string | undefined => (proofs.has('point') ? undefined : proofs.get('comma'));

export function decimalSigns<Column extends ColumnProofs>(
  columns: readonly Column[],
): readonly (Column & ColumnSigns)[] {
  const fileProof = columns.some(({ proofs }) => proofs.has('point'))
    ? undefined
    : columns.map(({ proofs }) => onlyComma(proofs)).find((proof) => proof !== undefined);
  return columns.map((column) => {
    const { proofs, takesOthersProof } = column;
    const othersProof = proofs.size === 0 && takesOthersProof ? fileProof : undefined;
    return { ...column, hasDecimalCommas: (othersProof ?? onlyComma(proofs)) !== undefined, othersProof };
  });
}
