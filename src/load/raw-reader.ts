/**
 * Bytes of a JSON object → a valid record, without parsing: no string, number or object of the language is made. It takes
 * records whose names were met before and whose values are as they should be, which is most of a dump; any other it
 * leaves to the parser and the normaliser, with which it agrees on all that it takes. A record costs about as much as a copy of it.
 */
import type { CollectionModel } from '../model.js';
import {
  ABSENT,
  ESCAPED_TEXT,
  type Lease,
  LIST,
  NULL,
  NUMBER,
  PLAIN_TEXT,
  type RawRecords,
  RESPELT_LIST,
  RESPELT_NUMBER,
  RESPELT_TEXT,
  stringAt,
} from '../raw.js';
import { type Columns, ownNames } from './columns.js';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, JsonTokens, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-tokens.js';
import { canonicalDateMs } from './raw-date.js';
import { findName, RawNames } from './raw-names.js';
import type { RawBytes } from './reading.js';

const SPACE = 0x20;
const NULL_LITERAL = 0x6e;

const INTEGER = 0;
const DECIMAL = 1;
const TEXT = 2;
const DATE = 3;
const TAGS = 4;
const CODES = { integer: INTEGER, number: DECIMAL, text: TEXT, url: TEXT, date: DATE, tags: TAGS } as const;

export class RawReader implements RawRecords {
  bytes: Buffer = Buffer.alloc(0);
  isAscii = true;
  limit = 0;
  lease: Lease | undefined;
  readonly leaseShift = 0;
  readonly size = 1;
  readonly columns: Int32Array;
  readonly recordStarts = new Int32Array(1);
  readonly recordEnds = new Int32Array(1);
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Float64Array;
  isOwnName: Uint8Array;
  elements = new Int32Array(64);
  readonly elementsFrom: Int32Array;
  readonly elementsTo: Int32Array;
  readonly names = new RawNames();
  readonly #model: CollectionModel;
  readonly #codes: Uint8Array;
  readonly #isRequired: Uint8Array;
  readonly #idIsGiven: boolean;
  readonly #tokens = new JsonTokens();
  /** Strings in lists so far. */
  #elementCount = 0;
  /** The columns whose names `isOwnName` tells of. */
  #columns: Columns | undefined;

