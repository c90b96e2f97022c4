import { conditionsOf, countGroups, groupsOfBins, groupsOfValues, topValues, } from '../../../query/counter.js';
import { rowSetsOf } from '../../../query/execute.js';
import { valueCount } from '../../../store/value-index.js';
import { binningOf } from './binning.js';
/** Shapes kept for one collection; past it all are dropped. */
const MAX_KEPT = 256;
export const MAX_VALUES = 40;
export function createShapes() {
    /** By what a collection and the same one with compact texts share. */
    const collections = new WeakMap();
    function knownOf(collection) {
        const found = collections.get(collection.ids);
        if (found !== undefined)
            return found;
        const known = know(collection);
        collections.set(collection.ids, known);
        return known;
    }
    const surveyOf = (collection, query, sets) => {
        const known = knownOf(collection);
        const key = JSON.stringify([query.text, query.filters]);
        const kept = known.shapes.get(key);
        if (kept !== undefined)
            return { shape: kept, matching: null };
        const survey = compute(collection, query, sets, known);
        if (known.shapes.size >= MAX_KEPT)
            known.shapes.clear();
        known.shapes.set(key, survey.shape);
        return survey;
    };
    return {
        binningOf: (collection, { name }) => knownOf(collection).binnings.get(name) ?? null,
        surveyOf,
        shapeOf: (collection, query) => surveyOf(collection, query, rowSetsOf(collection, query)).shape,
    };
}
function know(collection) {
    const binnings = new Map(collection.model.fields.flatMap((field) => {
        const column = collection.columns.get(field.name);
        const binning = column ? binningOf(field, column) : null;
        return binning === null ? [] : [[field.name, binning]];
    }));
    // The collection itself is not kept: its texts may be replaced by compact ones.
    return { binnings, shapes: new Map(), groups: new Map() };
}
function groupsOf(collection, field, { binnings, groups }) {
    const known = groups.get(field);
    if (known !== undefined)
        return known;
    const order = collection.orders.get(field);
    const binning = binnings.get(field);
    const index = collection.values.get(field);
    const bins = order &&
        binning &&
        groupsOfBins(order, Uint32Array.from(binning.bins, ({ count }) => count));
    const made = bins ?? (index ? groupsOfValues(index) : null);
    groups.set(field, made);
    return made;
}
function compute(collection, query, sets, known) {
    const conditions = conditionsOf(collection, query, sets);
    const distributions = [];
    const frequencies = [];
    for (const field of collection.model.fields) {
        const groups = field.filter === undefined ? null : groupsOf(collection, field.name, known);
        if (groups === null)
            continue;
        const binning = known.binnings.get(field.name);
        const index = collection.values.get(field.name);
        const counts = countGroups(groups, conditions.but(field.name), collection.size);
        if (field.filter?.kind === 'range' && binning)
            distributions.push({ field, binning, counts });
        else if (field.filter?.kind === 'value' && index) {
            const isRepeated = index.rowCodes.length > valueCount(index);
            const values = topValues(index, counts, MAX_VALUES);
            frequencies.push({ field, values, distinct: valueCount(index), isRepeated });
        }
    }
    return { shape: { distributions, frequencies }, matching: conditions.all };
}
