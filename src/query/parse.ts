/**
 * Raw query string and path segment → checked parameters, or one error that lists every fault. A text that is no
 * valid percent-encoding, or a missing or empty required parameter, makes the request an `invalid_request`; any other
 * fault alone a `validation_error`.
 */
import * as v from 'valibot';
import { type ApiError, type Fault, parameterError } from '../errors.js';
import { quote } from '../text.js';
import { didYouMean } from './nearest.js';
import type { Parameter } from './parameters.js';
import type { ParameterValues } from './request.js';

export type Parsed =
  | { readonly ok: true; readonly values: ParameterValues }
  | { readonly ok: false; readonly error: ApiError };

interface Given {
  readonly name: string;
  readonly value: string;
}

/** Checks a request's parameters: those of the path by name, those of the query string as they stand in the URL. */
export function parseParameters(
  query: string,
  parameters: readonly Parameter[],
  path: { readonly parameter: Parameter; readonly segment: string } | null,
): Parsed {
  const values = new Map<string, (string | number)[]>();
  const faults: Fault[] = [];
  const missing: Fault[] = [];
  const { known, required, bounded } = tableOf(parameters);
  const seen = new Set<string>();

  const check = (parameter: Parameter, text: string): void => {
    if (parameter.notBlank && text.trim() === '') {
      missing.push({ parameter: parameter.name, message: `"${parameter.name}" must not be empty.` });
      return;
    }
    const result = v.safeParse(parameter.schema, text);
    if (!result.success) return void faults.push(wrongValue(parameter, text));
    const others = values.get(parameter.name);
    if (others === undefined) values.set(parameter.name, [result.output]);
    else others.push(result.output);
  };

  if (path !== null) {
    const segment = decode(path.segment);
    if (segment === null) return badEncoding(path.parameter.name, path.segment);
    check(path.parameter, segment);
  }
  for (const pair of splitQuery(query)) {
    const given = decodePair(pair);
    if (given === null) return badEncoding(pair.split('=', 1)[0] ?? '', pair);
    const parameter = known.get(given.name);
    if (parameter === undefined) faults.push(unknownName(given.name, known));
    else if (seen.has(given.name) && !parameter.repeatable) faults.push(twice(given.name));
    else check(parameter, given.value);
    seen.add(given.name);
  }
  for (const parameter of required) if (!seen.has(parameter.name)) missing.push(notGiven(parameter));
  for (const parameter of bounded) faults.push(...impossibleRange(parameter, values));
  if (missing.length > 0) return { ok: false, error: parameterError('invalid_request', [...missing, ...faults]) };
  if (faults.length > 0) return { ok: false, error: parameterError('validation_error', faults) };
  return { ok: true, values };
}

interface ParameterTable {
  readonly known: ReadonlyMap<string, Parameter>;
  readonly required: readonly Parameter[];
  /** Those that must not exceed another. */
  readonly bounded: readonly Parameter[];
}

/** Routes keep their parameters, so each list is looked at once. */
const tables = new WeakMap<readonly Parameter[], ParameterTable>();

function tableOf(parameters: readonly Parameter[]): ParameterTable {
  const found = tables.get(parameters);
  if (found !== undefined) return found;
  const table = {
    known: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    required: parameters.filter(({ required }) => required),
    bounded: parameters.filter(({ upTo }) => upTo !== undefined),
  };
  tables.set(parameters, table);
  return table;
}

const splitQuery = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '');

/** Decodes one `name=value` as HTML forms encode it (WHATWG URL, section 5.1), but refuses what is not UTF-8. */
function decodePair(pair: string): Given | null {
  const plain = pair.includes('+') ? pair.replaceAll('+', ' ') : pair;
  const equals = plain.indexOf('=');
  const name = decode(equals < 0 ? plain : plain.slice(0, equals));
  const value = decode(equals < 0 ? '' : plain.slice(equals + 1));
  return name === null || value === null ? null : { name, value };
}

function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const badEncoding = (parameter: string, text: string): Parsed => {
  const message = `${quote(text)} is not valid percent-encoded UTF-8; a literal % is written %25.`;
  return { ok: false, error: parameterError('invalid_request', [{ parameter, message }]) };
};

const wrongValue = ({ name, expected }: Parameter, text: string): Fault => ({
  parameter: name,
  message: `"${name}" must be ${expected}, received ${quote(text)}.`,
});

const notGiven = ({ name, expected }: Parameter): Fault => ({
  parameter: name,
  message: `"${name}" is required: ${expected}.`,
});

function impossibleRange({ name, upTo }: Parameter, values: ParameterValues): readonly Fault[] {
  const min = values.get(name)?.[0];
  const max = upTo === undefined ? undefined : values.get(upTo)?.[0];
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ parameter: name, message: `"${name}" must not exceed "${upTo}".` }];
}

const twice = (name: string): Fault => ({ parameter: name, message: `"${name}" is given more than once.` });

function unknownName(name: string, known: ReadonlyMap<string, Parameter>): Fault {
  const names = [...known.keys()];
  const all = names.length > 0 ? `known here: ${names.join(', ')}` : 'none is known here';
  return { parameter: name, message: `Unknown parameter ${quote(name)}; ${all}.${didYouMean(name, names)}` };
}
