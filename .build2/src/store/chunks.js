/** Addresses per chunk. One byte of each is left free, so that what stands in two chunks never seems to lie side by side. */
export const CHUNK_SPAN = 1 << 26;
const CHUNK_BYTES = CHUNK_SPAN - 1;
/** Every further chunk is twice as large, up to the largest. */
const FIRST_CHUNK_BYTES = 1 << 20;
/** A chunk that holds nothing: as many stand behind an oversized one as there are spans that it takes beside its own. */
const NO_CHUNK = Buffer.alloc(0);
export class Chunks {
    all = [];
    /** The chunk that is being filled, how far it is, and its address. */
    current = NO_CHUNK;
    used = 0;
    start = 0;
    /** Makes room for so many bytes in one piece, at `used` of the current chunk. An oversized piece has a chunk of its own, so that every one begins in the span of its chunk's beginning. */
    reserve(bytes) {
        if (this.used + bytes <= CHUNK_BYTES && this.used + bytes <= this.current.length)
            return;
        const usual = Math.min(CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, this.current.length * 2));
        this.current = Buffer.allocUnsafeSlow(Math.max(usual, bytes));
        this.used = 0;
        this.start = (this.all.push(this.current) - 1) * CHUNK_SPAN;
        for (let span = CHUNK_SPAN; span < bytes; span += CHUNK_SPAN)
            this.all.push(NO_CHUNK);
    }
}
/** Addresses as integers of 32 bits as far as they suffice. */
export const addressesOf = ({ all }, addresses) => all.length * CHUNK_SPAN <= 2 ** 32 ? new Uint32Array(addresses) : addresses;
