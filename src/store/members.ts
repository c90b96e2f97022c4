/**
 * Where the value of each field stands in a record's JSON text, so that records are compared, and cut to some of their fields,
 * without being parsed: every digit stays as it is.
 */
import { endOfString } from '../batch.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  DIGIT_ZERO,
  OPEN_ARRAY,
  OPEN_OBJECT,
  POINT,
  QUOTE,
} from '../kernels/ascii.js';
import type { CollectionModel } from '../model.js';
import { isDigit } from '../text.js';

const NULL_JSON = 'null';

/** Where the JSON text of a value stands in a record; no byte for none. */
export interface Piece {
  readonly record: Buffer;
  readonly start: number;
  readonly end: number;
}

export const NO_PIECE: Piece = { record: Buffer.alloc(0), start: 0, end: 0 };

/** The members of one record, or of its list item, of a collection. */
export class Members {
  #record: Buffer = Buffer.alloc(0);
  readonly #names: readonly Buffer[];
  /** The value of field f is `record[starts[f] … ends[f])`, without a byte where the record lacks the field. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor({ fields }: CollectionModel) {
    this.#names = fields.map(({ name }) => Buffer.from(`${JSON.stringify(name)}:`));
    this.#starts = new Int32Array(fields.length);
    this.#ends = new Int32Array(fields.length);
  }

  /** Finds the members of a record, which are in the order of the fields, up to the field `last`. */
  read(record: Buffer, last: number = this.#names.length - 1): this {
    this.#record = record;
    let at = 1;
    for (let field = 0; field <= last; field++) {
      const name = this.#names[field]!;
      const isThere = memberBytesEqual(record, at, name, 0, name.length);
      if (isThere) at += name.length;
      this.#starts[field] = at;
      if (isThere) at = endOfValue(record, at);
      this.#ends[field] = at;
      if (isThere) at++;
    }
    return this;
  }

  /** The JSON text of a field's value; `null` where the record, or with a field of -1 the collection, lacks the field. */
  json(field: number): string {
    const [start, end] = [this.#starts[field] ?? 0, this.#ends[field] ?? 0];
    return start === end ? NULL_JSON : this.#record.toString('utf8', start, end);
  }

  /** The bytes of a field's value as JSON; none where the record lacks the field. */
  bytes(field: number): Buffer {
    return this.#record.subarray(this.#starts[field], this.#ends[field]);
  }

  /** The number of these bytes. */
  length(field: number): number {
    return this.#ends[field]! - this.#starts[field]!;
  }

  /** The place of a field's value; with a field of -1 there is none. */
  piece(field: number): Piece {
    return { record: this.#record, start: this.#starts[field] ?? 0, end: this.#ends[field] ?? 0 };
  }

  /** The place of a text with its quotes; none where the value is no text. */
  textPiece(field: number): Piece {
    const piece = this.piece(field);
    return this.#record[piece.start] === QUOTE ? piece : NO_PIECE;
  }

  /** The parsed value of a field. */
  value(field: number): unknown {
    return decimalIn(this.#record, this.#starts[field] ?? 0, this.#ends[field] ?? 0) ?? JSON.parse(this.json(field));
  }

  /** Whether a field has the same JSON text as a field of another record. */
  isSame(field: number, other: Members, otherField: number): boolean {
    if (otherField < 0) return false;
    const start = this.#starts[field]!;
    const length = this.#ends[field]! - start;
    const otherStart = other.#starts[otherField]!;
    if (other.#ends[otherField]! - otherStart !== length) return false;
    return memberBytesEqual(this.#record, start, other.#record, otherStart, length);
  }
}

/** The number that digits and a point spell, up to 15 bytes, so that the division is exact: `47.01`; null for any other JSON. */
function decimalIn(json: Buffer, start: number, end: number): number | null {
  if (start === end || end - start > 15) return null;
  let digits = 0;
  let divisor = 1;
  let isBehindPoint = false;
  for (let at = start; at < end; at++) {
    const byte = json[at]!;
    if (byte === POINT) isBehindPoint = true;
    else if (!isDigit(byte)) return null;
    else {
      digits = 10 * digits + byte - DIGIT_ZERO;
      if (isBehindPoint) divisor *= 10;
    }
  }
  return digits / divisor;
}

function memberBytesEqual(a: Buffer, start: number, b: Buffer, otherStart: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[start + i] !== b[otherStart + i]) return false;
  return true;
}

/** Where the JSON value ends that begins at `start`. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfString(json, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (depth > 0 && (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY)) depth--;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at;
  }
}
