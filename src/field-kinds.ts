/** The questions about values that the kind and the role of a field answer: how they are compared, sorted, searched and filtered. */
import { type CollectionModel, type Field, type FieldKind, type Filter, isList, isNumeric } from './model.js';

/** Whether a field's values are numbers or moments, which are compared by size. */
export const isOrdered = ({ kind }: Pick<Field, 'kind'>): boolean => isNumeric(kind) || kind === 'date';

/** Whether a field holds long texts, such as contents: these are found by their words, and no index holds them whole. */
export const isLongText = ({ role }: Pick<Field, 'role'>): boolean => role === 'body';

/** Whether an index holds a field's values as texts. */
export const hasTextValues = (field: Pick<Field, 'kind' | 'role'>): boolean =>
  field.kind !== 'json' && !isOrdered(field) && !isLongText(field);

/** Whether records can be sorted by a field: by any but lists and long texts. */
export const isSortable = (field: Pick<Field, 'kind' | 'role'>): boolean =>
  isOrdered(field) || (hasTextValues(field) && !isList(field.kind));

const CURRENCY_NAME = /(?:^|[ _.]|price)currency(?:[ _.]?code)?$/i;

/** Whether a column of the dump names the currency of the amounts beside it: `currency`, `price_currency`. */
export const isCurrencyColumn = ({ kind, part, sourcePath }: Field): boolean =>
  (kind === 'text' || kind === 'code') && part === undefined && CURRENCY_NAME.test(String(sourcePath?.at(-1) ?? ''));

/** Whether a text is a code of ISO 4217, or a sign of money. */
export const isCurrency = (text: unknown): text is string =>
  typeof text === 'string' && /^(?:[A-Z]{3}|\p{Sc})$/u.test(text);

/** Whether a column beside a field may name its currency. */
export const isPricedBeside = ({ kind, role, name }: Field): boolean =>
  isNumeric(kind) && (role === 'price' || name === 'price');

/**
 * The field with the currency of each amount of `field`, where amounts have several: the one of the same source path. A documented price has
 * no source path, so it takes the currency whose column feeds no found field.
 */
export function currencyPartOf({ fields }: CollectionModel, field: Field): Field | undefined {
  const pathText = ({ sourcePath }: Field): string | undefined => sourcePath?.join('\n');
  const isOfColumn = (one: Field, part: Field): boolean => one.part === undefined && pathText(one) === pathText(part);
  return fields.find(
    (part) =>
      part.part === 'currency' &&
      (isOfColumn(field, part) || (field.role === 'price' && !fields.some((other) => isOfColumn(other, part)))),
  );
}

/** A field that a dump brought. A word found in its texts counts once. */
export function foundField(name: string, kind: FieldKind, description: string): Field {
  const filter: Filter = isOrdered({ kind })
    ? { kind: 'range', min: `${name}_gte`, max: `${name}_lte` }
    : { kind: 'value', parameter: name };
  return {
    ...{ name, kind, description },
    ...(kind !== 'json' && { filter }),
    ...((kind === 'text' || kind === 'texts') && { searchWeight: 1 }),
  };
}
