/**
 * How is a representation sent? As preconditions, codings and ranges of the request ask: as a 200, 206, 304, 412 or 416. A tag
 * that the client has comes first, so that its 304 makes no body.
 */
import type { ByteCache } from './cache.js';
import { preconditionFailed, rangeNotSatisfiable } from './error-responses.js';
import {
  type CommonHeaders,
  downloadResponse,
  finish,
  type HttpResponse,
  linesOf,
  type Metadata,
  metadataLines,
  partResponse,
  type Representation,
  type Variants,
} from './response.js';
import { acceptedCodings, type Coding } from './semantics/content-coding.js';
import { evaluatePreconditions, headerField, type RequestFields } from './semantics/preconditions.js';
import type { NextTurn } from './semantics/turns.js';

export function createSender(common: CommonHeaders, nextTurn: NextTurn) {
  return { whole: wholeResponse, cached: cachedResponse, unmodified, download };

  /** Preconditions and body of a representation that is held whole. */
  function wholeResponse(variants: Variants, fields: RequestFields): HttpResponse {
    const coding = codingFor(fields);
    return unlessProceeding(fields, variants.metadata, coding) ?? variants.response(coding, common);
  }

  /** The same, cached: bytes that were made for the response are added to the cache's count. */
  function cachedResponse(
    variants: Variants,
    fields: RequestFields,
    cache: ByteCache<Variants>,
    key: string,
  ): HttpResponse {
    const { bytes } = variants;
    const response = wholeResponse(variants, fields);
    if (variants.bytes !== bytes) cache.set(key, variants, variants.bytes);
    return response;
  }

  /**
   * The 304 for a client that has the current tag, else null. It had the tag from a 200, so the engine need not be asked. `*` is not
   * answered here: the request may be an error, which goes first (RFC 9110, section 13.2.1).
   */
  function unmodified(fields: RequestFields, metadata: Metadata): HttpResponse | null {
    const field = headerField(fields, 'if-none-match');
    if (field === undefined || field.includes('*')) return null;
    const response = unlessProceeding(fields, metadata, codingFor(fields));
    return response?.status === 304 ? response : null;
  }

  /** Preconditions and body of a download. */
  async function download(
    { type, headers, open }: Extract<Representation, { readonly open: unknown }>,
    metadata: Metadata,
    { fields, method }: { readonly fields: RequestFields; readonly method: string },
  ): Promise<HttpResponse> {
    const unmodifiedResponse = unmodified(fields, metadata);
    if (unmodifiedResponse !== null) return unmodifiedResponse;
    await nextTurn();
    const opened = await open(nextTurn);
    if ('status' in opened) return finish(opened, common);
    const coding = codingFor(fields);
    const conditionalResponse = unlessProceeding(fields, metadata, coding);
    if (method === 'HEAD' || conditionalResponse !== null) await opened.end?.();
    if (conditionalResponse !== null) return conditionalResponse;
    const lines = metadataLines(metadata, coding, common) + linesOf({ ...headers, 'Content-Type': type });
    const part = method === 'GET' ? partResponse(opened, lines, fields, metadata) : null;
    if (part === 'unsatisfiable')
      return finish(rangeNotSatisfiable(headerField(fields, 'range') ?? '', opened.size ?? 0), common);
    return part ?? downloadResponse(opened, lines, coding);
  }

  /** The 304 or 412 that the request's preconditions lead to; null where the representation is sent. */
  function unlessProceeding(fields: RequestFields, metadata: Metadata, coding: Coding): HttpResponse | null {
    const verdict = evaluatePreconditions(fields, metadata, coding);
    if (verdict === 'proceed') return null;
    if (verdict !== 'notModified') return finish(preconditionFailed(verdict), common);
    return { status: 304, headers: metadataLines(metadata, coding, common), body: null };
  }
}

/** A range is always one of the uncoded bytes, so a request with `Range` gets no coding. */
function codingFor(fields: RequestFields): Coding {
  const [best] = fields.range === undefined ? acceptedCodings(headerField(fields, 'accept-encoding')) : [];
  return best ?? 'identity';
}
