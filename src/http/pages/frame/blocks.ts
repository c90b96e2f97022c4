/** Blocks of the home page and of the pages of fields and groups: their frame and heading, bars with names, and lists of records. */
import { numberText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { recordAddress } from './address.js';

/** `width` is its share of a wide page. On a narrow screen every block is as wide as the page. */
export const block = (width: 'third' | 'half' | 'wide' | 'whole', content: Content): Html =>
  html`<section class="block ${width}">${content}</section>`;

/** The heading of a block, with a text at its right. */
export const blockHead = (title: Content, aside: Content = null): Html =>
  html`<header class="split"><h3>${title}</h3>${aside === null ? null : html`<span class="count small">${aside}</span>`}</header>`;

interface CountedValue {
  readonly name: Content;
  /** The list of its records; null where there is no link to it. */
  readonly address: string | null;
  readonly records: number;
  /** The records without a value, whose bar is grey. */
  readonly isEmpty?: boolean;
}

/** Bars of values, the most frequent first. A bar has a percent of the width at least. */
export function countBars(values: readonly CountedValue[]): Html {
  const mostRecords = Math.max(1, ...values.map(({ records }) => records));
  const items = values.map(({ name, address, records, isEmpty }) => {
    const width = Math.max(1, Math.round((records / mostRecords) * 1000) / 10);
    const parts = html`<svg aria-hidden="true"><rect${isEmpty && html` class="track"`} width="${width}%" height="100%"/></svg><span class="name cut">${name}</span> <span class="count">${numberText(records)}</span>`;
    return html`<li>${address === null ? html`<span class="split">${parts}</span>` : html`<a class="split" href="${address}">${parts}</a>`}</li>`;
  });
  return html`<ol class="bars" role="list">${items}</ol>`;
}

/** Records by their values, with a heading; `all` leads to the whole list. */
export const topList = (title: Content, all: Content, items: readonly Html[]): Html =>
  html`${blockHead(title, all)}<ol class="top-list pairs lines" role="list">${items}</ol>`;

/** A value, the record that has it, and more about it. */
export const topItem = (
  collection: string,
  { id, title }: { readonly id: unknown; readonly title: string },
  value: Content,
  behind: Content = null,
): Html =>
  html`<li><span class="number">${value}</span><a href="${recordAddress(collection, id, [])}">${isolated(title)}</a>${behind && html`<span class="soft number">${behind}</span>`}</li>`;
