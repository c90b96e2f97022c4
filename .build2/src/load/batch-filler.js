/**
 * Cells → record batches. A reader gives the cells of one record after the other: as a place in the batch's bytes where a
 * cell is canonical as it stands, as a value everywhere else. A value is read for its field (`values.ts`) and its
 * canonical spelling written behind the reader's own bytes, so that whoever takes the batch meets nothing but canonical
 * cells. A record that lacks what it needs is refused and leaves nothing behind. What was found goes into the tally.
 */
import { ABSENT, BATCH_RECORDS, cellOf, ESCAPED_TEXT, LIST, NULL, NUMBER, RAW, TEXT, textOf, } from '../batch.js';
import { fieldIndex } from '../model.js';
import { quote } from '../text.js';
import { BACKSLASH, CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, SPACE } from './json-tokens.js';
import { Spellings } from './spellings.js';
import { readCell, requiredReason } from './values.js';
/** Room for spellings behind the reader's bytes; a batch is handed on when half of it is taken. */
const SPELLING_BYTES = 1 << 18;
/** Bytes of a text whose reading is remembered: the same prices and ratings come again and again. */
const MAX_REMEMBERED_BYTES = 48;
/** The member of an export that holds what records have besides their fields. */
export const EXTRA_NAME = 'extra';
/** Half of a surrogate pair: it stands for no character, and no UTF-8 can hold it (Unicode 16, section 3.8). */
const HALF_PAIR = /\p{Surrogate}/gu;
export class BatchFiller {
    size = 0;
    bytes = Buffer.allocUnsafeSlow(SPELLING_BYTES);
    kinds;
    starts;
    ends;
    numbers;
    elements = new Int32Array(4 * BATCH_RECORDS);
    elementsFrom;
    elementsTo;
    /** On which lines of the source records begin. */
    lines = new Int32Array(BATCH_RECORDS);
    /** Per field: how values are read that are not canonical. */
    #contexts = [];
    #options;
    #required;
    #titleField;
    #contentField;
    #remembered;
    /** The reader's bytes end here; spellings follow up to `#used`. */
    #windowBytes = 0;
    #used = 0;
    #elementCount = 0;
    // Of the record that is being filled:
    #usedBefore = 0;
    #elementsBefore = 0;
    /** As many as are counted are the record's. */
    #notes = [];
    #noteCount = 0;
    /** The members of the record's extra object so far, with a comma behind each. */
    #extra = Buffer.alloc(0);
    #extraBytes = 0;
    #refused = -1;
    #refusedRaw;
    constructor(options) {
        const { fields } = options.model;
        const cells = (fields.length + (options.keepsExtra === true ? 1 : 0)) * BATCH_RECORDS;
        this.kinds = new Uint8Array(cells);
        this.starts = new Int32Array(cells);
        this.ends = new Int32Array(cells);
        this.numbers = new Float64Array(cells);
        this.elementsFrom = new Int32Array(cells);
        this.elementsTo = new Int32Array(cells);
        this.#options = options;
        this.#required = fields.flatMap(({ required }, field) => (required ? [field] : []));
        this.#remembered = fields.map(() => new Spellings());
        this.#titleField = fieldIndex(options.model, 'title');
        this.#contentField = fieldIndex(options.model, 'content');
        this.context = { isCsv: false, dateOrder: undefined };
    }
    get context() {
        return this.#contexts[0] ?? { isCsv: false, dateOrder: undefined };
    }
    set context(context) {
        const { model, forms, markup } = this.#options;
        this.#contexts = model.fields.map((_, field) => ({
            ...context,
            form: forms?.[field] ?? 'plain',
            ...(markup && { markup }),
        }));
    }
    /** Whether the loader sets every record's id, the first field, itself. */
    get givesIds() {
        return this.#options.firstId !== undefined;
    }
    get keepsExtra() {
        return this.#options.keepsExtra === true;
    }
    get isFull() {
        return this.size === BATCH_RECORDS || this.#used - this.#windowBytes > SPELLING_BYTES / 2;
    }
    /** Makes the first bytes the reader's, who may write to them as long as the batch is empty; what stands there stays. */
    openWindow(bytes) {
        if (bytes + SPELLING_BYTES > this.bytes.length)
            this.#grow(bytes + SPELLING_BYTES);
        this.#windowBytes = bytes;
        this.#used = bytes;
    }
    /** Hands on what is in the batch, and empties it. */
    flush() {
        if (this.size > 0)
            this.#options.take(this);
        this.size = 0;
        this.#used = this.#windowBytes;
        this.#elementCount = 0;
    }
    /** Begins the next record, for which there is room. */
    begin(line) {
        const { size, kinds, numbers } = this;
        for (let cell = size; cell < kinds.length; cell += BATCH_RECORDS) {
            kinds[cell] = ABSENT;
            numbers[cell] = Number.NaN;
        }
        this.lines[size] = line;
        this.#usedBefore = this.#used;
        this.#elementsBefore = this.#elementCount;
        this.#noteCount = 0;
        this.#extraBytes = 0;
        this.#refused = -1;
    }
    /** Sets a cell whose bytes are canonical as they stand. */
    place(field, kind, start, end, number) {
        const cell = cellOf(field, this.size);
        this.kinds[cell] = kind;
        this.starts[cell] = start;
        this.ends[cell] = end;
        this.numbers[cell] = number;
        if (kind === NULL && this.#required.includes(field))
            this.#refuse(field, null);
    }
    /** Sets a number that stands in the bytes in its canonical spelling, inside of quotes. */
    placeQuotedNumber(field, start, end, number) {
        this.place(field, NUMBER, start + 1, end - 1, number);
        const { tally } = this.#options;
        const raw = tally.wantsExample(field) ? this.bytes.toString('latin1', start + 1, end - 1) : '';
        this.#note({ field, raw, read: number });
    }
    /** Keeps a spelling that a reader wrote into room that it had made, up to `end`: its cells may be placed. */
    keep(end) {
        this.#used = end;
    }
    /** Begins a list, whose strings are given by `placeElement` before it ends. */
    beginList(field) {
        this.elementsFrom[cellOf(field, this.size)] = this.#elementCount;
    }
    placeElement(start, end) {
        if (2 * this.#elementCount === this.elements.length) {
            const larger = new Int32Array(2 * this.elements.length);
            larger.set(this.elements);
            this.elements = larger;
        }
        this.elements[2 * this.#elementCount] = start;
        this.elements[2 * this.#elementCount++ + 1] = end;
    }
    endList(field, start, end) {
        this.elementsTo[cellOf(field, this.size)] = this.#elementCount;
        this.place(field, LIST, start, end, Number.NaN);
    }
    /**
     * Sets a cell to what is read from a short text that stands in the bytes between quotes, without escapes. False where
     * the order of day and month must be known first.
     */
    setShortText(field, start, end) {
        const [from, to] = [start + 1, end - 1];
        const spellings = this.#remembered[field];
        const found = to - from > MAX_REMEMBERED_BYTES ? undefined : spellings.get(this.bytes, from, to);
        if (found === undefined)
            return this.#setNewText(field, from, to);
        const { note, kind, number, json } = found;
        const at = this.makeRoom(json.length);
        const { bytes } = this;
        for (let i = 0; i < json.length; i++)
            bytes[at + i] = json[i];
        this.#used += json.length;
        this.place(field, kind, at, this.#used, number);
        if (note !== undefined)
            this.#note(note);
        return true;
    }
    #setNewText(field, from, to) {
        const notes = this.#noteCount;
        const raw = this.bytes.toString('utf8', from, to);
        if (!this.set(field, raw))
            return false;
        const cell = cellOf(field, this.size);
        const kind = this.kinds[cell];
        // Lists have places of their own, and what may be refused is looked at each time.
        if (to - from > MAX_REMEMBERED_BYTES || kind === LIST || this.#required.includes(field))
            return true;
        this.#remembered[field].set(this.bytes, from, to, {
            note: this.#noteCount > notes ? this.#notes[notes] : undefined,
            kind,
            number: this.numbers[cell],
            json: Uint8Array.from(this.bytes.subarray(this.starts[cell], this.ends[cell])),
        });
        return true;
    }
    /** Sets a cell to what is read from a value of the source. False where the order of day and month must be known first. */
    set(field, raw) {
        return this.#take(field, raw, readCell(this.#options.model.fields[field], raw, this.#contexts[field]));
    }
    #note(note) {
        this.#notes[this.#noteCount++] = note;
    }
    #take(field, raw, { how, value }) {
        if (how === 'order')
            return false;
        const whole = wellFormed(value);
        if (how === 'repaired' || how === 'unreadable' || whole !== value)
            this.#note({ field, raw, read: whole });
        if (this.#required.includes(field) && isBlank(whole))
            this.#refuse(field, raw);
        this.#spell(field, whole);
        return true;
    }
    /** Of several faults the first field's is told. */
    #refuse(field, raw) {
        if (this.#refused >= 0 && this.#refused <= field)
            return;
        this.#refused = field;
        this.#refusedRaw = raw;
    }
    /** Takes the record into the batch, unless it lacks what it needs; `refusal` tells what its reader found wrong with it. */
    end(refusal) {
        const { tally, firstId, model, onFinding } = this.#options;
        const number = tally.begin();
        const line = this.lines[this.size];
        if (refusal === undefined && firstId !== undefined)
            this.#spell(0, firstId + number - 1);
        if (refusal === undefined) {
            this.#titleFromContent();
            if (this.#extraBytes > 0)
                this.#placeExtra(model.fields.length);
        }
        const reason = refusal ?? this.#missing(model);
        if (reason !== undefined) {
            onFinding(number, line, reason, []);
            tally.refuse(line, reason);
            this.cancel();
            return;
        }
        if (this.#noteCount > 0)
            onFinding(number, line, undefined, this.#notes);
        for (let i = 0; i < this.#noteCount; i++)
            tally.note(line, this.#notes[i]);
        this.size++;
    }
    /** Adds a member to the record's extra object: its name in quotes, and its JSON, which stands in the batch's bytes. */
    placeExtra(name, start, end) {
        this.#reserveExtra(name.length + end - start + 2);
        this.#extra.set(name, this.#extraBytes);
        this.#extraBytes += name.length;
        this.#extra[this.#extraBytes++] = COLON;
        this.#extraBytes = copyWithoutSpace(this.bytes, start, end, this.#extra, this.#extraBytes);
        this.#extra[this.#extraBytes++] = COMMA;
    }
    /** Adds the members of an object that stands in the batch's bytes. */
    placeExtraMembers(start, end) {
        this.#reserveExtra(end - start);
        const from = this.#extraBytes;
        this.#extraBytes = copyWithoutSpace(this.bytes, start + 1, end - 1, this.#extra, from);
        if (this.#extraBytes > from)
            this.#extra[this.#extraBytes++] = COMMA;
    }
    addExtra(name, value) {
        // An integer that no double holds keeps its digits.
        const json = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
        const text = `${JSON.stringify(name)}:${json},`;
        this.#reserveExtra(3 * text.length);
        this.#extraBytes += this.#extra.write(text, this.#extraBytes);
    }
    #reserveExtra(bytes) {
        if (this.#extraBytes + bytes <= this.#extra.length)
            return;
        const larger = Buffer.allocUnsafeSlow(2 * (this.#extraBytes + bytes));
        this.#extra.copy(larger, 0, 0, this.#extraBytes);
        this.#extra = larger;
    }
    #placeExtra(column) {
        const start = this.makeRoom(this.#extraBytes + 1);
        this.bytes[start] = OPEN_OBJECT;
        this.#extra.copy(this.bytes, start + 1, 0, this.#extraBytes);
        // In the place of the last comma.
        this.bytes[start + this.#extraBytes] = CLOSE_OBJECT;
        this.#used = start + this.#extraBytes + 1;
        this.place(column, RAW, start, this.#used, Number.NaN);
    }
    /** A record without a title takes the first words of its content. */
    #titleFromContent() {
        const field = this.#titleField;
        if (field === -1 || this.#contentField === -1)
            return;
        const isBlankTitle = this.#refused === field;
        if (!isBlankTitle && this.kinds[cellOf(field, this.size)] > NULL)
            return;
        const title = firstWords(textOf(this, cellOf(this.#contentField, this.size)) ?? '');
        if (title === '')
            return;
        this.#note({ field, raw: isBlankTitle ? this.#refusedRaw : null, read: title });
        if (isBlankTitle)
            this.#refused = -1;
        this.#spell(field, title);
    }
    /** Lets the record that was begun go, to be begun again or left. */
    cancel() {
        this.#used = this.#usedBefore;
        this.#elementCount = this.#elementsBefore;
    }
    #missing({ fields }) {
        for (const field of this.#required) {
            if (field === this.#refused)
                return requiredReason(fields[field], this.#refusedRaw);
            if (this.kinds[cellOf(field, this.size)] <= NULL)
                return requiredReason(fields[field], undefined);
        }
        return undefined;
    }
    /** Writes a value's canonical spelling, and sets the cell to it. */
    #spell(field, value) {
        const start = this.#used;
        if (value === null)
            this.place(field, ABSENT, start, start, Number.NaN);
        else if (typeof value === 'number') {
            this.#write(String(value + 0));
            this.place(field, NUMBER, start, this.#used, value + 0);
        }
        else if (typeof value === 'string') {
            const json = JSON.stringify(value);
            this.#write(json);
            const timeMs = this.#options.model.fields[field]?.kind === 'date' ? Date.parse(value) : Number.NaN;
            this.place(field, json.length === value.length + 2 ? TEXT : ESCAPED_TEXT, start, this.#used, timeMs);
        }
        else
            this.#spellList(field, value);
    }
    #spellList(field, list) {
        const start = this.#used;
        this.beginList(field);
        this.#write('[');
        for (const [i, text] of list.entries()) {
            if (i > 0)
                this.#write(',');
            const from = this.#used;
            this.#write(JSON.stringify(text));
            this.placeElement(from, this.#used);
        }
        this.#write(']');
        this.endList(field, start, this.#used);
    }
    #write(text) {
        // A UTF-16 unit takes at most three bytes of UTF-8.
        const at = this.makeRoom(3 * text.length);
        this.#used += this.bytes.write(text, at);
    }
    /** Makes room for so many bytes behind the last spelling; returns where they begin. */
    makeRoom(bytes) {
        if (this.#used + bytes > this.bytes.length)
            this.#grow(this.#used + bytes);
        return this.#used;
    }
    #grow(bytes) {
        const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.bytes.length));
        this.bytes.copy(larger);
        this.bytes = larger;
    }
}
/** Copies JSON without the white space between its tokens; returns where the copy ends. */
function copyWithoutSpace(bytes, start, end, target, at) {
    let to = at;
    let inString = false;
    for (let i = start; i < end; i++) {
        const byte = bytes[i];
        if (!inString && byte <= SPACE)
            continue;
        target[to++] = byte;
        if (byte === QUOTE)
            inString = !inString;
        else if (byte === BACKSLASH)
            target[to++] = bytes[++i];
    }
    return to;
}
const TITLE_WORDS = 10;
const MAX_TITLE_CHARS = 80;
/** The first words of a text's first line, as a title. */
function firstWords(text) {
    const line = text
        .trim()
        .slice(0, 10 * MAX_TITLE_CHARS)
        .split('\n', 1)[0]
        ?.trim() ?? '';
    let title = line.split(/\s+/, TITLE_WORDS).join(' ');
    while (title.length > MAX_TITLE_CHARS && title.includes(' '))
        title = title.slice(0, title.lastIndexOf(' '));
    title = wellFormedText(title.slice(0, MAX_TITLE_CHARS));
    return title.length < line.length ? `${title} …` : title;
}
const isBlank = (value) => value === null || (typeof value === 'string' && value.trim() === '');
function wellFormed(value) {
    if (typeof value === 'string')
        return wellFormedText(value);
    if (value === null || typeof value === 'number')
        return value;
    return value.some((text) => text !== wellFormedText(text)) ? value.map(wellFormedText) : value;
}
/** The text with U+FFFD for each half of a surrogate pair; itself where there is none. */
const wellFormedText = (text) => text.replace(HALF_PAIR, '\ufffd');
/** A record's refusal or first note as `--strict` tells it. */
export function strictMessage(model, number, refusal, notes) {
    if (refusal !== undefined)
        return `record ${number} is refused, and --strict allows no refusal: ${refusal}`;
    const [note] = notes;
    if (note === undefined)
        return undefined;
    const name = model.fields[note.field]?.name ?? '';
    const found = typeof note.raw === 'object' ? 'an object or array' : quote(note.raw);
    const read = note.read === null
        ? `${name} cannot be read from ${found}`
        : `${name} is read from ${found} as ${quote(note.read)}`;
    return `record ${number} needs a repair, and --strict allows none: ${read}`;
}
