/**
 * Builds the tables of a search index while records stream past: their texts are read into terms, and the terms inverted
 * into postings by bucket; `finish` lays the postings out for queries. A builder is used up by `finish`.
 */
import { MAX_FIELDS } from './buckets.js';
import { Inverter } from './inverter.js';
import { layOutBuckets } from './layout.js';
import { rowTables } from './rows.js';
import type { FieldText, SearchField } from './search.js';
import type { IndexTables, RankingParameters } from './tables.js';
import { tablesOf } from './tables-of.js';
import { TermReader } from './term-reader.js';

/** The book's middle values (Robertson & Zaragoza 2009, section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2). */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.75 };

/** Records are inverted once they have so many terms. */
export const STREAM_TERMS = 1 << 15;

export interface TablesBuilder {
  add(texts: readonly FieldText[]): void;
  finish(rowOf: Int32Array): IndexTables;
}

export function createTablesBuilder(
  fields: readonly SearchField[],
  ranking: RankingParameters = DEFAULT_RANKING,
): TablesBuilder {
  const weights = weightsOf(fields);
  const reader = new TermReader();
  const inverter = new Inverter(weights);
  const { stream } = reader;
  const invert = (): void => {
    inverter.read(stream.entries, stream.length);
    stream.length = 0;
  };
  return {
    add(texts) {
      reader.read(texts);
      if (stream.length >= STREAM_TERMS) invert();
    },
    finish(rowOf) {
      invert();
      const inversion = { parts: [inverter.finish()], terms: reader.terms, rowOf, weights, ranking };
      let bucket = 0;
      const blocks = layOutBuckets(inversion, () => bucket++);
      return tablesOf(rowTables(inversion), blocks, reader.dictionary());
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
