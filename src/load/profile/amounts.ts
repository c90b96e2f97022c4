/** The amounts in the texts of a column, for what is told by them: their currencies, whether most are money, whether some are ranges. */
import type { Amount } from '../values/bare-amounts.js';
import { currencyOf, readAmount, readPlainNumber, type SignCounts, signCounts } from '../values/numbers.js';
import { hasValue, isMost } from '../values/texts.js';
import { factOf } from './facts.js';

/** The amounts in texts that are more than a plain number, which has neither a currency nor an end. */
const amountsIn = factOf((values: readonly unknown[]): readonly Amount[] =>
  values.flatMap((value) =>
    typeof value === 'string' && readPlainNumber(value) === undefined ? (readAmount(value) ?? []) : [],
  ),
);

/** The currencies of a column of amounts, the commonest first: `$`, `€`, `CHF`; values without one are not counted. */
export const currenciesIn = (values: readonly unknown[]): SignCounts =>
  signCounts(amountsIn(values).flatMap((amount) => currencyOf(amount) ?? []));

/** Whether most values of a column are amounts of money. */
export const areMostlyMoney = (values: readonly unknown[]): boolean =>
  isMost(amountsIn(values).filter(({ money }) => money !== undefined).length, values.filter(hasValue).length);

/** Whether a value of a column is a range. */
export const haveRange = (values: readonly unknown[]): boolean =>
  amountsIn(values).some(({ upper }) => upper !== undefined);
