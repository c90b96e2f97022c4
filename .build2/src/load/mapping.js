/** A mapping file, `{"source name": "field"}` → the names that it gives to fields. */
import { readFile } from 'node:fs/promises';
import { quote } from '../text.js';
import { fileErrorText } from './folder.js';
import { JsonChecker } from './json-checker.js';
const EXPECTED = 'expected an object such as {"source name": "field"}';
export async function readMapping(model, { file, path }) {
    let bytes;
    try {
        bytes = await readFile(path);
    }
    catch (error) {
        return { file, message: fileErrorText(error) };
    }
    const checker = new JsonChecker('document');
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    if (text.trim() === '')
        return { file, line: 1, message: `the file is empty: ${EXPECTED}` };
    const fault = checker.feed(Buffer.from(text)) ?? checker.end();
    return fault ? { file, ...fault } : mappingOf(model, file, text);
}
function mappingOf(model, file, text) {
    const parsed = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        return { file, line: 1, message: EXPECTED };
    const mapping = new Map();
    const known = model.fields.map(({ name }) => name);
    for (const [name, field] of Object.entries(parsed)) {
        if (field !== null && (typeof field !== 'string' || !known.includes(field))) {
            const message = `${quote(name)}: expected one of the fields ${known.join(', ')}, found ${quote(field)}`;
            return { file, line: lineOf(text, JSON.stringify(name)), message };
        }
        mapping.set(name, field);
    }
    return mapping;
}
const lineOf = (text, part) => text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;
