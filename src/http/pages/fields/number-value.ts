/** Numbers that are computed from those of a field. */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { noHighlighter } from '../../highlight/highlight.js';
import { isMoneyField } from '../../markup/format.js';
import type { Content } from '../../markup/html.js';
import { cellValue } from '../record/value.js';

/** Digits of a mean: 1,205.73 of 1205.7331. */
const MEAN_DIGITS = 6;
/** The last digits of a sum of decimals are of the arithmetic: 599.1450000000001. */
export const EXACT_DIGITS = 12;

/** A number or time with the field's unit, as a table has it. */
export const numberValue = (collection: Collection, field: Field, value: number): Content =>
  cellValue(field, field.kind === 'date' ? new Date(value).toISOString() : value, collection, noHighlighter);

/** The middle of two numbers of a field. */
export const medianValue = (collection: Collection, field: Field, median: number): Content =>
  computedValue(collection, field, Number(median.toPrecision(EXACT_DIGITS)));

/** A mean, rounded to the digits that a reader uses; a larger one as a whole number. */
export const meanValue = (collection: Collection, field: Field, mean: number): Content =>
  computedValue(
    collection,
    field,
    Math.abs(mean) >= 10 ** MEAN_DIGITS ? Math.round(mean) : Number(mean.toPrecision(MEAN_DIGITS)),
  );

const computedValue = (collection: Collection, field: Field, value: number): Content =>
  numberValue(
    collection,
    field,
    field.kind === 'date' ? Math.round(value) : isMoneyField(field) ? Number(value.toFixed(2)) : value,
  );
