/** Compressed files: told by their first bytes. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;
export const isZstd = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd;

/** Windows of 2 GB, as the dumps of Reddit have them; by itself the decompressor refuses more than 128 MB. */
const ZSTD_WINDOW_LOG = 31;

/** Undefined on a Node before 22.15, whose types lack it too. */
export function createZstdUnpacker(chunkSize: number): Transform | undefined {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const windowParameter: unknown = Reflect.get(zlib.constants, 'ZSTD_d_windowLogMax');
  if (typeof create !== 'function' || typeof windowParameter !== 'number') return undefined;
  return create({ chunkSize, params: { [windowParameter]: ZSTD_WINDOW_LOG } });
}

/** The first bytes of a file, decompressed; unchanged where they are not compressed, none where they cannot be decompressed. */
export function decompressedBeginning(bytes: Buffer): Buffer {
  try {
    // The rest of the file is missing: what there is of it is flushed.
    if (isGzip(bytes)) return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    if (!isZstd(bytes)) return bytes;
    const decompress: unknown = Reflect.get(zlib, 'zstdDecompressSync');
    const finishFlush: unknown = Reflect.get(zlib.constants, 'ZSTD_e_flush');
    return typeof decompress === 'function' ? decompress(bytes, { finishFlush }) : bytes.subarray(0, 0);
  } catch {
    return bytes.subarray(0, 0);
  }
}
