/**
 * Reads a plain request from the bytes of a connection: one whole GET or HEAD in one piece, with nothing unusual about
 * it. The grammar is a strict part of RFC 9112's, and whatever is outside it is left to `node:http`: another method or
 * version, a body, an expectation, a connection that is to close, a repeated field that matters, a byte that is no
 * printable ASCII, several requests in one piece, or half a one.
 */
import { READ_FIELDS, type RequestFields } from '../semantics/preconditions.js';
import { isPlainHost } from './fast-path.js';

export interface PlainRequest {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly host: string;
  readonly fields: RequestFields;
}

/** What a connection's last request looked like behind its first line: the next nearly always looks the same. */
export interface LastHeaders {
  block: string | null;
  host: string;
  fields: RequestFields;
}

/** Longer requests are rare; Node's parser has its own limit. */
const MAX_BYTES = 8192;
const MAX_LINES = 100;
const VERSION = ' HTTP/1.1';

/** Null for a request that is not a plain one. A constant time where the headers are those of the request before. */
export function readPlainRequest(bytes: Buffer, last: LastHeaders): PlainRequest | null {
  if (bytes.length > MAX_BYTES) return null;
  const text = bytes.toString('latin1');
  const method = text.startsWith('GET ') ? 'GET' : text.startsWith('HEAD ') ? 'HEAD' : null;
  const end = text.indexOf('\r\n');
  if (method === null || !text.endsWith(VERSION, end)) return null;
  const block = text.slice(end + 2);
  if (block !== last.block) {
    const read = readFields(block);
    if (read === null) return null;
    last.block = block;
    last.host = read.host;
    last.fields = read.fields;
  }
  // A string of its own: as a slice it would keep the whole request in memory with the page that it names.
  const target = bytes.toString('latin1', method.length + 1, end - VERSION.length);
  return { method, target, host: last.host, fields: last.fields };
}

/** A name of token characters, no space before the colon, no line folding (RFC 9112, section 5). */
const LINE = /([\w!#$%&'*+\-.^`|~]+):([\t\x20-\x7e]*)\r\n/y;

const UNUSUAL = new Set([
  'content-length',
  'expect',
  'http2-settings',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const READ = new Set<string>(READ_FIELDS);

/** The fields that matter, of lines that end in an empty one; null where one is not plain. */
function readFields(block: string): Pick<LastHeaders, 'host' | 'fields'> | null {
  const found: Record<string, string> = {};
  let host: string | undefined;
  let lines = 0;
  let at = 0;
  while (at < block.length - 2) {
    LINE.lastIndex = at;
    const [line, given = '', value = ''] = LINE.exec(block) ?? [];
    if (line === undefined || ++lines > MAX_LINES) return null;
    at += line.length;
    const name = given.toLowerCase();
    const trimmed = value.trim();
    if (name === 'host') {
      if (host !== undefined) return null;
      host = trimmed;
    } else if (UNUSUAL.has(name)) return null;
    else if (name === 'connection' || name === 'proxy-connection') {
      if (trimmed.toLowerCase() !== 'keep-alive') return null;
    } else if (READ.has(name)) {
      if (name in found) return null;
      found[name] = trimmed;
    }
  }
  if (host === undefined || !isPlainHost(host) || at !== block.length - 2 || !block.endsWith('\r\n')) return null;
  return { host, fields: found };
}
