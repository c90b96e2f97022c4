/** What clusters stand for, by their spelling: see `clusters.ts`. It is looked up by the kernel, and filled here. */

import { wholeWords } from '../memory.js';
import type { Table, WordMemory } from './word-memory.js';
import { CLUSTER_ENTRY_BYTES, CLUSTER_TABLE } from './word-places.js';

const CLUSTERS: Table = { numbers: CLUSTER_TABLE, bytes: CLUSTER_ENTRY_BYTES, move: 'moveClusters' };

/** There is no end of numbers and addresses: so many are remembered at most, of so many bytes. */
const MOST_CLUSTERS = 1 << 16;
const MOST_BYTES = 48;
/** The bytes are kept in blocks. */
const BLOCK_BYTES = 1 << 16;

export class ClusterTable {
  private readonly memory: WordMemory;
  /** Where the next cluster's bytes are kept, and how far there is room for them. */
  private at = 0;
  private end = 0;

  constructor(memory: WordMemory) {
    this.memory = memory;
    memory.begin(CLUSTERS);
  }

  /** Whether a cluster of so many bytes is remembered. */
  hasRoomFor(length: number): boolean {
    return length <= MOST_BYTES && this.memory.tableAt(CLUSTERS).taken < MOST_CLUSTERS;
  }

  /** Remembers what the cluster stands for that stands at an address, zeros behind it. */
  keep(from: number, length: number, standsFor: number): void {
    const { memory } = this;
    const bytes = wholeWords(length);
    memory.makeRoom(CLUSTERS);
    if (this.at + bytes > this.end) {
      this.at = memory.reserve(BLOCK_BYTES);
      this.end = this.at + BLOCK_BYTES;
    }
    memory.bytes.copyWithin(this.at, from, from + bytes);
    memory.kernel.findCluster(from, length);
    memory.kernel.keepCluster(this.at, length, standsFor);
    this.at += bytes;
  }
}
