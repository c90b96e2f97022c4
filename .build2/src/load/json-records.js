/**
 * JSON records → cells over their bytes, in one pass: no string, number or object of the language is made of a cell that is
 * canonical as it stands. A record's names are predicted from the records before it: each is compared with the one that
 * followed the last time. The parser (`#parsed`) takes any record that does not fit this: one with names that were not met
 * before, names written twice or with escapes, bytes that are not UTF-8. Both ways give the same cells.
 */
import { isUtf8 } from 'node:buffer';
import { ESCAPED_TEXT, NULL, NUMBER, TEXT } from '../batch.js';
import { EXTRA_NAME } from './batch-filler.js';
import { canonicalDateMs } from './canonical-date.js';
import { valueIn } from './columns.js';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, JsonTokens, MINUS, NINE, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE, ZERO, } from './json-tokens.js';
import { isPlainObject } from './paths.js';
import { fill, refused } from './source-record.js';
/** Names of a layout. A record with a name beyond these is left to the parser. */
const MAX_NAMES = 250;
/** No value is longer: it could not be parsed as one string everywhere, and is no record. */
const MAX_VALUE_BYTES = 256 << 20;
const NULL_LITERAL = 0x6e;
const AMPERSAND = 0x26;
const EXTRA = Buffer.from(JSON.stringify(EXTRA_NAME));
// Outcomes of reading a value or a record, where it is not the position behind it.
/** The parser has to read the record. */
const LEAVE = -1;
/** A date needs the order of day and month in its column. */
const NEEDS_ORDER = -2;
/** The record goes on behind the bytes that were fed. */
const UNFINISHED = -3;
/** The parser refuses the text. */
const BROKEN = -4;
// A name feeds the field with a number from 0 on, or:
const NO_FIELD = -1;
/** A name feeds several fields, or a value inside of its own does. */
const SEVERAL_FIELDS = -2;
// What a field's canonical value looks like.
const INTEGER = 0;
const DECIMAL = 1;
const TEXTUAL = 2;
const DATE = 3;
const TAGS = 4;
const CODES = { integer: INTEGER, number: DECIMAL, text: TEXTUAL, url: TEXTUAL, date: DATE, tags: TAGS };
export class JsonRecords {
    /** The line of the next byte to be read. */
    line;
    #isArray;
    #options;
    #tokens = new JsonTokens();
    #codes;
    #isRequired;
    #layout;
    #bytes;
    #at = 0;
    #end = 0;
    #isUtf8 = true;
    /** Where the next ampersand stands, from which on it has to be looked for again. */
    #ampersand = -1;
    #forms;
    #isAfterValue = false;
    #isAfterComma = false;
    #records = 0;
    constructor(options) {
        const { model, filler, shape, line } = options;
        this.#options = options;
        this.#isArray = shape === 'array';
        this.line = line;
        this.#codes = Uint8Array.from(model.fields, ({ kind }) => CODES[kind]);
        this.#isRequired = Uint8Array.from(model.fields, ({ required }) => (required ? 1 : 0));
        this.#forms = options.forms ?? model.fields.map(() => 'plain');
        this.#layout = layoutOf(options.columns.find([]), filler);
        this.#bytes = filler.bytes;
    }
    /** Takes the next bytes of the file; the batch is empty. */
    feed(chunk) {
        const { filler } = this.#options;
        const left = this.#end - this.#at;
        this.#bytes.copyWithin(0, this.#at, this.#end);
        filler.openWindow(left + chunk.length);
        this.#bytes = filler.bytes;
        this.#bytes.set(chunk, left);
        this.#at = 0;
        this.#ampersand = -1;
        this.#end = left + chunk.length;
    }
    /** The bytes that were not read. */
    get rest() {
        return this.#bytes.subarray(this.#at, this.#end);
    }
    /** Reads on until one of the outcomes; `isLast`: no bytes will follow. */
    run(isLast) {
        const { filler } = this.#options;
        this.#isUtf8 = isUtf8(this.#bytes.subarray(this.#at, wholeCharacters(this.#bytes, this.#end)));
        for (;;) {
            this.#skipSpace();
            if (this.#at === this.#end)
                return isLast && (this.#isArray || this.#isAfterComma) ? 'irregular' : 'more';
            const byte = this.#bytes[this.#at];
            if (this.#isArray) {
                if (byte === CLOSE_ARRAY && !this.#isAfterComma) {
                    this.#at++;
                    return 'closed';
                }
                if (this.#isAfterValue) {
                    if (byte !== COMMA)
                        return 'irregular';
                    this.#at++;
                    this.#isAfterValue = false;
                    this.#isAfterComma = true;
                    continue;
                }
            }
            if (filler.isFull)
                return 'full';
            const { line } = this;
            const to = byte === OPEN_OBJECT && this.#isUtf8 ? this.#object(this.#at, this.#end) : LEAVE;
            const end = to === LEAVE ? this.#parsed(this.#at, isLast) : to;
            if (end < 0) {
                // The record is begun again with more bytes, or explained by the checker.
                this.line = line;
                if (end === NEEDS_ORDER)
                    return 'dates';
                return end === UNFINISHED && !isLast && this.#end - this.#at <= MAX_VALUE_BYTES ? 'more' : 'irregular';
            }
            this.#at = end;
            this.#isAfterValue = true;
            this.#isAfterComma = false;
        }
    }
    #skipSpace() {
        const tokens = this.#tokensOver(this.#bytes);
        this.#at = tokens.space(this.#at, this.#end);
        this.line += tokens.takeLines();
    }
    #tokensOver(bytes) {
        this.#tokens.over(bytes);
        return this.#tokens;
    }
    /** Reads an object whose names were all met before. Returns where it ends, or an outcome. */
    #object(start, end) {
        const { filler } = this.#options;
        const layout = this.#layout;
        const { quoted, fields, seenIn, isSpare } = layout;
        const record = ++this.#records;
        const tokens = this.#tokensOver(this.#bytes);
        let bytes = this.#bytes;
        let found = 0;
        let next = 0;
        filler.begin(this.line);
        let at = start + 1;
        for (;;) {
            if (bytes[at] <= SPACE)
                at = tokens.space(at, end);
            const index = stands(quoted[next], bytes, at) ? next : this.#nameAt(at, end);
            if (index === -1 || seenIn[index] === record)
                return this.#leave();
            seenIn[index] = record;
            found++;
            next = index + 1;
            at += quoted[index].length;
            if (bytes[at] !== COLON) {
                at = tokens.space(at, end);
                if (bytes[at] !== COLON)
                    return this.#leave();
            }
            if (bytes[++at] <= SPACE)
                at = tokens.space(at, end);
            const field = fields[index];
            const to = field >= 0
                ? this.#cell(field, at, end)
                : field === NO_FIELD
                    ? tokens.any(at, end)
                    : this.#cells(index, at, end);
            if (to < 0)
                return to === NEEDS_ORDER ? this.#cancelled(to) : this.#leave();
            if (isSpare[index] === 1)
                this.#extra(quoted[index], at, to);
            at = to;
            if (filler.bytes !== bytes) {
                bytes = filler.bytes;
                this.#bytes = bytes;
                tokens.over(bytes);
            }
            if (bytes[at] <= SPACE)
                at = tokens.space(at, end);
            if (bytes[at] === CLOSE_OBJECT)
                break;
            if (bytes[at] !== COMMA)
                return this.#leave();
            at++;
        }
        if (at >= end || (found < quoted.length && !this.#countAbsent(layout, record)))
            return this.#leave();
        layout.columns.records++;
        this.line += tokens.takeLines();
        filler.end();
        return at + 1;
    }
    /** Keeps a member that feeds no field; those of an export's `extra` are the record's own. */
    #extra(name, at, to) {
        const { filler } = this.#options;
        const isNested = filler.context.isOwn === true && this.#bytes[at] === OPEN_OBJECT && EXTRA.equals(name);
        if (isNested)
            filler.placeExtraMembers(at, to);
        else
            filler.placeExtra(name, at, to);
    }
    #leave() {
        return this.#cancelled(LEAVE);
    }
    #cancelled(outcome) {
        this.#options.filler.cancel();
        this.#tokens.takeLines();
        return outcome;
    }
    /** The index of the name that stands there, or -1. */
    #nameAt(at, end) {
        const close = this.#bytes.indexOf(QUOTE, at + 1) + 1;
        if (close === 0 || close > end)
            return -1;
        return this.#layout.indexOf.get(this.#bytes.toString('latin1', at, close)) ?? -1;
    }
    /** Counts the names that a record lacks; false where one of them changes which name feeds a field. */
    #countAbsent({ columns, seenIn, hasRival }, record) {
        for (let i = 0; i < seenIn.length; i++)
            if (seenIn[i] !== record && hasRival[i] === 1)
                return false;
        for (let i = 0; i < seenIn.length; i++)
            if (seenIn[i] !== record)
                columns.absent[i]++;
        return true;
    }
    /** Reads a field's value. Returns where it ends, LEAVE, or NEEDS_ORDER. */
    #cell(field, at, end) {
        const { filler } = this.#options;
        const tokens = this.#tokens;
        const bytes = this.#bytes;
        const byte = bytes[at];
        const code = this.#codes[field];
        if (byte === QUOTE) {
            const to = tokens.string(at, end);
            if (to < 0)
                return LEAVE;
            if (code === TEXTUAL) {
                if (tokens.isRespelt || (this.#isRequired[field] === 1 && (tokens.isEscaped || !isVisible(bytes[at + 1]))))
                    return this.#value(field, at, to);
                if (this.#forms[field] !== 'plain' && this.#isMarked(this.#forms[field], at, to))
                    return this.#value(field, at, to);
                filler.place(field, tokens.isEscaped ? ESCAPED_TEXT : TEXT, at, to, Number.NaN);
                return to;
            }
            if (tokens.isEscaped)
                return this.#value(field, at, to);
            if (code === DATE) {
                const timeMs = canonicalDateMs(bytes, at + 1, to - 1);
                if (!Number.isNaN(timeMs)) {
                    filler.place(field, TEXT, at, to, timeMs);
                    return to;
                }
            }
            else if (code !== TAGS &&
                tokens.number(at + 1, to - 1) === to - 1 &&
                tokens.isKept &&
                fitsCode(code, tokens.value)) {
                filler.placeQuotedNumber(field, at, to, tokens.value);
                return to;
            }
            return filler.setShortText(field, at, to) ? to : NEEDS_ORDER;
        }
        if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
            const to = tokens.number(at, end);
            if (to < 0)
                return LEAVE;
            if (code > DECIMAL || !tokens.isKept || !fitsCode(code, tokens.value))
                return this.#value(field, at, to);
            filler.place(field, NUMBER, at, to, tokens.value);
            return to;
        }
        if (byte === OPEN_ARRAY && code === TAGS) {
            const to = this.#list(field, at, end);
            if (to !== LEAVE)
                return to;
        }
        const to = tokens.any(at, end);
        if (to < 0)
            return LEAVE;
        if (byte !== NULL_LITERAL)
            return this.#value(field, at, to);
        filler.place(field, NULL, at, to, Number.NaN);
        return to;
    }
    /** Whether the text between the quotes there may be another once it is read in its form. */
    #isMarked(form, at, to) {
        if (form === 'html')
            return to - at > 2;
        if (this.#ampersand < at) {
            const found = this.#bytes.indexOf(AMPERSAND, at);
            this.#ampersand = found === -1 ? Number.POSITIVE_INFINITY : found;
        }
        return this.#ampersand < to;
    }
    /** Places a list of strings that is canonical. Returns where it ends, or LEAVE. */
    #list(field, from, end) {
        const { filler } = this.#options;
        const tokens = this.#tokens;
        const bytes = this.#bytes;
        filler.beginList(field);
        let at = from + 1;
        for (;;) {
            if (bytes[at] !== QUOTE)
                return LEAVE;
            const to = tokens.string(at, end);
            if (to < 0 || tokens.isRespelt)
                return LEAVE;
            filler.placeElement(at, to);
            at = to;
            if (bytes[at] === CLOSE_ARRAY)
                break;
            if (bytes[at++] !== COMMA)
                return LEAVE;
        }
        if (this.#forms[field] !== 'plain' && this.#isMarked('entities', from, at))
            return LEAVE;
        filler.endList(field, from, at + 1);
        return at + 1;
    }
    /** Parses a value and has it read for a field. Returns where it ends, or NEEDS_ORDER. */
    #value(field, at, to) {
        return this.#options.filler.set(field, parsedValue(this.#bytes.toString('utf8', at, to))) ? to : NEEDS_ORDER;
    }
    /** The same for all fields that a name feeds, or that a value inside of it feeds. */
    #cells(index, at, end) {
        const to = this.#tokens.any(at, end);
        if (to < 0)
            return LEAVE;
        const { filler } = this.#options;
        const { columns, insides } = this.#layout;
        const { positions } = columns;
        const lines = this.#tokens.takeLines();
        let value;
        for (let field = filler.givesIds ? 1 : 0; field < positions.length; field++) {
            if (positions[field] !== index)
                continue;
            const steps = insides[field];
            const from = steps == null ? -2 : this.#tokens.inside(steps, at, to);
            if (from === -1)
                continue;
            if (from >= 0) {
                if (this.#cell(field, from, to) === NEEDS_ORDER)
                    return NEEDS_ORDER;
                this.#tokens.over(filler.bytes);
                this.#bytes = filler.bytes;
                continue;
            }
            value ??= parsedValue(this.#bytes.toString('utf8', at, to));
            if (!filler.set(field, valueIn(columns, field, value)))
                return NEEDS_ORDER;
            this.#tokens.over(filler.bytes);
            this.#bytes = filler.bytes;
        }
        // What stands inside was passed twice.
        this.#tokens.forgetLinesBut(lines);
        return to;
    }
    /** Has the parser read the value that begins there, whatever it is. Returns where it ends, or an outcome. */
    #parsed(start, isLast) {
        const { decoder, columns, filler } = this.#options;
        const tokens = this.#tokensOver(this.#bytes);
        const end = tokens.skip(start, this.#end);
        if (end === -1 || (end === this.#end && !isLast && !isClosing(this.#bytes[end - 1])))
            return UNFINISHED;
        const text = decoder.text(this.#bytes.subarray(start, end));
        const value = parse(text);
        if (value === undefined)
            return BROKEN;
        const { line } = this;
        if (filler.keepsExtra && this.#isUtf8 && isPlainObject(value)) {
            // What is kept as it came is read over its bytes, once its name is known.
            this.#learn(Object.keys(value));
            const to = this.#object(start, this.#end);
            if (to !== LEAVE)
                return to;
        }
        for (let i = start; i < end; i++)
            if (this.#bytes[i] === 10)
                this.line++;
        if (typeof value !== 'object' || value === null || Array.isArray(value)) {
            fill(refused(line, `expected an object, found ${kindOf(value)}`), columns, filler);
            return end;
        }
        const names = Object.keys(value);
        const cells = Object.values(value);
        for (let i = 0; i < cells.length; i++)
            if (isRounded(cells[i]))
                cells[i] = unrounded(cells[i], text);
        const isTaken = fill({ line, names, cells }, columns, filler);
        this.#bytes = filler.bytes;
        if (!isTaken)
            return this.#cancelled(NEEDS_ORDER);
        this.#learn(names);
        return end;
    }
    /** Adds a record's names to the layout. */
    #learn(names) {
        const known = this.#layout.columns.names;
        const all = [...new Set([...known, ...names])];
        if (all.length === known.length || all.length > MAX_NAMES)
            return;
        const { columns, filler } = this.#options;
        this.#layout = layoutOf(columns.find(all), filler);
    }
}
function layoutOf(columns, { givesIds, keepsExtra }) {
    const { names, positions, paths, areLists, rivals } = columns;
    const fields = Int16Array.from(names, (_, i) => {
        const fed = positions.flatMap((position, field) => (position === i && !(givesIds && field === 0) ? [field] : []));
        const [only = NO_FIELD] = fed;
        return fed.length > 1 || (only !== NO_FIELD && paths[only].length > 0) ? SEVERAL_FIELDS : only;
    });
    const rivalled = new Set(positions.filter((_, field) => rivals[field]));
    return {
        columns,
        quoted: names.map((name) => Buffer.from(JSON.stringify(name))),
        indexOf: new Map(names.map((name, i) => [Buffer.from(JSON.stringify(name)).toString('latin1'), i])),
        fields,
        insides: paths.map((path, field) => (areLists[field] ? null : insideSteps(path))),
        hasRival: Uint8Array.from(names, (_, i) => (rivalled.has(i) ? 1 : 0)),
        isSpare: Uint8Array.from(names, (_, i) => keepsExtra && (columns.spare[i] || (givesIds && positions[0] === i)) ? 1 : 0),
        seenIn: new Float64Array(names.length),
    };
}
/** A path's steps as they stand in bytes, where the parser is not needed to follow them. */
function insideSteps(path) {
    if (path.some((step) => typeof step === 'number' && step !== 0))
        return null;
    return path.map((step) => (step === 0 ? 0 : Buffer.from(JSON.stringify(step))));
}
/** Whether `text` stands in `bytes` at `at`. */
function stands(text, bytes, at) {
    if (text === undefined)
        return false;
    for (let i = 0; i < text.length; i++)
        if (bytes[at + i] !== text[i])
            return false;
    return true;
}
const isVisible = (byte) => byte > SPACE && byte < 0x7f && byte !== QUOTE;
const isClosing = (byte) => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === QUOTE;
const fitsCode = (code, value) => code === INTEGER ? Number.isSafeInteger(value) : Number.isFinite(value);
/** Where the last character that may be whole ends, of bytes that are cut off at `end`. */
function wholeCharacters(bytes, end) {
    let at = end - 1;
    while (at > end - 4 && at >= 0 && (bytes[at] & 0xc0) === 0x80)
        at--;
    return at >= 0 && bytes[at] >= 0xc0 ? at : end;
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** What a JSON text that is whole stands for; an integer that a double cannot hold is a bigint. */
function parsedValue(text) {
    const value = JSON.parse(text);
    return isRounded(value) ? unrounded(value, text) : value;
}
/** Whether a number may stand for an integer that a double cannot hold. */
const isRounded = (cell) => typeof cell === 'number' && (cell > Number.MAX_SAFE_INTEGER || cell < -Number.MAX_SAFE_INTEGER);
/** The integer as the record's text has it; what has no such spelling is left as it is. */
function unrounded(cell, text) {
    const spelling = text.match(/-?\d{16,}(?![\d.eE])/g)?.find((digits) => Number(digits) === cell);
    return spelling === undefined ? cell : BigInt(spelling);
}
/** `an object`, `a number`: a value's type as messages name it. */
function kindOf(value) {
    if (value === null)
        return 'null';
    if (Array.isArray(value))
        return 'an array';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
