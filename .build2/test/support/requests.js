/**
 * Requests made from the OpenAPI document: every operation that it names, with the parameters that it names, valid and
 * broken, however they are encoded, and the pages that take the same parameters. They are the bytes of a connection.
 */
import fc from 'fast-check';
import { at, isObject, listOf } from './json.js';
/** What the parser answers to a method that it does not know (README, "Errors"); any other status of 500 and more is a bug. */
const UNKNOWN_METHOD = 501;
export const isFailure = (status) => status >= 500 && status !== UNKNOWN_METHOD;
/** One of several, by their weights. */
const weighted = (...all) => fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const oneOf = (...all) => fc.constantFrom(...all);
const MAX_INTEGER = 60;
/** Texts that the schema allows. */
function allowed(schema) {
    const values = at(schema, 'enum');
    if (Array.isArray(values))
        return oneOf(...values.map(String));
    const pattern = at(schema, 'pattern');
    if (typeof pattern === 'string')
        return fc.stringMatching(new RegExp(pattern), { maxLength: 30 });
    const [least, most] = [Number(at(schema, 'minimum') ?? 0), Number(at(schema, 'maximum') ?? Number.MAX_SAFE_INTEGER)];
    switch (at(schema, 'type')) {
        case 'array':
            return allowed(at(schema, 'items'));
        case 'integer':
            return weighted([5, fc.integer({ min: least, max: Math.min(most, MAX_INTEGER) })], [1, oneOf(least, most)]).map(String);
        case 'number':
            return fc.double({ min: least, max: Math.min(most, MAX_INTEGER), noNaN: true }).map(String);
        default:
            return oneOf('salt', 'the map', 'map -tofu', '"silken tofu"', 'tag', 'id', 'id,title', '2024', '豆腐', '😀', 'e');
    }
}
function parameterOf(parameter) {
    const example = [at(parameter, 'example')].flat()[0];
    const schema = allowed(at(parameter, 'schema'));
    return {
        name: String(at(parameter, 'name')),
        isRequired: at(parameter, 'required') === true,
        valid: example === undefined ? schema : weighted([3, fc.constant(String(example))], [2, schema]),
    };
}
function operationsOf(document) {
    const paths = at(document, 'paths');
    return Object.entries(isObject(paths) ? paths : {}).map(([path, item]) => {
        const parameters = listOf(at(item, 'get', 'parameters'));
        const placed = (place) => parameters.filter((each) => at(each, 'in') === place).map(parameterOf);
        return { path, inPath: placed('path'), inQuery: placed('query') };
    });
}
/** Values that are nobody's, or at somebody's edge. */
const broken = weighted([
    3,
    oneOf(...['', ' ', '+', '0', '-1', '-0', '1e3', '0x10', '1.5', '00', '٣', '9007199254740992', '9'.repeat(400)], ...['NaN', 'null', 'true', '[]', '{}', ',', 'id,', 'id,id', 'x'.repeat(4097), '*', '"', '"" -', '-a -b', '((('], ...['2024-02-30', '2024-13', '0000', '<script>', "' or 1=1 --", '../../etc/passwd', '\0', '\r\nX: y', '\u202e']),
], [2, fc.string({ unit: 'grapheme', maxLength: 40 })]);
/** Ways to write a text in a target; the last ones are no valid ways. */
const encodings = [
    encodeURIComponent,
    (text) => encodeURIComponent(text).replaceAll('%20', '+'),
    (text) => encodeURIComponent(text).toLowerCase(),
    (text) => Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, ''),
    (text) => `${encodeURIComponent(text)}%`,
    (text) => `%ED%A0%80${encodeURIComponent(text)}`,
    (text) => `${encodeURIComponent(text)}%FF%zz`,
    (text) => Buffer.from(text).toString('latin1'),
];
const VALID_ENCODINGS = 2;
const encoded = (texts, ways = encodings) => fc.tuple(oneOf(...ways), texts).map(([encode, text]) => encode(text));
const well = (texts) => encoded(texts, encodings.slice(0, VALID_ENCODINGS));
const pathOf = (path, values) => values.reduce((all, [name, value]) => all.replace(`{${name}}`, () => value.replaceAll('+', '%20')), path);
const targetOf = (path, pairs) => pairs.length === 0 ? path : `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
const pairsOf = (parameters, value) => fc.tuple(...parameters.map((each) => value(each).map((text) => [each.name, text])));
const wellOf = ({ valid }) => well(valid);
/** Mostly something else than is allowed. */
const badlyOf = ({ valid }) => weighted([2, encoded(broken)], [1, encoded(valid)]);
const MOST_PARAMETERS = 4;
function validTarget({ path, inPath, inQuery }) {
    const required = inQuery.filter(({ isRequired }) => isRequired);
    return fc
        .subarray([...inQuery], { maxLength: Math.min(inQuery.length, MOST_PARAMETERS) })
        .chain((some) => fc.tuple(pairsOf(inPath, wellOf), pairsOf([...new Set([...required, ...some])], wellOf)))
        .map(([ids, pairs]) => targetOf(pathOf(path, ids), pairs));
}
/** What becomes of a path on its way through hands that should leave it alone. */
const bends = [
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
function brokenTarget({ path, inPath, inQuery }) {
    const unknown = { name: 'Page', isRequired: false, valid: fc.constant('1') };
    const bracketed = { name: 'tag[]', isRequired: false, valid: broken };
    const query = fc
        .array(oneOf(...inQuery, ...inQuery, unknown, bracketed), { maxLength: MOST_PARAMETERS })
        .chain((some) => pairsOf(some, badlyOf));
    return fc
        .tuple(oneOf(...bends), pairsOf(inPath, badlyOf), query, oneOf('', '', '', '&', '&&=', '&%', '?', '&q', '&a=b=c'))
        .map(([bend, ids, pairs, rest]) => targetOf(bend(pathOf(path, ids)), pairs) + rest);
}
const date = 'Tue, 14 Nov 2023 22:13:20 GMT';
const tags = oneOf('*', '"x"', 'W/"x"', '"x", "y"', '"x', ',,', '', '"\t"', `"${'x'.repeat(3000)}"`);
const dates = oneOf(date, 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'yesterday', '');
const codings = oneOf('gzip', 'br', 'gzip, br;q=0.1', '*;q=0', 'identity;q=0', 'GZIP;q=1.0', 'zstd', ';;;', '', 'br;q=9');
/** Headers that a request may have, by name. */
const known = {
    'Accept-Encoding': codings,
    'If-None-Match': tags,
    'If-Match': tags,
    'If-Modified-Since': dates,
    'If-Unmodified-Since': dates,
    'If-Range': oneOf('"x"', date, 'W/"x"', ''),
    Range: oneOf('bytes=0-3', 'bytes=5-', 'bytes=-9', 'bytes=0-0,2-3', 'bytes=9-1', 'bytes=99999999-', 'lines=1-2', ''),
    Accept: oneOf('text/html', 'application/json;q=0', '*/*', ';'),
    Origin: oneOf('http://localhost:5173', 'null', ''),
    'Access-Control-Request-Method': oneOf('GET', 'PUT'),
    'X-Forwarded-For': oneOf('1.2.3.4', '::1, 1.2.3.4', 'x', ''),
    Connection: oneOf('keep-alive', 'close', 'Keep-Alive, TE', 'x'),
    Expect: oneOf('100-continue', 'miracles', ''),
    Cookie: oneOf('a=b', `a=${'x'.repeat(6000)}`),
};
/** Parts of downloads are asked for more often than chance would have it. */
const header = oneOf('Range', 'Range', 'Range', ...Object.keys(known)).chain((name) => (known[name] ?? fc.constant('')).map((value) => `${name}: ${value}`));
const brokenHeader = oneOf(...['Bad Name: x', 'NoColon', ': no name', ' folded: x', 'X-Odd: \x01', 'X-Odd: \xe9', 'X-Empty:', 'Host: other'], ...['Content-Length: -1', 'Content-Length: 1, 2', 'Transfer-Encoding: gzip', 'TE: trailers', 'Upgrade: h2c'], ...['Proxy-Connection: close', 'Host: a b', `X-Long: ${'x'.repeat(9000)}`, `X-Too-Long: ${'x'.repeat(66_000)}`]);
const methods = weighted([6, oneOf('GET')], [2, oneOf('HEAD')], [1, oneOf('OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'FETCH', 'get')]);
const bodies = weighted([12, fc.constant('')], [1, oneOf('x', '{"a":1}', '0'.repeat(5000))]);
const textOf = (method, target, headers, body) => {
    const length = body === '' ? [] : [`Content-Length: ${body.length}`];
    return `${[`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, ...length].join('\r\n')}\r\n\r\n${body}`;
};
/** Any request to a server with this document; every second one means what the document says. */
export function requestsOf(document) {
    const operations = oneOf(...operationsOf(document));
    const valid = operations.chain((operation) => fc
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
    })));
    const any = operations.chain((operation) => fc
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
    })));
    return fc.oneof(valid, any);
}
