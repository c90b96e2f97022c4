import { copySeparated, recordBytes, recordView, SEPARATOR, separatedView } from '../../../store/record-text.js';
import { projectJson } from '../project.js';
import { csvLines } from './csv.js';
import { closing, jsonLayout, OPENING, positionAt } from './layout.js';
import { lengthOf, rowAt } from './rows.js';
/** Enough to keep a fast client busy, little enough to make between two other requests. */
const CHUNK_BYTES = 1 << 16;
/** One JSON array, one record a line. */
export const exportJson = async (asked, nextTurn) => asked.fields === null
    ? wholeRecords(asked, await jsonLayout(asked, nextTurn))
    : projectedRecords(asked, asked.fields);
/** Any part of the bytes can be made without those before it. */
function wholeRecords(asked, layout) {
    return {
        size: layout.size,
        *chunks(range = { from: 0, to: layout.size }) {
            const start = positionAt(asked, layout, range.from);
            let { byte } = start;
            for (const piece of pieces(asked, layout, start.record)) {
                const end = byte + piece.length;
                if (end > range.from)
                    yield piece.subarray(Math.max(0, range.from - byte), Math.min(piece.length, range.to - byte));
                if (end >= range.to)
                    return;
                byte = end;
            }
        },
    };
}
/** The export from a record on, in pieces of bytes. The last record's separator is the one that is not sent. */
function* pieces(asked, { runs }, from) {
    if (from === 0)
        yield Buffer.from(OPENING);
    yield* asked.rows === null ? stored(asked.collection, runs, from) : copied(asked, from);
    yield Buffer.from(closing(lengthOf(asked)));
}
/** In snapshot order records lie side by side, so that nothing is copied, and a piece may end within a record. */
function* stored({ text, size }, runs, from) {
    for (const [i, first] of runs.entries()) {
        const to = runs[i + 1] ?? size;
        if (to <= from || first === size)
            continue;
        const run = separatedView(text, Math.max(first, from), to);
        const end = to === size ? run.length - SEPARATOR.length : run.length;
        for (let at = 0; at < end; at += CHUNK_BYTES)
            yield run.subarray(at, Math.min(at + CHUNK_BYTES, end));
    }
}
function* copied(asked, first) {
    const { text } = asked.collection;
    const length = lengthOf(asked);
    for (let from = first; from < length;) {
        const to = chunkEnd(asked, from);
        let bytes = 0;
        for (let i = from; i < to; i++)
            bytes += recordBytes(text, rowAt(asked, i)) + SEPARATOR.length;
        const piece = Buffer.allocUnsafe(bytes);
        copySeparated(text, to - from, (i) => rowAt(asked, from + i), piece, 0);
        yield to === length ? piece.subarray(0, bytes - SEPARATOR.length) : piece;
        from = to;
    }
}
/** Where the chunk that begins with record `from` ends: at least one record, then as many as fit. */
function chunkEnd(asked, from) {
    const length = lengthOf(asked);
    const bytesAt = (i) => recordBytes(asked.collection.text, rowAt(asked, i));
    let bytes = 0;
    let to = from;
    while (to < length && (to === from || bytes + bytesAt(to) <= CHUNK_BYTES))
        bytes += bytesAt(to++);
    return to;
}
/** What stands before the first record, and after the last. */
const opening = (from) => (from === 0 ? OPENING : '');
const ending = (to, length) => (to === length ? closing(length) : '');
function projectedRecords(asked, fields) {
    const { model, text } = asked.collection;
    return byChunks(asked, (from, to) => {
        let chunk = opening(from);
        for (let i = from; i < to; i++) {
            chunk += `${i > 0 ? SEPARATOR : ''}${projectJson(model, recordView(text, rowAt(asked, i)), fields)}`;
        }
        return chunk + ending(to, lengthOf(asked));
    });
}
/** One record a line and nothing else, as bulk loaders of search engines read it. */
export function exportNdjson(asked) {
    const { fields, collection } = asked;
    const { model, text } = collection;
    const lineOf = (record) => (fields === null ? record.toString() : projectJson(model, record, fields));
    return byChunks(asked, (from, to) => {
        let chunk = '';
        for (let i = from; i < to; i++)
            chunk += `${lineOf(recordView(text, rowAt(asked, i)))}\n`;
        return chunk;
    });
}
/** By this mark spreadsheets know that a CSV file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';
/** RFC 4180 with a header row; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
export function exportCsv(asked, withMark) {
    const { model, text } = asked.collection;
    const columns = asked.fields ?? model.fields.map((field) => field.name);
    const header = `${withMark ? BYTE_ORDER_MARK : ''}${csvLines(columns, [], true)}`;
    return byChunks(asked, (from, to) => {
        const records = Array.from({ length: to - from }, (_, i) => recordView(text, rowAt(asked, from + i)));
        return `${from === 0 ? header : ''}${records.length > 0 ? csvLines(columns, records, false) : ''}`;
    });
}
/** A download of unknown length: records `from` to `to`, the latter excluded, at a time. */
const byChunks = (asked, write) => ({
    size: null,
    *chunks() {
        let from = 0;
        do {
            const to = chunkEnd(asked, from);
            yield Buffer.from(write(from, to));
            from = to;
        } while (from < lengthOf(asked));
    },
});
