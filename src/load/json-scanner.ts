/**
 * Finds where the values of a JSON array or an NDJSON text begin and end, by looking at quotes and brackets only.
 * It visits each byte outside of long strings once and holds no more than a chunk and the largest value; it scans chunks
 * where they stand, with what is left of the one before put in front. It trusts
 * what it skips: a value's text is proved by parsing it, and what stands between values must be exactly right.
 * Where a value is one line, which most dumps are, its end is guessed to be the line's: a search for the line break
 * is ten times as fast as the walk; where it is indented, at the next closing bracket of the same indent; and where all
 * stand on one line, before what stood between the first two, up to the first name of the second. A wrong guess does not
 * parse, as no object is the beginning of another, and `rescan` then walks from there.
 */

import type { Chunk } from './read-blocks.js';

/** `array`: the elements behind an opening bracket; `sequence`: values one after the other. */
export type ScannerShape = 'array' | 'sequence';

export type ScanOutcome = 'more' | 'closed' | 'irregular';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const NEWLINE = 10;
const OPEN = 0x7b; // `{`; `[` with bit 5 set is the same
const CLOSE = 0x7d;
const CASE = 0x20;

const BEFORE_VALUE = 0;
const AFTER_COMMA = 1;
const AFTER_VALUE = 2;
const NESTED = 3;
const STRING = 4;
const BARE = 5;

/** A value longer than this cannot be parsed as one string everywhere, and is no record. */
export const MAX_VALUE_BYTES = 256 << 20;
/** Strings shorter than this are walked, longer ones searched for their closing quote: a call costs as much as 50 bytes. */
const WALKED_BYTES = 48;
const OWN_BYTES = 2 << 20;
/** What is scanned again of each chunk is no more than this. */
const SHORT_BYTES = 1 << 16;
/** After this many lines that do not end as a value does, a file is taken to be laid out otherwise. */
const MAX_WRONG_GUESSES = 100;
/** What stands between two values, up to a name, is longer in no dump. */
const MOST_BETWEEN_BYTES = 200;

export class JsonScanner {
  /** The values found by the last `feed`: value `i` is `bytes[starts[i] … ends[i])` and begins on `lines[i]`. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly lines: number[] = [];
  bytes: Buffer = Buffer.alloc(1);
  line: number;
  /** After `closed`: where in the last chunk the first byte behind the closing bracket stands, counted from its first. */
  restAt = 0;
  readonly #isArray: boolean;
  /** No value begins before 1: whoever parses several values at once needs a place for a bracket before them. */
  #end = 1;
  #scanned = 1;
  #chunkAt = 1;
  /** The bytes held, without what stands behind them. */
  #held: Buffer = Buffer.alloc(0);
  /** Holds values that are longer than the room before a chunk. */
  #own: Buffer = Buffer.alloc(0);
  #guesses = true;
  #guessesInChunk = true;
  #wrongGuesses = 0;
  #closing: Buffer | undefined;
  #between: Buffer | undefined;
  #isLastLine = false;
  #valueAt = 0;
  #valueLine = 1;
  #state = BEFORE_VALUE;
  #depth = 0;
  #inString = false;

  constructor(shape: ScannerShape, line: number) {
    this.#isArray = shape === 'array';
    this.line = line;
  }

  /** Takes the next bytes, to be scanned. */
  hold(chunk: Chunk): void {
    this.#stepBack();
    if (chunk.bytes !== this.bytes || chunk.from !== this.#end) this.#go(chunk);
    else this.#end = chunk.to;
    this.#held = this.bytes.subarray(0, this.#end);
    this.#chunkAt = this.#end - (chunk.to - chunk.from);
    this.#guessesInChunk = this.#guesses;
    this.#isLastLine = false;
    this.#forget();
  }

  /** Scans all bytes that it holds. */
  scan(): ScanOutcome {
    this.#forget();
    return this.#scan();
  }

  /** Walks again from the found value `i`, whose end was guessed wrong; undefined where nothing was guessed. */
  rescan(i: number): ScanOutcome | undefined {
    if (!this.#guesses) return undefined;
    this.#guesses = false;
    this.#guessesInChunk = false;
    this.#goBack(this.starts[i]!, this.lines[i]!);
    return this.scan();
  }

  /** Back to before an object that is not whole yet: others may know a faster way than to walk through it. */
  #stepBack(): void {
    if (this.#state === NESTED && this.#end - this.#valueAt < SHORT_BYTES) this.#goBack(this.#valueAt, this.#valueLine);
  }

  #goBack(at: number, line: number): void {
    this.#scanned = at;
    this.line = line;
    // What begins here was taken for a value, so a closing bracket is none of the right ones.
    this.#state = this.#isArray ? AFTER_COMMA : BEFORE_VALUE;
    this.#inString = false;
  }

  #forget(): void {
    this.starts.length = 0;
    this.ends.length = 0;
    this.lines.length = 0;
  }

