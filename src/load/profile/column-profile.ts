/**
 * The profile of a column: counts over its values. Whatever decides about a column reads its profile, so that there is one notion of a
 * number, of a code and of most. Each part is counted once, when something asks for it: only a column of numbers needs amounts.
 */
import type { Field } from '../../model.js';
import { unitOfMoney } from '../values/measures.js';
import { maySignify } from '../values/money.js';
import { currencyOf, readAmount, readPlainNumber, type SignCounts, sortedCounts } from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { hasValue, trimmed } from '../values/texts.js';
import { countsOf, TestedCounts, type ValueCounts } from '../values/value-counts.js';
import { KindCounts } from './kind-counts.js';
import { ReadingCounts } from './reading-counts.js';
import { type OrderProof, orderProofsIn, type Proofs, type SignProof, signProofsIn } from './spelling-proofs.js';
import { type TextCounts, textsIn } from './text-counts.js';

export class ColumnProfile {
  /** Counts of all values that are not null: blank texts, and words for a missing one such as `n/a`, are among them. */
  readonly counts: ValueCounts;
  /** Counts of the same values without these two, and without empty lists. */
  readonly values: TestedCounts<keyof typeof VALUE_TESTS>;
  #kinds: KindCounts | undefined;
  #amounts: AmountCounts | undefined;
  #orders: Proofs<OrderProof> | undefined;
  #signs: Proofs<SignProof> | undefined;
  #texts: TextCounts | undefined;
  readonly #readings = new Map<Field, ReadingCounts>();

  constructor(values: Iterable<unknown>) {
    this.counts = countsOf(values);
    this.values = new TestedCounts(new Map([...this.counts].filter(([value]) => hasValue(value))), VALUE_TESTS);
  }

  get present(): number {
    return this.values.total;
  }

  /** The counts that decide the column's kind. */
  get kinds(): KindCounts {
    this.#kinds ??= kindsIn(this.counts);
    return this.#kinds;
  }

  get amounts(): AmountCounts {
    this.#amounts ??= amountsIn(this.counts);
    return this.#amounts;
  }

  /** The orders of day and month that dates prove. */
  get orders(): Proofs<OrderProof> {
    this.#orders ??= orderProofsIn(this.counts.keys());
    return this.#orders;
  }

  /** The decimal signs that numbers prove. */
  get signs(): Proofs<SignProof> {
    this.#signs ??= signProofsIn(this.counts.keys());
    return this.#signs;
  }

  get texts(): TextCounts {
    this.#texts ??= textsIn(this.values.values);
    return this.#texts;
  }

  /** Whether all values are texts. */
  get areTexts(): boolean {
    return this.present > 0 && this.texts.total === this.present;
  }

  /** Counts over the values as a field would read them in a file that is CSV or not. */
  readAs(field: Field, isCsv: boolean): ReadingCounts {
    const counts = this.#readings.get(field) ?? new ReadingCounts(field, this.values.values, isCsv);
    this.#readings.set(field, counts);
    return counts;
  }
}

function kindsIn(counts: ValueCounts): KindCounts {
  const kinds = new KindCounts();
  for (const [value, times] of counts) kinds.add(value, times);
  return kinds;
}

/** The amounts in the texts of a column. */
interface AmountCounts {
  /** The currencies, the commonest first: `$`, `€`, `CHF`; values without one are not counted. */
  readonly currencies: SignCounts;
  /** The commonest spelling of a currency, by each of its spellings: `€` for `EUR`. */
  readonly currencyNames: ReadonlyMap<string, string>;
  /** Amounts with a currency, or of cents. */
  readonly money: number;
  readonly hasRanges: boolean;
  /** The units that amounts of money are for, as `mo` and `night`; those without one count as well. */
  readonly units: SignCounts;
}

/** A plain number has neither a currency nor an upper end. */
function amountsIn(counts: ValueCounts): AmountCounts {
  const spellings = new Map<string, CountedMoney>();
  let money = 0;
  let hasRanges = false;
  const units = new Map<string, number>();
  for (const [value, times] of counts) {
    if (typeof value !== 'string' || readPlainNumber(value) !== undefined) continue;
    const amount = readAmount(value);
    if (amount?.money !== undefined || amount?.hasNoHundredths === true) {
      const unit = unitOfMoney(value) ?? 'without one';
      units.set(unit, (units.get(unit) ?? 0) + times);
    }
    const currency = currencyOf(amount);
    if (amount?.money !== undefined) money += times;
    if (amount?.upper !== undefined) hasRanges = true;
    if (currency !== undefined)
      spellings.set(currency, { code: amount?.money?.code, times: (spellings.get(currency)?.times ?? 0) + times });
  }
  return { ...currenciesOf(spellings), money, hasRanges, units: sortedCounts(units) };
}

interface CountedMoney {
  readonly code: string | undefined;
  readonly times: number;
}

/** The currencies of spellings: `$` is USD where that is there as well, and neither CAD nor `CA$`. */
function currenciesOf(
  spellings: ReadonlyMap<string, CountedMoney>,
): Pick<AmountCounts, 'currencies' | 'currencyNames'> {
  const codes = new Set([...spellings.values()].flatMap(({ code }) => code ?? []));
  /** The only code that a sign may stand for, unless another spelling ends with the sign: beside `CA$`, `$` is that of the United States. */
  const codeOfSign = (sign: string): string | undefined => {
    const [code, ...others] = [...codes].filter((each) => maySignify(sign, each));
    if (code === undefined || others.length > 0) return undefined;
    const isOtherSign = (other: string): boolean =>
      other !== sign && other.endsWith(sign) && (code !== 'USD' || !maySignify(other, code));
    return [...spellings.keys()].some(isOtherSign) ? undefined : code;
  };
  const namesByCode = new Map<string, string>();
  const currencyNames = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const [spelling, { code, times }] of [...spellings].sort(([, a], [, b]) => b.times - a.times)) {
    const key = code ?? codeOfSign(spelling) ?? spelling;
    const name = namesByCode.get(key) ?? spelling;
    namesByCode.set(key, name);
    currencyNames.set(spelling, name);
    counts.set(name, (counts.get(name) ?? 0) + times);
  }
  return { currencies: sortedCounts(counts), currencyNames };
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

const VALUE_TESTS = {
  numbers: isNumber,
  numbersAndTheirLists: (value: unknown) => isNumber(value) || (Array.isArray(value) && value.every(isNumber)),
  objects: isPlainObject,
  structures: (value: unknown) => isPlainObject(value) || Array.isArray(value),
  /** `0049` */
  leadingZeros: (value: unknown) => typeof value === 'string' && /^0\d/.test(trimmed(value)),
  /** Integers that no double holds, in JSON or in texts. */
  longIntegers: (value: unknown) =>
    typeof value === 'string'
      ? /^\s*\d{16,}\s*$/.test(value) && !Number.isSafeInteger(Number(value))
      : typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value)),
} satisfies Readonly<Record<string, (value: unknown) => boolean>>;
