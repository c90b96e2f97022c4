/** Checked parameters → what to ask of a collection, with the defaults where a parameter is not given. */
import { DEFAULT_LIMIT, DEFAULT_PAGE, type ExportFormat, exportFormats } from './parameters.js';
import type { Paging, Query } from './query.js';

export type ParameterValues = ReadonlyMap<string, string | number>;

export const textOf = (values: ParameterValues, name: string): string | null => {
  const value = values.get(name);
  return value === undefined ? null : String(value);
};

export const numberOf = (values: ParameterValues, name: string, otherwise: number): number =>
  Number(values.get(name) ?? otherwise);

/** `value` restricts the query to records of one category or the like. */
export const queryOf = (values: ParameterValues, value: Query['value']): Query => ({
  text: textOf(values, 'q'),
  value,
  sort: textOf(values, 'sort'),
  descending: values.get('order') === 'desc',
});

export const pagingOf = (values: ParameterValues): Paging => ({
  page: numberOf(values, 'page', DEFAULT_PAGE),
  limit: numberOf(values, 'limit', DEFAULT_LIMIT),
});

export const formatOf = (values: ParameterValues): ExportFormat =>
  exportFormats.find((format) => format === values.get('format')) ?? 'json';
