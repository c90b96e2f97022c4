/**
 * The memory into which a file is read. Its chunks rotate through three small blocks, as long as what is needed of them is copied.
 * Where records are let stay as they stand, chunks follow one another in one large block, and then in the next: such a
 * file is read to where it is served from. Memory that was not written to yet is none, so nothing is lost by large blocks.
 */
import { type Lease, MAX_LEASE_BYTES } from '../raw.js';

/** Of larger pieces more memory is touched: 17 MB of it for ones of a megabyte, by two threads. */
export const CHUNK_BYTES = 1 << 19;
/** Large blocks are cut from memory that has room for so many: V8 collects everything each time that 64 MB more are asked for. */
const MOST_TOGETHER = 4;
/** From one to the next: each begins with a cache line. */
const LARGE_STEP = MAX_LEASE_BYTES + 1;
/** Where bytes stay, so many beside each eight may be lost, and some at first. */
const LOST_AT_FIRST_BYTES = 4 << 20;
const LOST_PARTS = 8;

/** A piece of a file: `bytes[from … to)`. What the taker has left of the piece before may be put in front of it. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Where records may stay. */
  readonly lease?: Lease;
}

class Block implements Lease {
  readonly bytes: Buffer<ArrayBuffer>;
  stayed = 0;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.bytes = bytes;
  }

  stay(bytes: number): void {
    this.stayed += bytes;
  }
}

export class ReadBlocks {
  /** Bytes of the file that are not read yet, if it does not grow. */
  #left: number;
  /** Room before a block's first chunk for what is left of the chunk before. */
  readonly #margin: number;
  #block: Block;
  #at: number;
  /** What no large block was cut from yet. */
  #large: Buffer<ArrayBuffer> = Buffer.alloc(0);
  /** The block before: of its last chunk, something may still be left when the next chunk is being read. */
  #before: Block | undefined;
  #longBefore: Block | undefined;
  /** The block of the chunk that is being taken, and what stayed in it before. */
  #lent: Block | undefined;
  #stayedBefore = 0;
  #goesOn = false;
  #lostBytes = 0;
  #takenBytes = 0;

  constructor(fileBytes: number) {
    this.#left = fileBytes;
    this.#margin = Math.min(CHUNK_BYTES, fileBytes + 4);
    this.#block = this.#create();
    this.#at = this.#margin;
  }

  /** Where the next chunk is to be read: to `bytes` at `at`, at most `room` bytes. */
  get bytes(): Buffer {
    return this.#block.bytes;
  }

  get at(): number {
    return this.#at;
  }

  get room(): number {
    return Math.min(CHUNK_BYTES, this.#block.bytes.length - this.#at);
  }

  /** So many bytes were read: the chunk that they are, to be taken while the next is read. */
  filled(bytesRead: number): Chunk {
    const block = this.#block;
    const from = this.#at;
    const to = from + bytesRead;
    this.#left -= bytesRead;
    this.#at = to;
    this.#lent = block;
    this.#stayedBefore = block.stayed;
    if (!this.#goesOn || block.bytes.length - to < Math.max(1, Math.min(CHUNK_BYTES, this.#left))) this.#change();
    const lends = this.#lostBytes <= LOST_AT_FIRST_BYTES + this.#takenBytes / LOST_PARTS;
    return { bytes: block.bytes, from, to, ...(lends && { lease: block }) };
  }

  /** The chunk is done with. */
  taken({ from, to }: Chunk): void {
    const stayed = (this.#lent?.stayed ?? 0) - this.#stayedBefore;
    this.#goesOn = stayed > 0;
    this.#takenBytes += to - from;
    this.#lostBytes += Math.max(0, to - from - stayed);
  }

  #change(): void {
    const unused = this.#longBefore;
    this.#longBefore = this.#before;
    this.#before = this.#block;
    this.#block = unused?.stayed === 0 ? unused : this.#create();
    this.#at = this.#margin;
  }

  #create(): Block {
    const bytes = this.#margin + Math.max(0, this.#left) + 1;
    if (!this.#goesOn) return new Block(Buffer.allocUnsafeSlow(Math.min(bytes, this.#margin + 2 * CHUNK_BYTES)));
    if (this.#large.length === 0) this.#large = largeBlocks(bytes);
    const block = this.#large.subarray(0, MAX_LEASE_BYTES);
    this.#large = this.#large.subarray(LARGE_STEP);
    return new Block(block);
  }
}

/** Memory for so many bytes in large blocks, or for as many of these as are asked for together. */
function largeBlocks(bytes: number): Buffer<ArrayBuffer> {
  const blocks = Math.ceil(bytes / (MAX_LEASE_BYTES - CHUNK_BYTES));
  return Buffer.allocUnsafeSlow(blocks === 1 ? bytes : Math.min(blocks, MOST_TOGETHER) * LARGE_STEP);
}
