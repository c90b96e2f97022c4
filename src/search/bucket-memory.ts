/**
 * Memory that threads share, in which words stand by bucket, and in which each thread lays out: nothing has to be copied
 * from one to the other. What was reserved is never given back by itself, but all of it once no thread has the memory any
 * more. Words of frequent terms, which are laid out first, have one of their own, which can be dropped before the others.
 */
import { uint32, withRoom } from '../growable.js';
import { wholeWords } from '../memory.js';
import { createSharedMemory, MEMORY_PAGE_BYTES, type SharedWasmMemory } from '../wasm.js';
import { CODE_BYTES, FREQUENT_TERMS, isShared, NEXT_PIECE, PIECE_BYTES, PIECE_END, PIECE_WORDS } from './buckets.js';
import { IndexLimitError } from './limits.js';

/** A memory grows by so much at once: what was never written to takes no room. */
const STEP_PAGES = 1 << 9;
/** Pieces are kept in rooms of so many bytes. */
const ROOM_BYTES = 1 << 20;
/** At address 0 stands how much is reserved, in pieces: this is of one. */
const FIRST_PIECE = 1;

export interface BucketMemories {
  /** Of frequent terms' words; none once it was dropped. */
  frequent: SharedWasmMemory | undefined;
  readonly rare: SharedWasmMemory;
}

export const createBucketMemories = (): BucketMemories => ({ frequent: createMemory(), rare: createMemory() });

function createMemory(): SharedWasmMemory {
  const memory = createSharedMemory();
  new Int32Array(memory.buffer)[0] = FIRST_PIECE;
  return memory;
}

/** The memory of a bucket's words. */
export function memoryOf({ frequent, rare }: BucketMemories, bucket: number): SharedWasmMemory {
  const memory = isShared(bucket) ? rare : frequent;
  if (memory === undefined) throw new Error('the words of frequent terms were dropped');
  return memory;
}

/** The address of so many bytes that nobody else has: a multiple of a piece's bytes. What was never written to is 0. */
export function reserve(memory: SharedWasmMemory, bytes: number): number {
  const pieces = Math.ceil(bytes / PIECE_BYTES);
  const at = Atomics.add(new Int32Array(memory.buffer, 0, 1), 0, pieces);
  growTo(memory, (at + pieces) * PIECE_BYTES);
  return at * PIECE_BYTES;
}

function growTo(memory: SharedWasmMemory, bytes: number): void {
  for (let has = memory.buffer.byteLength; has < bytes; has = memory.buffer.byteLength) {
    const needed = Math.ceil((bytes - has) / MEMORY_PAGE_BYTES);
    if (!(grows(memory, Math.max(needed, STEP_PAGES)) || grows(memory, needed)))
      throw new IndexLimitError('there are more words in the records than an index holds');
  }
}

function grows(memory: SharedWasmMemory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

/** What was set aside of the shared buckets of a part. */
export class KeptPieces {
  private readonly memory: SharedWasmMemory;
  private memoryBytes: Uint8Array;
  private numbers: Uint32Array;
  private at = 0;
  private end = 0;
  /** By shared bucket: its first piece, 0 if it has none, the last one, and the bytes of all. */
  private first = uint32(0);
  private last = uint32(0);
  private bytes = uint32(0);

  constructor({ rare }: BucketMemories) {
    this.memory = rare;
    this.memoryBytes = new Uint8Array(rare.buffer);
    this.numbers = new Uint32Array(rare.buffer);
  }

  /** Keeps a copy of a bucket's next words. */
  keep(bucket: number, words: Uint8Array): void {
    const i = bucket - FREQUENT_TERMS;
    this.first = withRoom(this.first, i + 1, uint32);
    this.last = withRoom(this.last, i + 1, uint32);
    this.bytes = withRoom(this.bytes, i + 1, uint32);
    const piece = this.copy(words);
    if (this.first[i] === 0) this.first[i] = piece;
    else this.numbers[(this.last[i]! + NEXT_PIECE) / 4] = piece;
    this.last[i] = piece;
    this.bytes[i]! += words.length;
  }

  firstOf(bucket: number): number {
    return this.first[bucket - FREQUENT_TERMS] ?? 0;
  }

  bytesOf(bucket: number): number {
    return this.bytes[bucket - FREQUENT_TERMS] ?? 0;
  }

  private copy(words: Uint8Array): number {
    const length = PIECE_WORDS + wholeWords(words.length);
    if (this.at + length + CODE_BYTES > this.end) this.makeRoom();
    const { at } = this;
    this.numbers[(at + PIECE_END) / 4] = at + PIECE_WORDS + words.length;
    this.memoryBytes.set(words, at + PIECE_WORDS);
    this.at += length;
    return at;
  }

  private makeRoom(): void {
    this.at = reserve(this.memory, ROOM_BYTES);
    this.end = this.at + ROOM_BYTES;
    this.memoryBytes = new Uint8Array(this.memory.buffer);
    this.numbers = new Uint32Array(this.memory.buffer);
  }
}
