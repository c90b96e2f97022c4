/**
 * Looks ahead in files, for what a record alone cannot tell: whether a file has ids of its own, the largest of them, and
 * whether the dates of a column are month/day or day/month. Each is a pass of its own, made only where it is needed, by the
 * reader that loads the file, for a collection that has no other fields.
 */
import { cellOf, NULL, textOf } from '../batch.js';
import { BatchFiller } from './batch-filler.js';
import { createColumnFinder } from './columns.js';
import { provenOrder } from './dates.js';
import { createDecoder } from './decode.js';
import { planFor } from './plan.js';
import { NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';
export function createSurveyor(model, read) {
    const ids = { ...model, fields: model.fields.filter(({ name }) => name === 'id').map(optional) };
    const dateFields = model.fields.filter(({ kind }) => kind === 'date').map(optional);
    const dates = { ...model, fields: dateFields.map((field) => ({ ...field, kind: 'text' })) };
    /** Reads a file's records of some fields; `look` returns false where it has seen enough. */
    async function survey(opened, fields, look) {
        let isStopped = false;
        const filler = new BatchFiller({
            model: fields,
            tally: createTally(fields, NO_SUSPICIONS),
            firstId: undefined,
            onFinding() { },
            take(batch) {
                isStopped ||= !look(batch);
            },
        });
        filler.context = { isCsv: opened.source.format === 'csv', dateOrder: undefined };
        return read(opened, {
            model: fields,
            columns: createColumnFinder(planFor(opened.plan, fields), () => { }),
            filler,
            decoder: createDecoder(),
            isStopped: () => isStopped,
            // Dates are read as texts here.
            onDates: async () => undefined,
        });
    }
    const hasId = async (opened, isFirstOnly) => {
        let has = false;
        const fault = await survey(opened, ids, (batch) => {
            for (let i = 0; i < (isFirstOnly ? 1 : batch.size); i++)
                has ||= batch.kinds[cellOf(0, i)] > NULL;
            return !has && !isFirstOnly;
        });
        return fault ?? has;
    };
    return {
        firstRecordHasId: (opened) => hasId(opened, true),
        anyRecordHasId: (opened) => hasId(opened, false),
        async largestId(opened) {
            let largest = 0;
            const fault = await survey(opened, ids, (batch) => {
                for (let i = 0; i < batch.size; i++)
                    largest = Math.max(largest, batch.numbers[cellOf(0, i)] || 0);
                return true;
            });
            return fault ?? largest;
        },
        async dateOrder(opened) {
            const proofs = new Map();
            const fault = await survey(opened, dates, (batch) => {
                for (let i = 0; i < batch.size; i++) {
                    for (const field of dates.fields.keys())
                        lookForProof(batch, cellOf(field, i), batch.lines[i], proofs);
                }
                return proofs.size < 2;
            });
            return fault ?? { proofs };
        },
    };
}
function optional({ required: _, ...field }) {
    return field;
}
function lookForProof(batch, cell, line, proofs) {
    const raw = textOf(batch, cell);
    const order = raw === null ? undefined : provenOrder(raw);
    if (raw !== null && order && !proofs.has(order))
        proofs.set(order, { line, raw });
}
