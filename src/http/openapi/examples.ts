/** Examples from the served data, so that every example value finds records. */
import * as v from 'valibot';
import type { CollectionModel } from '../../model.js';
import { operatorParameters } from '../../query/operators.js';
import type { Parameter } from '../../query/parameters.js';
import type { Collection } from '../../store/collection.js';
import { collectionIn, type Dataset } from '../../store/dataset.js';
import { briefRecord } from '../../store/record-values.js';
import { longestWord } from '../../text.js';
import type { AddressedOperation } from '../api/operations.js';
import { memoize } from '../memoize.js';
import { engineOf } from '../served.js';

type PlainRecord = Readonly<Record<string, unknown>>;

/** The first rows, among which the record with most fields is chosen. */
const MAX_COMPARED_ROWS = 200;
/** Bound on the bytes of an example record, and of an example response. */
const MAX_EXAMPLE_BYTES = 1 << 14;

/** The record with most values among the first ones, from which examples are taken; null where there is none. */
export const exampleRecord = (dataset: Dataset, model: CollectionModel): PlainRecord | null =>
  fullestRecord(collectionIn(dataset, model));

const fullestRecord = memoize((collection: Collection): PlainRecord | null => {
  const records = Array.from({ length: Math.min(collection.size, MAX_COMPARED_ROWS) }, (_, row) =>
    briefRecord(collection, row, MAX_EXAMPLE_BYTES),
  );
  const filledCount = (one: PlainRecord): number => Object.values(one).filter((value) => value !== null).length;
  return records.toSorted((a, b) => filledCount(b) - filledCount(a))[0] ?? null;
});

/** Longer values are no examples. */
const MAX_EXAMPLE_VALUE_CHARACTERS = 200;

/** An example value of a parameter, which it takes; null where neither the record nor the collection gives one. */
export function exampleValue(parameter: Parameter, model: CollectionModel, record: PlainRecord): string | null {
  const value = valueFrom(record, parameter, model);
  return value !== null && v.safeParse(parameter.schema, value).success ? value : null;
}

function valueFrom(
  record: PlainRecord,
  { name, fallback, beginningOf, example: fixedExample }: Parameter,
  model: CollectionModel,
): string | null {
  if (name === 'q') return longestWord(String(record.title ?? firstSearchedText(model, record)));
  if (fixedExample !== undefined) return fixedExample;
  if (fallback !== undefined) return fallback;
  if (beginningOf !== undefined) return [...(firstText(record[beginningOf]) ?? '')].slice(0, 2).join('') || null;
  const filter = operatorParameters(model).find(({ parameter }) => parameter.name === name);
  const field = filter?.field ?? model.fields.find((candidate) => candidate.name === name);
  const value = firstText(record[field?.name ?? name]);
  if (value === null) return null;
  const day = field?.kind === 'date' ? value.slice(0, 10) : value;
  const example = filter === undefined ? day : filter.operator.example(day);
  return example !== null && example.length <= MAX_EXAMPLE_VALUE_CHARACTERS ? example : null;
}

/** A text that is searched, in a collection without titles. */
const firstSearchedText = ({ fields }: CollectionModel, record: PlainRecord): unknown =>
  fields.flatMap(({ name, searchWeight }) => (searchWeight === undefined ? [] : (record[name] ?? [])))[0] ?? '';

/** A value, or the first value of a list, as text; null where there is none. */
function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null || first === '' ? null : String(first);
}

/** The response to a request with only the required parameters and `limit=2`. Null for a download or a long body. */
export function exampleAnswer(route: AddressedOperation, dataset: Dataset): unknown {
  const { model, path, pathParameter } = route;
  const record = exampleRecord(dataset, model);
  if (record === null || route.isDeferred) return null;
  const required = [...(pathParameter ? [pathParameter] : []), ...route.parameters.filter((each) => each.required)];
  const values = new Map<string, [string | number]>([['limit', [2]]]);
  for (const each of required) {
    const value = exampleValue(each, model, record);
    if (value === null) return null;
    values.set(each.name, [value]);
  }
  const answer = route.handle({ dataset, engine: engineOf({ dataset }), values, path, query: '' });
  const rendered = 'render' in answer ? answer.render() : answer;
  if (rendered instanceof Promise || 'status' in rendered || !('body' in rendered)) return null;
  const { body } = rendered;
  return body.length > MAX_EXAMPLE_BYTES
    ? null
    : JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
}
