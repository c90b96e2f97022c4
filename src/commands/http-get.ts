/**
 * A GET of an address, whose body is a stream of bytes. `fetch` gives each chunk through a web stream, which takes twice the
 * processor time for a large dump.
 */
import { get as getByHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { get as getByHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseUrl } from '../text.js';

/** The number of redirects that browsers follow (Fetch Standard, "HTTP-redirect fetch"). */
const MAX_REDIRECTS = 20;
const REDIRECTS = [301, 302, 303, 307, 308];
/** A connection on which nothing came for so long is given up. */
const MAX_SILENCE_MS = 300_000;

export interface FetchedResponse {
  /** The address that answered, behind all redirects. */
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** The content, decompressed. Reading it rejects where the connection ends early. */
  readonly body: Readable;
}

/**
 * Follows redirects; another origin than the first is not told the credentials. Rejects where nobody answers, or the redirects lead
 * nowhere.
 */
export async function httpGet(address: string, headers: Readonly<Record<string, string>>): Promise<FetchedResponse> {
  const first = new URL(address);
  const { Authorization: _, ...publicHeaders } = headers;
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await requestOnce(url, url.origin === first.origin ? headers : publicHeaders);
    const { statusCode: status = 0, statusMessage: statusText = '' } = response;
    const { location } = response.headers;
    if (!REDIRECTS.includes(status) || location === undefined)
      return { url, status, statusText, headers: response.headers, body: decodedContent(response) };
    response.destroy();
    // Node reads each byte of a header as a character; servers write addresses in UTF-8.
    const target = parseUrl(Buffer.from(location, 'latin1').toString(), url.href);
    if (target === null || !['http:', 'https:'].includes(target.protocol))
      throw new Error(`it was redirected to ${location}; expected an address of http or https`);
    url = target;
  }
  throw new Error(`it was redirected more than ${MAX_REDIRECTS} times`);
}

function requestOnce(url: URL, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getByHttps : getByHttp;
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { ...headers, 'Accept-Encoding': Object.keys(DECODERS).join(', ') } }, resolve);
    request.setTimeout(MAX_SILENCE_MS, () =>
      request.destroy(new Error(`nothing came for ${MAX_SILENCE_MS / 1000} seconds`)),
    );
    request.on('error', reject);
  });
}

const DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

function decodedContent(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase();
  const entry = Object.entries(DECODERS).find(([name]) => name === encoding);
  // Errors of either stream reach whoever reads the content.
  return entry === undefined ? response : pipeline(response, entry[1](), () => {});
}
