/**
 * CSV text → rows, as RFC 4180 has it, in pieces of any size. It tells an empty cell (null) from a quoted empty one (""), which our
 * export needs to read back what it wrote, knows the line of every row, and takes any line ending anywhere: papaparse, to which
 * the tests hold it, does none of the three. It holds a piece and the longest row.
 */

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly (string | null)[];
  /** Cells that stood in quotes. */
  readonly quoted: number;
  /** What is wrong with it, if anything is. */
  readonly problem?: string;
}

const QUOTE = 34;
const CR = 13;
const LF = 10;
const SPACE = 32;

export class CsvRows {
  /** The line of the first row not yet handed on. */
  line = 1;
  readonly #delimiter: number;
  #text = '';
  #pending: string[] = [];
  #pendingChars = 0;
  // Of the row that is being read:
  #cells: (string | null)[] = [];
  #quoted = 0;
  #breaks = 0;
  #problem: string | undefined;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The rows that end in the text so far. */
  feed(text: string): readonly CsvRow[] {
    this.#pending.push(text);
    this.#pendingChars += text.length;
    // A row longer than a piece is begun anew only when the text has doubled.
    return this.#pendingChars < this.#text.length ? [] : this.#rows(false);
  }

  /** The last rows; `open` where the text ends inside a quoted cell. */
  finish(): { readonly rows: readonly CsvRow[]; readonly open: boolean } {
    const rows = this.#rows(true);
    return { rows, open: this.#text !== '' };
  }

  #rows(isLast: boolean): readonly CsvRow[] {
    const text = this.#text + this.#pending.join('');
    this.#pending = [];
    this.#pendingChars = 0;
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length) {
      const next = this.#row(text, at, isLast);
      if (next === -1) break;
      if (this.#cells.length > 1 || this.#cells[0] !== null) rows.push(this.#finished());
      this.line += this.#breaks + 1;
      at = next;
    }
    this.#text = text.slice(at);
    return rows;
  }

  #finished(): CsvRow {
    const row = { line: this.line, cells: this.#cells, quoted: this.#quoted };
    return this.#problem === undefined ? row : { ...row, problem: this.#problem };
  }

  /** Reads one row; where the next begins, or -1 where this one does not end in the text. */
  #row(text: string, from: number, isLast: boolean): number {
    this.#cells = [];
    this.#quoted = 0;
    this.#breaks = 0;
    this.#problem = undefined;
    let at = from;
    for (;;) {
      at = text.charCodeAt(at) === QUOTE ? this.#quotedCell(text, at) : this.#bareCell(text, at);
      if (at === -1) return -1;
      const end = text.charCodeAt(at);
      if (at >= text.length) return isLast ? at : -1;
      if (end === CR) {
        if (at + 1 === text.length && !isLast) return -1;
        return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
      }
      if (end === LF) return at + 1;
      at++;
    }
  }

  #bareCell(text: string, from: number): number {
    const at = this.#cellEnd(text, from);
    this.#cells.push(at === from ? null : text.slice(from, at));
    return at;
  }

  #cellEnd(text: string, from: number): number {
    const delimiter = this.#delimiter;
    let at = from;
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === delimiter || char === LF || char === CR) break;
    }
    return at;
  }

  #quotedCell(text: string, from: number): number {
    let quote = text.indexOf('"', from + 1);
    let hasQuotes = false;
    while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) {
      hasQuotes = true;
      quote = text.indexOf('"', quote + 2);
    }
    if (quote === -1) return -1;
    const raw = text.slice(from + 1, quote);
    this.#cells.push(hasQuotes ? raw.replaceAll('""', '"') : raw);
    this.#quoted++;
    for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) this.#breaks++;
    return this.#behindQuote(text, quote + 1);
  }

  /** Spaces may stand behind a quoted cell; anything else is a fault of this row alone. */
  #behindQuote(text: string, from: number): number {
    const end = this.#cellEnd(text, from);
    let at = from;
    while (at < end && text.charCodeAt(at) === SPACE) at++;
    if (at < end)
      this.#problem ??= `expected a separator behind the closing quote of cell ${this.#cells.length}, found ${JSON.stringify(text.slice(at, Math.min(end, at + 20)))}`;
    return end;
  }
}

/** The separator that a header uses most: a comma, or what spreadsheets of other countries write. */
export function findDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const uses = (sign: string) => bare.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (uses(sign) > uses(best) ? sign : best));
}
