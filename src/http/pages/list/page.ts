/** The HTML page of a collection's list: search, filters, hits. Its parameters are those of the API, and `unfold`. */
import { isSortable } from '../../../field-kinds.js';
import { type CollectionModel, type Field, ID_FIELD, isFound, recordsOf } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import { execute } from '../../../query/execute.js';
import { operatorParameters } from '../../../query/operators.js';
import type { ExportFormat } from '../../../query/parameters.js';
import type { Comparison } from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { exportBytes } from '../../api/export/export.js';
import { createHighlighter } from '../../highlight/highlight.js';
import { collectionTitle, labelOf, numberText, separateWords, withoutBidiControls } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import type { AppOptions } from '../../options.js';
import { changesPath, changesSummary, nothingChanged, sinceWhen } from '../changes/figures.js';
import { hasValues } from '../counting/offered-fields.js';
import { shapeOf } from '../counting/shape.js';
import { address, apiAddress, conditionsIn, recordAddresses, without, withValue } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { arrangement, conditionChips, countLine, pageSize, searchForm } from '../frame/toolbar.js';
import { usualGrouping } from '../groups/choices.js';
import { columnChooser } from './columns.js';
import { viewConditions } from './conditions.js';
import { noHits } from './empty.js';
import { exportButton } from './export-button.js';
import { filterPanel, filtersButton } from './filters.js';
import { noPage, pager } from './pager.js';
import { hitTable } from './table.js';
import { usualFields } from './usual-columns.js';
import { MAX_SHOWN_RECORDS, type View } from './view.js';

export type ListOptions = Pick<AppOptions, 'maxLimit' | 'hasAllFields'> & Required<Pick<AppOptions, 'origin'>>;

/** A collection without records has nothing to search, filter or export. */
function nothingLoaded({ model }: View): PageFrame {
  const title = collectionTitle(model.name);
  return {
    title,
    current: model.name,
    kind: 'error',
    main: html`<h1>${title}</h1>
<p>No ${separateWords(model.name)} are loaded.</p>
<p>A file whose name begins with <code>${model.name}</code> is read as ${model.name}, and so is any with <code>--as ${model.name}</code>.</p>
<ul class="row" role="list"><li><a class="button" href="/">Overview</a></li></ul>`,
  };
}

export function listPage(view: View, options: ListOptions, comparison: Comparison | null): PageFrame {
  const { model, collection, query, paging, pairs } = view;
  const { changesOf } = model;
  if (collection.size === 0) return changesOf === undefined ? nothingLoaded(view) : noChanges(view, comparison);
  const conditions = new Conditions(collection, query);
  const shape = shapeOf(collection, query, conditions);
  const { rows, total } = execute(collection, query, paging, conditions);
  const hits = {
    view,
    addressOf: recordAddresses(model.name, pairs),
    rows,
    highlighter: createHighlighter(collection.search, query),
    comparison: changesOf === undefined ? comparison : null,
    narrowedShape: total === collection.size ? null : shape,
  };
  const paged = { path: `/${model.name}`, pairs, paging };
  const controls = html`${columnChooser(view)}${groupsButton(view)}${exportOf(view, options, conditions, total)}`;
  const name = collectionTitle(model.name);
  const size = total === collection.size ? null : html` of ${numberText(collection.size)}`;
  const of = html`${size}${changesOf !== undefined && sinceWhen(comparison)}`;
  const title = query.text === null ? name : html`${withoutBidiControls(query.text)} &ndash; ${name}`;
  return {
    title,
    current: changesOf ?? model.name,
    kind: changesOf === undefined ? 'list' : 'list changes',
    main: html`<div class="row split"><h1>${name}</h1>${changesOf === undefined && changedPill(view, comparison)}</div>
${changesOf === undefined ? null : changesSummary(changesOf, pairs, comparison)}
${searchBox(view)}
${filterPanel(view, shape, total)}
<section class="results stack" aria-labelledby="count" data-keys="hits">
<div class="toolbar row">${countLine(paging, total, model.singular.toLowerCase(), of)}${filtersButton(new Set(query.filters.map(({ field }) => field)).size)}${arrangement({ ...arrangementOf(view), isEmpty: total === 0 }, controls)}</div>
${chips(view)}
${suggestionLine(view)}
${rows.length > 0 ? hitTable(hits) : total > 0 ? noPage(paged, total) : noHits(view)}
<div class="row">${pager(paged, total)}${rows.length > 0 && pageSizes(view, options, total)}</div>
</section>`,
  };
}

/** The page of changes where there are none. */
function noChanges({ model }: View, comparison: Comparison | null): PageFrame {
  const title = collectionTitle(model.name);
  return {
    title,
    current: model.changesOf ?? model.name,
    kind: 'list changes',
    main: html`<h1>${title}</h1>
${changesSummary(model.changesOf ?? model.name, [], comparison)}
<section class="results"><div class="empty block stack">${nothingChanged(comparison)}</div></section>`,
  };
}

