/** The members of a record that feed no field, as the JSON of one object: spelt as in the source, without white space. */
import { BACKSLASH, CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, SPACE } from '../ascii.js';

/** The member of an exported record that holds this object. */
export const EXTRA_NAME = 'extra';

export class ExtraObject {
  /** The members so far, a comma behind each. */
  #bytes = Buffer.alloc(0);
  #used = 0;

  clear(): void {
    this.#used = 0;
  }

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** Bytes of the object. */
  get length(): number {
    return this.#used + 1;
  }

  /** Adds a member whose value is `bytes[start … end)`. */
  addSpelled(name: string, bytes: Uint8Array, start: number, end: number): void {
    const quoted = JSON.stringify(name);
    this.#reserve(3 * quoted.length + end - start + 2);
    this.#used += this.#bytes.write(quoted, this.#used);
    this.#bytes[this.#used++] = COLON;
    this.#used = copyWithoutSpace(bytes, start, end, this.#bytes, this.#used);
    this.#bytes[this.#used++] = COMMA;
  }

  /** Adds the members of the object that is `bytes[start … end)`. */
  addMembersOf(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const firstByte = this.#used;
    this.#used = copyWithoutSpace(bytes, start + 1, end - 1, this.#bytes, firstByte);
    if (this.#used > firstByte) this.#bytes[this.#used++] = COMMA;
  }

  add(name: string, value: unknown): void {
    const text = `${JSON.stringify(name)}:${typeof value === 'bigint' ? value : JSON.stringify(value)},`;
    this.#reserve(3 * text.length);
    this.#used += this.#bytes.write(text, this.#used);
  }

  /** Writes the object, which has members, to `target`; returns where it ends. */
  write(target: Uint8Array, at: number): number {
    target[at] = OPEN_OBJECT;
    this.#bytes.copy(target, at + 1, 0, this.#used);
    // The closing bracket overwrites the last comma.
    target[at + this.#used] = CLOSE_OBJECT;
    return at + this.#used + 1;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

/** Copies JSON without the white space between its tokens; returns where the copy ends. */
export function copyWithoutSpace(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  let to = at;
  let inString = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (!inString && byte <= SPACE) continue;
    target[to++] = byte;
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH) target[to++] = bytes[++i]!;
  }
  return to;
}
