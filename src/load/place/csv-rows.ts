/**
 * Bytes of CSV → rows (RFC 4180), from chunks of any size. `next` goes to a row, whose cells are bounds over `bytes`, valid until the
 * next call of `next` or `feed`. Beyond papaparse, the oracle of the tests: an empty cell differs from a quoted empty one, as our
 * exports need it; each row has its line; line endings may be mixed. At most a chunk and the longest row are held.
 */

import { int32, uint8, withRoom } from '../../arrays.js';
import {
  APOSTROPHE,
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  DELETE,
  HYPHEN,
  LINE_FEED,
  QUOTE,
  SPACE,
} from '../../kernels/ascii.js';
import { count, grouped, isDigit } from '../../text.js';

export interface CsvDialect {
  /** The separator of cells: one ASCII character. */
  readonly delimiter: string;
  /**
   * How a quote inside quotes is written: `""`, or `\"` too. `single`: cells stand in `'`, written `''` inside. `none`: quotes are
   * characters like any other.
   */
  readonly quotes: 'doubled' | 'backslash' | 'single' | 'none';
  /** Spaces before a cell belong to the separator: `5, "a"`. */
  readonly isSpaced?: boolean;
}

/** Flags of cells. `QUOTED`: the cell stands in quotes, which its bounds leave out. */
export const QUOTED = 1;
/** The cell's bytes hold escaped quotes: they are not yet its text. */
export const ESCAPED = 2;
/** The cell's bytes hold a character that JSON escapes: a quote, a backslash, a control character. */
export const NOT_JSON = 4;

/** The byte that is written behind the last one: it ends every loop over a cell. */
const SENTINEL = LINE_FEED;

/** Classes of bytes. Bytes without another class are `PLAIN_BYTE`. */
const PLAIN_BYTE = 0;
const CELL_END = 1;
const TO_ESCAPE = 2;
const QUOTE_SIGN = 3;
const BACKSLASH_SIGN = 4;
const LINE_SIGN = 5;

/** A row with more cells is a fault; its further cells are dropped. */
const MAX_CELLS = 1 << 20;

const UNCLOSED_QUOTE = 'a quoted cell of the row never ends: a closing quote is missing';

/** The row does not end in the bytes so far. */
const UNFINISHED_ROW = -1;

export class CsvRows {
  /** The line on which the row begins, from 1. After `next` has returned false: that of the unfinished row. */
  line = 1;
  /** The line on which the following row begins. */
  nextLine = 1;
  /** The unread bytes, and one more that ends the last cell. */
  bytes: Buffer = Buffer.alloc(0);
  cellCount = 0;
  /** Per cell of the row: where its bytes begin and end, and its flags. */
  starts = int32(64);
  ends = int32(64);
  flags = uint8(64);
  /** The fault of the row, if it has one: its cells must not be used then. */
  problem: string | undefined;
  /** Whether that fault is a quote that never closes. */
  isUnclosed = false;

  readonly #roomFor: (bytes: number) => Buffer;
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #isSpaced: boolean;
  readonly #hasBackslashes: boolean;
  readonly #hasQuotes: boolean;
  /** The classes of bytes outside and inside quotes. */
  readonly #bare: Uint8Array;
  readonly #quoted: Uint8Array;
  #words: Int32Array = new Int32Array(0);
  /** The unread bytes are `bytes[#at … #end)`. */
  #end = 0;
  #at = 0;
  #isLast = false;
  /** A row longer than a chunk is read again only once its bytes have doubled: so the work stays linear. */
  #retryBytes = 0;
  /** Line breaks inside the row. */
  #breaks = 0;
  /** Quotes in cells of the row that stand in none. */
  #bareQuotes = 0;

