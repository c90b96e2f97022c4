/** The record's values by field. */
export const parseRecord = (record) => JSON.parse(record.toString());
/** JSON text of the record with these fields, in the order given; a list that it lacks is left out. */
export function projectJson(model, record, fields) {
    const values = parseRecord(record);
    const present = fields.filter((name) => name in values || model.fields.find((field) => field.name === name)?.kind !== 'tags');
    return JSON.stringify(Object.fromEntries(present.map((name) => [name, values[name]])));
}
