/**
 * A file → its bytes in chunks of about half a megabyte: decompressed, and without a byte order mark. A file counts as compressed by its
 * first bytes, not by its name. UTF-16, as Excel and PowerShell write it, and an encoding that the user named become UTF-8.
 */
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable, Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import * as zlib from 'node:zlib';
import type { SnapshotFault } from '../report/report.js';
import { createZstdUnpacker, isGzip, isZstd } from './compressed.js';
import { foreignIn } from './decode.js';
import { errorCode, fileErrorText, READ_WITHOUT_WAITING, type SnapshotFile } from './folder.js';

/** Receives a chunk; returning false ends the reading. */
type Take = (chunk: Buffer) => boolean | Promise<boolean>;
/** Called before each chunk, which is taken once what this returns has resolved. */
export type OnBytesRead = (doneBytes: number) => void | Promise<void>;

/** Larger chunks would not fit the cache of two threads. */
const SOURCE_CHUNK_BYTES = 1 << 19;

/** Hands the bytes of a file over, chunk by chunk; returns why it cannot be read. */
export async function readBytes(
  source: SnapshotFile,
  take: Take,
  onRead?: OnBytesRead,
): Promise<SnapshotFault | undefined> {
  let opened: OpenedBytes | undefined;
  try {
    const result = await openBytes(source);
    if (typeof result === 'string') return { file: source.file, message: result };
    opened = result;
    const { file, stream } = opened;
    let decoder: TextDecoder | undefined;
    let isFirst = true;
    let doneBytes = 0;
    file.on('data', (chunk: Buffer) => {
      doneBytes += chunk.length;
    });
    for await (const chunk of stream) {
      let bytes: Buffer = chunk;
      if (isFirst) {
        const message = notText(bytes);
        if (message !== undefined) return { file: source.file, line: 1, column: 1, message };
        decoder = source.encoding === undefined ? utf16Decoder(bytes) : new TextDecoder(source.encoding);
        if (isBom(bytes)) bytes = bytes.subarray(3);
        const foreign = decoder === undefined ? foreignIn(bytes) : null;
        if (foreign !== null && foreign.misread > 0)
          return { file: source.file, message: (await import('./encodings.js')).misreadText(foreign) };
        isFirst = false;
      }
      await onRead?.(doneBytes);
      if (!(await take(decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes))) return undefined;
    }
    return undefined;
  } catch (error) {
    // An error without a code of the system was thrown by `take`, and is no fault of the file.
    if (errorCode(error) === undefined) throw error;
    return {
      file: source.file,
      message: readErrorText(error, opened?.kind ?? (source.zipped === undefined ? 'file' : 'ZIP file')),
    };
  } finally {
    opened?.file.destroy();
  }
}

interface OpenedBytes {
  /** The bytes as they are stored. */
  readonly file: Readable;
  /** Decompressed. */
  readonly stream: Readable;
  /** The noun for the file in messages: `gzip file`. */
  readonly kind: string;
}

/** Opens a file, or one in a ZIP file, each compressed or not; or says why it cannot be read. */
async function openBytes(source: SnapshotFile): Promise<OpenedBytes | string> {
  const stored = source.zipped === undefined ? await openStored(source) : await openInside(source.zipped);
  if (typeof stored === 'string') return stored;
  const { file, head, kind } = stored;
  const unpack = unpackerOf(head);
  if (unpack === null) return { file, stream: file, kind };
  if (typeof unpack === 'string') {
    file.destroy();
    return unpack;
  }
  file.on('error', (error) => unpack.destroy(error));
  return { file, stream: file.pipe(unpack), kind: isGzip(head) ? 'gzip file' : 'Zstandard archive' };
}

interface StoredBytes extends Omit<OpenedBytes, 'stream'> {
  /** The first bytes. */
  readonly head: Buffer;
}

async function openStored({ path, bytes }: SnapshotFile): Promise<StoredBytes> {
  const handle = await open(path, READ_WITHOUT_WAITING);
  const head = Buffer.alloc(4);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const file = handle.createReadStream({ start: 0, highWaterMark: Math.min(SOURCE_CHUNK_BYTES, bytes + 1) });
  return { file, head: head.subarray(0, bytesRead), kind: 'file' };
}

