/**
 * Rows below a table that are no records of it: notes, and totals. A row may be one only at the end of its file, so it is held back until a
 * record follows it, or none does.
 *
 *     name,price,stock
 *     Tea,1.50,3
 *     Total,1.50,3        of several records: the binder compares it with their sums
 *     Rye,2.50,4          so that `Total` was a record
 *     Source: Office,,    a note
 */
import type { CsvRows } from './csv-rows.js';

/** A row of a table's end. `isSure`: it is a note by its place or by what it says, and else may be a record of which only the title is known. */
export interface FooterRow {
  readonly kind: 'note' | 'totals';
  readonly isSure: boolean;
}

/** No table has more rows below it: further ones are records with one value each. */
export const MAX_FOOTER_ROWS = 20;

/** Lines of the rows at the end of a table: those that may be no records, and were read as such, and those of notes, which were left out. */
export interface FooterLines {
  readonly served: readonly number[];
  readonly notes: readonly number[];
}

/** The label of a row of totals or means: its numbers prove that it is one. */
const TOTAL_LABELS =
  'total totals grand_total subtotal sum average mean summe summen gesamt gesamtsumme insgesamt durchschnitt mittelwert total_général somme moyenne suma promedio totale somma media soma totaal gemiddelde i_alt totalt summa sumă razem celkem összesen yhteensä ukupno toplam итого всего сумма 合計 合计 总计 總計 합계 계'
    .split(' ')
    .map((label) => label.replace('_', ' '));
const TOTALS_LABEL = new RegExp(`^(?:${TOTAL_LABELS.join('|')})(?:\\s\\p{L}+){0,2}\\s*:?$`, 'iu');
const MAX_LABEL_BYTES = 24;
/** The first three bytes at a position, whatever the case of ASCII letters. */
const beginningAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]! | 0x202020;
/** How these labels begin, by which most texts are told to be none before they are decoded. */
const LABEL_BEGINNINGS: ReadonlySet<number> = new Set(
  TOTAL_LABELS.flatMap((label) => [label, label.toUpperCase()].map((text) => beginningAt(Buffer.from(text), 0))),
);
/** Signs of footnotes, and words before a source or a time: `* estimated`, `(p) provisional`, `1) …`, `Stand: 01.03.2024`, `© Office`. */
const FOOTNOTE =
  /^(?:[*†‡§¹²³©]|[(（]\p{L}{1,2}[)）]|\d{1,2}\)|(?:sources?|notes?|footnotes?|last updated|updated|as of|generated|exported|downloaded|copyright|data from|quellen?|stand|hinweise?|anmerkung(?:en)?|erstellt|abgerufen|fuentes?|notas?|actualizado|fonti?|fontes?|bron(?:nen)?|bijgewerkt|źródło|zdroj|källa|kilde|lähde|forrás|kaynak|источник|примечание|资料来源|来源|出典|注|出所)(?!\p{L})(?=.*[:：\d]))/iu;

/** Tells the rows that may stand below a table. */
export class TableFooter {
  readonly #columns: number;
  #nextLine = 0;
  #isBehindGap = false;
  #haveRecordsOneValue = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Takes the rows of a file one after the other; undefined of one that is a record in any case. */
  rowOf(rows: CsvRows): FooterRow | undefined {
    const isGap = this.#nextLine > 0 && rows.line > this.#nextLine;
    this.#nextLine = rows.nextLine;
    if (rows.isBlank || isGap) this.#isBehindGap = true;
    if (rows.isBlank || this.#columns === 1) return undefined;
    const first = firstFilled(rows);
    if (first === 0 && !this.#haveRecordsOneValue && hasOneValue(rows))
      return { kind: 'note', isSure: this.#isBehindGap || FOOTNOTE.test(rows.text(0).trim()) };
    const start = rows.starts[first]!;
    const mayBeLabel =
      rows.ends[first]! - start <= MAX_LABEL_BYTES && LABEL_BEGINNINGS.has(beginningAt(rows.bytes, start));
    if (mayBeLabel && TOTALS_LABEL.test(rows.text(first).trim())) return { kind: 'totals', isSure: false };
    this.#isBehindGap = false;
    return undefined;
  }

  /** Says that rows held back are records after all: then others with one value may be records too. */
  release(held: readonly FooterRow[]): void {
    this.#haveRecordsOneValue ||= held.some(({ kind }) => kind === 'note');
  }
}

/** The first cell with a value, else the last one. */
function firstFilled(rows: CsvRows): number {
  let cell = 0;
  while (cell < rows.cellCount - 1 && rows.starts[cell] === rows.ends[cell]) cell++;
  return cell;
}

/** Whether no cell behind the first has a value. */
function hasOneValue(rows: CsvRows): boolean {
  for (let cell = 1; cell < rows.cellCount; cell++) if (rows.starts[cell] !== rows.ends[cell]) return false;
  return true;
}
