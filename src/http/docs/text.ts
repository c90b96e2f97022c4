/** Texts, examples and requests of the OpenAPI document, as the documentation shows them. */

import { MISSING } from '../../query/query.js';
import { shortened } from '../markup/format.js';
import { type Html, html } from '../markup/html.js';
import { isSchema, type JsonSchema } from '../openapi/json-schema.js';
import type { OpenApiOperation, OpenApiParameter } from '../openapi/types.js';
import { percentEncode } from '../semantics/percent.js';

/** Text as markup; parts between backticks become code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** A path that may be broken before each of its segments, and so is not within one: `{countedField}`. */
export const breakable = (path: string): Html =>
  html`${path.split('/').map((segment, i) => (i === 0 ? segment : html`<wbr>/${segment}`))}`;

export type PathAndOperation = readonly [path: string, operation: OpenApiOperation];

export const DOCS_PATH = '/docs';

/** The page of an operation: all of its parameters, and the fields of its answer. */
export const operationPath = (operationId: string): string => `${DOCS_PATH}/${percentEncode(operationId)}`;

/** Parameters that are tried first, in this order. */
const MAIN_NAMES = 'q by field countedField format startsWith sort order page limit fields'.split(' ');

interface ParameterGroups {
  /** Required and main parameters. */
  readonly main: readonly OpenApiParameter[];
  /** Parameters that are neither main ones nor filters of a field: how words are searched, how a file is written. */
  readonly further: readonly OpenApiParameter[];
  /** By field: its filters, `price`, `price_ne`, `price_gte` and their second names. */
  readonly filters: ReadonlyMap<string, readonly OpenApiParameter[]>;
}

/** The filters of a field follow one another, that of its value first, and `missing` stands behind those of all fields. */
export function groupedParameters(parameters: readonly OpenApiParameter[]): ParameterGroups {
  const names = new Set(parameters.map(({ name }) => name));
  const main: OpenApiParameter[] = [];
  const further: OpenApiParameter[] = [];
  const filters = new Map<string, OpenApiParameter[]>();
  let ofField: OpenApiParameter[] | null = null;
  for (const parameter of parameters) {
    const { name, required } = parameter;
    const isMain = required === true || MAIN_NAMES.includes(name);
    if (names.has(`${name}_ne`)) {
      ofField = [parameter];
      filters.set(name, ofField);
    } else if (ofField === null || isMain || name === MISSING) {
      ofField = null;
      (isMain ? main : further).push(parameter);
    } else ofField.push(parameter);
  }
  const place = ({ name, required }: OpenApiParameter): number => (required ? -1 : MAIN_NAMES.indexOf(name));
  return { main: main.sort((a, b) => place(a) - place(b)), further, filters };
}

const MAX_EXAMPLE_CHARACTERS = 90;

/** An example as indented JSON. Its long texts are cut: an inline SVG has a thousand characters. */
export const exampleText = (example: unknown): string =>
  JSON.stringify(
    example,
    (_key, value: unknown) => (typeof value === 'string' ? shortened(value, MAX_EXAMPLE_CHARACTERS) : value),
    2,
  );

const MAX_EXCERPT_MEMBERS = 6;
const MAX_EXCERPT_CHARACTERS = 36;
/** Values up to this length stand on one line. */
const MAX_LINE_CHARACTERS = 44;

/** The beginning of an example: the first item of each list and the first members of each object, with `…` for the rest. */
export function excerptText(value: unknown, indent = ''): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, MAX_EXCERPT_CHARACTERS));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const all = Object.entries(value);
  const excerpts = all
    .slice(0, isList ? 1 : MAX_EXCERPT_MEMBERS)
    .map(([name, part]) => `${isList ? '' : `${JSON.stringify(name)}: `}${excerptText(part, inner)}`);
  const parts = excerpts.length < all.length ? [...excerpts, '…'] : excerpts;
  const [start, end] = isList ? '[]' : '{}';
  const line = parts.join(', ');
  return line.length <= MAX_LINE_CHARACTERS && !line.includes('\n')
    ? `${start}${line}${end}`
    : `${start}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${end}`;
}

/** The address of an example request: it has the required parameters, and asks for two records of a list, or two groups. */
export function exampleAddress(path: string, { parameters = [] }: OpenApiOperation): string {
  const required = parameters.filter((parameter) => parameter.required);
  const isShown = (parameter: OpenApiParameter): boolean => parameter.required === true || parameter.name === 'by';
  const pairs = parameters.filter((parameter) => parameter.in === 'query' && isShown(parameter)).map(queryPair);
  if (parameters.some(({ name }) => name === 'limit')) pairs.push('limit=2');
  const filledPath = required
    .filter((parameter) => parameter.in === 'path' && parameter.example !== undefined)
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, () => percentEncode(String(example))), path);
  return pairs.length === 0 ? filledPath : `${filledPath}?${pairs.join('&')}`;
}

const queryPair = ({ name, example = '' }: OpenApiParameter): string => `${name}=${percentEncode(String(example))}`;

/** A shell command for an address of this server. */
export const curlCommand = (origin: string, address: string): string =>
  `curl '${origin}${address.replaceAll("'", '%27')}'`;

/** The allowed values of a parameter; null where they are not listed. */
export function valuesText({ enum: values, items }: JsonSchema): readonly unknown[] | null {
  if (Array.isArray(values)) return values;
  return isSchema(items) ? valuesText(items) : null;
}

/** Whether a parameter is a switch, with the values 0 and 1. */
export const isSwitch = (schema: JsonSchema): boolean => valuesText(schema)?.join() === '0,1';
