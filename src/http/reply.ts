/**
 * A finished answer: status, every header, body. The one place that puts headers on answers. Headers are the lines that
 * are sent: a page keeps them with its body, and adding some for one request costs a concatenation.
 */
import { validateHeaderValue } from 'node:http';
import type { Download, Headers, Refusal } from './answer.js';
import { type Coding, encode, MIN_CODED_BYTES } from './semantics/content-coding.js';
import { entityTag, fieldOf, type RequestFields, rangeHolds, type Validators } from './semantics/preconditions.js';
import { byteRange, contentRange } from './semantics/range.js';

/** A body made while it is sent, and the coding to send it in. */
export interface Source {
  readonly coding: Coding;
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>>;
}

export type Body = Uint8Array<ArrayBuffer> | Source | null;

/** `Name: value` and a line end for each header. */
export type HeaderLines = string;

export interface Reply {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: Body;
}

/** Throws where a value has a line end in it, or another character that no header may have. */
function headerLine(name: string, value: string): HeaderLines {
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

/** Names and values in turn. */
export const headerList = (lines: HeaderLines): string[] =>
  lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });

export function linesOf(headers: Headers | undefined): HeaderLines {
  let lines = '';
  for (const name in headers) lines += headerLine(name, headers[name] ?? '');
  return lines;
}

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

/** On every answer: no guessing of types, and reading from other origins as `--cors` allows. */
export const commonHeaders = (corsOrigin: string | null): HeaderLines =>
  linesOf({
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': corsOrigin === null ? 'same-origin' : 'cross-origin',
    ...(corsOrigin !== null && {
      'Access-Control-Allow-Origin': corsOrigin,
      'Access-Control-Expose-Headers': EXPOSED,
    }),
  });

export function refusalReply({ status, type, body: text, headers }: Refusal, common: HeaderLines): Reply {
  const lines = common + linesOf(headers);
  if (text === null) return { status, headers: lines, body: null };
  const body = Buffer.from(text);
  return { status, headers: `${lines}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body };
}

/** What a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function validatorLines({ tag, modified }: Validators, coding: Coding, common: HeaderLines): HeaderLines {
  const tagged = `${common}Cache-Control: no-cache\r\nVary: Accept-Encoding\r\nETag: ${entityTag(tag, coding)}\r\n`;
  return modified === null ? tagged : `${tagged}Last-Modified: ${modified.text}\r\n`;
}

export const notModified = (validators: Validators, coding: Coding, common: HeaderLines): Reply => ({
  status: 304,
  headers: validatorLines(validators, coding, common),
  body: null,
});

/** A body that is held whole, coded if it is worth it; `lines` are the headers so far. */
export function wholeReply(type: string, body: Uint8Array<ArrayBuffer>, lines: HeaderLines, coding: Coding): Reply {
  const plain = coding === 'identity' || body.length < MIN_CODED_BYTES;
  const sent = plain ? body : encode(coding, body);
  const described = `${lines}Content-Type: ${type}\r\nContent-Length: ${sent.length}\r\n`;
  return { status: 200, headers: plain ? described : `${described}Content-Encoding: ${coding}\r\n`, body: sent };
}

/** A download, coded while it is sent; its length is told where it is known. */
export function downloadReply({ size, chunks }: Download, lines: HeaderLines, coding: Coding): Reply {
  const body: Source = { coding, chunks: () => chunks() };
  if (coding !== 'identity') return { status: 200, headers: `${lines}Content-Encoding: ${coding}\r\n`, body };
  if (size === null) return { status: 200, headers: lines, body };
  return { status: 200, headers: `${lines}Accept-Ranges: bytes\r\nContent-Length: ${size}\r\n`, body };
}

/**
 * The part of a download that a `Range` field asks for, or null where the whole is to be sent (RFC 9110, section
 * 14.2). Parts are of the uncoded bytes, whatever coding the client takes.
 */
export function partReply(
  { size, chunks }: Download,
  lines: HeaderLines,
  fields: RequestFields,
  validators: Validators,
): Reply | 'unsatisfiable' | null {
  const field = fieldOf(fields, 'range');
  if (field === undefined || size === null || !rangeHolds(fieldOf(fields, 'if-range'), validators)) return null;
  const range = byteRange(field, size);
  if (range === null || range === 'unsatisfiable') return range;
  const part = linesOf({
    'Accept-Ranges': 'bytes',
    'Content-Range': contentRange(range, size),
    'Content-Length': String(range.to - range.from),
  });
  return { status: 206, headers: lines + part, body: { coding: 'identity', chunks: () => chunks(range) } };
}

/** Header lines and a body that is held whole as one piece: two writes would cost more than the copy. */
export function wholeMessage(head: string, body: Body): Buffer {
  if (body === null) return Buffer.from(head, 'latin1');
  if (!(body instanceof Uint8Array)) throw new Error('a body that is made while it is sent is not sent here');
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 'latin1');
  bytes.set(body, head.length);
  return bytes;
}
