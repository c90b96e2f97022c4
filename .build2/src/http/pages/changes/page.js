/** The page of what changed in a collection: figures, percentages with a range to pick, the records. */
import { changeSorts, selectChanges } from '../../../query/changes.js';
import { pairedBy } from '../../../query/changes-json.js';
import { LIMIT_DESCRIPTION } from '../../../query/parameters.js';
import { changeKinds, looksIncomplete, wholeChanges } from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { address, without, withoutValue } from '../frame/address.js';
import { capitalised, labelOf, longDate, numberText, wordsOf } from '../frame/format.js';
import { html, isolated } from '../frame/html.js';
import { FORM, percentGroup } from '../list/filters.js';
import { pager } from '../list/pager.js';
import { takeAway } from '../list/take-away.js';
import { changesTitle, figureList, figuresOf, kindText } from './figures.js';
import { changeList } from './list.js';
import { percentsOf } from './percents.js';
import { changesPath, narrowing, unfiltered } from './view.js';
export function changesPage(view, maxLimit, documentOf) {
    const { model, comparison } = view;
    return documentOf({
        title: changesTitle(model),
        current: model.name,
        kind: 'list changes',
        main: comparison === null
            ? nothingCompared(view)
            : compared(view, comparison.changes, comparison.since.modifiedAt, maxLimit),
    });
}
const heading = (view, rest) => html `<h1><a href="/${view.model.name}">${capitalised(view.model.name)}</a> <span class="rest">${rest}</span></h1>`;
const nothingCompared = (view) => html `${heading(view, 'changes')}
<section class="results"><div class="empty"><p>There is nothing to compare with yet.</p><p>Load a newer dump while the server runs (<code>--watch</code>), or name an earlier one at the start with <code>--previous</code>.</p></div></section>`;
function compared(view, changes, since, maxLimit) {
    const { model, collection, query, paging, pairs } = view;
    const { page, limit } = paging;
    const list = selectChanges(collection, changes, query);
    const entries = list.slice((page - 1) * limit, page * limit);
    const path = changesPath(model);
    const api = `/api${path}`;
    const exported = (format) => address(`/api/export${path}`, [...without(pairs, 'page', 'limit'), ['format', format]]);
    const file = (format, label) => html `<a class="button" href="${exported(format)}" download="${model.name}-changes.${format}">${label}</a>`;
    return html `${heading(view, html `changed since <time datetime="${since.toISOString()}">${longDate(since.getTime())}</time>`)}
${searchForm(view)}
<div class="summary">${incomplete(changes)}${figureList(view, figuresOf(model, collection, changes))}${pairing(changes)}</div>
${filters(view, changes)}
<section class="results" aria-labelledby="count" data-keys="hits">
<div class="toolbar">${countLine(view, list.total)}${arrangement(view, maxLimit)}</div>
${chips(view)}
${list.total === 0 || entries.length === 0 ? nothing(view, changes, list.total) : changeList(view, changes, entries)}
${pager({ path, pairs, paging }, list.total)}
${takeAway('This view as', address(api, pairs), [file('csv', 'CSV'), file('json', 'JSON'), file('ndjson', 'NDJSON')])}
</section>`;
}
function incomplete({ counts }) {
    if (!looksIncomplete(counts))
        return null;
    const before = counts.removed + counts.changed + counts.unchanged;
    return html `<p class="warning" role="note"><strong>The new dump looks incomplete:</strong> ${numberText(counts.removed)} of ${numberText(before)} records are gone.</p>`;
}
/** Said where it is not the usual way. */
function pairing(changes) {
    if (changes.pairing.by === 'id')
        return null;
    const ways = pairedBy(changes).map(wordsOf).join(', then by ');
    return html `<p class="since">Ids were given by position, so records are paired by ${ways}.</p>`;
}
function searchForm({ model, query, pairs }) {
    const label = 'Find by title';
    const hidden = pairs.filter(([name]) => name === 'direction');
    return html `<form class="find" id="${FORM}" role="search" action="${changesPath(model)}" data-live>
<label class="vh" for="q">${label}</label>
<input type="search" id="q" name="q" value="${query.text ?? ''}" placeholder="${label}" maxlength="4096" autocomplete="off" spellcheck="false" enterkeyhint="search">
<kbd aria-hidden="true" title="Press / to search">/</kbd>
<button>Search</button>
${hidden.map(([name, value]) => html `<input type="hidden" name="${name}" value="${value}">`)}
</form>`;
}
function filters(view, changes) {
    const { model, collection, query, measured, pairs } = view;
    const { counts } = changes;
    const percents = measured === null ? null : percentsOf(collection, changes, measured, query);
    const field = model.fields.find(({ name }) => name === measured);
    const given = (name) => pairs.find((pair) => pair[0] === name)?.[1] ?? '';
    const shown = percents === null || field === undefined
        ? null
        : { field, ...percents, min: given('minPercent'), max: given('maxPercent'), range: rangeOf(query) };
    const box = (name, value, label, number, isChosen) => html `<li><input type="checkbox" form="${FORM}" id="${name}-${value}" name="${name}" value="${value}"${isChosen ? html ` checked` : null}><label for="${name}-${value}"><span class="name">${label}</span> <span class="count">${numberText(number)}</span></label></li>`;
    const kinds = changeKinds.map((kind) => box('kind', kind, kindText(kind), counts[kind], query.kinds.includes(kind)));
    const fields = model.fields.flatMap((one) => {
        const found = counts.fields.get(one.name);
        return found === undefined
            ? []
            : [box('field', one.name, labelOf(one), found.changed, query.fields.includes(one.name))];
    });
    const active = narrowing(pairs).length;
    return html `<details class="filters" id="filters">
<summary>Filters${active > 0 ? html ` <span class="badge">${active}</span>` : null}</summary>
<div class="groups">
${shown === null ? null : percentGroup(shown)}
<fieldset class="values" id="by-kind"><legend>Kind</legend><ul>${kinds}</ul></fieldset>
${fields.length === 0 ? null : html `<fieldset class="values" id="by-field"><legend>Changed in</legend><ul>${fields}</ul></fieldset>`}
<button class="apply" form="${FORM}">Apply filters</button>
</div>
</details>`;
}
const rangeOf = ({ minPercent, maxPercent }) => minPercent === Number.NEGATIVE_INFINITY && maxPercent === Number.POSITIVE_INFINITY
    ? null
    : { min: minPercent, max: maxPercent };
