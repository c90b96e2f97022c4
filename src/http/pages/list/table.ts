/**
 * Hits as a table: the title with its website, snippet and tags, and a column for every other field of a list. The table
 * stands in a box that scrolls both ways under its header and beside its titles. A narrow screen shows rows as cards, and a
 * table with another `display` loses its roles, so they are explicit.
 */
import { isSortable } from '../../../field-kinds.js';
import { type Field, isNumeric } from '../../../model.js';
import { CHANGE_DATE, type Comparison } from '../../../store/changes/changes.js';
import { numberAtRow } from '../../../store/number-column.js';
import { listedValues } from '../../../store/record-values.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { isMoneyField, labelOf, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { changeCell, changePill } from '../changes/record-changes.js';
import { hasValues } from '../counting/offered-fields.js';
import type { ColumnShape } from '../counting/shape.js';
import { address, hitId, recordAddress, without } from '../frame/address.js';
import { cover } from '../record/image.js';
import { listRecord, rolesOf, type ShownRecord, shownRecord } from '../record/record.js';
import { fieldOfRecord, recordValue, sourceLine } from '../record/value.js';
import { isShownIn, shownColumns } from './columns.js';
import { columnProfile } from './profile.js';
import type { View } from './view.js';

interface MarkedHits {
  readonly view: View;
  readonly addressOf: (id: unknown) => string;
  readonly rows: ArrayLike<number>;
  readonly highlighter: Highlighter;
  /** Since the compared dump; null without one. */
  readonly comparison: Comparison | null;
  /** The shape of the records that a narrowed view finds; null where it shows all. */
  readonly narrowedShape: ColumnShape | null;
}

/** A card of a narrow screen shows the first of these columns, and links to the record for the others. */
const MAX_CARD_COLUMNS = 8;
/** Bound on the bytes of all records that a page with texts parses. */
const LISTED_BYTES = 1 << 20;

/** A column, with what its cells share. */
interface TableColumn {
  readonly field: Field;
  readonly className: string;
  readonly label: string;
}

export function hitTable(hits: MarkedHits): Html {
  const { view, rows } = hits;
  const columns = shownColumns(view).map(
    (field): TableColumn => ({ field, className: classOf(field), label: labelOf(field) }),
  );
  const roles = shownRoles(view);
  const { title, image } = roles;
  return html`<div class="scroll" role="group" aria-labelledby="count" tabindex="0"><table role="table" aria-labelledby="count">
<thead role="rowgroup"><tr role="row">
${image ? html`<th role="columnheader" scope="col" class="picture"><span class="vh">${labelOf(image)}</span></th>` : null}
${title ? header(hits, title, 'lead') : html`<th role="columnheader" scope="col" class="lead"><span class="vh">${view.model.singular}</span>${headOfTitles(hits)}</th>`}
${columns.map(({ field }) => header(hits, field, classOf(field)))}
</tr></thead>
<tbody role="rowgroup">
${Array.from(rows, (row, i) => tableRow(hits, roles, columns, row, repeatsDate(view, row, rows[i - 1])))}
</tbody>
</table></div>${canCompare(view) && html`<form id="compare" class="row" action="/${view.model.name}/compare"><button class="main">Compare</button></form>`}`;
}

const classOf = ({ kind, filter }: Field): string =>
  isNumeric(kind) ? 'number' : filter?.kind === 'value' ? 'value' : kind;

/** A header is named by its field alone: a screen reader says the name at each cell. */
function header(hits: MarkedHits, field: Field, className: string): Html {
  const { view, narrowedShape } = hits;
  const { model, query, pairs } = view;
  const label = labelOf(field);
  // The values of a change are those of many fields, which have no common shape.
  const profile = model.changesOf === undefined ? columnProfile(view, field, narrowedShape) : null;
  const behind = className === 'lead' && headOfTitles(hits);
  if (!isSortable(field))
    return html`<th role="columnheader" scope="col" class="${className}" data-field="${field.name}" aria-label="${label}"><span class="label">${label}</span>${profile}${behind}</th>`;
  const isSorted = query.sort === field.name;
  const current = query.descending ? 'desc' : 'asc';
  // Clicks cycle: numbers and dates descending, names ascending; then the opposite; then unsorted.
  const first = field.kind === 'text' ? 'asc' : 'desc';
  const opposite = first === 'asc' ? 'desc' : 'asc';
  const order = isSorted ? (current === first ? opposite : null) : first;
  const unsorted = without(pairs, 'page', 'sort', 'order', 'boost');
  const target = order === null ? unsorted : [...unsorted, ['sort', field.name] as const, ['order', order] as const];
  const sign = !isSorted ? html`&varr;` : query.descending ? html`&darr;` : html`&uarr;`;
  const sorted = isSorted ? html` aria-sort="${query.descending ? 'descending' : 'ascending'}"` : null;
  return html`<th role="columnheader" scope="col" class="${className}" data-field="${field.name}" aria-labelledby="sort-${field.name}"${sorted}><a class="label" id="sort-${field.name}" data-order="${sign}" href="${address(`/${model.name}`, target)}">${label}</a>${profile}${behind}</th>`;
}

/** A change is no record, and is compared already. The style sheet shows the button of the form once a box is checked. */
const canCompare = ({ model }: View): boolean => model.changesOf === undefined;

/** The meaning of the rows' boxes. */
const headOfTitles = ({ view }: MarkedHits): Content =>
  canCompare(view) && html`<p class="hint row small count"><span aria-hidden="true">&#9745; to compare</span></p>`;

