/**
 * Hits as a table: the title with its website, snippet and tags, and a column for every other field of a list. Roles are
 * explicit, since a narrow screen shows rows as cards, and a table with another `display` loses its roles.
 */
import { type Field, isNumeric } from '../../../model.js';
import type { Changes } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { listedValues } from '../../../store/record-values.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { labelOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { changePill } from '../changes/list.js';
import { shareOf } from '../chart/distribution-chart.js';
import { hasValues, scaleOf } from '../counting/offered-fields.js';
import { binningIn } from '../counting/shape.js';
import { address, hitId, without, withValue } from '../frame/address.js';
import { cover } from '../record/image.js';
import { listRecord, rolesOf, type ShownRecord, shownRecord } from '../record/record.js';
import { cellValue, sourceLine } from '../record/value.js';
import { columnsOf, isShownIn } from './columns.js';
import { MAX_USUAL } from './usual-columns.js';
import type { View } from './view.js';

export interface Hits {
  readonly view: View;
  readonly addressOf: (id: unknown) => string;
  readonly rows: ArrayLike<number>;
  readonly highlighter: Highlighter;
  /** Since the compared dump; null without one. */
  readonly changes: Changes | null;
}

/** Values of more columns than these are broken into lines, and the table scrolls where its words need more room. */
const MAX_UNBROKEN = 4;
/** Bound on the bytes of all records that a page with texts parses. */
const LISTED_BYTES = 1 << 20;

export function hitTable(hits: Hits): Html {
  const { view, rows } = hits;
  const columns = columnsOf(view).map((field) => {
    const isSorted = view.query.sort === field.name;
    return { field, className: isSorted ? `${classOf(field)} sorted` : classOf(field), label: labelOf(field) };
  });
  const { title } = rolesOf(view.model);
  const image = shownImage(view);
  const isWide = columns.length > MAX_USUAL;
  const isMany = columns.length > MAX_UNBROKEN;
  const size = isWide ? html` class="many wide"` : isMany ? html` class="many"` : null;
  const table = html`<table role="table" aria-labelledby="count"${size}>
<thead role="rowgroup"><tr role="row">
${image ? html`<th role="columnheader" scope="col" class="picture"><span class="vh">${labelOf(image)}</span></th>` : null}
${title ? header(view, title) : html`<th role="columnheader" scope="col"><span class="vh">${view.model.singular}</span></th>`}
${columns.map(({ field }) => header(view, field))}
</tr></thead>
<tbody role="rowgroup">
${Array.from(rows, (row) => tableRow(hits, columns, row))}
</tbody>
</table>`;
  return isMany ? html`<div class="scroll" role="region" aria-labelledby="count" tabindex="0">${table}</div>` : table;
}

const classOf = ({ kind, filter }: Field): string =>
  isNumeric(kind) ? 'number' : filter?.kind === 'value' ? 'value' : kind;

type Order = 'asc' | 'desc';
const opposite = (order: Order): Order => (order === 'asc' ? 'desc' : 'asc');

function header(view: View, field: Field): Html {
  const label = labelOf(field);
  if (!field.sortable) return html`<th role="columnheader" scope="col" class="${classOf(field)}">${label}</th>`;
  const isSorted = view.query.sort === field.name;
  const direction = view.query.descending ? 'descending' : 'ascending';
  // Clicks cycle: numbers and dates descending, names ascending; then the opposite; then unsorted.
  const first: Order = field.kind === 'text' ? 'asc' : 'desc';
  const current: Order = view.query.descending ? 'desc' : 'asc';
  const order = isSorted ? (current === first ? opposite(first) : null) : first;
  const unsorted = without(view.pairs, 'page', 'sort', 'order', 'boost');
  const pairs = order === null ? unsorted : withValue(withValue(unsorted, 'sort', field.name), 'order', order);
  const arrow = isSorted ? (view.query.descending ? html`&darr;` : html`&uarr;`) : html`&varr;`;
  return html`<th role="columnheader" scope="col" class="${classOf(field)}"${isSorted ? html` aria-sort="${direction}"` : null}><a id="sort-${field.name}" href="${address(`/${view.model.name}`, pairs)}">${label}<span class="arrow" aria-hidden="true">${arrow}</span></a></th>`;
}

/** The field of pictures, if any record has one. */
function shownImage(view: View): Field | null {
  const { image } = rolesOf(view.model);
  return image !== undefined && isShownIn(view, image) && hasValues(view.collection, image) ? image : null;
}

/** A column, with the class and label of its cells. */
interface Column {
  readonly field: Field;
  readonly className: string;
  readonly label: string;
}

function tableRow(hits: Hits, columns: readonly Column[], row: number): Html {
  const { view, highlighter } = hits;
  const { model, collection } = view;
  const { link, tags, text } = rolesOf(model);
  const image = shownImage(view);
  const isWhole = view.query.text !== null || view.fields !== null;
  const record = isWhole
    ? shownRecord(collection, row, Math.floor(LISTED_BYTES / hits.rows.length))
    : listRecord(collection, row);
  const body = text && record.valueOf(text);
  const tagValues = tags && isShownIn(view, tags) ? listedValues(collection, tags.name, row) : [];
  const shownLink = link && isShownIn(view, link) ? record.valueOf(link) : null;
  return html`<tr role="row">
${image ? html`<td role="cell" class="picture">${cover(model, record, { alt: '', size: 'small' })}</td>` : null}
<td role="cell" class="lead">${titleLink(hits, record)}
${typeof body === 'string' ? snippet(highlighter.snippet(body)) : null}
${sourceLine(collection, shownLink, tagValues, highlighter, changeOf(hits, row, record))}</td>
${columns.map(({ field, className, label }) => html`<td role="cell" class="${className}" data-label="${label}">${scaleBar(collection, field, record)}${cellValue(field, record.valueOf(field), collection, highlighter)}</td>`)}
</tr>`;
}

/** A bar behind the number by which records are ranked, as long as its place on the axis of its chart. Ratings differ too little. */
function scaleBar(collection: Collection, field: Field, record: ShownRecord): Content {
  const value = record.valueOf(field);
  const isScale = field === scaleOf(collection) && field.role !== 'rating';
  const binning = isScale ? binningIn(collection, field) : null;
  if (binning === null || typeof value !== 'number') return null;
  const width = Math.round(shareOf(binning, value) * 100);
  return html`<svg class="scale" aria-hidden="true"><rect x="${100 - width}%" width="${width}%" height="100%"/></svg>`;
}

/** The record's main change since the compared dump. */
export const changeOf = ({ view, changes, addressOf }: Hits, row: number, { id }: ShownRecord): Content =>
  changes === null ? null : changePill(view.collection, changes, row, addressOf(id));

/** The link to a record. It holds the view, so that the record's page can link to the previous and next one. */
export const titleLink = ({ addressOf, highlighter }: Hits, record: ShownRecord): Html =>
  html`<a class="hit-link" id="${hitId(record.id)}" href="${addressOf(record.id)}">${isolated(highlighter.mark(record.title))}</a>`;

const snippet = (text: Content): Content =>
  text === null ? null : html`<p class="snippet soft">${isolated(text)}</p>`;
