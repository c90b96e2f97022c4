/** Examples from the served data, so that every example value finds records. */
import { DAY_MS } from '../../load/values/dates.js';
import { boostKeys, type CollectionModel, collectionOf, type Field, isLongText, sortKeys } from '../../model.js';
import { ALL_CHANGES, type ChangesQuery, measuredFields, selectChanges } from '../../query/changes.js';
import { operatorParameters } from '../../query/operators.js';
import type { Parameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import { entryAt } from '../../store/changes/entries.js';
import type { Collection } from '../../store/collection.js';
import { comparedModel, type Dataset } from '../../store/dataset.js';
import { numberAt } from '../../store/number-column.js';
import { briefRecord } from '../../store/record-values.js';
import { siteOf } from '../../store/sites.js';
import { textAt } from '../../store/text-column.js';
import { codeOfValue, valueAt, valueCount } from '../../store/value-index.js';
import { fold } from '../../text.js';
import type { AddressedOperation } from '../api/operations.js';
import { memoize } from '../memoize.js';
import { percentEncode } from '../semantics/percent.js';

type PlainRecord = Readonly<Record<string, unknown>>;

/** The first rows, among which the record with most fields is chosen. */
const MAX_COMPARED_ROWS = 200;
/** Bound on the bytes of an example record, and of an example response. */
const MAX_EXAMPLE_BYTES = 1 << 14;

/** The record that examples are taken from, or null where there is none. */
export const exampleRecord = (dataset: Dataset, { name }: CollectionModel): PlainRecord | null =>
  bestRecord(collectionOf(dataset.collections, name));

const bestRecord = memoize((collection: Collection): PlainRecord | null => {
  const { size, model } = collection;
  let best: PlainRecord | null = null;
  let mostPresent = -1;
  for (let row = 0; row < Math.min(size, MAX_COMPARED_ROWS) && mostPresent < model.fields.length; row++) {
    const record = briefRecord(collection, row, MAX_EXAMPLE_BYTES);
    const present = Object.values(record).filter((value) => value !== null).length;
    if (present > mostPresent) [best, mostPresent] = [record, present];
  }
  return best;
});

/**
 * A changed record, with parameters that find its change. Without a comparison, a record of the collection takes its place.
 */
export function exampleChange(dataset: Dataset, model: CollectionModel): PlainRecord | null {
  const collection = collectionOf(dataset.collections, model.name);
  const changes = dataset.comparisons.get(model.name)?.changes;
  const compared = comparedModel(dataset.comparisons, model);
  for (const field of measuredFields(compared)) {
    if (changes === undefined) break;
    const query: ChangesQuery = { ...ALL_CHANGES, fields: [field], direction: 'up' };
    const [entry] = Array.from(selectChanges(collection, changes, query).slice(0, 1));
    if (entry === undefined) continue;
    const { title, changes: byField } = entryAt(collection, changes, entry);
    const change = byField.get(field);
    const percent = change?.form === 'number' ? change.percent : null;
    const bounds = percent === null ? {} : { minPercent: Math.floor(percent), maxPercent: Math.ceil(percent) };
    return { title, kind: 'changed', field, direction: 'up', ...bounds };
  }
  const record = exampleRecord(dataset, model);
  const field = measuredFields(compared)[0];
  return record && { title: record.title, kind: 'changed', ...(field !== undefined && { field }), direction: 'up' };
}

/** An example value of a parameter; null where neither the record nor the collection gives one. */
export function exampleValue(
  { name, fallback, beginningOf, example }: Parameter,
  collection: Collection,
  record: PlainRecord,
): string | null {
  const { model } = collection;
  if (name === 'q') return longestWord(String(record.title ?? firstSearchedText(model, record)));
  if (example !== undefined) return example;
  if (name === 'sort') return sortKeys(model)[0] ?? null;
  if (name === 'boost') return boostKeys(model)[0] ?? null;
  if (name === 'fields')
    return model.fields
      .slice(0, 2)
      .map((field) => field.name)
      .join(',');
  if (fallback !== undefined) return fallback;
  if (name === 'limit') return '5';
  if (beginningOf !== undefined) return beginningOfText(firstText(record[beginningOf]));
  const filter = operatorParameters(model).find(({ parameter }) => parameter.name === name);
  const field = filter?.field ?? model.fields.find((candidate) => candidate.name === name);
  const side = filter && BOUND_SIDES[filter.operator.suffix];
  const bound = filter && side && boundValue(collection, filter.field, side, record);
  if (bound !== undefined) return bound;
  const value = firstText(record[field?.name ?? name]);
  if (value === null) return null;
  if (filter?.operator.suffix === '_site') return siteOf(value);
  if (filter?.operator.suffix === '_ne') return anotherValue(collection, filter.field, value);
  if (filter?.operator.suffix === '_like') return longestWord(value)?.slice(0, 3) ?? null;
  if (value.length > MAX_EXAMPLE_VALUE_CHARACTERS) return null;
  return field?.kind === 'date' ? value.slice(0, 10) : value;
}

/** Longer values are no examples. */
const MAX_EXAMPLE_VALUE_CHARACTERS = 200;

/** A value that the record lacks, so that excluding it finds the record. */
function anotherValue({ values, textColumns, size }: Collection, field: Field, value: string): string | null {
  const { name, kind } = field;
  if (isLongText(field)) return null;
  const column = textColumns.get(name);
  if (column !== undefined) {
    const folded = fold(value);
    for (let row = 0; row < size; row++) {
      const text = textAt(column, row);
      if (text !== '' && fold(text) !== folded) return text;
    }
    return value;
  }
  const index = values.get(name);
  if (index !== undefined) return valueAt(index, codeOfValue(index, value) === 0 && valueCount(index) > 1 ? 1 : 0);
  return kind === 'date' ? new Date(Date.parse(value) - DAY_MS).toISOString().slice(0, 10) : String(Number(value) + 1);
}

/** A text that is searched, in a collection without titles. */
const firstSearchedText = ({ fields }: CollectionModel, record: PlainRecord): unknown =>
  fields.flatMap(({ name, searchWeight }) => (searchWeight === undefined ? [] : (record[name] ?? [])))[0] ?? '';

/** The first two whole characters. */
const beginningOfText = (text: string | null): string | null => text && [...text.slice(0, 4)].slice(0, 2).join('');

/** A value, or the first value of a list, as text; null where there is none. */
function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null || first === '' ? null : String(first);
}

