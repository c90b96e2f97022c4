import { readBytes } from './bytes.js';
import { JsonChecker } from './json-checker.js';
import { openingOf } from './json-opening.js';
import { findCandidates, sampleOf, TITLE_SCORE } from './json-outline.js';
import { JsonWalker } from './json-walker.js';
import { isPlainObject } from './paths.js';
import { SAMPLE_RECORDS } from './plan.js';
/** The opening is so long, and longer where it has not shown a record yet. */
const OPENING_BYTES = [1 << 18, 1 << 20, 8 << 20, 64 << 20];
/** An opening of this many bytes is enough, however few records it holds. */
const LONG_OPENING_BYTES = 1 << 20;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const EMPTY = { line: 1, column: 1, message: 'the file is empty: expected an array of objects' };
const NO_ARRAY = 'expected an array of objects, or an object with one such array in it; found an object without one';
export async function findJsonLayout(options) {
    const { source } = options;
    for (const [i, maxBytes] of OPENING_BYTES.entries()) {
        const bytes = await readOpening(source, maxBytes);
        if ('message' in bytes)
            return bytes;
        const isAll = bytes.length < maxBytes || i === OPENING_BYTES.length - 1;
        const layout = layoutOf(options, bytes, isAll);
        if (layout === 'broken')
            return (await firstFault(source)) ?? sequence([]);
        if ('message' in layout) {
            if (isAll)
                return { file: source.file, ...layout };
        }
        else if (isAll || bytes.length >= LONG_OPENING_BYTES || layout.sample.length >= SAMPLE_RECORDS)
            return layout;
    }
    throw new Error('the longest opening decides');
}
async function readOpening(source, maxBytes) {
    const chunks = [];
    let bytes = 0;
    const fault = await readBytes(source, (chunk) => {
        chunks.push(Buffer.from(chunk));
        bytes += chunk.length;
        return bytes < maxBytes;
    });
    return fault ?? Buffer.concat(chunks).subarray(0, maxBytes);
}
async function firstFault(source) {
    const checker = new JsonChecker('sequence');
    let found;
    const fault = await readBytes(source, (chunk) => {
        found = checker.feed(chunk);
        return found === undefined;
    });
    found ??= checker.end();
    return fault ?? (found && { file: source.file, ...found });
}
const sequence = (sample) => ({ shape: 'sequence', offset: 0, line: 1, sample });
function layoutOf(options, bytes, isAll) {
    const isNdjson = options.source.format === 'ndjson';
    const first = bytes.findIndex((byte) => byte > 32);
    if (first === -1)
        return isNdjson ? sequence([]) : EMPTY;
    if (bytes[first] !== OPEN_ARRAY && bytes[first] !== OPEN_OBJECT)
        return sequence([]);
    const opening = openingOf(bytes);
    if (opening.roots.length === 0)
        return bytes[first] === OPEN_ARRAY ? arrayAt(bytes, first, []) : 'broken';
    const layout = Array.isArray(opening.roots[0])
        ? layoutOfArray(options, bytes, first, opening)
        : layoutOfObject(options, bytes, opening, isNdjson, isAll);
    // The checker says where the file was cut off.
    if ('message' in layout)
        return isAll && !opening.isClosed ? 'broken' : layout;
    const { sample } = layout;
    // The last record may be cut off by the opening's end.
    return opening.isClosed || sample.length < 2 ? layout : { ...layout, sample: sample.slice(0, -1) };
}
function arrayAt(bytes, bracket, sample) {
    const line = bytes.subarray(0, bracket).filter((byte) => byte === 10).length + 1;
    return { shape: 'array', offset: bracket + 1, line, sample };
}
function layoutOfArray({ model, score }, bytes, first, { roots }) {
    const [root, second] = roots;
    const plain = arrayAt(bytes, first, sampleOf(Array.isArray(root) ? root : []));
    if (roots.length > 1 && Array.isArray(second)) {
        const table = rowsOf(roots, score);
        if (table)
            return table;
    }
    const [best] = findCandidates(model, root, score);
    const arePages = roots.length > 1 && roots.every((page) => Array.isArray(page));
    if (best === undefined || best.score < TITLE_SCORE)
        return plain;
    if (best.steps.length === 1 && best.header === undefined && !arePages)
        return plain;
    return walked(best, roots.slice(1));
}
/** Rows one after the other, of which the first names their values. */
function rowsOf(roots, score) {
    const [header, ...rows] = roots;
    const isHeader = Array.isArray(header) && header.every((name) => typeof name === 'string');
    if (!isHeader || !rows.every((row) => Array.isArray(row)))
        return undefined;
    const sample = rows.map((cells) => ({ names: header, cells }));
    if (score(sample.slice(0, 20)) < TITLE_SCORE)
        return undefined;
    return { ...sequence(sample), walk: { steps: [], header, hasHeader: true } };
}
function layoutOfObject({ model, score }, bytes, { roots, isClosed }, isNdjson, isAll) {
    const [root] = roots;
    const sample = sampleOf(roots);
    const own = score(sample.slice(0, 1));
    const candidates = findCandidates(model, root, score);
    const [best, second] = candidates;
    const isRecord = own >= TITLE_SCORE || (own > 1 && candidates.length === 0);
    const isFilled = candidates.some(({ records }) => records.length > 0);
    if (isRecord && (best === undefined || own >= best.score))
        return sequence(sample);
    if (best === undefined) {
        if (isNdjson || (roots.length > 1 && own > 0))
            return sequence(sample);
        return { line: 1, column: 1, message: NO_ARRAY };
    }
    if (!isFilled && (isNdjson || isRecord))
        return sequence(sample);
    if (!isFilled && !isClosed && !isAll)
        return { line: 1, column: 1, message: NO_ARRAY };
    if (second && areAlike(best, second)) {
        const [from, to] = [placeOf(bytes, best), placeOf(bytes, second)].sort((a, b) => a.offset - b.offset);
        if (from && to)
            return { line: to.line, message: twoArrays(from, to) };
    }
    const isPlain = roots.length === 1 &&
        best.header === undefined &&
        best.steps.every((step, i) => typeof step === 'object' || (step === 'each' && i === best.steps.length - 1));
    if (!isPlain)
        return walked(best, roots.slice(1));
    const { name, offset, line } = placeOf(bytes, best);
    const envelope = { name, line, depth: best.steps.length - 1, names: namesOf(best) };
    return { shape: 'array', offset, line, envelope, sample: best.records };
}
const namesOf = ({ records }) => new Set(records.flatMap(({ names }) => names));
/** Whether two arrays of one object both hold the records: none of them knows a name that the other lacks, or neither is better. */
function areAlike(best, second) {
    const isBeside = (candidate) => candidate.steps.length === 2 && candidate.steps[1] === 'each';
    if (!isBeside(best) || !isBeside(second) || second.records.length === 0)
        return false;
    const names = namesOf(best);
    return best.score === second.score || [...namesOf(second)].every((name) => names.has(name));
}
/** Where the array of a candidate begins. */
function placeOf(bytes, { steps }) {
    const walker = new JsonWalker({ steps });
    for (let at = 0; at < bytes.length && walker.entered === undefined; at += STEP_BYTES)
        walker.feed(bytes.subarray(at, at + STEP_BYTES));
    const named = steps.findLast((step) => typeof step === 'object');
    return { name: named?.name ?? '', ...(walker.entered ?? { offset: 0, line: 1 }) };
}
const STEP_BYTES = 1 << 12;
/** A layout that is walked; pages after the first bring further records into the sample. */
function walked(best, pages) {
    const { steps, header, hasHeader, keysAreIds } = best;
    const more = header === undefined ? pages.flatMap((page) => valuesAt(page, steps)) : [];
    return {
        ...sequence([...best.records, ...sampleOf(more)]),
        walk: { steps, keysAreIds: keysAreIds === true, ...(header && { header, hasHeader: hasHeader === true }) },
    };
}
function valuesAt(value, steps) {
    let found = [value];
    for (const step of steps)
        found = found.flatMap((at) => {
            if (step === 'each')
                return Array.isArray(at) ? at : [];
            if (!isPlainObject(at))
                return [];
            return step === 'members' ? Object.values(at) : Object.hasOwn(at, step.name) ? [at[step.name]] : [];
        });
    return found;
}
export const twoArrays = (first, second) => `expected one array of objects, found a second one: ${JSON.stringify(first.name)} (line ${first.line}) and ${JSON.stringify(second.name)}`;
