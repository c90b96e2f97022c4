/** The amounts in the texts of a column: their currencies, how many are money, and whether some are ranges. */
import { currencyOf, readAmount, readPlainNumber, type SignCounts, sortedCounts } from '../values/numbers.js';
import type { ValueCounts } from '../values/value-counts.js';

export interface AmountCounts {
  /** The currencies, the commonest first: `$`, `€`, `CHF`; values without one are not counted. */
  readonly currencies: SignCounts;
  /** Amounts with a currency, or of cents. */
  readonly money: number;
  readonly hasRanges: boolean;
}

/** A plain number has neither a currency nor an upper end. */
export function amountsIn(counts: ValueCounts): AmountCounts {
  const currencies = new Map<string, number>();
  let money = 0;
  let hasRanges = false;
  for (const [value, times] of counts) {
    const amount = typeof value === 'string' && readPlainNumber(value) === undefined ? readAmount(value) : undefined;
    const currency = currencyOf(amount);
    if (amount?.money !== undefined) money += times;
    if (amount?.upper !== undefined) hasRanges = true;
    if (currency !== undefined) currencies.set(currency, (currencies.get(currency) ?? 0) + times);
  }
  return { currencies: sortedCounts(currencies), money, hasRanges };
}
