/** Counts for one file's report, while its records go by. Examples are kept for the first few of each kind only. */
import { quote } from '../text.js';
const MAX_REFUSALS = 10;
const MAX_EXAMPLES = 5;
/** Cells of a field that are examined for examples: most dumps have fewer than five different spellings. */
const MAX_EXAMINED = 1000;
export function createTally(model, suspicions) {
    const fields = model.fields.map(createFieldTally);
    const refusals = [];
    const notKept = new Map();
    let records = 0;
    let accepted = 0;
    let replaced = 0;
    let idsAssigned = 0;
    return {
        /** The number of the record that is looked at. */
        begin: () => ++records,
        refuse(line, reason) {
            if (refusals.length < MAX_REFUSALS)
                refusals.push({ record: records, line, reason });
        },
        /** Counts the records of a batch, of which some replaced others. */
        accept(batch, replacing, haveAssignedIds) {
            accepted += batch.size;
            replaced += replacing;
            if (haveAssignedIds)
                idsAssigned += batch.size;
            suspicions.look(batch);
        },
        /** Whether a further repair of a field may become an example. */
        wantsExample: (field) => fields[field]?.repairs.isFull() === false,
        note(line, { field, raw, read }) {
            const tally = fields[field];
            if (tally === undefined)
                return;
            if (read === null)
                tally.leftNull++;
            else
                tally.repaired++;
            const examples = read === null ? tally.leftNullExamples : tally.repairs;
            if (!examples.isFull())
                examples.add({ record: records, line, raw, read });
        },
        /** Adds what the names of `columns.records` records say. */
        addColumns({ names, positions, sources, passedOver, records: count, absent }) {
            if (count === 0)
                return;
            for (const [row, name] of passedOver)
                add(fields[row].passedOver, name, count - absent[names.indexOf(name)]);
            const kept = new Set(positions);
            for (const [row, position] of positions.entries()) {
                const source = sources[row];
                const field = fields[row];
                if (position !== -1 && field && source !== model.fields[row]?.name)
                    add(field.renamedFrom, source, count - absent[position]);
            }
            for (const [i, name] of names.entries())
                if (!kept.has(i))
                    add(notKept, name, count - absent[i]);
        },
        result() {
            return {
                records,
                accepted,
                refused: records - accepted,
                replaced,
                refusals,
                idsAssigned,
                fields: model.fields.map((field, row) => fieldReport(field.name, fields[row], suspicions.present(row))),
                notKept: sourceNames(notKept),
                suspicions: suspicions.texts(accepted),
            };
        },
    };
}
const createFieldTally = () => ({
    repaired: 0,
    leftNull: 0,
    repairs: createExamples(),
    leftNullExamples: createExamples(),
    renamedFrom: new Map(),
    passedOver: new Map(),
});
function fieldReport(field, tally, present) {
    return {
        field,
        renamedFrom: sourceNames(tally.renamedFrom),
        passedOver: sourceNames(tally.passedOver),
        present,
        repaired: tally.repaired,
        repairs: tally.repairs.list,
        leftNull: tally.leftNull,
        leftNullExamples: tally.leftNullExamples.list,
    };
}
/** Keeps the first cell of each look: digits and letters are all the same for that. */
function createExamples() {
    const list = [];
    const looks = new Set();
    let examined = 0;
    const isFull = () => list.length === MAX_EXAMPLES || examined === MAX_EXAMINED;
    return {
        list,
        isFull,
        add({ raw, ...rest }) {
            examined++;
            const text = rawText(raw);
            const look = text.replace(/\d+/g, '9').replace(/\p{L}+/gu, 'a');
            if (looks.has(look))
                return;
            looks.add(look);
            list.push({ ...rest, raw: text });
        },
    };
}
/** Quoted, except where quoting could take long or not end: deep values are only named. */
function rawText(raw) {
    if (typeof raw === 'string')
        return quote(raw.slice(0, 100));
    if (typeof raw !== 'object' || raw === null)
        return quote(raw);
    const parts = Object.values(raw);
    const isFlat = parts.length <= 20 && parts.every((part) => typeof part !== 'object' || part === null);
    return isFlat ? quote(raw) : Array.isArray(raw) ? '[…]' : '{…}';
}
function add(counts, name, by) {
    if (by === 0)
        return;
    // A dump with ever new names is not worth a list without end.
    if (counts.has(name) || counts.size < 1000)
        counts.set(name, (counts.get(name) ?? 0) + by);
}
const sourceNames = (counts) => [...counts].map(([name, records]) => ({ name, records })).sort((a, b) => b.records - a.records);
