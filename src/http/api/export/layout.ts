/**
 * Where each record of an export lies in its bytes, without making them: the bytes before every 256th record are kept, so
 * a million records take 32 kB, and finding a byte walks 256 lengths. The layout of a whole collection is made once.
 */
import { firstWhere } from '../../../binary-search.js';
import { defaultBytes, type RecordText, sideBySide } from '../../../store/record-text.js';
import type { NextTurn } from '../../semantics/turns.js';
import type { Framing } from './formats.js';
import { type Export, lengthOf, rowAt } from './rows.js';

export interface Layout {
  /** Bytes of all records, without what stands around and between them. */
  readonly bytes: number;
  /** The same of those before the records 0, 256, 512 … */
  readonly marks: Float64Array;
  /** Of a whole collection: where each run of records that lie side by side in the store begins, and the end. */
  readonly runs: readonly number[];
}

/** A record and the bytes before it; the separator behind it counts as its own, and the first has the opening too. */
export interface Position {
  readonly record: number;
  readonly byte: number;
}

/** Whether records are exported as they lie in the store. */
export const isStored = ({ rows, collection }: Export): boolean =>
  rows === null && collection.text.defaultLengths === null;

const MARK_EVERY = 256;
const layouts = new WeakMap<RecordText, Layout>();

/** Costs a look-up for a whole collection, and a walk over the lengths for a part of one; the walk is made in turns. */
export async function layoutOf(asked: Export, nextTurn: NextTurn): Promise<Layout> {
  if (!isStored(asked)) return { ...(await measure(asked, nextTurn)), runs: [] };
  const { text, size } = asked.collection;
  const layout = layouts.get(text) ?? { ...(await measure(asked, nextTurn)), runs: runsOf(text, size) };
  layouts.set(text, layout);
  return layout;
}

function runsOf(text: RecordText, size: number): readonly number[] {
  const runs: number[] = [];
  for (let row = 0; row < size; row = sideBySide(text, row, size)) runs.push(row);
  return [...runs, size];
}

const bytesOf = (asked: Export, i: number): number => defaultBytes(asked.collection.text, rowAt(asked, i));

/** Records that are measured in one turn: less than ten milliseconds. */
const MEASURED_PER_TURN = 1 << 16;

async function measure(asked: Export, nextTurn: NextTurn): Promise<Omit<Layout, 'runs'>> {
  const length = lengthOf(asked);
  const marks = new Float64Array(Math.ceil(length / MARK_EVERY) + 1);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    if (i > 0 && i % MEASURED_PER_TURN === 0) await nextTurn();
    if (i % MARK_EVERY === 0) marks[i / MARK_EVERY] = bytes;
    bytes += bytesOf(asked, i);
  }
  return { bytes, marks };
}

/** Bytes of the file. */
export function sizeOf(asked: Export, { bytes }: Layout, { opening, separator, closing }: Framing): number {
  const length = lengthOf(asked);
  return opening.length + bytes + Math.max(0, length - 1) * separator.length + closing(length).length;
}

/** The record that holds this byte of the file; the last one for the end. */
export function positionAt(
  asked: Export,
  { marks }: Layout,
  { opening, separator }: Framing,
  wanted: number,
): Position {
  const last = Math.max(0, lengthOf(asked) - 1);
  const before = (record: number, bytes: number): number =>
    record === 0 ? 0 : opening.length + bytes + record * separator.length;
  const markBefore = (at: number): number => before(at * MARK_EVERY, marks[at]!);
  const mark = firstWhere(1, Math.floor(last / MARK_EVERY) + 1, (at) => markBefore(at) > wanted) - 1;
  let record = mark * MARK_EVERY;
  let bytes = marks[mark]!;
  for (; record < last; record++) {
    const next = bytes + bytesOf(asked, record);
    if (wanted < before(record + 1, next)) break;
    bytes = next;
  }
  return { record, byte: before(record, bytes) };
}
