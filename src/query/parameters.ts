/**
 * Every request parameter, described once: its Valibot schema, and in words what is allowed. Parser, error messages
 * and documentation read this table.
 */
import * as v from 'valibot';
import { type CollectionModel, sortKeys } from '../model.js';

export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** Completes "must be …" in a message. */
  readonly expected: string;
  readonly schema: v.GenericSchema<string, string | number>;
  /** The request is not understood without it. */
  readonly required?: true;
}

export const DEFAULT_PAGE = 1;
export const DEFAULT_LIMIT = 20;
/** Longer texts are no search; a URL that holds this many characters, each percent-encoded, still fits a request. */
export const MAX_QUERY_CHARACTERS = 4096;

/** Decimal digits, as `pattern` allows them, to a safe integer of at least `min`. */
const integer = (pattern: RegExp, min: number, max: number) =>
  v.pipe(v.string(), v.regex(pattern), v.transform(Number), v.safeInteger(), v.minValue(min), v.maxValue(max));

export const pageParameter: Parameter = {
  name: 'page',
  description: `page number, ${DEFAULT_PAGE} if not given`,
  expected: 'an integer of at least 1',
  schema: integer(/^\d+$/, 1, Number.MAX_SAFE_INTEGER),
};

export const limitParameter = (maxLimit: number): Parameter => ({
  name: 'limit',
  description: `records per page, ${DEFAULT_LIMIT} if not given`,
  expected: `an integer from 1 to ${maxLimit}`,
  schema: integer(/^\d+$/, 1, maxLimit),
});

export const idParameter: Parameter = {
  name: 'id',
  description: 'identifier of the record',
  expected: 'an integer',
  // Kept as text: an integer too large to be a number is an id that no record has, and messages name it as written.
  schema: v.pipe(v.string(), v.regex(/^-?\d+$/)),
  required: true,
};

export const valueParameter = (field: string): Parameter => ({
  name: field,
  description: `${field} of the records, matched whole, case and accents aside`,
  expected: 'a name',
  schema: v.pipe(v.string(), v.nonEmpty()),
  required: true,
});

export const searchTextParameter: Parameter = {
  name: 'q',
  description: 'search text',
  expected: `a text of 1 to ${MAX_QUERY_CHARACTERS.toLocaleString('en')} characters`,
  schema: v.pipe(v.string(), v.maxLength(MAX_QUERY_CHARACTERS)),
  required: true,
};

const oneOf = (name: string, description: string, names: readonly string[]): Parameter => ({
  name,
  description,
  expected: `one of ${names.join(', ')}`,
  schema: v.picklist(names),
});

export const sortParameter = (model: CollectionModel): Parameter =>
  oneOf('sort', 'field to sort by; snapshot order, or relevance for a search, if not given', sortKeys(model));

export const orderParameter: Parameter = oneOf('order', 'direction of `sort`, asc if not given', ['asc', 'desc']);

export const exportFormats = ['json', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const formatParameter: Parameter = oneOf('format', 'format of the file, json if not given', exportFormats);
