/**
 * Writes the texts of records one after the other: see `record-text.ts`. Records of our own form lie in a batch's bytes as
 * they are served, one behind the other: they are copied together. Any other record is put together of its cells.
 */
import { ABSENT, BATCH_RECORDS, cellOf, NULL, RAW } from '../batch.js';
import { float64, uint32, withRoom } from '../growable.js';
import { addressesOf, Chunks } from './chunks.js';
import { SEPARATOR } from './record-text.js';
const CLOSING_BRACE = 0x7d;
const NULL_TEXT = Buffer.from('null');
/** What a record has besides its fields stands behind them. */
const EXTRA = Buffer.from(',"extra":');
const SEPARATOR_BYTES = Buffer.from(SEPARATOR);
/** Longer copies are left to the runtime, whose call costs as much as a loop over this many bytes. */
const MAX_LOOP_BYTES = 96;
/** Records that are copied together stand in one chunk: longer runs would leave more of the chunk before it unused. */
const MAX_RUN_BYTES = 1 << 20;
/** In place of where a record ends: its text is not in the batch's bytes. */
const NOT_WHOLE = -1;
export function createRecordTextBuilder(model) {
    const { fields } = model;
    const names = fields.map(({ name }, field) => Buffer.from(`${field === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    const namePatterns = names.map(patternOf);
    const namesLength = names.reduce((sum, { length }) => sum + length, 0);
    const firstDetail = fields.findIndex(({ detailOnly }) => detailOnly);
    const isList = fields.map(({ kind }) => kind === 'tags');
    const extraCell = cellOf(fields.length, 0);
    /** Whether list items are shorter than their records: there are detail fields, or the first record with more than its fields was met. */
    let areItemsShorter = firstDetail !== -1;
    const chunks = new Chunks();
    let starts = float64(0);
    let itemLengths = uint32(0);
    let lengths = uint32(0);
    let longest = 0;
    /** Per record of a batch: where its text, and its list item without the closing brace, begin and end in the batch's bytes. */
    const begins = new Int32Array(BATCH_RECORDS);
    const itemEnds = new Int32Array(BATCH_RECORDS);
    const ends = new Int32Array(BATCH_RECORDS);
    /** Fills `begins`, `itemEnds` and `ends`; a record that is not served as it lies in the batch's bytes ends nowhere. */
    function findWholeRecords({ size, bytes, kinds, starts: cellStarts, ends: cellEnds }) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        const firstName = names[0].length;
        for (let i = 0; i < size; i++)
            ends[i] = begins[i] = Math.max(cellStarts[i] - firstName, NOT_WHOLE);
        for (const [field, pattern] of namePatterns.entries()) {
            const nameLength = names[field].length;
            if (field === firstDetail)
                itemEnds.set(ends);
            const mayBeLeftOut = isList[field];
            for (let i = 0, cell = cellOf(field, 0); i < size; i++, cell++) {
                const kind = kinds[cell];
                if (mayBeLeftOut && kind <= NULL)
                    continue;
                const end = ends[i];
                const isNext = kind !== ABSENT && cellStarts[cell] === end + nameLength && end >= 0 && stands(pattern, view, end);
                ends[i] = isNext ? cellEnds[cell] : NOT_WHOLE;
            }
        }
        if (firstDetail === -1)
            itemEnds.set(ends);
        for (let i = 0; i < size; i++) {
            const isWhole = bytes[ends[i]] === CLOSING_BRACE && kinds[extraCell + i] !== RAW;
            ends[i] = isWhole ? ends[i] + 1 : NOT_WHOLE;
        }
    }
    /** The record behind the last of those that lie side by side, each with a separator behind it, from the i-th on. */
    function endOfRun({ size, bytes }, i) {
        const maxEnd = begins[i] + MAX_RUN_BYTES;
        let next = i + 1;
        while (next < size &&
            ends[next] !== NOT_WHOLE &&
            ends[next] < maxEnd &&
            begins[next] === ends[next - 1] + SEPARATOR_BYTES.length &&
            bytes[ends[next - 1]] === SEPARATOR_BYTES[0] &&
            bytes[ends[next - 1] + 1] === SEPARATOR_BYTES[1])
            next++;
        return next;
    }
    /** Copies the records from `from` to `to`, which lie side by side. */
    function copyRun(rows, { bytes }, from, to) {
        const begin = begins[from];
        const end = ends[to - 1];
        chunks.reserve(end - begin + SEPARATOR_BYTES.length);
        const shift = chunks.start + chunks.used - begin;
        for (let i = from; i < to; i++)
            setPlace(rows[i], begins[i] + shift, itemEnds[i] - begins[i], ends[i] - begins[i]);
        chunks.used = copy(SEPARATOR_BYTES, 0, SEPARATOR_BYTES.length, chunks.current, copy(bytes, begin, end, chunks.current, chunks.used));
    }
    /** A bound of a record's bytes. */
    function maxBytes({ kinds, starts, ends }, i) {
        let bytes = namesLength + 1 + SEPARATOR_BYTES.length;
        for (let field = 0; field < names.length; field++) {
            const cell = cellOf(field, i);
            bytes += kinds[cell] === ABSENT ? NULL_TEXT.length : ends[cell] - starts[cell];
        }
        const extra = extraCell + i;
        if (kinds[extra] === RAW)
            bytes += EXTRA.length + ends[extra] - starts[extra];
        return bytes;
    }
    /** Puts the text of a record together of its cells. */
    function writeCells(row, batch, i) {
        chunks.reserve(maxBytes(batch, i));
        const { bytes, kinds } = batch;
        const target = chunks.current;
        const begin = chunks.used;
        let at = begin;
        let itemEnd = begin;
        for (let field = 0; field < names.length; field++) {
            const cell = cellOf(field, i);
            const kind = kinds[cell];
            // A list that a record lacks is left out; any other missing value is null.
            if (!isList[field] || kind > NULL) {
                const name = names[field];
                at = copy(name, 0, name.length, target, at);
                if (kind === ABSENT)
                    at = copy(NULL_TEXT, 0, NULL_TEXT.length, target, at);
                else
                    at = copy(bytes, batch.starts[cell], batch.ends[cell], target, at);
            }
            if (firstDetail === -1 || field < firstDetail)
                itemEnd = at;
        }
        const extra = extraCell + i;
        if (kinds[extra] === RAW) {
            at = copy(EXTRA, 0, EXTRA.length, target, at);
            at = copy(bytes, batch.starts[extra], batch.ends[extra], target, at);
            if (!areItemsShorter)
                keepItemLengths();
        }
        target[at++] = CLOSING_BRACE;
        setPlace(row, chunks.start + begin, itemEnd - begin, at - begin);
        chunks.used = copy(SEPARATOR_BYTES, 0, SEPARATOR_BYTES.length, target, at);
    }
    /** Notes the list items of the rows so far, which are their records. */
    function keepItemLengths() {
        areItemsShorter = true;
        itemLengths = withRoom(itemLengths, lengths.length, uint32);
        for (let row = 0; row < lengths.length; row++)
            itemLengths[row] = Math.max(0, lengths[row] - 1);
    }
    function setPlace(row, start, itemLength, length) {
        starts[row] = start;
        if (areItemsShorter)
            itemLengths[row] = itemLength;
        lengths[row] = length;
        if (length > longest)
            longest = length;
    }
    return {
        setAll(rows, size, batch) {
            starts = withRoom(starts, size, float64);
            if (areItemsShorter)
                itemLengths = withRoom(itemLengths, size, uint32);
            lengths = withRoom(lengths, size, uint32);
            findWholeRecords(batch);
            for (let i = 0; i < rows.length;) {
                if (ends[i] === NOT_WHOLE) {
                    writeCells(rows[i], batch, i++);
                    continue;
                }
                const next = endOfRun(batch, i);
                copyRun(rows, batch, i, next);
                i = next;
            }
        },
        finish(size) {
            const text = {
                chunks: chunks.all,
                starts: addressesOf(chunks, starts.subarray(0, size)),
                itemLengths: areItemsShorter ? itemLengths.subarray(0, size) : null,
                lengths: longest < 2 ** 16 ? new Uint16Array(lengths.subarray(0, size)) : lengths.subarray(0, size),
                words: null,
            };
            starts = float64(0);
            itemLengths = uint32(0);
            lengths = uint32(0);
            return text;
        },
    };
}
function patternOf(text) {
    const offsets = Int32Array.from({ length: Math.ceil(text.length / 4) }, (_, i) => Math.min(4 * i, text.length - 4));
    return { offsets, words: offsets.map((offset) => text.readInt32LE(offset)) };
}
/** Whether a text stands in `bytes` at `at`, where there are as many bytes. */
function stands({ words, offsets }, bytes, at) {
    for (let i = 0; i < words.length; i++)
        if (bytes.getInt32(at + offsets[i], true) !== words[i])
            return false;
    return true;
}
/** Copies `bytes[from … to)`; returns where the copy ends. */
function copy(bytes, from, to, target, at) {
    if (to - from <= MAX_LOOP_BYTES)
        for (let i = from; i < to; i++)
            target[at + i - from] = bytes[i];
    else
        target.set(bytes.subarray(from, to), at);
    return at + to - from;
}