/** A link to the changes of the collection, with their number. */
function changedPill({ model }: View, comparison: Comparison | null): Content {
  const changed = comparison?.changes.size ?? 0;
  return changed === 0 ? null : html`<a class="pill" href="${changesPath(model)}">${count(changed, 'change')}</a>`;
}

/** Parameters without a field on the page, which the form sends as hidden ones; exact numbers and dates among them. */
const hiddenParameters = memoize((model: CollectionModel): readonly string[] => {
  const inForm = model.fields.flatMap(({ filter }) =>
    filter === undefined ? [] : filter.kind === 'range' ? [filter.min, filter.max] : [filter.parameter],
  );
  const operatorNames = operatorParameters(model).map(({ parameter }) => parameter.name);
  return [
    ...['match', 'fuzzy', 'prefix', 'boost', 'unfold', 'fields', 'missing'],
    ...operatorNames.filter((name) => !inForm.includes(name)),
  ];
});

function searchBox({ model, query, collection, pairs }: View): Html {
  return searchForm({
    action: `/${model.name}`,
    label: `Search ${numberText(collection.size)} ${model.changesOf === undefined ? separateWords(recordsOf(model)) : 'changes'}`,
    text: query.text,
    hidden: pairs.filter(([name]) => hiddenParameters(model).includes(name)),
  });
}

function chips(view: View): Content {
  const conditions = viewConditions(view);
  const cleared = without(view.pairs, 'page', ...conditions.map(({ pair: [name] }) => name));
  return conditionChips(`/${view.model.name}`, view.pairs, conditions, cleared);
}

/** Found records whose lengths are added up for the size of their file: less than a millisecond. */
const MAX_SIZED_ROWS = 1 << 16;

function exportOf(
  view: View,
  { hasAllFields = false, origin }: ListOptions,
  conditions: Conditions,
  total: number,
): Html {
  const { model, collection, fields, pairs } = view;
  const allNames = hasAllFields ? model.fields.map(({ name }) => name) : null;
  const matching = conditions.all;
  const bytesOf = (format: ExportFormat): number | null =>
    matching !== null && matching.count > MAX_SIZED_ROWS
      ? null
      : exportBytes({ collection, rows: matching?.rows ?? null, fields: fields ?? allNames }, format);
  return exportButton(origin, apiAddress(model.name, pairs), {
    name: model.name.replace('/', '-'),
    path: `/${model.name}`,
    pairs,
    rows: total,
    hasFeed: true,
    bytesOf,
  });
}

/** The field of the page's size, and a note where the address asks for more records than a page shows. */
function pageSizes({ paging, pairs }: View, { maxLimit }: ListOptions, total: number): Html {
  const askedLimit = Number(pairs.find(([name]) => name === 'limit')?.[1] ?? 0);
  const note =
    askedLimit > MAX_SHOWN_RECORDS &&
    html`<span class="soft">A page shows ${MAX_SHOWN_RECORDS} at most; the API sends ${numberText(askedLimit)}.</span>`;
  return html`${note}${pageSize(paging, maxLimit, total)}`;
}

function arrangementOf({ query, model, collection }: View) {
  const usual = usualFields(collection);
  const isUsual = (field: Field): boolean => usual.has(field.name) || !isFound(field);
  const present = model.fields.filter((field) => hasValues(collection, field));
  const sortsOf = (fields: readonly Field[]) =>
    fields
      .filter((field) => isSortable(field) && field !== model.fields[ID_FIELD])
      .map((field) => [field.name, labelOf(field)] as const);
  return {
    query,
    unsorted: query.text !== null ? 'Relevance' : model.changesOf === undefined ? 'File order' : 'Newest first',
    sorts: sortsOf(present.filter(isUsual)),
    furtherSorts: sortsOf(present.filter((field) => !isUsual(field))),
  };
}

/** The link to the page that groups the records of the view by the values of a field. */
const groupsButton = ({ model, collection, pairs }: View): Content =>
  model.changesOf === undefined &&
  usualGrouping(collection) !== undefined &&
  html`<a class="button" href="${address(`/${model.name}/stats`, conditionsIn(pairs))}">Group by</a>`;

/** The line with the searched text, if it differs from the written one. */
function suggestionLine({ model, collection, query, pairs }: View): Content {
  const { text, textOptions } = query;
  const searched = text === null ? null : (collection.search.suggestion?.(text, textOptions) ?? null);
  if (text === null || searched === null) return null;
  const path = `/${model.name}`;
  const firstPage = without(pairs, 'page');
  return html`<p class="suggestion">Showing results for <a href="${address(path, withValue(firstPage, 'q', searched))}"><strong>${isolated(searched)}</strong></a>. <a href="${address(path, withValue(firstPage, 'fuzzy', '0'))}">Search for <q>${isolated(text)}</q> as written</a></p>`;
}
