/** Titles side by side, folded: words are found in a million of them within some ten milliseconds. */
import { uint8, uint32, withRoom } from '../../growable.js';
import { fold } from '../../text.js';
const BACKSLASH = 0x5c;
const [UPPER_A, UPPER_Z, CASE] = [0x41, 0x5a, 0x20];
export class FoldedTitlesBuilder {
    bytes = uint8(0);
    starts = uint32(0);
    used = 0;
    size = 0;
    /** Adds a title whose JSON text is `source[from … to)`. */
    add(source, from, to) {
        this.starts = withRoom(this.starts, this.size + 2, uint32);
        this.starts[this.size++] = this.used;
        if (!this.addAscii(source, from + 1, to - 1))
            this.addText(fold(String(JSON.parse(source.toString('utf8', from, to)))));
        this.bytes[this.used++] = 0;
    }
    /** False where the text has other characters or escapes. */
    addAscii(source, from, to) {
        this.bytes = withRoom(this.bytes, this.used + to - from + 1, uint8);
        const { bytes } = this;
        let at = this.used;
        for (let i = from; i < to; i++) {
            const byte = source[i];
            if (byte >= 0x80 || byte === BACKSLASH)
                return false;
            bytes[at++] = byte >= UPPER_A && byte <= UPPER_Z ? byte | CASE : byte;
        }
        this.used = at;
        return true;
    }
    addText(text) {
        const folded = Buffer.from(text);
        this.bytes = withRoom(this.bytes, this.used + folded.length + 1, uint8);
        this.bytes.set(folded, this.used);
        this.used += folded.length;
    }
    finish() {
        const starts = this.size === 0 ? uint32(1) : this.starts.subarray(0, this.size + 1);
        starts[this.size] = this.used;
        return { bytes: this.bytes.subarray(0, this.used), starts };
    }
}
/** The titles that hold every word of `text`, case and accents aside, ascending. A text without a word is in all titles. */
export function titlesWith({ bytes, starts }, text) {
    const words = fold(text)
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => Buffer.from(word));
    const found = new Uint32Array(starts.length - 1);
    let size = 0;
    for (let title = 0; title + 1 < starts.length; title++) {
        const [from, to] = [starts[title], starts[title + 1]];
        let holds = true;
        for (let i = 0; i < words.length && holds; i++)
            holds = isIn(words[i], bytes, from, to);
        if (holds)
            found[size++] = title;
    }
    return found.subarray(0, size);
}
/** A title is short: a call of the runtime's search would take longer. */
function isIn(word, bytes, from, to) {
    const first = word[0];
    for (let at = from; at + word.length <= to; at++) {
        if (bytes[at] !== first)
            continue;
        let i = 1;
        while (i < word.length && bytes[at + i] === word[i])
            i++;
        if (i === word.length)
            return true;
    }
    return false;
}
