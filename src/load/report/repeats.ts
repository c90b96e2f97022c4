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

/** The codes of a text that a record lacks, and of one that is not remembered. */
const [WITHOUT_TEXT, NOT_REMEMBERED] = [-1, -2];

export class RepeatCounter {
  readonly #title: number;
  readonly #author: number;
  readonly #maxRemembered: number;
  readonly #titles = new ByteTable();
  readonly #authors = new ByteTable();
  /** By title and author: the first file that has them. */
  readonly #files = new Map<number, number>();
  /** How many files were begun: the number of the current one. */
  #fileCount = 0;
  #records = 0;
  #repeats = 0;

  constructor(model: CollectionModel, maxRemembered = MAX_REMEMBERED) {
    this.#maxRemembered = maxRemembered;
    this.#title = roleIndex(model, 'title');
    this.#author = roleIndex(model, 'author');
  }

  nextFile(): void {
    this.#fileCount++;
  }

  add(batch: RecordBatch): void {
    const { bytes, size } = batch;
    const source = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    for (let i = 0; i < size; i++) {
      const title = this.#codeOfText(this.#titles, batch, source, this.#title, i);
      if (title === WITHOUT_TEXT) continue;
      this.#records++;
      const author = this.#codeOfText(this.#authors, batch, source, this.#author, i);
      if (title === NOT_REMEMBERED || author === NOT_REMEMBERED) continue;
      // `pair` has both codes in one number: `WITHOUT_TEXT` of the author becomes 0.
      const pair = title * 2 ** 26 + author + 1;
      const firstFile = this.#files.get(pair);
      if (firstFile === undefined && !this.#isFull) this.#files.set(pair, this.#fileCount);
      if (firstFile !== undefined && firstFile !== this.#fileCount) this.#repeats++;
    }
  }

  get #isFull(): boolean {
    return this.#files.size >= this.#maxRemembered;
  }

  /** The code of a text; where all is full that of a remembered text only. */
  #codeOfText(table: ByteTable, batch: RecordBatch, source: PieceSource, field: number, record: number): number {
    if (field < 0) return WITHOUT_TEXT;
    const cell = cellOf(field, record);
    const [start, end] = [batch.starts[cell]!, batch.ends[cell]!];
    if (!hasText(batch.kinds[cell]!) || end === start) return WITHOUT_TEXT;
    if (!this.#isFull) return table.codeOf(source, start, end);
    const code = table.find(source, start, end);
    return code < 0 ? NOT_REMEMBERED : code;
  }

  get finding(): FileFinding | null {
    if (this.#repeats === 0) return null;
    const limit = this.#isFull ? 'at least ' : '';
    const text = `${limit}${grouped(this.#repeats)} of ${count(this.#records, 'record')} in ${count(this.#fileCount, 'file')} repeat the title and author of a record in an earlier file; both are served, since files add up`;
    return finding('repeated', text, {
      count: this.#repeats,
      advice: '--history DIR takes each file of a folder for a dump',
    });
  }
}
