/** The columns of a list, and the form that chooses them. */
import type { Field } from '../../../model.js';
import { labelOf } from '../../markup/format.js';
import { type Html, html, isolated } from '../../markup/html.js';
import { hasValues } from '../counting/offered-fields.js';
import { address, without, withValue } from '../frame/address.js';
import { rolesOf } from '../record/record.js';
import { usualColumns, usualFields } from './usual-columns.js';
import type { View } from './view.js';

/** The fields that the address names in `fields`, in its order, else the usual ones. Title, picture, address and tags stand in one cell. */
export function shownColumns({ model, collection, fields }: View): readonly Field[] {
  if (fields === null) return usualColumns(collection);
  const { columns, found, text } = rolesOf(model);
  const inColumns = [...columns, ...found, ...(text ? [text] : [])];
  return fields.flatMap((name) => inColumns.filter((field) => field.name === name));
}

/** Whether the list shows a field that has no column. */
export const isShownIn = ({ fields }: View, { name }: Field): boolean => fields === null || fields.includes(name);

/** The checkbox of low rows. The style sheet does the rest, so it works without a script, which only remembers it. */
const densitySwitch: Html = html`<label class="row"><input type="checkbox" id="compact"> Compact rows</label>`;

/** The button that opens the form. Identifier and title are always shown. */
export function columnChooser(view: View): Html {
  const { model, collection, fields, pairs } = view;
  const shownNames = fields === null ? usualFields(collection) : new Set(fields);
  const path = `/${model.name}`;
  const otherPairs = without(pairs, 'page', 'fields');
  const isFixed = ({ required, role }: Field): boolean => required === true || role === 'title';
  const fixed = model.fields.filter(isFixed).map(({ name }) => ['fields', name] as const);
  const offeredColumns = model.fields.filter((field) => !isFixed(field) && hasValues(collection, field));
  const columns = [...shownNames].flatMap((name) => offeredColumns.filter((field) => field.name === name));
  const choices = [...columns, ...offeredColumns.filter((field) => !columns.includes(field))];
  const inTable = shownColumns(view);
  const choice = (field: Field): Html => {
    const { name } = field;
    const pin = html`<button type="button" class="pin small" data-pin="${name}" aria-pressed="false">Pin<span class="vh"> ${labelOf(field)}</span></button>`;
    return html`<li class="beside" draggable="true"><input type="checkbox" id="column-${name}" name="fields" value="${name}"${shownNames.has(name) ? html` checked` : null}><label for="column-${name}">${isolated(labelOf(field))}</label>${inTable.includes(field) && pin}</li>`;
  };
  return html`<div class="columns"><button type="button" popovertarget="columns">Columns</button>
<form class="box" id="columns" popover action="${path}" aria-label="Columns">
${[...otherPairs, ...fixed].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${densitySwitch}
<p class="hint soft small">Drag a name, or press Alt and an arrow, to move its column. A pinned column stays beside the title.</p>
<ul class="values choices" role="list">${choices.map(choice)}</ul>
<p class="row"><button class="main">Show these</button>${fields === null ? null : html`<a class="button" href="${address(path, otherPairs)}">Usual columns</a>`}<a class="button" href="${address(path, withValue(otherPairs, 'fields', '*'))}">All columns</a></p>
</form></div>`;
}
