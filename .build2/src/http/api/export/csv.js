/** Records as lines of CSV (RFC 4180). */
import { createRequire } from 'node:module';
import { FORMULA } from '../../../text.js';
import { parseRecord } from '../project.js';
/** Loaded with the first CSV: every start would take a hundredth of a second longer. */
let loaded;
const load = () => createRequire(import.meta.url)('papaparse');
/** The header's line if it is asked for, then one line a record. */
export function csvLines(columns, records, withHeader) {
    const rows = records.map((record) => cells(record, columns));
    if (withHeader)
        rows.unshift(columns);
    return csvText(rows);
}
export function csvText(rows) {
    // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
    loaded ??= load();
    const csv = loaded.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
    return `${csv}\r\n`;
}
/** A record's cells in column order; a list is its JSON text, in one cell. */
function cells(record, columns) {
    const values = parseRecord(record);
    return columns.map((name) => (Array.isArray(values[name]) ? JSON.stringify(values[name]) : values[name]));
}
