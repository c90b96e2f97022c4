/**
 * The tokens of JSON that are records' values, read from bytes without making anything of them. Each function begins at a
 * token's first byte and returns where it ends, or -1 where it is no such token or one that needs a closer look: the caller
 * then falls back to the parser. Bytes must be valid UTF-8; nothing at or past `end` counts.
 */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const BACKSLASH = 0x5c;
export const SPACE = 0x20;
const LINE_FEED = 10;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
/** Closing brackets have the byte two behind that of the opening one. */
const CLOSING = 2;
const NULL_FIRST = 0x6e;
/** More digits than this may not be the number that they spell. */
const MAX_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, i) => 10 ** i);
/** Bytes of an escape behind its backslash, by their first; 0 where there is no such escape. */
const ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt')
    ESCAPES[letter.charCodeAt(0)] = 1;
export const UNICODE = 0x75;
export const SLASH = 0x2f;
ESCAPES[UNICODE] = 5;
const isHex = (byte) => (byte >= ZERO && byte <= NINE) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
export class JsonTokens {
    bytes = Buffer.alloc(0);
    /** Of the last string: whether it has escapes, and whether `JSON.stringify` writes some of them otherwise. */
    isEscaped = false;
    isRespelt = false;
    /** Of the last number: its value, and whether `JSON.stringify` writes it as it stands. */
    value = Number.NaN;
    isKept = false;
    #lines = 0;
    /** The brackets that are open around a nested value. */
    #open = Buffer.alloc(64);
    #words = new Int32Array(0);
    /** The bytes that positions count in; they begin where their memory does. */
    over(bytes) {
        if (bytes === this.bytes)
            return;
        if (bytes.byteOffset % 4 !== 0)
            throw new RangeError('bytes must begin at a multiple of four');
        this.bytes = bytes;
        this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    }
    /** How many line breaks were passed between tokens since this was asked last; strings have none. */
    takeLines() {
        const lines = this.#lines;
        this.#lines = 0;
        return lines;
    }
    /** Counts line breaks only as far as they were: what follows was passed before. */
    forgetLinesBut(lines) {
        this.#lines = lines;
    }
    space(from, end) {
        const { bytes } = this;
        let i = from;
        for (; i < end; i++) {
            const byte = bytes[i];
            if (byte === LINE_FEED)
                this.#lines++;
            else if (byte !== SPACE && byte !== 13 && byte !== 9)
                break;
        }
        return i;
    }
    /** A string. Four bytes are looked at together (Mycroft's test for a byte of a word that is zero, or less than 32). */
    string(from, end) {
        const { bytes } = this;
        const words = this.#words;
        const lastWord = end >>> 2;
        this.isEscaped = false;
        this.isRespelt = false;
        let i = from + 1;
        while (i < end) {
            if ((i & 3) === 0) {
                let at = i >>> 2;
                for (; at < lastWord; at++) {
                    const word = words[at];
                    const quote = word ^ 0x22222222;
                    const slash = word ^ 0x5c5c5c5c;
                    const found = ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash) | ((word - 0x20202020) & ~word);
                    if ((found & 0x80808080) !== 0)
                        break;
                }
                i = at << 2;
            }
            const byte = bytes[i];
            if (byte === QUOTE)
                return i < end ? i + 1 : -1;
            if (byte === BACKSLASH) {
                const length = this.#escape(i + 1);
                if (length === 0)
                    return -1;
                i += 1 + length;
            }
            else if (byte < SPACE)
                return -1;
            else
                i++;
        }
        return -1;
    }
    /** The length of the escape whose backslash stands before `at`, or 0 where there is none. */
    #escape(at) {
        const { bytes } = this;
        const byte = bytes[at];
        const length = ESCAPES[byte];
        this.isEscaped = true;
        if (byte === SLASH)
            this.isRespelt = true;
        if (byte !== UNICODE)
            return length;
        this.isRespelt = true;
        for (let i = 1; i < length; i++)
            if (!isHex(bytes[at + i]))
                return 0;
        return length;
    }
    /** A number (RFC 8259, section 6). With at most 15 digits its value is exact: one division of two exact doubles (Clinger 1990). */
    number(from, end) {
        const { bytes } = this;
        const isNegative = bytes[from] === MINUS;
        const first = isNegative ? from + 1 : from;
        let digits = 0;
        let i = first;
        let byte = 0;
        for (; i < end; i++) {
            byte = bytes[i];
            if (byte < ZERO || byte > NINE)
                break;
            digits = digits * 10 + byte - ZERO;
        }
        const whole = i - first;
        if (whole === 0 || (whole > 1 && bytes[first] === ZERO))
            return -1;
        let decimals = 0;
        if (byte === POINT && i < end) {
            const point = i++;
            for (; i < end; i++) {
                byte = bytes[i];
                if (byte < ZERO || byte > NINE)
                    break;
                digits = digits * 10 + byte - ZERO;
            }
            decimals = i - point - 1;
            if (decimals === 0)
                return -1;
        }
        if (whole + decimals > MAX_DIGITS || (i < end && (byte | 0x20) === 0x65))
            return this.#longNumber(from, i, end);
        const size = decimals === 0 ? digits : digits / POWERS_OF_TEN[decimals];
        this.value = isNegative ? -size : size;
        // Two spellings of so few digits are never one number; zeros at the end, -0 and exponents are written otherwise.
        this.isKept = decimals === 0 ? digits !== 0 || !isNegative : bytes[i - 1] !== ZERO && size >= 1e-6;
        return i;
    }
    /** Many digits, or an exponent, which begins at `at`. */
    #longNumber(from, at, end) {
        const { bytes } = this;
        let i = at;
        if (i < end && (bytes[i] | 0x20) === 0x65) {
            i++;
            if (bytes[i] === MINUS || bytes[i] === 0x2b)
                i++;
            const first = i;
            while (i < end && bytes[i] >= ZERO && bytes[i] <= NINE)
                i++;
            if (i === first)
                return -1;
        }
        this.value = Number(bytes.toString('latin1', from, i));
        this.isKept = false;
        return i;
    }
    literal(from, end) {
        const { bytes } = this;
        const text = bytes[from] === 0x6e ? 'null' : bytes[from] === 0x74 ? 'true' : 'false';
        if (from + text.length > end)
            return -1;
        for (let i = 0; i < text.length; i++)
            if (bytes[from + i] !== text.charCodeAt(i))
                return -1;
        return from + text.length;
    }
    /** An object or array (RFC 8259, sections 4 and 5). */
    nested(from, end) {
        const { bytes } = this;
        let depth = 0;
        let at = from;
        while (at >= 0 && at < end) {
            const byte = bytes[at];
            if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
                if (depth === this.#open.length)
                    this.#open = Buffer.concat([this.#open, this.#open]);
                this.#open[depth++] = byte;
                at = this.space(at + 1, end);
                if (at < end && bytes[at] === byte + CLOSING) {
                    depth--;
                    at++;
                }
                else {
                    if (byte === OPEN_OBJECT)
                        at = this.#name(at, end);
                    continue;
                }
            }
            else
                at = this.scalar(at, end);
            // Behind a value: brackets that close, then a comma before the next.
            for (; at >= 0 && depth > 0; at++) {
                at = this.space(at, end);
                if (at >= end)
                    return -1;
                if (bytes[at] !== this.#open[depth - 1] + CLOSING)
                    break;
                depth--;
            }
            if (depth === 0)
                return at;
            if (at < 0 || bytes[at] !== COMMA)
                return -1;
            at = this.space(at + 1, end);
            if (this.#open[depth - 1] === OPEN_OBJECT)
                at = this.#name(at, end);
        }
        return -1;
    }
    /** A member's name and its colon: where its value begins, or -1. */
    #name(from, end) {
        const { bytes } = this;
        if (from >= end || bytes[from] !== QUOTE)
            return -1;
        const to = this.string(from, end);
        if (to < 0)
            return -1;
        const colon = this.space(to, end);
        return colon < end && bytes[colon] === COLON ? this.space(colon + 1, end) : -1;
    }
    /**
     * Where the value begins to which a path leads inside the object or array at `from`, which ends at `end` and was proved. `steps`
     * are names in quotes, and 0 for a list's first element. -1 where there is no such value, -2 where only the parser can tell.
     */
    inside(steps, from, end) {
        const { bytes } = this;
        const lines = this.#lines;
        let at = from;
        for (let i = 0; i < steps.length && at >= 0; i++) {
            const step = steps[i];
            const byte = bytes[at];
            if (step === 0) {
                if (byte !== OPEN_ARRAY)
                    continue;
                at = this.space(at + 1, end);
                if (bytes[at] === CLOSE_ARRAY)
                    at = -1;
                continue;
            }
            if (byte === OPEN_ARRAY)
                at = this.#onlyElement(at, end);
            if (at >= 0 && bytes[at] === OPEN_OBJECT)
                at = this.#member(step, at, end);
            else if (at >= 0 && (i < steps.length - 1 || bytes[at] === NULL_FIRST))
                at = -1;
        }
        this.#lines = lines;
        return at;
    }
    /** Where the element of a list of one begins; -1 in an empty list, -2 in others and in lists of lists. */
    #onlyElement(from, end) {
        const { bytes } = this;
        const at = this.space(from + 1, end);
        if (bytes[at] === CLOSE_ARRAY)
            return -1;
        const isOnly = bytes[this.space(this.skip(at, end), end)] === CLOSE_ARRAY;
        return isOnly && bytes[at] !== OPEN_ARRAY ? at : -2;
    }
    /** The value of the last member of that name. */
    #member(quoted, from, end) {
        const { bytes } = this;
        let found = -1;
        let at = this.space(from + 1, end);
        while (bytes[at] === QUOTE) {
            const nameEnd = this.string(at, end);
            if (this.isEscaped)
                return -2;
            let same = nameEnd - at === quoted.length;
            for (let i = 1; same && i < quoted.length; i++)
                same = bytes[at + i] === quoted[i];
            at = this.space(this.space(nameEnd, end) + 1, end);
            if (same)
                found = at;
            at = this.space(this.skip(at, end), end);
            if (bytes[at] === COMMA)
                at = this.space(at + 1, end);
        }
        return found;
    }
    /**
     * Where a value ends whose text is not proved: an object or array at its closing bracket, a string at its quote, another
     * before what may follow a value. -1 where it does not end.
     */
    skip(from, end) {
        const { bytes } = this;
        let depth = 0;
        for (let i = from; i < end;) {
            const byte = bytes[i];
            if (byte === QUOTE) {
                i = this.#closingQuote(i, end) + 1;
                if (i === 0)
                    return -1;
                if (depth === 0)
                    return i;
            }
            else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
                depth++;
                i++;
            }
            else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
                if (depth === 0)
                    return i;
                i++;
                if (--depth === 0)
                    return i;
            }
            else if (depth === 0 && (byte === COMMA || byte <= SPACE))
                return i;
            else
                i++;
        }
        return depth === 0 ? end : -1;
    }
    /** The quote behind one, or -1. */
    #closingQuote(from, end) {
        const { bytes } = this;
        for (let i = from + 1; i < end; i++) {
            if (bytes[i] === QUOTE)
                return i;
            if (bytes[i] === BACKSLASH)
                i++;
        }
        return -1;
    }
    any(from, end) {
        const byte = this.bytes[from];
        return byte === OPEN_OBJECT || byte === OPEN_ARRAY ? this.nested(from, end) : this.scalar(from, end);
    }
    /** Any value that is no object or array. */
    scalar(from, end) {
        const byte = this.bytes[from];
        if (byte === QUOTE)
            return this.string(from, end);
        return byte === MINUS || (byte >= ZERO && byte <= NINE) ? this.number(from, end) : this.literal(from, end);
    }
}
