/**
 * The distinct values of a field, numbered as they first occur: their UTF-8 side by side, and an open-addressing table
 * over their folded text: 4 bytes and the text for each value, and 4 to 9 bytes of slots.
 */
import { fold } from '../text.js';
export const nameCount = ({ offsets }) => offsets.length - 1;
export const nameAt = ({ bytes, offsets }, code) => textOfBytes(bytes, offsets[code], offsets[code + 1]);
/** The code of the name that folds as `value` does, or -1. */
export function codeOfName(names, value) {
    const key = fold(value);
    const keyBytes = Buffer.from(key);
    const { slots } = names;
    const mask = slots.length - 1;
    for (let slot = hashOf(keyBytes, 0, keyBytes.length) & mask;; slot = (slot + 1) & mask) {
        const code = slots[slot] - 1;
        if (code < 0)
            return -1;
        if (fold(nameAt(names, code)) === key)
            return code;
    }
}
export const textOfBytes = (bytes, from, to) => Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
/** What differs between the two cases of an ASCII letter. */
const CASES = 0x20202020;
export const viewOf = ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength);
export const hashOf = (bytes, from, to) => hashIn(viewOf(bytes), from, to);
/** MurmurHash3 (Appleby 2011) over four bytes at a time, the two cases of ASCII letters alike. */
export function hashIn(bytes, from, to) {
    let hash = to - from;
    let at = from;
    for (; at + 4 <= to; at += 4)
        hash = mixed(hash, bytes.getInt32(at, true));
    let rest = 0;
    for (; at < to; at++)
        rest = (rest << 8) | bytes.getUint8(at);
    hash = mixed(hash, rest);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
}
function mixed(hash, word) {
    const spread = Math.imul(word | CASES, 0xcc9e2d51);
    const next = hash ^ Math.imul((spread << 15) | (spread >>> 17), 0x1b873593);
    return Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64;
}
