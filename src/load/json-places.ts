/**
 * Where in a JSON file its records begin: follows the steps to them over the file's bytes, in chunks of any size, through
 * envelopes, pages and objects that are keyed by id. What stands around the records is proved by the strict checker, a byte
 * after the other; a record is proved by whoever reads it.
 */

import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, SPACE } from '../ascii.js';
import { type DocumentShape, JsonChecker } from './json-checker.js';
import { openingOf } from './json-opening.js';
import { isPlainObject } from './paths.js';

/** To a member by its name, to each element of an array, or to each member of an object, whose name may be an id. */
export type PlaceStep = { readonly name: string } | 'each' | 'members';

/** `data.items[]`, `[].products[]`, `books.*`: how the report names a place. */
export const placeText = (steps: readonly PlaceStep[]): string =>
  steps
    .map((step, i) => (step === 'each' ? '[]' : `${i === 0 ? '' : '.'}${step === 'members' ? '*' : step.name}`))
    .join('');

export interface PlaceOptions {
  readonly shape: DocumentShape;
  /** From a root value to a record. */
  readonly steps: readonly PlaceStep[];
  /** The names of a row's values, where records are rows; the first row of each table is these names where `hasHeader`. */
  readonly header?: readonly string[];
  readonly hasHeader?: boolean;
  /** By which name the records of an object have their keys: `id` where integers among them are ids, else `key`. */
  readonly keyName?: string;
  /** The names of the first records: a further array of objects with no others, beside theirs, is a fault. */
  readonly names?: ReadonlySet<string>;
}

/** An array of an object, by its member's name. */
export interface NamedArray {
  readonly name: string;
  readonly line: number;
}

/** An array beside the records', while its first element is collected. */
interface OtherArray extends NamedArray {
  readonly depth: number;
  readonly bytes: number[];
}

/** Outcome of `next`: what follows is no JSON, or a second array of records. */
export const BROKEN = -1;

/** A container off the path to the records. */
const OFF = -1;
/** Names of the first element of a second array are looked for in so many bytes. */
const MAX_ELEMENT_BYTES = 1 << 16;
/** A longer name leads to no record. */
const MAX_NAME_BYTES = 1 << 12;

export const isId = (key: string): boolean => /^-?\d{1,15}$/.test(key);

/** The value that a record has of its key: an integer where it may be an id. */
export const keyValue = (key: string): string | number => (isId(key) ? Number(key) : key);

export const twoArrays = (first: NamedArray, second: NamedArray): string =>
  `expected one array of objects, found a second one: ${JSON.stringify(first.name)} (line ${first.line}) and ${JSON.stringify(second.name)}`;

