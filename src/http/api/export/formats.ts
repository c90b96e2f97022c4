/** What stands in a file of each format: before its items, for some of them, and behind the last. */
import { createRequire } from 'node:module';
import type Papa from 'papaparse';
import type { ExportFormat } from '../../../query/parameters.js';
import { FORMULA } from '../../../text.js';
import type { Download } from '../../response.js';

type Rows = readonly (readonly unknown[])[];

export interface Content<Item> {
  readonly json: (item: Item) => string;
  readonly columns: readonly string[];
  readonly rows: (item: Item) => Rows;
}

export const OPENING = '[\n';
/** In place of the separator behind the last of so many. */
export const closing = (length: number): string => (length === 0 ? ']\n' : '\n]\n');

/** By this mark spreadsheets know that a CSV file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** A download of unknown length; each of `chunks` is made when it is asked for. `withMark` is for CSV. */
export function downloadOf<Item>(
  format: ExportFormat,
  { json, columns, rows }: Content<Item>,
  chunks: () => Iterable<readonly Item[]>,
  withMark = false,
): Download {
  const before = { json: OPENING, ndjson: '', csv: `${withMark ? BYTE_ORDER_MARK : ''}${csvText([columns])}` };
  const writers = {
    json: (items: readonly Item[], isFirst: boolean) => `${isFirst ? '' : ',\n'}${items.map(json).join(',\n')}`,
    ndjson: (items: readonly Item[]) => items.map((item) => `${json(item)}\n`).join(''),
    csv(items: readonly Item[]) {
      const lines: (readonly unknown[])[] = [];
      for (const item of items) lines.push(...rows(item));
      return csvText(lines);
    },
  };
  return {
    size: null,
    *chunks() {
      let text = before[format];
      let length = 0;
      for (const items of chunks()) {
        yield Buffer.from(text + writers[format](items, length === 0));
        text = '';
        length += items.length;
      }
      if (format === 'json') text += closing(length);
      if (text !== '') yield Buffer.from(text);
    },
  };
}

/** Loaded with the first CSV: every start would take a hundredth of a second longer. */
let loaded: typeof Papa | undefined;
const load = (): typeof Papa => createRequire(import.meta.url)('papaparse');

/** Lines of RFC 4180; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
function csvText(rows: Rows): string {
  // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
  loaded ??= load();
  const csv = loaded.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
  return `${csv}\r\n`;
}
