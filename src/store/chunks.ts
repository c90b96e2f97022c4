/**
 * A store of bytes in chunks, which are never moved or copied while it grows. Addresses are as if chunk i began at
 * i × `CHUNK_SPAN`.
 */
import { roomFor } from '../arrays.js';

export type Chunk = Buffer<ArrayBuffer>;

/** Addresses per chunk. The last byte of a chunk is free, so that pieces of two chunks never have adjacent addresses. */
export const CHUNK_SPAN = 1 << 26;
const CHUNK_BYTES = CHUNK_SPAN - 1;
/** Every further chunk is twice as large, up to the largest. */
const FIRST_CHUNK_BYTES = 1 << 20;
/** An empty chunk: it stands for each further span that an oversized chunk takes. */
const NO_CHUNK: Chunk = Buffer.alloc(0);

/** Bytes to copy from: `COPY_SLACK_BYTES` more must be readable behind any of them. */
export interface ChunkSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export const sourceOf = (bytes: Uint8Array): ChunkSource => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
});

/** A copy reads and writes four bytes at a time: up to 3 behind a piece. */
export const COPY_SLACK_BYTES = 3;

/** A text to copy as a whole. */
export interface TextSource {
  readonly source: ChunkSource;
  readonly length: number;
}

export const textSource = (text: string): TextSource => ({
  source: sourceOf(Buffer.from(text + ' '.repeat(COPY_SLACK_BYTES))),
  length: Buffer.byteLength(text),
});

/** Pieces up to this size are copied four bytes at a time; for longer ones a call of the runtime is faster. */
const MAX_LOOP_BYTES = 256;

export class Chunks {
  readonly all: Chunk[] = [];
  /** The current chunk, the number of its bytes in use, and its address. */
  current: Chunk = NO_CHUNK;
  used = 0;
  start = 0;
  view = sourceOf(NO_CHUNK).view;
  readonly #isReturned: boolean;

  /** `isReturned`: the store is let go of soon, and each chunk but the first is so large that its memory goes back to the system. */
  constructor(isReturned = false) {
    this.#isReturned = isReturned;
  }

  /**
   * Reserves `bytes` in one piece at `used` of the current chunk. An oversized piece has a chunk of its own, so that each piece
   * begins in the first span of its chunk.
   */
  reserve(bytes: number): void {
    const end = this.used + bytes + COPY_SLACK_BYTES;
    if (end <= CHUNK_BYTES && end <= this.current.length) return;
    const twice = Math.max(FIRST_CHUNK_BYTES, this.current.length * 2);
    const usual = Math.min(CHUNK_BYTES, this.#isReturned ? roomFor(twice, 1) : twice);
    this.current = Buffer.allocUnsafeSlow(Math.max(usual, bytes + COPY_SLACK_BYTES));
    this.view = sourceOf(this.current).view;
    this.used = 0;
    this.start = (this.all.push(this.current) - 1) * CHUNK_SPAN;
    for (let span = CHUNK_SPAN; span < bytes + COPY_SLACK_BYTES; span += CHUNK_SPAN) this.all.push(NO_CHUNK);
  }
}

/** Copies `bytes[from … to)` to `at`; returns the end of the copy, behind which up to `COPY_SLACK_BYTES` more are written. */
export function copyBytes(
  { bytes, view }: ChunkSource,
  from: number,
  to: number,
  target: DataView,
  at: number,
): number {
  if (to - from > MAX_LOOP_BYTES) new Uint8Array(target.buffer, target.byteOffset).set(bytes.subarray(from, to), at);
  else for (let i = from, j = at; i < to; i += 4, j += 4) target.setInt32(j, view.getInt32(i, true), true);
  return at + to - from;
}

/** Addresses as integers of 32 bits as far as they suffice. */
export const addressesOf = ({ all }: Chunks, addresses: Float64Array): Uint32Array | Float64Array =>
  all.length * CHUNK_SPAN <= 2 ** 32 ? new Uint32Array(addresses) : addresses;
