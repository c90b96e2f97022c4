import { itemOf, recordView } from '../../../store/record-text.js';
import { codesOfRow, valueAt } from '../../../store/value-index.js';
import { parseRecord } from '../../api/project.js';
import { memoize } from '../frame/memoize.js';
/** The whole record. */
export const wholeRecord = ({ text }, row) => shown(parseRecord(recordView(text, row)));
/** The fields of a list only: a text that is not shown is not parsed either. */
export function listRecord({ text }, row) {
    return shown(parseRecord(itemOf(text, row)));
}
const shown = (values) => ({
    id: values.id,
    title: typeof values.title === 'string' && values.title.trim() !== '' ? values.title : 'Untitled',
    valueOf: ({ name }) => values[name] ?? null,
    extra: typeof values.extra === 'object' && values.extra !== null ? Object.entries(values.extra) : [],
});
/** The values of a list field without parsing the record, as the collection first spelt them. */
export function listedValues({ values }, { name }, row) {
    const index = values.get(name);
    if (index === undefined)
        return [];
    return Array.from(codesOfRow(index, row), (code) => valueAt(index, code));
}
export const rolesOf = memoize(({ fields }) => {
    const title = fields.find(({ name }) => name === 'title');
    const link = fields.find(({ kind, image }) => kind === 'url' && !image);
    const image = fields.find((field) => field.image);
    const text = fields.find(({ kind, detailOnly }) => kind === 'text' && detailOnly);
    const tags = fields.find(({ kind }) => kind === 'tags');
    const special = [title, link, image, text, tags].map((field) => field?.name);
    const columns = fields.filter(({ name, detailOnly }) => name !== 'id' && !detailOnly && !special.includes(name));
    return { title, link, image, text, tags, columns };
});
