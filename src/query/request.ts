/** Checked parameters → a query, with the fallback of each parameter that the request lacks. */
import type { CollectionModel, Field } from '../model.js';
import type { TextOptions } from '../search/search.js';
import { parseMoment } from './moment.js';
import { ALL_FIELDS, DEFAULT_LIMIT, DEFAULT_PAGE, type ExportFormat, exportFormats } from './parameters.js';
import type { Interval, Paging, Query, QueryFilter } from './query.js';

/** By name of a parameter in the request: its values; several only if it is repeatable. */
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
  const filters: QueryFilter[] = fields.flatMap((field) => filtersOf(field, values));
  for (const field of new Set(values.get('missing') ?? [])) filters.push({ kind: 'missing', field: String(field) });
  const [text, sort] = [textOf(values, 'q'), textOf(values, 'sort')];
  const descending = textOf(values, 'order') === 'desc';
  return { text, textOptions: textOptionsOf(values), filters, sort, descending, boost: textOf(values, 'boost') };
}

const textOptionsOf = (values: ParameterValues): TextOptions => ({
  match: textOf(values, 'match') === 'all' ? 'all' : 'any',
  fuzzy: textOf(values, 'fuzzy') !== '0',
  prefix: textOf(values, 'prefix') !== '0',
});

/** The filters that a field's parameters make: at most a set of values and a range. */
function filtersOf({ name: field, kind, filter }: Field, values: ParameterValues): readonly QueryFilter[] {
  if (filter?.kind === 'value') {
    const names = values.get(filter.parameter);
    if (names === undefined) return [];
    const isAll = filter.match !== undefined && textOf(values, filter.match) === 'all';
    return [{ kind: 'value', field, values: names.map(String), match: isAll ? 'all' : 'any' }];
  }
  if (filter?.kind !== 'range') return [];
  const equalValues = filter.equals === undefined ? undefined : values.get(filter.equals);
  const [min, max] = [numberOf(values, filter.min), numberOf(values, filter.max)];
  return [
    ...(equalValues === undefined ? [] : [{ kind: 'equals', field, intervals: equalValues.map(intervalOf) } as const]),
    ...(min === null && max === null
      ? []
      : [
          { kind: 'range', field, min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY } as const,
        ]),
  ];

  function intervalOf(value: string | number): Interval {
    if (kind !== 'date') return { min: Number(value), max: Number(value) };
    const { start, end } = parseMoment(String(value)) ?? { start: Number.NaN, end: Number.NaN };
    return { min: start, max: end };
  }
}

export const pagingOf = (values: ParameterValues): Paging => ({
  page: numberOf(values, 'page') ?? DEFAULT_PAGE,
  limit: numberOf(values, 'limit') ?? DEFAULT_LIMIT,
});

export const formatOf = (values: ParameterValues): ExportFormat =>
  exportFormats.find((format) => format === textOf(values, 'format')) ?? 'json';

/** The fields to send, in the model's order; null for the default fields. With `hasAllFields`, a request without `fields` asks for all. */
export function fieldsOf(
  model: CollectionModel,
  values: ParameterValues,
  hasAllFields = false,
): readonly string[] | null {
  const requested = (textOf(values, 'fields') ?? (hasAllFields ? ALL_FIELDS : undefined))?.split(',');
  if (requested === undefined) return null;
  const names = model.fields.map(({ name }) => name);
  return requested.includes(ALL_FIELDS) ? names : names.filter((name) => requested.includes(name));
}
