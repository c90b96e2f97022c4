/** Fills record batches, value by value: texts and lists are spelt as JSON into the batch's own bytes. */
import { ABSENT, BATCH_RECORDS, cellOf, ESCAPED_TEXT, LIST, NULL, NUMBER, TEXT, } from '../src/batch.js';
/** A batch is handed on when its bytes come to so many: what it holds then stays in a near cache. */
const FULL_BYTES = 1 << 18;
export class BatchWriter {
    size = 0;
    bytes = Buffer.allocUnsafe(2 * FULL_BYTES);
    kinds;
    starts;
    ends;
    numbers;
    elements = new Int32Array(2 * BATCH_RECORDS);
    elementsFrom;
    elementsTo;
    #model;
    #used = 0;
    #elementCount = 0;
    constructor(model) {
        const cells = model.fields.length * BATCH_RECORDS;
        this.kinds = new Uint8Array(cells);
        this.starts = new Int32Array(cells);
        this.ends = new Int32Array(cells);
        this.numbers = new Float64Array(cells);
        this.elementsFrom = new Int32Array(cells);
        this.elementsTo = new Int32Array(cells);
        this.#model = model;
    }
    get isFull() {
        return this.size === BATCH_RECORDS || this.#used >= FULL_BYTES;
    }
    /** Adds a record; there is room for one. */
    add(values) {
        const { fields } = this.#model;
        for (let field = 0; field < fields.length; field++)
            this.#setCell(cellOf(field, this.size), values[field] ?? null, fields[field].kind === 'date');
        this.size++;
    }
    clear() {
        this.size = 0;
        this.#used = 0;
        this.#elementCount = 0;
    }
    #setCell(cell, value, isDate) {
        this.starts[cell] = this.#used;
        this.numbers[cell] = Number.NaN;
        if (value === null) {
            this.kinds[cell] = NULL;
            this.#write('null');
        }
        else if (typeof value === 'number') {
            this.kinds[cell] = NUMBER;
            this.numbers[cell] = value;
            this.#write(JSON.stringify(value));
        }
        else if (typeof value === 'string') {
            const text = JSON.stringify(value);
            this.kinds[cell] = text.length === value.length + 2 ? TEXT : ESCAPED_TEXT;
            if (isDate)
                this.numbers[cell] = Date.parse(value);
            this.#write(text);
        }
        else
            this.#setList(cell, value);
        this.ends[cell] = this.#used;
    }
    #setList(cell, list) {
        this.kinds[cell] = list.length === 0 ? ABSENT : LIST;
        this.elementsFrom[cell] = this.#elementCount;
        this.#write('[');
        for (const [i, text] of list.entries()) {
            if (i > 0)
                this.#write(',');
            if (2 * this.#elementCount === this.elements.length)
                this.elements = grown(this.elements);
            this.elements[2 * this.#elementCount] = this.#used;
            this.#write(JSON.stringify(text));
            this.elements[2 * this.#elementCount++ + 1] = this.#used;
        }
        this.#write(']');
        this.elementsTo[cell] = this.#elementCount;
    }
    #write(text) {
        // A UTF-16 unit takes at most three bytes of UTF-8.
        const needed = this.#used + 3 * text.length;
        if (needed > this.bytes.length) {
            const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, needed));
            this.bytes.copy(larger, 0, 0, this.#used);
            this.bytes = larger;
        }
        this.#used += this.bytes.write(text, this.#used);
    }
}
/** Hands on records, whose values are valid, in batches. */
export function inBatches(model, records, take) {
    const batch = new BatchWriter(model);
    for (const values of records) {
        batch.add(values);
        if (!batch.isFull)
            continue;
        take(batch);
        batch.clear();
    }
    if (batch.size > 0)
        take(batch);
}
function grown(elements) {
    const larger = new Int32Array(2 * elements.length);
    larger.set(elements);
    return larger;
}
