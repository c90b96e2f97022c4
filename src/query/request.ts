/** Checked parameters → a query, with the fallback of each parameter that the request lacks. */
import type { CollectionModel } from '../model.js';
import type { TextOptions } from '../search/search.js';
import { filtersOf } from './operators.js';
import {
  ALL_FIELDS,
  csvDelimiters,
  DEFAULT_LIMIT,
  DEFAULT_PAGE,
  type ExportFormat,
  exportFormats,
  type FeedFormat,
  feedFormats,
  sortKeysIn,
} from './parameters.js';
import type { Paging, ParameterValues, Query } from './query.js';

export const textParameter = (values: ParameterValues, name: string): string | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : String(value);
};

export const numberParameter = (values: ParameterValues, name: string): number | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : Number(value);
};

export function queryOf(model: CollectionModel, values: ParameterValues): Query {
  const [first, ...thenBy] = sortKeysIn(textParameter(values, 'sort') ?? '');
  return {
    text: textParameter(values, 'q'),
    textOptions: textOptionsOf(values),
    filters: filtersOf(model, values),
    sort: first?.field ?? null,
    // The parser lets `order` stand beside one key without `-` only.
    descending: first?.descending === true || textParameter(values, 'order') === 'desc',
    thenBy,
    boost: textParameter(values, 'boost'),
  };
}

const textOptionsOf = (values: ParameterValues): TextOptions => ({
  match: textParameter(values, 'match') === 'all' ? 'all' : 'any',
  fuzzy: textParameter(values, 'fuzzy') !== '0',
  prefix: textParameter(values, 'prefix') !== '0',
});

export const pagingOf = (values: ParameterValues): Paging => ({
  page: numberParameter(values, 'page') ?? DEFAULT_PAGE,
  limit: numberParameter(values, 'limit') ?? DEFAULT_LIMIT,
});

export const formatOf = (values: ParameterValues): ExportFormat =>
  exportFormats.find((format) => format === textParameter(values, 'format')) ?? 'json';

/** The format of a feed; undefined where the request is for a file. */
export const feedFormatOf = (values: ParameterValues): FeedFormat | undefined =>
  feedFormats.find((format) => format === textParameter(values, 'format'));

/** How a CSV file is written. */
export interface CsvForm {
  readonly hasMark: boolean;
  readonly delimiter: string;
  readonly isGuarded: boolean;
}

export function csvFormOf(values: ParameterValues): CsvForm {
  const [, delimiter = ','] =
    Object.entries(csvDelimiters).find(([name]) => name === textParameter(values, 'delimiter')) ?? [];
  return {
    hasMark: numberParameter(values, 'bom') === 1,
    delimiter,
    isGuarded: numberParameter(values, 'guard') !== 0,
  };
}

/** The fields to send, in the model's order; null for the default fields. With `hasAllFields`, a request without `fields` asks for all. */
export function fieldsOf(
  model: CollectionModel,
  values: ParameterValues,
  hasAllFields = false,
): readonly string[] | null {
  const requested = (textParameter(values, 'fields') ?? (hasAllFields ? ALL_FIELDS : undefined))?.split(',');
  if (requested === undefined) return null;
  const names = model.fields.map(({ name }) => name);
  return requested.includes(ALL_FIELDS) ? names : names.filter((name) => requested.includes(name));
}
