/**
 * Texts as codes of their words, one to three bytes each: the more frequent a word, the shorter its code, in the manner of
 * (s,c)-dense codes (Brisaboa, Fariña, Navarro & Esteller 2003). A text takes about a third of its bytes; it is decoded as fast
 * as words are copied, and by itself. A word is a run of letters, digits and bytes of other scripts, with the space before it,
 * or a run of other bytes. It has at most fifteen bytes; a Chinese, Japanese or Korean character is a word by itself. A word
 * without a code is stored as a literal.
 */
import { wordCodes } from '../kernels/compiled.js';
import {
  CODE,
  CODE_LENGTH,
  COUNT,
  FIRST_BYTES,
  FIRST_LENGTH,
  FIRST_SHIFT,
  FIRSTS,
  FIRSTS_END,
  IS_LETTER,
  LITERAL,
  MASKS,
  MAX_WORD_LENGTH,
  POSITION,
  SHORT_CODES,
  SLACK_BYTES,
  SLOT_BYTES,
  SLOTS,
  TABLE,
  THREE,
  TWO,
  WORD_BYTES,
} from '../kernels/word-codes-layout.js';
import { createMemory, instantiate } from '../wasm.js';

/** The exports of `kernels/word-codes.ts`. They read and write up to `SLACK_BYTES` beyond `end`. */
interface WordCodesKernel {
  learn(at: number, end: number): void;
  encode(at: number, end: number, to: number): number;
  decode(at: number, end: number, to: number, stop: number, words: number): number;
}

/** The words that have codes, by code: `WORD_BYTES` each, the last of which is the word's length. */
export type Words = Uint8Array<ArrayBuffer>;

/** The largest piece of text that is copied to the kernel's memory. */
const CODED_PIECE_BYTES = 1 << 14;
/** The longest code, and the literal of a word of one byte: text may grow threefold. */
const MAX_CODE_BYTES = 3;

const TEXT_START = TABLE + SLOTS * SLOT_BYTES;
const CODES = TEXT_START + CODED_PIECE_BYTES + SLACK_BYTES;
const CODER_BYTES = CODES + CODED_PIECE_BYTES * MAX_CODE_BYTES + SLACK_BYTES;

const WORD_NUMBERS = WORD_BYTES / 4;
const WORDS_AT_ONCE = 1024;
const SLOTS_AT_ONCE = 1 << 14;
/** The index of a slot of the table in `#numbers`. */
const slotAt = (slot: number): number => (TABLE + slot * SLOT_BYTES) / 4;

/** Learns the words of a sample; then encodes texts. */
export class WordCoder {
  readonly #kernel: WordCodesKernel;
  readonly #bytes: Buffer;
  readonly #numbers: Uint32Array;

  constructor() {
    const memory = createMemory(CODER_BYTES);
    this.#kernel = instantiate(wordCodes, memory);
    this.#bytes = Buffer.from(memory.buffer);
    this.#numbers = new Uint32Array(memory.buffer);
    for (let byte = 0; byte < 256; byte++) this.#bytes[IS_LETTER + byte] = isLetter(byte) ? 1 : 0;
    for (let length = 0; length <= MAX_WORD_LENGTH; length++)
      this.#bytes.fill(0xff, MASKS + length * WORD_BYTES, MASKS + length * WORD_BYTES + length);
  }

  /** Counts the words of a text. Yields after each piece, as the other methods do. */
  *learn(text: Uint8Array): Generator<void, void> {
    for (let from = 0; from < text.length; from += CODED_PIECE_BYTES) {
      this.#kernel.learn(TEXT_START, this.#take(text.subarray(from, from + CODED_PIECE_BYTES)));
      yield;
    }
  }

