/** Reads any file of a collection, whatever its format. */
import { readJson } from './json-reader.js';
import { createKnowsAny } from './open-file.js';
export function createFileReader(model) {
    return async ({ source, layout, mapping }, reading) => {
        const whole = { ...reading, source, knowsAny: createKnowsAny({ model, mapping }) };
        if (layout)
            return readJson(whole, layout);
        // Most dumps are JSON: they do not wait for the code that reads CSV.
        return (await import('./csv-reader.js')).readCsv(whole);
    };
}
