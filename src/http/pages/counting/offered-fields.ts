/**
 * Which fields of a collection are worth a filter, a chart or a column. A dump may have two hundred fields: those are offered
 * whose values repeat and tell records apart, the most useful first. Unique or long texts, addresses, and a value that all
 * records share are not. It is decided once a collection, from counts that its columns have already.
 *
 *     brand: Acme, Zed, Acme    offered        sku:            each record its own
 *     condition: New, New, New  one value      image2: https://a.example/1   an address
 */
import { type CollectionModel, type Field, type FieldKind, isFound, isNumeric } from '../../../model.js';
import { type Groups, groupsOfNumbers, groupsOfValues } from '../../../query/counter.js';
import { MISSING, type QueryFilter } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { valueAtCode, valueCount } from '../../../store/value-index.js';
import { webAddress } from '../../markup/format.js';
import { memoize } from '../../memoize.js';

interface OfferedFields {
  /** Shown at once, in the order of the model: documented fields, and the first found ones of a default shape that has them. */
  readonly main: readonly Field[];
  /** Shown on demand, the most useful first. */
  readonly more: readonly Field[];
}

/** The number of fields that are shown at once, unless more are documented. */
const MAX_MAIN = 8;
const MAX_MORE = 12;
/** Counting the values of one field reads up to half of the rows: about 1 ms a million rows and field. */
const MAX_COUNTED_ROWS = 8_000_000;

export const hasValues = ({ missing, size }: Collection, { name }: Field): boolean => missing.get(name)?.count !== size;

export const offeredFields = memoize((collection: Collection): OfferedFields => {
  const { model, size } = collection;
  // Values of all fields, and their differences, have no common scale.
  const present = model.fields.filter(
    (field) => hasValues(collection, field) && !field.anyValue && !isDifference(model, field),
  );
  const documented = present.filter(
    (field) => field.filter !== undefined && !isFound(field) && !isShared(collection, field),
  );
  const usefulFields = byUsefulness(
    collection,
    present.filter(isFound).filter((field) => isOffered(collection, field)),
  );
  const first = usefulFields
    .filter((field) => !field.onRequest && !isRedundant(collection, field))
    .slice(0, Math.max(0, MAX_MAIN - documented.length));
  const isShown = new Set([...documented, ...first]);
  const more = usefulFields
    .filter((field) => !isShown.has(field))
    .slice(0, Math.min(MAX_MORE, Math.floor(MAX_COUNTED_ROWS / Math.max(1, size))));
  return { main: model.fields.filter((field) => isShown.has(field)), more };
});

const isDifference = ({ changesOf }: CollectionModel, { name }: Field): boolean =>
  changesOf !== undefined && name === 'difference';

/** The number by which records are ranked at a glance: the first of the default shape that is no price. */
export const sliderScale = (collection: Collection): Field | undefined =>
  offeredFields(collection).main.find(({ kind, role }) => isNumeric(kind) && role !== 'price');

/** The date by which records are new: that of the documented field, else the first of the default shape. */
export function mainDate(collection: Collection): Field | undefined {
  const dates = offeredFields(collection).main.filter(({ kind }) => kind === 'date');
  return dates.find(({ role }) => role === 'date') ?? dates[0];
}

/** The offered fields, and behind them others that a query filters by. */
export function fieldsToCount(collection: Collection, filters: readonly QueryFilter[]): OfferedFields {
  const { main, more } = offeredFields(collection);
  const isUsed = ({ name }: Field): boolean =>
    filters.some(({ field, operator }) => field === name && operator !== MISSING);
  const isExtra = (field: Field): boolean => !main.includes(field) && !more.includes(field);
  const used = collection.model.fields.filter((field) => isUsed(field) && isExtra(field));
  return { main, more: [...more, ...used.filter((field) => hasValues(collection, field))] };
}

/** Measures before choices, and those before yes and no; the most useful of each first, fields of one value last. */
export function byUsefulness(collection: Collection, fields: readonly Field[]): readonly Field[] {
  const ranked = fields.map((field) => ({
    field,
    group: groupOf(collection, field),
    usefulness: usefulnessOf(collection, field),
  }));
  return ranked.toSorted((a, b) => a.group - b.group || b.usefulness - a.usefulness).map(({ field }) => field);
}

/**
 * 0 for money, measures and dates that most records have, 1 for choices, 2 for yes and no, 3 for a value that all share and for a
 * field that says the same as another one.
 */
function groupOf(collection: Collection, field: Field): number {
  const { size, missing, columns } = collection;
  if (isShared(collection, field) || isRedundant(collection, field)) return 3;
  if (field.kind === 'boolean' || distinctCount(collection, field) <= 2) return 2;
  const isMostlyPresent = 2 * (missing.get(field.name)?.count ?? 0) <= size;
  return columns.has(field.name) && isMostlyPresent && !isIdentity(collection, field) ? 0 : 1;
}

/** A histogram is read at one glance, however many numbers there are: it counts as a list of eight choices. */
const CHOICES_OF_RANGE = 8;

/** The share of the records with a value, by the logarithm of the number of choices. */
function usefulnessOf(collection: Collection, field: Field): number {
  const { size, missing, columns } = collection;
  if (isShared(collection, field)) return 0;
  const present = size - (missing.get(field.name)?.count ?? 0);
  const distinct = distinctCount(collection, field);
  return present / Math.log2(1 + (columns.has(field.name) ? Math.min(distinct, CHOICES_OF_RANGE) : distinct));
}

