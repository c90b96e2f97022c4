/**
 * Reads a plain request from the bytes of a connection: one whole GET or HEAD. The grammar is a strict part of RFC 9112's;
 * every other request is left to `node:http`. Such are other methods and versions, bodies, expectations, connections to be
 * closed, repeated fields, bytes beyond printable ASCII, and bytes that hold several requests or a part of one.
 */

import { CARRIAGE_RETURN } from '../../kernels/ascii.js';
import { READ_FIELDS, type RequestFields } from '../semantics/preconditions.js';
import { isPlainHost } from './plain-handler.js';

/** The header block of a connection's last request, with its parsed fields. The next one is nearly always equal. */
export interface LastHeaders {
  block: string | null;
  host: string;
  fields: RequestFields;
}

/** Longer requests are left to `node:http`, which has its own limit. */
const MAX_REQUEST_BYTES = 8192;
const MAX_HEADER_LINES = 100;
const VERSION = ' HTTP/1.1';

/** Null for a request that is not plain. Header lines are parsed only where they differ from the last request's. */
export function readPlainRequest(bytes: Buffer, last: LastHeaders) {
  if (bytes.length > MAX_REQUEST_BYTES) return null;
  const text = bytes.toString('latin1');
  const method = text.startsWith('GET ') ? 'GET' : text.startsWith('HEAD ') ? 'HEAD' : null;
  const end = text.indexOf('\r\n');
  if (method === null || !text.endsWith(VERSION, end)) return null;
  const block = text.slice(end + 2);
  if (block !== last.block) {
    const headers = readFields(block);
    if (headers === null) return null;
    last.block = block;
    last.host = headers.host;
    last.fields = headers.fields;
  }
  // A string of its own: as a slice it would keep the whole request in memory with the page that it names.
  const target = bytes.toString('latin1', method.length + 1, end - VERSION.length);
  return { method, target, host: last.host, fields: last.fields };
}

/** A name of token characters, no space before the colon, no line folding (RFC 9112, section 5). */
const HEADER_LINE = /([\w!#$%&'*+\-.^`|~]+):([\t\x20-\x7e]*)\r\n/y;

const UNUSUAL = new Set([
  'content-length',
  'expect',
  'http2-settings',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const FIELD_NAMES = new Set<string>(READ_FIELDS);

/** The fields that responses depend on, from a block that ends with an empty line; null where a line is not plain. */
function readFields(block: string): Pick<LastHeaders, 'host' | 'fields'> | null {
  const fields: Record<string, string> = {};
  let host: string | undefined;
  let lines = 0;
  let at = 0;
  while (at < block.length - 2) {
    HEADER_LINE.lastIndex = at;
    const [line, rawName = '', value = ''] = HEADER_LINE.exec(block) ?? [];
    if (line === undefined || ++lines > MAX_HEADER_LINES) return null;
    at += line.length;
    const name = rawName.toLowerCase();
    const trimmed = value.trim();
    if (name === 'host') {
      if (host !== undefined) return null;
      host = trimmed;
    } else if (UNUSUAL.has(name)) return null;
    else if (name === 'connection' || name === 'proxy-connection') {
      if (trimmed.toLowerCase() !== 'keep-alive') return null;
    } else if (FIELD_NAMES.has(name)) {
      if (name in fields) return null;
      fields[name] = trimmed;
    }
  }
  if (host === undefined || !isPlainHost(host) || at !== block.length - 2 || !block.endsWith('\r\n')) return null;
  return { host, fields };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The bytes of a request whose target has UTF-8 as it was typed, `/api/products?category=Bücher`, with that percent-encoded, as
 * browsers do it. The same bytes where the first line is ASCII, or no UTF-8.
 */
export function withEncodedTarget(bytes: Buffer): Buffer {
  const end = bytes.indexOf(CARRIAGE_RETURN);
  const line = bytes.subarray(0, Math.max(0, end));
  if (!line.some((byte) => byte >= 0x80)) return bytes;
  try {
    const encoded = UTF8.decode(line).replace(/[^\0-\x7f]+/gu, encodeURIComponent);
    return Buffer.concat([Buffer.from(encoded), bytes.subarray(end)]);
  } catch {
    return bytes;
  }
}
