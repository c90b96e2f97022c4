/** What a route answers, as a value: an error, or a representation that is only made if it has to be sent. */
import { type ApiError, errorStatus } from '../errors.js';
import type { ByteRange } from './semantics/range.js';
import type { NextTurn } from './semantics/turns.js';

export type Headers = Readonly<Record<string, string>>;

/** A file too large to be held: made bit by bit, as fast as the client reads. */
export interface Download {
  /** Bytes in all, where they are known without making them; a part can then be asked for. */
  readonly size: number | null;
  readonly chunks: (range?: ByteRange) => Iterable<Uint8Array<ArrayBuffer>>;
}

export interface Rendering {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Headers;
}

/** Something that is there: everything that costs more than a look-up is left to `render`. */
export interface Representation {
  readonly status: 200;
  readonly type: string;
  /** Tells apart what the dataset's version and the request do not. */
  readonly key?: string;
  readonly render: () => Rendering;
}

/** Something that is there, as a download. */
export interface FileRepresentation {
  readonly type: string;
  readonly headers: Headers;
  /** Works out what has to be known before the first byte, in turns. */
  readonly open: (nextTurn: NextTurn) => Promise<Download>;
}

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string | null;
  readonly headers?: Headers;
}

export type Answer = Representation | Refusal;

export const JSON_TYPE = 'application/json';

export const errorAnswer = ({ code, message, details }: ApiError, headers: Headers = {}): Refusal => ({
  status: errorStatus[code],
  type: JSON_TYPE,
  body: JSON.stringify({ error: details === undefined ? { code, message } : { code, message, details } }),
  headers,
});
