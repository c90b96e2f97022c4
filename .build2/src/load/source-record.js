/** A record as names and values, which is how it comes where its bytes are not canonical: out of CSV, or out of the parser. */
import { EXTRA_NAME } from './batch-filler.js';
import { valueIn } from './columns.js';
import { isPlainObject } from './paths.js';
export const refused = (line, refusal) => ({ line, names: [], cells: [], refusal });
/** Puts a record into the batch, which has room for it. False where the order of day and month must be known first. */
export function fill(record, columns, filler) {
    filler.begin(record.line);
    if (record.refusal === undefined) {
        const found = columns.find(record.names);
        for (let field = filler.givesIds ? 1 : 0; field < found.positions.length; field++) {
            const position = found.positions[field];
            if (position === -1)
                continue;
            if (!filler.set(field, valueIn(found, field, record.cells[position])))
                return false;
        }
        if (filler.keepsExtra)
            keepExtra(record, found, filler);
        found.records++;
    }
    filler.end(record.refusal);
    return true;
}
function keepExtra({ names, cells }, { spare, positions }, filler) {
    for (const [i, name] of names.entries()) {
        if (!spare[i] && !(filler.givesIds && positions[0] === i))
            continue;
        const cell = cells[i];
        if (cell === undefined || (cell === null && filler.context.isCsv))
            continue;
        const isNested = name === EXTRA_NAME && filler.context.isOwn === true && isPlainObject(cell);
        for (const [member, value] of isNested ? Object.entries(cell) : [[name, cell]])
            filler.addExtra(String(member), value);
    }
}
