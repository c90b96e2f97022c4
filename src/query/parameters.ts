/**
 * Every request parameter, described once: its Valibot schema, and its allowed values in words. Parser, error messages and
 * documentation read this table.
 */
import * as v from 'valibot';
import { isOrdered, isSortable } from '../field-kinds.js';
import { type CollectionModel, ID_FIELD } from '../model.js';
import { matches } from '../search/search.js';
import { grouped, listed } from '../text.js';
import type { SortKey } from './query.js';

export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** Completes "must be …" in a message. */
  readonly expected: string;
  readonly schema: v.GenericSchema<string, string | number>;
  /** A request without it is an `invalid_request`. */
  readonly required?: true;
  /** A blank value is an `invalid_request`, not a `validation_error`. */
  readonly notBlank?: true;
  /** The parameter may have several values: `tag=a&tag=b`. */
  readonly repeatable?: true;
  /** The most values that a request may have of all parameters with such a bound together. Without it any number. */
  readonly maxValues?: {
    readonly count: number;
    /** Completes "is one value too many: " in a message. */
    readonly says: string;
  };
  /** The parameter that this one must not exceed. */
  readonly upTo?: string;
  /**
   * A parameter that this one needs. With `oneOf` it may also be absent, but else must have one value, which is in that list.
   */
  readonly needs?: {
    readonly parameter: string;
    readonly oneOf?: readonly string[];
  };
  /** The value of a request without it, as it would stand in the URL. */
  readonly fallback?: string;
  /** A value that is valid for any collection with this parameter. */
  readonly example?: string;
  /** Its schema reads the clock: no answer is stored for long, and what it made of the value is part of the entity tag. */
  readonly readsClock?: true;
  /** The field whose values begin with the text of this parameter. */
  readonly beginningOf?: string;
}

export const DEFAULT_PAGE = 1;
export const DEFAULT_LIMIT = 20;
/** Longer texts are no search; a URL that holds this many characters, each percent-encoded, still fits a request. */
const MAX_QUERY_CHARACTERS = 4096;

/** Decimal digits to a safe integer from `min` to `max`. */
const integer = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform(Number),
    v.number(),
    v.safeInteger(),
    v.minValue(min),
    v.maxValue(max),
  );

export const pageParameter: Parameter = {
  name: 'page',
  description: `page number; ${DEFAULT_PAGE} if not given`,
  expected: 'an integer of at least 1',
  schema: integer(1, Number.MAX_SAFE_INTEGER),
  fallback: String(DEFAULT_PAGE),
};

export const LIMIT_DESCRIPTION = `records per page; ${DEFAULT_LIMIT} if not given`;
export const DEFAULT_SIMILAR = 10;

/** The parameter `limit`; without `fallback` a request that lacks it has no limit. */
const limit = (maxLimit: number, description: string, fallback?: number): Parameter => ({
  name: 'limit',
  description,
  example: String(Math.min(5, maxLimit)),
  expected: `an integer from 1 to ${maxLimit}`,
  schema: integer(1, maxLimit),
  ...(fallback !== undefined && { fallback: String(fallback) }),
});

export const limitParameter = (maxLimit: number): Parameter => limit(maxLimit, LIMIT_DESCRIPTION, DEFAULT_LIMIT);

export const similarLimitParameter = (maxLimit: number): Parameter =>
  limit(maxLimit, `greatest number of records; ${DEFAULT_SIMILAR} if not given`, DEFAULT_SIMILAR);

/** `counted` are names or groups. */
export const facetLimitParameter = (maxLimit: number, fallback: number | undefined, counted = 'names'): Parameter =>
  limit(maxLimit, `greatest number of ${counted}; ${fallback ?? 'all'} if not given`, fallback);

export const startsWithParameter = (field?: string): Parameter => ({
  name: 'startsWith',
  description: 'only names that begin with this text; case and accents do not matter',
  expected: 'a text',
  schema: v.string(),
  ...(field !== undefined && { beginningOf: field }),
});

export const idParameter: Parameter = {
  name: 'id',
  description: 'identifier of the record',
  expected: 'an integer',
  // Kept as text: an integer too large to be a number is an id that no record has, and messages name it as written.
  schema: v.pipe(v.string(), v.regex(/^-?\d+$/)),
  required: true,
  notBlank: true,
};

/** `isbn` or `sku`, as descriptions name keys. */
export const namedKeys = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(' or ');

