/** What a record has besides its fields, as the JSON of one object: members in their own spelling, without white space. */
import { BACKSLASH, CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, SPACE } from '../ascii.js';

/** The member of an export that holds it. */
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
  place(name: string, bytes: Uint8Array, start: number, end: number): void {
    const quoted = JSON.stringify(name);
    this.#reserve(3 * quoted.length + end - start + 2);
    this.#used += this.#bytes.write(quoted, this.#used);
    this.#bytes[this.#used++] = COLON;
    this.#used = copyWithoutSpace(bytes, start, end, this.#bytes, this.#used);
    this.#bytes[this.#used++] = COMMA;
  }

  /** Adds the members of the object that is `bytes[start … end)`. */
  placeMembers(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const from = this.#used;
    this.#used = copyWithoutSpace(bytes, start + 1, end - 1, this.#bytes, from);
    if (this.#used > from) this.#bytes[this.#used++] = COMMA;
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
    // In the place of the last comma.
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
