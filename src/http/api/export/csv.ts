/** Records as lines of CSV (RFC 4180). */
import { createRequire } from 'node:module';
import type Papa from 'papaparse';
import { parseRecord } from '../../../store/record-values.js';
import { FORMULA } from '../../../text.js';

/** Loaded with the first CSV: every start would take a hundredth of a second longer. */
let loaded: typeof Papa | undefined;
const load = (): typeof Papa => createRequire(import.meta.url)('papaparse');

/** The header's line if it is asked for, then one line a record. */
export function csvLines(columns: readonly string[], records: readonly Buffer[], withHeader: boolean): string {
  const rows: (readonly unknown[])[] = records.map((record) => cells(record, columns));
  if (withHeader) rows.unshift(columns);
  return csvText(rows);
}

export function csvText(rows: readonly (readonly unknown[])[]): string {
  // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
  loaded ??= load();
  const csv = loaded.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
  return `${csv}\r\n`;
}

/** A record's cells in column order; a list is its JSON text, in one cell. */
function cells(record: Buffer, columns: readonly string[]): unknown[] {
  const values = parseRecord(record);
  return columns.map((name) => (Array.isArray(values[name]) ? JSON.stringify(values[name]) : values[name]));
}
