/** What stands around a target: methods, headers and bodies, usual and broken, and the bytes of all of them. */
import fc from 'fast-check';
import { oneOf, weighted } from './request-texts.js';

const date = 'Tue, 14 Nov 2023 22:13:20 GMT';
const tags = oneOf('*', '"x"', 'W/"x"', '"x", "y"', '"x', ',,', '', '"\t"', `"${'x'.repeat(3000)}"`);
const dates = oneOf(date, 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'yesterday', '');
const codings = oneOf(
  'gzip',
  'br',
  'gzip, br;q=0.1',
  '*;q=0',
  'identity;q=0',
  'GZIP;q=1.0',
  'zstd',
  ';;;',
  '',
  'br;q=9',
);

/** Headers that a request may have, by name. */
const known: Readonly<Record<string, fc.Arbitrary<string>>> = {
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
export const header = oneOf('Range', 'Range', 'Range', ...Object.keys(known)).chain((name) =>
  (known[name] ?? fc.constant('')).map((value) => `${name}: ${value}`),
);
export const brokenHeader = oneOf(
  ...['Bad Name: x', 'NoColon', ': no name', ' folded: x', 'X-Odd: \x01', 'X-Odd: \xe9', 'X-Empty:', 'Host: other'],
  ...['Content-Length: -1', 'Content-Length: 1, 2', 'Transfer-Encoding: gzip', 'TE: trailers', 'Upgrade: h2c'],
  ...['Proxy-Connection: close', 'Host: a b', `X-Long: ${'x'.repeat(9000)}`, `X-Too-Long: ${'x'.repeat(66_000)}`],
);

export const methods = weighted(
  [6, oneOf('GET')],
  [2, oneOf('HEAD')],
  [1, oneOf('OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'FETCH', 'get')],
);
export const bodies = weighted([12, fc.constant('')], [1, oneOf('x', '{"a":1}', '0'.repeat(5000))]);

export const textOf = (method: string, target: string, headers: readonly string[], body: string): string => {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`];
  return `${[`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, ...length].join('\r\n')}\r\n\r\n${body}`;
};