  /** `idIsGiven`: the loader sets every record's id itself. */
  constructor(model: CollectionModel, idIsGiven: boolean) {
    const { fields } = model;
    const { length } = fields;
    this.columns = Int32Array.from(fields, (_, field) => field);
    this.kinds = new Uint8Array(length);
    this.starts = new Int32Array(length);
    this.ends = new Int32Array(length);
    this.numbers = new Float64Array(length);
    this.isOwnName = new Uint8Array(length);
    this.elementsFrom = new Int32Array(length);
    this.elementsTo = new Int32Array(length);
    this.#model = model;
    this.#codes = Uint8Array.from(fields, ({ kind }) => CODES[kind]);
    this.#isRequired = Uint8Array.from(fields, ({ required }, field) =>
      required && !(idIsGiven && field === 0) ? 1 : 0,
    );
    this.#idIsGiven = idIsGiven;
  }

  /** The bytes in which the next records stand. */
  over({ bytes, isAscii, limit, lease }: RawBytes): void {
    this.#tokens.over(bytes);
    this.bytes = bytes;
    this.isAscii = isAscii;
    this.limit = limit;
    this.lease = lease;
  }

  /** Reads the object that is `bytes[start … end)`; undefined where it is left to the parser. */
  read(start: number, end: number): Columns | undefined {
    const { bytes } = this;
    if (bytes[start] !== OPEN_OBJECT) return undefined;
    this.#clear(start, end);
    const tokens = this.#tokens;
    let nodes = this.names.first;
    let i = start + 1;
    for (;;) {
      if (bytes[i]! <= SPACE) i = tokens.space(i, end);
      const node = findName(nodes, bytes, i);
      if (node === undefined) return undefined;
      i += node.quoted.length;
      if (bytes[i] !== COLON) {
        i = tokens.space(i, end);
        if (bytes[i] !== COLON) return undefined;
      }
      if (bytes[++i]! <= SPACE) i = tokens.space(i, end);
      const { field } = node;
      i = field < 0 || (field === 0 && this.#idIsGiven) ? tokens.any(i, end) : this.#value(field, i, end);
      if (i < 0) return undefined;
      if (bytes[i]! <= SPACE) i = tokens.space(i, end);
      if (bytes[i] === CLOSE_OBJECT) return i + 1 === end ? this.#whole(node.columns) : undefined;
      if (bytes[i] !== COMMA) return undefined;
      i++;
      nodes = node.next;
    }
  }

  giveId(id: number): void {
    this.kinds[0] = RESPELT_NUMBER;
    this.numbers[0] = id;
  }

  #clear(start: number, end: number): void {
    this.recordStarts[0] = start;
    this.recordEnds[0] = end;
    this.#elementCount = 0;
    for (let field = 0; field < this.kinds.length; field++) {
      this.kinds[field] = ABSENT;
      this.numbers[field] = Number.NaN;
      this.elementsFrom[field] = 0;
      this.elementsTo[field] = 0;
    }
  }

  #whole(columns: Columns | undefined): Columns | undefined {
    if (columns === undefined) return undefined;
    for (let field = 0; field < this.kinds.length; field++)
      if (this.#isRequired[field] === 1 && this.kinds[field]! <= NULL) return undefined;
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.isOwnName = ownNames(this.#model, columns);
    }
    return columns;
  }

  #value(field: number, from: number, end: number): number {
    this.starts[field] = from;
    const to = this.#kindOf(field, from, end);
    this.ends[field] = to;
    return to;
  }

  #kindOf(field: number, from: number, end: number): number {
    if (this.bytes[from] === NULL_LITERAL) {
      this.kinds[field] = NULL;
      return this.#tokens.literal(from, end);
    }
    switch (this.#codes[field]!) {
      case INTEGER:
      case DECIMAL:
        return this.#number(field, from, end);
      case TEXT:
        return this.#text(field, from, end);
      case DATE:
        return this.#date(field, from, end);
      default:
        return this.#list(field, from, end);
    }
  }

  #number(field: number, from: number, end: number): number {
    const tokens = this.#tokens;
    const to = tokens.number(from, end);
    if (to < 0) return -1;
    const { value } = tokens;
    const isFit = this.#codes[field] === INTEGER ? Number.isSafeInteger(value) : Number.isFinite(value);
    this.numbers[field] = value;
    this.kinds[field] = tokens.isKept ? NUMBER : RESPELT_NUMBER;
    return isFit ? to : -1;
  }

  #text(field: number, from: number, end: number): number {
    const tokens = this.#tokens;
    if (this.bytes[from] !== QUOTE) return -1;
    const to = tokens.string(from, end);
    if (to < 0) return -1;
    const kind = tokens.isRespelt ? RESPELT_TEXT : tokens.isEscaped ? ESCAPED_TEXT : PLAIN_TEXT;
    this.kinds[field] = kind;
    return this.#isRequired[field] === 1 && this.#isBlank(from, to, kind) ? -1 : to;
  }

  /** Most texts begin with a visible ASCII character, and need no second look. */
  #isBlank(from: number, to: number, kind: number): boolean {
    const first = this.bytes[from + 1]!;
    if (first > 32 && first < 127 && first !== QUOTE && first !== 0x5c) return false;
    return stringAt(this, from, to, kind !== PLAIN_TEXT).trim() === '';
  }

  #date(field: number, from: number, end: number): number {
    if (this.bytes[from] !== QUOTE) return -1;
    const to = this.#tokens.string(from, end);
    if (to < 0 || this.#tokens.isEscaped) return -1;
    const timeMs = canonicalDateMs(this.bytes, from + 1, to - 1);
    this.numbers[field] = timeMs;
    this.kinds[field] = PLAIN_TEXT;
    return Number.isNaN(timeMs) ? -1 : to;
  }

  /** A list of strings; one without any is none. */
  #list(field: number, from: number, end: number): number {
    const { bytes } = this;
    const tokens = this.#tokens;
    if (bytes[from] !== OPEN_ARRAY) return -1;
    this.elementsFrom[field] = this.#elementCount;
    let isKept = true;
    let i = tokens.space(from + 1, end);
    while (bytes[i] !== CLOSE_ARRAY) {
      if (bytes[i] !== QUOTE) return -1;
      const to = tokens.string(i, end);
      if (to < 0) return -1;
      isKept &&= !tokens.isRespelt;
      this.#addElement(i, to);
      i = tokens.space(to, end);
      if (bytes[i] !== COMMA) break;
      isKept &&= i === to && bytes[i + 1] === QUOTE;
      i = tokens.space(i + 1, end);
      if (bytes[i] === CLOSE_ARRAY) return -1;
    }
    if (bytes[i] !== CLOSE_ARRAY || i >= end) return -1;
    const last = this.#elementCount - 1;
    const isTight = bytes[from + 1] === QUOTE && this.elements[2 * last + 1] === i;
    this.elementsTo[field] = this.#elementCount;
    if (this.elementsTo[field] === this.elementsFrom[field]) this.kinds[field] = NULL;
    else this.kinds[field] = isKept && isTight ? LIST : RESPELT_LIST;
    return i + 1;
  }

  #addElement(from: number, to: number): void {
    const at = 2 * this.#elementCount++;
    if (at === this.elements.length) {
      const wider = new Int32Array(at * 2);
      wider.set(this.elements);
      this.elements = wider;
    }
    this.elements[at] = from;
    this.elements[at + 1] = to;
  }
}