  /** The end of the text; a last bare value may end with it. */
  finish(): ScanOutcome {
    this.#forget();
    if (this.#state === BARE) this.#emit(this.#end);
    return this.#isArray || this.#state !== BEFORE_VALUE ? 'irregular' : 'closed';
  }

  /** Goes on in a chunk, with the unfinished value copied in front of it; where there is no room for that, in a buffer of its own. */
  #go({ bytes, from, to }: Chunk): void {
    const keepFrom = this.#state >= NESTED ? this.#valueAt : Math.min(this.#scanned, this.#end);
    const kept = this.#end - keepFrom;
    const before = this.bytes;
    const isInChunk = from > kept && isAligned(bytes);
    const keepAt = isInChunk ? from - kept : 1;
    if (isInChunk) this.bytes = bytes;
    else this.#widen(kept + to - from + 2);
    before.copy(this.bytes, keepAt, keepFrom, this.#end);
    if (!isInChunk) bytes.copy(this.bytes, keepAt + kept, from, to);
    this.#scanned += keepAt - keepFrom;
    this.#valueAt += keepAt - keepFrom;
    this.#end = keepAt + kept + to - from;
  }

  #widen(needed: number): void {
    if (needed > this.#own.length)
      this.#own = Buffer.allocUnsafeSlow(Math.max(this.#own.length * 2, needed, OWN_BYTES));
    this.bytes = this.#own;
  }

  #scan(): ScanOutcome {
    const bytes = this.#held;
    const end = this.#end;
    let i = this.#scanned;
    while (i < end) {
      if (this.#state >= NESTED) {
        i = this.#state === NESTED ? this.#nested(i) : this.#state === STRING ? this.#string(i) : this.#bare(i);
        if (this.#state >= NESTED && end - this.#valueAt > MAX_VALUE_BYTES) return 'irregular';
        continue;
      }
      const byte = bytes[i]!;
      if (byte === 32 || byte === 9 || byte === 13) i++;
      else if (byte === NEWLINE) {
        i++;
        this.line++;
      } else if (this.#isArray && byte === 0x5d && this.#state !== AFTER_COMMA) {
        this.#scanned = i + 1;
        this.restAt = i + 1 - this.#chunkAt;
        return 'closed';
      } else if (this.#state === AFTER_VALUE) {
        if (byte !== COMMA) return 'irregular';
        this.#state = AFTER_COMMA;
        i++;
      } else {
        i = this.#begin(i, byte);
      }
    }
    this.#scanned = i;
    return 'more';
  }

  #begin(i: number, byte: number): number {
    this.#valueAt = i;
    this.#valueLine = this.line;
    if ((byte | CASE) === OPEN) {
      const guessed = this.#guessesInChunk ? this.#guess(i) : 0;
      if (guessed > 0) return guessed;
      this.#state = NESTED;
      this.#depth = 0;
      return i;
    }
    this.#state = byte === QUOTE ? STRING : BARE;
    return i + 1;
  }

  /** Takes the value to end where its line does, if that looks right: behind the value, or 0. */
  #guess(from: number): number {
    const bytes = this.#held;
    const newline = this.#isLastLine ? -1 : bytes.indexOf(NEWLINE, from);
    if (newline === -1) {
      this.#isLastLine = true;
      return this.#guessBetween(from);
    }
    let end = newline;
    if (bytes[end - 1] === 13) end--;
    if (bytes[end - 1] === COMMA) end--;
    if (bytes[end - 1] === CLOSE) {
      this.#emit(end);
      return end;
    }
    const indented = this.#guessIndented(from, newline);
    if (indented > 0) return indented;
    if (++this.#wrongGuesses > MAX_WRONG_GUESSES) this.#guessesInChunk = false;
    return 0;
  }

  /** Takes a value whose bracket stands alone on its line to end where the next such closing bracket does. */
  #guessIndented(from: number, newline: number): number {
    const bytes = this.#held;
    if (newline - from > 2) return 0;
    this.#closing ??= closingLine(bytes, from);
    const found = bytes.indexOf(this.#closing, newline);
    const end = found + this.#closing.length;
    if (found === -1) return 0;
    let line = this.line;
    for (let i = newline; i < end; i++) if (bytes[i] === NEWLINE) line++;
    this.#emit(end);
    this.line = line;
    return end;
  }

