/**
 * A JSON or NDJSON file → its records, in the filler's batches. Where anything is irregular the file is read once more by
 * the strict checker, which knows the exact place and reason.
 */
import { readBytes } from './bytes.js';
import { JsonChecker } from './json-checker.js';
import { EnvelopeRest } from './json-envelope.js';
import { JsonRecords } from './json-records.js';
import { JsonWalker } from './json-walker.js';
export async function readJson(reading, layout) {
    const { source, onRead } = reading;
    const feed = createFeed(layout, reading);
    const walker = layout.walk && new JsonWalker(layout.walk);
    const take = (chunk) => feed.take(walker ? walker.feed(chunk) : chunk, false);
    const fault = (await readBytes(source, take, onRead)) ?? (await feed.finish());
    if (fault)
        return fault;
    if (feed.irregular === undefined)
        return walker?.isComplete === false && !reading.isStopped()
            ? explain(reading, layout, { line: walker.line })
            : undefined;
    return explain(reading, layout, feed.irregular);
}
function createFeed(layout, { model, columns, forms, filler, decoder, isStopped, onDates }) {
    const records = new JsonRecords({
        model,
        shape: layout.shape,
        line: layout.line,
        columns,
        filler,
        decoder,
        ...(forms && { forms }),
    });
    let skip = layout.offset;
    let rest;
    let irregular;
    let fault;
    /** Bytes of a record that was not whole, when it was begun last: it is begun again when there are twice as many. */
    let unfinishedBytes = 0;
    const run = async (isLast) => {
        for (;;) {
            const outcome = records.run(isLast);
            filler.flush();
            if (isStopped())
                return false;
            if (outcome === 'dates') {
                fault = await onDates();
                if (fault)
                    return false;
            }
            else if (outcome === 'closed') {
                rest = createRest(layout, records.line);
                return takeRest(records.rest);
            }
            else if (outcome === 'irregular') {
                irregular = { line: records.line };
                return false;
            }
            else if (outcome === 'more') {
                unfinishedBytes = records.rest.length;
                return true;
            }
        }
    };
    const takeRest = (bytes) => {
        if (rest === undefined || rest.feed(bytes))
            return true;
        irregular = { line: records.line, ...rest.second };
        return false;
    };
    return {
        get irregular() {
            return irregular;
        },
        async take(chunk, isLast) {
            const bytes = chunk.subarray(Math.min(skip, chunk.length));
            skip -= chunk.length - bytes.length;
            if (rest)
                return takeRest(bytes);
            records.feed(bytes);
            return (!isLast && records.rest.length < 2 * unfinishedBytes) || run(isLast);
        },
        async finish() {
            if (fault || irregular || isStopped())
                return fault;
            if (rest === undefined)
                await this.take(Buffer.alloc(0), true);
            else if (!rest.isComplete)
                irregular = { line: records.line };
            return fault;
        },
    };
}
const createRest = ({ envelope }, line) => envelope === undefined
    ? { feed: (bytes) => bytes.every(isSpace), isComplete: true, second: undefined }
    : new EnvelopeRest(envelope, line);
const isSpace = (byte) => byte === 32 || byte === 10 || byte === 13 || byte === 9;
/** Reads the file strictly to its first fault. */
async function explain({ source }, { shape }, irregular) {
    const { file } = source;
    if (irregular.message !== undefined)
        return { file, line: irregular.line, message: irregular.message };
    const checker = new JsonChecker(shape === 'sequence' ? 'sequence' : 'document');
    let found;
    const fault = await readBytes(source, (chunk) => {
        const first = checker.feed(chunk);
        if (first)
            found = { file, ...first };
        return found === undefined;
    });
    if (fault)
        return fault;
    if (found)
        return found;
    const atEnd = checker.end();
    if (atEnd)
        return { file, ...atEnd };
    return {
        file,
        line: irregular.line,
        message: 'expected one JSON value after the other; is a separator missing, or a value too long?',
    };
}
