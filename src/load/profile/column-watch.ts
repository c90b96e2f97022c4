/**
 * What records behind the sample hold that may decide otherwise about a column than the sample did. Only values are looked at that are
 * no canonical value of their field, or that feed no field; values that fit are counted by others.
 *
 *     zip    10000 … 19999, then 02138     a leading zero: codes, and no integers
 *     seen   02/03/2024 …, then 13/03/2024 the day stands first
 *     notes  blank …, then "as new"        a column whose first value comes late
 */

import { POINT } from '../../kernels/ascii.js';
import { type Field, ID_FIELD, isNumeric } from '../../model.js';
import { currencyOf, readAmount } from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { isPercentage } from '../values/text-forms.js';
import { hasValue, trimmed } from '../values/texts.js';
import { hasDecimalAmount } from '../values/values.js';
import { Decimals, INTEGER_TEXT, KindCounts, mayBeNoNumber } from './kind-counts.js';
import { mayProve, type OrderProof, orderProvenBy, type SignProof, signProvenBy } from './spelling-proofs.js';

/** Different values of a column that are counted one by one; further ones are added to its counts at once. */
const MAX_COUNTED_VALUES = 10_000;
/** Stands for them: a text. */
const FURTHER_VALUES = '…';

/** A double has no more digits behind the point, unless it begins with zeros. */
const MAX_DOUBLE_DECIMALS = 17;
const THREE_DECIMALS = 3;
const RANGE_SIGN = /[–—-]|to|bis/;

/** A value that may overturn the kind of its column, and how often it occurs. */
export interface OddValue {
  count: number;
  /** Whether the field has null in its place. */
  readonly isUnreadable: boolean;
}

/** The facts that one value may prove of its column. */
export type Proven =
  | OrderProof
  | SignProof
  | 'code'
  | 'percentage'
  | 'range'
  | 'currency'
  | 'other currency'
  | 'decimal amount'
  | 'other measure';

/** The odd values of a field's column, and the first value that proves each order of day and month, each decimal sign, or codes. */
export class ColumnWatch {
  readonly #isDate: boolean;
  readonly #isNumber: boolean;
  /** Integers without a unit. */
  readonly #isPlainInteger: boolean;
  readonly #isId: boolean;
  readonly #watchesKind: boolean;
  readonly #odd = new Map<unknown, OddValue>();
  /** The first value behind the sample that proves each; undefined for what the sample proves. */
  readonly #proofs: Map<Proven, unknown>;
  /** The canonical numbers with a point in texts. */
  readonly #decimals = new Decimals();
  /** Whether a text is known that proves the decimal point. */
  #hasPoint: boolean;
  /** The currency of the column's amounts; undefined while none has one. */
  #currency: string | undefined;
  readonly #isOtherMeasure: (text: string) => boolean;

  /**
   * `known`: what the sample proves. `watchesKind`: whether the column's kind may be overturned, that of a found field which no mapping
   * gives. `isOtherMeasure`: whether a text names another measure than the sampled amounts have.
   */
  constructor(
    { kind, currency, unit }: Field,
    index: number,
    known: readonly Proven[],
    watchesKind: boolean,
    isOtherMeasure: (text: string) => boolean = () => false,
  ) {
    this.#proofs = new Map(known.map((proven) => [proven, undefined]));
    this.#isDate = kind === 'date';
    this.#isNumber = isNumeric(kind);
    this.#isPlainInteger = kind === 'integer' && unit === undefined;
    this.#isId = index === ID_FIELD;
    this.#watchesKind = watchesKind;
    this.#hasPoint = known.includes('point');
    this.#currency = currency;
    this.#isOtherMeasure = isOtherMeasure;
  }

  /** Whether something about the column of a field may be overturned. */
  static watches({ kind }: Field): boolean {
    return kind === 'date' || kind === 'boolean' || isNumeric(kind);
  }

  /** Whether an integer of any size has to be looked at: one that no double holds is a code. */
  get watchesLongIntegers(): boolean {
    return this.#watchesKind || this.#isId;
  }

