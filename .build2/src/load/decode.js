/**
 * Bytes → text. ASCII and UTF-8 are decoded natively; bytes that are neither are read as windows-1252 and counted.
 * For text outside ASCII `transcode` is four times as fast as `toString`, from some kilobytes on.
 */
import { isAscii, isUtf8, transcode } from 'node:buffer';
/** The characters of 0x80 to 0x9f, in which windows-1252 differs from ISO 8859-1; TextDecoder of some Node versions takes one for the other. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const fromWindows1252 = (bytes) => bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 128));
const TRANSCODED_BYTES = 4096;
const LINE_FEED = 10;
export function createDecoder() {
    let foreign = 0;
    const utf8 = (bytes) => {
        if (isAscii(bytes))
            return bytes.toString('latin1');
        if (!isUtf8(bytes))
            return undefined;
        return bytes.length < TRANSCODED_BYTES
            ? bytes.toString('utf8')
            : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
    };
    const text = (bytes) => {
        const found = utf8(bytes);
        if (found !== undefined)
            return found;
        foreign++;
        return fromWindows1252(bytes);
    };
    const line = (bytes) => (isUtf8(bytes) ? bytes : Buffer.from(text(bytes)));
    return {
        utf8,
        text,
        lines: (bytes) => (isUtf8(bytes) ? bytes : Buffer.concat(linesOf(bytes).map(line))),
        foreign: () => foreign,
    };
}
function linesOf(bytes) {
    const lines = [];
    for (let at = 0; at < bytes.length;) {
        const end = bytes.indexOf(LINE_FEED, at) + 1 || bytes.length;
        lines.push(bytes.subarray(at, end));
        at = end;
    }
    return lines;
}
/** The characters with which double-encoded text begins. */
const SIGNS = [...'ÂÃâÐÑ'].map((sign) => Buffer.from(sign));
export const mayHoldDoubleEncoded = (bytes) => !isAscii(bytes) && SIGNS.some((sign) => bytes.includes(sign));
