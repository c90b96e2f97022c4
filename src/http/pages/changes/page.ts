/** The HTML page of a collection's changes: figures, filters by percentage, kind and field, and the changed records. */
import { type ChangesQuery, changeSorts, selectChanges } from '../../../query/changes.js';
import { pairedBy } from '../../../query/changes-json.js';
import {
  type Changes,
  type Comparison,
  changeKinds,
  looksIncomplete,
  wholeChanges,
} from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { capitalised, collectionTitle, labelOf, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import type { Distribution } from '../counting/shape.js';
import { address, withValue } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { arrangement, askedText, type Condition, conditionChips, countLine, searchForm } from '../frame/toolbar.js';
import { exportButton } from '../list/export-button.js';
import { filtersButton, optionItem, panel, rangeFieldset } from '../list/filters.js';
import { noPage, pager } from '../list/pager.js';
import { figureList, figuresOf, kindText, sinceText, toneOf } from './figures.js';
import { changeList } from './list.js';
import { percentsOf } from './percents.js';
import { type ChangesView, changesPath, FILTER_WORDS, narrowing, unfiltered } from './view.js';

export function comparisonPage(view: ChangesView, maxLimit: number): PageFrame {
  const { model, comparison } = view;
  return {
    title: `Changes in ${wordsOf(model.name)}`,
    current: model.name,
    kind: 'list changes',
    main: comparison === null ? nothingCompared(view) : compared(view, comparison, maxLimit),
  };
}

const heading = (view: ChangesView, rest: Content): Html =>
  html`<hgroup><h1><a href="/${view.model.name}">${collectionTitle(view.model.name)}</a></h1> <p class="soft">${rest}</p></hgroup>`;

const nothingCompared = (view: ChangesView): Html =>
  html`${heading(view, 'changes')}
<section class="results"><div class="empty panel stack"><p>There is nothing to compare with yet.</p><p>Load a newer dump while the server runs (<code>--watch</code>), or name an earlier one at the start with <code>--previous</code>.</p></div></section>`;

function compared(view: ChangesView, { changes, since }: Comparison, maxLimit: number): Html {
  const { model, collection, query, paging, pairs } = view;
  const { page, limit } = paging;
  const list = selectChanges(collection, changes, query);
  const entries = list.slice((page - 1) * limit, page * limit);
  const path = changesPath(model);
  const paged = { path, pairs, paging };
  const exported = exportButton(address(`/api${path}`, pairs), { ...paged, name: `${model.name}-changes` });
  return html`${heading(view, sinceText(since))}
${searchForm({ action: path, label: 'Find by title', text: query.text, hidden: pairs.filter(([name]) => name === 'direction') })}
<div class="summary stack">${incomplete(changes)}${figureList(view, figuresOf(collection, changes))}${pairing(changes)}${columns(changes)}</div>
${filters(view, changes, list.total)}
<section class="results stack" aria-labelledby="count" data-keys="hits">
<div class="toolbar row">${countLine(paging, list.total, 'record')}${otherChanges(view)}${filtersButton(narrowing(pairs).length)}${arrangement(changesArrangement(view, maxLimit), exported)}</div>
${conditionChips(path, pairs, conditionsOf(pairs), unfiltered(pairs))}
${entries.length > 0 ? changeList(view, changes, entries) : list.total > 0 ? noPage(paged, list.total) : emptyList(view, changes)}
${pager(paged, list.total)}
</section>`;
}

/** Links to the changes of the other collections. */
const otherChanges = ({ others }: ChangesView): Content =>
  others.map(
    ([name, total]) =>
      html`<a class="pill" href="${changesPath({ name })}">${count(total, 'change')} in ${wordsOf(name)}</a>`,
  );

function incomplete({ counts }: Changes): Content {
  if (!looksIncomplete(counts)) return null;
  const before = counts.removed + counts.changed + counts.unchanged;
  return html`<p class="warning note" role="note"><strong>The new dump looks incomplete:</strong> ${numberText(counts.removed)} of ${numberText(before)} records are removed.</p>`;
}

/** The note that records were not paired by id, and how many pairs may be others. */
function pairing(changes: Changes): Content {
  if (changes.pairing.by === 'id') return null;
  const ways = pairedBy(changes).map(wordsOf).join();
  return html`<p class="soft">Ids were given by position, so records are paired by ${ways}.${repeatedText(changes.pairing)}</p>`;
}

const repeatedText = (pairing: Changes['pairing']): string =>
  pairing.by === 'names' && pairing.repeated > 0
    ? ` ${count(pairing.repeated, 'pair')} of titles that repeat have no percentages.`
    : '';

/** A line for each column that is new or gone. */
const columns = ({ columns: all }: Changes): Content =>
  all.map(
    ({ field, is, records }) => html`<p class="soft">${wordsOf(field)}: ${is} in ${count(records, 'record')}.</p>`,
  );

function filters(view: ChangesView, changes: Changes, total: number): Html {
  const { collection, query, measured } = view;
  const { counts, model } = changes;
  const field = model.fields.find(({ name }) => name === measured);
  const percents = field === undefined ? null : percentsOf(collection, changes, field, query);
  const box = (name: string, value: string, label: Content, records: number, chosen: readonly string[]): Html =>
    optionItem({ id: `${name}-${value}`, name, value, label, records, isChosen: chosen.includes(value) });
  const kinds = changeKinds.map((kind) => box('kind', kind, kindText(kind), counts[kind], query.kinds));
  const fields = model.fields.flatMap((one) => {
    const fieldCounts = counts.fields.get(one.name);
    return fieldCounts === undefined ? [] : [box('field', one.name, labelOf(one), fieldCounts.changed, query.fields)];
  });
  return panel(
    html`${percents === null ? null : percentFilter(percents, view)}
<fieldset class="values" id="by-kind"><legend>Kind</legend><ul>${kinds}</ul></fieldset>
${fields.length === 0 ? null : html`<fieldset class="values" id="by-field"><legend>Changed in</legend><ul>${fields}</ul></fieldset>`}`,
    count(total, 'record'),
  );
}

function percentFilter(percents: Distribution, { model, query, pairs }: ChangesView): Html {
  const { name, role } = percents.field;
  const fieldPairs = withValue(pairs, 'field', name);
  return rangeFieldset(
    percents,
    `${labelOf(percents.field)}, change in percent`,
    rangeOf(query),
    { path: changesPath(model), pairs: fieldPairs, min: 'minPercent', max: 'maxPercent' },
    (from) => toneOf(role, from < 0 ? 'down' : 'up'),
  );
}

const rangeOf = ({ minPercent, maxPercent }: ChangesQuery) =>
  minPercent === Number.NEGATIVE_INFINITY && maxPercent === Number.POSITIVE_INFINITY
    ? null
    : { min: minPercent, max: maxPercent };

const changesArrangement = ({ query, paging, measured }: ChangesView, maxLimit: number) => ({
  query,
  paging,
  maxLimit,
  unsorted: 'Biggest change',
  sorts: changeSorts
    .filter((key) => measured !== null || key === 'title' || key === 'id')
    .map((key) => [key, key === 'id' ? 'ID' : capitalised(key)] as const),
});

function conditionsOf(pairs: ChangesView['pairs']): readonly Condition[] {
  const textOf = (name: string, value: string): string => {
    if (name === 'kind') return kindText(value);
    if (name === 'field') return wordsOf(value);
    return name.endsWith('Percent') ? `${value}%` : value;
  };
  return pairs.flatMap((pair): readonly Condition[] => {
    const says = FILTER_WORDS[pair[0]];
    return says === undefined ? [] : [{ pair, says, text: textOf(...pair) }];
  });
}

function emptyList({ model, pairs, query }: ChangesView, { counts }: Changes): Html {
  const total = wholeChanges(counts);
  const text =
    total === 0
      ? html`<p>Nothing changed: all ${count(counts.unchanged, 'record')} are as they were.</p>`
      : html`<p><strong>No changed ${wordsOf(model.name)} match ${askedText(query.text, conditionsOf(pairs))}.</strong></p><p><a class="button" href="${changesPath(model)}">All ${numberText(total)} changes</a></p>`;
  return html`<div class="empty panel stack">${text}</div>`;
}