  /** Looks at a value that is not canonical; returns it where it is odd, so that equal ones can be counted. */
  look(raw: unknown, isUnreadable: boolean): OddValue | undefined {
    if (typeof raw === 'string') {
      if (this.#isDate && !this.#proofs.has('year first'))
        this.#prove(orderProvenBy(raw, this.#proofs.has('either order')), raw);
      else if (this.#isNumber && !this.#isId) {
        this.#lookAtSign(raw);
        this.#lookAtRange(raw);
        this.#lookAtCurrency(raw);
        if (isUnreadable && isPercentage(raw)) this.#prove('percentage', raw);
        if (!this.#proofs.has('other measure') && this.#isOtherMeasure(raw)) this.#prove('other measure', raw);
      }
    }
    const inner: unknown = Array.isArray(raw) ? raw[0] : raw;
    if (this.#isNumber && isPlainObject(inner) && hasDecimalAmount(inner)) this.#prove('decimal amount', raw);
    if (this.#isId && mayBeNoNumber(raw)) this.#prove('code', raw);
    if (!this.#watchesKind || !(isUnreadable || this.#isOdd(raw)) || !hasValue(raw)) return undefined;
    return this.#countOdd(typeof raw === 'object' ? JSON.stringify(raw) : raw, isUnreadable);
  }

  /** Whether a value that fits may make another kind of its column: a code of one of numbers, an amount (`$5`) a number of an integer. */
  #isOdd(raw: unknown): boolean {
    if (!this.#isNumber) return false;
    return mayBeNoNumber(raw) || (this.#isPlainInteger && typeof raw === 'string' && !INTEGER_TEXT.test(trimmed(raw)));
  }

  /** Looks at the digits behind the point of a canonical number that stands in a text. */
  lookAtDecimals(bytes: Buffer, start: number, end: number): void {
    let digits = 1;
    while (digits < MAX_DOUBLE_DECIMALS && bytes[end - 1 - digits] !== POINT) digits++;
    this.#decimals.addDigits(digits);
    if (this.#hasPoint || bytes[end - 1 - THREE_DECIMALS] === POINT) return;
    this.#hasPoint = true;
    this.#prove('point', bytes.toString('latin1', start, end));
  }

  /** The first values that prove something of the column. */
  get proofs(): readonly unknown[] {
    return [...this.#proofs.values()].filter((value) => value !== undefined);
  }

  get hasOddValues(): boolean {
    return this.#odd.size > 0;
  }

  /** The counts over all values, `present` of which the field has; `sample` tells how those are written that fit. */
  kindsOfAll({ kind }: Field, present: number, sample: KindCounts): KindCounts {
    const kinds = new KindCounts();
    let fitting = present;
    for (const [value, { count, isUnreadable }] of this.#odd) {
      kinds.add(value, count);
      if (!isUnreadable) fitting -= count;
    }
    kinds.addFitting(kind, Math.max(0, fitting), sample);
    kinds.decimals.addAll(this.#decimals);
    return kinds;
  }

  #prove(what: Proven | undefined, raw: unknown): void {
    if (what !== undefined && !this.#proofs.has(what)) this.#proofs.set(what, raw);
  }

  #lookAtSign(raw: string): void {
    if (!mayProve(raw, this.#hasPoint)) return;
    const sign = signProvenBy(raw);
    if (sign === 'point') this.#hasPoint = true;
    this.#prove(sign, raw);
  }

  /** The first range has a field for its upper end. */
  #lookAtRange(raw: string): void {
    if (this.#proofs.has('range') || !RANGE_SIGN.test(raw)) return;
    if (readAmount(raw)?.upper !== undefined) this.#prove('range', raw);
  }

  /** A second currency has a field for the currencies. */
  #lookAtCurrency(raw: string): void {
    const knownCurrency = this.#currency;
    if (this.#proofs.has('other currency')) return;
    // Letters beside the sign of the column may make another one of it: `HK$1.50`, `$1.50 MXN`.
    if (knownCurrency !== undefined && raw.includes(knownCurrency) && !/[A-Z]/.test(raw.replace(knownCurrency, '')))
      return;
    const currency = currencyOf(readAmount(raw));
    if (currency === undefined || currency === knownCurrency) return;
    this.#prove(knownCurrency === undefined ? 'currency' : 'other currency', raw);
    this.#currency ??= currency;
  }

  #countOdd(value: unknown, isUnreadable: boolean): OddValue | undefined {
    const isCounted = this.#odd.size < MAX_COUNTED_VALUES || this.#odd.has(value);
    // A single code overturns a column of numbers: how many more there are is of no interest.
    if (!isCounted && !isUnreadable) return undefined;
    const key = isCounted ? value : FURTHER_VALUES;
    const oddValue = this.#odd.get(key) ?? { count: 0, isUnreadable };
    oddValue.count++;
    this.#odd.set(key, oddValue);
    return oddValue;
  }
}
