/**
 * Remembered readings of a field's short members, so that each spelling is read once: a table of slots of 128 bytes, in which a member
 * and its cell stand side by side. A look-up waits for memory once, where objects would cost a wait each. Where no slot is free for a
 * member, one is overwritten.
 */

/** Longer members are not remembered, nor members whose cell is longer. */
export const MAX_MEMO_BYTES = 48;
const SLOT_BYTES = 128;
/** A table that fits the cache is worth more than a complete one. */
const SLOTS = 1 << 14;
/** Slots in which a member may stand: that of its hash and the following ones. */
const PROBES = 4;

// Offsets in a slot, in bytes. At 0 stands the cell's number; then the batch in which the cell stands, and its start there.
const BATCH = 8;
const START = 12;
/** 0 where the slot is free. */
const MEMBER_KIND = 16;
const MEMBER_LENGTH = 17;
const KIND = 18;
const LENGTH = 19;
const FINDING = 20;
const CONTRADICTS = 21;
/** The member's bytes, and behind them those of the cell. */
const MEMBER = 22;

// Findings about a member: it was repaired, or its cell was left null. 0 is no finding.
export const REPAIRED = 1;
export const LEFT_NULL = 2;

/** The kind and bounds of a member or cell. */
export interface Span {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
}

export interface RememberedCell extends Span {
  readonly number: number;
  readonly finding: number;
  readonly contradicts: boolean;
}

export class Memo {
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #numbers = new Float64Array(0);

  /** The offset of a member's slot; -1 where the member is not remembered. */
  find(kind: number, source: Uint8Array, start: number, end: number): number {
    const bytes = this.#bytes;
    if (bytes.length === 0) return -1;
    const hash = hashOf(kind, source, start, end);
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = slotAt(hash + probe);
      if (bytes[slot + MEMBER_KIND] === 0) return -1;
      if (bytes[slot + MEMBER_KIND] !== kind || bytes[slot + MEMBER_LENGTH] !== end - start) continue;
      let length = 0;
      while (start + length < end && bytes[slot + MEMBER + length] === source[start + length]) length++;
      if (start + length === end) return slot;
    }
    return -1;
  }

  /** Remembers the cell of a member; both stand in `source`. */
  add(source: Uint8Array, member: Span, cell: RememberedCell): void {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(SLOTS * SLOT_BYTES);
      this.#words = new Int32Array(this.#bytes.buffer);
      this.#numbers = new Float64Array(this.#bytes.buffer);
    }
    const bytes = this.#bytes;
    const hash = hashOf(member.kind, source, member.start, member.end);
    let probe = 0;
    while (probe < PROBES && bytes[slotAt(hash + probe) + MEMBER_KIND] !== 0) probe++;
    const slot = slotAt(hash + (probe % PROBES));
    const length = member.end - member.start;
    this.#numbers[slot / 8] = cell.number;
    this.#words[(slot + BATCH) / 4] = -1;
    bytes[slot + MEMBER_KIND] = member.kind;
    bytes[slot + MEMBER_LENGTH] = length;
    bytes[slot + KIND] = cell.kind;
    bytes[slot + LENGTH] = cell.end - cell.start;
    bytes[slot + FINDING] = cell.finding;
    bytes[slot + CONTRADICTS] = Number(cell.contradicts);
    bytes.set(source.subarray(member.start, member.end), slot + MEMBER);
    bytes.set(source.subarray(cell.start, cell.end), slot + MEMBER + length);
  }

  kind(slot: number): number {
    return this.#bytes[slot + KIND]!;
  }

  /** Bytes of the cell. */
  length(slot: number): number {
    return this.#bytes[slot + LENGTH]!;
  }

  number(slot: number): number {
    return this.#numbers[slot / 8]!;
  }

  finding(slot: number): number {
    return this.#bytes[slot + FINDING]!;
  }

  contradicts(slot: number): boolean {
    return this.#bytes[slot + CONTRADICTS] === 1;
  }

  /** The cell's start in a batch; -1 where it is not written there yet. */
  startIn(batch: number, slot: number): number {
    return this.#words[(slot + BATCH) / 4] === batch ? this.#words[(slot + START) / 4]! : -1;
  }

  /** Writes the cell into a batch. */
  write(slot: number, batch: number, target: Uint8Array, start: number): void {
    const bytes = this.#bytes;
    const from = slot + MEMBER + bytes[slot + MEMBER_LENGTH]!;
    const length = bytes[slot + LENGTH]!;
    for (let i = 0; i < length; i++) target[start + i] = bytes[from + i]!;
    this.#words[(slot + BATCH) / 4] = batch;
    this.#words[(slot + START) / 4] = start;
  }
}

const slotAt = (index: number): number => (index & (SLOTS - 1)) * SLOT_BYTES;

/** FNV-1a (Fowler, Noll, Vo 1991) of a member's kind and bytes. */
function hashOf(kind: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5 ^ kind;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x0100_0193);
  return hash ^ (hash >>> 15);
}
