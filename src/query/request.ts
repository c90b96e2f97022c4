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

export const textOf = (values: ParameterValues, name: string): string | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : String(value);
};

export const numberOf = (values: ParameterValues, name: string): number | null => {
  const value = values.get(name)?.[0];
  return value === undefined ? null : Number(value);
};

export function queryOf(model: CollectionModel, values: ParameterValues): Query {
  const [first, ...thenBy] = sortKeysIn(textOf(values, 'sort') ?? '');
  return {
    text: textOf(values, 'q'),
    textOptions: textOptionsOf(values),
    filters: filtersOf(model, values),
    sort: first?.field ?? null,
    // The parser lets `order` stand beside one key without `-` only.
    descending: first?.descending === true || textOf(values, 'order') === 'desc',
    thenBy,
    boost: textOf(values, 'boost'),
  };
}

const textOptionsOf = (values: ParameterValues): TextOptions => ({
  match: textOf(values, 'match') === 'all' ? 'all' : 'any',
  fuzzy: textOf(values, 'fuzzy') !== '0',
  prefix: textOf(values, 'prefix') !== '0',
});

export const pagingOf = (values: ParameterValues): Paging => ({
  page: numberOf(values, 'page') ?? DEFAULT_PAGE,
  limit: numberOf(values, 'limit') ?? DEFAULT_LIMIT,
});

export const formatOf = (values: ParameterValues): ExportFormat =>
  exportFormats.find((format) => format === textOf(values, 'format')) ?? 'json';

/** The format of a feed; undefined where the request is for a file. */
export const feedFormatOf = (values: ParameterValues): FeedFormat | undefined =>
  feedFormats.find((format) => format === textOf(values, 'format'));

/** How a CSV file is written. */
export interface CsvForm {
  readonly hasMark: boolean;
  readonly delimiter: string;
  readonly isGuarded: boolean;
}

export function csvFormOf(values: ParameterValues): CsvForm {
  const [, delimiter = ','] =
    Object.entries(csvDelimiters).find(([name]) => name === textOf(values, 'delimiter')) ?? [];
  return { hasMark: numberOf(values, 'bom') === 1, delimiter, isGuarded: numberOf(values, 'guard') !== 0 };
}

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
