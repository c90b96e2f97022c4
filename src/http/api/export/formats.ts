/** The file formats of downloads: the text before the items, of each item, and after the last one. */
import Papa from 'papaparse';
import type { ExportFormat } from '../../../query/parameters.js';
import type { CsvForm } from '../../../query/request.js';
import { guardFormula } from '../../../text.js';
import { JSON_TYPE } from '../../response.js';
import { percentEncode } from '../../semantics/percent.js';

type Rows = readonly (readonly unknown[])[];

/** The text before, between and after the records of a file; `closing` depends on whether it has any. */
export interface Framing {
  readonly opening: string;
  readonly separator: string;
  readonly closing: (isEmpty: boolean) => string;
}

const json: Framing = { opening: '[\n', separator: ',\n', closing: (isEmpty) => (isEmpty ? ']\n' : '\n]\n') };
const ndjson: Framing = { opening: '', separator: '\n', closing: (isEmpty) => (isEmpty ? '' : '\n') };

/** `framing` is null where the records are no JSON. */
export const formats: Readonly<Record<ExportFormat, { readonly type: string; readonly framing: Framing | null }>> = {
  json: { type: JSON_TYPE, framing: json },
  csv: { type: 'text/csv; charset=utf-8; header=present', framing: null },
  ndjson: { type: 'application/x-ndjson', framing: ndjson },
};

/** `text/csv`, without the parameters of the type. */
export const mediaTypeOf = (format: ExportFormat): string => formats[format].type.replace(/;.*/, '');

/** The name of a file (RFC 6266): one that is no ASCII is given in its encoding. */
export const disposition = (kind: 'attachment' | 'inline', name: string): string =>
  /^[\0-\x7f]*$/.test(name) ? `${kind}; filename="${name}"` : `${kind}; filename*=UTF-8''${percentEncode(name)}`;

/** Spreadsheets recognise UTF-8 in a CSV file by this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** The line of names, and nothing between the lines of records. */
export const csvFraming = (columns: readonly string[], form: CsvForm): Framing => ({
  opening: `${form.hasMark ? BYTE_ORDER_MARK : ''}${csvText([columns], form)}`,
  separator: '',
  closing: () => '',
});

/** Lines of RFC 4180; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
export function csvText(rows: Rows, { delimiter, isGuarded }: CsvForm): string {
  const guarded = isGuarded
    ? rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guardFormula(cell) : cell)))
    : rows.map((cells) => [...cells]);
  // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
  const csv = Papa.unparse(guarded, {
    newline: '\r\n',
    delimiter,
    quotes: (cell) => typeof cell === 'string' && (cell === '' || cell.startsWith("'")),
  });
  return `${csv}\r\n`;
}
