export const MAX_REMOVED_ITEMS = 100_000;
/** In the order of entries. */
export const changeKinds = ['changed', 'added', 'removed'];
export const entryCount = ({ changedRows, addedRows, removed }) => changedRows.length + addedRows.length + removed.ids.length;
export function kindOf({ changedRows, addedRows }, entry) {
    if (entry < changedRows.length)
        return 'changed';
    return entry < changedRows.length + addedRows.length ? 'added' : 'removed';
}
/** The first entry of a kind. */
export function firstEntryOf({ changedRows, addedRows }, kind) {
    if (kind === 'changed')
        return 0;
    return kind === 'added' ? changedRows.length : changedRows.length + addedRows.length;
}
/** The row of an entry that is not removed. */
export const rowOfEntry = ({ changedRows, addedRows }, entry) => entry < changedRows.length ? changedRows[entry] : addedRows[entry - changedRows.length];
/** The JSON text of a removed record's list item. */
export function removedItem({ items, starts }, index) {
    const bytes = items.subarray(starts[index], starts[index + 1]);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
export function changeFormOf({ kind, detailOnly }) {
    if (kind === 'integer' || kind === 'number')
        return 'number';
    if (kind === 'tags')
        return 'list';
    return kind === 'text' && detailOnly === true ? 'words' : 'text';
}
/** Whether the later dump seems to be that of a scrape that did not get through. */
export const looksIncomplete = ({ removed, changed, unchanged }) => removed > changed + unchanged;
export const wholeChanges = ({ added, removed, changed }) => added + removed + changed;
/**
 * The percentage that a number changed by, to two decimals; null where the old one is missing or 0, where the new one is
 * missing, and where the percentage is no number any more.
 */
export function percentOf(from, to) {
    if (Number.isNaN(from) || Number.isNaN(to) || from === 0)
        return null;
    const percent = Math.round(((to - from) / Math.abs(from)) * 10_000) / 100;
    return Number.isFinite(percent) ? percent : null;
}
/** The field by which records pair whose ids were given by position; the first of its kind. */
export const addressField = ({ fields }) => fields.find(({ kind }) => kind === 'url');
