/** The file formats of downloads: the text before the items, of each item, and after the last one. */
import Papa from 'papaparse';
import type { ExportFormat } from '../../../query/parameters.js';
import { FORMULA } from '../../../text.js';
import { type Download, JSON_TYPE } from '../../response.js';

type Rows = readonly (readonly unknown[])[];

export interface ItemFormat<Item> {
  readonly json: (item: Item) => string;
  readonly columns: readonly string[];
  readonly rows: (item: Item) => Rows;
}

/** The text before, between and after the records of a JSON or NDJSON file; `closing` takes their number. */
export interface Framing {
  readonly opening: string;
  readonly separator: string;
  readonly closing: (length: number) => string;
}

interface Format {
  readonly type: string;
  /** Null where the records are no JSON. */
  readonly framing: Framing | null;
}

const json: Framing = { opening: '[\n', separator: ',\n', closing: (length) => (length === 0 ? ']\n' : '\n]\n') };
const ndjson: Framing = { opening: '', separator: '\n', closing: (length) => (length === 0 ? '' : '\n') };

export const formats: Readonly<Record<ExportFormat, Format>> = {
  json: { type: JSON_TYPE, framing: json },
  csv: { type: 'text/csv; charset=utf-8; header=present', framing: null },
  ndjson: { type: 'application/x-ndjson', framing: ndjson },
};

/** `text/csv`, without the parameters of the type. */
export const mediaTypeOf = (format: ExportFormat): string => formats[format].type.replace(/;.*/, '');

/** Spreadsheets recognise UTF-8 in a CSV file by this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** A download of unknown length, whose chunks are made as the client reads. Only CSV heeds `withMark`. */
export function downloadOf<Item>(
  format: ExportFormat,
  content: ItemFormat<Item>,
  chunks: () => Iterable<readonly Item[]>,
  withMark = false,
): Download {
  const { framing } = formats[format];
  const write = framing === null ? csvOf(content, chunks, withMark) : jsonTextsOf(framing, content, chunks);
  return { size: null, chunks: () => write() };
}

const jsonTextsOf = <Item>(
  { opening, separator, closing }: Framing,
  { json }: ItemFormat<Item>,
  chunks: () => Iterable<readonly Item[]>,
) =>
  function* (): Iterable<Buffer<ArrayBuffer>> {
    let length = 0;
    for (const items of chunks()) {
      yield Buffer.from((length === 0 ? opening : separator) + items.map(json).join(separator));
      length += items.length;
    }
    yield Buffer.from((length === 0 ? opening : '') + closing(length));
  };

const csvOf = <Item>({ columns, rows }: ItemFormat<Item>, chunks: () => Iterable<readonly Item[]>, withMark: boolean) =>
  function* (): Iterable<Buffer<ArrayBuffer>> {
    yield Buffer.from(`${withMark ? BYTE_ORDER_MARK : ''}${csvText([columns])}`);
    for (const items of chunks()) yield Buffer.from(csvText(items.flatMap(rows)));
  };

/** Lines of RFC 4180; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
function csvText(rows: Rows): string {
  // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
  const csv = Papa.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
  return `${csv}\r\n`;
}
