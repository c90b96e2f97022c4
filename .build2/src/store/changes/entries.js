import { idOfRow } from '../ids.js';
import { recordView } from '../record-text.js';
import { changeFormOf, firstEntryOf, kindOf, percentOf, removedItem, rowOfEntry, } from './changes.js';
import { namesOf } from './compare.js';
export function entryAt(collection, changes, entry) {
    const kind = kindOf(changes, entry);
    if (kind === 'removed') {
        const index = entry - firstEntryOf(changes, 'removed');
        const record = recordIn(removedItem(changes.removed, index));
        return { id: changes.removed.ids[index], title: String(record.title), kind, record, changes: new Map() };
    }
    const row = rowOfEntry(changes, entry);
    const record = recordIn(recordView(collection.text, row).toString());
    return {
        id: idOfRow(collection.ids, row),
        title: String(record.title),
        kind,
        record,
        changes: kind === 'changed' ? changesOf(collection, changes, entry, record) : new Map(),
    };
}
/** The entry of a row that is changed, or -1. */
export function changedEntryOf({ orders }, { changedRows }, row) {
    const keys = orders.get('title')?.keys;
    if (keys === undefined)
        return changedRows.indexOf(row);
    let low = 0;
    let high = changedRows.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (keys[changedRows[middle]] < keys[row])
            low = middle + 1;
        else
            high = middle;
    }
    return changedRows[low] === row ? low : -1;
}
function changesOf({ model }, changes, record, later) {
    const { starts, fields } = changes;
    const found = new Map();
    for (let change = starts[record]; change < starts[record + 1]; change++) {
        const field = model.fields[fields[change]];
        found.set(field.name, fieldChange(changeFormOf(field), changes, change, later[field.name] ?? null));
    }
    return found;
}
function fieldChange(form, changes, change, now) {
    const [from, to] = [changes.olds[change], changes.news[change]];
    if (form === 'number')
        return { form, from: orNull(from), to: orNull(to), percent: percentOf(from, to) };
    if (form === 'words')
        return { form, from, to };
    const json = oldTextAt(changes, from);
    if (form === 'list') {
        const [before, after] = [new Set(namesOf(json)), new Set(Array.isArray(now) ? now.map(String) : [])];
        return {
            form,
            added: [...after].filter((name) => !before.has(name)),
            removed: [...before].filter((name) => !after.has(name)),
        };
    }
    const old = JSON.parse(json);
    return { form, from: old === null ? null : String(old), to: now === null ? null : String(now) };
}
const orNull = (number) => (Number.isNaN(number) ? null : number);
function oldTextAt({ oldTexts }, at) {
    const bytes = Buffer.from(oldTexts.buffer, oldTexts.byteOffset + at, oldTexts.length - at);
    return bytes.toString('utf8', 0, bytes.indexOf('\n'));
}
const recordIn = (json) => JSON.parse(json);
