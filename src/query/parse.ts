/**
 * Raw query string and path segment → checked parameters, or one error that lists the faults, each name once. A text
 * that is no valid percent-encoding, or a missing or empty required parameter, makes the request an `invalid_request`;
 * any other fault alone a `validation_error`. What a request costs is linear in its length, however faulty it is.
 */
import * as v from 'valibot';
import { type ApiError, faultOf, MAX_DETAILS, type ParameterFault, parameterError } from '../errors.js';
import { OPERATOR_SUFFIX } from '../names.js';
import { nearestHint } from '../nearest.js';
import { listed, type Message, messageText, quote, quoted } from '../text.js';
import { lineForName, lineForRepetition, lineForValue } from './foreign.js';
import { parseMoment } from './moment.js';
import type { Parameter } from './parameters.js';
import type { ParameterValues } from './query.js';

export type Parsed =
  | {
      readonly ok: true;
      readonly values: ParameterValues;
      /** The values that depend on the clock; empty where none does. */
      readonly clockValues: string;
    }
  | {
      readonly ok: false;
      readonly error: ApiError;
      /** The names of all parameters at fault, of which the error describes the first ones only. */
      readonly faulty: ReadonlySet<string>;
    };

/** Checks a request's parameters: those of the path by name, those of the query string as they stand in the URL. */
export function parseParameters(
  query: string,
  parameters: readonly Parameter[],
  path?: { readonly parameter: Parameter; readonly segment: string },
): Parsed {
  const values = new Map<string, (string | number)[]>();
  const faulty = new Set<string>();
  const faults: ParameterFault[] = [];
  const missing: ParameterFault[] = [];
  let clockValues = '';
  const { known, required, bounded, dependent } = parameterTable(parameters);
  // A parameter is given if it has a value or a fault.
  const isGiven = (name: string): boolean => values.has(name) || faulty.has(name);

  // Reports the first fault of each name, and describes at most `MAX_DETAILS` of them.
  const report = (list: ParameterFault[], name: string, describe: () => ParameterFault): void => {
    if (faulty.has(name)) return;
    faulty.add(name);
    if (list.length < MAX_DETAILS) list.push({ ...describe(), parameter: shownName(name) });
  };

  const check = (parameter: Parameter, text: string): void => {
    const { name } = parameter;
    if (parameter.notBlank && text.trim() === '') {
      report(missing, name, () => faultOf(name, 'must not be empty.'));
      return;
    }
    const result = v.safeParse(parameter.schema, text);
    if (!result.success) {
      report(faults, name, () => wrongValue(parameter, text, known));
      return;
    }
    if (parameter.readsClock) clockValues += ` ${result.output}`;
    const valuesBefore = values.get(name);
    if (valuesBefore === undefined) values.set(name, [result.output]);
    else valuesBefore.push(result.output);
  };

  if (path !== undefined) {
    const segment = decode(path.segment);
    if (segment === null) return badEncoding(path.parameter.name, path.segment);
    check(path.parameter, segment);
  }
  let boundedValues = 0;
  let hasUnknown = false;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const decoded = decodePair(pair);
    if (decoded === null) return badEncoding(pair.split('=', 1)[0] ?? '', pair);
    const { name } = decoded;
    const parameter = known.get(name);
    if (parameter === undefined) {
      hasUnknown = true;
      report(faults, name, () => unknownParameter(name, decoded.value, known));
    } else if (isGiven(name) && !parameter.repeatable)
      report(faults, name, () => faultOf(name, withLine('is given more than once.', lineForRepetition(name, known))));
    else if (parameter.maxValues !== undefined && ++boundedValues > parameter.maxValues.count) {
      const { says } = parameter.maxValues;
      report(faults, name, () => faultOf(name, `is one value too many: ${says}.`));
    } else check(parameter, decoded.value);
  }
  for (const parameter of required) {
    const { name, expected } = parameter;
    if (!isGiven(name)) report(missing, name, () => faultOf(name, `is required: ${expected}.`));
  }
  for (const { name, upTo } of bounded) {
    if (exceeds(values, name, upTo))
      report(faults, name, () => faultOf(name, 'must not exceed ', { quoted: upTo }, '.'));
  }
  for (const { name, needs } of dependent) {
    // Where the needed parameter is faulty, its own fault says enough.
    if (!(faulty.has(needs.parameter) || meets(values, name, needs)))
      report(faults, name, () => unmetNeed(name, needs));
  }
  if (faulty.size === 0) return { ok: true, values, clockValues };
  const described = [...missing, ...faults].slice(0, MAX_DETAILS);
  const code = missing.length > 0 ? 'invalid_request' : 'validation_error';
  const note = hasUnknown ? knownText(known) : undefined;
  return { ok: false, error: parameterError(code, described, faulty.size - described.length, note), faulty };
}

/** A longer name is cut in errors: ten faults stay below 8 kB, also where each character is escaped in JSON and in HTML. */
const MAX_SHOWN_NAME = 60;

