/** Folded texts side by side. They are compared and searched as bytes; an ASCII text never becomes a string. */
import { BACKSLASH, lowerCase } from '../ascii.js';
import { uint8, uint32, withRoom } from '../growable.js';
import { fold } from '../text.js';

export interface FoldedTexts {
  /** UTF-8; a byte 0 follows each text. */
  readonly bytes: Uint8Array;
  /** Text i begins at `starts[i]`; there is one start more than texts. */
  readonly starts: Uint32Array;
}

export class FoldedTextsBuilder {
  private bytes = uint8(0);
  private starts = uint32(0);
  private used = 0;
  private size = 0;

  /** Adds the text in `source[from … to)`. If it is not ASCII, or has a backslash, `read` returns it as a string. */
  add(source: Uint8Array, from: number, to: number, read: () => string): void {
    this.starts = withRoom(this.starts, this.size + 2, uint32);
    this.starts[this.size++] = this.used;
    if (!this.addAscii(source, from, to)) this.addText(fold(read()));
    this.bytes[this.used++] = 0;
  }

  /** False where the text has other characters or a backslash. */
  private addAscii(source: Uint8Array, from: number, to: number): boolean {
    this.bytes = withRoom(this.bytes, this.used + to - from + 1, uint8);
    const { bytes } = this;
    let at = this.used;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte >= 0x80 || byte === BACKSLASH) return false;
      bytes[at++] = lowerCase(byte);
    }
    this.used = at;
    return true;
  }

  private addText(text: string): void {
    const folded = Buffer.from(text);
    this.bytes = withRoom(this.bytes, this.used + folded.length + 1, uint8);
    this.bytes.set(folded, this.used);
    this.used += folded.length;
  }

  finish(): FoldedTexts {
    const starts = this.size === 0 ? uint32(1) : this.starts.subarray(0, this.size + 1);
    starts[this.size] = this.used;
    return { bytes: this.bytes.subarray(0, this.used), starts };
  }
}

/**
 * The texts that hold every word of `words`, case and accents aside, ascending; all texts if there is no word. One search over
 * all bytes finds the next text with the longest word, unless the next text itself has it.
 */
export function textsWith({ bytes, starts }: FoldedTexts, words: string): Uint32Array {
  const [longest, ...otherWords] = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => Buffer.from(word))
    .sort((a, b) => b.length - a.length);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const matching = new Uint32Array(starts.length - 1);
  let size = 0;
  for (let text = 0; text < matching.length; text++) {
    if (longest !== undefined && !isIn(longest, bytes, starts[text]!, starts[text + 1]!)) {
      const at = all.indexOf(longest, starts[text + 1]!);
      if (at < 0) break;
      while (starts[text + 1]! <= at) text++;
    }
    if (otherWords.every((word) => isIn(word, bytes, starts[text]!, starts[text + 1]!))) matching[size++] = text;
  }
  return matching.subarray(0, size);
}

/** The texts are short: a call of the runtime's search would take longer. */
function isIn(word: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  const first = word[0];
  for (let at = from; at + word.length <= to; at++) {
    if (bytes[at] !== first) continue;
    let i = 1;
    while (i < word.length && bytes[at + i] === word[i]) i++;
    if (i === word.length) return true;
  }
  return false;
}
