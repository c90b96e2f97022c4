import { isPlainObject } from './paths.js';
/** A title's part of a score. */
export const TITLE_SCORE = 1000;
/** Records that are scored. */
const SCORED = 20;
const MAX_DEPTH = 8;
const MAX_MEMBERS = 200;
const MIN_KEYED = 3;
/** Names of an object that are looked at: one with more is no record that could be told by them. */
const MAX_NAMES = 2000;
export const sampleOf = (values) => values.filter(isPlainObject).map((value) => {
    const names = Object.keys(value).slice(0, MAX_NAMES);
    return { names, cells: names.map((name) => value[name]) };
});
/** All places in a value where records may stand, best first; of equal ones the outer first. */
export function findCandidates(model, value, score) {
    const found = [...candidatesIn(value, [], scoreOf(score))];
    return found.sort((a, b) => b.score - a.score || isNamedFor(b, model) - isNamedFor(a, model) || a.steps.length - b.steps.length);
}
const isNamedFor = ({ steps }, { name }) => steps.some((step) => typeof step === 'object' && step.name === name) ? 1 : 0;
const scoreOf = (score) => (records) => score(records.slice(0, SCORED));
function* candidatesIn(value, steps, score) {
    if (steps.length > MAX_DEPTH)
        return;
    if (Array.isArray(value))
        yield* candidatesInArray(value, steps, score);
    else if (isPlainObject(value))
        yield* candidatesInObject(value, steps, score);
}
function* candidatesInArray(values, steps, score) {
    const each = [...steps, 'each'];
    if (values.length === 0)
        yield { steps: each, records: [], score: -1 };
    const [first] = values;
    if (Array.isArray(first)) {
        const header = headerOf(first);
        const table = header && tableOf(each, header, values.slice(1), true, score);
        if (table)
            yield table;
        else
            yield* candidatesIn(first, each, score);
    }
    const records = sampleOf(values);
    if (!isPlainObject(first))
        return;
    const own = { steps: each, records, score: score(records) };
    const inner = [...candidatesIn(first, each, score)].filter((candidate) => candidate.score > own.score);
    if (own.score < TITLE_SCORE)
        yield* inner.map((candidate) => ({
            ...candidate,
            records: recordsAt(values, candidate.steps.slice(each.length)) ?? candidate.records,
        }));
    yield own;
}
function* candidatesInObject(value, steps, score) {
    const members = Object.keys(value)
        .slice(0, MAX_NAMES)
        .map((name) => [name, value[name]]);
    const { columns, data } = value;
    if (Array.isArray(columns) && Array.isArray(data) && Array.isArray(data[0])) {
        const header = headerOf(columns);
        const table = header && tableOf([...steps, { name: 'data' }, 'each'], header, data, false, score);
        if (table)
            yield table;
    }
    const objects = members.map(([, member]) => member).filter(isPlainObject);
    const areKeys = members.every(([name]) => isId(name));
    if (members.length > 0 && objects.length === members.length && (areKeys || members.length >= MIN_KEYED)) {
        const plain = sampleOf(objects);
        const keysAreIds = members.some(([name]) => isId(name)) && !plain.slice(0, SCORED).some(({ names }) => names.includes('id'));
        const records = keysAreIds ? plain.map((record, i) => withId(record, members[i]?.[0] ?? '')) : plain;
        const own = { steps: [...steps, 'members'], records, score: score(records), keysAreIds };
        const areAlike = areKeys || records.every((record) => score([record]) >= TITLE_SCORE);
        if (own.score >= TITLE_SCORE && areAlike)
            yield own;
    }
    for (const [name, member] of members.slice(0, MAX_MEMBERS))
        yield* candidatesIn(member, [...steps, { name }], score);
}
export const isId = (name) => /^-?\d{1,15}$/.test(name);
/** A record whose key is its id. */
const withId = (record, key) => isId(key) ? { names: ['id', ...record.names], cells: [Number(key), ...record.cells] } : record;
const headerOf = (row) => row.length > 0 && row.every((cell) => typeof cell === 'string') ? row : undefined;
function tableOf(steps, header, rows, hasHeader, score) {
    const records = rows.filter((row) => Array.isArray(row)).map((cells) => ({ names: header, cells }));
    const found = score(records.length > 0 ? records : [{ names: header, cells: [] }]);
    return found >= TITLE_SCORE ? { steps, records, score: found, header, hasHeader } : undefined;
}
/** The records that stand at the steps behind each of the values. */
function recordsAt(values, steps) {
    let found = values;
    for (const step of steps) {
        if (step === 'members')
            return undefined;
        found = found.flatMap((value) => {
            if (step === 'each')
                return Array.isArray(value) ? value : [];
            return isPlainObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
        });
    }
    return sampleOf(found);
}