const longestWord = (text: string): string | null =>
  text.split(/[^\p{L}\p{N}]+/u).reduce((a, b) => (b.length > a.length ? b : a), '') || null;

interface BoundSide {
  readonly isLower: boolean;
  readonly isExclusive: boolean;
}

/** By suffix of an operator of sizes. */
const BOUND_SIDES: Readonly<Record<string, BoundSide>> = {
  _gte: { isLower: true, isExclusive: false },
  _gt: { isLower: true, isExclusive: true },
  _lte: { isLower: false, isExclusive: false },
  _lt: { isLower: false, isExclusive: true },
};

/**
 * A bound that a quarter of the values lie beyond, but not the record's, rounded outwards: `10` of 10.5, 12, 18 and 24. The bound
 * of ids is the record's own, or the next one where that is excluded.
 */
function boundValue(
  { columns }: Collection,
  { name: field, kind }: Field,
  { isLower, isExclusive }: BoundSide,
  record: PlainRecord,
): string | undefined {
  if (field === 'id') return String(Number(record.id) + (isExclusive ? (isLower ? -1 : 1) : 0));
  const column = columns.get(field);
  if (column === undefined || column.order.valued === 0) return undefined;
  const quartile = numberAt(column, Math.floor((column.order.valued - 1) * (isLower ? 0.25 : 0.75)));
  const recordValue = Number(kind === 'date' ? Date.parse(String(record[field])) : (record[field] ?? Number.NaN));
  const value = Number.isNaN(recordValue)
    ? quartile
    : isLower
      ? Math.min(quartile, recordValue)
      : Math.max(quartile, recordValue);
  if (kind === 'date')
    return new Date(value + (isExclusive ? (isLower ? -DAY_MS : DAY_MS) : 0)).toISOString().slice(0, 10);
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - 1);
  const steps = isLower
    ? Math.floor(value / unit) - Number(isExclusive)
    : Math.ceil(value / unit) + Number(isExclusive);
  return String(Number((steps * unit).toPrecision(12)));
}

/** The response to a request with only the required parameters and `limit=2`. Null for a download or a long body. */
export function exampleAnswer(route: AddressedOperation, dataset: Dataset): unknown {
  const { model } = route;
  const record = exampleRecord(dataset, model);
  if (record === null || route.isDeferred) return null;
  const collection = collectionOf(dataset.collections, model.name);
  const written = (parameter: Parameter): string => percentEncode(exampleValue(parameter, collection, record) ?? '');
  const exampleParameters = route.parameters.filter(({ required, name }) => required || name === 'limit');
  const query = exampleParameters.map((each) => `${each.name}=${each.name === 'limit' ? 2 : written(each)}`).join('&');
  const segment = route.pathParameter && { parameter: route.pathParameter, segment: written(route.pathParameter) };
  const parsed = parseParameters(query, route.parameters, segment);
  if (!parsed.ok) return null;
  const answer = route.handle({ dataset, values: parsed.values, path: route.path, query });
  if (!('render' in answer)) return null;
  const { body } = answer.render();
  return body.length > MAX_EXAMPLE_BYTES
    ? null
    : JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
}
