/**
 * One resource, frozen: everything a request needs, built once. Rows are numbered in snapshot order; a record that
 * replaces an earlier one of the same id takes its row. Nothing in here scans all rows to answer for some.
 */
import { BATCH_RECORDS, cellOf } from '../batch.js';
import { float64, withRoom } from '../growable.js';
import { fieldIndex } from '../model.js';
import { createIdIndexBuilder } from './ids.js';
import { buildNumberColumn } from './number-column.js';
import { textInRecord } from './record-text.js';
import { createRecordTextBuilder } from './record-text-builder.js';
import { createTextOrderBuilder } from './text-order.js';
import { createValueIndexBuilder } from './value-index.js';
export function createRecordStoreBuilder(model) {
    const idField = fieldIndex(model, 'id');
    const ids = createIdIndexBuilder();
    const text = createRecordTextBuilder(model);
    const columns = model.fields.flatMap((field, index) => (hasColumn(field) ? [columnBuilder(field, index)] : []));
    const texts = model.fields.flatMap((field, index) => field.sortable && field.kind === 'text' ? [textOrderBuilder(field, index)] : []);
    const values = model.fields.flatMap((field, index) => field.filter?.kind === 'value' ? [valueBuilder(field, index)] : []);
    const followers = [...columns, ...texts, ...values];
    const rowsOfBatch = new Int32Array(BATCH_RECORDS);
    return {
        addBatch(batch) {
            const firstId = cellOf(idField, 0);
            const rows = rowsOfBatch.subarray(0, batch.size);
            const replaced = ids.rowsFor(batch.numbers, firstId, firstId + batch.size, rows);
            for (const { index, setAll } of followers)
                setAll(rows, ids.size, batch, cellOf(index, 0));
            text.setAll(rows, ids.size, batch);
            return replaced;
        },
        finish() {
            const { size } = ids;
            const finishedText = text.finish(size);
            const finishedColumns = finishAll(columns, size, finishedText);
            const finishedTexts = finishAll(texts, size, finishedText);
            return {
                model,
                size,
                text: finishedText,
                ids: ids.finish(),
                columns: finishedColumns,
                orders: new Map([...[...finishedColumns].map(([name, { order }]) => [name, order]), ...finishedTexts]),
                values: finishAll(values, size, finishedText),
            };
        },
    };
}
const finishAll = (builders, size, text) => new Map(builders.map((builder) => [builder.name, builder.finish(size, text)]));
const hasColumn = ({ kind, sortable, filter }) => (kind === 'integer' || kind === 'number' || kind === 'date') && (sortable === true || filter?.kind === 'range');
function textOrderBuilder({ name }, index) {
    const order = createTextOrderBuilder();
    const nameInRecord = Buffer.from(`${JSON.stringify(name)}:`);
    return {
        name,
        index,
        setAll: order.setAll,
        finish: (size, text) => order.finish(size, (row) => textInRecord(text, row, nameInRecord)),
    };
}
function columnBuilder({ name }, index) {
    let column = float64(0);
    return {
        name,
        index,
        setAll(rows, size, { numbers }, firstCell) {
            column = withRoom(column, size, float64);
            for (let i = 0; i < rows.length; i++)
                column[rows[i]] = numbers[firstCell + i];
        },
        finish(size) {
            const numbers = column.subarray(0, size);
            column = float64(0);
            return buildNumberColumn(numbers);
        },
    };
}
const valueBuilder = ({ name }, index) => ({
    name,
    index,
    ...createValueIndexBuilder(),
});
