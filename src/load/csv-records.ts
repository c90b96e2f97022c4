/**
 * Rows of CSV → records in batches. Cells that are values as they stand are placed where they lie, in the filler's window: a text
 * gets its quotes written over the separators around it, which nobody needs any more. Text that JSON escapes is spelt byte by
 * byte; any other cell is read from its text.
 */

import { AMPERSAND, APOSTROPHE, BACKSLASH, DELETE, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } from '../ascii.js';
import { ESCAPED_TEXT, LIST, NUMBER, TEXT } from '../batch.js';
import { type FieldKind, isList, isTextual } from '../model.js';
import { unguardFormula } from '../text.js';
import type { BatchFiller } from './batch-filler.js';
import type { Columns } from './columns.js';
import { type CsvRows, ESCAPED, NOT_JSON, QUOTED } from './csv-rows.js';
import type { CsvHeader, CsvTable } from './csv-table.js';
import type { ExtraObject } from './extra-object.js';
import { type Path, valueAt } from './paths.js';
import type { Reading } from './reading.js';
import { isReadWhole, type TextForm } from './text-forms.js';
import { isNullWord, MAX_NULL_WORD, NULL_INITIALS } from './texts.js';

const CUT_OFF = 'the file ends here, without a line break: the download was probably cut off';

/** Behind the backslash of JSON's short escapes; 0 for what needs none, `NO_SHORT` for other control characters. */
const SHORT_ESCAPES = new Uint8Array(256);
const NO_SHORT = 1;
SHORT_ESCAPES.fill(NO_SHORT, 0, SPACE);
for (const char of '"\\\b\f\n\r\t') SHORT_ESCAPES[char.charCodeAt(0)] = JSON.stringify(char).charCodeAt(2);

/** A cell of each row that feeds a field, by the path to the value in it. */
interface FedCell {
  readonly cell: number;
  readonly field: number;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly path: Path;
  readonly form: TextForm;
}

export class CsvRecords {
  readonly #filler: BatchFiller;
  readonly #rows: CsvRows;
  readonly #columns: Columns;
  readonly #header: CsvHeader;
  readonly #hasBackslashes: boolean;
  readonly #fed: readonly FedCell[];

