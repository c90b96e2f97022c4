/** What is known of a file before it is read: where its records stand, and its plan. Made once a file. */
import { cellOf, textOf } from '../batch.js';
import { BatchFiller } from './batch-filler.js';
import { createRank } from './columns.js';
import { createDecoder } from './decode.js';
import { guessRank } from './guesses.js';
import { findJsonLayout } from './json-layout.js';
import { TITLE_SCORE } from './json-outline.js';
import { createPlan, SAMPLE_RECORDS } from './plan.js';
import { NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';
export async function openFile(source, options) {
    const { model, mapping } = options;
    if (source.format === 'csv') {
        const sample = await sampleCsv(source, options);
        if ('message' in sample)
            return sample;
        return { source, mapping, plan: createPlan({ ...options, isCsv: true }, sample.records), layout: undefined };
    }
    const planOptions = { ...options, isCsv: false };
    const title = model.fields.findIndex(({ name }) => name === 'title');
    const score = (records) => {
        const { fedFields } = createPlan(planOptions, records);
        return fedFields.length + (fedFields.includes(title) ? TITLE_SCORE : 0);
    };
    const layout = await findJsonLayout({ source, model, score });
    return 'message' in layout ? layout : { source, mapping, plan: createPlan(planOptions, layout.sample), layout };
}
/** Whether any of a CSV file's names may be a field's. */
export function createKnowsAny({ model, mapping }) {
    const rank = createRank(model, mapping);
    return (names) => model.fields.some((field) => names.some((name) => rank(field, name) !== undefined || guessRank(field, name) !== undefined));
}
/** Columns of a CSV file that are looked at; any others feed no field but by name. */
const MAX_SAMPLED_COLUMNS = 256;
/** Reads the first records of a CSV file as texts, by the reader that loads it, for a collection whose fields are its columns. */
async function sampleCsv(source, options) {
    const records = [];
    let header = [];
    const fields = Array.from({ length: MAX_SAMPLED_COLUMNS }, (_, i) => {
        return { name: `column ${i}`, kind: 'text', description: '', detailOnly: true };
    });
    const model = { ...options.model, fields };
    const filler = new BatchFiller({
        model,
        tally: createTally(model, NO_SUSPICIONS),
        firstId: undefined,
        onFinding() { },
        take(batch) {
            const names = header.slice(0, MAX_SAMPLED_COLUMNS);
            for (let i = 0; i < batch.size && records.length < SAMPLE_RECORDS; i++)
                records.push({ names, cells: names.map((_, column) => textOf(batch, cellOf(column, i))) });
        },
    });
    filler.context = { isCsv: true, dateOrder: undefined };
    const { readCsv } = await import('./csv-reader.js');
    const fault = await readCsv({
        source,
        model,
        columns: {
            find(names) {
                header = names;
                const positions = fields.map((_, i) => (i < names.length ? i : -1));
                const paths = fields.map(() => []);
                return {
                    names,
                    positions,
                    paths,
                    areLists: fields.map(() => false),
                    sources: fields.map(() => ''),
                    spare: names.map(() => false),
                    rivals: fields.map(() => false),
                    passedOver: [],
                    records: 0,
                    absent: names.map(() => 0),
                };
            },
            known: () => [],
        },
        filler,
        decoder: createDecoder(),
        isStopped: () => records.length >= SAMPLE_RECORDS,
        onDates: async () => undefined,
        knowsAny: createKnowsAny(options),
    });
    return fault ?? { records };
}
