/** Who asks? The origin, the site and the address of a request, and what the options allow them. */
import { ALLOW } from './error-responses.js';
import type { AppOptions } from './options.js';
import type { RequestHead } from './request.js';
import {
  type CommonHeaders,
  corsLines,
  finish,
  type HeaderLines,
  type HttpResponse,
  type PlainResponse,
} from './response.js';
import { allowedOrigin, isForeignRequest } from './semantics/host.js';
import { headerField, type RequestFields } from './semantics/preconditions.js';
import { clientAddress } from './semantics/rate-limit.js';

export type Clients = ReturnType<typeof createClients>;

export function createClients({ corsOrigin, trustProxy }: AppOptions, common: CommonHeaders) {
  const options204 = finish(optionsAnswer, common);
  const crossOrigin204 = finish(crossOriginAnswer, common);
  return {
    /** The header lines for the request's origin, where they differ by origin. */
    originLines: (fields: RequestFields): HeaderLines =>
      corsOrigin === 'local' && fields.origin !== undefined
        ? corsLines(allowedOrigin('local', headerField(fields, 'origin')))
        : '',
    /** Whether a page of another site made the request, and may not read its response. */
    isForeign: (fields: RequestFields): boolean =>
      fields['sec-fetch-site'] !== undefined &&
      isForeignRequest(corsOrigin, {
        site: headerField(fields, 'sec-fetch-site'),
        mode: headerField(fields, 'sec-fetch-mode'),
        destination: headerField(fields, 'sec-fetch-dest'),
        origin: headerField(fields, 'origin'),
      }),
    /** The response to OPTIONS, with the fields of a CORS preflight where the origin is allowed. */
    preflight: (fields: RequestFields): HttpResponse =>
      allowedOrigin(corsOrigin, headerField(fields, 'origin')) === undefined ? options204 : crossOrigin204,
    /** The client's address; behind a trusted proxy, the one that the proxy gives. */
    addressOf: ({ address, fields }: Pick<RequestHead, 'address' | 'fields'>): string =>
      trustProxy ? clientAddress(address, headerField(fields, 'x-forwarded-for')) : address,
  };
}

const optionsAnswer: PlainResponse = { status: 204, type: '', body: null, headers: { Allow: ALLOW } };

/** The response to a CORS preflight (Fetch standard, section 3.3). */
const crossOriginAnswer: PlainResponse = {
  ...optionsAnswer,
  headers: {
    ...optionsAnswer.headers,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};
