/** Folded texts side by side, which are sorted and searched as bytes. */
import { uint8, uint32, withRoom } from '../arrays.js';
import { contentsAt } from '../batch.js';
import { BACKSLASH } from '../kernels/ascii.js';
import { fold, lowerCase } from '../text.js';

export interface FoldedTexts {
  /** UTF-8: text i is `bytes[offsets[i] … offsets[i + 1])`, and its last byte is 0. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** The lower case of a byte of ASCII that is no escape; 0 for any other byte. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || byte === BACKSLASH ? 0 : lowerCase(byte),
);

export class FoldedTextsBuilder {
  #bytes = uint8(0);
  #offsets = uint32(1);
  size = 0;

  add(text: string): void {
    this.addFolded(fold(text));
  }

  addFolded(folded: string): void {
    const start = this.#startOf(3 * folded.length);
    this.#end(start + Buffer.from(this.#bytes.buffer).write(folded, start));
  }

  /** Adds the text whose contents in JSON are `json[from … to)`. */
  addJson(json: Buffer, from: number, to: number): void {
    if (!this.addPlain(json, from, to)) this.add(contentsAt(json, from, to));
  }

  /** Adds a text in ASCII without escapes, which is folded byte by byte; returns whether it is one. */
  addPlain(json: Uint8Array, from: number, to: number): boolean {
    let at = this.#startOf(to - from);
    const bytes = this.#bytes;
    for (let i = from; i < to; i++) {
      const byte = LOWER_CASE[json[i]!]!;
      if (byte === 0) return false;
      bytes[at++] = byte;
    }
    this.#end(at);
    return true;
  }

  /** Where the next text begins: there is room for `length` bytes and the last one. */
  #startOf(length: number): number {
    const start = this.#offsets[this.size]!;
    this.#bytes = withRoom(this.#bytes, start + length + 1, uint8);
    return start;
  }

  #end(end: number): void {
    this.#bytes[end] = 0;
    this.#offsets = withRoom(this.#offsets, ++this.size + 1, uint32);
    this.#offsets[this.size] = end + 1;
  }

  finish(): FoldedTexts {
    const offsets = this.#offsets.subarray(0, this.size + 1);
    return { bytes: this.#bytes.subarray(0, offsets[this.size]), offsets };
  }
}

/**
 * The texts that hold every word of `words`, case and accents aside, ascending; all texts if there is no word. One search over
 * all bytes finds the next text with the longest word, unless the next text itself has it.
 */
export function textsWith({ bytes, offsets }: FoldedTexts, words: string): Uint32Array {
  const [longest, ...otherWords] = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => Buffer.from(word))
    .sort((a, b) => b.length - a.length);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const matching = new Uint32Array(offsets.length - 1);
  let size = 0;
  for (let text = 0; text < matching.length; text++) {
    if (longest !== undefined && !hasWord(longest, bytes, offsets[text]!, offsets[text + 1]!)) {
      const at = all.indexOf(longest, offsets[text + 1]!);
      if (at < 0) break;
      while (offsets[text + 1]! <= at) text++;
    }
    if (otherWords.every((word) => hasWord(word, bytes, offsets[text]!, offsets[text + 1]!))) matching[size++] = text;
  }
  return matching.subarray(0, size);
}

/** The texts are short: a call of the runtime's search would take longer. */
function hasWord(word: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  const first = word[0];
  for (let at = from; at + word.length <= to; at++) {
    if (bytes[at] !== first) continue;
    let i = 1;
    while (i < word.length && bytes[at + i] === word[i]) i++;
    if (i === word.length) return true;
  }
  return false;
}
