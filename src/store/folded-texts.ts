/** Folded texts side by side, which are searched as bytes. */
import { uint8, uint32, withRoom } from '../arrays.js';
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

  add(text: string): void {
    const folded = Buffer.from(fold(text));
    this.starts = withRoom(this.starts, this.size + 2, uint32);
    this.starts[this.size++] = this.used;
    this.bytes = withRoom(this.bytes, this.used + folded.length + 1, uint8);
    this.bytes.set(folded, this.used);
    this.used += folded.length + 1;
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
    if (longest !== undefined && !hasWord(longest, bytes, starts[text]!, starts[text + 1]!)) {
      const at = all.indexOf(longest, starts[text + 1]!);
      if (at < 0) break;
      while (starts[text + 1]! <= at) text++;
    }
    if (otherWords.every((word) => hasWord(word, bytes, starts[text]!, starts[text + 1]!))) matching[size++] = text;
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
