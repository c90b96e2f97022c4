/** A page of a list as the bytes of its envelope. Records are copied from where the engine has them, and not serialised again. */
import type { CollectionModel } from '../../model.js';
import type { RecordPage, RecordShape } from '../../query/engine.js';
import type { Paging } from '../../query/query.js';
import { Projection } from '../../store/projection.js';
import type { Extent } from '../../store/record-text.js';
import { parseRecord } from '../../store/record-values.js';
import type { Highlighter } from '../highlight/highlight.js';
import { memoize } from '../memoize.js';
import type { Envelope } from '../options.js';
import { withHighlight } from './search-page.js';

export const LIST_OPENING = '{"data":[';

/** The member with the page's numbers, in the names of the envelope. */
function pageNumbers(total: number, { page, limit }: Paging, envelope: Envelope): string {
  const pages = Math.ceil(total / limit);
  return envelope === 'pagination'
    ? `"pagination":{"total":${total},"page":${page},"limit":${limit},"totalPages":${pages}}`
    : `"meta":{"current_page":${page},"per_page":${limit},"total_items":${total},"total_pages":${pages}}`;
}

/** The envelope of a page. The suggestion is undefined unless it was asked for, and null if the words need no correction. */
export function pageBody(
  { total, joined }: RecordPage,
  paging: Paging,
  envelope: Envelope,
  shape?: RecordShape,
  suggestion?: string | null,
): Uint8Array<ArrayBuffer> {
  const suggestionMember = suggestion === undefined ? '' : `"suggestion":${JSON.stringify(suggestion)},`;
  return joined(LIST_OPENING, `],${suggestionMember}${pageNumbers(total, paging, envelope)}}`, shape);
}

/** How much of a record an engine gives for a request, and what is made of it; undefined where it is shown as it is. */
interface ShownRecords {
  readonly extent: Extent;
  readonly shape: RecordShape | undefined;
}

/** `usual` is shown where a request names no fields. A highlight is told by all fields of a record. */
export function shownRecords(
  model: CollectionModel,
  fields: readonly string[] | null,
  usual: Extent,
  highlighter: Highlighter | null = null,
): ShownRecords {
  if (highlighter === null && fields === null) return { extent: usual, shape: undefined };
  const names = fields ?? itemFields(model);
  const project: RecordShape | undefined = isWholeRecord(model, names)
    ? undefined
    : (json) => projectionOf(names, model).bytesOf(json);
  if (highlighter === null) return { extent: 'whole', shape: project };
  const shape: RecordShape = (json) =>
    Buffer.from(withHighlight((project?.(json) ?? json).toString(), model, parseRecord(json), highlighter));
  return { extent: 'whole', shape };
}

const itemFields = memoize(({ fields }: CollectionModel): readonly string[] =>
  fields.filter(({ detailOnly, onRequest }) => !detailOnly && !onRequest).map(({ name }) => name),
);

/** Whether these fields are all that records have: then the stored text is their JSON. */
export const isWholeRecord = (model: CollectionModel, fields: readonly string[]): boolean =>
  fields.length === model.fields.length;

/** The projection to a list of fields, for as long as the list lives: that of a request has many records. */
const projectionOf = memoize((fields: readonly string[], model: CollectionModel) => new Projection(model, fields));
