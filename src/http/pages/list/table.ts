/**
 * Hits as a table: the title with its website, snippet and tags, and a column for every other field of a list. Roles are
 * explicit, since a narrow screen shows rows as cards, and a table with another `display` loses its roles.
 */
import { type Field, isNumeric, isSortable } from '../../../model.js';
import type { Changes } from '../../../store/changes/changes.js';
import { listedValues } from '../../../store/record-values.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { labelOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { changePill } from '../changes/list.js';
import { shareOf } from '../chart/distribution-chart.js';
import type { Binning } from '../counting/binning.js';
import { hasValues, scaleOf } from '../counting/offered-fields.js';
import { binningIn } from '../counting/shape.js';
import { address, hitId, without } from '../frame/address.js';
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

/** A column, with what its cells share. */
interface Column {
  readonly field: Field;
  readonly className: string;
  readonly label: string;
  /** The axis of the bars behind its numbers; null for a column without bars. */
  readonly scale: Binning | null;
}

export function hitTable(hits: Hits): Html {
  const { view, rows } = hits;
  const columns = columnsOf(view).map((field) => columnOf(view, field));
  const roles = shownRoles(view);
  const { title, image } = roles;
  const isMany = columns.length > MAX_UNBROKEN;
  const size = columns.length > MAX_USUAL ? html` class="many wide"` : isMany ? html` class="many"` : null;
  const table = html`<table role="table" aria-labelledby="count"${size}>
<thead role="rowgroup"><tr role="row">
${image ? html`<th role="columnheader" scope="col" class="picture"><span class="vh">${labelOf(image)}</span></th>` : null}
${title ? header(view, title) : html`<th role="columnheader" scope="col"><span class="vh">${view.model.singular}</span></th>`}
${columns.map(({ field }) => header(view, field))}
</tr></thead>
<tbody role="rowgroup">
${Array.from(rows, (row) => tableRow(hits, roles, columns, row))}
</tbody>
</table>`;
  return isMany ? html`<div class="scroll" role="region" aria-label="Table" tabindex="0">${table}</div>` : table;
}

/** The bars show the number by which records are ranked. Ratings differ too little for bars. */
function columnOf({ collection, query }: View, field: Field): Column {
  const hasBars = field === scaleOf(collection) && field.role !== 'rating';
  return {
    field,
    className: query.sort === field.name ? `${classOf(field)} sorted` : classOf(field),
    label: labelOf(field),
    scale: hasBars ? binningIn(collection, field) : null,
  };
}

const classOf = ({ kind, filter }: Field): string =>
  isNumeric(kind) ? 'number' : filter?.kind === 'value' ? 'value' : kind;

function header({ model, query, pairs }: View, field: Field): Html {
  const label = labelOf(field);
  if (!isSortable(field)) return html`<th role="columnheader" scope="col" class="${classOf(field)}">${label}</th>`;
  const isSorted = query.sort === field.name;
  const current = query.descending ? 'desc' : 'asc';
  // Clicks cycle: numbers and dates descending, names ascending; then the opposite; then unsorted.
  const first = field.kind === 'text' ? 'asc' : 'desc';
  const opposite = first === 'asc' ? 'desc' : 'asc';
  const order = isSorted ? (current === first ? opposite : null) : first;
  const unsorted = without(pairs, 'page', 'sort', 'order', 'boost');
  const target = order === null ? unsorted : [...unsorted, ['sort', field.name] as const, ['order', order] as const];
  const arrow = isSorted ? (query.descending ? html`&darr;` : html`&uarr;`) : html`&varr;`;
  const sorted = isSorted ? html` aria-sort="${query.descending ? 'descending' : 'ascending'}"` : null;
  return html`<th role="columnheader" scope="col" class="${classOf(field)}"${sorted}><a id="sort-${field.name}" href="${address(`/${model.name}`, target)}">${label}<span class="arrow" aria-hidden="true">${arrow}</span></a></th>`;
}

/** The roles of fields in the title's cell, without fields that the view does not show, and pictures that no record has. */
function shownRoles(view: View) {
  const { title, image, link, tags, text } = rolesOf(view.model);
  const ifShown = (field: Field | undefined) => (field && isShownIn(view, field) ? field : undefined);
  const shownImage = ifShown(image);
  return {
    title,
    text,
    link: ifShown(link),
    tags: ifShown(tags),
    image: shownImage && hasValues(view.collection, shownImage) ? shownImage : undefined,
  };
}

function tableRow(hits: Hits, roles: ReturnType<typeof shownRoles>, columns: readonly Column[], row: number): Html {
  const { view, highlighter } = hits;
  const { model, collection } = view;
  const { link, tags, text, image } = roles;
  const isWhole = view.query.text !== null || view.fields !== null;
  const record = isWhole
    ? shownRecord(collection, row, Math.floor(LISTED_BYTES / hits.rows.length))
    : listRecord(collection, row);
  const body = text && record.valueOf(text);
  const snippet = typeof body === 'string' ? highlighter.snippet(body) : null;
  const tagValues = tags ? listedValues(collection, tags.name, row) : [];
  const cells = columns.map(({ field, className, label, scale }) => {
    const value = record.valueOf(field);
    return html`<td role="cell" class="${className}" data-label="${label}">${scale && scaleBar(scale, value)}${cellValue(field, value, collection, highlighter)}</td>`;
  });
  return html`<tr role="row">
${image ? html`<td role="cell" class="picture">${cover(model, record, { alt: '', size: 'small' })}</td>` : null}
<td role="cell" class="lead">${titleLink(hits, record)}
${snippet && html`<p class="snippet soft">${isolated(snippet)}</p>`}
${sourceLine(collection, link && record.valueOf(link), tagValues, highlighter, changeOf(hits, row, record))}</td>
${cells}
</tr>`;
}

/** A bar behind a number, as long as the number's place on the axis of its chart. */
function scaleBar(scale: Binning, value: unknown): Content {
  if (typeof value !== 'number') return null;
  const width = Math.round(shareOf(scale, value) * 100);
  return html`<svg class="scale" aria-hidden="true"><rect x="${100 - width}%" width="${width}%" height="100%"/></svg>`;
}

/** The record's main change since the compared dump. */
export const changeOf = ({ view, changes, addressOf }: Hits, row: number, { id }: ShownRecord): Content =>
  changes === null ? null : changePill(view.collection, changes, row, addressOf(id));

/** The link to a record. It holds the view, so that the record's page can link to the previous and next one. */
export const titleLink = ({ addressOf, highlighter }: Hits, record: ShownRecord): Html =>
  html`<a class="hit-link" id="${hitId(record.id)}" href="${addressOf(record.id)}">${isolated(highlighter.mark(record.title))}</a>`;
