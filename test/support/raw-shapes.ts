/**
 * Bytes that clients, proxies and attackers send, as tables: what RFC 9112 allows, forbids or leaves open, section by
 * section. Where a shape could make two readers see different requests, its body holds article 9, which nobody may see.
 */

export interface Shape {
  readonly name: string;
  /** As latin1. */
  readonly bytes: string;
  /** What happens here where bare `node:http` does something else, and why. */
  readonly here?: { readonly outcome: string; readonly because: string };
  /** Two readers could see different requests in it: it must be refused, whatever the runtime does. */
  readonly isSmuggling?: true;
}

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const get = (id: number, ...fields: readonly string[]): string =>
  lines(`GET /api/articles/${id} HTTP/1.1`, 'Host: a', ...fields);
const post = (body: string, ...fields: readonly string[]): string =>
  `${lines('POST /api/articles HTTP/1.1', 'Host: a', ...fields)}${body}`;
const hidden = get(9);

type Row = readonly [name: string, bytes: string, here?: Shape['here']];
const shapes = (rows: readonly Row[]): readonly Shape[] =>
  rows.map(([name, bytes, here]) => ({ name, bytes, ...(here && { here }) }));
const smuggling = (rows: readonly Row[]): readonly Shape[] =>
  shapes(rows).map((shape) => ({ ...shape, isSmuggling: true }));

const requestLine = (line: string): string => lines(line, 'Host: a');
const requestLines = shapes([
  ['plain', get(1)],
  ['an empty line before it', `\r\n${get(1)}`],
  ['empty lines before it', `\r\n\r\n\n${get(1)}`],
  ['lines end in LF', get(1).replaceAll('\r\n', '\n')],
  ['lines end in CR', get(1).replaceAll('\r\n', '\r')],
  ['lines end in CR CR LF', get(1).replaceAll('\r\n', '\r\r\n')],
  ['two spaces behind the method', requestLine('GET  /api/articles/1 HTTP/1.1')],
  ['two spaces behind the target', requestLine('GET /api/articles/1  HTTP/1.1')],
  ['tabs for spaces', requestLine('GET\t/api/articles/1\tHTTP/1.1')],
  ['a space before it', requestLine(' GET /api/articles/1 HTTP/1.1')],
  ['a space behind it', requestLine('GET /api/articles/1 HTTP/1.1 ')],
  ['no version', requestLine('GET /api/articles/1')],
  ['a version in lower case', requestLine('GET /api/articles/1 http/1.1')],
  ...[
    'HTTP/1.2',
    'HTTP/1.0',
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/9.9',
    'HTTP/11.1',
    'HTTP/1.10',
    'HTTP/1.',
    'HTTP/1',
    'HTTPS/1.1',
  ].map((version): Row => [`version ${version}`, requestLine(`GET /api/articles/1 ${version}`)]),
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['nothing but an empty line', '\r\n'],
  ['a method in lower case', requestLine('get /api/articles/1 HTTP/1.1')],
  ['half a method', requestLine('GE /api/articles/1 HTTP/1.1')],
  ['more than a method', requestLine('GETX /api/articles/1 HTTP/1.1')],
  ['a method of 5,000 letters', requestLine(`${'G'.repeat(5000)} /api/articles/1 HTTP/1.1`)],
  ['a method that is no token', requestLine('G(T /api/articles/1 HTTP/1.1')],
  ...['DELETE', 'PATCH', 'PROPFIND', 'M-SEARCH', 'PURGE', 'TRACE', 'SOURCE'].map(
    (method): Row => [`method ${method}`, requestLine(`${method} /api/articles/1 HTTP/1.1`)],
  ),
]);

