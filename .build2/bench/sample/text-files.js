/** Reads a folder of texts in an order that does not depend on the file system. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
export function readTexts(directory) {
    const files = readdirSync(directory)
        .filter((file) => file.endsWith('.txt'))
        .sort();
    return files.map((file) => {
        const path = join(directory, file);
        return { name: basename(file, '.txt'), file: path, text: readFileSync(path, 'utf8') };
    });
}
