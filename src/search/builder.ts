/** Builds the tables of a search index while records stream past; a builder is used up by `finish`. */
import { cellOf, LIST, listOf, type RecordBatch, textOf } from '../batch.js';
import { MAX_FIELDS } from './buckets.js';
import { isInOrder } from './inverter.js';
import { layOutBuckets } from './layout.js';
import { PartBuilder } from './part-builder.js';
import { createRoom } from './posting-room.js';
import { rowTables } from './rows.js';
import type { FieldText, SearchField } from './search.js';
import type { IndexTables, RankingParameters } from './tables.js';
import { tablesOf } from './tables-of.js';

/** The book's middle values (Robertson & Zaragoza 2009, section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2). */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.75 };

export interface TablesBuilder {
  add(texts: readonly FieldText[]): void;
  /** The records of a batch, in which the searched fields are these columns. */
  addBatch(batch: RecordBatch, columns: readonly number[]): void;
  /** `rowOf[i]` is the row of the i-th record, -1 if a later one replaced it. */
  finish(rowOf: Int32Array): IndexTables;
}

export function createTablesBuilder(
  fields: readonly SearchField[],
  ranking: RankingParameters = DEFAULT_RANKING,
): TablesBuilder {
  const weights = weightsOf(fields);
  const part = new PartBuilder(weights);
  return {
    add: (texts) => part.add(texts),
    addBatch(batch, columns) {
      for (let i = 0; i < batch.size; i++) part.add(columns.map((column) => cellText(batch, cellOf(column, i))));
    },
    finish(rowOf) {
      const parts = [part.finish()];
      const { memories, terms } = part;
      const inversion = { memories, parts, terms, rowOf, inOrder: isInOrder(rowOf), weights, ranking };
      let bucket = 0;
      const rows = rowTables(inversion);
      const room = createRoom(inversion);
      const laidOut = layOutBuckets(inversion, rows, room, () => bucket++);
      return tablesOf(rows, room, [laidOut], part.dictionary());
    },
  };
}

/** The weights of fields, checked. */
export function weightsOf(fields: readonly SearchField[]): readonly number[] {
  const weights = fields.map(({ weight }) => weight);
  if (weights.length > MAX_FIELDS)
    throw new RangeError(`at most ${MAX_FIELDS} fields are searched, found ${weights.length}`);
  if (weights.every((weight) => Number.isInteger(weight) && weight > 0 && weight < 255)) return weights;
  throw new RangeError(`search weights are whole numbers from 1 to 254, found ${weights.join(', ')}`);
}

const cellText = (batch: RecordBatch, cell: number): FieldText =>
  batch.kinds[cell] === LIST ? listOf(batch, cell) : textOf(batch, cell);