async function openInside({ path, name }: { readonly path: string; readonly name: string }) {
  const { openInZip } = await import('./zip.js');
  const file = await openInZip(path, name);
  if (typeof file === 'string') return file;
  await once(file, 'readable');
  const head: Buffer = file.read() ?? Buffer.alloc(0);
  file.unshift(head);
  return { file, head, kind: 'ZIP file' };
}

/** The stream that decompresses a file of this beginning; null where it is not compressed, a message where this Node has none. */
function unpackerOf(head: Buffer): Transform | string | null {
  if (isGzip(head)) return zlib.createGunzip({ chunkSize: SOURCE_CHUNK_BYTES });
  if (!isZstd(head)) return null;
  return (
    createZstdUnpacker(SOURCE_CHUNK_BYTES) ??
    'expected text, found a Zstandard archive, which Node reads from 22.15 on: unpack it first (zstd -d)'
  );
}

/**
 * What the first bytes of a file decide: its beginnings of the given sizes are tried, one after the other, until one decides. `isWhole`: all
 * bytes of the file are there; `isLongest`: no longer beginning follows, and this one must decide.
 */
export async function decideByOpening<Decision>(
  source: SnapshotFile,
  sizes: readonly number[],
  decide: (bytes: Buffer, isWhole: boolean, isLongest: boolean) => Decision | undefined,
): Promise<Decision | SnapshotFault> {
  const chunks: Buffer[] = [];
  const untriedSizes = [...sizes];
  let bytes = 0;
  let decision: Decision | undefined;
  const fault = await readBytes(source, (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (decision === undefined && bytes >= (untriedSizes[0] ?? Number.POSITIVE_INFINITY)) {
      const opening = Buffer.concat(chunks).subarray(0, untriedSizes.shift());
      decision = decide(opening, false, untriedSizes.length === 0);
    }
    return decision === undefined;
  });
  const decisionOrFault = decision ?? fault ?? decide(Buffer.concat(chunks), true, true);
  if (decisionOrFault === undefined) throw new Error('the longest opening decides');
  return decisionOrFault;
}

function readErrorText(error: unknown, kind: string): string {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return `the ${kind} ends too early: the download was probably cut off`;
  if (code?.startsWith('Z')) return `the ${kind} is damaged: ${error instanceof Error ? error.message : code}`;
  return fileErrorText(error);
}

/** UTF-16 is told by its byte order mark, else by the zero bytes that punctuation and digits have on one side. */
function utf16Decoder(bytes: Uint8Array): TextDecoder | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const beginning = bytes.subarray(0, UTF16_PROBE_BYTES);
  if (!beginning.includes(0)) return undefined;
  const evenZeros = beginning.filter((byte, i) => byte === 0 && i % 2 === 0).length;
  const oddZeros = beginning.filter((byte, i) => byte === 0 && i % 2 === 1).length;
  const areHighBytes = (zeros: number, others: number): boolean =>
    (zeros >= UTF16_ZERO_SHARE * (beginning.length / 2) || zeros >= UTF16_ZEROS) && zeros > 0 && others <= zeros / 20;
  // `{` is 7B 00 in little-endian, and 00 7B in big-endian.
  if (areHighBytes(oddZeros, evenZeros)) return new TextDecoder('utf-16le');
  return areHighBytes(evenZeros, oddZeros) ? new TextDecoder('utf-16be') : undefined;
}

const UTF16_PROBE_BYTES = 4096;
/** The least share of characters below 256, or their least number: a dump has brackets and quotes, or separators, in any language. */
const UTF16_ZERO_SHARE = 0.25;
const UTF16_ZEROS = 64;

const isBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The first bytes of files that are no text. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'a ZIP file inside of another file: unpack it first'],
  ['%PDF', 'a PDF file'],
  ['SQLite format 3', 'an SQLite database: export its table as CSV or JSON first'],
  ['\u00fd7zXZ', 'an xz archive: unpack it first'],
  ['BZh', 'a bzip2 archive: unpack it first'],
  ['PAR1', "a Parquet file: write it as CSV or NDJSON, as DuckDB does (copy 'x.parquet' to 'x.csv')"],
];

/** Why these first bytes of a file are no text; undefined where they may be. */
function notText(opening: Buffer): string | undefined {
  const head = opening.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([bytes]) => head.startsWith(bytes));
  return signature && `expected text, found ${signature[1]}`;
}