function countLine({ paging }, total) {
    const { page, limit } = paging;
    const first = (page - 1) * limit + 1;
    const last = Math.min(page * limit, total);
    const part = first <= last && last - first + 1 < total
        ? html `, showing <span class="part">${numberText(first)}&ndash;${numberText(last)}</span>`
        : null;
    return html `<div role="status" aria-atomic="true"><h2 id="count"><span class="total">${count(total, 'record')}</span>${part}</h2></div>`;
}
const LIMITS = [10, 20, 50, 100, 200];
const option = (value, label, chosen) => html `<option value="${value}"${chosen ? html ` selected` : null}>${label}</option>`;
function arrangement({ query, paging, measured }, maxLimit) {
    const limits = [...new Set([...LIMITS.filter((limit) => limit <= maxLimit), paging.limit])].sort((a, b) => a - b);
    const sorts = changeSorts.filter((sort) => measured !== null || sort === 'title' || sort === 'id');
    const nameOf = (sort) => (sort === 'id' ? 'ID' : capitalised(sort));
    return html `<div class="arrange">
<label>Sort <select form="${FORM}" name="sort" id="sort">${option('', 'Kind and title', query.sort === null)}${sorts.map((sort) => option(sort, nameOf(sort), sort === query.sort))}</select></label>
<label><span class="vh">Direction</span><select form="${FORM}" name="order" id="order">${option('', 'ascending', !query.descending)}${option('desc', 'descending', query.descending)}</select></label>
<label title="${LIMIT_DESCRIPTION}">Show <select form="${FORM}" name="limit" id="limit">${limits.map((limit) => option(limit === 20 ? '' : String(limit), String(limit), limit === paging.limit))}</select></label>
<button class="apply" form="${FORM}">Apply</button>
</div>`;
}
const CHIP_WORDS = {
    kind: '',
    field: 'changed in',
    direction: 'went',
    minPercent: 'at least',
    maxPercent: 'at most',
};
/** Each condition as a link that takes it away. */
function chips({ model, pairs }) {
    const path = changesPath(model);
    const shown = without(pairs, 'page').filter(([name]) => CHIP_WORDS[name] !== undefined);
    if (shown.length === 0)
        return null;
    const text = (name, value) => {
        if (name === 'kind')
            return kindText(value);
        if (name === 'field')
            return wordsOf(value);
        return name.endsWith('Percent') ? `${value} %` : value;
    };
    const chip = ([name, value]) => html `<li><a href="${address(path, withoutValue(without(pairs, 'page'), name, value))}"><span class="says">${CHIP_WORDS[name] ?? ''}</span> ${isolated(text(name, value))}<span class="cross" aria-hidden="true">×</span><span class="vh">, remove this filter</span></a></li>`;
    const all = shown.length > 1 ? html `<li><a class="clear" href="${address(path, unfiltered(pairs))}">Clear all</a></li>` : null;
    return html `<ul class="chips" role="list" aria-label="Filters that apply">${shown.map(chip)}${all}</ul>`;
}
function nothing({ model, paging }, changes, total) {
    const path = changesPath(model);
    if (total > 0)
        return html `<div class="empty"><p>There is no page ${numberText(paging.page)}. <a href="${path}">See the first page</a>.</p></div>`;
    return wholeChanges(changes.counts) === 0
        ? html `<div class="empty"><p>Nothing changed: all ${count(changes.counts.unchanged, 'record')} are as they were.</p></div>`
        : html `<div class="empty"><p>Nothing matches.</p><p>Take a filter away, or <a href="${path}">see all changes</a>.</p></div>`;
}
