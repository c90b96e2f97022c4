/**
 * A raw record → its JSON text, copied: the bytes of the source where they are in order, the fields' names, nulls and
 * respelt values between them. Fields that follow one another in the source as they do in the model are one copy.
 */
import type { CollectionModel } from '../model.js';
import {
  ABSENT,
  ESCAPED_TEXT,
  LIST,
  NULL,
  NUMBER,
  PLAIN_TEXT,
  type RawCells,
  type RawRecords,
  respelt,
} from '../raw.js';

const CLOSING_BRACE = 0x7d;
const NULL_TEXT = Buffer.from('null');
/** No field stands behind this. */
const NOWHERE = -(2 ** 24);
/** Longer copies are left to the runtime, whose call costs as much as a loop over these. */
const LOOP_BYTES = 96;

/** Writes raw records of one collection. */
export class RawTextWriter {
  /** Bytes of the last record's list item, without its closing brace. */
  itemLength = 0;
  readonly #names: readonly Uint8Array[];
  readonly #isDetail: Uint8Array;
  readonly #isList: Uint8Array;
  readonly #namesLength: number;
  // Bytes of the source that are still to be copied, and to where.
  #from = 0;
  #to = 0;
  #at = 0;

  constructor({ fields }: CollectionModel) {
    this.#names = fields.map(({ name }, field) => Buffer.from(`${field === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#isDetail = Uint8Array.from(fields, ({ detailOnly }) => (detailOnly ? 1 : 0));
    this.#isList = Uint8Array.from(fields, ({ kind }) => (kind === 'tags' ? 1 : 0));
    this.#namesLength = this.#names.reduce((sum, { length }) => sum + length, 0);
  }

  /** A bound of the i-th record's bytes: a number has at most 25, and no text has more than its spelling in the source. */
  mostBytes({ recordStarts, recordEnds }: RawRecords, i: number): number {
    return recordEnds[i]! - recordStarts[i]! + this.#namesLength + this.#names.length * 25 + 1;
  }

  /**
   * Writes the i-th record to `memory`, in which it stands `shift` behind where it does in its bytes, from `at` on, no
   * further than to `limit`, which is behind the record; returns where it ends. Where it would write over what it has
   * still to copy, it writes nothing and returns -1.
   */
  writeInPlace(raw: RawRecords, i: number, memory: Buffer, shift: number, at: number, limit: number): number {
    const { kinds, starts, ends, isOwnName, columns } = raw;
    const names = this.#names;
    const start = raw.recordStarts[i]! + shift;
    let isThere = at === start;
    let from = start;
    let to = at;
    let itemEnd = 0;
    for (let field = 0; field < names.length; field++) {
      if (itemEnd === 0 && this.#isDetail[field] === 1) itemEnd = to;
      const cell = columns[field]! + i;
      const kind = kinds[cell]!;
      if (this.#isList[field] === 1 && kind <= NULL) continue;
      const first = starts[cell]! + shift;
      to += names[field]!.length;
      if (!isCopied(kind) || first < from || first < to) return -1;
      isThere &&= first === to && isOwnName[field] === 1;
      from = ends[cell]! + shift;
      to += from - first;
    }
    if (to + 1 > limit) return -1;
    if (!isThere) return this.write(raw, i, memory, at);
    this.itemLength = (itemEnd === 0 ? to : itemEnd) - at;
    memory[to] = CLOSING_BRACE;
    return to + 1;
  }

  /** Writes the i-th record to `target` at `at`, where there is room for it; returns where it ends. */
  write(raw: RawRecords, i: number, target: Buffer, at: number): number {
    const { kinds, starts, ends, isOwnName, columns } = raw;
    const names = this.#names;
    this.#from = raw.recordStarts[i]!;
    this.#to = this.#from;
    this.#at = at;
    let itemEnd = 0;
    for (let field = 0; field < names.length; field++) {
      if (itemEnd === 0 && this.#isDetail[field] === 1) itemEnd = this.#at + this.#to - this.#from;
      const cell = columns[field]! + i;
      const kind = kinds[cell]!;
      const name = names[field]!;
      if (this.#isList[field] === 1 && kind <= NULL) continue;
      if (isCopied(kind) && isOwnName[field] === 1 && starts[cell] === this.#to + name.length) {
        this.#to = ends[cell]!;
        continue;
      }
      this.#copyPending(raw.bytes, target);
      this.#copy(name, 0, name.length, target);
      if (isCopied(kind)) {
        this.#from = starts[cell]!;
        this.#to = ends[cell]!;
      } else {
        this.#spell(raw, cell, target);
        this.#from = NOWHERE;
        this.#to = NOWHERE;
      }
    }
    this.#copyPending(raw.bytes, target);
    this.itemLength = (itemEnd === 0 ? this.#at : itemEnd) - at;
    target[this.#at] = CLOSING_BRACE;
    return this.#at + 1;
  }

  #copyPending(bytes: Uint8Array, target: Buffer): void {
    if (this.#to > this.#from) this.#copy(bytes, this.#from, this.#to, target);
  }

  #copy(bytes: Uint8Array, from: number, to: number, target: Buffer): void {
    const at = this.#at;
    if (to - from <= LOOP_BYTES) for (let i = from; i < to; i++) target[at + i - from] = bytes[i]!;
    else target.set(bytes.subarray(from, to), at);
    this.#at = at + to - from;
  }

  #spell(raw: RawCells, cell: number, target: Buffer): void {
    if (raw.kinds[cell] === ABSENT) this.#copy(NULL_TEXT, 0, NULL_TEXT.length, target);
    else this.#at += target.write(respelt(raw, cell), this.#at);
  }
}

/** A list's `null` is left out before this is asked. */
const isCopied = (kind: number): boolean =>
  kind === PLAIN_TEXT || kind === ESCAPED_TEXT || kind === NUMBER || kind === LIST || kind === NULL;