  /** `roomFor` returns a buffer of at least `bytes` that begins like the one before. `line`: the line of the first byte. */
  constructor({ delimiter, quotes, isSpaced }: CsvDialect, roomFor: (bytes: number) => Buffer, line = 1) {
    this.line = line;
    this.nextLine = line;
    this.#roomFor = roomFor;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#hasBackslashes = quotes === 'backslash';
    this.#hasQuotes = quotes !== 'none';
    this.#quote = quotes === 'single' ? APOSTROPHE : QUOTE;
    this.#isSpaced = isSpaced === true;
    const classes = new Uint8Array(256).fill(TO_ESCAPE, 0, SPACE);
    this.#bare = classes.slice();
    this.#bare[QUOTE] = TO_ESCAPE;
    this.#bare[BACKSLASH] = TO_ESCAPE;
    if (this.#hasQuotes) this.#bare[this.#quote] = QUOTE_SIGN;
    for (const byte of [this.#delimiter, CARRIAGE_RETURN, LINE_FEED]) this.#bare[byte] = CELL_END;
    this.#quoted = classes;
    this.#quoted[QUOTE] = TO_ESCAPE;
    this.#quoted[this.#quote] = QUOTE_SIGN;
    this.#quoted[BACKSLASH] = BACKSLASH_SIGN;
    this.#quoted[LINE_FEED] = LINE_SIGN;
  }

  /** Bytes that belong to no row yet. */
  get unread(): number {
    return this.#end - this.#at;
  }

  /** Takes the bytes that follow; they may be overwritten afterwards. */
  feed(chunk: Uint8Array): void {
    const { unread } = this;
    const end = unread + chunk.length;
    const room = this.#roomFor(end + 1);
    room.copyWithin(0, this.#at, this.#end);
    room.set(chunk, unread);
    room[end] = SENTINEL;
    this.moveTo(room);
    this.#at = 0;
    this.#end = end;
  }

  /** Goes on in a buffer that begins with the same bytes. */
  moveTo(room: Buffer): void {
    if (room === this.bytes) return;
    this.#words = new Int32Array(room.buffer, room.byteOffset, room.length >>> 2);
    this.bytes = room;
  }

  /** Says that no bytes follow: the last row need not end in a line break. A quote that is still open then is the fault of its row. */
  finish(): void {
    this.#isLast = true;
  }

  /** Goes to the next row; false where the bytes so far hold no whole one. Blank lines are no rows. */
  next(): boolean {
    this.line = this.nextLine;
    if (this.unread < this.#retryBytes && !this.#isLast) return false;
    this.#retryBytes = 0;
    while (this.#at < this.#end) {
      this.line = this.nextLine;
      const nextAt = this.#readRow(this.#at);
      if (nextAt === UNFINISHED_ROW) {
        this.#retryBytes = 2 * this.unread;
        return false;
      }
      this.#at = nextAt;
      this.nextLine += this.#breaks + 1;
      if (this.problem !== undefined || this.cellCount > 1 || !this.isEmpty(0)) return true;
    }
    return false;
  }

  /**
   * The fault of the row in a table with `columns` columns, behind which most rows have `tail` empty cells. An empty cell more or less
   * may stand anywhere in the row: it would shift what stands behind it.
   *
   *     name,price,rating
   *     Cup,,5.00,          one separator too many, of which the row itself does not tell the place
   */
  faultAsOneOf(columns: number, tail = 0): string | undefined {
    if (this.problem !== undefined) return this.problem;
    if (this.#bareQuotes > 1 && this.#cutsQuotedText()) return 'a separator is missing before a quoted cell';
    const { cellCount } = this;
    let filledCells = cellCount;
    while (filledCells > columns && this.isEmpty(filledCells - 1)) filledCells--;
    const isWhole = cellCount === columns + tail && filledCells === columns;
    const hasNoTail = cellCount === columns && !this.isEmpty(columns - 1);
    if (isWhole || hasNoTail) return undefined;
    return `expected ${count(columns + tail, 'cell')}, found ${grouped(cellCount)}`;
  }

  /**
   * Whether a separator is missing before a quoted cell that holds one: its quote opens inside of a cell and closes at the end of the
   * next one, so that the row has its width all the same. Inches are no such quotes.
   *
   *     Cup,5.00"white, tall",b
   *     Monitor 24" wide,24"
   */
  #cutsQuotedText(): boolean {
    for (let cell = 0; cell + 1 < this.cellCount; cell++) {
      const opening = this.#oddQuoteIn(cell);
      const closing = this.ends[cell + 1]! - 1;
      if (opening === -1 || this.#oddQuoteIn(cell + 1) === -1 || this.bytes[closing] !== this.#quote) continue;
      const areInches = isDigit(this.bytes[opening - 1]!) && isDigit(this.bytes[closing - 1]!);
      const behind = this.bytes[opening + 1]!;
      if (!areInches && behind !== SPACE && behind !== this.#delimiter) return true;
    }
    return false;
  }

  /** The position of the first quote in a cell that stands in none, if it holds an odd number of them; else -1. */
  #oddQuoteIn(cell: number): number {
    if ((this.flags[cell]! & QUOTED) !== 0) return -1;
    let quotes = 0;
    let first = -1;
    for (let at = this.starts[cell]!; at < this.ends[cell]!; at++) {
      if (this.bytes[at] !== this.#quote) continue;
      quotes++;
      if (first === -1) first = at;
    }
    return quotes % 2 === 0 ? -1 : first;
  }

  /** Whether separators are all that the row holds, as spreadsheets write empty lines. */
  get isBlank(): boolean {
    let cell = 0;
    while (cell < this.cellCount && this.isEmpty(cell)) cell++;
    return this.problem === undefined && cell === this.cellCount;
  }

  /** Whether the row only draws a line, as below the names in Markdown and in what databases print: `---,-----`. */
  get isRule(): boolean {
    const first = this.bytes[this.starts[0]!];
    if (first !== HYPHEN && first !== EQUALS_SIGN && first !== COLON) return false;
    for (let cell = 0; cell < this.cellCount; cell++) if (!RULE_LINE.test(this.text(cell))) return false;
    return true;
  }

  /** Whether the cells are these texts, several of them in whatever case. */
  spells(texts: readonly string[]): boolean {
    const first = texts[0]?.charCodeAt(0) ?? 0;
    const byte = this.bytes[this.starts[0]!]!;
    // Most rows are told apart by the letter of their first byte, without a text being made. Spaces or a mark of byte order may stand before it.
    const isOther = (first | SPACE) !== (byte | SPACE) && byte > SPACE && byte < DELETE;
    if (first > 0 && first < DELETE && isOther) return false;
    const asWritten = (text: string): string => (texts.length > 1 ? text.trim().toLowerCase() : text);
    return (
      this.cellCount === texts.length && texts.every((text, cell) => asWritten(this.text(cell)) === asWritten(text))
    );
  }

  /** Whether nothing at all stands in this cell of the row, not even quotes. */
  isEmpty(cell: number): boolean {
    return this.starts[cell] === this.ends[cell] && this.flags[cell] === 0;
  }

  /** The text of this cell of the row. */
  text(cell: number): string {
    const raw = this.bytes.toString('utf8', this.starts[cell], this.ends[cell]);
    if ((this.flags[cell]! & ESCAPED) === 0) return raw;
    if (this.#hasBackslashes) return raw.replace(/""|\\["\\]/g, (pair) => pair.charAt(1));
    return this.#quote === QUOTE ? raw.replaceAll('""', '"') : raw.replaceAll("''", "'");
  }

  /** Reads one row; returns where the next begins. */
  #readRow(from: number): number {
    const { bytes } = this;
    const end = this.#end;
    this.cellCount = 0;
    this.#breaks = 0;
    this.#bareQuotes = 0;
    this.problem = undefined;
    this.isUnclosed = false;
    let at = from;
    for (;;) {
      if (this.#isSpaced) at = this.#behindSpaces(at);
      at = bytes[at] === this.#quote && this.#hasQuotes && at < end ? this.#quotedCell(at + 1) : this.#bareCell(at);
      if (at === UNFINISHED_ROW) {
        if (!this.#isLast) return UNFINISHED_ROW;
        this.isUnclosed = true;
        this.problem = UNCLOSED_QUOTE;
      }
      // A quote that is missing must not take the rows that follow: a row with a fault ends with its first line.
      if (this.problem !== undefined) return this.#lineEnd(from);
      if (at >= end || bytes[at] !== this.#delimiter) return this.#behindBreak(at);
      at++;
    }
  }

  #behindSpaces(from: number): number {
    let at = from;
    while (this.bytes[at] === SPACE) at++;
    return at;
  }

  #lineEnd(from: number): number {
    const { bytes } = this;
    this.#breaks = 0;
    let at = from;
    while (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) at++;
    return this.#behindBreak(at);
  }

  /** Where the next row begins. A line break, or the end of all bytes, stands at `at`. */
  #behindBreak(at: number): number {
    const { bytes } = this;
    const end = this.#end;
    if (at >= end) return this.#isLast ? end : UNFINISHED_ROW;
    if (bytes[at] === LINE_FEED) return at + 1;
    if (at + 1 === end && !this.#isLast) return UNFINISHED_ROW;
    return bytes[at + 1] === LINE_FEED && at + 1 < end ? at + 2 : at + 1;
  }

  /**
   * Adds the cell without quotes that begins here; returns where its separator or line break stands, or the sentinel behind all
   * bytes. Bytes that JSON would escape are no cell as they stand. Quotes in it, `5" pipe`, are counted for `faultAsOneOf`.
   */
  #bareCell(from: number): number {
    const { bytes } = this;
    const classes = this.#bare;
    let at = from;
    let flags = 0;
    for (;;) {
      const byteClass = classes[bytes[at]!]!;
      if (byteClass === CELL_END) break;
      if (byteClass !== PLAIN_BYTE) {
        flags = NOT_JSON;
        if (byteClass === QUOTE_SIGN) this.#bareQuotes++;
      }
      at++;
    }
    this.#addCell(from, at, flags);
    return at;
  }

  /** Adds the cell in quotes whose contents begin here; returns where its separator or line break stands, or `UNFINISHED_ROW`. */
  #quotedCell(from: number): number {
    const { bytes } = this;
    const classes = this.#quoted;
    const end = this.#end;
    let at = from;
    let flags = QUOTED;
    /** The position behind the first quote that ends no cell. */
    let firstApostrophe = 0;
    for (;;) {
      if ((at & 3) === 0 && this.#quote === QUOTE) at = this.#plainWords(at);
      const byteClass = classes[bytes[at++]!]!;
      if (byteClass === PLAIN_BYTE) continue;
      if (byteClass === QUOTE_SIGN) {
        if (at === end && !this.#isLast) return UNFINISHED_ROW;
        if (bytes[at] !== this.#quote || at === end) {
          if (this.#quote !== APOSTROPHE || this.#mayEndCell(at)) break;
          firstApostrophe ||= at;
          continue;
        }
        flags |= ESCAPED;
        at++;
      } else if (byteClass === LINE_SIGN) {
        if (at > end) return UNFINISHED_ROW;
        // Else a quote that is missing would take the next rows.
        if (firstApostrophe > 0) {
          at = firstApostrophe;
          break;
        }
        this.#breaks++;
      } else if (byteClass === BACKSLASH_SIGN && this.#hasBackslashes) {
        const byte = bytes[at]!;
        if ((byte === QUOTE || byte === BACKSLASH) && at < end) {
          flags |= ESCAPED;
          at++;
        }
      }
      flags |= NOT_JSON;
    }
    this.#addCell(from, at - 1, flags);
    return this.#bare[bytes[at]!] === CELL_END ? at : this.#behindQuote(at);
  }

  /** Whether a separator, a line break or the end follows, perhaps behind spaces: else an apostrophe is one inside of a text, as in `don't`. */
  #mayEndCell(at: number): boolean {
    return this.#bare[this.bytes[this.#behindSpaces(at)]!] === CELL_END;
  }

  /** Skips words of four bytes without a quote, backslash or control character (Mycroft's test for zero bytes); returns where it stops. */
  #plainWords(from: number): number {
    const words = this.#words;
    const last = (this.#end + 1) >>> 2;
    let at = from >>> 2;
    for (; at < last; at++) {
      const word = words[at]!;
      // A byte of these is 0 where the word has a quote, or a backslash.
      const quote = word ^ 0x22222222;
      const slash = word ^ 0x5c5c5c5c;
      const specialBits =
        ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash) | ((word - 0x20202020) & ~word);
      if ((specialBits & 0x80808080) !== 0) break;
    }
    return at << 2;
  }

  /** Spaces may stand behind a quoted cell; anything else is a fault of this row alone. */
  #behindQuote(from: number): number {
    const { bytes } = this;
    let end = from;
    while (this.#bare[bytes[end]!] !== CELL_END) end++;
    if (end === this.#end && !this.#isLast) return UNFINISHED_ROW;
    let at = from;
    while (at < end && bytes[at] === SPACE) at++;
    if (at < end) {
      const text = bytes.toString('utf8', at, Math.min(end, at + 80)).slice(0, 20);
      this.problem ??= `expected a separator behind the closing quote of cell ${this.cellCount}, found ${JSON.stringify(text)}`;
    }
    return end;
  }

  #addCell(start: number, end: number, flags: number): void {
    const cell = this.cellCount++;
    if (cell === MAX_CELLS) this.problem ??= `more than ${grouped(MAX_CELLS)} cells`;
    if (cell >= MAX_CELLS) return;
    this.starts = withRoom(this.starts, cell + 1, int32);
    this.ends = withRoom(this.ends, cell + 1, int32);
    this.flags = withRoom(this.flags, cell + 1, uint8);
    const bytesOfQuote = this.bytes[start] === EQUALS_SIGN ? this.#quoteOfTextFormula(start, end, flags) : 0;
    this.starts[cell] = bytesOfQuote === 0 ? start : start + 1 + bytesOfQuote;
    this.ends[cell] = end - bytesOfQuote;
    this.flags[cell] = flags;
  }

  /**
   * How many bytes a quote has in a formula that is one text, by which a spreadsheet keeps the zeros of a code; 0 of any other cell.
   *
   *     ="00123"    "=""00123"""    00123
   */
  #quoteOfTextFormula(start: number, end: number, flags: number): number {
    const { bytes } = this;
    const bytesOfQuote = (flags & ESCAPED) === 0 ? 1 : 2;
    const textStart = start + 1 + bytesOfQuote;
    const textEnd = end - bytesOfQuote;
    const isInQuotes = bytes[start + 1] === QUOTE && bytes[textStart - 1] === QUOTE && bytes[end - 1] === QUOTE;
    return isInQuotes && textEnd >= textStart && bytes.indexOf(QUOTE, textStart) === textEnd ? bytesOfQuote : 0;
  }
}

const EQUALS_SIGN = 0x3d;
const RULE_LINE = /^:?(?:-{2,}|={2,}):?$/;

/** The rows of these bytes, of which the first stands on `line`. `isWhole`: no byte follows, and the last row need not end in a line break. */
export function rowsOfTable(bytes: Uint8Array, dialect: CsvDialect, isWhole = false, line = 1): CsvRows {
  const rows = new CsvRows(dialect, Buffer.allocUnsafe, line);
  rows.feed(bytes);
  if (isWhole) rows.finish();
  return rows;
}
