/** A collection's list page: search, filters, hits. The same address without the page's own parameters is the API's. */
import { Conditions } from '../../../query/conditions.js';
import { execute } from '../../../query/execute.js';
import { createHighlighter } from '../../highlight/highlight.js';
import type { Shapes } from '../counting/shape.js';
import { recordAddresses } from '../frame/address.js';
import type { DocumentOf } from '../frame/document.js';
import { capitalised, numberText } from '../frame/format.js';
import { type Html, html } from '../frame/html.js';
import { noHits } from './empty.js';
import { FORM, filterPanel } from './filters.js';
import { hitGrid } from './grid.js';
import { pager } from './pager.js';
import { hitTable } from './table.js';
import { takeView } from './take-away.js';
import { arrangement, conditionChips, countLine } from './toolbar.js';
import type { View } from './view.js';
import { allWordsSwitch, suggestionLine } from './words.js';

export function listPage(view: View, shapes: Shapes, maxLimit: number, documentOf: DocumentOf): string {
  const { model, collection, query, paging } = view;
  const conditions = new Conditions(collection, query);
  const shape = shapes.shapeOf(collection, query, conditions);
  const { rows, total } = execute(collection, query, paging, conditions);
  const hits = {
    view,
    addressOf: recordAddresses(model.name, view.pairs),
    rows,
    highlighter: createHighlighter(collection.search, query),
    decimalsOf: (field: (typeof model.fields)[number]) => shapes.binningOf(collection, field)?.decimals ?? 0,
  };
  const shown = view.layout === 'grid' ? hitGrid(hits) : hitTable(hits);
  const name = capitalised(model.name);
  const title = query.text === null ? name : html`${query.text} &ndash; ${name}`;
  return documentOf({
    title,
    current: model.name,
    kind: 'list',
    main: html`<h1>${capitalised(model.name)}</h1>
${searchForm(view, total)}
${filterPanel(view, shape, total)}
<section class="results" aria-labelledby="count" data-keys="hits">
<div class="toolbar">${countLine(view, total)}${arrangement(view, maxLimit)}${takeView(model.name, view.pairs)}</div>
${conditionChips(view)}
${suggestionLine(view)}
${rows.length === 0 ? noHits(view, total) : shown}
${pager({ path: `/${model.name}`, pairs: view.pairs, paging: view.paging }, total)}
</section>`,
  });
}

function searchForm(view: View, total: number): Html {
  const { model, query, layout, fields, collection } = view;
  const { fuzzy, prefix } = query.textOptions;
  const label = `Search ${numberText(collection.size)} ${model.name}`;
  return html`<form class="find" id="${FORM}" role="search" action="/${model.name}" data-live>
<label class="vh" for="q">${label}</label>
<input type="search" id="q" name="q" value="${query.text ?? ''}" placeholder="${label}" maxlength="4096" autocomplete="off" spellcheck="false" enterkeyhint="search">
<kbd aria-hidden="true" title="Press / to search">/</kbd>
<button>Search</button>
${allWordsSwitch(view, total)}
${fuzzy ? null : html`<input type="hidden" name="fuzzy" value="0">`}
${prefix ? null : html`<input type="hidden" name="prefix" value="0">`}
${layout === 'grid' ? html`<input type="hidden" name="view" value="grid">` : null}
${fields === null ? null : html`<input type="hidden" name="fields" value="${fields.join(',')}">`}
</form>`;
}
