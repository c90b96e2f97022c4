/**
 * The byte positions of an export's records, computed without making the bytes. One offset is stored for every 256 records:
 * a million records take 32 kB, and locating a byte adds up at most 256 lengths. A whole collection's layout is made once.
 */
import { firstWhere } from '../../../arrays.js';
import type { Collection } from '../../../store/collection.js';
import { defaultBytes, type RecordText, sideBySide } from '../../../store/record-text.js';
import type { NextTurn } from '../../semantics/turns.js';
import type { Framing } from './formats.js';

/** The records and fields of an export. */
export interface Export {
  readonly collection: Collection;
  /** The exported rows in their order; null for every row in snapshot order. */
  readonly rows: Uint32Array | null;
  /** Null for whole records. */
  readonly fields: readonly string[] | null;
}

export const lengthOf = ({ collection, rows }: Export): number => rows?.length ?? collection.size;
export const rowAt = ({ rows }: Export, i: number): number => (rows === null ? i : rows[i]!);

export interface Layout {
  /** Bytes of all records, without opening, separators and closing. */
  readonly bytes: number;
  /** Bytes of the records before record 0, 256, 512 …, counted in the same way. */
  readonly marks: Float64Array;
  /** The first row of each run of records that lie side by side in the store, and the end. Empty for a part. */
  readonly runs: readonly number[];
}

/** A record and its first byte. The separator after a record belongs to it, the opening to the first record. */
export interface Position {
  readonly record: number;
  readonly byte: number;
}

/** Whether records are exported as they lie in the store. */
export const isStored = ({ rows, collection }: Export): boolean =>
  rows === null && collection.text.defaultLengths === null;

const MARK_EVERY = 256;
const layoutOfText = new WeakMap<RecordText, Layout>();

/** Costs a look-up for a whole collection. For a part, all lengths are added up, in turns. */
export async function layoutOf(exported: Export, nextTurn: NextTurn): Promise<Layout> {
  if (!isStored(exported)) return { ...(await measure(exported, nextTurn)), runs: [] };
  const { text, size } = exported.collection;
  const layout = layoutOfText.get(text) ?? { ...(await measure(exported, nextTurn)), runs: runsOf(text, size) };
  layoutOfText.set(text, layout);
  return layout;
}

function runsOf(text: RecordText, size: number): readonly number[] {
  const runs: number[] = [];
  for (let row = 0; row < size; row = sideBySide(text, row, size)) runs.push(row);
  return [...runs, size];
}

const bytesOf = (exported: Export, i: number): number => defaultBytes(exported.collection.text, rowAt(exported, i));

/** Records that are measured in one turn: less than ten milliseconds. */
const MEASURED_PER_TURN = 1 << 16;

async function measure(exported: Export, nextTurn: NextTurn): Promise<Omit<Layout, 'runs'>> {
  const length = lengthOf(exported);
  const marks = new Float64Array(Math.ceil(length / MARK_EVERY) + 1);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    if (i > 0 && i % MEASURED_PER_TURN === 0) await nextTurn();
    if (i % MARK_EVERY === 0) marks[i / MARK_EVERY] = bytes;
    bytes += bytesOf(exported, i);
  }
  return { bytes, marks };
}

/** Bytes of the file. */
export function sizeOf(exported: Export, { bytes }: Layout, { opening, separator, closing }: Framing): number {
  const length = lengthOf(exported);
  return opening.length + bytes + Math.max(0, length - 1) * separator.length + closing(length).length;
}

/** The record that holds this byte of the file; the last one for the end. */
export function positionAt(
  exported: Export,
  { marks }: Layout,
  { opening, separator }: Framing,
  byte: number,
): Position {
  const last = Math.max(0, lengthOf(exported) - 1);
  const before = (record: number, bytes: number): number =>
    record === 0 ? 0 : opening.length + bytes + record * separator.length;
  const markBefore = (at: number): number => before(at * MARK_EVERY, marks[at]!);
  const mark = firstWhere(1, Math.floor(last / MARK_EVERY) + 1, (at) => markBefore(at) > byte) - 1;
  let record = mark * MARK_EVERY;
  let bytes = marks[mark]!;
  for (; record < last; record++) {
    const next = bytes + bytesOf(exported, record);
    if (byte < before(record + 1, next)) break;
    bytes = next;
  }
  return { record, byte: before(record, bytes) };
}
