import { copyItems, itemsBytes, recordView } from '../../store/record-text.js';
import { projectJson } from './project.js';
const OPENING = '{"data":[';
/** The page's numbers, named as the variant names them: a member of the envelope. */
export function pageNumbers(total, { page, limit }, envelope) {
    const pages = Math.ceil(total / limit);
    return envelope === 'pagination'
        ? `"pagination":{"total":${total},"page":${page},"limit":${limit},"totalPages":${pages}}`
        : `"meta":{"current_page":${page},"per_page":${limit},"total_items":${total},"total_pages":${pages}}`;
}
/** A page of list items, or of the fields that are asked for. */
export function pageBody({ model, text }, { rows, total }, paging, envelope, fields) {
    const end = `],${pageNumbers(total, paging, envelope)}}`;
    if (fields !== null) {
        const records = Array.from(rows, (row) => projectJson(model, recordView(text, row), fields));
        return `${OPENING}${records.join(',')}${end}`;
    }
    // The end is written over the last item's comma.
    const body = Buffer.allocUnsafe(OPENING.length + itemsBytes(text, rows) + rows.length + end.length);
    const at = copyItems(text, rows, body, body.write(OPENING, 'latin1'));
    const length = rows.length === 0 ? at : at - 1;
    return body.subarray(0, length + body.write(end, length, 'latin1'));
}
