/**
 * A finished answer: status, every header, body. The one place that puts headers on answers. Headers are a flat list of
 * names and values: Node sends one as it is, and adding to one costs nothing, where copying objects of many shapes does.
 */
import type { Download, Headers, Refusal } from './answer.js';
import { type Coding, encode, MIN_CODED_BYTES } from './coding.js';
import { entityTag, fieldOf, type RequestFields, rangeHolds, type Validators } from './conditional.js';
import { byteRange, contentRange } from './range.js';

/** A body made while it is sent, and the coding to send it in. */
export interface Source {
  readonly coding: Coding;
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>>;
}

export type Body = string | Uint8Array<ArrayBuffer> | Source | null;

/** Names and values in turn. */
export type HeaderList = readonly string[];

export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Body;
}

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

/** On every answer: no guessing of types, and reading from other origins as `--cors` allows. */
export function commonHeaders(corsOrigin: string | null): HeaderList {
  const nosniff = ['X-Content-Type-Options', 'nosniff'];
  if (corsOrigin === null) return [...nosniff, 'Cross-Origin-Resource-Policy', 'same-origin'];
  return [
    ...nosniff,
    'Cross-Origin-Resource-Policy',
    'cross-origin',
    'Access-Control-Allow-Origin',
    corsOrigin,
    'Access-Control-Expose-Headers',
    EXPOSED,
  ];
}

export const listOf = (headers: Headers | undefined): HeaderList =>
  headers === undefined ? [] : Object.entries(headers).flat();

export function refusalReply({ status, type, body, headers }: Refusal, common: HeaderList): Reply {
  const list = [...common, ...listOf(headers)];
  if (body !== null) list.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
  return { status, headers: list, body };
}

/** What a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function validatorHeaders({ tag, modified }: Validators, coding: Coding, common: HeaderList): HeaderList {
  const list = [...common, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding', 'ETag', entityTag(tag, coding)];
  if (modified !== null) list.push('Last-Modified', modified.text);
  return list;
}

export const notModified = (validators: Validators, coding: Coding, common: HeaderList): Reply => ({
  status: 304,
  headers: validatorHeaders(validators, coding, common),
  body: null,
});

/** A body that is held whole, coded if it is worth it. */
export function wholeReply(
  type: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Headers | undefined,
  shared: HeaderList,
  coding: Coding,
): Reply {
  const plain = coding === 'identity' || body.byteLength < MIN_CODED_BYTES;
  const sent = plain ? body : encode(coding, body);
  const list = [...shared, ...listOf(headers), 'Content-Type', type, 'Content-Length', String(sent.byteLength)];
  if (!plain) list.push('Content-Encoding', coding);
  return { status: 200, headers: list, body: sent };
}

/** A download, coded while it is sent; its length is told where it is known. */
export function downloadReply({ size, chunks }: Download, headers: HeaderList, coding: Coding): Reply {
  const list = [...headers];
  if (coding !== 'identity') list.push('Content-Encoding', coding);
  else if (size !== null) list.push('Accept-Ranges', 'bytes', 'Content-Length', String(size));
  return { status: 200, headers: list, body: { coding, chunks: () => chunks() } };
}

/**
 * The part of a download that a `Range` field asks for, or null where the whole is to be sent (RFC 9110, section
 * 14.2). Parts are of the uncoded bytes, whatever coding the client takes.
 */
export function partReply(
  { size, chunks }: Download,
  headers: HeaderList,
  fields: RequestFields,
  validators: Validators,
): Reply | 'unsatisfiable' | null {
  const field = fieldOf(fields, 'range');
  if (field === undefined || size === null || !rangeHolds(fieldOf(fields, 'if-range'), validators)) return null;
  const range = byteRange(field, size);
  if (range === null || range === 'unsatisfiable') return range;
  return {
    status: 206,
    headers: [
      ...headers,
      'Accept-Ranges',
      'bytes',
      'Content-Range',
      contentRange(range, size),
      'Content-Length',
      String(range.to - range.from),
    ],
    body: { coding: 'identity', chunks: () => chunks(range) },
  };
}
