/** Texts, examples and requests of the OpenAPI document, as the documentation shows them. */
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

const MAX_EXAMPLE_CHARACTERS = 90;

/** An example as indented JSON. Its long texts are cut: an inline SVG has a thousand characters. */
export const exampleText = (example: unknown): string =>
  JSON.stringify(
    example,
    (_key, value: unknown) =>
      typeof value === 'string' && value.length > MAX_EXAMPLE_CHARACTERS
        ? `${value.slice(0, MAX_EXAMPLE_CHARACTERS)}…`
        : value,
    2,
  );

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
