/** A collection's list page: search, filters, hits. The same address without the page's own parameters is the API's. */
import { execute, rowSetsOf } from '../../../query/execute.js';
import { recordAddresses } from '../frame/address.js';
import { capitalised, numberText } from '../frame/format.js';
import { html } from '../frame/html.js';
import { createHighlighter } from '../highlight/highlight.js';
import { noHits } from './empty.js';
import { FORM, filterPanel } from './filters.js';
import { hitGrid } from './grid.js';
import { pager } from './pager.js';
import { hitTable } from './table.js';
import { takeView } from './take-away.js';
import { arrangement, conditions, countLine } from './toolbar.js';
export function listPage(view, shapes, maxLimit, documentOf) {
    const { model, collection, query, paging } = view;
    const sets = rowSetsOf(collection, query);
    const { shape, matching } = shapes.surveyOf(collection, query, sets);
    const { rows, total } = execute(collection, query, paging, sets, matching);
    const hits = {
        view,
        addressOf: recordAddresses(model.name, view.pairs),
        rows,
        highlighter: createHighlighter(collection.search, query.text),
        decimalsOf: (field) => shapes.binningOf(collection, field)?.decimals ?? 0,
    };
    const shown = view.layout === 'grid' ? hitGrid(hits) : hitTable(hits);
    const name = capitalised(model.name);
    const title = query.text === null ? name : html `${query.text} &ndash; ${name}`;
    return documentOf({
        title,
        current: model.name,
        kind: 'list',
        main: html `<h1>${capitalised(model.name)}</h1>
${searchForm(view)}
${filterPanel(view, shape, total)}
<section class="results" aria-labelledby="count" data-keys="hits">
<div class="toolbar">${countLine(view, total)}${arrangement(view, maxLimit)}${takeView(model.name, view.pairs)}</div>
${conditions(view)}
${rows.length === 0 ? noHits(view, total) : shown}
${pager({ path: `/${model.name}`, pairs: view.pairs, paging: view.paging }, total)}
</section>`,
    });
}
function searchForm({ model, query, layout, fields, collection }) {
    const label = `Search ${numberText(collection.size)} ${model.name}`;
    return html `<form class="find" id="${FORM}" role="search" action="/${model.name}" data-live>
<label class="vh" for="q">${label}</label>
<input type="search" id="q" name="q" value="${query.text ?? ''}" placeholder="${label}" maxlength="4096" autocomplete="off" spellcheck="false" enterkeyhint="search">
<kbd aria-hidden="true" title="Press / to search">/</kbd>
<button>Search</button>
${layout === 'grid' ? html `<input type="hidden" name="view" value="grid">` : null}
${fields === null ? null : html `<input type="hidden" name="fields" value="${fields.join(',')}">`}
</form>`;
}
