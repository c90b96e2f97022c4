/** Links to the pages of a view: the first, the last and those around the current one. */
import type { Paging } from '../../../query/query.js';
import { numberText } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import { address, type Pairs, withValue } from '../frame/address.js';

const AROUND = 2;

/** A view that is shown in pages. */
interface Paged {
  readonly path: string;
  readonly pairs: Pairs;
  readonly paging: Paging;
}

export function pager({ path, pairs, paging }: Paged, total: number): Content {
  const { page, limit } = paging;
  const last = Math.ceil(total / limit);
  if (last < 2) return null;
  const to = (target: number): string => address(path, withValue(pairs, 'page', target === 1 ? null : target));
  const step = (target: number, label: Html, relation: string): Html =>
    target < 1 || target > last
      ? html`<span class="step" aria-hidden="true">${label}</span>`
      : html`<a class="step" rel="${relation}" href="${to(target)}">${label}</a>`;
  const pages = pagesAround(page, last).map((target) => {
    if (target === null) return html`<li class="gap" aria-hidden="true">&hellip;</li>`;
    const current = target === page ? html` aria-current="page"` : null;
    return html`<li><a href="${to(target)}" aria-label="Page ${target}"${current}>${numberText(target)}</a></li>`;
  });
  return html`<nav class="pager row" aria-label="Pages">${step(Math.min(page - 1, last), html`&larr; Previous`, 'prev')}<ol class="row" role="list">${pages}</ol>${step(page + 1, html`Next &rarr;`, 'next')}</nav>`;
}

/** The text in place of the records of a page after the last one. */
export function noPage({ path, pairs, paging }: Paged, total: number): Html {
  const last = Math.ceil(total / paging.limit);
  return html`<div class="empty block stack"><p><strong>There is no page ${numberText(paging.page)}.</strong> The last one is <a href="${address(path, withValue(pairs, 'page', last))}">page ${numberText(last)}</a>.</p></div>`;
}

/** Ascending page numbers; null stands for a gap. */
export function pagesAround(page: number, last: number): readonly (number | null)[] {
  const numbers = new Set([1, last]);
  // Within the pages that there are: near 2^53, where an address may have its page, adding one gives the same number.
  const end = Math.min(last, page + AROUND);
  for (let near = Math.max(1, page - AROUND); near <= end; near++) numbers.add(near);
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.flatMap((target, i) => {
    const before = sorted[i - 1] ?? 0;
    if (target - before === 2) return [target - 1, target];
    return target - before > 2 ? [null, target] : [target];
  });
}
