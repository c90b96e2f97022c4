/** Hits as a grid of pictures, for collections with pictures. */
import { labelOf } from '../../markup/format.js';
import { type Html, html } from '../../markup/html.js';
import { cover } from '../record/image.js';
import { listRecord, rolesOf } from '../record/record.js';
import { cellValue, isMissing } from '../record/value.js';
import { type Hits, titleLink } from './table.js';

export function hitGrid(hits: Hits): Html {
  const { view, rows, highlighter } = hits;
  const { model, collection } = view;
  const { columns } = rolesOf(model);
  const card = (row: number): Html => {
    const record = listRecord(collection, row);
    const present = columns.filter((field) => !isMissing(record.valueOf(field)));
    return html`<li class="card">
${cover(model, record, { alt: '', size: 'large' })}
${titleLink(hits, record)}
<dl>${present.map((field) => html`<div class="${field.role ?? field.kind}"><dt>${labelOf(field)}</dt><dd>${cellValue(field, record.valueOf(field), collection, highlighter)}</dd></div>`)}</dl>
</li>`;
  };
  return html`<ul class="grid" role="list" aria-labelledby="count">${Array.from(rows, card)}</ul>`;
}