const shownName = (name: string): string => {
  const characters = [...name.slice(0, 2 * (MAX_SHOWN_NAME + 1))];
  return characters.length > MAX_SHOWN_NAME ? `${characters.slice(0, MAX_SHOWN_NAME).join('')}…` : name;
};

interface Dependent {
  readonly name: string;
  readonly needs: NonNullable<Parameter['needs']>;
}

function meets(values: ParameterValues, name: string, { parameter, oneOf }: Dependent['needs']): boolean {
  if (!values.has(name)) return true;
  const neededValues = values.get(parameter) ?? [];
  if (oneOf === undefined) return neededValues.length > 0;
  return neededValues.length < 2 && neededValues.every((value) => oneOf.includes(String(value)));
}

const unmetNeed = (name: string, { parameter, oneOf }: Dependent['needs']): ParameterFault =>
  oneOf === undefined
    ? faultOf(name, 'needs ', { quoted: parameter }, '.')
    : faultOf(name, 'goes with one ', { quoted: parameter }, ` without \`-\`: ${listed(oneOf)}.`);

interface ParameterTable {
  readonly known: ReadonlyMap<string, Parameter>;
  readonly required: readonly Parameter[];
  /** The parameters that must not exceed another one. */
  readonly bounded: readonly { readonly name: string; readonly upTo: string }[];
  /** The parameters that need another one. */
  readonly dependent: readonly Dependent[];
}

/** Tables by list of parameters: a route has the same list for every request. */
const tables = new WeakMap<readonly Parameter[], ParameterTable>();

function parameterTable(parameters: readonly Parameter[]): ParameterTable {
  const cached = tables.get(parameters);
  if (cached !== undefined) return cached;
  const table = {
    known: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    required: parameters.filter(({ required }) => required),
    bounded: parameters.flatMap(({ name, upTo }) => (upTo === undefined ? [] : [{ name, upTo }])),
    dependent: parameters.flatMap(({ name, needs }) => (needs === undefined ? [] : [{ name, needs }])),
  };
  tables.set(parameters, table);
  return table;
}

/** Decodes one `name=value` as HTML forms encode it (WHATWG URL, section 5.1), but refuses what is not UTF-8. */
function decodePair(pair: string): { readonly name: string; readonly value: string } | null {
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

function badEncoding(name: string, text: string): Parsed {
  const says = [quoted(text), ' is not valid percent-encoded UTF-8; a literal % is written %25.'];
  const fault = { parameter: shownName(name), message: messageText(says), says };
  const error = parameterError('invalid_request', [fault]);
  return { ok: false, error, faulty: new Set([name]) };
}

function wrongValue(
  { name, expected }: Parameter,
  text: string,
  known: ReadonlyMap<string, Parameter>,
): ParameterFault {
  const line = lineForValue(name, text, known);
  return faultOf(name, `must be ${expected}, received `, quoted(text), withLine('.', line));
}

/** A sentence, and behind it the line that works, where there is one. */
const withLine = (sentence: string, line: string | null): string => (line === null ? sentence : `${sentence} ${line}`);

/** Whether the least number of a range is above its greatest; a date stands for all of its time. */
function exceeds(values: ParameterValues, name: string, upTo: string): boolean {
  const min = values.get(name)?.[0];
  const max = values.get(upTo)?.[0];
  if (min === undefined || max === undefined) return false;
  if (typeof min === 'number' && typeof max === 'number') return min > max;
  const [from, to] = [parseMoment(String(min)), parseMoment(String(max))];
  return from !== null && to !== null && from.start > to.end;
}

function unknownParameter(name: string, value: string, known: ReadonlyMap<string, Parameter>): ParameterFault {
  const line = lineForName(name, value, known);
  const hint: Message = line === null ? nearestHint(name, known.keys()) : [` ${line}`];
  const says = known.size > 0 ? 'is not known here.' : 'is not known: this address takes no parameters.';
  return {
    parameter: name,
    message: `Unknown parameter ${quote(shownName(name))}.${messageText(hint)}`,
    says: [says, ...hint],
  };
}

/** `Known here are page, limit and price; price also as price_ne, price_gte, …`: each operator once, behind one field that has it. */
function knownText(known: ReadonlyMap<string, Parameter>): string {
  if (known.size === 0) return 'This address takes no parameters.';
  const isOperated = (name: string): boolean =>
    OPERATOR_SUFFIX.test(name) && known.has(name.replace(OPERATOR_SUFFIX, ''));
  const names = [...known.keys()];
  const suffixes = [...new Set(names.filter(isOperated).map((name) => OPERATOR_SUFFIX.exec(name)?.[0] ?? ''))];
  const operators = suffixes.length === 0 ? '' : `; behind a field's name also ${listed(suffixes)}`;
  return `Known here: ${listed(names.filter((name) => !isOperated(name)))}${operators}.`;
}
