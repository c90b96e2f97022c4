/**
 * The token stream of all records → postings. The stream stands in the kernel's memory (`kernels/inversion.ts`) from the
 * first record on, 4 bytes a token. Once all are read, tokens are sorted by term, a quarter of them at a time, for that many
 * have room without being felt beside the stream; each quarter is encoded and copied to the memory of the finished tables.
 */
import { inversion as inversionBytes } from '../../kernels/compiled.js';
import { MAX_FIELDS, RECORD } from '../../kernels/stream-layout.js';
import { createMemory, instantiate } from '../../wasm.js';
import { WorkMemory } from '../work-memory.js';
import { PostingsWriter } from './postings-writer.js';
import { normsByLength, rowTables } from './row-tables.js';
/** Fewer tokens are sorted at once, more in so many shares. */
const MIN_SORTED_TOKENS = 1 << 22;
const SORTED_SHARES = 4;
const TOKEN_BYTES = 8;
/** Of the stream, and of records, that the kernel is given at once. */
const PIECE_BYTES = 1 << 16;
const PIECE_ROWS = 1 << 9;
const MEMORY_BYTES = 1 << 16;
export class Inverter {
    #work = new WorkMemory(createMemory(MEMORY_BYTES), 4);
    #kernel = instantiate(inversionBytes, this.#work.memory);
    #stream;
    #end;
    constructor() {
        this.#stream = this.#work.allocate(0, 4);
        this.#end = this.#stream;
    }
    /** Adds entries to the stream. */
    add(entries) {
        const at = this.#work.allocate(entries.byteLength, 4);
        new Int32Array(this.#work.memory.buffer, at, entries.length).set(entries);
        this.#end = at + entries.byteLength;
    }
    /** Everything of an index but its dictionary. To be called once. */
    finish(rowOf, { terms, termOf, lists }, weights, ranking) {
        const end = this.#end;
        this.add(Int32Array.of(RECORD));
        const rows = rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
        const fields = weights.length;
        const places = {
            lists: this.#copy(lists),
            weights: this.#copy(Uint32Array.from({ length: MAX_FIELDS }, (_, field) => weights[field] ?? 0)),
            counts: this.#work.allocate(4 * terms),
            recordStarts: this.#work.allocate(4 * rows),
            lengths: this.#work.allocate(4 * rows),
            fieldStarts: this.#work.allocate(4 * rows * fields),
        };
        const { counts, recordStarts, lengths, fieldStarts } = places;
        const [termsAt, rowsAt] = [this.#copy(termOf), this.#copy(rowOf)];
        for (let at = this.#stream; at < end; at += PIECE_BYTES) {
            const to = Math.min(at + PIECE_BYTES, end);
            this.#kernel.measure(at, to, termsAt, places.lists, rowsAt, places.weights, fields, counts, recordStarts, lengths, fieldStarts);
        }
        this.#kernel.endMeasure(fields, lengths, fieldStarts);
        const known = rowTables(this.#numbers(recordStarts, rows), this.#numbers(lengths, rows), this.#numbers(fieldStarts, rows * fields), weights, ranking);
        return { ...known, ...this.#invert(known, places, terms) };
    }
    #invert(known, places, terms) {
        const counts = this.#numbers(places.counts, terms).slice();
        const { lengths, recordStarts, lists, weights } = places;
        const tokens = counts.reduce((sum, count) => sum + count, 0);
        const most = counts.reduce((most, count) => Math.max(most, count), 0);
        const sorted = Math.max(most, Math.min(tokens, Math.max(MIN_SORTED_TOKENS, Math.ceil(tokens / SORTED_SHARES))));
        const inverseNorms = this.#copy(normsByLength(known).map((norm) => 1 / norm));
        const room = () => this.#work.allocate(4 * most);
        this.#kernel.useRows(known.rows, lengths, inverseNorms, weights, room(), room(), room());
        const writer = new PostingsWriter(this.#work, this.#kernel, known.rows, terms, sorted);
        const waiting = this.#work.allocate(4 * this.#kernel.maxStacked.value);
        const at = this.#work.allocate(TOKEN_BYTES * (sorted + 1));
        const next = this.#work.allocate(4 * (terms + 2));
        for (let first = 0; first < terms;) {
            let end = first;
            let size = 0;
            const starts = this.#numbers(next, terms + 1);
            for (; end < terms && (end === first || size + counts[end] <= sorted); end++) {
                starts[end - first] = at + TOKEN_BYTES * size;
                size += counts[end];
            }
            starts[end - first] = at + TOKEN_BYTES * size;
            for (let row = 0; row < known.rows; row += PIECE_ROWS) {
                const to = Math.min(row + PIECE_ROWS, known.rows);
                this.#kernel.sort(row, to, recordStarts, lists, first, end - first, next, waiting);
            }
            writer.write(first, end - first, at, next);
            first = end;
        }
        return writer.finish();
    }
    #numbers(at, length) {
        return new Uint32Array(this.#work.memory.buffer, at, length);
    }
    #copy(numbers) {
        const at = this.#work.allocate(numbers.byteLength);
        const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        new Uint8Array(this.#work.memory.buffer, at, numbers.byteLength).set(bytes);
        return at;
    }
}
