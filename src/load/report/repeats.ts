/**
 * Counts the records of files without ids that other files of their collection have as well, told by title and author. Such files
 * add up, so that each of these records is served more than once.
 *
 *     shop-monday.csv: Tea,4    shop-tuesday.csv: Tea,5    one record repeats
 */
import { cellOf, type RecordBatch, textOf } from '../../batch.js';
import { type CollectionModel, roleIndex } from '../../model.js';
import { count, grouped } from '../../text.js';
import { type FileFinding, finding } from './findings.js';

/** Different titles and authors that are remembered: some 200 MB. Repeats of further ones are not counted. */
const MAX_REMEMBERED = 1 << 20;

export class RepeatCounter {
  readonly #title: number;
  readonly #author: number;
  readonly #maxRemembered: number;
  /** By title and author: the number of the first file that has them. */
  readonly #files = new Map<string, number>();
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
    const textIn = (field: number, record: number): string =>
      field < 0 ? '' : (textOf(batch, cellOf(field, record)) ?? '');
    for (let record = 0; record < batch.size; record++) {
      const title = textIn(this.#title, record);
      if (title === '') continue;
      this.#records++;
      const key = `${title}\0${textIn(this.#author, record)}`;
      const firstFile = this.#files.get(key);
      if (firstFile === undefined && !this.#isFull) this.#files.set(key, this.#fileCount);
      if (firstFile !== undefined && firstFile !== this.#fileCount) this.#repeats++;
    }
  }

  get #isFull(): boolean {
    return this.#files.size >= this.#maxRemembered;
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
