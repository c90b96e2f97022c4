/**
 * Where each record of a JSON export lies in its bytes, without making them: every 256th position is kept, so a million
 * records take 32 kB, and finding a byte walks 256 lengths. The layout of a whole collection is made once.
 */
import { firstWhere } from '../../../binary-search.js';
import { defaultBytes, type RecordText, SEPARATOR, sideBySide } from '../../../store/record-text.js';
import type { NextTurn } from '../../semantics/turns.js';
import { closing, OPENING } from './formats.js';
import { type Export, lengthOf, rowAt } from './rows.js';

export interface JsonLayout {
  /** Bytes in all. */
  readonly size: number;
  /** Bytes before the records 0, 256, 512 … */
  readonly marks: Float64Array;
  /** Of a whole collection: where each run of records that lie side by side in the store begins, and the end. */
  readonly runs: readonly number[];
}

/** A record and the bytes before it; the separator behind it counts as its own, and the first has the opening too. */
export interface Position {
  readonly record: number;
  readonly byte: number;
}

/** Whether the export is the store's bytes as they are. */
export const isStored = ({ rows, collection }: Export): boolean =>
  rows === null && collection.text.defaultLengths === null;

const MARK_EVERY = 256;
const layouts = new WeakMap<RecordText, JsonLayout>();

/** Costs a look-up for a whole collection, and a walk over the lengths for a part of one; the walk is made in turns. */
export async function jsonLayout(asked: Export, nextTurn: NextTurn): Promise<JsonLayout> {
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

/** Bytes of the i-th record with what belongs to it. */
const bytesOf = (asked: Export, i: number): number =>
  (i === 0 ? OPENING.length : 0) + defaultBytes(asked.collection.text, rowAt(asked, i)) + SEPARATOR.length;

/** Records that are measured in one turn: less than ten milliseconds. */
const MEASURED_PER_TURN = 1 << 16;

async function measure(asked: Export, nextTurn: NextTurn): Promise<Omit<JsonLayout, 'runs'>> {
  const length = lengthOf(asked);
  const marks = new Float64Array(Math.ceil(length / MARK_EVERY) + 1);
  let bytes = 0;
  for (let i = 0; i < length; i++) {
    if (i > 0 && i % MEASURED_PER_TURN === 0) await nextTurn();
    if (i % MARK_EVERY === 0) marks[i / MARK_EVERY] = bytes;
    bytes += bytesOf(asked, i);
  }
  const records = length === 0 ? OPENING.length : bytes - SEPARATOR.length;
  return { size: records + closing(length).length, marks };
}

/** The record that holds this byte; the last one for the end. */
export function positionAt(asked: Export, { marks }: JsonLayout, wanted: number): Position {
  const last = Math.max(0, lengthOf(asked) - 1);
  const mark = firstWhere(1, Math.floor(last / MARK_EVERY) + 1, (at) => marks[at]! > wanted) - 1;
  let record = mark * MARK_EVERY;
  let byte = marks[mark]!;
  for (; record < last; record++) {
    const end = byte + bytesOf(asked, record);
    if (wanted < end) break;
    byte = end;
  }
  return { record, byte };
}
