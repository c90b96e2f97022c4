/** The records that changed, each with its old and new values. */
import { entryAt } from '../../../store/changes/entries.js';
import { recordAddress } from '../frame/address.js';
import { labelOf, longDate, numberText } from '../frame/format.js';
import { html, isolated } from '../frame/html.js';
import { cover } from '../record/image.js';
import { rolesOf } from '../record/record.js';
import { DOWN, GONE, kindText, NEW, UP } from './figures.js';
/** A value that was or is missing: a dash, which screen readers name. */
const missing = html `<span class="none"><span aria-hidden="true">&ndash;</span><span class="vh">none</span></span>`;
export function changeList({ model, collection }, changes, entries) {
    return html `<ul class="changelist" role="list" aria-labelledby="count">${Array.from(entries, (at) => changeItem(model, entryAt(collection, changes, at)))}</ul>`;
}
function changeItem(model, entry) {
    const { image } = rolesOf(model);
    const record = {
        id: entry.id,
        title: entry.title.trim() === '' ? 'Untitled' : entry.title,
        valueOf: ({ name }) => entry.record[name] ?? null,
        extra: [],
    };
    const isGone = entry.kind === 'removed';
    const title = isGone
        ? html `<span class="gone-title">${isolated(record.title)}</span>`
        : html `<a class="hit-link" id="hit-${String(entry.id)}" href="${recordAddress(model.name, entry.id, [])}">${isolated(record.title)}</a>`;
    const badge = entry.kind === 'changed'
        ? null
        : html ` <span class="kind ${entry.kind}">${entry.kind === 'added' ? NEW : GONE} ${kindText(entry.kind)}</span>`;
    // A picture that stands in a record is served under the record's path, which a removed one has no more.
    const shown = isGone ? { ...record, valueOf: () => null } : record;
    const picture = image === undefined ? null : cover(model, shown, '');
    return html `<li class="change">${picture}<div class="what"><p class="title">${title}${badge}</p>${changeFacts(model, entry.changes)}</div></li>`;
}
/** Old and new values by field. */
export function changeFacts(model, changes) {
    if (changes.size === 0)
        return null;
    const facts = model.fields.flatMap((field) => {
        const change = changes.get(field.name);
        if (change === undefined)
            return [];
        return [
            html `<div class="${field.name}"><dt>${labelOf(field)}</dt><dd>${changeText(field.kind, change)}</dd></div>`,
        ];
    });
    return html `<dl class="was">${facts}</dl>`;
}
const ARROW = html ` <span class="to" aria-hidden="true">&rarr;</span><span class="vh"> now </span> `;
function changeText(kind, change) {
    switch (change.form) {
        case 'number': {
            const { from, to, percent } = change;
            const direction = from === null || to === null ? null : to > from ? 'up' : 'down';
            const text = (value) => value === null ? missing : numberText(value, decimalsOf(from, to));
            return html `<del>${text(from)}</del>${ARROW}<ins>${text(to)}</ins>${direction === null ? null : html ` <span class="step ${direction}">${direction === 'up' ? UP : DOWN}<span class="vh">${direction} </span>${percent === null ? null : percentText(percent)}</span>`}`;
        }
        case 'words': {
            const words = change.to - change.from;
            if (words === 0)
                return 'other words, as many';
            const noun = Math.abs(words) === 1 ? 'word' : 'words';
            return `${numberText(Math.abs(words))} ${noun} ${words > 0 ? 'more' : 'fewer'}`;
        }
        case 'list':
            return html `${change.removed.map((name) => html `<del class="name">${GONE}<span class="vh">gone: </span>${isolated(name)}</del> `)}${change.added.map((name) => html `<ins class="name">${NEW}<span class="vh">new: </span>${isolated(name)}</ins> `)}`;
        case 'text':
            return html `<del>${shortText(kind, change.from)}</del>${ARROW}<ins>${shortText(kind, change.to)}</ins>`;
    }
}
/** Both numbers with as many digits after the point as the one that has more. */
const decimalsOf = (...numbers) => Math.min(2, Math.max(...numbers.map((number) => (number === null ? 0 : (String(number).split('.')[1] ?? '').length))));
const percentText = (percent) => `${numberText(Math.abs(percent), 1)} %`;
const MAX_SHOWN = 160;
function shortText(kind, text) {
    if (text === null || text === '')
        return missing;
    if (kind === 'date' && !Number.isNaN(Date.parse(text)))
        return longDate(Date.parse(text));
    if (/^\s*data:/i.test(text))
        return `a picture in the record, ${numberText(text.length)} characters`;
    return isolated(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
