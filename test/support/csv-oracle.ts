/** CSV text → rows of strings, by plain means: what the reader of bytes is held to. */
import type { CsvDialect } from '../../src/load/place/csv-rows.js';
export interface PlainRow {
  readonly line: number;
  /** Null where nothing stands between separators, not even quotes. */
  readonly cells: readonly (string | null)[];
  /** What is wrong with it, if anything is. */
  readonly problem?: string;
}

export function plainRows(text: string, dialect: CsvDialect): readonly PlainRow[] {
  const rows: PlainRow[] = [];
  let rest = text;
  for (let line = 1; rest !== ''; ) {
    const { cells, length, breaks, problem } = plainRow(rest, dialect);
    if (problem || cells.length > 1 || cells[0] !== null) rows.push({ line, cells, ...(problem && { problem }) });
    rest = rest.slice(length);
    line += breaks;
  }
  return rows;
}

/** The row with which a text begins; only its first line where it has a fault. */
function plainRow(text: string, { delimiter, quotes, isSpaced }: CsvDialect) {
  const withFault = (problem: string) => ({ cells, breaks: 1, length: firstLine(text).length, problem });
  const quote = quotes === 'single' ? "'" : '"';
  const escapes = quotes === 'backslash' ? /""|\\["\\]/g : new RegExp(quote + quote, 'g');
  const cells: (string | null)[] = [];
  let breaks = 1;
  let at = 0;
  const restOfCell = (): string => {
    let end = at;
    while (end < text.length && ![delimiter, '\r', '\n'].includes(text.charAt(end))) end++;
    return text.slice(at, end);
  };
  for (;;) {
    if (isSpaced === true) while (text.charAt(at) === ' ') at++;
    if (text.charAt(at) === quote && quotes !== 'none') {
      // Escapes are blotted out, so that the first quote left is the closing one.
      const length = text
        .slice(at + 1)
        .replace(escapes, '..')
        .indexOf(quote);
      if (length === -1) return withFault('a quoted cell of the row never ends: a closing quote is missing');
      const raw = text.slice(at + 1, at + 1 + length);
      cells.push(textOfFormula(raw, raw.search(escapes) !== -1).replace(escapes, (pair) => pair.charAt(1)));
      breaks += raw.split('\n').length - 1;
      at += length + 2;
      const behind = restOfCell().replace(/^ +/, '');
      if (behind !== '')
        return withFault(
          `expected a separator behind the closing quote of cell ${cells.length}, found ${JSON.stringify(behind.slice(0, 20))}`,
        );
    } else cells.push(textOfFormula(restOfCell(), false) || null);
    at += restOfCell().length;
    if (text.charAt(at) !== delimiter)
      return { cells, breaks, length: at + firstLine(text.slice(at)).length, problem: undefined };
    at++;
  }
}

/** `00123` of `="00123"`, as a spreadsheet keeps the zeros of a code; in a quoted cell the quotes are doubled. Any other cell is its own text. */
const textOfFormula = (cell: string, isEscaped: boolean): string =>
  (isEscaped ? /^=""([^"]*)""$/ : /^="([^"]*)"$/).exec(cell)?.[1] ?? cell;

/** With its line break. */
const firstLine = (text: string): string => /^[^\r\n]*(?:\r\n|\r|\n|$)/.exec(text)?.[0] ?? '';
