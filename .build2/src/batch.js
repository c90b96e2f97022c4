/**
 * Record batches: the one form in which loading hands records to whatever is built of them. A batch is up to
 * `BATCH_RECORDS` valid records as columns of cells over bytes. Every batch is canonical: a cell's bytes are the JSON
 * text that `JSON.stringify` gives for its value, whatever the dump had in its place. A batch is lent: its taker copies
 * what it needs, writes to nothing, and keeps nothing once it has returned.
 */
/** No batch has more records. The cell of field f in record i is `f * BATCH_RECORDS + i`. */
export const BATCH_RECORDS = 1024;
/** Kinds of cells. The record has no such field; kinds up to `NULL` have no value. */
export const ABSENT = 0;
/** The field is there, and has no value. */
export const NULL = 1;
/** A string without escapes: its UTF-8 stands between the quotes. */
export const TEXT = 2;
/** A string with escapes. */
export const ESCAPED_TEXT = 3;
export const NUMBER = 4;
/** An array of strings, at least one, without spaces between them. */
export const LIST = 5;
/** An object in the JSON of its source, without spaces: of the column behind the fields, what a record has besides them. */
export const RAW = 6;
export const cellOf = (field, record) => field * BATCH_RECORDS + record;
export const hasText = (kind) => kind === TEXT || kind === ESCAPED_TEXT;
/** The text of a cell that has one, else null. */
export function textOf({ bytes, kinds, starts, ends }, cell) {
    const kind = kinds[cell];
    return hasText(kind) ? stringAt(bytes, starts[cell], ends[cell], kind === ESCAPED_TEXT) : null;
}
/** The strings of a cell that is a list. */
export function listOf(batch, cell) {
    const { bytes, elements, elementsFrom, elementsTo } = batch;
    const list = [];
    for (let i = elementsFrom[cell]; i < elementsTo[cell]; i++) {
        const [start, end] = [elements[2 * i], elements[2 * i + 1]];
        list.push(stringAt(bytes, start, end, hasEscape(bytes, start, end)));
    }
    return list;
}
/** The string whose JSON text is `bytes[start … end)`. */
function stringAt(bytes, start, end, isEscaped) {
    return isEscaped
        ? String(JSON.parse(bytes.toString('utf8', start, end)))
        : bytes.toString('utf8', start + 1, end - 1);
}
const BACKSLASH = 0x5c;
/** Whether an escape stands in `bytes[start … end)`. */
export function hasEscape(bytes, start, end) {
    for (let i = start; i < end; i++)
        if (bytes[i] === BACKSLASH)
            return true;
    return false;
}
