/**
 * Bytes in chunks that are never moved or copied while they grow. What is written there is addressed as if chunk i stood at
 * i × `CHUNK_SPAN`.
 */
export type Chunk = Buffer<ArrayBuffer>;

/** Addresses per chunk. One byte of each is left free, so that what stands in two chunks never seems to lie side by side. */
export const CHUNK_SPAN = 1 << 26;
const CHUNK_BYTES = CHUNK_SPAN - 1;
/** Every further chunk is twice as large, up to the largest. */
const FIRST_CHUNK_BYTES = 1 << 20;
/** A chunk that holds nothing: as many stand behind an oversized one as there are spans that it takes beside its own. */
const NO_CHUNK: Chunk = Buffer.alloc(0);

/** Bytes to copy from: three more must be readable behind any of them. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export const sourceOf = (bytes: Uint8Array): Source => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
});

/** Short pieces are copied four bytes at a time. Longer ones are left to the runtime, whose call costs as much as a loop over so many. */
const MAX_LOOP_BYTES = 256;
const SLACK_BYTES = 3;

export class Chunks {
  readonly all: Chunk[] = [];
  /** The chunk that is being filled, how far it is, and its address. */
  current: Chunk = NO_CHUNK;
  used = 0;
  start = 0;
  #view = sourceOf(NO_CHUNK).view;

  /** Makes room for so many bytes in one piece, at `used` of the current chunk. An oversized piece has a chunk of its own, so that every one begins in the span of its chunk's beginning. */
  reserve(bytes: number): void {
    const end = this.used + bytes + SLACK_BYTES;
    if (end <= CHUNK_BYTES && end <= this.current.length) return;
    const usual = Math.min(CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, this.current.length * 2));
    this.current = Buffer.allocUnsafeSlow(Math.max(usual, bytes + SLACK_BYTES));
    this.#view = sourceOf(this.current).view;
    this.used = 0;
    this.start = (this.all.push(this.current) - 1) * CHUNK_SPAN;
    for (let span = CHUNK_SPAN; span < bytes + SLACK_BYTES; span += CHUNK_SPAN) this.all.push(NO_CHUNK);
  }

  /** Writes `bytes[from … to)`, for which there is room; what is written too much, the next piece is written over. */
  append({ bytes, view }: Source, from: number, to: number): void {
    const { used } = this;
    const target = this.#view;
    if (to - from > MAX_LOOP_BYTES) this.current.set(bytes.subarray(from, to), used);
    else for (let i = from, at = used; i < to; i += 4, at += 4) target.setInt32(at, view.getInt32(i, true), true);
    this.used = used + to - from;
  }

  /** Writes one byte, for which there is room. */
  appendByte(byte: number): void {
    this.current[this.used++] = byte;
  }
}

/** Addresses as integers of 32 bits as far as they suffice. */
export const addressesOf = ({ all }: Chunks, addresses: Float64Array): Uint32Array | Float64Array =>
  all.length * CHUNK_SPAN <= 2 ** 32 ? new Uint32Array(addresses) : addresses;
