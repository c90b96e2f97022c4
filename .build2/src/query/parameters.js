/**
 * Every request parameter, described once: its Valibot schema, and in words what is allowed. Parser, error messages
 * and documentation read this table.
 */
import * as v from 'valibot';
import { sortKeys } from '../model.js';
import { grouped } from '../text.js';
import { parseMoment } from './moment.js';
export const DEFAULT_PAGE = 1;
export const DEFAULT_LIMIT = 20;
/** Longer texts are no search; a URL that holds this many characters, each percent-encoded, still fits a request. */
export const MAX_QUERY_CHARACTERS = 4096;
/** Decimal digits to a safe integer from `min` to `max`. */
const integer = (min, max) => v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max));
export const pageParameter = {
    name: 'page',
    description: `page number, ${DEFAULT_PAGE} if not given`,
    expected: 'an integer of at least 1',
    schema: integer(1, Number.MAX_SAFE_INTEGER),
    fallback: String(DEFAULT_PAGE),
};
export const LIMIT_DESCRIPTION = `records per page, ${DEFAULT_LIMIT} if not given`;
export const limitParameter = (maxLimit) => ({
    ...limit(maxLimit),
    description: LIMIT_DESCRIPTION,
    fallback: String(DEFAULT_LIMIT),
});
export const facetLimitParameter = (maxLimit) => ({
    ...limit(maxLimit),
    description: 'how many names, all if not given',
});
const limit = (maxLimit) => ({
    name: 'limit',
    expected: `an integer from 1 to ${maxLimit}`,
    schema: integer(1, maxLimit),
});
export const idParameter = {
    name: 'id',
    description: 'identifier of the record',
    expected: 'an integer',
    // Kept as text: an integer too large to be a number is an id that no record has, and messages name it as written.
    schema: v.pipe(v.string(), v.regex(/^-?\d+$/)),
    required: true,
    notBlank: true,
};
const searchText = {
    name: 'q',
    description: 'search text',
    expected: `a text of 1 to ${grouped(MAX_QUERY_CHARACTERS)} characters`,
    schema: v.pipe(v.string(), v.maxLength(MAX_QUERY_CHARACTERS)),
    notBlank: true,
};
export const searchTextParameter = { ...searchText, required: true };
export const optionalTextParameter = {
    ...searchText,
    description: 'search text, every record if not given',
};
export const oneOf = (name, description, names) => ({
    name,
    description,
    expected: `one of ${names.join(', ')}`,
    schema: v.picklist(names),
});
export const sortParameter = (model) => oneOf('sort', 'field to sort by; snapshot order, or relevance for a search, if not given', sortKeys(model));
export const orderParameter = {
    ...oneOf('order', 'direction of `sort`, asc if not given', ['asc', 'desc']),
    fallback: 'asc',
};
export const exportFormats = ['json', 'csv', 'ndjson'];
export const formatParameter = {
    ...oneOf('format', 'format of the file, json if not given', exportFormats),
    fallback: 'json',
};
/** Spreadsheets take a CSV file without the mark for one in an old encoding. */
export const byteOrderMarkParameter = {
    ...oneOf('bom', '1 begins a CSV file with a byte order mark, for spreadsheets; 0 if not given', ['0', '1']),
    fallback: '0',
};
/** `fields=id,title`: which of a record's fields to send, in the model's order whatever the order here. */
export function fieldsParameter(model) {
    const names = model.fields.map((field) => field.name);
    return {
        name: 'fields',
        description: 'only these fields, comma-separated',
        expected: `a comma-separated list of ${names.join(', ')}`,
        schema: v.pipe(v.string(), v.check((text) => text.split(',').every((name) => names.includes(name)))),
    };
}
/** The filters that a collection's fields offer, in the model's order. */
export const filterParameters = (model) => model.fields.flatMap(parametersOfField);
function parametersOfField({ name, kind, filter }) {
    if (filter === undefined)
        return [];
    if (filter.kind === 'value')
        return [valueParameter(filter.parameter)];
    const bound = kind === 'date' ? dateBound : numberBound;
    return [
        { ...bound(filter.min, `${name} from this on`, 'start'), upTo: filter.max },
        bound(filter.max, `${name} up to this`, 'end'),
    ];
}
const valueParameter = (name) => ({
    name,
    description: `${name} of the records, matched whole, case and accents aside; any of them if given several times`,
    expected: 'a name',
    schema: v.pipe(v.string(), v.nonEmpty()),
    repeatable: true,
});
/** The same as a segment of the path. */
export const pathValueParameter = (name) => ({
    name,
    description: `${name} of the records, matched whole, case and accents aside`,
    expected: 'a name',
    schema: v.string(),
    required: true,
    notBlank: true,
});
export const numberBound = (name, description) => ({
    name,
    description,
    expected: 'a number',
    schema: v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/), v.transform(Number), v.number(), v.finite()),
});
const dateBound = (name, description, side) => ({
    name,
    description: `${description}; a year, month or day counts whole`,
    expected: 'a date such as 2024-01-31, 2024-01 or 2024-01-31T12:00:00Z',
    schema: v.pipe(v.string(), v.transform((text) => parseMoment(text)?.[side] ?? Number.NaN), v.finite()),
});
