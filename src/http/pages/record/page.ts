/** One record: everything in it, what stands beside it in the view it was opened from, and what shares a value with it. */
import type { Field } from '../../../model.js';
import type { Shapes } from '../counting/shape.js';
import { address, hitId, type Pairs, recordAddress } from '../frame/address.js';
import type { DocumentOf } from '../frame/document.js';
import { capitalised, labelOf, numberText, wordsOf } from '../frame/format.js';
import { type Content, type Html, html, isolated } from '../frame/html.js';
import { createHighlighter } from '../highlight/highlight.js';
import { takeRecord } from '../list/take-away.js';
import type { View } from '../list/view.js';
import { cover } from './image.js';
import { type Neighbour, placeOf } from './neighbours.js';
import { prose } from './paragraphs.js';
import { listRecord, rolesOf, type ShownRecord, wholeRecord } from './record.js';
import { type Related, relatedTo } from './related.js';
import { cellValue, dateValue, missing, outLink, type ValueContext, valueLink } from './value.js';

export function recordPage(view: View, row: number, shapes: Shapes, documentOf: DocumentOf): string {
  const { model, collection, query } = view;
  const record = wholeRecord(collection, row);
  const highlighter = createHighlighter(collection.search, query.text);
  const { title, image, text } = rolesOf(model);
  const body = text && record.valueOf(text);
  const facts = model.fields.filter(({ name }) => name !== title?.name && name !== text?.name);
  const context = (field: Field): ValueContext => ({
    collection: model.name,
    decimals: shapes.binningOf(collection, field)?.decimals ?? 0,
    highlighter,
  });
  return documentOf({
    title: html`${record.title} &ndash; ${capitalised(model.name)}`,
    current: model.name,
    kind: 'record',
    main: html`${way(view, row)}
<article class="${image ? 'pictured' : 'plain'}">
<h1>${isolated(highlighter.mark(record.title))}</h1>
${image ? cover(model, record, `Picture of ${record.title}`, true) : null}
<dl class="facts">${facts.map((field) => fact(field, record.valueOf(field), context(field)))}</dl>
${text ? content(text, body, highlighter) : null}
${extraTable(record.extra)}
${takeRecord(model.name, record.id)}
</article>
${relatedPanel(view, row)}`,
  });
}

function way(view: View, row: number): Html {
  const { model } = view;
  const place = placeOf(view, row);
  const back = address(`/${model.name}`, place?.pairs ?? view.pairs);
  const hit = place === null ? '' : `#${hitId(listRecord(view.collection, row).id)}`;
  const beside = (neighbour: Neighbour | null | undefined, label: Html, relation: string): Content => {
    if (!neighbour) return html`<span class="step" aria-hidden="true">${label}</span>`;
    const { id, title } = listRecord(view.collection, neighbour.row);
    return html`<a class="step" rel="${relation}" href="${recordAddress(model.name, id, neighbour.pairs)}" title="${title}">${label}</a>`;
  };
  return html`<nav class="way" aria-label="Within the view">
<a class="back" rel="up" href="${back}${hit}">${capitalised(model.name)}${viewName(view)}</a>
${place === null ? null : html`<span class="place">${numberText(place.position)} of ${numberText(place.total)}</span>`}
${beside(place?.previous, html`&larr; Previous`, 'prev')}${beside(place?.next, html`Next &rarr;`, 'next')}
</nav>`;
}

function viewName({ query }: View): Content {
  const parts: Content[] = [];
  if (query.text !== null) parts.push(html` matching <q>${isolated(query.text)}</q>`);
  if (query.filters.length > 0) parts.push(' filtered');
  if (query.sort !== null) parts.push(` by ${wordsOf(query.sort)}`);
  return parts;
}

function fact(field: Field, value: unknown, context: ValueContext): Html {
  return html`<div class="${field.name}"><dt>${labelOf(field)}</dt><dd>${factValue(field, value, context)}</dd></div>`;
}

function factValue(field: Field, value: unknown, context: ValueContext): Content {
  const { kind, filter } = field;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return missing;
  if (field.name === 'id') return html`<code>${String(value)}</code>`;
  if (kind === 'date') return dateValue(String(value), true);
  if (Array.isArray(value) && filter?.kind === 'value') {
    const items = value.map(String);
    return html`<ul class="tags" role="list">${items.map((item) => html`<li>${valueLink(context.collection, filter.parameter, item, context.highlighter.mark(item))}</li>`)}</ul>`;
  }
  if (kind === 'url') return urlValue(String(value));
  return cellValue(field, value, context);
}

const SHOWN_CHARACTERS = 300;

/** The whole address, as text where it leads nowhere; one that holds a picture is only named. */
function urlValue(text: string): Content {
  if (/^\s*data:/i.test(text)) {
    const type = /^\s*data:([\w/+.-]*)/i.exec(text)?.[1] ?? '';
    return html`<span class="inline-data">${type || 'data'} in the record, ${numberText(text.length)} characters</span>`;
  }
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return outLink(text, () => isolated(shown)) ?? html`<span class="inert">${isolated(shown)}</span>`;
}

/** What the source has besides the fields, as it came. */
function extraTable(extra: ShownRecord['extra']): Content {
  if (extra.length === 0) return null;
  return html`<section class="extra" aria-labelledby="extra"><h2 id="extra">Besides</h2><dl class="facts">${extra.map(([name, value]) => html`<div><dt>${isolated(name)}</dt><dd>${extraValue(value)}</dd></div>`)}</dl></section>`;
}

function extraValue(value: unknown): Content {
  if (value === null || value === '') return missing;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return outLink(value, () => isolated(shown)) ?? isolated(shown);
}

function content(field: Field, body: unknown, highlighter: Parameters<typeof prose>[1]): Html {
  const isThere = typeof body === 'string' && body.trim() !== '';
  return html`<section class="content" aria-labelledby="content"><h2 id="content">${labelOf(field)}</h2>${isThere ? prose(body, highlighter) : html`<p class="none">No ${wordsOf(field.name)}.</p>`}</section>`;
}

function relatedPanel(view: View, row: number): Content {
  const groups = relatedTo(view.collection, row);
  if (groups.length === 0) return null;
  return html`<aside class="related" aria-label="Related records">${groups.map((group) => relatedGroup(view, group))}</aside>`;
}

function relatedGroup({ model, collection }: View, { field, rows, values }: Related): Content {
  const { filter } = field;
  if (filter?.kind !== 'value') return null;
  const { image } = rolesOf(model);
  const pairsOf = (value: string): Pairs => [[filter.parameter, value]];
  const item = (other: number): Html => {
    const record = listRecord(collection, other);
    return html`<li>${image ? cover(model, record, '') : null}<a href="${recordAddress(model.name, record.id, [])}">${isolated(record.title)}</a></li>`;
  };
  const all = values.map(
    ({ name, others }) =>
      html`<a class="all" href="${address(`/${model.name}`, pairsOf(name))}">${isolated(name)} <span class="count">${numberText(others + 1)}</span></a>`,
  );
  const noun = field.kind === 'tags' ? 'tags' : wordsOf(field.name);
  return html`<section><h2>Same ${noun}</h2><ul role="list"${image ? html` class="pictured"` : null}>${rows.map(item)}</ul><p class="alls">All: ${all}</p></section>`;
}
