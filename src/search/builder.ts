/**
 * Builds the tables of a search index while records stream past. What is kept of a record is its sequence of term
 * codes; `finish` derives postings and positions from the sequences by a counting sort. Cost: one pass over the characters, one
 * hash probe a word, then two passes over the codes. A builder is used up by `finish`.
 */

import { lettersOf } from './dictionary.js';
import { invert } from './invert.js';
import type { FieldText, SearchField } from './search.js';
import { besideCode, fieldCode, firstTermCode, GAP, type Sequences, SequenceWriter } from './sequence.js';
import type { IndexTables, RankingParameters, TermTable } from './tables.js';
import { MAX_WORD_UNITS, Tokenizer, type TokenSink } from './tokenize.js';
import { Vocabulary } from './vocabulary.js';

/** Postings hold a row in 24 bits. */
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
  const writer = new SequenceWriter();
  const firstTerm = firstTermCode(fields.length);
  const starts: number[] = [];
  /** Words beside the sequence of the field being read. */
  const beside: number[] = [];

  const keepBeside = (units: Uint16Array, length: number, hash: number): void => {
    beside.push(vocabulary.termOf(units, length, hash) + firstTerm);
  };
  const sink: TokenSink = {
    word(units, length, hash) {
      writer.write(vocabulary.termOf(units, length, hash) + firstTerm);
    },
    compound: keepBeside,
    tail: keepBeside,
  };

  const writeBeside = (): void => {
    writer.write(besideCode(fields.length));
    for (const code of beside) {
      writer.write(GAP);
      writer.write(code);
    }
    beside.length = 0;
  };

  const writeField = (field: number, text: FieldText): void => {
    if (text === null || text.length === 0) return;
    writer.write(fieldCode(field));
    if (typeof text === 'string') tokenizer.tokenize(text, sink);
    else {
      for (const part of text) {
        tokenizer.tokenize(part, sink);
        writer.write(GAP);
      }
    }
    if (beside.length > 0) writeBeside();
  };

  return {
    add(texts) {
      starts.push(writer.size);
      for (let field = 0; field < weights.length; field++) writeField(field, texts[field] ?? null);
    },
    finish(rowOf) {
      starts.push(writer.size);
      const sequences = inRowOrder(writer.bytes, starts, rowOf);
      const inversion = invert(sequences, vocabulary.terms, weights, ranking);
      const { offsets } = inversion;
      const words = vocabulary.wordTable((term) => offsets[term + 1]! > offsets[term]!);
      return {
        rows: sequences.starts.length - 1,
        documents: sequences.documents,
        k1: ranking.k1,
        words,
        stems: vocabulary.stemTable(),
        ...bySize(words),
        ...inversion,
        fieldWeights: weights,
      };
    },
  };
}

/** The records' sequences, put in the order of their rows; replaced records are left out. */
function inRowOrder(bytes: Uint8Array, documentStarts: readonly number[], rowOf: Int32Array): Sequences {
  let rows = 0;
  for (const row of rowOf) rows = Math.max(rows, row + 1);
  if (rows > MAX_ROWS) throw new RangeError(`an index holds at most ${MAX_ROWS} rows, found ${rows}`);
  const documentOf = new Int32Array(rows).fill(-1);
  rowOf.forEach((row, document) => {
    if (row >= 0) documentOf[row] = document;
  });
  const starts = new Uint32Array(rows + 1);
  const hasRecord = new Uint8Array(rows);
  let size = 0;
  documentOf.forEach((document, row) => {
    if (document >= 0) {
      hasRecord[row] = 1;
      size += documentStarts[document + 1]! - documentStarts[document]!;
    }
    starts[row + 1] = size;
  });
  const ordered = new Uint8Array(size);
  documentOf.forEach((document, row) => {
    if (document < 0) return;
    ordered.set(bytes.subarray(documentStarts[document]!, documentStarts[document + 1]!), starts[row]!);
  });
  return { bytes: ordered, starts, documents: hasRecord.reduce((sum, n) => sum + n, 0), hasRecord };
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
