/**
 * Counts the records of files without ids that other files of their collection have as well, told by title and author. Such files
 * add up, so that each of these records is served more than once.
 *
 *     shop-monday.csv: Tea,4    shop-tuesday.csv: Tea,5    one record repeats
 */
import { cellOf, hasText, type RecordBatch } from '../../batch.js';
import { ByteTable, type PieceSource } from '../../byte-table.js';
import { type CollectionModel, roleIndex } from '../../model.js';
import { count, grouped } from '../../text.js';
import { type FileFinding, finding } from './findings.js';

/** Different titles and authors that are remembered: some 100 MB. Repeats of further ones are not counted. */
const MAX_REMEMBERED = 1 << 21;

export class RepeatCounter {
  readonly #title: number;
  readonly #author: number;
  readonly #titles = new ByteTable();
  readonly #authors = new ByteTable();
  /** By title and author: the first file that has them. */
  readonly #files = new Map<number, number>();
  #file = 0;
  #records = 0;
  #repeats = 0;

  constructor(model: CollectionModel) {
    this.#title = roleIndex(model, 'title');
    this.#author = roleIndex(model, 'author');
  }

  nextFile(): void {
    this.#file++;
  }

  add(batch: RecordBatch): void {
    const { bytes, size } = batch;
    const source = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    for (let i = 0; i < size; i++) {
      const title = codeOfText(this.#titles, batch, source, this.#title, i);
      if (title === NO_CODE_OF_TEXT) continue;
      this.#records++;
      const pair = title * 2 ** 26 + codeOfText(this.#authors, batch, source, this.#author, i) + 1;
      const first = this.#files.get(pair);
      if (first === undefined && this.#files.size < MAX_REMEMBERED) this.#files.set(pair, this.#file);
      if (first !== undefined && first !== this.#file) this.#repeats++;
    }
  }

  get finding(): FileFinding | null {
    if (this.#repeats === 0) return null;
    const limit = this.#files.size < MAX_REMEMBERED ? '' : 'at least ';
    const text = `${limit}${grouped(this.#repeats)} of ${count(this.#records, 'record')} of ${count(this.#file, 'file')} have the title and author of a record in a file before theirs: the files add up, and these are served once more`;
    return finding('repeated', text, {
      count: this.#repeats,
      advice: '--history DIR takes each file of a folder for a dump',
    });
  }
}

const NO_CODE_OF_TEXT = -1;

function codeOfText(table: ByteTable, batch: RecordBatch, source: PieceSource, field: number, record: number): number {
  if (field < 0) return NO_CODE_OF_TEXT;
  const cell = cellOf(field, record);
  const [start, end] = [batch.starts[cell]!, batch.ends[cell]!];
  return hasText(batch.kinds[cell]!) && end > start ? table.codeOf(source, start, end) : NO_CODE_OF_TEXT;
}
