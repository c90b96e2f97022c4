/**
 * A file → its bytes in chunks of about half a megabyte, decompressed where they are gzipped, without a byte order mark.
 * A chunk is valid only until its taker returns. Whether a file is
 * gzipped is told by its first two bytes, not its name.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { errorCode, fileErrorText } from './folder.js';
import { notText } from './not-text.js';
import { CHUNK_BYTES, ReadBlocks } from './read-blocks.js';
export const readBytes = (source, take, onRead) => readChunks(source, ({ bytes, from, to }) => take(bytes.subarray(from, to)), onRead);
/** The same, with the memory in which the bytes stand. */
export async function readChunks(source, take, onRead) {
    let isFirst = true;
    let problem;
    const takeText = (chunk) => {
        if (isFirst)
            problem = notText(chunk.bytes.subarray(chunk.from, chunk.to));
        isFirst = false;
        return problem === undefined && take(chunk);
    };
    const fault = await readFile(source, takeText, onRead);
    return fault ?? (problem === undefined ? undefined : { file: source.file, line: 1, column: 1, message: problem });
}
async function readFile(source, take, onRead) {
    let handle;
    try {
        handle = await open(source.path);
        const head = Buffer.alloc(3);
        const { bytesRead } = await handle.read(head, 0, 3, 0);
        if (bytesRead >= 2 && head[0] === 0x1f && head[1] === 0x8b)
            return await readGzip(source, take, onRead);
        await readPlain(handle, isBom(head) ? 3 : 0, source.bytes, take, onRead);
        return undefined;
    }
    catch (error) {
        // What has no code of the system is no fault of the file: whoever takes its bytes has thrown it.
        if (errorCode(error) === undefined)
            throw error;
        return { file: source.file, message: fileErrorText(error) };
    }
    finally {
        await handle?.close();
    }
}
/** Reads the next chunk while one is taken. */
async function readPlain(handle, start, size, take, onRead) {
    const blocks = new ReadBlocks(size);
    let position = start;
    const readNext = () => handle.read(blocks.bytes, blocks.at, blocks.room, position);
    let reading = readNext();
    try {
        for (;;) {
            const { bytesRead } = await reading;
            if (bytesRead === 0)
                return;
            position += bytesRead;
            const chunk = blocks.filled(bytesRead);
            reading = readNext();
            onRead?.(position);
            const more = take(chunk);
            if (!(typeof more === 'boolean' ? more : await more))
                return;
        }
    }
    finally {
        // The file must not be closed under a read.
        await reading.catch(() => undefined);
    }
}
async function readGzip(source, take, onRead) {
    const file = createReadStream(source.path, { highWaterMark: CHUNK_BYTES });
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    file.on('error', (error) => gunzip.destroy(error));
    let first = true;
    try {
        for await (const chunk of file.pipe(gunzip)) {
            onRead?.(file.bytesRead);
            const bytes = chunk;
            const more = take({ bytes, from: first && isBom(bytes) ? 3 : 0, to: bytes.length });
            first = false;
            if (!(typeof more === 'boolean' ? more : await more))
                return undefined;
        }
        return undefined;
    }
    catch (error) {
        if (errorCode(error) === undefined)
            throw error;
        return { file: source.file, message: gzipErrorText(error) };
    }
    finally {
        file.destroy();
    }
}
function gzipErrorText(error) {
    const code = errorCode(error);
    if (code === 'Z_BUF_ERROR')
        return 'the gzip file ends too early: the download was probably cut off';
    if (code?.startsWith('Z_'))
        return `the gzip file is damaged: ${error instanceof Error ? error.message : code}`;
    return fileErrorText(error);
}
const isBom = (bytes) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
