/** What changed as a download: JSON and NDJSON as the API tells it, CSV with a line for each changed field. */
import { selectChanges } from '../../../query/changes.js';
import { entryJson } from '../../../query/changes-json.js';
import { entryAt } from '../../../store/changes/entries.js';
import { csvText } from './csv.js';
import { BYTE_ORDER_MARK } from './export.js';
/** A fraction of a millisecond, unless records are large. */
const CHUNK_ENTRIES = 64;
const NONE = { total: 0, slice: () => [] };
export async function exportChanges(compared, query, format, withMark, nextTurn) {
    const { collection, comparison } = compared;
    await nextTurn();
    const list = comparison === null ? NONE : selectChanges(collection, comparison.changes, query, true);
    const { before, write, behind } = writers[format];
    return {
        size: null,
        *chunks() {
            yield Buffer.from(format === 'csv' && withMark ? `${BYTE_ORDER_MARK}${before}` : before);
            if (comparison === null)
                return yield Buffer.from(behind);
            for (let from = 0; from < list.total; from += CHUNK_ENTRIES) {
                const entries = Array.from(list.slice(from, from + CHUNK_ENTRIES), (entry) => entryAt(collection, comparison.changes, entry));
                yield Buffer.from(write(entries, from === 0));
            }
            if (behind !== '')
                yield Buffer.from(behind);
        },
    };
}
const COLUMNS = ['id', 'title', 'kind', 'field', 'from', 'to', 'percent'];
const jsonOf = (entry) => JSON.stringify(entryJson(entry));
const writers = {
    json: {
        before: '[\n',
        write: (entries, isFirst) => `${isFirst ? '' : ',\n'}${entries.map(jsonOf).join(',\n')}`,
        behind: '\n]\n',
    },
    ndjson: { before: '', write: (entries) => entries.map((entry) => `${jsonOf(entry)}\n`).join(''), behind: '' },
    csv: {
        before: `${COLUMNS.join(',')}\r\n`,
        write: (entries) => csvText(entries.flatMap(rowsOf)),
        behind: '',
    },
};
function rowsOf({ id, title, kind, changes }) {
    if (kind !== 'changed')
        return [[id, title, kind, null, null, null, null]];
    return [...changes].map(([field, change]) => [id, title, kind, field, ...cellsOf(change)]);
}
/** Of a long text the numbers of its words; of a list the names that are gone, and those that are new. */
function cellsOf(change) {
    if (change.form === 'list')
        return [JSON.stringify(change.removed), JSON.stringify(change.added), null];
    return [change.from, change.to, change.form === 'number' ? change.percent : null];
}
