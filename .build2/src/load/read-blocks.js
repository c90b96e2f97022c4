/**
 * The memory into which a file is read: chunks rotate through three blocks, so that the next can be read while one is
 * taken and something of the one before is still left.
 */
/** Of larger pieces more memory is touched: 17 MB of it for ones of a megabyte, by two threads. */
export const CHUNK_BYTES = 1 << 19;
const BLOCKS = 3;
export class ReadBlocks {
    /** Room before each chunk for what is left of the chunk before. */
    at;
    room;
    #blocks = [];
    #next = 0;
    constructor(fileBytes) {
        this.at = Math.min(CHUNK_BYTES, fileBytes + 4);
        this.room = Math.min(CHUNK_BYTES, fileBytes + 1);
    }
    /** Where the next chunk is to be read: to these bytes at `at`, at most `room` bytes. */
    get bytes() {
        const block = this.#blocks[this.#next] ?? Buffer.allocUnsafeSlow(this.at + this.room);
        this.#blocks[this.#next] = block;
        return block;
    }
    /** So many bytes were read: the chunk that they are, to be taken while the next is read. */
    filled(bytesRead) {
        const { bytes, at } = this;
        this.#next = (this.#next + 1) % BLOCKS;
        return { bytes, from: at, to: at + bytesRead };
    }
}
