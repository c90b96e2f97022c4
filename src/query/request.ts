/** Checked parameters → what to ask of a collection, with the defaults where a parameter is not given. */
import type { CollectionModel, Field } from '../model.js';
import type { TextOptions } from '../search/search.js';
import { DEFAULT_LIMIT, DEFAULT_PAGE, type ExportFormat, exportFormats } from './parameters.js';
import type { Paging, Query, QueryFilter } from './query.js';

/** Per parameter that is given: its values, more than one only where it may be repeated. */
export type ParameterValues = ReadonlyMap<string, readonly (string | number)[]>;

export const textOf = (values: ParameterValues, name: string): string | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : String(value);
};

export const numberOf = (values: ParameterValues, name: string): number | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : Number(value);
};

export function queryOf({ fields }: CollectionModel, values: ParameterValues): Query {
  const filters: QueryFilter[] = [];
  for (const field of fields) {
    const filter = field.filter && filterOf(field, values);
    if (filter) filters.push(filter);
  }
  for (const field of new Set(values.get('missing') ?? [])) filters.push({ kind: 'missing', field: String(field) });
  const [text, sort] = [textOf(values, 'q'), textOf(values, 'sort')];
  return { text, textOptions: textOptionsOf(values), filters, sort, descending: textOf(values, 'order') === 'desc' };
}

const textOptionsOf = (values: ParameterValues): TextOptions => ({
  match: textOf(values, 'match') === 'all' ? 'all' : 'any',
  fuzzy: textOf(values, 'fuzzy') !== '0',
  prefix: textOf(values, 'prefix') !== '0',
});

function filterOf({ name: field, filter }: Field, values: ParameterValues): QueryFilter | null {
  if (filter?.kind === 'value') {
    const asked = values.get(filter.parameter);
    if (asked === undefined) return null;
    const isAll = filter.match !== undefined && textOf(values, filter.match) === 'all';
    return { kind: 'value', field, values: asked.map(String), match: isAll ? 'all' : 'any' };
  }
  if (filter?.kind !== 'range') return null;
  const min = numberOf(values, filter.min);
  const max = numberOf(values, filter.max);
  if (min === null && max === null) return null;
  return { kind: 'range', field, min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
}

export const pagingOf = (values: ParameterValues): Paging => ({
  page: numberOf(values, 'page') ?? DEFAULT_PAGE,
  limit: numberOf(values, 'limit') ?? DEFAULT_LIMIT,
});

export const formatOf = (values: ParameterValues): ExportFormat =>
  exportFormats.find((format) => format === textOf(values, 'format')) ?? 'json';

/** The fields to send, in the model's order, or null for all that the endpoint shows. */
export function fieldsOf(model: CollectionModel, values: ParameterValues): readonly string[] | null {
  const asked = textOf(values, 'fields')?.split(',');
  return asked === undefined ? null : model.fields.map(({ name }) => name).filter((name) => asked.includes(name));
}
