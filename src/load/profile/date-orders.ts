/**
 * The order of day and month in each column of dates: what the column itself proves, else what the other ones of its file prove
 * alike, else month first.
 *
 *     last_seen   02/01/2024, 13/01/2024    proves day first
 *     added       03/01/2024                day first too, in the same file
 */
import { type DateOrder, provenOrder, readDate } from '../values/dates.js';

/** Counts over the sampled dates of a column. */
export interface DateProofs {
  /** The first date that proves each order. */
  readonly dayFirst: string | undefined;
  readonly monthFirst: string | undefined;
  /** Whether a date could be either. */
  readonly areAmbiguous: boolean;
}

export interface ColumnDates extends DateProofs {
  readonly name: string;
  readonly order: DateOrder;
}

/** The order of day and month that the values of a column prove. */
export function dateProofsIn(values: Iterable<unknown>): DateProofs {
  const texts = [...values].filter((value) => typeof value === 'string');
  const proofs = new Map<DateOrder, string>();
  let areAmbiguous = false;
  const beginWithYear = beginWithYears(texts);
  for (const text of texts) {
    if (beginWithYear && SHORT_DATE.test(text)) {
      areAmbiguous = true;
      continue;
    }
    const order = provenOrder(text);
    if (order === undefined) areAmbiguous ||= mayBeEither(text);
    else if (!proofs.has(order)) proofs.set(order, text);
  }
  return { dayFirst: proofs.get('day first'), monthFirst: proofs.get('month first'), areAmbiguous };
}

/** Three numbers of two digits, of which the first or the last is the year. */
const SHORT_DATE = /^\s*(\d\d)\/(\d\d)\/(\d\d)(?!\d)/;

/** Whether short dates begin with the year, `24/03/05`: their first number differs less often than the last, which may always be a day. */
export function beginWithYears(texts: readonly string[]): boolean {
  const numbers = texts.flatMap((text) => (SHORT_DATE.exec(text) ?? []).slice(1).map(Number));
  const at = (position: number): readonly number[] => numbers.filter((_, index) => index % 3 === position);
  const mayBe = at(1).every((month) => month <= 12) && at(2).every((day) => day >= 1 && day <= 31);
  return numbers.length > 0 && mayBe && new Set(at(0)).size < new Set(at(2)).size;
}

/** Two numbers before a third, in digits of any script. */
const TWO_NUMBERS = /(?<!\d)\d{1,2}\s?[/-]\s?\d|[\u0660-\u0669\u06f0-\u06f9]/;

/** Whether either of day and month may stand first in a date: `03/04/2024`. */
export const mayBeEither = (text: string): boolean => TWO_NUMBERS.test(text) && readDate(text) === 'order';

/** `isDayFirst`: what a mapping says of the file. */
export function dateOrders<Column extends DateProofs & { readonly name: string }>(
  columns: readonly Column[],
  isDayFirst: boolean | undefined,
): readonly (Column & ColumnDates)[] {
  // Columns that prove different orders say nothing about any other.
  const telling = columns.filter(({ dayFirst, monthFirst }) => (dayFirst === undefined) !== (monthFirst === undefined));
  const areAgreed = telling.every(({ dayFirst }) => (dayFirst === undefined) === (telling[0]?.dayFirst === undefined));
  const fileProof = areAgreed ? telling[0] : undefined;
  return columns.map((column) => {
    const isUnproven = column.dayFirst === undefined && column.monthFirst === undefined && column.areAmbiguous;
    const { dayFirst, monthFirst } = isUnproven && fileProof !== undefined ? fileProof : column;
    const readsDayFirst = isDayFirst ?? (dayFirst !== undefined && monthFirst === undefined);
    const order: DateOrder = readsDayFirst ? 'day first' : 'month first';
    return { ...column, dayFirst, monthFirst, order };
  });
}
