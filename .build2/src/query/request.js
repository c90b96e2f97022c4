import { DEFAULT_LIMIT, DEFAULT_PAGE, exportFormats } from './parameters.js';
export const textOf = (values, name) => {
    const value = values.get(name)?.[0];
    return value === undefined ? null : String(value);
};
export const numberOf = (values, name) => {
    const value = values.get(name)?.[0];
    return value === undefined ? null : Number(value);
};
export function queryOf({ fields }, values) {
    const filters = [];
    for (const field of fields) {
        const filter = field.filter && filterOf(field, values);
        if (filter)
            filters.push(filter);
    }
    const [text, sort] = [textOf(values, 'q'), textOf(values, 'sort')];
    return { text, filters, sort, descending: textOf(values, 'order') === 'desc' };
}
function filterOf({ name: field, filter }, values) {
    if (filter?.kind === 'value') {
        const anyOf = values.get(filter.parameter);
        return anyOf === undefined ? null : { kind: 'value', field, anyOf: anyOf.map(String) };
    }
    if (filter?.kind !== 'range')
        return null;
    const min = numberOf(values, filter.min);
    const max = numberOf(values, filter.max);
    if (min === null && max === null)
        return null;
    return { kind: 'range', field, min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
}
export const pagingOf = (values) => ({
    page: numberOf(values, 'page') ?? DEFAULT_PAGE,
    limit: numberOf(values, 'limit') ?? DEFAULT_LIMIT,
});
export const formatOf = (values) => exportFormats.find((format) => format === textOf(values, 'format')) ?? 'json';
/** The fields to send, in the model's order, or null for all that the endpoint shows. */
export function fieldsOf(model, values) {
    const asked = textOf(values, 'fields')?.split(',');
    return asked === undefined ? null : model.fields.map(({ name }) => name).filter((name) => asked.includes(name));
}