/** The parameter that names a record in a path: its id, or its key. */
export const recordParameter = ({ keys }: CollectionModel): Parameter =>
  keys === undefined
    ? idParameter
    : {
        ...idParameter,
        description: `identifier of the record; a ${namedKeys(keys)} redirects to it`,
        expected: `an integer, or a value of ${namedKeys(keys)}`,
        schema: v.string(),
      };

const searchText: Parameter = {
  name: 'q',
  description: 'search text',
  expected: `a text of 1 to ${grouped(MAX_QUERY_CHARACTERS)} characters`,
  schema: v.pipe(v.string(), v.maxLength(MAX_QUERY_CHARACTERS)),
  notBlank: true,
};
export const searchTextParameter: Parameter = { ...searchText, required: true };
export const optionalTextParameter: Parameter = {
  ...searchText,
  description: 'search text; if not given, all records match',
};

export const oneOf = (name: string, description: string, names: readonly string[]): Parameter => ({
  name,
  description,
  expected: `one of ${listed(names)}`,
  schema: v.picklist(names),
});

const zeroOrOne = (name: string, description: string, fallback: '0' | '1'): Parameter => ({
  ...oneOf(name, `${description}; ${fallback} if not given`, ['0', '1']),
  fallback,
});

/** The parameters that set how the words of a search text match. */
export const wordParameters: readonly Parameter[] = [
  {
    ...oneOf('match', 'whether a record must have any or all words of `q`; any if not given', matches),
    fallback: 'any',
  },
  zeroOrOne(
    'fuzzy',
    '1 also searches the nearest spellings of words that no records have, or few; 0 searches words as written',
    '1',
  ),
  zeroOrOne('prefix', '1 also finds words that begin with the last word of `q`; 0 finds only the whole word', '1'),
];

/** The parameters of a search that add to its records. */
export const searchExtraParameters: readonly Parameter[] = [
  zeroOrOne(
    'highlight',
    '1 adds `highlight` to each record: its matching texts as HTML, with the matches in `<mark>`',
    '0',
  ),
  zeroOrOne(
    'suggest',
    '1 adds `suggestion`: the search text with corrected spellings, or null if none was corrected',
    '0',
  ),
];

/** The parameter of `/health`. */
export const reportParameter: Parameter = zeroOrOne(
  'report',
  '1 adds `report`: what was read, repaired and refused in each file, as `check --json` prints it',
  '0',
);

/** A text that records may be searched by. */
export const textParameters: readonly Parameter[] = [optionalTextParameter, ...wordParameters];

/** The keys of `sort=-price,title`, which needs no check here. */
export const sortKeysIn = (text: string): readonly SortKey[] =>
  text === ''
    ? []
    : text
        .split(',')
        .map((key) =>
          key.startsWith('-') ? { field: key.slice(1), descending: true } : { field: key, descending: false },
        );

const sortKeys = ({ fields }: CollectionModel): readonly string[] => fields.filter(isSortable).map(({ name }) => name);

/** The names of the fields that can lift records in a search: numbers and dates, but no ids. */
const boostKeys = ({ fields }: CollectionModel): readonly string[] =>
  fields.filter((field, i) => i !== ID_FIELD && isOrdered(field)).map(({ name }) => name);

export function sortParameter(model: CollectionModel): Parameter {
  const names = sortKeys(model);
  const key = `-?(?:${names.join('|')})`;
  const isEachOnce = (text: string): boolean => {
    const fields = sortKeysIn(text).map(({ field }) => field);
    return new Set(fields).size === fields.length;
  };
  return {
    name: 'sort',
    description:
      'field to sort by, `-` before it for descending, several comma-separated; if not given, records are in the order of the snapshot, or of relevance to `q`',
    expected: `one of ${listed(names)}`,
    schema: v.pipe(v.string(), v.regex(new RegExp(`^${key}(?:,${key})*$`, 'u')), v.check(isEachOnce)),
    ...(names[0] !== undefined && { example: names[0] }),
  };
}

/** The parameter `boost`; no parameter if a collection has neither numbers nor dates. */
export function boostParameters(model: CollectionModel): readonly Parameter[] {
  const names = boostKeys(model);
  if (names.length === 0) return [];
  const description =
    'number or date that raises the rank of a hit: the highest value adds half to its score, the lowest nothing; ignored with `sort`';
  return [{ ...oneOf('boost', description, names), example: names[0] ?? '', needs: { parameter: 'q' } }];
}

