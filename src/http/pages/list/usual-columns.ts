/** The columns of a list whose address names none in `fields`. */
import type { Field } from '../../../model.js';
import { fieldNamed } from '../../../query/operators.js';
import { CHANGE_DATE } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { memoize } from '../../memoize.js';
import { areShort, byUsefulness, distinctCount, hasValues } from '../counting/offered-fields.js';
import { type Pairs, withValue } from '../frame/address.js';
import { rolesOf } from '../record/record.js';
import { isOneSite } from '../record/value.js';

/** The number of columns that fit beside the title on a screen. */
const MAX_USUAL = 6;

/** The columns of a change, so that all of them fit: a record that came or went says so in place of a field, and one date of all is left out. */
const OF_A_CHANGE = ['field', 'from', 'to', 'percent', CHANGE_DATE];

/** The documented fields of a list with any value, then the most useful found fields of the default shape, in the order of the model. */
export const usualColumns = memoize((collection: Collection): readonly Field[] => {
  const { columns, found } = rolesOf(collection.model);
  if (collection.model.changesOf !== undefined)
    return OF_A_CHANGE.map((name) => fieldNamed(collection.model, name)).filter(
      (field) => hasValues(collection, field) && (field.kind !== 'date' || distinctCount(collection, field) > 1),
    );
  const documented = columns.filter((field) => hasValues(collection, field));
  const candidates = found.filter(
    (field) => !field.onRequest && field.kind !== 'json' && hasValues(collection, field) && areShort(collection, field),
  );
  const room = Math.max(0, MAX_USUAL - documented.length);
  const first = new Set(byUsefulness(collection, candidates).slice(0, room));
  return [...documented, ...found.filter((field) => first.has(field))];
});

/** The names of all fields that such a list shows. */
export function usualFields(collection: Collection): ReadonlySet<string> {
  const { image, link, tags } = rolesOf(collection.model);
  const shownLink = isOneSite(collection) ? undefined : link;
  const usualRoles = new Set([image, shownLink, tags, ...usualColumns(collection)]);
  const isShown = (field: Field): boolean =>
    field.required === true || (usualRoles.has(field) && hasValues(collection, field));
  return new Set(collection.model.fields.filter(isShown).map(({ name }) => name));
}

/** The pairs with one `fields` in place of those that the form of columns sends, one a column. */
export function joinedFields(pairs: Pairs): Pairs {
  const chosen = pairs.filter(([name]) => name === 'fields').map(([, value]) => value);
  return chosen.length < 2 ? pairs : withValue(pairs, 'fields', chosen.join(','));
}
