/** The fields that a page of groups offers: those whose values make groups, and the numbers that are summed up in each. */
import { type Field, ID_FIELD, isNumeric } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { isMoneyField } from '../../markup/format.js';
import { memoize } from '../../memoize.js';
import { distinctCount, hasValues, isIdentity, isRepeated, offeredFields } from '../counting/offered-fields.js';

interface GroupChoices {
  /** Fields of values that several records share, the most useful first. */
  readonly by: readonly Field[];
  /** Numbers and dates, the most useful first. */
  readonly measured: readonly Field[];
}

export const groupChoices = memoize((collection: Collection): GroupChoices => {
  const { main, more } = offeredFields(collection);
  const { fields } = collection.model;
  const suggestedFields = [...main, ...more];
  const present = fields.filter((field) => hasValues(collection, field) && !suggestedFields.includes(field));
  const useful = [...suggestedFields, ...present];
  return {
    by: useful.filter((field) => field.filter?.kind === 'value' && isRepeated(collection, field)),
    measured: useful.filter(
      (field) => field.filter?.kind === 'range' && field !== fields[ID_FIELD] && !isIdentity(collection, field),
    ),
  };
});

/** The field by whose values records are grouped where nobody chose one: the first with several values, and not too many. */
export function usualGrouping(collection: Collection): Field | undefined {
  const { by } = groupChoices(collection);
  const isUsual = (field: Field): boolean => {
    const distinct = distinctCount(collection, field);
    return field.kind !== 'url' && distinct > 2 && distinct <= Math.max(50, collection.size / 10);
  };
  return (
    by.find((field) => field.role === 'category' && isUsual(field)) ??
    by.find(isUsual) ??
    by.find(({ kind }) => kind !== 'url') ??
    by[0]
  );
}

/** The number that is summed up where nobody chose one: the price, else money, else a measure, else the first number. */
export function usualMeasure(collection: Collection): Field | undefined {
  const { measured } = groupChoices(collection);
  const numbers = measured.filter(({ kind }) => isNumeric(kind));
  return (
    numbers.find(({ role }) => role === 'price') ??
    numbers.find(({ currency }) => currency !== undefined) ??
    numbers.find(({ kind, unit }) => kind === 'number' || unit !== undefined) ??
    numbers[0]
  );
}

const MAX_TELLING = 2;

/** Whether a number is understood without the name of its field. */
export const hasOwnUnit = (field: Field): boolean => isMoneyField(field) || field.unit !== undefined;

/** The numbers that tell records of one title apart, the usual measure first: money or numbers with a unit, and any of a collection of the user's own. */
export const tellingMeasures = memoize((collection: Collection): readonly Field[] => {
  const usual = usualMeasure(collection);
  const isTelling = (field: Field): boolean =>
    isNumeric(field.kind) && field.part === undefined && (collection.model.isOwn === true || hasOwnUnit(field));
  return groupChoices(collection)
    .measured.filter(isTelling)
    .sort((a, b) => Number(b === usual) - Number(a === usual) || Number(hasOwnUnit(b)) - Number(hasOwnUnit(a)))
    .slice(0, MAX_TELLING);
});