  /** Assigns codes to the words that were learnt; called once, before `encode`. Returns the words by code. */
  *settle(): Generator<void, Words> {
    const slots = yield* this.#worthCoding();
    const words = new Uint32Array(slots.length * WORD_NUMBERS);
    let code = 0;
    for (let i = 0; i < slots.length; i++) {
      if (i % WORDS_AT_ONCE === 0) yield;
      const length = codeLength(code);
      const at = slotAt(slots[i]!);
      if (this.#bytes[4 * at + MAX_WORD_LENGTH]! < length) continue;
      for (let j = 0; j < WORD_NUMBERS; j++) words[code * WORD_NUMBERS + j] = this.#numbers[at + j]!;
      this.#numbers[at + CODE / 4] = codeBytes(code++);
      this.#numbers[at + CODE_LENGTH / 4] = length;
    }
    return new Uint8Array(words.buffer.slice(0, code * WORD_BYTES));
  }

  /** Slots of the words that occurred more than once, the most frequent first. */
  *#worthCoding(): Generator<void, Float64Array> {
    // Count and slot as one number: both together have less than 53 bits.
    const repeated = new Float64Array(SLOTS);
    let size = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      if (slot % SLOTS_AT_ONCE === 0) yield;
      const count = this.#numbers[slotAt(slot) + COUNT / 4]!;
      if (count > 1) repeated[size++] = count * SLOTS + slot;
    }
    return repeated
      .subarray(0, size)
      .sort()
      .reverse()
      .map((word) => word % SLOTS);
  }

  /** The codes of a text, valid until the next call. */
  *encode(text: Uint8Array): Generator<void, Buffer> {
    const pieces: Buffer[] = [];
    let from = 0;
    for (; text.length - from > CODED_PIECE_BYTES; from += CODED_PIECE_BYTES) {
      pieces.push(Buffer.from(this.#encodePiece(text.subarray(from, from + CODED_PIECE_BYTES))));
      yield;
    }
    const last = this.#encodePiece(text.subarray(from));
    yield;
    return pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
  }

  #encodePiece(piece: Uint8Array): Buffer {
    return this.#bytes.subarray(CODES, this.#kernel.encode(TEXT_START, this.#take(piece), CODES));
  }

  /** Copies a piece to the kernel's memory, with a zero behind it; returns its end. */
  #take(piece: Uint8Array): number {
    this.#bytes.set(piece, TEXT_START);
    this.#bytes[TEXT_START + piece.length] = 0;
    return TEXT_START + piece.length;
  }
}

/** Letters and digits of ASCII, and every byte of a character beyond it. */
const isLetter = (byte: number): boolean => byte >= 0x80 || /[0-9A-Za-z]/.test(String.fromCharCode(byte));

const codeLength = (code: number): number => (code < TWO ? 1 : code < SHORT_CODES ? 2 : MAX_CODE_BYTES);

/** A code's bytes as a number that begins with them. */
function codeBytes(code: number): number {
  if (code < TWO) return code;
  const short = code - TWO;
  if (code < SHORT_CODES) return (TWO + (short >> 8)) | ((short & 0xff) << 8);
  const long = code - SHORT_CODES;
  return (THREE + (long >> 16)) | (((long >> 8) & 0xff) << 8) | ((long & 0xff) << 16);
}

/** The code that begins with a byte and goes on with zeros. */
const firstCode = (byte: number): number =>
  byte < TWO ? byte : byte < THREE ? TWO + (byte - TWO) * 0x100 : SHORT_CODES + (byte - THREE) * 0x1_0000;

/** The space for codes, and for text, in the decoder's memory. */
const CODES_BYTES = 1 << 15;
const TEXT_BYTES = 1 << 16;

/** Decodes texts. */
export class WordDecoder {
  readonly #kernel: WordCodesKernel;
  readonly #bytes: Buffer;
  readonly #numbers: Uint32Array;
  readonly #codes: number;
  readonly #text: number;

  constructor(words: Words) {
    this.#codes = FIRSTS_END + words.length;
    this.#text = this.#codes + CODES_BYTES + SLACK_BYTES;
    const memory = createMemory(this.#text + TEXT_BYTES + SLACK_BYTES);
    this.#kernel = instantiate(wordCodes, memory);
    this.#bytes = Buffer.from(memory.buffer);
    this.#numbers = new Uint32Array(memory.buffer);
    this.#bytes.set(words, FIRSTS_END);
    for (let byte = 0; byte < LITERAL; byte++) {
      const at = FIRSTS + byte * FIRST_BYTES;
      const length = byte < TWO ? 1 : byte < THREE ? 2 : 3;
      this.#bytes.writeUInt32LE(firstCode(byte), at);
      this.#bytes[at + FIRST_SHIFT] = 8 * (3 - length);
      this.#bytes[at + FIRST_LENGTH] = length;
    }
  }

  /** Decodes the first `length` bytes of a text to `target` at `to`; the text must not be shorter. */
  decode(codes: Uint8Array, length: number, target: Buffer, to: number): void {
    let from = 0;
    for (let at = 0; at < length; ) {
      const pieceBytes = Math.min(codes.length - from, CODES_BYTES);
      this.#bytes.set(codes.subarray(from, from + pieceBytes), this.#codes);
      // The next piece decodes a code that this one may have in part.
      const end = this.#codes + (from + pieceBytes < codes.length ? pieceBytes - SLACK_BYTES : pieceBytes);
      const stop = this.#text + Math.min(TEXT_BYTES, length - at);
      const written = this.#kernel.decode(this.#codes, end, this.#text, stop, FIRSTS_END);
      // The last word may exceed `length`.
      at += this.#bytes.copy(target, to + at, this.#text, Math.min(written, this.#text + length - at));
      from += this.#numbers[POSITION / 4]! - this.#codes;
    }
  }
}
