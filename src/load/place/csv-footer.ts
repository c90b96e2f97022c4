/**
 * Rows at the end of a table that may be notes or totals. They are read as records, which the report tells, since only a reader knows.
 *
 *     name,price,stock
 *     Tea,1.50,3
 *     Total,1.50,3
 *     Source: Office,,
 */
import { words } from '../../text.js';
import type { CsvRows } from './csv-rows.js';

const TOTAL_LABELS = words(
  'total totals subtotal sum average mean summe summen gesamt gesamtsumme insgesamt durchschnitt somme moyenne suma promedio totale somma media soma totaal gemiddelde totalt summa sumă razem celkem összesen yhteensä ukupno toplam итого всего сумма 合計 合计 总计 總計 합계 계',
);
const TOTALS = new RegExp(`^\\s*(?:grand )?(?:${TOTAL_LABELS.join('|')})(?:\\s\\p{L}+){0,2}\\s*:?\\s*$`, 'iu');
const MAX_LABEL_BYTES = 24;
/** The bytes with which these labels begin, by which most texts are told to be none before they are decoded. */
const LABEL_INITIALS: ReadonlySet<number> = new Set(
  [...TOTAL_LABELS, 'grand'].flatMap((label) => [Buffer.from(label)[0]!, Buffer.from(label.toUpperCase())[0]!]),
);

/** No table has more rows below it: further ones are records with one value each. */
const MAX_FOOTER_ROWS = 20;

/** Finds the rows at the end of a table that may be no records of it. */
export class TableFooter {
  #hasNote = false;
  #haveOthersOneValue = false;
  /** The lines of such rows behind the last record. */
  lines: number[] = [];

  /** Takes a row that is a record. */
  add(rows: CsvRows): void {
    const isNote = !this.#haveOthersOneValue && hasOneValue(rows);
    this.#hasNote ||= isNote;
    if ((isNote || isTotals(rows)) && this.lines.length < MAX_FOOTER_ROWS) {
      this.lines.push(rows.line);
      return;
    }
    this.#haveOthersOneValue = this.#hasNote;
    if (this.lines.length > 0) this.lines = [];
  }
}

/** Whether the first cell of several is the only one with a value. */
function hasOneValue(rows: CsvRows): boolean {
  if (rows.cellCount === 1) return false;
  for (let cell = 1; cell < rows.cellCount; cell++) if (rows.starts[cell] !== rows.ends[cell]) return false;
  return true;
}

/** Whether the first cell with a value is a label of totals: `Total,4.00,7`, `,TOTAL,4.00`. */
function isTotals(rows: CsvRows): boolean {
  let cell = 0;
  while (cell < rows.cellCount - 1 && rows.starts[cell] === rows.ends[cell]) cell++;
  const start = rows.starts[cell]!;
  const mayBeLabel = rows.ends[cell]! - start <= MAX_LABEL_BYTES && LABEL_INITIALS.has(rows.bytes[start]!);
  return mayBeLabel && TOTALS.test(rows.text(cell));
}
