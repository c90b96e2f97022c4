/**
 * The beginning of a JSON file as values: what is cut off is closed where the last value ended that is whole. Brackets are counted
 * without recursion, so depth costs a byte a bracket.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
export function openingOf(bytes) {
    const roots = [];
    const open = [];
    let start = 0;
    let cut = 0;
    for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i];
        if (byte === QUOTE)
            i = stringEnd(bytes, i) - 1;
        else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
            if (open.length === 0)
                start = i;
            open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
            cut = i + 1;
        }
        else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
            if (open.pop() !== byte)
                return { roots, isClosed: false, isBroken: true };
            cut = i + 1;
            if (open.length > 0)
                continue;
            const root = parse(bytes.toString('utf8', start, cut));
            if (root === undefined)
                return { roots, isClosed: false, isBroken: true };
            roots.push(root);
        }
        else if (byte === COMMA && open.length > 0)
            cut = i;
    }
    if (open.length === 0)
        return { roots, isClosed: true, isBroken: false };
    const closing = String.fromCharCode(...open.slice(-MAX_CLOSED).reverse());
    const root = open.length > MAX_CLOSED ? undefined : parse(bytes.toString('utf8', start, cut) + closing);
    if (root !== undefined)
        roots.push(root);
    return { roots, isClosed: false, isBroken: root === undefined };
}
/** What is nested deeper than this is no dump of records. */
const MAX_CLOSED = 1000;
/** Behind the closing quote of the string that begins there, or the end of the bytes. */
export function stringEnd(bytes, from) {
    let quote = from;
    for (;;) {
        quote = bytes.indexOf(QUOTE, quote + 1);
        if (quote === -1)
            return bytes.length;
        let slashes = 0;
        while (bytes[quote - slashes - 1] === BACKSLASH)
            slashes++;
        if (slashes % 2 === 0)
            return quote + 1;
    }
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
