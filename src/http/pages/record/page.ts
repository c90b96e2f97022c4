/** The HTML page of a record: all its fields, its neighbours in the view, and similar records. */
import { type Field, isNumeric } from '../../../model.js';
import { EVERYTHING } from '../../../query/query.js';
import { similarTo } from '../../../query/similar.js';
import type { Comparison } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { createHighlighter, type Highlighter } from '../../highlight/highlight.js';
import { collectionTitle, labelOf, numberText, shortened, withoutBidiControls, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { namePath, percentEncode } from '../../semantics/percent.js';
import { changePill, lastChangesOf, recordChanges } from '../changes/record-changes.js';
import { hasValues } from '../counting/offered-fields.js';
import { address, addressOfField, hitId, recordAddress } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { tellingMeasures } from '../groups/choices.js';
import { exportButton } from '../list/export-button.js';
import type { View } from '../list/view.js';
import { hitList } from '../search/hits.js';
import { compareAddress } from './comparison.js';
import { cover, imageAddress } from './image.js';
import { type Neighbour, placeInList } from './neighbours.js';
import { measureValue, otherFields } from './other-fields.js';
import { proseMarkup } from './paragraphs.js';
import { listRecord, rolesOf, type ShownRecord, shownRecord } from './record.js';
import { richText } from './rich-text.js';
import { dateValue, fact, isMissing, outLink, recordValue, sharedValue, shortAddress, tagList } from './value.js';

/** A larger record is read in part: its list fields, its tags and the beginning of its text. */
const READ_BYTES = 1 << 20;

export function recordPage(view: View, row: number, comparison: Comparison | null, origin: string): PageFrame {
  const { model, collection, query } = view;
  const changed = model.changesOf === undefined ? comparison : null;
  const record = shownRecord(collection, row, READ_BYTES);
  const lastChanges = changed === null ? [] : lastChangesOf(changed, Number(record.id));
  const highlighter = createHighlighter(collection.search, query);
  const { title, link, image, text, tags, columns, found } = rolesOf(model);
  const body = text && record.valueOf(text);
  const cell = (field: Field): Content => recordValue(collection, record, field, highlighter);
  const isThere = (field: Field): boolean => !isMissing(record.valueOf(field));
  const sourceLink = link && outLink(record.valueOf(link), (url) => isolated(shortAddress(url)));
  const shownElsewhere = new Set([title, text, tags, ...columns, ...found, ...(sourceLink ? [link] : [])]);
  const facts = model.fields.filter((field) => !shownElsewhere.has(field) && isThere(field));
  const api = `/api/${namePath(model.name)}/${percentEncode(String(record.id))}`;
  const hasPicture = image !== undefined && imageAddress(model, record) !== null;
  const isLong = record.title.length > LONG_TITLE_CHARACTERS;
  const inLine = columns.filter(isThere).sort((a, b) => metaRank(a) - metaRank(b));
  // Where a record has no documented field that says what it is worth, its measures do so.
  const leading = model.isOwn ? tellingMeasures(collection).filter(isThere) : [];
  const metaValue = (field: Field): Content =>
    field.kind === 'date' ? dateValue(String(record.valueOf(field)), true) : cell(field);
  return {
    title: html`${withoutBidiControls(record.title)} &ndash; ${collectionTitle(model.name)}`,
    current: model.changesOf ?? model.name,
    kind: 'record',
    main: html`${viewNavigation(view, row, html`${model.changesOf === undefined && html`<a class="button" href="${compareAddress(model.name, record.id)}">Compare</a>`}${exportButton(origin, api, null)}`)}
<article class="panel stack${hasPicture ? ' pictured' : ''}">
${hasPicture ? cover(model, record, { alt: `Picture of ${record.title}`, size: 'large', isEager: true }) : null}
<div class="stack">
<header class="stack">
<h1 dir="auto"${isLong && html` class="long" title="${record.title}"`}>${highlighter.mark(record.title)}</h1>
<dl class="meta row soft">${inLine.map((field) => fact(field, metaValue(field)))}${leading.map((field) => html`<div class="measure"><dt class="small"><a href="${addressOfField(model.name, field.name)}">${labelOf(field)}</a></dt> <dd>${measureValue(collection, record, field)}</dd></div>`)}${sourceLink && html`<div class="source"><dt class="vh">Source</dt><dd>${sourceLink}</dd></div>`}</dl>
${changed && lastChanges.some(({ kind }) => kind === 'added') ? changePill(collection, changed, record.id, '') : null}
</header>
${changed && recordChanges(collection, changed, Number(record.id))}
${text && isThere(text) ? textSection(text, body, highlighter, api) : null}
${tags && isThere(tags) ? tagList([record.valueOf(tags)].flat(), MAX_RECORD_TAGS, (tag) => sharedValue(tags, tag, collection, highlighter.mark(tag)), labelOf(tags)) : null}
${otherFields(
  collection,
  record,
  highlighter,
  api,
  leading,
  facts.map((field) => fact(field, factText(field, record.valueOf(field)) ?? cell(field))),
)}
${emptyFields(collection, record)}
</div>
</article>
${similarRecords(view, row)}`,
  };
}

/** The names of the fields that other records have and this one lacks: one that is not there at all is told from one that is empty. */
function emptyFields(collection: Collection, record: ShownRecord): Content {
  const isEmpty = (field: Field): boolean =>
    field.part === undefined && !field.isOfHistory && isMissing(record.valueOf(field)) && hasValues(collection, field);
  const names = collection.model.fields.filter(isEmpty).map(wordsOf);
  return names.length > 0 && html`<p class="soft small">Empty: ${isolated(names.join(', '))}</p>`;
}

/** A longer title is smaller, so that it does not fill a screen. */
const LONG_TITLE_CHARACTERS = 100;

/** Texts stand first, then numbers, then the price, which has a line of its own. */
const metaRank = ({ kind, role }: Field): number => (role === 'price' ? 2 : Number(isNumeric(kind)));

/** The way back and to the neighbours; `behind` is markup after them. */
function viewNavigation(view: View, row: number, behind: Content): Html {
  const { model } = view;
  const place = placeInList(view, row);
  const back = address(`/${model.name}`, place?.pairs ?? view.pairs);
  const hit = place === null ? '' : `#${hitId(listRecord(view.collection, row).id)}`;
  const neighbourLink = (neighbour: Neighbour | null | undefined, label: Html, relation: string): Content => {
    if (!neighbour) return html`<span class="step" aria-hidden="true">${label}</span>`;
    const { id, title } = listRecord(view.collection, neighbour.row);
    return html`<a class="step" rel="${relation}" href="${recordAddress(model.name, id, neighbour.pairs)}" title="${title}">${label}</a>`;
  };
  return html`<nav class="way row" aria-label="Within the view">
<a class="back" rel="up" href="${back}${hit}">&larr; ${collectionTitle(model.name)}${viewName(view)}</a>
${place === null ? null : html`<span class="place soft">${numberText(place.position)} of ${numberText(place.total)}</span>`}
${neighbourLink(place?.previous, html`&larr; Previous`, 'prev')}${neighbourLink(place?.next, html`Next &rarr;`, 'next')}${behind}
</nav>`;
}

function viewName({ model, query: { text, filters, sort } }: View): Content {
  const sortField = model.fields.find(({ name }) => name === sort);
  return [
    text === null ? null : html` matching <q>${isolated(text)}</q>`,
    filters.length > 0 ? ' filtered' : null,
    sortField === undefined ? null : html` by ${isolated(wordsOf(sortField))}`,
  ];
}

/** Values that are shown differently than in a list; null for any other. */
function factText({ name, kind }: Field, value: unknown): Content {
  if (name === 'id') return html`<code>${String(value)}</code>`;
  return kind === 'url' ? urlValue(String(value)) : null;
}

const MAX_RECORD_TAGS = 200;

const SHOWN_CHARACTERS = 300;

/** A web address as a link, any other as text. A `data:` address is named. */
function urlValue(text: string): Content {
  const data = /^\s*data:([\w/+.-]*)/i.exec(text);
  if (data !== null) {
    const what = /^image\/svg\b/i.test(data[1] ?? '') ? 'SVG' : (data[1] ?? '') || 'data';
    return html`<span>${what} in the record, ${numberText(text.length)} characters</span>`;
  }
  const shortText = shortened(text, SHOWN_CHARACTERS);
  return outLink(text, () => isolated(shortText)) ?? isolated(shortText);
}

/** Characters of a text that are shown. */
const CONTENT_CHARACTERS = 50_000;

/** The section of a record's text; `api` is the address of the whole record. */
function textSection(field: Field, body: unknown, highlighter: Highlighter, api: string): Content {
  if (typeof body !== 'string' || body.trim() === '') return null;
  const text = shortened(body, CONTENT_CHARACTERS);
  const rich = richText(text, highlighter);
  const source = rich && html`<details><summary>As scraped</summary><pre tabindex="0">${text}</pre></details>`;
  const isCut = body.length > CONTENT_CHARACTERS;
  const cutNote =
    isCut &&
    html`<p class="soft">These are the first ${numberText(CONTENT_CHARACTERS)} characters. <a href="${api}">The whole record, as JSON</a></p>`;
  return html`<section class="content stack" aria-labelledby="content"><h2 id="content" class="vh">${labelOf(field)}</h2>${rich ?? proseMarkup(text, highlighter)}${source}${cutNote}</section>`;
}

const SIMILAR_SHOWN = 8;

function similarRecords({ model, collection }: View, row: number): Content {
  const rows = similarTo(collection, row, SIMILAR_SHOWN);
  if (rows.length === 0) return null;
  const list = hitList(collection, rows, EVERYTHING, ({ id }) => recordAddress(model.name, id, []));
  return html`<aside class="related stack" aria-labelledby="similar"><h2 id="similar">Similar</h2>${list}</aside>`;
}
