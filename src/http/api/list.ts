/** A page of a list as the bytes of its envelope. Records are copied from the store, and not serialised again. */
import type { CollectionModel } from '../../model.js';
import type { Page, Paging } from '../../query/query.js';
import type { Collection } from '../../store/collection.js';
import { Projection } from '../../store/projection.js';
import { copyItems, itemOf, itemsBytes, recordJson } from '../../store/record-text.js';
import { parseRecord } from '../../store/record-values.js';
import { memoize } from '../memoize.js';
import type { Envelope } from '../options.js';
import { NO_EXTRAS, type SearchExtras, withHighlight } from './search-page.js';

const OPENING = '{"data":[';

/** The member with the page's numbers, in the names of the envelope. */
export function pageNumbers(total: number, { page, limit }: Paging, envelope: Envelope): string {
  const pages = Math.ceil(total / limit);
  return envelope === 'pagination'
    ? `"pagination":{"total":${total},"page":${page},"limit":${limit},"totalPages":${pages}}`
    : `"meta":{"current_page":${page},"per_page":${limit},"total_items":${total},"total_pages":${pages}}`;
}

/** A page of list items, or of records with the requested fields; of a search with its highlights and suggestion. */
export function pageBody(
  collection: Collection,
  { rows, total }: Page,
  paging: Paging,
  envelope: Envelope,
  fields: readonly string[] | null,
  extras: SearchExtras = NO_EXTRAS,
): Uint8Array<ArrayBuffer> | string {
  const { highlighter, suggestion } = extras;
  const suggestionMember = suggestion === undefined ? '' : `"suggestion":${JSON.stringify(suggestion)},`;
  const end = `],${suggestionMember}${pageNumbers(total, paging, envelope)}}`;
  if (fields === null && highlighter === null) return itemsBody(collection, rows, end);
  const { model, text } = collection;
  const isWhole = fields !== null && isWholeRecord(model, fields);
  const jsonOf = (record: Buffer, row: number): string => {
    if (fields === null) return itemOf(text, row).toString();
    return isWhole ? record.toString() : projectJson(model, record, fields);
  };
  const records = Array.from(rows, (row) => {
    const record = recordJson(text, row);
    const json = jsonOf(record, row);
    return highlighter === null ? json : withHighlight(json, model, parseRecord(record), highlighter);
  });
  return `${OPENING}${records.join(',')}${end}`;
}

/** List items in their envelope; `end` is its text from the list's closing bracket on. */
export function itemsBody({ text }: Collection, rows: ArrayLike<number>, end: string): Uint8Array<ArrayBuffer> {
  // The end is written over the last item's comma.
  const body = Buffer.allocUnsafe(OPENING.length + itemsBytes(text, rows) + rows.length + end.length);
  const at = copyItems(text, rows, body, body.write(OPENING, 'latin1'));
  const length = rows.length === 0 ? at : at - 1;
  return body.subarray(0, length + body.write(end, length, 'latin1'));
}

/** Whether these fields are all that records have: then the stored text is their JSON. */
export const isWholeRecord = (model: CollectionModel, fields: readonly string[]): boolean =>
  fields.length === model.fields.length;

/** JSON text of the record with these fields, in the order given; a list that it lacks is left out. */
export const projectJson = (model: CollectionModel, record: Buffer, fields: readonly string[]): string =>
  projectionOf(fields, model).bytesOf(record).toString();

/** The projection to a list of fields, for as long as the list lives: that of a request has many records. */
const projectionOf = memoize((fields: readonly string[], model: CollectionModel) => new Projection(model, fields));
