/**
 * From what a route found to what is sent. An `Outcome` is a value: an error, or a representation that is made only if it
 * has to be sent. An `HttpResponse` has its status, every header and its body; this is the one place that puts headers on
 * responses, as the lines that are sent, so that adding some for one request costs a concatenation. A `CachedResponse`
 * holds a page in each coding that was asked for; to be told that nothing has changed, it need not have been made.
 */
import { validateHeaderValue } from 'node:http';
import { errorStatus } from '../errors.js';
import { encode, MIN_CODED_BYTES } from './semantics/content-coding.js';
import { entityTag, fieldOf, rangeHolds } from './semantics/preconditions.js';
import { byteRange, contentRange } from './semantics/range.js';
export const NDJSON_TYPE = 'application/x-ndjson';
export const JSON_TYPE = 'application/json';
export const errorResponse = ({ code, message, details }, headers = {}) => ({
    status: errorStatus[code],
    type: JSON_TYPE,
    body: JSON.stringify({ error: details === undefined ? { code, message } : { code, message, details } }),
    headers,
});
/** Another address, for this time: a browser would keep a permanent one for whatever listens on this port next. */
export const redirect = (location) => ({
    status: 307,
    type: '',
    body: null,
    headers: { Location: location },
});
/** Throws where a value has a line end in it, or another character that no header may have. */
function headerLine(name, value) {
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
}
/** Names and values in turn. */
export const headerList = (lines) => lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
});
export function linesOf(headers) {
    let lines = '';
    for (const name in headers)
        lines += headerLine(name, headers[name] ?? '');
    return lines;
}
const EXPOSED = 'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';
/** On every answer: no guessing of types, and reading from other origins as `--cors` allows. */
export const commonHeaders = (corsOrigin) => linesOf({
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': corsOrigin === null ? 'same-origin' : 'cross-origin',
    ...(corsOrigin !== null && {
        'Access-Control-Allow-Origin': corsOrigin,
        'Access-Control-Expose-Headers': EXPOSED,
    }),
});
export function finishError({ status, type, body: text, headers }, common) {
    const lines = common + linesOf(headers);
    // Without a length, what follows until the connection is closed would be the body; only 204 has none (RFC 9112, 6.3).
    if (text === null)
        return { status, headers: status === 204 ? lines : `${lines}Content-Length: 0\r\n`, body: null };
    const body = Buffer.from(text);
    return { status, headers: `${lines}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body };
}
/** What a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function validatorLines({ tag, modified }, coding, common) {
    const tagged = `${common}Cache-Control: no-cache\r\nVary: Accept-Encoding\r\nETag: ${entityTag(tag, coding)}\r\n`;
    return modified === null ? tagged : `${tagged}Last-Modified: ${modified.text}\r\n`;
}
export const notModified = (validators, coding, common) => ({
    status: 304,
    headers: validatorLines(validators, coding, common),
    body: null,
});
/** A body that is held whole, coded if it is worth it; `lines` are the headers so far. */
export function wholeResponse(type, body, lines, coding) {
    const plain = coding === 'identity' || body.length < MIN_CODED_BYTES;
    const sent = plain ? body : encode(coding, body);
    const described = `${lines}Content-Type: ${type}\r\nContent-Length: ${sent.length}\r\n`;
    return { status: 200, headers: plain ? described : `${described}Content-Encoding: ${coding}\r\n`, body: sent };
}
/** A download, coded while it is sent; its length is told where it is known. */
export function downloadResponse({ size, chunks }, lines, coding) {
    const body = { coding, chunks: () => chunks() };
    if (coding !== 'identity')
        return { status: 200, headers: `${lines}Content-Encoding: ${coding}\r\n`, body };
    if (size === null)
        return { status: 200, headers: lines, body };
    return { status: 200, headers: `${lines}Accept-Ranges: bytes\r\nContent-Length: ${size}\r\n`, body };
}
/**
 * The part of a download that a `Range` field asks for, or null where the whole is to be sent (RFC 9110, section
 * 14.2). Parts are of the uncoded bytes, whatever coding the client takes.
 */
export function partResponse({ size, chunks }, lines, fields, validators) {
    const field = fieldOf(fields, 'range');
    if (field === undefined || size === null || !rangeHolds(fieldOf(fields, 'if-range'), validators))
        return null;
    const range = byteRange(field, size);
    if (range === null || range === 'unsatisfiable')
        return range;
    const part = linesOf({
        'Accept-Ranges': 'bytes',
        'Content-Range': contentRange(range, size),
        'Content-Length': String(range.to - range.from),
    });
    return { status: 206, headers: lines + part, body: { coding: 'identity', chunks: () => chunks(range) } };
}
/** Header lines and a body that is held whole as one piece: two writes would cost more than the copy. */
export function wholeMessage(head, body) {
    if (body === null)
        return Buffer.from(head, 'latin1');
    if (!(body instanceof Uint8Array))
        throw new Error('a body that is made while it is sent is not sent here');
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, 'latin1');
    bytes.set(body, head.length);
    return bytes;
}
export class CachedResponse {
    /** What the page keeps in memory, beyond its entry in a cache. */
    bytes = 0;
    validators;
    #common;
    #type;
    /** Let go of once the page is made. */
    #render;
    #made = null;
    #replies = {};
    #unmodified = {};
    constructor({ type, render }, validators, common) {
        this.validators = validators;
        this.#common = common;
        this.#type = type;
        this.#render = render;
    }
    reply(coding) {
        return this.#replies[coding] ?? this.#reply(coding);
    }
    notModified(coding) {
        const known = this.#unmodified[coding];
        if (known !== undefined)
            return known;
        const reply = notModified(this.validators, coding, this.#common);
        this.bytes += reply.headers.length;
        this.#unmodified[coding] = reply;
        return reply;
    }
    #reply(coding) {
        const { body, headers } = this.#make();
        const shared = validatorLines(this.validators, coding, this.#common);
        const reply = wholeResponse(this.#type, body, shared + headers, coding);
        this.bytes +=
            reply.headers.length + (reply.body instanceof Uint8Array && reply.body !== body ? reply.body.length : 0);
        this.#replies[coding] = reply;
        return reply;
    }
    #make() {
        if (this.#made !== null)
            return this.#made;
        if (this.#render === null)
            throw new Error('a page is made once');
        const { body, headers } = this.#render();
        const made = { body: typeof body === 'string' ? Buffer.from(body) : body, headers: linesOf(headers) };
        this.bytes += made.body.length;
        this.#render = null;
        this.#made = made;
        return made;
    }
}
