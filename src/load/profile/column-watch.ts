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
import { unitOfMoney } from '../values/measures.js';
import { currencyOf, namedScale, readAmount, readPlainNumber } from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { isPercentage } from '../values/text-forms.js';
import { hasValue, trimmed } from '../values/texts.js';
import { hasDecimalAmount } from '../values/values.js';
import type { ColumnProfile } from './column-profile.js';
import { Decimals, INTEGER_TEXT, KindCounts, mayBeNoNumber } from './kind-counts.js';
import { orderProvenBy, signProvenBy } from './spelling-proofs.js';

/** Different values of a column that are counted one by one; further ones are added to its counts at once. */
const MAX_COUNTED_VALUES = 10_000;
/** Stands for them: a text. */
const FURTHER_VALUES = '…';
/** Different shapes of texts in a column that are remembered; texts of further shapes, and longer texts, are read each time. */
const MAX_SHAPES = 10_000;
const MAX_SHAPE_CHARS = 200;
/** Facts of a column that are known; a column with more has no one decision. */
const MAX_FACTS = 100;

/** A double has no more digits behind the point, unless it begins with zeros. */
const MAX_DOUBLE_DECIMALS = 17;
const THREE_DECIMALS = 3;

/** A value that may overturn the kind of its column, and how often it occurs. */
export interface OddValue {
  count: number;
  /** Whether the field has null in its place. */
  readonly isUnreadable: boolean;
}

/**
 * The facts that values of a column show. A fact only says that the rules have to be asked again, so it is a name: `day first`, `comma`,
 * `currency $`, `percentage`.
 */
class ColumnFacts {
  /** Later values, the first for each fact that no sampled value shows. */
  readonly examples: unknown[] = [];
  readonly #field: Field;
  readonly #isId: boolean;
  readonly #known = new Set<string>();
  /** The shapes of texts whose facts are known. */
  readonly #shapes = new Set<string>();

  constructor(field: Field, isId: boolean, profile: ColumnProfile | undefined) {
    this.#field = field;
    this.#isId = isId;
    for (const value of profile?.counts.keys() ?? []) this.add(value);
    this.examples.length = 0;
  }

  has(fact: string): boolean {
    return this.#known.has(fact);
  }

  /** Takes a value; one with a new fact is an example. */
  add(value: unknown): void {
    if (this.#known.size >= MAX_FACTS) return;
    for (const fact of this.#factsOf(value)) if (fact !== undefined) this.addFact(fact, value);
  }

  addFact(fact: string, value: unknown): void {
    if (this.#known.has(fact)) return;
    this.#known.add(fact);
    // A value that shows several facts is one example.
    if (this.examples.at(-1) !== value) this.examples.push(value);
  }

  #factsOf(value: unknown): readonly (string | undefined)[] {
    if (this.#isId) return mayBeNoNumber(value) ? ['code'] : [];
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    if (isNumeric(this.#field.kind) && isPlainObject(inner) && hasDecimalAmount(inner)) return ['decimal amount'];
    if (typeof value !== 'string') return [];
    if (this.#field.kind === 'date') return [orderProvenBy(value, this.#known.has('either order'))];
    return isNumeric(this.#field.kind) && this.#isNewShape(value) ? this.#factsOfNumber(value) : [];
  }

  /** Texts of one shape show the same of their column: `$1.99` and `$9.05`, but not `0,750` and `1,750`, `4/5` and `4/6`. */
  #isNewShape(text: string): boolean {
    if (text.length > MAX_SHAPE_CHARS) return true;
    const end = text.search(/\d\D*?[/\p{L}]/u) + 1 || text.length;
    const shape = text.slice(0, end).replace(/(?<=\d)\d|[1-9]/g, '9') + text.slice(end);
    if (this.#shapes.has(shape)) return false;
    if (this.#shapes.size < MAX_SHAPES) this.#shapes.add(shape);
    return true;
  }

  #factsOfNumber(text: string): readonly (string | undefined)[] {
    const sign = signProvenBy(text);
    if (readPlainNumber(text) !== undefined) return [sign];
    if (isPercentage(text)) return [sign, 'percentage'];
    const amount = readAmount(text);
    if (amount === undefined) return [sign];
    const currency = currencyOf(amount);
    const { role, currency: ofColumn } = this.#field;
    const measure = role === 'rating' ? namedScale(text) : (role === 'price' || ofColumn) && unitOfMoney(text);
    return [
      sign,
      amount.upper === undefined ? undefined : 'range',
      currency && `currency ${currency}`,
      measure && `measure ${measure}`,
    ];
  }
}

/** The odd values of a field's column, and those that show something of it which the sample does not. */
export class ColumnWatch {
  readonly #isNumber: boolean;
  /** Integers without a unit. */
  readonly #isPlainInteger: boolean;
  readonly #isId: boolean;
  readonly #watchesKind: boolean;
  readonly #odd = new Map<unknown, OddValue>();
  readonly #facts: ColumnFacts;
  /** The canonical numbers with a point in texts. */
  readonly #decimals = new Decimals();

  /**
   * `profile`: the sampled values. `watchesKind`: whether the column's kind may be overturned, that of a found field which no mapping gives.
   */
  constructor(field: Field, index: number, profile: ColumnProfile | undefined, watchesKind: boolean) {
    const { kind, unit } = field;
    this.#isNumber = isNumeric(kind);
    this.#isPlainInteger = kind === 'integer' && unit === undefined;
    this.#isId = index === ID_FIELD;
    this.#watchesKind = watchesKind;
    this.#facts = new ColumnFacts(field, this.#isId, profile);
  }

  /** Whether something about the column of a field may be overturned. Parts are read from the column of another field. */
  static watches({ kind, part }: Field): boolean {
    return part === undefined && (kind === 'date' || kind === 'boolean' || isNumeric(kind));
  }

  /** Whether an integer of any size has to be looked at: one that no double holds is a code. */
  get watchesLongIntegers(): boolean {
    return this.#watchesKind || this.#isId;
  }

  /** Looks at a value that is not canonical; returns it where it is odd, so that equal ones can be counted. */
  look(raw: unknown, isUnreadable: boolean): OddValue | undefined {
    this.#facts.add(raw);
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
    if (this.#facts.has('point') || bytes[end - 1 - THREE_DECIMALS] === POINT) return;
    this.#facts.addFact('point', bytes.toString('latin1', start, end));
  }

  /** The first values that show something of the column which the sample does not. */
  get examples(): readonly unknown[] {
    return this.#facts.examples;
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
