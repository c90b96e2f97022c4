/**
 * Records' texts → the token stream. The texts of a batch are copied to the memory of the kernel (`kernels/words.ts`) as
 * bytes of JSON; the kernel splits them into tokens and numbers these. A token too long for the kernel's table goes to the
 * tokenizer at once; a run of a script without spaces is often such a token.
 */
import { cellOf, endOfString, hasText, LIST, type RecordBatch } from '../../batch.js';
import { BACKSLASH, COMMA, QUOTE } from '../../kernels/ascii.js';
import { words as wordsKernel } from '../../kernels/compiled.js';
import { FIELD, GAP, RECORD, REFERENCE } from '../../kernels/stream-layout.js';
import {
  ESCAPE,
  IN_TOKEN,
  LETTER_BITS,
  NEEDS_TABLE,
  READ_ALL,
  STOP,
  TEXT_BYTES,
  TOKEN_ENTRY_BYTES,
  TOKEN_SEPARATOR,
} from '../../kernels/words-layout.js';
import { createMemory, instantiate } from '../../wasm.js';
import { SEPARATOR as SEPARATES, sharedCharacters } from '../characters.js';
import { FULL_STOP, isConnector, isSign, stringOf, Tokenizer, type TokenSink } from '../tokenizer.js';
import { addressIn, addressOf, WorkMemory } from '../work-memory.js';

/** The exports of `kernels/words.ts`. */
interface WordsKernel {
  readonly tokens: { readonly value: number };
  readonly at: { value: number };
  readonly tokenEnd: { readonly value: number };
  readonly written: { readonly value: number };
  readonly arena: { readonly value: number };
  addToken(): number;
  useTable(address: number, slots: number): void;
  useArena(address: number): void;
  begin(): void;
  read(texts: number, count: number, out: number): number;
}

const CLASSES_BYTES = 256;
const START_INPUT_BYTES = 1 << 17;
const MAX_TEXTS = 1 << 13;
const START_SLOTS = 1 << 12;

/** Receives entries of the stream; the array is valid during the call only. */
type StreamSink = (entries: Int32Array) => void;

/** Tokens by what they stand for. */
export interface Tokens {
  readonly count: number;
  /** Calls one method of `sink` for each token, in the order of token numbers. */
  forEach(sink: TokenContent): void;
}

interface TokenContent {
  /** The token is one word. */
  word(word: string): void;
  /** The token is a raw token, which the tokenizer has yet to read. */
  text(text: string): void;
}

export class TokenReader implements Tokens {
  readonly #work: WorkMemory;
  readonly #kernel: WordsKernel;
  readonly #tokenizer = new Tokenizer();
  readonly #sink: StreamSink;
  readonly #tokenSink: TokenSink;
  /** The tokens of long raw tokens' words: from word to token, and back. */
  readonly #tokenOfWord = new Map<string, number>();
  readonly #wordOfToken = new Map<number, string>();
  #entries: number[] = [];

  /** Views of the kernel's whole memory, as bytes and as numbers. */
  #bytes = Buffer.alloc(0);
  #numbers = new Int32Array(0);

  /** The address of the batch's bytes, and how many bytes have room there. */
  #input = 0;
  #inputBytes = 0;
  /** The address in the memory minus the offset in the batch's bytes. */
  #shift = 0;
  /** The address of the texts to be read (`TEXT_BYTES` each), their number, and the address at which the kernel writes the stream. */
  #texts = 0;
  #textCount = 0;
  #out = 0;

  /** The address of the table of tokens, its number of entries, and where the room for raw tokens ends. */
  #table = 0;
  #slots = 0;
  #arenaEnd = 0;

