/** Examples from the served data, so that every example value finds records. */
import * as v from 'valibot';
import type { CollectionModel, FieldKind } from '../../model.js';
import { operatorParameters } from '../../query/operators.js';
import type { Parameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import type { Collection } from '../../store/collection.js';
import { collectionIn, type Dataset } from '../../store/dataset.js';
import { briefRecord } from '../../store/record-values.js';
import { siteOf } from '../../store/sites.js';
import type { AddressedOperation } from '../api/operations.js';
import { memoize } from '../memoize.js';
import { percentEncode } from '../semantics/percent.js';
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

/** An example value of a parameter, which it takes; null where neither the record nor the collection gives one. */
export function exampleValue(parameter: Parameter, collection: Collection, record: PlainRecord): string | null {
  const value = givenValue(parameter, collection, record);
  return value !== null && v.safeParse(parameter.schema, value).success ? value : null;
}

function givenValue(
  { name, fallback, beginningOf, example }: Parameter,
  collection: Collection,
  record: PlainRecord,
): string | null {
  const { model } = collection;
  if (name === 'q') return longestWord(String(record.title ?? firstSearchedText(model, record)));
  if (example !== undefined) return example;
  if (fallback !== undefined) return fallback;
  if (beginningOf !== undefined) return beginningOfText(firstText(record[beginningOf]));
  const filter = operatorParameters(model).find(({ parameter }) => parameter.name === name);
  const field = filter?.field ?? model.fields.find((candidate) => candidate.name === name);
  const value = firstText(record[field?.name ?? name]);
  if (value === null) return null;
  // The record's own value would not find it.
  if (filter !== undefined && EXCLUDING_SUFFIXES.includes(filter.operator.suffix)) return null;
  if (filter?.operator.suffix === '_site') return siteOf(value);
  if (filter?.operator.suffix === '_like') return longestWord(value)?.slice(0, 3) ?? null;
  return exampleTextOf(value, field?.kind);
}

/** Longer values are no examples. */
const MAX_EXAMPLE_VALUE_CHARACTERS = 200;

/** A value as an example has it, of a date its day; null where there is none, or it is too long. */
function exampleTextOf(value: unknown, kind?: FieldKind): string | null {
  const text = firstText(value);
  if (text === null || text.length > MAX_EXAMPLE_VALUE_CHARACTERS) return null;
  return kind === 'date' ? text.slice(0, 10) : text;
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

/** The operators that exclude the value that they are given. */
const EXCLUDING_SUFFIXES: readonly string[] = ['_gt', '_lt', '_ne'];

/** The response to a request with only the required parameters and `limit=2`. Null for a download or a long body. */
export function exampleAnswer(route: AddressedOperation, dataset: Dataset): unknown {
  const { model } = route;
  const record = exampleRecord(dataset, model);
  if (record === null || route.isDeferred) return null;
  const collection = collectionIn(dataset, model);
  const written = (parameter: Parameter): string => percentEncode(exampleValue(parameter, collection, record) ?? '');
  const exampleParameters = route.parameters.filter(({ required, name }) => required || name === 'limit');
  const query = exampleParameters.map((each) => `${each.name}=${each.name === 'limit' ? 2 : written(each)}`).join('&');
  const segment = route.pathParameter && { parameter: route.pathParameter, segment: written(route.pathParameter) };
  const parsed = parseParameters(query, route.parameters, segment);
  if (!parsed.ok) return null;
  const answer = route.handle({
    dataset,
    engine: engineOf({ dataset }),
    values: parsed.values,
    path: route.path,
    query,
  });
  if (!('render' in answer)) return null;
  const rendered = answer.render();
  if (rendered instanceof Promise || 'status' in rendered) return null;
  const { body } = rendered;
  return body.length > MAX_EXAMPLE_BYTES
    ? null
    : JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
}