export const orderParameter = (model: CollectionModel): Parameter => ({
  ...oneOf('order', 'direction of a single `sort` without `-`; asc if not given; nothing without `sort`', [
    'asc',
    'desc',
  ]),
  fallback: 'asc',
  needs: { parameter: 'sort', oneOf: sortKeys(model) },
});

export const exportFormats = ['json', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const feedFormats = ['atom', 'jsonfeed'] as const;
export type FeedFormat = (typeof feedFormats)[number];
export const formatParameter: Parameter = {
  ...oneOf(
    'format',
    'format of the file; json if not given. `atom` and `jsonfeed` are feeds, the newest records first',
    [...exportFormats, ...feedFormats],
  ),
  fallback: 'json',
};

/** The format of a file that is no feed. */
export const fileFormatParameter: Parameter = {
  ...oneOf('format', 'format of the file; json if not given', exportFormats),
  fallback: 'json',
};

/** The default `limit` of a feed. */
export const DEFAULT_FEED_ITEMS = 100;

export const exportLimitParameter = (maxLimit: number): Parameter =>
  limit(maxLimit, `how many records at most; if not given, a feed has ${DEFAULT_FEED_ITEMS} and a file all`);

/** Without the mark, spreadsheets read a CSV file in an old encoding. */
const byteOrderMarkParameter = zeroOrOne(
  'bom',
  '1 begins a CSV file with a byte order mark, by which spreadsheets recognise UTF-8',
  '0',
);

/** The signs between the cells of a CSV file, by their names in an address. */
export const csvDelimiters = { ',': ',', ';': ';', tab: '\t' } as const;

/** The parameters of CSV files: the mark, the sign between cells, and the guard of texts that a spreadsheet would run. */
export const csvParameters: readonly Parameter[] = [
  byteOrderMarkParameter,
  {
    ...oneOf(
      'delimiter',
      'the sign between the cells of a CSV file; , if not given, and ; for spreadsheets of countries with decimal commas',
      Object.keys(csvDelimiters),
    ),
    fallback: ',',
  },
  zeroOrOne(
    'guard',
    '0 writes texts of a CSV file as they are; 1 puts an apostrophe before those that a spreadsheet would run as formulas',
    '1',
  ),
];

/** In `fields`: every field that the collection has. */
export const ALL_FIELDS = '*';

/** Some of these names, comma-separated. */
export function someOf(names: readonly string[]): Pick<Parameter, 'expected' | 'schema'> {
  const allowedNames = new Set(names);
  return {
    expected: `a comma-separated list of ${listed(names)}`,
    schema: v.pipe(
      v.string(),
      v.check((text) => text.split(',').every((name) => allowedNames.has(name))),
    ),
  };
}

/** `fields=id,title`: which of a record's fields to send, in the model's order whatever the order here. */
export function fieldsParameter({ fields }: CollectionModel, hasAllFields = false): Parameter {
  const names = [...fields.map(({ name }) => name), ALL_FIELDS];
  return {
    name: 'fields',
    description: `only these fields, comma-separated; ${ALL_FIELDS} stands for all`,
    ...(hasAllFields && { fallback: ALL_FIELDS }),
    example: names.slice(0, 2).join(','),
    ...someOf(names),
  };
}

export const missingParameter = ({ fields }: CollectionModel): Parameter => ({
  ...oneOf(
    'missing',
    'only records whose value of this field is null or blank; if given several times, all of these fields',
    fields.map(({ name }) => name),
  ),
  repeatable: true,
});

export const parameterOfMatch = (name: string, parameter: string): Parameter => ({
  ...oneOf(
    name,
    `whether a record must have any or all of several values of \`${parameter}\`; any if not given`,
    matches,
  ),
  fallback: 'any',
});

/** The value of a field as a segment of the path. */
export const pathValueParameter = (name: string): Parameter => ({
  name,
  description: `exact ${name}; case and accents do not matter`,
  expected: 'a name',
  schema: v.string(),
  required: true,
  notBlank: true,
});

export const NUMBER_EXPECTED = 'a number';
export const decimalNumber = v.pipe(
  v.string(),
  v.regex(/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/),
  v.transform(Number),
  v.number(),
  v.finite(),
);
