/** The part of a page above its records: search form, count, conditions and order. */
import { LIMIT_DESCRIPTION } from '../../../query/parameters.js';
import type { Paging } from '../../../query/query.js';
import { count } from '../../../text.js';
import { capitalised, numberText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { address, type NameAndValue, type Pairs, without, withoutValue } from './address.js';

/** The id of the form that all fields of a page belong to. */
export const FORM = 'view';

interface SearchForm {
  readonly action: string;
  readonly label: string;
  readonly text: string | null;
  /** Parameters that the form sends besides its fields. */
  readonly hidden: Pairs;
}

/** The field for a search text. */
export const searchInput = (label: string, text: string): Html =>
  html`<label class="vh" for="q">${label}</label>
<input type="search" id="q" name="q" value="${text}" placeholder="${label}" maxlength="4096" autocomplete="off" spellcheck="false" enterkeyhint="search">`;

export const searchForm = ({ action, label, text, hidden }: SearchForm): Html =>
  html`<form class="find row" id="${FORM}" role="search" action="${action}" autocomplete="off" data-live>
${searchInput(label, text ?? '')}
<button class="main">Search</button>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`;

/** `of` is the text of the collection's size, where not all records match. */
export function countLine({ page, limit }: Paging, total: number, noun: string, of: Content): Html {
  const first = (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  const isPart = first <= last && last - first + 1 < total;
  const part = isPart && html`, <span class="part">${numberText(first)}&ndash;${numberText(last)}</span>`;
  return html`<div role="status" aria-atomic="true"><h2 id="count"><span class="total">${count(total, noun)}</span><span class="count">${of}${part}</span></h2></div>`;
}

/** A pair of the address, as people read it. */
export interface ShownCondition {
  readonly pair: NameAndValue;
  readonly says: string;
  readonly text: string;
}

/** `“map” with score at least 5,000, tag maps`. */
export function askedText(text: string | null, conditions: readonly ShownCondition[]): Content {
  const texts = conditions.map(({ says, text: value }, i) => html`${i === 0 ? null : ', '}${says} ${isolated(value)}`);
  const words = text === null ? null : html`<q>${isolated(text)}</q>${texts.length > 0 ? ' with ' : null}`;
  return html`${words}${texts}`;
}

/** Bound on the links, each of which holds all other conditions: their total size grows with the square. */
const MAX_CHIPS = 20;

/** Links that remove one condition each; `cleared` is the view without any. */
export function conditionChips(
  path: string,
  pairs: Pairs,
  conditions: readonly ShownCondition[],
  cleared: Pairs,
): Content {
  if (conditions.length === 0) return null;
  const firstPage = without(pairs, 'page');
  const chip = ({ pair: [name, value], says, text }: ShownCondition): Html =>
    html`<li><a class="pill" href="${address(path, withoutValue(firstPage, name, value))}">${capitalised(says)} <strong>${isolated(text)}</strong> <span class="cross" aria-hidden="true">×</span><span class="vh">, remove this filter</span></a></li>`;
  const more = conditions.length - MAX_CHIPS;
  const all = html`<li><a class="pill" href="${address(path, cleared)}">Clear all</a></li>`;
  return html`<ul class="chips row" role="list" aria-label="Filters that apply">${conditions.slice(0, MAX_CHIPS).map(chip)}${more > 0 && html`<li>and ${numberText(more)} more</li>`}${conditions.length > 1 && all}</ul>`;
}

const PAGE_SIZES = [10, 20, 50, 100, 200];

interface Arrangement {
  readonly query: { readonly sort: string | null; readonly descending: boolean };
  /** Whether the view has no records: its order is kept, but not shown. */
  readonly isEmpty: boolean;
  /** The name of the order without `sort`. */
  readonly unsorted: string;
  readonly sorts: Sorts;
  /** The orders by further fields, under a heading. */
  readonly furtherSorts: Sorts;
}

type Sorts = readonly (readonly [key: string, label: string])[];

/** The fields of the order; `behind` is markup after them. */
export function arrangement(arranged: Arrangement, behind: Content): Html {
  const { isEmpty, unsorted, sorts, furtherSorts } = arranged;
  const { sort, descending } = arranged.query;
  const options = (some: Sorts): readonly Html[] => some.map(([key, label]) => option(key, label, key === sort));
  const further = furtherSorts.length > 0 && html`<optgroup label="More fields">${options(furtherSorts)}</optgroup>`;
  return html`<div class="arrange row soft"${isEmpty && html` hidden`}>
<label><span class="word">Sort</span> <select form="${FORM}" name="sort" id="sort">${option('', unsorted, sort === null)}${options(sorts)}${further}</select></label>
<label><span class="vh">Direction</span><select form="${FORM}" name="order" id="order">${option('', 'ascending', !descending)}${option('desc', 'descending', descending)}</select></label>
<button class="apply" form="${FORM}">Apply</button>
${behind}
</div>`;
}

/** The field of the records of a page. Where one page of any size has all records, it is kept, but not shown. */
export function pageSize({ limit }: Paging, maxLimit: number, total: number): Html {
  const limits = [...new Set([...PAGE_SIZES.filter((one) => one <= maxLimit), limit])].sort((a, b) => a - b);
  return html`<label class="soft" title="${LIMIT_DESCRIPTION}"${total <= Math.min(...limits) && html` hidden`}>Show <select form="${FORM}" name="limit" id="limit">${limits.map((one) => option(one === 20 ? '' : String(one), String(one), one === limit))}</select></label>`;
}

const option = (value: string, label: string, chosen: boolean): Html =>
  html`<option value="${value}"${chosen ? html` selected` : null}>${label}</option>`;
