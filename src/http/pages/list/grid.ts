/** Hits as a grid of pictures, for collections with pictures. */
import { type Html, html } from '../../markup/html.js';
import { cover } from '../record/image.js';
import { listRecord } from '../record/record.js';
import { factLine } from '../record/value.js';
import { changeOf, type MarkedHits, titleLink } from './table.js';

export function hitGrid(hits: MarkedHits): Html {
  const { view, rows, highlighter } = hits;
  const { model, collection } = view;
  const card = (row: number): Html => {
    const record = listRecord(collection, row);
    return html`<li class="card stack">
${cover(model, record, { alt: '', size: 'large' })}
${titleLink(hits, record)}
${factLine(collection, record, highlighter)}
${changeOf(hits, record)}
</li>`;
  };
  return html`<ul class="grid" role="list" aria-labelledby="count">${Array.from(rows, card)}</ul>`;
}