const compareBox = (record: ShownRecord): Html =>
  html`<input type="checkbox" class="pick" form="compare" name="id" value="${String(record.id)}" aria-label="Compare ${record.title}">`;

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

function tableRow(
  hits: MarkedHits,
  roles: ReturnType<typeof shownRoles>,
  columns: readonly TableColumn[],
  row: number,
  isDateRepeated: boolean,
): Html {
  const { view, highlighter } = hits;
  const { model, collection, changedCollection } = view;
  const { link, tags, text, image } = roles;
  const isWhole = view.query.text !== null || view.fields !== null;
  const record = isWhole
    ? shownRecord(collection, row, Math.floor(LISTED_BYTES / hits.rows.length))
    : listRecord(collection, row);
  const body = text && record.valueOf(text);
  const snippet = typeof body === 'string' ? highlighter.snippet(body) : null;
  const tagValues = tags ? listedValues(collection, tags.name, row) : [];
  const changeContent = (field: Field): Content =>
    changedCollection && changeCell(changedCollection, collection, record, field, hits.rows.length);
  const more = columns.length - MAX_CARD_COLUMNS;
  const cells = columns.map(({ field, className, label }, i) => {
    const value = record.valueOf(field);
    const moreLink =
      more > 0 && i === MAX_CARD_COLUMNS - 1
        ? html`<a class="rest" href="${hits.addressOf(record.id)}">${more} more</a>`
        : null;
    // From and to of a change hold numbers and words, which begin at the left.
    const alignment = field.anyValue && typeof value !== 'number' ? 'text' : className;
    const repeated = isDateRepeated && field.name === CHANGE_DATE ? ' repeated' : '';
    const unnamed =
      changedCollection === null && saysItsField(fieldOfRecord(collection, record, field), value, columns)
        ? ' unnamed'
        : '';
    return html`<td role="cell" class="${alignment}${repeated}${unnamed}" data-label="${label}"${field.kind === 'date' ? null : tooltip(value)}>${changeContent(field) ?? recordValue(collection, record, field, highlighter)}${moreLink}</td>`;
  });
  return html`<tr role="row">
${image ? html`<td role="cell" class="picture">${cover(model, record, { alt: '', size: 'small' })}</td>` : null}
<td role="cell" class="lead">${canCompare(view) && compareBox(record)}${titleLink(hits, record)}
${snippet && html`<p class="snippet soft">${isolated(snippet)}</p>`}
${sourceLine(collection, link && record.valueOf(link), tagValues, highlighter, changeOf(hits, record))}</td>
${cells}
</tr>`;
}

/** Fewest characters of a text that needs no name beside it. */
const MIN_TELLING_CHARACTERS = 4;

/**
 * Whether a card shows a value without its field's name: `€757` and `61 m²` where no other column has such amounts, the only date,
 * and `Kreuzberg`, but not `2` or `F`.
 */
function saysItsField({ name, kind, currency, unit }: Field, value: unknown, columns: readonly TableColumn[]): boolean {
  if (kind === 'text') return typeof value === 'string' && value.length >= MIN_TELLING_CHARACTERS;
  const isAlone = (isAlike: (other: Field) => boolean): boolean =>
    columns.every(({ field }) => field.name === name || !isAlike(field));
  if (kind === 'date') return isAlone((other) => other.kind === 'date');
  if (!isNumeric(kind)) return false;
  if (currency !== undefined) return isAlone(isMoneyField);
  return unit !== undefined && isAlone((other) => other.unit === unit);
}

/** Whether a change is of the same dump as the one above it. On a phone the date stands once above all of a dump. */
function repeatsDate({ changedCollection, collection }: View, row: number, rowAbove: number | undefined): boolean {
  const dates = collection.columns.get(CHANGE_DATE);
  if (changedCollection === null || dates === undefined || rowAbove === undefined) return false;
  return numberAtRow(dates, row) === numberAtRow(dates, rowAbove);
}

const MIN_CUT_CHARACTERS = 20;
const TOOLTIP_CHARACTERS = 300;

/** A text that may be wider than its column, as a tooltip. */
function tooltip(value: unknown): Content {
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (typeof text !== 'string' || text.length < MIN_CUT_CHARACTERS) return null;
  return html` title="${shortened(text, TOOLTIP_CHARACTERS)}"`;
}

/** The record's main change since the compared dump. */
const changeOf = ({ view, comparison, addressOf }: MarkedHits, { id }: ShownRecord): Content =>
  comparison === null ? null : changePill(view.collection, comparison, id, addressOf(id));

/** The link to a record. It holds the view, so that the record's page can link to the previous and next one. */
function titleLink({ addressOf, highlighter, view }: MarkedHits, record: ShownRecord): Html {
  const { changesOf } = view.model;
  const target = changesOf === undefined ? addressOf(record.id) : changedRecord(changesOf, record, addressOf);
  return html`<a class="hit-link" id="${hitId(record.id)}" href="${target}"${tooltip(record.title)}>${isolated(highlighter.mark(record.title))}</a>`;
}

/** A change links to its record; one of a record that is gone has a page of its own. */
function changedRecord(collection: string, change: ShownRecord, addressOf: (id: unknown) => string): string {
  const record = change.valueOf({ name: 'record' });
  return record === null ? addressOf(change.id) : recordAddress(collection, record, []);
}
