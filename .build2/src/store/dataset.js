/** All collections of one snapshot and their version: immutable, reached through one reference, replaced in whole. */
import { createHash } from 'node:crypto';
import { collectionOf } from '../model.js';
import { RUN_BYTES, separatedView, sideBySide } from './record-text.js';
/** Puts a dataset together of its parts. */
export function assembleDataset(version, stores, indexes) {
    const collections = [...stores].map(([name, store]) => [name, { ...store, search: collectionOf(indexes, name) }]);
    return { version, collections: new Map(collections), comparisons: new Map() };
}
/** SHA-256 of every record's text and a separator behind it, in row order, cut to 96 bits. */
export function versionOf(stores) {
    const hash = createHash('sha256');
    const room = Buffer.allocUnsafeSlow(2 * RUN_BYTES);
    for (const [name, { size, text }] of stores) {
        hash.update(`${name} ${size}\n`);
        for (let row = 0; row < size;) {
            const end = sideBySide(text, row, size);
            hash.update(separatedView(text, row, end, room));
            row = end;
        }
    }
    return hash.digest('base64url').slice(0, 16);
}
