/**
 * Texts side by side in memory, and the search for those that have a part: `kernels/parts.ts` reads all of them, a piece of the memory
 * at a time. A million titles of 30 bytes take some ten milliseconds.
 */
import { firstWhere } from '../arrays.js';
import { parts } from '../kernels/compiled.js';
import * as layout from '../kernels/parts-layout.js';
import { fold, textOfBytes } from '../text.js';
import { createMemory, instantiate } from '../wasm.js';

/** Plain values, so that they can move to another thread. */
export interface Texts {
  /** Text t is `bytes[offsets[t] … offsets[t + 1])`, in UTF-8. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** The texts with other characters than ASCII, ascending. */
  readonly others: Uint32Array;
}

interface PartsKernel {
  readonly unread: { readonly value: number };
  find(texts: number, length: number, isAscii: number, hasOthers: number): number;
}

/** The texts that have a part, case and accents aside, ascending. An empty text has none. */
export function textsWithPart(texts: Texts, part: string): Uint32Array {
  const { offsets } = texts;
  const folded = fold(part);
  const hasFolded = (text: number): boolean => foldedText(texts, text).includes(folded);
  const matches = new Uint32Array(offsets.length - 1);
  let size = 0;
  // Marks alone are folded to nothing, which is a part of any text.
  if (folded === '') {
    for (let text = 0; text < matches.length; text++) if (offsets[text] !== offsets[text + 1]) matches[size++] = text;
    return matches.subarray(0, size);
  }
  const search = searchOfThread();
  const isShort = search.usePart(Buffer.from(folded));
  for (let from = 0; from < matches.length; ) {
    const to = isShort ? endOfPiece(offsets, from) : from;
    if (to > from) size = search.add(texts, from, to, hasFolded, matches, size);
    else if (hasFolded(from)) matches[size++] = from;
    from = Math.max(to, from + 1);
  }
  return matches.subarray(0, size);
}

/** The first text behind `from` that does not fit the kernel's memory with it; `from` itself where this one does not. */
function endOfPiece(offsets: Uint32Array, from: number): number {
  const last = Math.min(offsets.length - 1, from + layout.MAX_PART_TEXTS);
  const maxEnd = offsets[from]! + layout.MAX_TEXT_BYTES;
  let to = last;
  if (offsets[last]! > maxEnd) for (to = from; offsets[to + 1]! <= maxEnd; ) to++;
  return to;
}

const foldedText = ({ bytes, offsets }: Texts, text: number): string =>
  fold(textOfBytes(bytes, offsets[text]!, offsets[text + 1]!));

/** The kernel with its memory, of which each thread has one. */
class PartSearch {
  readonly #kernel: PartsKernel;
  readonly #bytes: Uint8Array;
  readonly #numbers: Uint32Array;
  #length = 0;
  #isAscii = true;

  constructor() {
    const memory = createMemory(layout.PART_END);
    this.#kernel = instantiate<PartsKernel>(parts, memory);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#numbers = new Uint32Array(memory.buffer);
    for (let character = 0x80; character < layout.CHARACTERS; character++)
      this.#numbers[(layout.FOLDS >> 2) + character] = foldedForm(character);
  }

  /** Takes a folded part; false where it is too long. */
  usePart(part: Buffer): boolean {
    if (part.length > layout.MAX_PART_BYTES) return false;
    this.#length = part.length;
    this.#isAscii = part.every((byte) => byte < 0x80);
    this.#bytes.set(part, layout.PART);
    this.#bytes.set(part.map(caseBit), layout.CASES);
    return true;
  }

  /**
   * Appends to `matches`, which has `size` texts, those from one to another that have the part; returns how many there are then. Of texts
   * that the kernel leaves unread `hasFolded` says whether they have it.
   */
  add(
    texts: Texts,
    from: number,
    to: number,
    hasFolded: (text: number) => boolean,
    matches: Uint32Array,
    size: number,
  ): number {
    const { bytes, offsets, others } = texts;
    const hasOthers = others[firstWhere(0, others.length, (i) => others[i]! >= from)]! < to;
    if (!(this.#isAscii || hasOthers)) return size;
    const numbers = this.#numbers;
    const shift = layout.TEXTS - offsets[from]!;
    this.#bytes.set(bytes.subarray(offsets[from]!, offsets[to]!), layout.TEXTS);
    const starts = layout.STARTS >> 2;
    for (let text = from; text <= to; text++) numbers[starts + text - from] = offsets[text]! + shift;
    const kernelMatches = this.#kernel.find(to - from, this.#length, Number(this.#isAscii), Number(hasOthers));
    const unread = numbers.subarray(layout.UNREAD >> 2, (layout.UNREAD >> 2) + this.#kernel.unread.value);
    const foundAt = layout.FOUND >> 2;
    let end = size;
    for (let i = 0; i < kernelMatches; i++) matches[end++] = from + numbers[foundAt + i]!;
    const matchesInUnread = unread.filter((text) => hasFolded(from + text));
    for (const text of matchesInUnread) matches[end++] = from + text;
    if (matchesInUnread.length > 0) matches.subarray(size, end).sort();
    return end;
  }
}

const caseBit = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? 0x20 : 0);

/** The folded form of a character of two bytes, as the kernel reads it; 0 where it depends on the characters beside it. */
function foldedForm(character: number): number {
  const text = String.fromCodePoint(character);
  if (/\p{M}/u.test(text)) return 0;
  const bytes = Buffer.from(fold(text));
  const number = bytes.reduce((sum, byte, i) => sum | (byte << (8 * i)), bytes.length << layout.LENGTH_SHIFT);
  return (number | layout.IS_FOLDED) >>> 0;
}

const searches = new WeakMap<Uint8Array, PartSearch>();

/** The kernel is compiled by the first search: a start needs none. */
function searchOfThread(): PartSearch {
  const search = searches.get(parts) ?? new PartSearch();
  searches.set(parts, search);
  return search;
}