  /** `sink` receives the stream. Only the byte classes stand below `firstAddress`. */
  constructor(sink: StreamSink, firstAddress = 0) {
    this.#work = new WorkMemory(createMemory(START_INPUT_BYTES), Math.max(firstAddress, CLASSES_BYTES));
    this.#kernel = instantiate<WordsKernel>(wordsKernel, this.#work.memory);
    this.#sink = sink;
    const stack = (units: Uint16Array, length: number): void => {
      this.#entries.push(REFERENCE - 2 * this.#tokenOf(units, length) - 1);
    };
    this.#tokenSink = {
      word: (units, length) => void this.#entries.push(this.#tokenOf(units, length)),
      compound: stack,
      tail: stack,
    };
    this.#texts = this.#allocate(MAX_TEXTS * TEXT_BYTES);
    this.#reserveInput(START_INPUT_BYTES);
    this.#useTable(START_SLOTS);
    this.#bytes.set(classOfByte());
  }

  /** Reads the records of a batch; `columns` are the searched fields' columns in it. */
  addBatch(batch: RecordBatch, columns: readonly number[]): void {
    this.#copyTexts(batch, columns);
    for (let i = 0; i < batch.size; i++) {
      this.#addMark(RECORD);
      for (let field = 0; field < columns.length; field++) this.#addCell(field, batch, cellOf(columns[field]!, i));
    }
    this.#readTexts();
  }

  /** Copies the bytes from the first text of the columns to the last: faster than to copy each text. */
  #copyTexts({ bytes, size, kinds, starts, ends }: RecordBatch, columns: readonly number[]): void {
    let from = bytes.length;
    let to = 0;
    for (const column of columns) {
      for (let cell = cellOf(column, 0); cell < cellOf(column, size); cell++) {
        if (!hasText(kinds[cell]!) && kinds[cell] !== LIST) continue;
        from = Math.min(from, starts[cell]!);
        to = Math.max(to, ends[cell]!);
      }
    }
    // The quote behind the last text, which ends its last word, needs a byte as well.
    if (to - from >= this.#inputBytes) this.#reserveInput(2 * (to - from + 1));
    this.#bytes.set(bytes.subarray(from, to), this.#input);
    this.#shift = this.#input - from;
  }

  #addCell(field: number, { kinds, starts, ends }: RecordBatch, cell: number): void {
    const from = starts[cell]! + this.#shift;
    const to = ends[cell]! + this.#shift;
    if (kinds[cell] === LIST) this.#addList(FIELD - field, from, to);
    else if (hasText(kinds[cell]!) && to > from) {
      // In a CSV the next byte is a comma, which may belong to a word (`1,000`).
      this.#bytes[to] = QUOTE;
      this.#addText(FIELD - field, from, to);
    }
  }

  /** Adds the texts of a list, `["a","b"]`, each with a gap behind it. The first one has the mark that begins the field. */
  #addList(firstMark: number, from: number, to: number): void {
    for (let start = from + 1, mark = firstMark; start < to; mark = GAP) {
      const end = endOfString(this.#bytes, start);
      this.#addText(mark, start + 1, end - 1);
      start = end + 1;
    }
    this.#addMark(GAP);
  }

  /** Adds a mark without a text: one that ends before it begins. */
  #addMark(mark: number): void {
    this.#addText(mark, 1, 0);
  }

  #addText(mark: number, start: number, end: number): void {
    if (this.#textCount === MAX_TEXTS) this.#readTexts();
    const at = (this.#texts + TEXT_BYTES * this.#textCount++) >>> 2;
    const numbers = this.#numbers;
    numbers[at] = mark;
    numbers[at + 1] = start;
    numbers[at + 2] = end;
  }

  /** Reads all texts that were added. */
  #readTexts(): void {
    const kernel = this.#kernel;
    this.#reserveArena();
    kernel.begin();
    for (let reason = -1; reason !== READ_ALL; ) {
      reason = kernel.read(this.#texts, this.#textCount, this.#out);
      this.#sink(this.#numbers.subarray(this.#out >>> 2, addressIn(kernel.written) >>> 2));
      if (reason === NEEDS_TABLE) this.#useTable(2 * this.#slots);
      else if (reason !== READ_ALL) this.#tokenize();
    }
    this.#textCount = 0;
  }

  /** Reads the token that the kernel stopped at. */
  #tokenize(): void {
    const { at, tokenEnd } = this.#kernel;
    this.#entries = [];
    this.#tokenizer.tokenize(this.#textAt(addressIn(at), addressIn(tokenEnd)), this.#tokenSink);
    this.#sink(Int32Array.from(this.#entries));
    at.value = tokenEnd.value;
  }

  #textAt(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }

  /** The token of a word that stands in a long raw token. */
  #tokenOf(units: Uint16Array, length: number): number {
    const word = stringOf(units, length);
    const existingToken = this.#tokenOfWord.get(word);
    if (existingToken !== undefined) return existingToken;
    const token = this.#kernel.addToken();
    this.#tokenOfWord.set(word, token);
    this.#wordOfToken.set(token, word);
    return token;
  }

  #allocate(bytes: number): number {
    const at = this.#work.allocate(bytes);
    const { buffer } = this.#work.memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = Buffer.from(buffer);
      this.#numbers = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    }
    return at;
  }

  /** Allocates `bytes` for texts, and the space of their stream: at most one entry for two bytes, and the marks. */
  #reserveInput(bytes: number): void {
    this.#inputBytes = bytes;
    this.#input = this.#allocate(bytes);
    this.#out = this.#allocate(4 * (bytes / 2 + 2 * MAX_TEXTS));
  }

  #useTable(slots: number): void {
    this.#slots = slots;
    this.#table = this.#allocate(slots * TOKEN_ENTRY_BYTES);
    this.#kernel.useTable(this.#table, slots);
  }

  /** Makes space in the arena for the raw tokens of all texts: each takes a byte more than its text, which a separator follows. */
  #reserveArena(): void {
    const bytes = this.#inputBytes + MAX_TEXTS;
    if (addressIn(this.#kernel.arena) + bytes <= this.#arenaEnd) return;
    const at = this.#allocate(4 * bytes);
    this.#kernel.useArena(at);
    this.#arenaEnd = at + 4 * bytes;
  }

  get count(): number {
    return this.#kernel.tokens.value;
  }

  forEach(content: TokenContent): void {
    // An entry (`kernels/words.ts`) is four numbers: two of its key, the second negative for a raw token; one of letters or an address; the
    // number of its token.
    const entryOfToken = new Uint32Array(this.count);
    const numbers = this.#numbers;
    const entryNumbers = TOKEN_ENTRY_BYTES >>> 2;
    const first = this.#table >>> 2;
    for (let at = first; at < first + this.#slots * entryNumbers; at += entryNumbers) {
      const isFree = numbers[at] === 0 && numbers[at + 1] === 0;
      if (!isFree) entryOfToken[numbers[at + 3]!] = at;
    }
    entryOfToken.forEach((at, token) => {
      const isRaw = numbers[at + 1]! < 0;
      // The token of a long raw token's word has no entry.
      if (at === 0) content.word(this.#wordOfToken.get(token) ?? '');
      else if (isRaw) content.text(this.#rawText(addressOf(numbers[at + 2]!)));
      else content.word(this.#unpack(at));
    });
  }

  /** The text of a raw token in the arena. */
  #rawText(at: number): string {
    return this.#textAt(at + 1, at + 1 + this.#bytes[at]!);
  }

  /** The ASCII word of an entry, four letters in twenty bits: a key of sixty bits in two numbers, and a third number (`kernels/words.ts`). */
  #unpack(at: number): string {
    const low = this.#numbers[at]! >>> 0;
    const high = this.#numbers[at + 1]!;
    const fours = [high >>> 8, ((high & 0xff) << 12) | (low >>> 20), low & 0xfffff, this.#numbers[at + 2]!];
    let word = '';
    for (const four of fours) {
      for (let shift = 3 * LETTER_BITS; shift >= 0; shift -= LETTER_BITS) {
        const letter = (four >>> shift) & ((1 << LETTER_BITS) - 1);
        if (letter > 0) word += String.fromCharCode(BEFORE_A + letter);
      }
    }
    return word;
  }
}

/** The code of the letter a, minus 1. */
const BEFORE_A = 96;

/** The class of each byte of a text, as the tokenizer treats the characters of ASCII. */
function classOfByte(): Uint8Array {
  const { folded } = sharedCharacters();
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte === BACKSLASH) return ESCAPE;
    if (byte === FULL_STOP || byte === COMMA) return STOP;
    const ties = isConnector(byte) || isSign(byte);
    return byte < 0x80 && folded[byte] === SEPARATES && !ties ? TOKEN_SEPARATOR : IN_TOKEN;
  });
}