export class JsonPlaces {
  /** The array of the first records, once it was entered. */
  entered: NamedArray | undefined;
  /** A second array of records. */
  second: NamedArray | undefined;
  readonly #options: PlaceOptions;
  readonly #checker: JsonChecker;
  /** Per open container how many steps lead to it, or OFF. */
  readonly #path: number[] = [];
  /** The name of the last member that began, and its bytes. */
  #name = '';
  #nameBytes: number[] = [];
  /** The next row is the header. */
  #isHeaderDue: boolean;
  /** One that may be a second array of records. */
  #other: OtherArray | undefined;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#isHeaderDue = options.hasHeader === true && options.steps.length === 0;
    this.#checker = new JsonChecker(options.shape);
  }

  /** The line of the byte behind those that were passed. */
  get line(): number {
    return this.#checker.line;
  }

  /** No value is open or missing. */
  get isComplete(): boolean {
    return this.#checker.end() === undefined;
  }

  /** What stands between one record and the next, besides white space; 0 where that is nothing. */
  get separator(): number {
    return this.#path.length === 0 ? 0 : COMMA;
  }

  /** The key of the record that begins, by its name; undefined where it has none. */
  get key(): { readonly name: string; readonly value: string | number } | undefined {
    const { steps, keyName } = this.#options;
    return keyName !== undefined && steps[this.#path.at(-1) ?? 0] === 'members'
      ? { name: keyName, value: keyValue(this.#name) }
      : undefined;
  }

  /** Goes on to the next record: where in `bytes[from … end)` it begins, `end` where none does, or BROKEN. */
  next(bytes: Uint8Array, from: number, end: number): number {
    const checker = this.#checker;
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!;
      const { depth } = checker;
      const other = this.#other;
      if (checker.expectsValue && byte > SPACE && byte !== CLOSE_ARRAY && this.#isRecord(byte)) return at;
      const wasName = checker.inName;
      if (checker.step(byte) !== undefined) return BROKEN;
      if (wasName || checker.inName) this.#passName(byte);
      if (checker.depth > depth) this.#enter(byte);
      else if (checker.depth < depth) this.#path.length = checker.depth;
      checker.pass(byte);
      if (other && !this.#followOther(byte, other)) return BROKEN;
    }
    return end;
  }

  /** Passes the record to which `next` has gone. */
  pass(lines: number): void {
    this.#checker.passValue(lines);
  }

  /** How many steps lead to the value that begins. */
  #stepsToValue(): number {
    const at = this.#path.at(-1);
    if (at === undefined) return 0;
    const step = at === OFF ? undefined : this.#options.steps[at];
    if (step === undefined) return OFF;
    return typeof step === 'string' || step.name === this.#name ? at + 1 : OFF;
  }

  #isRecord(byte: number): boolean {
    const { steps, header } = this.#options;
    if (this.#stepsToValue() !== steps.length) return false;
    if (byte === OPEN_OBJECT) return true;
    if (byte === OPEN_ARRAY && header !== undefined) return !this.#isHeaderDue;
    // What is no record where one should be is refused, but members may be anything.
    return steps.length === 0 || steps.at(-1) === 'each';
  }

  #passName(byte: number): void {
    const bytes = this.#nameBytes;
    if (this.#path.at(-1) === OFF) return;
    if (bytes.length < MAX_NAME_BYTES) bytes.push(byte);
    if (this.#checker.inName) return;
    this.#name = bytes.length < MAX_NAME_BYTES ? String(JSON.parse(Buffer.from(bytes).toString('utf8'))) : '';
    this.#nameBytes = [];
  }

  /** A container was opened by `byte`, the last in the path. */
  #enter(byte: number): void {
    const { steps, header, hasHeader, names } = this.#options;
    const parent = this.#path.at(-1);
    const at = this.#stepsToValue();
    const step = at === OFF ? undefined : steps[at];
    const isMet = step !== undefined && (byte === OPEN_ARRAY) === (step === 'each');
    this.#path.push(isMet ? at : OFF);
    if (header !== undefined && at === steps.length) this.#isHeaderDue = false;
    if (byte !== OPEN_ARRAY) return;
    const array = { name: this.#name, line: this.line };
    if (isMet && at === steps.length - 1) {
      this.#isHeaderDue = hasHeader === true;
      this.entered ??= array;
    } else if (names && this.entered && parent !== undefined && parent !== OFF && typeof steps[parent] === 'object')
      this.#other = { ...array, depth: this.#checker.depth, bytes: [] };
  }

  /** Collects the first element of another array, and compares its names with those of the records; false where they are alike. */
  #followOther(byte: number, { name, line, depth, bytes }: OtherArray): boolean {
    if (bytes.length > 0 || byte === OPEN_OBJECT) bytes.push(byte);
    else if (byte <= SPACE) return true;
    if (this.#checker.depth > depth && bytes.length < MAX_ELEMENT_BYTES) return true;
    this.#other = undefined;
    const [first] = openingOf(Buffer.from(bytes)).roots;
    const names = isPlainObject(first) ? Object.keys(first) : [];
    if (!names.every((known) => this.#options.names?.has(known))) return true;
    this.second = { name, line };
    return false;
  }
}
