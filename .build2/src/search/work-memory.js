/** Memory that kernels and their callers share: what is allocated is zeros, never moves, and goes with the whole memory. */
import { growMemory, MEMORY_PAGE_BYTES, MOST_PAGES } from '../wasm.js';
import { IndexLimitError } from './limits.js';
/** Kernels load 16 bytes at a time, and so may read behind the end. */
const ALIGNMENT = 16;
const SLACK_BYTES = 64;
export class WorkMemory {
    memory;
    #end;
    /** The first bytes are not given away. */
    constructor(memory, reservedBytes) {
        this.memory = memory;
        this.#end = reservedBytes;
    }
    /** The address of so many bytes. Where the memory grows and is no threads' common one, views made before are empty. */
    allocate(bytes, alignment = ALIGNMENT) {
        const at = Math.ceil(this.#end / alignment) * alignment;
        this.#end = at + bytes;
        const has = this.memory.buffer.byteLength;
        const missing = this.#end + SLACK_BYTES - has;
        if (missing <= 0)
            return at;
        const pages = Math.ceil(missing / MEMORY_PAGE_BYTES);
        // Pages that are never written to take no room.
        const more = Math.max(pages, Math.ceil(has / 4 / MEMORY_PAGE_BYTES));
        if (growMemory(this.memory, more) || growMemory(this.memory, pages))
            return at;
        if (has / MEMORY_PAGE_BYTES + pages > MOST_PAGES)
            throw new IndexLimitError('there are more words in the records than an index holds');
        throw new RangeError('Array buffer allocation failed');
    }
}
