/** What stands above the hits: how many there are, the conditions that hold, the order, the layout, the view as files. */

import { type CollectionModel, type Field, sortKeys } from '../../../model.js';
import { LIMIT_DESCRIPTION } from '../../../query/parameters.js';
import { count } from '../../../text.js';
import { address, type Pairs, without, withoutValue, withValue } from '../frame/address.js';
import { capitalised, numberText, wordsOf } from '../frame/format.js';
import { type Content, type Html, html, isolated } from '../frame/html.js';
import { memoize } from '../frame/memoize.js';
import { rolesOf } from '../record/record.js';
import { FORM } from './filters.js';
import type { View } from './view.js';
import { WORD_CONDITIONS } from './words.js';

const LIMITS = [10, 20, 50, 100, 200];

export function countLine(view: View, total: number): Html {
  const { page, limit } = view.paging;
  const first = (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  const noun = view.model.singular.toLowerCase();
  const whole = view.collection.size;
  const of = total === whole ? '' : ` of ${numberText(whole)}`;
  const part =
    first <= last && last - first + 1 < total
      ? html`<span class="part">${numberText(first)}&ndash;${numberText(last)}</span>`
      : null;
  return html`<div role="status" aria-atomic="true"><h2 id="count"><span class="total">${count(total, noun)}</span>${of}${part === null ? null : html`, showing ${part}`}</h2></div>`;
}

/** The parameters that filter, with what each says before its value. */
export const conditionsOf = memoize(({ fields }: CollectionModel) =>
  fields.flatMap((field): readonly { field: Field; parameter: string; says: string }[] => {
    const { name, filter, kind } = field;
    if (filter === undefined) return [];
    if (filter.kind === 'value') {
      const { parameter, match } = filter;
      const whole = { field, parameter, says: wordsOf(name) };
      return match === undefined ? [whole] : [whole, { field, parameter: match, says: `${wordsOf(name)} match` }];
    }
    const [from, to] = kind === 'date' ? ['from', 'to'] : ['at least', 'at most'];
    return [
      { field, parameter: filter.min, says: `${wordsOf(name)} ${from}` },
      { field, parameter: filter.max, says: `${wordsOf(name)} ${to}` },
    ];
  }),
);

/** Each condition as a link that takes it away. */
export function conditionChips(view: View): Content {
  const path = `/${view.model.name}`;
  const pairs = without(view.pairs, 'page');
  const parameters = conditionsOf(view.model);
  const chip = (left: Pairs, says: string, value: string): Html =>
    html`<li><a href="${address(path, left)}"><span class="says">${says}</span> ${isolated(value)}<span class="cross" aria-hidden="true">×</span><span class="vh">, remove this filter</span></a></li>`;
  const filters = parameters.flatMap(({ parameter, says }) =>
    pairs
      .filter((pair) => pair[0] === parameter)
      .map(([, value]) => chip(withoutValue(pairs, parameter, value), says, value)),
  );
  const words = WORD_CONDITIONS.flatMap(({ parameter, says, value }) =>
    pairs.some((pair) => pair[0] === parameter && pair[1] === '0')
      ? [chip(without(pairs, parameter), says, value)]
      : [],
  );
  const chips = [...words, ...filters];
  if (chips.length === 0) return null;
  const cleared = without(pairs, ...parameters.map(({ parameter }) => parameter));
  const all = chips.length > 1 ? html`<li><a class="clear" href="${address(path, cleared)}">Clear all</a></li>` : null;
  return html`<ul class="chips" role="list" aria-label="Filters that apply">${chips}${all}</ul>`;
}

const option = (value: string, label: string, chosen: boolean): Html =>
  html`<option value="${value}"${chosen ? html` selected` : null}>${label}</option>`;

export function arrangement(view: View, maxLimit: number): Html {
  const { query, paging, model } = view;
  const unsorted = query.text === null ? 'Snapshot order' : 'Relevance';
  const limits = [...new Set([...LIMITS.filter((limit) => limit <= maxLimit), paging.limit])].sort((a, b) => a - b);
  return html`<div class="arrange">
<label>Sort <select form="${FORM}" name="sort" id="sort">${option('', unsorted, query.sort === null)}${sortKeys(model).map((key) => option(key, capitalised(wordsOf(key)), key === query.sort))}</select></label>
<label><span class="vh">Direction</span><select form="${FORM}" name="order" id="order">${option('', 'ascending', !query.descending)}${option('desc', 'descending', query.descending)}</select></label>
<label title="${LIMIT_DESCRIPTION}">Show <select form="${FORM}" name="limit" id="limit">${limits.map((limit) => option(limit === 20 ? '' : String(limit), String(limit), limit === paging.limit))}</select></label>
<button class="apply" form="${FORM}">Apply</button>
${layoutSwitch(view)}
</div>`;
}

function layoutSwitch({ model, layout, pairs }: View): Content {
  if (rolesOf(model).image === undefined) return null;
  const link = (name: string, label: string): Html => {
    const target = address(`/${model.name}`, withValue(pairs, 'view', name === 'table' ? null : name));
    return html`<a href="${target}" id="as-${name}"${layout === name ? html` aria-current="true"` : null}>${label}</a>`;
  };
  return html`<nav class="layouts" aria-label="Layout">${link('table', 'Table')}${link('grid', 'Grid')}</nav>`;
}
