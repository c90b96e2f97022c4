/**
 * Which records of two datasets are the same one. By id; where ids were given by position, by the address of the
 * article or picture if that is unique in both datasets, and those that are left by title and author, in order.
 * Yields after every few rows.
 */
import { fieldIndex } from '../../model.js';
import { idOfRow, rowOfId } from '../ids.js';
import { addressField } from './changes.js';
import { RecordReader } from './record-reader.js';
import { ValueSpans } from './value-spans.js';
/** Rows between two yields, each of which costs less than a microsecond by id, and a few by other fields. */
const STEP_ROWS = 64;
/** Per later row: the earlier one, or -1. */
export function pairRows(before, after, pairing) {
    return pairing.by === 'id' ? byId(before, after) : byAddress(before, after, pairing.field);
}
function* byId(before, after) {
    const pairs = new Int32Array(after.size);
    for (let row = 0; row < after.size; row++) {
        pairs[row] = rowOfId(before.ids, idOfRow(after.ids, row));
        if (row % STEP_ROWS === 0)
            yield;
    }
    return pairs;
}
function* byAddress(before, after, address) {
    const { model } = after;
    const pairs = new Int32Array(after.size).fill(-1);
    const isTaken = new Uint8Array(before.size);
    if (address !== null) {
        const field = fieldIndex(model, address);
        const [earlier, later] = [yield* keysOf(before, [field]), yield* keysOf(after, [field])];
        const table = new KeyTable(before.size + after.size);
        const earlierRows = yield* uniqueRows(table, earlier);
        const laterRows = yield* uniqueRows(table, later);
        for (let code = 0; code < table.size; code++) {
            const [from, to] = [earlierRows[code] - 1, laterRows[code] - 1];
            if (from >= 0 && to >= 0) {
                pairs[to] = from;
                isTaken[from] = 1;
            }
            if (code % STEP_ROWS === 0)
                yield;
        }
    }
    yield* pairRest(before, after, pairs, isTaken);
    return pairs;
}
/** Of records that have the same title and author, the first of either dataset are a pair, then the second. */
function* pairRest(before, after, pairs, isTaken) {
    const fields = [fieldIndex(after.model, 'title'), fieldIndex(after.model, 'author')];
    const earlier = yield* keysOf(before, fields, (row) => isTaken[row] === 0);
    const later = yield* keysOf(after, fields, (row) => pairs[row] === -1);
    const table = new KeyTable(before.size + after.size);
    // Per key: the first row + 1 of those that are left, each of which leads to the next.
    const firsts = new Int32Array(before.size + after.size);
    const nexts = new Int32Array(before.size);
    for (let row = before.size - 1; row >= 0; row--) {
        if (row % STEP_ROWS === 0)
            yield;
        if (Number.isNaN(earlier[row]))
            continue;
        const code = table.codeOf(earlier[row]);
        nexts[row] = firsts[code];
        firsts[code] = row + 1;
    }
    for (let row = 0; row < after.size; row++) {
        if (row % STEP_ROWS === 0)
            yield;
        if (Number.isNaN(later[row]))
            continue;
        const code = table.codeOf(later[row]);
        const first = firsts[code] - 1;
        if (first < 0)
            continue;
        pairs[row] = first;
        firsts[code] = nexts[first];
    }
}
const TWICE = -1;
/** Per key's code: its row + 1, `TWICE` where several rows have the key, 0 where none has. */
function* uniqueRows(table, keys) {
    const rows = new Int32Array(table.room);
    for (let row = 0; row < keys.length; row++) {
        if (row % STEP_ROWS === 0)
            yield;
        if (Number.isNaN(keys[row]))
            continue;
        const code = table.codeOf(keys[row]);
        rows[code] = rows[code] === 0 ? row + 1 : TWICE;
    }
    return rows;
}
/**
 * Per row: a hash of 53 bits of the values of some fields, NaN where the first of them is missing or the row is not
 * asked for. Whoever pairs rows by it looks at the values before believing it.
 */
function* keysOf({ model, size, text }, fields, isAsked = () => true) {
    const keys = new Float64Array(size);
    const reader = new RecordReader(text, size);
    const spans = new ValueSpans(model);
    const count = Math.max(...fields) + 1;
    const first = fields[0] ?? 0;
    for (let row = 0; row < size; row++) {
        if (row % STEP_ROWS === 0)
            yield;
        keys[row] = Number.NaN;
        if (!isAsked(row))
            continue;
        reader.read(row);
        spans.find(reader.bytes, reader.at, count);
        if (spans.ends[first] !== 0)
            keys[row] = hashOf(reader.bytes, spans, fields);
    }
    return keys;
}
/** Two hashes side by side, each a multiplication for each byte (FNV-1a, draft-eastlake-fnv, and one with a rotation). */
function hashOf(bytes, { starts, ends }, fields) {
    let high = 0x811c_9dc5;
    let low = 0x2545_f491;
    for (const field of fields) {
        for (let at = starts[field]; at < ends[field]; at++) {
            high = Math.imul(high ^ bytes[at], 0x0100_0193);
            low = Math.imul(((low << 13) | (low >>> 19)) ^ bytes[at], 0x85eb_ca6b);
        }
        high = Math.imul(high ^ 0xff, 0x0100_0193);
    }
    return (high >>> 0) * 0x20_0000 + (low >>> 11);
}
/** Numbers the distinct keys, 0, 1, 2 …; open addressing with linear probing, never more than half full. */
class KeyTable {
    size = 0;
    room;
    keys;
    slots;
    constructor(room) {
        this.room = room;
        this.keys = new Float64Array(room);
        this.slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * room + 1)));
    }
    codeOf(key) {
        const { keys, slots } = this;
        const mask = slots.length - 1;
        const mixed = Math.imul((key >>> 0) ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x85eb_ca6b), 0x9e37_79b1);
        let slot = (mixed ^ (mixed >>> 15)) & mask;
        for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
            const code = slots[slot] - 1;
            if (keys[code] === key)
                return code;
        }
        keys[this.size] = key;
        slots[slot] = ++this.size;
        return this.size - 1;
    }
}
/** How records are paired: by id only where both datasets' ids are the dumps' own. */
export const pairingOf = (model, hasOwnIds) => hasOwnIds ? { by: 'id' } : { by: 'address', field: addressField(model)?.name ?? null };