const target = (text: string): string => requestLine(`GET ${text} HTTP/1.1`);
const noUrl = { outcome: 'refused, 2', because: 'no URL can be made of it' };
const noFragment = { outcome: '1, 2', because: 'a fragment is no part of a path, as Hono and proxies read it' };
const targets = shapes([
  ['none', requestLine('GET  HTTP/1.1')],
  ['with a space in it', target('/api/articles/1 /api/articles/9')],
  ['with a fragment', target('/api/articles/1#9'), noFragment],
  ['without a slash', target('api/articles/1')],
  ['absolute', target('http://a/api/articles/1')],
  ['absolute, of another scheme', target('ftp://a/api/articles/1'), noUrl],
  ['absolute, without a path', target('http://a')],
  ['absolute, of another host', target('http://b/api/articles/1')],
  ['an authority', target('a:80')],
  ['an asterisk', target('*'), noUrl],
  ['OPTIONS *', requestLine('OPTIONS * HTTP/1.1')],
  ['two slashes', target('//api/articles/1')],
  ['a backslash', target('\\api\\articles\\1')],
  ...['\0', '\x01', '\t', '\x7f', '\x80', '\xff'].map(
    (byte): Row => [`with the byte ${byte.charCodeAt(0)}`, target(`/api/articles/1${byte}`)],
  ),
  ['of 8,000 bytes', target(`/${'x'.repeat(8000)}`)],
  ['of 60,000 bytes', target(`/${'x'.repeat(60_000)}`)],
  ['of 70,000 bytes', target(`/${'x'.repeat(70_000)}`)],
]);

const field = (line: string): string => get(1, line);
const fields = shapes([
  ['no value', field('X:')],
  ['no space behind the colon', field('X:y')],
  ['spaces and tabs around the value', field('X: \t y \t ')],
  ['a value of spaces', field(`X:${' '.repeat(4000)}`)],
  ['a space before the colon', field('X : y')],
  ['a tab before the colon', field('X\t: y')],
  ['no colon', field('X')],
  ['no name', field(': y')],
  ['folded by a space', field('X: y\r\n z')],
  ['folded by a tab', field('X: y\r\n\tz')],
  ['folded before there is a field', `GET /api/articles/1 HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n`],
  ...[' ', '(', '@', '/', '"', '{', '\0', '\x7f', '\xe9'].map(
    (byte): Row => [`a name with the byte ${byte.charCodeAt(0)}`, field(`X${byte}Y: z`)],
  ),
  ...['\0', '\x01', '\v', '\x1b', '\x7f', '\x80', '\xff', '\r', '\n'].map(
    (byte): Row => [`a value with the byte ${byte.charCodeAt(0)}`, field(`X: y${byte}z`)],
  ),
  ['every character of a token', field("X!#$%&'*+-.^_`|~0: y")],
  ['lines that end in LF', `GET /api/articles/1 HTTP/1.1\r\nHost: a\nX: y\n\n`],
  ['an end of LF CR LF', `GET /api/articles/1 HTTP/1.1\r\nHost: a\r\n\n\r\n`],
  ['a hundred', get(1, ...Array.from({ length: 100 }, (_, i) => `X-${i}: y`))],
  ['1,900', get(1, ...Array.from({ length: 1900 }, (_, i) => `X-${i}: y`))],
  ['2,100', get(1, ...Array.from({ length: 2100 }, (_, i) => `X-${i}: y`))],
  ['of 60,000 bytes', field(`X: ${'y'.repeat(60_000)}`)],
  ['of 66,000 bytes', field(`X: ${'y'.repeat(66_000)}`)],
  ['of 70,000 bytes together', get(1, ...Array.from({ length: 700 }, (_, i) => `X-${i}: ${'y'.repeat(90)}`))],
  ['a name of 66,000 bytes', field(`${'X'.repeat(66_000)}: y`)],
]);

const host = (...all: readonly string[]): string => lines('GET /api/articles/1 HTTP/1.1', ...all);
const oneHost = { outcome: 'refused, 2', because: 'RFC 9112, section 3.2: one Host; node:http takes the first' };
const hosts = shapes([
  ['none', host('X: y')],
  ['none, in HTTP/1.0', 'GET /api/articles/1 HTTP/1.0\r\n\r\n'],
  ['two', host('Host: a', 'Host: b'), oneHost],
  ['twice the same', host('Host: a', 'host: a'), oneHost],
  ['empty', host('Host:'), { outcome: 'refused', because: 'a server that answers to its own names only' }],
  ['an address', host('Host: 127.0.0.1:80')],
  ['an IPv6 address', host('Host: [::1]:80')],
  ['with a space', host('Host: a b'), noUrl],
  ['with a user', host('Host: u@a'), noUrl],
  ['with a path', host('Host: a/b'), noUrl],
  ['a list', host('Host: a, b'), noUrl],
  ['a port that is none', host('Host: a:b'), noUrl],
]);

