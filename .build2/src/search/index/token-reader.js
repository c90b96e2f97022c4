/**
 * Records' texts → the token stream. Texts are bytes of JSON, as batches have them: the kernel (`kernels/words.ts`) reads
 * them where they stand side by side in its memory, some 100 kB at a time, and numbers their tokens. Only a token that is
 * too long to be kept is read by the tokenizer at once, as those of scripts without spaces are.
 */
import { words as wordsKernel } from '../../kernels/compiled.js';
import { FIELD, GAP, RECORD, REFERENCE } from '../../kernels/stream-layout.js';
import { ENTRY_BYTES, ESCAPE, IN_TOKEN, LETTER_BITS, NEEDS_ARENA, NEEDS_TABLE, READ_ALL, SEPARATOR, STOP, TEXT_BYTES, } from '../../kernels/words-layout.js';
import { createMemory, instantiate } from '../../wasm.js';
import { SEPARATOR as SEPARATES, sharedCharacters } from '../characters.js';
import { isConnector, isSign, Tokenizer } from '../tokenizer.js';
import { WorkMemory } from '../work-memory.js';
const CLASSES_BYTES = 256;
const START_INPUT_BYTES = 1 << 17;
const MAX_TEXTS = 1 << 13;
const START_SLOTS = 1 << 12;
const ARENA_BYTES = 1 << 16;
/** More bytes of raw tokens are not kept: texts that have so many of them seldom repeat any. */
const MAX_ARENA_BYTES = 1 << 26;
/** So many bytes between two texts are copied with them, in less time than a copy of each takes. */
const MAX_COPIED_GAP = 256;
const COMMA = 44;
const FULL_STOP = 46;
const BACKSLASH = 92;
export class TokenReader {
    #work = new WorkMemory(createMemory(START_INPUT_BYTES), CLASSES_BYTES);
    #kernel = instantiate(wordsKernel, this.#work.memory);
    #tokenizer = new Tokenizer();
    #wordOf;
    #sink;
    #tokenSink;
    /** Tokens that the tokenizer read at once: by word its token, and back. */
    #tokenOfWord = new Map();
    #wordOfToken = new Map();
    #found = [];
    /** The whole memory. */
    #bytes = Buffer.alloc(0);
    #numbers = new Int32Array(0);
    #input = 0;
    #inputBytes = 0;
    #inputEnd = 0;
    #texts = 0;
    #textCount = 0;
    #out = 0;
    #run = null;
    #table = 0;
    #slots = 0;
    #arenaBytes = 0;
    /** `wordOf` numbers words; `sink` takes the stream. */
    constructor(wordOf, sink) {
        this.#wordOf = wordOf;
        this.#sink = sink;
        const stack = (units, length) => {
            this.#found.push(REFERENCE - 2 * this.#tokenOf(units, length) - 1);
        };
        this.#tokenSink = {
            word: (units, length) => void this.#found.push(this.#tokenOf(units, length)),
            compound: stack,
            tail: stack,
        };
        this.#texts = this.#allocate(MAX_TEXTS * TEXT_BYTES);
        this.#reserveInput(START_INPUT_BYTES);
        this.#useTable(START_SLOTS);
        this.#bytes.set(classOfByte());
    }
    beginRecord() {
        this.#mark(RECORD);
    }
    /** Adds the text of a field: JSON of a string, quotes included. */
    addText(field, source, from, to) {
        if (to - from > 2)
            this.#add(FIELD - field, source, from, to);
    }
    /** Adds a list of texts as a field: those from `first` to `end`, each from `elements[2i]` to `elements[2i + 1]`. */
    addList(field, source, elements, first, end) {
        for (let i = first; i < end; i++)
            this.#add(i === first ? FIELD - field : GAP, source, elements[2 * i], elements[2 * i + 1]);
        if (end > first)
            this.#mark(GAP);
    }
    /** Adds a field whose text is no batch's. */
    addValue(field, text) {
        if (text === null)
            return;
        if (typeof text !== 'string') {
            const parts = text.map((part) => Buffer.from(JSON.stringify(part)));
            parts.forEach((part, i) => {
                this.#add(i === 0 ? FIELD - field : GAP, part, 0, part.length);
            });
            if (parts.length > 0)
                this.#mark(GAP);
            return;
        }
        const json = Buffer.from(JSON.stringify(text));
        this.addText(field, json, 0, json.length);
    }
    /** To be called before the bytes of texts change that were added. */
    endBatch() {
        this.#copyRun();
    }
    /** Hands over what was added last. */
    finish() {
        this.#read();
    }
    #add(mark, source, from, to) {
        if (this.#textCount === MAX_TEXTS)
            this.#read();
        const run = this.#runFor(source, from, to);
        run.to = to;
        const shift = run.at - run.from;
        // The quotes are left out; the last one ends the text's last word.
        this.#put(mark, from + 1 + shift, to - 1 + shift);
    }
    /** The run that the bytes from `from` to `to` of a buffer belong to. */
    #runFor(source, from, to) {
        const run = this.#run;
        const isNear = run !== null && run.source === source && from >= run.to && from - run.to <= MAX_COPIED_GAP;
        if (isNear && run.at + to - run.from <= this.#input + this.#inputBytes)
            return run;
        this.#copyRun();
        if (this.#inputEnd + to - from > this.#input + this.#inputBytes)
            this.#read();
        if (to - from > this.#inputBytes)
            this.#reserveInput(2 * (to - from));
        this.#run = { source, from, to, at: this.#inputEnd };
        return this.#run;
    }
    #copyRun() {
        if (this.#run === null)
            return;
        const { source, from, to, at } = this.#run;
        this.#bytes.set(source.subarray(from, to), at);
        this.#inputEnd = at + to - from;
        this.#run = null;
    }
    #mark(mark) {
        if (this.#textCount === MAX_TEXTS)
            this.#read();
        this.#put(mark, 1, 0);
    }
    #put(mark, start, end) {
        const at = (this.#texts + TEXT_BYTES * this.#textCount++) >> 2;
        const numbers = this.#numbers;
        numbers[at] = mark;
        numbers[at + 1] = start;
        numbers[at + 2] = end;
    }
    /** Reads all texts that were added. */
    #read() {
        this.#copyRun();
        const kernel = this.#kernel;
        kernel.begin();
        for (let reason = -1; reason !== READ_ALL;) {
            reason = kernel.read(this.#texts, this.#textCount, this.#out);
            this.#sink(this.#numbers.subarray(this.#out >> 2, kernel.written.value >> 2));
            if (reason === NEEDS_TABLE)
                this.#useTable(2 * this.#slots);
            else if (reason === NEEDS_ARENA && this.#arenaBytes < MAX_ARENA_BYTES)
                this.#useArena();
            else if (reason !== READ_ALL)
                this.#tokenize();
        }
        this.#textCount = 0;
        this.#inputEnd = this.#input;
    }
    /** Reads the token that the kernel stopped at. */
    #tokenize() {
        const { at, tokenEnd } = this.#kernel;
        this.#found = [];
        this.#tokenizer.tokenize(this.#textAt(at.value, tokenEnd.value), this.#tokenSink);
        this.#sink(Int32Array.from(this.#found));
        at.value = tokenEnd.value;
    }
    #textAt(from, to) {
        return this.#bytes.toString('utf8', from, to);
    }
    #tokenOf(units, length) {
        const word = this.#wordOf(units, length);
        const known = this.#tokenOfWord.get(word);
        if (known !== undefined)
            return known;
        const token = this.#kernel.addToken();
        this.#tokenOfWord.set(word, token);
        this.#wordOfToken.set(token, word);
        return token;
    }
    #allocate(bytes) {
        const at = this.#work.allocate(bytes);
        const { buffer } = this.#work.memory;
        if (this.#bytes.buffer !== buffer) {
            this.#bytes = Buffer.from(buffer);
            this.#numbers = new Int32Array(buffer, 0, buffer.byteLength >> 2);
        }
        return at;
    }
    /** Room for so many bytes of texts, and for the stream of them: one entry for two bytes at most, and marks. */
    #reserveInput(bytes) {
        this.#inputBytes = bytes;
        this.#input = this.#allocate(bytes);
        this.#inputEnd = this.#input;
        this.#out = this.#allocate(4 * (bytes / 2 + 2 * MAX_TEXTS));
    }
    #useTable(slots) {
        this.#slots = slots;
        this.#table = this.#allocate(slots * ENTRY_BYTES);
        this.#kernel.useTable(this.#table, slots);
    }
    /** Blocks grow with what there is, so that little is left unused. */
    #useArena() {
        const bytes = Math.max(ARENA_BYTES, this.#arenaBytes >> 2);
        const at = this.#allocate(bytes);
        this.#kernel.useArena(at, at + bytes);
        this.#arenaBytes += bytes;
    }
    get count() {
        return this.#kernel.tokens.value;
    }
    forEach(content) {
        const entryOf = new Uint32Array(this.count);
        const numbers = this.#numbers;
        const end = this.#table + this.#slots * ENTRY_BYTES;
        for (let entry = this.#table; entry < end; entry += ENTRY_BYTES) {
            const at = entry >> 2;
            if (numbers[at] !== 0 || numbers[at + 1] !== 0)
                entryOf[numbers[at + 3]] = entry;
        }
        const letters = new Uint16Array(MAX_WORD_LETTERS);
        entryOf.forEach((entry, token) => {
            if (entry === 0)
                content.known(this.#wordOfToken.get(token) ?? 0);
            else if (numbers[(entry >> 2) + 1] < 0)
                content.text(this.#keptText(numbers[(entry >> 2) + 2]));
            else
                content.word(letters, this.#unpack(entry >> 2, letters));
        });
    }
    /** A raw token that was kept. */
    #keptText(at) {
        return this.#textAt(at + 1, at + 1 + this.#bytes[at]);
    }
    /** The letters of the ASCII word of an entry; returns how many there are. */
    #unpack(at, letters) {
        const low = this.#numbers[at] >>> 0;
        const high = this.#numbers[at + 1];
        const fours = [high >>> 8, ((high & 0xff) << 12) | (low >>> 20), low & 0xfffff, this.#numbers[at + 2]];
        let length = 0;
        for (const four of fours) {
            for (let shift = 3 * LETTER_BITS; shift >= 0; shift -= LETTER_BITS) {
                const letter = (four >>> shift) & ((1 << LETTER_BITS) - 1);
                if (letter > 0)
                    letters[length++] = BEFORE_A + letter;
            }
        }
        return length;
    }
}
const MAX_WORD_LETTERS = 16;
const BEFORE_A = 96;
/** The class of each byte of a text, by what the tokenizer makes of the characters of ASCII. */
function classOfByte() {
    const { folded } = sharedCharacters();
    return Uint8Array.from({ length: 256 }, (_, byte) => {
        if (byte === BACKSLASH)
            return ESCAPE;
        if (byte === FULL_STOP || byte === COMMA)
            return STOP;
        const ties = isConnector(byte) || isSign(byte);
        return byte < 0x80 && folded[byte] === SEPARATES && !ties ? SEPARATOR : IN_TOKEN;
    });
}
