import { isId } from './json-outline.js';
const NEWLINE = 10;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
/** A value off the path to the records. */
const OFF = -1;
export class JsonWalker {
    line = 1;
    /** Bytes walked over. */
    offset = 0;
    /** Where the first array of records was entered: the byte behind its bracket. */
    entered;
    #options;
    #names;
    /** Per open bracket outside of records: how many steps lead to its elements or members; or OFF. */
    #path = [];
    #isObject = [];
    #key = [];
    #isName = false;
    #inString = false;
    #isEscaped = false;
    #expectsName = false;
    /** Brackets that are open inside a record; 0 outside. */
    #recordDepth = 0;
    /** The key of the record that was begun, where it becomes its id. */
    #id = '';
    #isRow = false;
    #cell = 0;
    #rows = 0;
    #isHeader = false;
    #out = Buffer.alloc(0);
    #used = 0;
    constructor(options) {
        this.#options = options;
        this.#names = (options.header ?? []).map((name) => Buffer.from(`${JSON.stringify(name)}:`));
    }
    /** All brackets are closed. */
    get isComplete() {
        return this.#path.length === 0 && this.#recordDepth === 0 && !this.#inString;
    }
    /** The records in the next bytes, with white space around them. */
    feed(bytes) {
        this.#out = Buffer.allocUnsafeSlow(2 * bytes.length + 64);
        this.#used = 0;
        for (let i = 0; i < bytes.length; i++, this.offset++) {
            const byte = bytes[i];
            if (byte === NEWLINE)
                this.line++;
            if (this.#inString)
                this.#string(byte);
            else if (this.#recordDepth > 0)
                this.#record(byte);
            else
                this.#outside(byte);
        }
        return this.#out.subarray(0, this.#used);
    }
    #string(byte) {
        if (this.#recordDepth > 0)
            this.#write(byte);
        if (this.#isName)
            this.#key.push(byte);
        if (this.#isEscaped)
            this.#isEscaped = false;
        else if (byte === BACKSLASH)
            this.#isEscaped = true;
        else if (byte === QUOTE) {
            this.#inString = false;
            this.#isName = false;
        }
    }
    #record(byte) {
        const isElement = this.#isRow && this.#recordDepth === 1;
        if (this.#id !== '' && byte > SPACE) {
            this.#writeText(`"id":${this.#id}${byte === CLOSE_OBJECT ? '' : ','}`);
            this.#id = '';
        }
        if (byte === OPEN_ARRAY || byte === OPEN_OBJECT)
            this.#recordDepth++;
        else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
            this.#recordDepth--;
        else if (byte === QUOTE)
            this.#inString = true;
        if (isElement && this.#recordDepth === 0)
            this.#write(CLOSE_OBJECT);
        else {
            if (isElement && byte > SPACE && byte !== COMMA && this.#cell >= 0)
                this.#nameCell();
            this.#write(byte);
        }
        if (isElement && byte === COMMA)
            this.#cell = -this.#cell;
        if (this.#recordDepth === 0) {
            this.#write(SPACE);
            this.#isHeader = false;
        }
    }
    /** Before a row's next value: its name. `#cell` is the number of names written, below zero while a value stands. */
    #nameCell() {
        const name = this.#names[this.#cell] ?? Buffer.from(`"column ${this.#cell + 1}":`);
        for (const byte of name)
            this.#write(byte);
        this.#cell = -(this.#cell + 1);
    }
    #outside(byte) {
        if (byte === NEWLINE)
            this.#write(byte);
        else if (byte === QUOTE) {
            this.#inString = true;
            this.#isName = this.#expectsName;
            if (this.#isName)
                this.#key = [byte];
            this.#expectsName = false;
        }
        else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT)
            this.#open(byte);
        else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
            this.#path.pop();
            this.#isObject.pop();
            this.#expectsName = false;
        }
        else if (byte === COMMA)
            this.#expectsName = this.#isObject.at(-1) === true;
        else if (byte !== COLON)
            this.#expectsName &&= byte <= SPACE;
    }
    #open(byte) {
        const { steps, header } = this.#options;
        const at = this.#stepOfValue();
        if (at === steps.length && (header !== undefined || byte === OPEN_OBJECT)) {
            this.#begin(byte);
            return;
        }
        const step = at === OFF ? undefined : steps[at];
        const isObject = byte === OPEN_OBJECT;
        const isMet = step !== undefined && (step === 'each' ? !isObject : isObject);
        this.#path.push(isMet ? at : OFF);
        this.#isObject.push(isObject);
        this.#expectsName = isObject;
        if (isMet && at === steps.length - 1) {
            this.#rows = 0;
            this.entered ??= { offset: this.offset + 1, line: this.line };
        }
    }
    /** How many steps lead to the value that begins. */
    #stepOfValue() {
        const at = this.#path.at(-1);
        if (at === undefined)
            return 0;
        const step = at === OFF ? undefined : this.#options.steps[at];
        if (step === undefined)
            return OFF;
        return typeof step === 'string' || step.name === nameOf(this.#key) ? at + 1 : OFF;
    }
    #begin(byte) {
        const { header, hasHeader, keysAreIds } = this.#options;
        this.#recordDepth = 1;
        this.#isRow = header !== undefined && byte === OPEN_ARRAY;
        this.#cell = 0;
        this.#isHeader = hasHeader === true && this.#rows++ === 0;
        this.#write(this.#isRow ? OPEN_OBJECT : byte);
        if (keysAreIds !== true || this.#isObject.at(-1) !== true)
            return;
        const key = nameOf(this.#key);
        if (isId(key))
            this.#id = String(Number(key));
    }
    #writeText(text) {
        for (const byte of Buffer.from(text))
            this.#write(byte);
    }
    #write(byte) {
        // Of the header nothing is left but its line breaks.
        if (this.#isHeader && byte !== NEWLINE)
            return;
        if (this.#used === this.#out.length) {
            const larger = Buffer.allocUnsafeSlow(2 * this.#out.length);
            this.#out.copy(larger);
            this.#out = larger;
        }
        this.#out[this.#used++] = byte;
    }
}
/** A name as it stands between its quotes; a broken one is none. */
function nameOf(quoted) {
    try {
        return String(JSON.parse(Buffer.from(quoted).toString('utf8')));
    }
    catch {
        return '';
    }
}
