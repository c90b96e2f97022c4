/**
 * Content coding (RFC 9110, sections 8.4 and 12.5.3): the codings that a client takes, best first, and how to apply one.
 * Brotli at quality 2 makes a page as small as gzip at level 5 does, in less than half the time.
 */

import type { Transform } from 'node:stream';
import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

/** A smaller body fits one network packet, coded or not. */
export const MIN_CODED_BYTES = 1024;

const gzipOptions: ZlibOptions = { level: 5 };
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };

type Compression = Exclude<Coding, 'identity'>;

export const encode = (coding: Compression, bytes: Uint8Array): Buffer<ArrayBuffer> =>
  coding === 'br' ? brotliCompressSync(bytes, brotliOptions) : gzipSync(bytes, gzipOptions);

export const encoder = (coding: Compression): Transform =>
  coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);

/** The server's order of preference, for clients that give codings the same weight. */
const codings: readonly Coding[] = ['br', 'gzip', 'identity'];
const onlyIdentity: readonly Coding[] = ['identity'];

/** The codings that an `Accept-Encoding` field allows, best first. Identity is always among them: a plain body is better than none. */
export function acceptedCodings(field: string | undefined): readonly Coding[] {
  if (field === undefined) return onlyIdentity;
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters));
  }
  const otherWeight = weights.get('*') ?? 0;
  const weighed = codings
    .map((coding) => ({ coding, weight: weights.get(coding) ?? otherWeight }))
    .filter(({ coding, weight }) => weight > 0 || coding === 'identity');
  return weighed.sort((a, b) => b.weight - a.weight).map(({ coding }) => coding);
}

/** A quality value (RFC 9110, section 12.4.2): 0 to 1 with three decimals at most. An invalid one counts as 0. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}