  /** Takes a value on a line with others to end where the same stands that stood between two of them. */
  #guessBetween(from: number): number {
    const bytes = this.#held;
    this.#between ??= betweenValues(bytes, this.ends.at(-1), from);
    if (this.#between === undefined) return 0;
    const end = bytes.indexOf(this.#between, from) + 1;
    if (end > 0) this.#emit(end);
    else this.#guessesInChunk = false;
    return end;
  }

  #emit(end: number): void {
    this.starts.push(this.#valueAt);
    this.ends.push(end);
    this.lines.push(this.#valueLine);
    this.#afterValue();
  }

  #afterValue(): void {
    this.#state = this.#isArray ? AFTER_VALUE : BEFORE_VALUE;
  }

  /** Goes on in an object or array; returns where it stopped: behind its closing bracket, or at the bytes' end. */
  #nested(from: number): number {
    const bytes = this.#held;
    const end = this.#end;
    let i = from;
    let depth = this.#depth;
    let line = this.line;
    if (this.#inString) i = this.#skipString(i);
    while (i < end) {
      const byte = bytes[i++]!;
      if (byte === QUOTE) i = this.#skipString(i);
      else if (byte === NEWLINE) line++;
      else if ((byte | CASE) === OPEN) depth++;
      else if ((byte | CASE) === CLOSE && --depth === 0) {
        this.line = line;
        this.#emit(i);
        return i;
      }
    }
    this.line = line;
    this.#depth = depth;
    return i;
  }

  /** From inside a string to behind its closing quote; past the bytes' end by one where an escape is cut in two. */
  #skipString(from: number): number {
    const bytes = this.#held;
    const end = this.#end;
    const walked = Math.min(end, from + WALKED_BYTES);
    let i = from;
    this.#inString = true;
    while (i < walked) {
      const byte = bytes[i]!;
      if (byte === QUOTE) {
        this.#inString = false;
        return i + 1;
      }
      i += byte === BACKSLASH ? 2 : 1;
    }
    while (i < end) {
      const found = bytes.indexOf(QUOTE, i);
      const quote = found === -1 ? end : found;
      let slashes = 0;
      while (quote - slashes > i && bytes[quote - slashes - 1] === BACKSLASH) slashes++;
      i = quote + 1;
      if (slashes % 2 === 1) continue;
      if (quote === end) return end;
      this.#inString = false;
      return i;
    }
    return i;
  }

  #string(from: number): number {
    const i = this.#skipString(from);
    if (!this.#inString) this.#emit(i);
    return i;
  }

  /** A number or literal; it ends where whitespace, a comma or the closing bracket stands. */
  #bare(from: number): number {
    const bytes = this.#held;
    const end = this.#end;
    for (let i = from; i < end; i++) {
      const byte = bytes[i]!;
      if (byte <= 32 || byte === COMMA || byte === QUOTE || (byte | CASE) === CLOSE || (byte | CASE) === OPEN) {
        this.#emit(i);
        return i;
      }
    }
    return end;
  }
}

/** Its words can be looked at. */
const isAligned = (bytes: Uint8Array): boolean => bytes.byteOffset % 4 === 0;

/** The line break, indent and bracket with which the value ends whose opening bracket stands at `at`. */
function closingLine(bytes: Buffer, at: number): Buffer {
  let from = at;
  while (from > 1 && (bytes[from - 1] === 32 || bytes[from - 1] === 9)) from--;
  return Buffer.concat([Buffer.of(NEWLINE), bytes.subarray(from, at), Buffer.of(CLOSE)]);
}

/**
 * A copy of what stands from the closing bracket of the value that ended at `end` to the first name, quotes included, of the
 * object at `from`; undefined where there is no such value before, or no plain name. A string can't hold that, for its
 * quotes would be escaped, and no name follows where a string ends.
 */
function betweenValues(bytes: Buffer, end: number | undefined, from: number): Buffer | undefined {
  if (end === undefined || bytes[end - 1] !== CLOSE || bytes[from] !== OPEN) return undefined;
  const open = bytes.indexOf(QUOTE, from);
  const close = open < 0 ? -1 : bytes.indexOf(QUOTE, open + 1);
  if (close < 0 || close - end > MOST_BETWEEN_BYTES) return undefined;
  const between = bytes.subarray(end - 1, close + 1);
  return between.includes(BACKSLASH) ? undefined : Buffer.from(between);
}
