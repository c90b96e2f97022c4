import { collections, keepingFields } from '../model.js';
import { quote } from '../text.js';
import { inOrder, listSnapshots, mappingOf, } from './folder.js';
import { planIds } from './ids.js';
import { loadFile } from './load-file.js';
import { readMapping } from './mapping.js';
import { openFile } from './open-file.js';
import { createFileReader } from './read-file.js';
import { faultText } from './report.js';
import { createSurveyor } from './survey.js';
const failed = ([fault, ...others]) => ({
    ok: false,
    fault,
    others,
});
export async function loadSnapshots(options) {
    const listing = await listSnapshots(options);
    if ('message' in listing)
        return failed([listing]);
    const told = await tellAll(listing, options);
    if ('message' in told)
        return failed([told]);
    const files = [];
    const faults = [];
    const warnings = [...listingWarnings(listing, told.files, options)];
    for (const model of collections) {
        const sources = told.files.filter(({ collection }) => collection === model.name);
        const loaded = await loadCollection(model, sources, options);
        faults.push(...loaded.faults);
        files.push(...loaded.reports);
        warnings.push(...loaded.warnings);
    }
    const [first, ...others] = faults;
    if (first !== undefined)
        return failed([first, ...others]);
    return { ok: true, report: { files, ignored: [...listing.ignored, ...told.ignored], warnings } };
}
const unmetWarning = (file, names) => `${file}: no record has a value named ${names.map((name) => quote(name)).join(', ')}`;
function listingWarnings({ missing }, files, { dir, paths }) {
    if (missing)
        return [`there is no folder ${dir}: nothing is served`];
    if (files.length > 0)
        return [];
    return paths === undefined
        ? [
            `no file in ${dir} is a snapshot, whose name begins with articles or products and ends in .json, .ndjson, .jsonl or .csv (or .gz after that): nothing is served`,
        ]
        : [`no file in ${dir} holds articles or products: nothing is served`];
}
/** Has the fields of their records tell which collection files feed whose names do not. */
async function tellAll({ files, untold }, options) {
    const told = [...files];
    const ignored = [];
    for (const file of untold) {
        const collection = await tellByFields(file, options);
        if (typeof collection === 'string')
            told.push({ ...file, collection });
        else if (file.isNamed)
            return collection;
        else
            ignored.push(file.file);
    }
    return { files: inOrder(told), ignored };
}
/** The collection of whose own fields a file's first records have most. */
async function tellByFields(file, options) {
    const found = [];
    const faults = [];
    for (const model of collections) {
        const opened = await open({ ...file, collection: model.name }, model, options);
        if ('message' in opened)
            faults.push(opened);
        else {
            const isShared = (name) => collections.every(({ fields }) => fields.some((field) => field.name === name));
            const fields = opened.plan.fedFields.filter((field) => !isShared(model.fields[field]?.name ?? ''));
            found.push({ name: model.name, fields: fields.length });
        }
    }
    const [best, next] = found.sort((a, b) => b.fields - a.fields);
    if (best === undefined)
        return faults[0] ?? { file: file.file, message: UNTOLD };
    return best.fields > (next?.fields ?? 0) ? best.name : { file: file.file, message: UNTOLD };
}
const UNTOLD = 'neither its name nor its fields tell whether it holds articles or products: begin its name with one of them, or say it with --as';
/** Opens a file with its mapping, if it has one. */
async function open(source, model, { keepsHtml = false }) {
    const file = mappingOf(source);
    const mapping = file === undefined ? new Map() : await readMapping(model, file);
    return 'message' in mapping ? mapping : openFile(source, { model, mapping, keepsHtml });
}
async function loadCollection(model, sources, options) {
    // A file with a fault is left out, and the others are read on: each of their faults is told.
    const faults = [];
    let opened = [];
    for (const source of sources) {
        const file = await open(source, model, options);
        // A mapping that several files share has one fault.
        if (!('message' in file))
            opened = [...opened, file];
        else if (!faults.some((fault) => faultText(fault) === faultText(file)))
            faults.push(file);
    }
    const read = createFileReader(model);
    const surveyor = createSurveyor(model, read);
    let ids = await planIds(opened, surveyor);
    while ('message' in ids) {
        const { file } = ids;
        const whole = opened.filter(({ source }) => source.file !== file);
        faults.push(ids);
        if (whole.length === opened.length)
            return { faults, reports: [], warnings: [] };
        opened = whole;
        ids = await planIds(opened, surveyor);
    }
    const reports = [];
    const warnings = [];
    // Names in each mapping that no record has.
    const unmet = new Map();
    let nextId = ids.largest + 1;
    for (const file of opened) {
        const { source, plan } = file;
        const byPosition = ids.byPosition.has(file);
        const { onProgress } = options;
        const mappingName = mappingOf(source)?.file ?? '';
        const names = unmet.get(mappingName) ?? new Set(file.mapping.keys());
        unmet.set(mappingName, names);
        for (const path of plan.metPaths)
            names.delete(path);
        const report = await loadFile({
            opened: file,
            model: options.keeps === undefined ? model : keepingFields(model, options.keeps),
            firstId: byPosition ? nextId : undefined,
            nowMs: options.nowMs ?? Date.now(),
            strict: options.strict ?? false,
            keepsExtra: options.keepsExtra ?? false,
            suspects: options.suspects ?? true,
            onNames: (met) => {
                for (const name of met)
                    names.delete(name);
            },
            sink: (batch) => options.onBatch(model.name, batch),
            warn: (text) => warnings.push(`${source.file}: ${text}`),
            read,
            surveyDates: () => surveyor.dateOrder(file),
            ...(onProgress && { onRead: (done) => onProgress(source.file, done, source.bytes) }),
        });
        if ('message' in report) {
            faults.push(report);
            continue;
        }
        if (byPosition)
            nextId += report.records;
        reports.push(report);
    }
    for (const [file, names] of unmet)
        if (names.size > 0)
            warnings.push(unmetWarning(file, [...names]));
    const place = ({ file }) => sources.findIndex((source) => source.file === file);
    return { faults: faults.sort((a, b) => place(a) - place(b)), reports, warnings };
}
