/** Numbers that are computed from those of a field. */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { noHighlighter } from '../../highlight/highlight.js';
import { isMoneyField } from '../../markup/format.js';
import type { Content } from '../../markup/html.js';
import { binningIn } from '../counting/shape.js';
import { cellValue } from '../record/value.js';

/** A mean or a quantile has the digits after the point of the values, or up to this many where they have fewer: 3.94 of ratings such as 4.5. */
const MEAN_DECIMALS = 2;

/** A number or time with the field's unit, as a table has it. */
export const numberValue = (collection: Collection, field: Field, value: number): Content =>
  cellValue(field, field.kind === 'date' ? new Date(value).toISOString() : value, collection, noHighlighter);

/** A mean or a quantile, rounded to the digits that a reader uses. */
export function roundedValue(collection: Collection, field: Field, value: number): Content {
  const { decimals = 0 } = binningIn(collection, field) ?? {};
  const roundedDecimals = isTime(collection, field) ? 0 : isMoneyField(field) ? 2 : Math.max(decimals, MEAN_DECIMALS);
  return numberValue(collection, field, Number(value.toFixed(roundedDecimals)));
}

/** Whether the numbers of a field are dates or years. */
export const isTime = (collection: Collection, field: Field): boolean =>
  field.kind === 'date' || binningIn(collection, field)?.areYears === true;
