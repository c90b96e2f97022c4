/** A page of a list as the bytes of its envelope. Records are copied from the store, and not serialised again. */

import { COMMA } from '../../kernels/ascii.js';
import type { CollectionModel } from '../../model.js';
import type { Page, Paging } from '../../query/query.js';
import type { Collection } from '../../store/collection.js';
import { Projection } from '../../store/projection.js';
import { copyRecord, recordBytes, recordJson } from '../../store/record-text.js';
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

/**
 * A page of list items, or of records with the requested fields; of a search with its highlights and suggestion. Bytes are
 * joined, and no texts: 1000 long records may be more than the longest text of the engine, 512 MB.
 */
export function pageBody(
  collection: Collection,
  { rows, total }: Page,
  paging: Paging,
  envelope: Envelope,
  fields: readonly string[] | null,
  extras: SearchExtras = NO_EXTRAS,
): Uint8Array<ArrayBuffer> {
  const { highlighter, suggestion } = extras;
  const suggestionMember = suggestion === undefined ? '' : `"suggestion":${JSON.stringify(suggestion)},`;
  const end = `],${suggestionMember}${pageNumbers(total, paging, envelope)}}`;
  if (fields === null && highlighter === null) return itemsBody(collection, rows, end);
  const { model, text } = collection;
  const isWhole = fields !== null && isWholeRecord(model, fields);
  const bytesOf = (row: number): Buffer => {
    const record = recordJson(text, row, 'whole');
    const json =
      fields === null ? recordJson(text, row, 'item') : isWhole ? record : projectRecord(model, record, fields);
    return highlighter === null
      ? json
      : Buffer.from(withHighlight(json.toString(), model, parseRecord(record), highlighter));
  };
  const pieces: Buffer[] = [Buffer.from(OPENING)];
  for (let i = 0; i < rows.length; i++) pieces.push(...(i === 0 ? [] : [SEPARATING_COMMA]), bytesOf(rows[i]!));
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

const SEPARATING_COMMA = Buffer.from(',');

/** List items in their envelope; `end` is its text from the list's closing bracket on. */
export function itemsBody({ text }: Collection, rows: ArrayLike<number>, end: string): Uint8Array<ArrayBuffer> {
  // A suggestion repeats words of the request, which may be of any script.
  const endBytes = Buffer.from(end);
  let bytes = OPENING.length + endBytes.length;
  for (let i = 0; i < rows.length; i++) bytes += recordBytes(text, rows[i]!, 'item') + 1;
  const body = Buffer.allocUnsafe(bytes);
  let at = body.write(OPENING);
  for (let i = 0; i < rows.length; i++) {
    at = copyRecord(text, rows[i]!, 'item', body, at);
    body[at++] = COMMA;
  }
  // The end is written over the last item's comma.
  const itemsEnd = rows.length === 0 ? at : at - 1;
  return body.subarray(0, itemsEnd + endBytes.copy(body, itemsEnd));
}

/** Whether these fields are all that records have: then the stored text is their JSON. */
export const isWholeRecord = (model: CollectionModel, fields: readonly string[]): boolean =>
  fields.length === model.fields.length;

/** The record with these fields, in the order given; a list that it lacks is left out. */
export const projectRecord = (model: CollectionModel, record: Buffer, fields: readonly string[]): Buffer<ArrayBuffer> =>
  projectionOf(fields, model).bytesOf(record);

/** The projection to a list of fields, for as long as the list lives: that of a request has many records. */
const projectionOf = memoize((fields: readonly string[], model: CollectionModel) => new Projection(model, fields));
