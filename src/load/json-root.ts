/** Follows the members of a file's root object through the strict checker: their names, and which of them are arrays of objects. */
import { JsonChecker, type JsonFault } from './json-checker.js';

export interface ArrayMember {
  readonly name: string;
  /** Of the byte behind its opening bracket. */
  readonly offset: number;
  readonly line: number;
  /** Its first element is an object; false where it has no element. */
  readonly filled: boolean;
}

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const COLON = 58;

export class RootObject {
  readonly names: string[] = [];
  readonly arrays: ArrayMember[] = [];
  state: 'before' | 'inside' | 'after' = 'before';
  readonly #checker: JsonChecker;
  #name: number[] = [];
  #afterName = false;
  #pending: Omit<ArrayMember, 'filled'> | undefined;

  /** `members`: the object was entered and one of its members read already. */
  constructor(shape: 'sequence' | 'members', line = 1) {
    this.#checker = new JsonChecker(shape, line);
    if (shape === 'members') this.state = 'inside';
  }

  get line(): number {
    return this.#checker.line;
  }

  end(): JsonFault | undefined {
    return this.#checker.end();
  }

  take(byte: number, offset: number): JsonFault | undefined {
    const checker = this.#checker;
    const { line, column, depth, inName } = checker;
    const message = checker.step(byte);
    if (message !== undefined) return { line, column, message };
    checker.pass(byte);
    if (depth === 1) this.#member(byte, inName, offset, line);
    else if (depth === 2 && this.#pending && byte > 32) this.#element(byte);
    if (depth === 0 && checker.depth === 1) this.state = 'inside';
    if (depth === 1 && checker.depth === 0) this.state = 'after';
    return undefined;
  }

  #member(byte: number, wasName: boolean, offset: number, line: number): void {
    const isName = this.#checker.inName;
    if (wasName || isName) this.#name.push(byte);
    if (wasName && !isName) {
      this.names.push(nameOf(this.#name));
      this.#name = [];
      this.#afterName = true;
    } else if (this.#afterName && byte !== COLON && byte > 32) {
      this.#afterName = false;
      if (byte === OPEN_ARRAY) this.#pending = { name: this.names.at(-1) ?? '', offset: offset + 1, line };
    }
  }

  #element(byte: number): void {
    const isEmpty = this.#checker.depth === 1;
    if (this.#pending && (byte === OPEN_OBJECT || isEmpty)) this.arrays.push({ ...this.#pending, filled: !isEmpty });
    this.#pending = undefined;
  }
}

/** A name as it stands between its quotes, which the checker has proved. */
const nameOf = (quoted: readonly number[]): string => String(JSON.parse(Buffer.from(quoted).toString('utf8')));