  constructor({ columns, filler }: Pick<Reading, 'columns' | 'filler'>, rows: CsvRows, { header, dialect }: CsvTable) {
    const { model, forms } = filler;
    this.#header = header;
    this.#hasBackslashes = dialect.quotes === 'backslash';
    this.#filler = filler;
    this.#rows = rows;
    this.#columns = columns.find(header.named.map((column) => header.names[column]!));
    const { positions, paths } = this.#columns;
    this.#fed = model.fields.flatMap(({ kind, required = false }, field) => {
      const position = field === 0 && filler.givesIds ? -1 : positions[field]!;
      const cell = header.named[position];
      return cell === undefined ? [] : [{ cell, field, kind, required, path: paths[field]!, form: forms[field]! }];
    });
  }

  /** Puts the row into the batch, which has room for it. False where the order of day and month must be known first. */
  fill(mayBeCutOff: boolean): boolean {
    const filler = this.#filler;
    const refusal = this.#refusal(mayBeCutOff);
    filler.begin(this.#rows.line);
    if (refusal === undefined) {
      const scraped = this.#header.named[this.#columns.scrapedPosition];
      if (scraped !== undefined) filler.setScrapedAt(this.#rows.text(scraped));
      for (let i = 0; i < this.#fed.length; i++) if (!this.#cell(this.#fed[i]!)) return false;
      if (filler.extra) this.#keepExtra(filler.extra);
      this.#columns.records++;
    }
    filler.end(refusal);
    return true;
  }

  /** Keeps cells that feed no field, as texts; empty ones say nothing. */
  #keepExtra(extra: ExtraObject): void {
    const header = this.#header;
    const { spare, positions } = this.#columns;
    for (const [i, cell] of header.named.entries()) {
      if (!spare[i] && !(this.#filler.givesIds && positions[0] === i)) continue;
      if (!this.#rows.isEmpty(cell)) extra.add(header.names[cell]!, this.#textOf(cell));
    }
  }

  #refusal(mayBeCutOff: boolean): string | undefined {
    const { problem, cellCount } = this.#rows;
    const width = this.#header.names.length;
    const fault = this.#rows.faultAsOneOf(width);
    return fault !== undefined && problem === undefined && mayBeCutOff && cellCount < width
      ? `${fault}: ${CUT_OFF}`
      : fault;
  }

  /** False where the order of day and month must be known first. */
  #cell({ cell, field, kind, required, path, form }: FedCell): boolean {
    const rows = this.#rows;
    const filler = this.#filler;
    const { bytes } = filler.batch;
    const start = rows.starts[cell]!;
    const end = rows.ends[cell]!;
    const flags = rows.flags[cell]!;
    if (start === end && (flags === 0 || this.#header.allQuoted)) return true;
    const first = bytes[start]!;
    if (path.length > 0) return filler.set(field, valueAt(rows.text(cell), path));
    if (first === APOSTROPHE || this.#isMarked(form, start, end)) return this.#text(field, cell);
    if (isTextual(kind)) {
      if (required && !(first > SPACE && first < DELETE && end > start)) return this.#text(field, cell);
      // A list or an object may stand there, or a word for no value.
      if (first === OPEN_ARRAY || first === OPEN_OBJECT) return this.#text(field, cell);
      if (this.#isNullWord(start, end)) return this.#text(field, cell);
      if ((flags & NOT_JSON) !== 0) return this.#spell(field, cell);
      this.#placeText(field, start, end, Number.NaN);
      return true;
    }
    if (kind === 'boolean') return this.#text(field, cell);
    if (isList(kind)) {
      const isDoubled = flags === (QUOTED | ESCAPED | NOT_JSON) && !this.#hasBackslashes;
      return (isDoubled && this.#list(field, cell)) || this.#text(field, cell);
    }
    if ((flags & NOT_JSON) !== 0) return this.#text(field, cell);
    if (kind === 'date') {
      const timeMs = filler.batch.kernel.date(start, end);
      // A reading is remembered by its text alone.
      if (Number.isNaN(timeMs) && this.#columns.scrapedPosition !== -1) return this.#text(field, cell);
      if (Number.isNaN(timeMs)) return filler.setShortText(field, start - 1, end + 1);
      this.#placeText(field, start, end, timeMs);
      return true;
    }
    const number = filler.context.hasDecimalCommas ? Number.NaN : filler.batch.canonicalNumber(start, end);
    if (Number.isNaN(number) || (kind === 'integer' && !Number.isInteger(number)))
      return filler.setShortText(field, start - 1, end + 1);
    filler.place(field, NUMBER, start, end, number);
    return true;
  }

  #isNullWord(start: number, end: number): boolean {
    const { bytes } = this.#filler.batch;
    const mayBe = end - start <= MAX_NULL_WORD && NULL_INITIALS.has(bytes[start]!);
    return mayBe && isNullWord(bytes.toString('utf8', start, end));
  }

  /** Whether the text there may be another once it is read in its form. */
  #isMarked(form: TextForm, start: number, end: number): boolean {
    if (form !== 'entities') return isReadWhole(form);
    const { bytes } = this.#filler.batch;
    for (let at = start; at < end; at++) if (bytes[at] === AMPERSAND) return true;
    return false;
  }

  #placeText(field: number, start: number, end: number, timeMs: number): void {
    const { bytes } = this.#filler.batch;
    bytes[start - 1] = QUOTE;
    bytes[end] = QUOTE;
    this.#filler.place(field, TEXT, start - 1, end + 1, timeMs);
  }

  #text(field: number, cell: number): boolean {
    return this.#filler.set(field, this.#textOf(cell));
  }

  /** Only our own exports guard texts: the apostrophe of any other file is part of its text. */
  #textOf(cell: number): string {
    const text = this.#rows.text(cell);
    return this.#filler.context.isOwn === true ? unguardFormula(text) : text;
  }

  /** Writes a text with JSON's escapes in place of those of CSV. */
  #spell(field: number, cell: number): boolean {
    const { starts, ends, flags } = this.#rows;
    const end = ends[cell]!;
    const isQuoted = (flags[cell]! & QUOTED) !== 0;
    const hasBackslashes = this.#hasBackslashes && (flags[cell]! & ESCAPED) !== 0;
    // A short escape takes two bytes.
    const start = this.#filler.makeRoom(2 * (end - starts[cell]!) + 2);
    const { bytes } = this.#filler.batch;
    let to = start;
    bytes[to++] = QUOTE;
    for (let at = starts[cell]!; at < end; ) {
      const byte = bytes[at++]!;
      const letter = SHORT_ESCAPES[byte]!;
      if (letter === 0) {
        bytes[to++] = byte;
        continue;
      }
      if (letter === NO_SHORT) return this.#text(field, cell);
      let escaped = letter;
      // A quote inside quotes is one of two.
      if (byte === QUOTE && isQuoted) at++;
      else if (byte === BACKSLASH && hasBackslashes && (bytes[at] === QUOTE || bytes[at] === BACKSLASH))
        escaped = bytes[at++]!;
      bytes[to++] = BACKSLASH;
      bytes[to++] = escaped;
    }
    bytes[to++] = QUOTE;
    this.#filler.keep(to);
    this.#filler.place(field, ESCAPED_TEXT, start, to, Number.NaN);
    return true;
  }

  /** Writes a list without CSV's doubled quotes; false where it is no list of strings in its canonical spelling. */
  #list(field: number, cell: number): boolean {
    const { starts, ends } = this.#rows;
    const filler = this.#filler;
    const end = ends[cell]!;
    const start = filler.makeRoom(end - starts[cell]!);
    const { bytes, kernel } = filler.batch;
    let to = start;
    for (let at = starts[cell]!; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) at++;
      bytes[to++] = byte;
    }
    if (bytes[start] !== OPEN_ARRAY || kernel.list(start, to) !== to) return false;
    filler.keep(to);
    filler.place(field, LIST, start, to, Number.NaN);
    return true;
  }
}
