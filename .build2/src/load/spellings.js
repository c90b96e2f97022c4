/** What short runs of bytes come to, found again without making a string of them: open addressing with linear probing. */
/** When the table holds this many, it is emptied: a table in the cache is worth more than a complete one. */
const MAX_SPELLINGS = 1 << 14;
const SLOTS = 2 * MAX_SPELLINGS;
export class Spellings {
    #slots = [];
    #size = 0;
    get(bytes, from, to) {
        return this.#slots[this.#slotOf(bytes, from, to)]?.value;
    }
    /** Remembers what `bytes[from … to)`, which is copied, comes to. */
    set(bytes, from, to, value) {
        if (this.#size === 0 || this.#size === MAX_SPELLINGS) {
            this.#slots = new Array(SLOTS).fill(undefined);
            this.#size = 0;
        }
        const slot = this.#slotOf(bytes, from, to);
        if (this.#slots[slot] === undefined)
            this.#size++;
        this.#slots[slot] = { bytes: Uint8Array.from(bytes.subarray(from, to)), value };
    }
    /** The slot of those bytes, or the free one where they belong. */
    #slotOf(bytes, from, to) {
        let slot = hashOf(bytes, from, to) & (SLOTS - 1);
        for (;;) {
            const entry = this.#slots[slot];
            if (entry === undefined || isSame(entry.bytes, bytes, from, to))
                return slot;
            slot = (slot + 1) & (SLOTS - 1);
        }
    }
}
/** FNV-1a (Fowler, Noll & Vo; RFC 9923), its halves folded together. */
function hashOf(bytes, from, to) {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++)
        hash = Math.imul(hash ^ bytes[i], 0x01000193);
    return hash ^ (hash >>> 16);
}
function isSame(known, bytes, from, to) {
    if (known.length !== to - from)
        return false;
    for (let i = 0; i < known.length; i++)
        if (known[i] !== bytes[from + i])
            return false;
    return true;
}
