/**
 * Query × Collection → rows and the exact total. How it is computed is chosen per query:
 * - no condition: the page is read from the permutation, whatever its depth;
 * - one range, sorted by its own field: the page is read from a run of that permutation;
 * - a narrow condition, or search hits: they lead as a list of rows, and the other conditions sift it;
 * - only broad conditions: each is a bit per row, and they are intersected a word at a time;
 * - the page of many matches is found by walking the asked order, for a bounded number of steps; else by counting keys.
 */
import { countBits, createBits, intersect, keepAll, membersAt } from '../bits.js';
import { positionAt } from '../store/sort-order.js';
import { bitsSet, rowSet } from './row-set.js';
import { sortBits, sortRows, wholeOrder } from './sorted-rows.js';
/** A share of the rows below which a list of rows is the better form. */
const FEW = 1 / 32;
/** What each of a query's filters lets pass, in their order; worked out no further than it is used, and only once. */
export const rowSetsOf = (collection, { filters }) => filters.map((filter) => rowSet(collection, filter));
/** The rows of one page; past the last page they are none. `known` are all that match, where that is known already. */
export function execute(collection, query, { page, limit }, sets = rowSetsOf(collection, query), known = null) {
    const from = (page - 1) * limit;
    const to = from + limit;
    const order = query.sort === null ? null : (collection.orders.get(query.sort) ?? null);
    if (query.text !== null && order === null)
        return mostRelevant(collection, query.text, amongOf(query, sets, known), from, to);
    const [only, ...others] = sets;
    if (query.text === null && others.length === 0 && only?.run && only.run.order === order) {
        return { rows: pageOfRun(only.run, query.descending, from, Math.min(to, only.count)), total: only.count };
    }
    const matches = known === null ? matchesOf(collection, query, sets) : many(bitsSet(known));
    if (matches === null)
        return { rows: pageOfAll(collection.size, order, query.descending, from, to), total: collection.size };
    const walk = walkOf(collection.size, order, query.descending, sets);
    return { rows: pageOfMatches(matches, walk, from, to), total: matches.count };
}
/** Every row that matches, in the asked order: what a page is a part of. */
export const executeWhole = (collection, query) => Uint32Array.from(execute(collection, query, { page: 1, limit: Math.max(1, collection.size) }).rows);
/** Every row that matches, ascending, or null where every row does. */
export function matchingRows(collection, query) {
    const matches = matchesOf(collection, query, rowSetsOf(collection, query));
    return matches === null ? null : matches.kind === 'few' ? matches.rows : membersAt(matches.bits(), 0, matches.count);
}
/** What a search is narrowed to; nothing where the text is the only condition. */
function amongOf({ filters }, sets, known = null) {
    if (filters.length === 0)
        return undefined;
    const keep = (rows) => (known ? { ...known, bits: known.bits.slice() } : keptBy(sets, rows));
    return { key: JSON.stringify(filters), keep };
}
function keptBy(sets, rows) {
    const bits = rows.slice();
    for (const set of sets)
        keepAll(bits, set.bits());
    return { bits, count: countBits(bits) };
}
/** Search hits by relevance. */
function mostRelevant({ search, size }, text, among, from, to) {
    const { rows, total } = search.search(text, Math.min(to, size), among);
    return { rows: Array.prototype.slice.call(rows, from, to), total };
}
function matchesOf({ search, size }, query, sets) {
    const { text } = query;
    const all = text === null ? sets : [...sets, bitsSet(search.matching(text))];
    const narrowestFirst = [...all].sort((a, b) => a.count - b.count);
    const [narrowest, ...others] = narrowestFirst;
    if (narrowest === undefined)
        return null;
    if (narrowest.count < size * FEW)
        return few(others.reduce((rows, set) => set.keep(rows), narrowest.rows()));
    if (others.length === 0)
        return many(narrowest);
    if (text !== null)
        return many(bitsSet(search.matching(text, amongOf(query, sets))));
    const bits = inAll(narrowestFirst);
    return many(bitsSet({ bits, count: countBits(bits) }));
}
/** The rows of one or more sets; not to be written to. */
function inAll([first, second, ...others]) {
    const bits = first?.bits() ?? createBits(0);
    if (second === undefined)
        return bits;
    const both = intersect(bits, second.bits());
    for (const other of others)
        keepAll(both, other.bits());
    return both;
}
const few = (rows) => ({ kind: 'few', count: rows.length, rows });
const many = ({ count, has, bits }) => ({ kind: 'many', count, has, bits });
function pageOfAll(size, order, descending, from, to) {
    if (order !== null)
        return wholeOrder(order, descending)(from, to);
    const rows = new Uint32Array(Math.max(0, Math.min(to, size) - from));
    for (let i = 0; i < rows.length; i++)
        rows[i] = from + i;
    return rows;
}
/** A run of the order that is asked for holds only rows with a value, so backwards it is read from its end. */
function pageOfRun(run, descending, from, end) {
    if (from >= end)
        return new Uint32Array(0);
    if (!descending)
        return run.order.rows.subarray(run.from + from, run.from + end);
    return run.order.rows.slice(run.to - end, run.to - from).reverse();
}
/** The steps of a walk that cost about as much as counting the keys of very many matches. */
const WALK_STEPS = 50_000;
/** A condition on the field that is sorted by bounds the walk to its run; it leaves no row without a value. */
function walkOf(size, order, descending, sets) {
    if (order === null)
        return { order, descending, length: size, rowAt: (i) => i };
    const { rows, valued } = order;
    const run = sets.find((set) => set.run?.order === order)?.run;
    if (!run)
        return { order, descending, length: size, rowAt: (i) => rows[positionAt(i, valued, descending)] };
    const [first, step] = descending ? [run.to - 1, -1] : [run.from, 1];
    return { order, descending, length: run.to - run.from, rowAt: (i) => rows[first + i * step] };
}
function pageOfMatches(matches, walk, from, to) {
    const { order, descending } = walk;
    const end = Math.min(to, matches.count);
    if (from >= end)
        return new Uint32Array(0);
    if (matches.kind === 'few') {
        return order === null ? matches.rows.subarray(from, end) : sortRows(matches.rows, order, descending)(from, end);
    }
    const expectedSteps = end * (walk.length / matches.count);
    const walked = expectedSteps < WALK_STEPS ? takeMatching(matches.has, walk, from, end) : null;
    if (walked !== null)
        return walked;
    if (order === null)
        return membersAt(matches.bits(), from, end);
    return sortBits(matches.bits(), matches.count, order, descending)(from, end);
}
/** Walks until the page is full; null where that takes too long, as when all matches stand at the far end. */
function takeMatching(has, { length, rowAt }, from, end) {
    const rows = new Uint32Array(end - from);
    const steps = Math.min(length, 2 * WALK_STEPS);
    for (let i = 0, seen = 0; i < steps; i++) {
        const row = rowAt(i);
        if (!has(row))
            continue;
        if (seen >= from)
            rows[seen - from] = row;
        if (++seen === end)
            return rows;
    }
    return null;
}
