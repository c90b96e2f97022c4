/** Fills record batches, value by value: texts and lists are spelt as JSON into the batch's own bytes. */
import {
  ABSENT,
  BATCH_RECORDS,
  BOOLEAN,
  cellOf,
  ESCAPED_TEXT,
  hasText,
  LIST,
  NULL,
  NUMBER,
  type RecordBatch,
  TEXT,
} from '../../src/batch.js';
import type { CollectionModel, Value } from '../../src/model.js';

/** A batch is handed on when its bytes come to so many: what it holds then stays in a near cache. */
const FULL_BYTES = 1 << 18;

/** A valid record: one value per field of its collection, in the order of the model's fields. */
export type RecordValues = readonly Value[];

export class BatchWriter implements RecordBatch {
  size = 0;
  bytes = Buffer.allocUnsafe(2 * FULL_BYTES);
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Float64Array;
  readonly #model: CollectionModel;
  #used = 0;

  constructor(model: CollectionModel) {
    const cells = model.fields.length * BATCH_RECORDS;
    this.kinds = new Uint8Array(cells);
    this.starts = new Int32Array(cells);
    this.ends = new Int32Array(cells);
    this.numbers = new Float64Array(cells);
    this.#model = model;
  }

  get isFull(): boolean {
    return this.size === BATCH_RECORDS || this.#used >= FULL_BYTES;
  }

  /** Adds a record; there is room for one. */
  add(values: RecordValues): void {
    const { fields } = this.#model;
    for (let field = 0; field < fields.length; field++)
      this.#setCell(cellOf(field, this.size), values[field] ?? null, fields[field]!.kind === 'date');
    this.size++;
  }

  clear(): void {
    this.size = 0;
    this.#used = 0;
  }

  #setCell(cell: number, value: Value, isDate: boolean): void {
    this.starts[cell] = this.#used;
    this.numbers[cell] = Number.NaN;
    if (value === null) {
      this.kinds[cell] = NULL;
      this.#write('null');
    } else if (typeof value === 'number') {
      this.kinds[cell] = NUMBER;
      this.numbers[cell] = value;
      this.#write(JSON.stringify(value));
    } else if (typeof value === 'string') {
      const text = JSON.stringify(value);
      this.kinds[cell] = text.length === value.length + 2 ? TEXT : ESCAPED_TEXT;
      if (isDate) this.numbers[cell] = Date.parse(value);
      this.#write(text);
    } else if (typeof value === 'boolean') {
      this.kinds[cell] = BOOLEAN;
      this.numbers[cell] = Number(value);
      this.#write(String(value));
    } else {
      this.kinds[cell] = value.length === 0 ? ABSENT : LIST;
      this.#write(JSON.stringify(value));
    }
    // The cell of a text is without its quotes.
    const quoteBytes = hasText(this.kinds[cell]!) ? 1 : 0;
    this.starts[cell]! += quoteBytes;
    this.ends[cell] = this.#used - quoteBytes;
  }

  #write(text: string): void {
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
export function inBatches(
  model: CollectionModel,
  records: Iterable<RecordValues>,
  take: (batch: RecordBatch) => unknown,
): void {
  const batch = new BatchWriter(model);
  for (const values of records) {
    batch.add(values);
    if (!batch.isFull) continue;
    take(batch);
    batch.clear();
  }
  if (batch.size > 0) take(batch);
}
