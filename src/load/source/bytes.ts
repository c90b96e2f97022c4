/**
 * A file → its bytes in chunks of about half a megabyte: decompressed, and without a byte order mark. A file counts as gzipped by its first
 * two bytes, not by its name. UTF-16 with a byte order mark, as Excel and PowerShell write it, becomes UTF-8.
 */
import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { SnapshotFault } from '../report/report.js';
import { errorCode, fileErrorText, READ_WITHOUT_WAITING, type SnapshotFile } from './folder.js';

/** Receives a chunk; returning false ends the reading. */
export type Take = (chunk: Buffer) => boolean | Promise<boolean>;
/** Called before each chunk, which is taken once what this returns has resolved. */
export type OnBytesRead = (doneBytes: number) => void | Promise<void>;

/** Larger chunks would not fit the cache of two threads. */
const SOURCE_CHUNK_BYTES = 1 << 19;

export async function readBytes(
  source: SnapshotFile,
  take: Take,
  onRead?: OnBytesRead,
): Promise<SnapshotFault | undefined> {
  let file: ReadStream | undefined;
  try {
    const handle = await open(source.path, READ_WITHOUT_WAITING);
    file = handle.createReadStream({ start: 0, highWaterMark: Math.min(SOURCE_CHUNK_BYTES, source.bytes + 1) });
    const head = Buffer.alloc(2);
    await handle.read(head, 0, 2, 0);
    const isGzipped = head[0] === 0x1f && head[1] === 0x8b;
    const stream = isGzipped ? file.pipe(createGunzip({ chunkSize: SOURCE_CHUNK_BYTES })) : file;
    file.on('error', (error) => stream.destroy(error));
    let decoder: TextDecoder | undefined;
    let isFirst = true;
    for await (const chunk of stream) {
      let bytes: Buffer = chunk;
      if (isFirst) {
        const message = notText(bytes);
        if (message !== undefined) return { file: source.file, line: 1, column: 1, message };
        decoder = utf16Decoder(bytes);
        if (isBom(bytes)) bytes = bytes.subarray(3);
        isFirst = false;
      }
      await onRead?.(file.bytesRead);
      if (!(await take(decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes))) return undefined;
    }
    return undefined;
  } catch (error) {
    // An error without a code of the system was thrown by `take`, and is no fault of the file.
    if (errorCode(error) === undefined) throw error;
    return { file: source.file, message: readErrorText(error) };
  } finally {
    file?.destroy();
  }
}

/** The first bytes of a file, at most `maxBytes`. */
export async function readOpening(source: SnapshotFile, maxBytes: number): Promise<Buffer | SnapshotFault> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const fault = await readBytes(source, (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    return bytes < maxBytes;
  });
  return fault ?? Buffer.concat(chunks).subarray(0, maxBytes);
}

function readErrorText(error: unknown): string {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return 'the gzip file ends too early: the download was probably cut off';
  if (code?.startsWith('Z_')) return `the gzip file is damaged: ${error instanceof Error ? error.message : code}`;
  return fileErrorText(error);
}

const utf16Decoder = ([first, second]: Uint8Array): TextDecoder | undefined => {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined;
};

const isBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The first bytes of files that are no text. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'a ZIP file or spreadsheet (.xlsx): export it as CSV or JSON first'],
  ['%PDF', 'a PDF file'],
  ['SQLite format 3', 'an SQLite database: export its table as CSV or JSON first'],
  ['\u00fd7zXZ', 'an xz archive: unpack it first'],
  ['BZh', 'a bzip2 archive: unpack it first'],
  ['(\u00b5/\u00fd', 'a Zstandard archive: unpack it first'],
];

/** Why these first bytes of a file are no text; undefined where they may be. */
function notText(opening: Buffer): string | undefined {
  const head = opening.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([bytes]) => head.startsWith(bytes));
  return signature && `expected text, found ${signature[1]}`;
}