const length = (value: string, body = 'hello'): string => post(body, `Content-Length: ${value}`);
const lengths = [
  ...shapes([
    ['0', length('0', '')],
    ['5', length('5')],
    ['with spaces around', length('  5  ')],
    ['with zeros before it', length('005')],
    ['of a GET', `${get(1, 'Content-Length: 5')}hello`],
    ['of a GET whose body looks like a request', `${get(1, `Content-Length: ${hidden.length}`)}${hidden}`],
    ['more than there is', length('500')],
    ['less than there is', length('3')],
  ]),
  ...smuggling([
    ...['', '+5', '-5', '5,5', '5, 5', '5 5', '0x5', '5.0', '5;', 'five', '\v5', '5\0', '1e1'].map(
      (value): Row => [`"${value}"`, length(value, hidden)],
    ),
    ['more than any number', length('99999999999999999999', hidden)],
    ['2 to the power of 64, and 5', length('18446744073709551621', hidden)],
    ['two that differ', post(hidden, 'Content-Length: 0', `Content-Length: ${hidden.length}`)],
    ['two that are equal', post('hello', 'Content-Length: 5', 'Content-Length: 5')],
    ['behind a space', post(hidden, `Content-Length : ${hidden.length}`)],
  ]),
];

const chunked = 'Transfer-Encoding: chunked';
const chunks = (text: string, ...own: readonly string[]): string => post(text, chunked, ...own);
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const unknownEnd = {
  outcome: 'refused',
  because: 'a request gets a single response, 400 (6.3); node:http sends two',
};
const codings = [
  ...shapes([
    ['chunked', chunks(chunkOf('hello'))],
    ['chunked, with other letters', post(chunkOf('hello'), 'Transfer-Encoding: Chunked')],
    ['of a GET', `${get(1, chunked)}${chunkOf('hello')}`],
    ['gzip, chunked', post(chunkOf('hello'), 'Transfer-Encoding: gzip, chunked')],
    ['a body that looks like a request', chunks(chunkOf(hidden))],
    ['a trailer', chunks('0\r\nX: y\r\n\r\n')],
    ['a trailer that frames', chunks(`0\r\nContent-Length: ${hidden.length}\r\n\r\n`)],
    ['a trailer that is none', chunks('0\r\nX y\r\n\r\n')],
    ['a size in capitals', chunks(`A\r\n0123456789\r\n0\r\n\r\n`)],
    ['a size with zeros before it', chunks('0005\r\nhello\r\n0000\r\n\r\n')],
    ['an extension', chunks('5;a=b\r\nhello\r\n0;c\r\n\r\n')],
    ['a quoted extension', chunks('5;a="b;c"\r\nhello\r\n0\r\n\r\n')],
    ['an extension of 20,000 bytes', chunks(`5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`)],
    ['no end', chunks('5\r\nhello\r\n')],
  ]),
  ...smuggling([
    ['with a length', chunks(`0\r\n\r\n${hidden}`, `Content-Length: ${hidden.length + 5}`)],
    ['with a length before it', post(`0\r\n\r\n${hidden}`, `Content-Length: ${hidden.length + 5}`, chunked)],
    ...['identity', 'xchunked', '"chunked"', 'chunked;q=1', ''].map(
      (value): Row => [`"${value}"`, post(`0\r\n\r\n${hidden}`, `Transfer-Encoding: ${value}`), unknownEnd],
    ),
    ...['chunked, gzip', 'chunked, identity', '\vchunked', 'chunked\0'].map(
      (value): Row => [`"${value}"`, post(`0\r\n\r\n${hidden}`, `Transfer-Encoding: ${value}`)],
    ),
    ['behind a space', post(`0\r\n\r\n${hidden}`, 'Transfer-Encoding : chunked')],
    ['on a folded line', post(`0\r\n\r\n${hidden}`, 'Transfer-Encoding:\r\n chunked')],
    ['on a line that ends in CR', post(`0\r\n\r\n${hidden}`, 'X: y\rTransfer-Encoding: chunked')],
    ...['0x5', '+5', '-5', '5 ', ' 5', '5h', '', ';a', '10000000000000005'].map(
      (size): Row => [`a size "${size}"`, chunks(`${size}\r\nhello\r\n0\r\n\r\n${hidden}`)],
    ),
    ['a size that ends in LF', chunks(`5\nhello\r\n0\r\n\r\n${hidden}`)],
    ['an extension that ends in LF', chunks(`5;a\nhello\r\n0\r\n\r\n${hidden}`)],
    ['data that ends in LF', chunks(`5\r\nhello\n0\r\n\r\n${hidden}`)],
    ['more data than the size says', chunks(`5\r\nhello!\r\n0\r\n\r\n${hidden}`)],
    ['less data than the size says', chunks(`7\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ]),
];

const connections = shapes([
  ['close', get(1, 'Connection: close') + hidden],
  ['close, with other letters', get(1, 'connection: CLOSE') + hidden],
  ['close among others', get(1, 'Connection: x, close') + hidden],
  ['keep-alive and close', get(1, 'Connection: keep-alive', 'Connection: close') + hidden],
  ['an option that is none', get(1, 'Connection: x')],
  ['keep-alive in HTTP/1.0', lines('GET /api/articles/1 HTTP/1.0', 'Connection: keep-alive')],
  ['an upgrade to a socket', get(1, 'Connection: Upgrade', 'Upgrade: websocket')],
  ['an upgrade to HTTP/2', get(1, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk')],
  ['an upgrade that the connection does not name', get(1, 'Upgrade: websocket')],
  ['Expect: 100-continue without a body', get(1, 'Expect: 100-continue')],
  ['Expect: 100-continue with a body', post('hello', 'Content-Length: 5', 'Expect: 100-continue')],
  ['Expect: 100-continue with chunks', post(chunkOf('hello'), chunked, 'Expect: 100-continue')],
  ['Expect: 100-continue with chunks of a GET', `${get(1, chunked, 'Expect: 100-continue')}${chunkOf('hello')}`],
  ['another expectation', get(1, 'Expect: miracles')],
  ['CONNECT', lines('CONNECT a:1 HTTP/1.1', 'Host: a:1'), { outcome: 'CONNECT', because: 'a client is told why' }],
]);

const allDue = { outcome: '3, 4', because: 'answers that are due are sent; node:http ends the connection before' };
/** Several requests in a row. */
export const pipelines: readonly Shape[] = shapes([
  ['three', get(3) + get(4) + get(5)],
  ['a body between', get(3) + post('hello', 'Content-Length: 5') + get(4)],
  ['chunks between', get(3) + chunks(`${chunkOf('hi').slice(0, -5)}3;a\r\nabc\r\n0\r\nX: y\r\n\r\n`) + get(4)],
  ['empty lines between', `${get(3)}\r\n${get(4)}\r\n\r\n${get(5)}`],
  ['the last one closes', get(3) + get(4, 'Connection: close') + hidden, allDue],
  ['broken chunks behind', get(3) + chunks(`x\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['garbage behind', `${get(3)}garbage\r\n\r\n`],
  ['a request without a Host between', `${get(3)}GET /api/articles/4 HTTP/1.1\r\n\r\n${hidden}`],
]);

export const shapesBySection: Readonly<Record<string, readonly Shape[]>> = {
  'request line (RFC 9112, 2.2, 2.3, 3)': requestLines,
  'target (3.2)': targets,
  'field (5)': fields,
  'Host (3.2)': hosts,
  'Content-Length (6.2, 6.3)': lengths,
  'Transfer-Encoding (6.1, 7.1)': codings,
  'connection (9)': connections,
  'pipeline (9.3.2)': pipelines,
};
