/** What changed, as it is told in JSON. */
import { looksIncomplete } from '../store/changes/changes.js';
export function entryJson({ id, title, kind, changes }) {
    if (kind !== 'changed')
        return { id, title, kind };
    const told = [...changes].map(([name, change]) => [name, changeJson(change)]);
    return { id, title, kind, changes: Object.fromEntries(told) };
}
function changeJson(change) {
    switch (change.form) {
        case 'number': {
            const { from, to, percent } = change;
            return { from, to, ...(percent !== null && { percent }) };
        }
        case 'words':
            return { words: change.to - change.from };
        case 'list':
            return { added: change.added, removed: change.removed };
        case 'text':
            return { from: change.from, to: change.to };
    }
}
export const countsJson = ({ counts }) => ({
    ...counts,
    fields: Object.fromEntries(counts.fields),
});
/** By what records were paired, in the order in which that was tried. */
export const pairedBy = ({ pairing }) => pairing.by === 'id' ? ['id'] : [...(pairing.field === null ? [] : [pairing.field]), 'title and author'];
export const isIncomplete = ({ counts }) => looksIncomplete(counts);
