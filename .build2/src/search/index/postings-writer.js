/**
 * Sorted tokens → the postings of an index, some terms at a time. The kernel writes terms to its own memory; what it wrote
 * is copied to the memory of the finished tables, which threads can share and the kernels of queries work in. Terms that
 * many rows hold stop the kernel: they get a bitmap, and a byte a row in place of postings where that is shorter.
 */
import { float32, uint8, uint32, withRoom } from '../../growable.js';
import { BLOCK_POSITION_BYTES, MAX_POSITION_BYTES, MAX_POSTING_BYTES } from '../../kernels/posting-layout.js';
import { createSharedMemory } from '../../wasm.js';
import { WorkMemory } from '../work-memory.js';
/** A term that more than one row in so many holds gets a bitmap. */
const BITMAP_SHARE = 16;
/** A term that more than one row in so many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MAX_DENSE_FREQUENCY = 255;
/** No table begins at address 0. */
const RESERVED_BYTES = 16;
export class PostingsWriter {
    #work;
    #kernel;
    #rows;
    /** A byte a row, and a word at least. */
    #rowRoom;
    #output;
    #tables = new WorkMemory(createSharedMemory(), RESERVED_BYTES);
    #documentFrequencies;
    #maxSaturations;
    #blockBits;
    #firstBlocks;
    #bitmapOfTerm;
    #denseOfTerm;
    #bitmaps = [];
    #dense = [];
    #postingStarts = uint32(1 << 10);
    #positionStarts = uint32(1 << 10);
    #blockBounds = uint8(1 << 10);
    #blocks = 0;
    /** There is room for `terms` terms that have `tokens` tokens together. */
    constructor(work, kernel, rows, terms, tokens) {
        const maxBlocks = Math.ceil((MAX_POSITION_BYTES * tokens) / BLOCK_POSITION_BYTES) + 2 * terms;
        this.#work = work;
        this.#kernel = kernel;
        this.#rows = rows;
        this.#rowRoom = work.allocate(rows + 4);
        this.#output = {
            documentFrequencies: work.allocate(4 * terms),
            maxSaturations: work.allocate(4 * terms),
            blockBits: work.allocate(terms),
            firstBlocks: work.allocate(4 * terms),
            postingStarts: work.allocate(4 * maxBlocks),
            positionStarts: work.allocate(4 * maxBlocks),
            blockBounds: work.allocate(maxBlocks),
            postings: work.allocate(MAX_POSTING_BYTES * tokens),
            positions: work.allocate(MAX_POSITION_BYTES * tokens),
        };
        this.#documentFrequencies = uint32(terms);
        this.#maxSaturations = float32(terms);
        this.#blockBits = uint8(terms);
        this.#firstBlocks = uint32(terms);
        this.#bitmapOfTerm = new Int32Array(terms).fill(-1);
        this.#denseOfTerm = new Int32Array(terms).fill(-1);
    }
    /** Writes `terms` terms from `first` on, whose sorted tokens begin at `sorted` and end where `ends` says. */
    write(first, terms, sorted, ends) {
        const kernel = this.#kernel;
        const { documentFrequencies, maxSaturations, blockBits, firstBlocks } = this.#output;
        const { postingStarts, positionStarts, blockBounds, postings, positions } = this.#output;
        kernel.useOutput(documentFrequencies, maxSaturations, blockBits, firstBlocks, postingStarts, positionStarts, blockBounds, postings, positions);
        const maxRare = Math.floor(this.#rows / BITMAP_SHARE);
        for (let term = 0; term < terms; term++) {
            term = kernel.writeTerms(term, terms, sorted, ends, maxRare);
            if (term < terms)
                kernel.writeTerm(term, this.#addFrequent(first + term));
        }
        const { buffer } = this.#work.memory;
        this.#documentFrequencies.set(new Uint32Array(buffer, documentFrequencies, terms), first);
        this.#maxSaturations.set(new Float32Array(buffer, maxSaturations, terms), first);
        this.#blockBits.set(new Uint8Array(buffer, blockBits, terms), first);
        const firstOfTerm = new Uint32Array(buffer, firstBlocks, terms);
        for (let term = 0; term < terms; term++)
            this.#firstBlocks[first + term] = this.#blocks + firstOfTerm[term];
        this.#addBlocks();
    }
    /** Adds the bitmap of the term that the kernel read; returns whether it is dense, whose frequencies are added too. */
    #addFrequent(term) {
        const kernel = this.#kernel;
        const room = new Uint8Array(this.#work.memory.buffer, this.#rowRoom, this.#rows + 4).fill(0);
        kernel.writeBitmap(this.#rowRoom);
        this.#bitmapOfTerm[term] = this.#bitmaps.push(this.#keep(room.subarray(0, 4 * ((this.#rows + 31) >>> 5)))) - 1;
        const isDense = kernel.postings.value * DENSE_SHARE > this.#rows && kernel.maxFrequency.value <= MAX_DENSE_FREQUENCY;
        if (!isDense)
            return false;
        room.fill(0);
        kernel.writeFrequencies(this.#rowRoom);
        this.#denseOfTerm[term] = this.#dense.push(this.#keep(room.subarray(0, this.#rows))) - 1;
        return true;
    }
    /** Adds the blocks that the kernel wrote, and one more, whose starts are the last one's ends. */
    #addBlocks() {
        const { buffer } = this.#work.memory;
        const { postingStarts, positionStarts, blockBounds, postings, positions } = this.#output;
        const count = this.#kernel.blocks.value;
        const end = this.#blocks + count + 1;
        this.#postingStarts = withRoom(this.#postingStarts, end, uint32);
        this.#positionStarts = withRoom(this.#positionStarts, end, uint32);
        this.#blockBounds = withRoom(this.#blockBounds, end, uint8);
        this.#blockBounds.set(new Uint8Array(buffer, blockBounds, count), this.#blocks);
        const add = (starts, into, from, to) => {
            const shift = this.#keep(new Uint8Array(buffer, from, to - from)) - from;
            const start = new Uint32Array(buffer, starts, count);
            for (let i = 0; i < count; i++)
                into[this.#blocks + i] = start[i] + shift;
            into[this.#blocks + count] = to + shift;
        };
        add(postingStarts, this.#postingStarts, postings, this.#kernel.postingAt.value);
        add(positionStarts, this.#positionStarts, positions, this.#kernel.positionAt.value);
        this.#blocks = end;
    }
    /** Copies bytes to the tables' memory; returns their address there. */
    #keep(bytes) {
        const at = this.#tables.allocate(bytes.length);
        new Uint8Array(this.#tables.memory.buffer, at, bytes.length).set(bytes);
        return at;
    }
    finish() {
        const starts = (numbers) => this.#keep(new Uint8Array(numbers.buffer, 0, 4 * this.#blocks));
        const [postingStarts, positionStarts] = [starts(this.#postingStarts), starts(this.#positionStarts)];
        const { memory } = this.#tables;
        const { buffer } = memory;
        return {
            memory,
            bytes: new Uint8Array(buffer),
            documentFrequencies: this.#documentFrequencies,
            maxSaturations: this.#maxSaturations,
            blockBits: this.#blockBits,
            firstBlocks: this.#firstBlocks,
            postingStarts: new Uint32Array(buffer, postingStarts, this.#blocks),
            positionStarts: new Uint32Array(buffer, positionStarts, this.#blocks),
            blockBounds: this.#blockBounds.slice(0, this.#blocks),
            maxInBlock: this.#kernel.maxInBlock.value,
            maxPositions: this.#kernel.maxPositions.value,
            bitmapOfTerm: this.#bitmapOfTerm,
            bitmaps: this.#bitmaps.map((at) => new Uint32Array(buffer, at, (this.#rows + 31) >>> 5)),
            denseOfTerm: this.#denseOfTerm,
            dense: this.#dense.map((at) => new Uint8Array(buffer, at, this.#rows)),
        };
    }
}
