/**
 * Requests made from the OpenAPI document: every operation that it names, with the parameters that it names, valid and
 * broken, however they are encoded, and the pages that take the same parameters. They are the bytes of a connection.
 */
import fc from 'fast-check';
import { at, isObject, type Json, listOf } from './json.js';
import { bodies, brokenHeader, header, methods, textOf } from './request-heads.js';
import { allowed, broken, encoded, oneOf, weighted, well } from './request-texts.js';

export interface FuzzedRequest {
  readonly method: string;
  /** As the document has it, or null where the target is none of its operations. */
  readonly operation: string | null;
  /** As latin1. */
  readonly bytes: string;
  /** Nothing can follow on its connection: it has a body, or what is no header. */
  readonly isLast: boolean;
}

/** What the parser answers to a method that it does not know (README, "Errors"); any other status of 500 and more is a bug. */
const UNKNOWN_METHOD = 501;
export const isFailure = (status: number): boolean => status >= 500 && status !== UNKNOWN_METHOD;

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly valid: fc.Arbitrary<string>;
}

interface Operation {
  readonly path: string;
  readonly inPath: readonly Parameter[];
  readonly inQuery: readonly Parameter[];
}

type Pair = readonly [name: string, value: string];

function parameterOf(parameter: unknown): Parameter {
  const example = [at(parameter, 'example')].flat()[0];
  const schema = allowed(at(parameter, 'schema'));
  return {
    name: String(at(parameter, 'name')),
    isRequired: at(parameter, 'required') === true,
    valid: example === undefined ? schema : weighted([3, fc.constant(String(example))], [2, schema]),
  };
}

function operationsOf(document: Json): readonly Operation[] {
  const paths = at(document, 'paths');
  return Object.entries(isObject(paths) ? paths : {}).map(([path, item]) => {
    const parameters = listOf(at(item, 'get', 'parameters'));
    const placed = (place: string) => parameters.filter((each) => at(each, 'in') === place).map(parameterOf);
    return { path, inPath: placed('path'), inQuery: placed('query') };
  });
}

const pathOf = (path: string, values: readonly Pair[]): string =>
  values.reduce((all, [name, value]) => all.replace(`{${name}}`, () => value.replaceAll('+', '%20')), path);
const targetOf = (path: string, pairs: readonly Pair[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;

const pairsOf = (parameters: readonly Parameter[], value: (parameter: Parameter) => fc.Arbitrary<string>) =>
  fc.tuple(...parameters.map((each) => value(each).map((text): Pair => [each.name, text])));

const wellOf = ({ valid }: Parameter): fc.Arbitrary<string> => well(valid);
/** Mostly something else than is allowed. */
const badlyOf = ({ valid }: Parameter): fc.Arbitrary<string> => weighted([2, encoded(broken)], [1, encoded(valid)]);

const MAX_PARAMETERS = 4;

function validTarget({ path, inPath, inQuery }: Operation): fc.Arbitrary<string> {
  const required = inQuery.filter(({ isRequired }) => isRequired);
  return fc
    .subarray([...inQuery], { maxLength: Math.min(inQuery.length, MAX_PARAMETERS) })
    .chain((some) => fc.tuple(pairsOf(inPath, wellOf), pairsOf([...new Set([...required, ...some])], wellOf)))
    .map(([ids, pairs]) => targetOf(pathOf(path, ids), pairs));
}

/** What becomes of a path on its way through hands that should leave it alone. */
const bends: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => path,
  (path) => path.replace('/api', ''),
  (path) => `${path}/`,
  (path) => path.replace('/', '//'),
  (path) => `/x/..${path}`,
  (path) => path.toUpperCase(),
  (path) => path.slice(0, -1),
  (path) => `${path}/1/../..`,
  (path) => path.replace('a', '%61'),
  (path) => `${path};v=1`,
  (path) => `http://localhost${path}`,
  (path) => `${path}#top`,
  () => '*',
  () => '/docs',
];

function brokenTarget({ path, inPath, inQuery }: Operation): fc.Arbitrary<string> {
  const unknown: Parameter = { name: 'Page', isRequired: false, valid: fc.constant('1') };
  const bracketed: Parameter = { name: 'tag[]', isRequired: false, valid: broken };
  const query = fc
    .array(oneOf(...inQuery, ...inQuery, unknown, bracketed), { maxLength: MAX_PARAMETERS })
    .chain((some) => pairsOf(some, badlyOf));
  return fc
    .tuple(oneOf(...bends), pairsOf(inPath, badlyOf), query, oneOf('', '', '', '&', '&&=', '&%', '?', '&q', '&a=b=c'))
    .map(([bend, ids, pairs, rest]) => targetOf(bend(pathOf(path, ids)), pairs) + rest);
}

/** Any request to a server with this document; every second one means what the document says. */
export function requestsOf(document: Json): fc.Arbitrary<FuzzedRequest> {
  const operations = oneOf(...operationsOf(document));
  const valid = operations.chain((operation) =>
    fc
      .record({
        method: weighted([5, oneOf('GET')], [1, oneOf('HEAD')]),
        target: validTarget(operation),
        headers: fc.array(header, { maxLength: 2 }),
      })
      .map(({ method, target, headers }) => ({
        method,
        operation: operation.path,
        bytes: textOf(method, target, headers, ''),
        isLast: false,
      })),
  );
  const any = operations.chain((operation) =>
    fc
      .record({
        method: methods,
        target: brokenTarget(operation),
        headers: fc.array(weighted([4, header], [1, brokenHeader]), { maxLength: 4 }),
        body: bodies,
      })
      .map(({ method, target, headers, body }) => ({
        method,
        operation: null,
        bytes: textOf(method, target, headers, body),
        isLast: true,
      })),
  );
  return fc.oneof(valid, any);
}