/** Whether another field has the same filter: each of its values is in the records that one value of this field is in. */
export const isRedundant = (collection: Collection, field: Field): boolean => redundantFields(collection).has(field);

/** Kinds of names of things. Dates and measures are histograms, of which each shows something else. */
const NAMING_KINDS: readonly FieldKind[] = ['text', 'code', 'integer', 'boolean'];

/**
 * Of fields that determine each other all but one: that of the model, else the first text, stays.
 *
 *     district: Mitte, Pankow, Mitte    postcode: 10115, 13187, 10115    the postcode says the same
 */
const redundantFields = memoize((collection: Collection): ReadonlySet<Field> => {
  const { model, values, size } = collection;
  const names = model.fields.filter(({ kind, unit }) => NAMING_KINDS.includes(kind) && unit === undefined);
  const candidates = names.flatMap((field) => {
    const groups = groupsIn(collection, field);
    const isCandidate = groups !== null && groups.offsets === null && groups.size > 1 && 2 * groups.size <= size;
    return isCandidate ? [{ field, groups, rank: isFound(field) ? (field.kind === 'text' ? 1 : 2) : 0 }] : [];
  });
  const chosen: typeof candidates = [];
  const redundant = new Set<Field>();
  for (const one of candidates.toSorted((a, b) => a.rank - b.rank)) {
    // Two numbers have two histograms: rooms and floors of ten houses.
    const twin = chosen.find(
      ({ field, groups }) => (values.has(field.name) || values.has(one.field.name)) && areAlike(groups, one.groups),
    );
    if (twin === undefined || !isFound(one.field)) chosen.push(one);
    else redundant.add(one.field);
  }
  return redundant;
});

/** The values or numbers by which the rows of a field are counted; null for a field that has neither. */
export function groupsIn({ values, columns }: Collection, { name, filter }: Field): Groups | null {
  const [index, column] = [values.get(name), columns.get(name)];
  if (filter?.kind === 'value') return index === undefined ? null : groupsOfValues(index);
  return column === undefined ? null : groupsOfNumbers(column);
}

/** Whether two fields group the rows alike; rows without a value have the code `size`. It ends at the first row that tells them apart. */
function areAlike(a: Groups, b: Groups): boolean {
  if (a.size !== b.size) return false;
  const codeOfB = new Int32Array(a.size + 1).fill(-1);
  codeOfB[a.size] = b.size;
  return a.codes.every((code, row) => {
    if (codeOfB[code] === -1) codeOfB[code] = b.codes[row]!;
    return codeOfB[code] === b.codes[row];
  });
}

/** A quantity rarely has this number of different integers without a repetition. */
const MIN_IDENTITIES = 1000;

/**
 * Whether a found field's integers are numbers of things, such as article numbers, and no quantities: each record has its own, and
 * they are many, or stand closer together than random integers would without a repetition.
 */
export function isIdentity({ columns }: Collection, field: Field): boolean {
  const column = columns.get(field.name);
  const isMeasure = field.unit !== undefined || field.currency !== undefined;
  if (column === undefined || field.kind !== 'integer' || !isFound(field) || isMeasure) return false;
  const { values, order } = column;
  const distinct = values.length - 1;
  if (distinct < 2 || distinct < order.valued) return false;
  return distinct >= MIN_IDENTITIES || distinct ** 2 > 2 * (values[distinct - 1]! - values[0]!);
}

/** How many values a field has; of a field that is not counted by value, one a record. */
export function distinctCount({ values, columns, size }: Collection, { name }: Field): number {
  const index = values.get(name);
  if (index !== undefined) return valueCount(index);
  const column = columns.get(name);
  return column === undefined ? size : column.values.length - 1;
}

/** Whether any value of a field that is counted by value is in several records. */
export const isRepeated = (collection: Collection, field: Field): boolean =>
  (collection.values.get(field.name)?.rows.length ?? 0) > distinctCount(collection, field);

/** Fewest records of a value, on average over all values of an offered field. */
const MIN_RECORDS_PER_VALUE = 2;
const MAX_MEAN_BYTES = 60;

/** Whether the values of a found field are choices: several, short, repeated. */
export function isOffered(collection: Collection, field: Field): boolean {
  const distinct = distinctCount(collection, field);
  if (field.filter === undefined || distinct === 0 || isShared(collection, field)) return false;
  const index = collection.values.get(field.name);
  if (index === undefined) return distinct > 1 && !isIdentity(collection, field);
  return index.rows.length >= MIN_RECORDS_PER_VALUE * distinct && areShort(collection, field);
}

/** Whether every record has every value of a field: it tells none from another. */
function isShared(collection: Collection, field: Field): boolean {
  const { missing, values, size } = collection;
  if (missing.get(field.name)?.count !== 0) return false;
  // Tags `a, b` in each of 3 records: 6 rows of values, 2 distinct ones of 3 records. A number without an index stands once in each.
  const distinct = distinctCount(collection, field);
  return (values.get(field.name)?.rows.length ?? size) === distinct * size;
}

/** Whether the values are short enough for a cell, and no addresses, for which the middle one stands: columns of addresses hold hardly anything else. */
export function areShort({ values }: Collection, { name }: Field): boolean {
  const index = values.get(name);
  if (index === undefined) return true;
  const { bytes } = index.names;
  return (
    bytes.length <= MAX_MEAN_BYTES * valueCount(index) &&
    webAddress(valueAtCode(index, Math.floor(valueCount(index) / 2))) === null
  );
}
