/**
 * Builds the tables of a search index while records stream past: one pass over the characters and one hash probe a
 * word, after which each posting is appended to its term's bucket. `finish` sorts the buckets and lays the postings out
 * for queries. A builder is used up by `finish`.
 */

import { lettersOf } from './dictionary.js';
import { Inverter, NOWHERE } from './inverter.js';
import { layOut } from './layout.js';
import type { FieldText, SearchField } from './search.js';
import type { IndexTables, RankingParameters, TermTable } from './tables.js';
import { MAX_WORD_UNITS, Tokenizer, type TokenSink } from './tokenize.js';
import { Vocabulary } from './vocabulary.js';

/** A gap of so many rows and a posting's two bits of frequency are one number far below 2^31. */
export const MAX_ROWS = 1 << 24;

/** The book's middle values (Robertson & Zaragoza 2009, section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2). */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.75 };

export interface TablesBuilder {
  add(texts: readonly FieldText[]): void;
  finish(rowOf: Int32Array): IndexTables;
}

export function createTablesBuilder(
  fields: readonly SearchField[],
  ranking: RankingParameters = DEFAULT_RANKING,
): TablesBuilder {
  const weights = fields.map((field) => field.weight);
  if (!weights.every((weight) => Number.isInteger(weight) && weight > 0 && weight < 255)) {
    throw new RangeError(`search weights are whole numbers from 1 to 254, found ${weights.join(', ')}`);
  }
  const vocabulary = new Vocabulary();
  const tokenizer = new Tokenizer();
  const inverter = new Inverter(fields.length);
  /** The terms of words beside the text of the field being read. */
  const beside: number[] = [];

  const addWaiting = (): void => {
    const { terms, count } = vocabulary.resolve();
    for (let i = 0; i < count; i++) inverter.word(terms[i]!);
  };
  const keepBeside = (units: Uint16Array, length: number): void => {
    addWaiting();
    beside.push(vocabulary.termOf(units, length));
  };
  const sink: TokenSink = {
    word(units, length) {
      vocabulary.push(units, length);
      if (vocabulary.isFull) addWaiting();
    },
    compound: keepBeside,
    tail: keepBeside,
  };

  const addBeside = (): void => {
    inverter.beginBeside();
    for (const term of beside) {
      inverter.gap();
      inverter.word(term);
    }
    beside.length = 0;
  };

  const addField = (field: number, text: FieldText): void => {
    if (text === null || text.length === 0) return;
    inverter.beginField(field, weights[field]!);
    if (typeof text === 'string') tokenizer.tokenize(text, sink);
    else {
      for (const part of text) {
        tokenizer.tokenize(part, sink);
        addWaiting();
        inverter.gap();
      }
    }
    addWaiting();
    if (beside.length > 0) addBeside();
  };

  return {
    add(texts) {
      inverter.beginRecord();
      for (let field = 0; field < weights.length; field++) addField(field, texts[field] ?? null);
      inverter.endRecord();
    },
    finish(rowOf) {
      const byRow = recordsByRow(rowOf);
      const norms = normsOf(inverter, byRow, ranking);
      const postings = layOut(inverter, vocabulary.terms, rowOf, norms);
      const words = vocabulary.wordTable((term) => postings.documentFrequencies[term]! > 0);
      return {
        rows: byRow.length,
        documents: byRow.reduce((sum, record) => sum + (record >= 0 ? 1 : 0), 0),
        k1: ranking.k1,
        words,
        stems: vocabulary.stemTable(),
        ...bySize(words),
        ...postings,
        norms,
        leastNorm: norms.reduce((least, norm) => Math.min(least, norm), Number.POSITIVE_INFINITY),
        fieldStarts: fieldStartsOf(inverter, byRow, weights.length),
        fieldWeights: weights,
      };
    },
  };
}

/** The record of every row, -1 where a row has none. */
function recordsByRow(rowOf: Int32Array): Int32Array {
  let rows = 0;
  for (const row of rowOf) rows = Math.max(rows, row + 1);
  if (rows > MAX_ROWS) throw new RangeError(`an index holds at most ${MAX_ROWS} rows, found ${rows}`);
  const records = new Int32Array(rows).fill(-1);
  rowOf.forEach((row, record) => {
    if (row >= 0) records[row] = record;
  });
  return records;
}

function normsOf({ lengths }: Inverter, byRow: Int32Array, { k1, b }: RankingParameters): Float64Array {
  let total = 0;
  let documents = 0;
  for (const record of byRow) {
    if (record < 0) continue;
    total += lengths[record]!;
    documents++;
  }
  const mean = total === 0 ? 1 : total / documents;
  const norms = new Float64Array(byRow.length).fill(Number.POSITIVE_INFINITY);
  byRow.forEach((record, row) => {
    if (record >= 0) norms[row] = k1 * (1 - b + (b * lengths[record]!) / mean);
  });
  return norms;
}

function fieldStartsOf(inverter: Inverter, byRow: Int32Array, fields: number): Uint32Array {
  const starts = new Uint32Array(byRow.length * fields).fill(NOWHERE);
  byRow.forEach((record, row) => {
    if (record < 0) return;
    for (let field = 0; field < fields; field++) {
      starts[row * fields + field] = inverter.fieldStarts[record * fields + field]!;
    }
  });
  return starts;
}

/** The words in the order of their lengths, for the spelling search. */
function bySize(words: TermTable): Pick<IndexTables, 'wordsBySize' | 'sizeStarts' | 'letters'> {
  const { units, offsets } = words;
  const count = offsets.length - 1;
  const sizeStarts = new Uint32Array(MAX_WORD_UNITS + 2);
  const sizeOf = (word: number): number => offsets[word + 1]! - offsets[word]!;
  for (let word = 0; word < count; word++) sizeStarts[sizeOf(word) + 1]!++;
  for (let size = 1; size < sizeStarts.length; size++) sizeStarts[size]! += sizeStarts[size - 1]!;
  const next = sizeStarts.slice();
  const wordsBySize = new Uint32Array(count);
  const letters = new Uint32Array(count);
  for (let word = 0; word < count; word++) {
    const at = next[sizeOf(word)]!++;
    wordsBySize[at] = word;
    letters[at] = lettersOf(units, offsets[word]!, offsets[word + 1]!);
  }
  return { wordsBySize, sizeStarts, letters };
}
