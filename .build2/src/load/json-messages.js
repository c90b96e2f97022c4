/** How the JSON checker words what it found. One byte is all that a message quotes of the file. */
import { grouped } from '../text.js';
/** The byte of a text's first character. */
export const at = (text) => text.charCodeAt(0);
const NAMES = {
    0: 'a NUL byte',
    9: 'a tab',
    10: 'a line break',
    13: 'a carriage return',
};
/** `found `x``; bytes outside ASCII are named by their number. */
export function foundByte(byte) {
    if (byte > 32 && byte < 127)
        return `found \`${String.fromCharCode(byte)}\``;
    return `found ${NAMES[byte] ?? `the byte 0x${byte.toString(16).padStart(2, '0')}`}`;
}
const ADVICE = {
    "'": ': strings need double quotes',
    N: ': NaN and None are not JSON, null is',
    I: ': Infinity is not JSON, null is',
    T: ': true is written in lower case',
    F: ': false is written in lower case',
    u: ': undefined is not JSON, null is',
    '/': ': JSON has no comments',
    '<': ': this looks like HTML or XML, perhaps an error page that was saved in place of the dump',
};
export const valueAdvice = (byte) => ADVICE[String.fromCharCode(byte)] ?? '';
const CUT_OFF = 'the download was probably cut off';
export const lineEndsInside = (isObject) => `the line ends inside ${isObject ? 'an object' : 'an array'}: the record was probably cut off`;
export const insideString = (isName) => `the file ends inside a ${isName ? 'name' : 'string'}: ${CUT_OFF}`;
export function insideContainer(isObject, depth) {
    const where = depth > 1 ? `, ${grouped(depth)} levels deep` : '';
    return `the file ends inside ${isObject ? 'an object' : 'an array'}${where}: ${CUT_OFF}`;
}
