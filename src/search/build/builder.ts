/**
 * Builds the tables of a search index while records stream past; a builder is used up by `finish`. Records' texts become
 * a stream of tokens (`token-reader.ts`, `token-stream.ts`), tokens become terms (`token-terms.ts`), and the stream postings
 * (`inversion.ts`).
 */
import type { RecordBatch } from '../../batch.js';
import { MAX_FIELDS } from '../../kernels/stream-layout.js';
import type { Language } from '../../languages.js';
import { DEFAULT_RANKING } from '../scoring.js';
import type { SearchField } from '../search.js';
import type { IndexTables, RankingParameters } from '../tables.js';
import { invert } from './inversion.js';
import { TokenReader } from './token-reader.js';
import { TokenStream } from './token-stream.js';
import { termsOfTokens } from './token-terms.js';
import { Vocabulary } from './vocabulary.js';

interface TablesBuilder {
  /** Adds the records of a batch; `columns` are the searched fields' columns in it. */
  addBatch(batch: RecordBatch, columns: readonly number[]): void;
  /** `rowOf[i]` is the row of the i-th record, -1 if a later one replaced it. */
  finish(rowOf: Int32Array): IndexTables;
}

export interface TablesOptions {
  readonly ranking?: RankingParameters | undefined;
  /** The language of the records' texts; English where it is left out. */
  readonly language?: Language;
  /** No memory of the builder or its tables is used before this address. */
  readonly firstAddress?: number;
}

export function createTablesBuilder(
  fields: readonly SearchField[],
  { ranking = DEFAULT_RANKING, language = 'english', firstAddress = 0 }: TablesOptions = {},
): TablesBuilder {
  const weights = weightsOf(fields);
  const vocabulary = new Vocabulary(language);
  const stream = new TokenStream(firstAddress);
  const reader = new TokenReader((entries) => stream.add(entries), firstAddress);
  return {
    addBatch: (batch, columns) => reader.addBatch(batch, columns),
    finish(rowOf) {
      const terms = termsOfTokens(reader, vocabulary);
      const measured = stream.measure(rowOf, terms, weights, ranking);
      const postings = invert(measured.stream);
      return { ...measured.rows, ...vocabulary.dictionary(postings.documentFrequencies), ...postings };
    },
  };
}

/** The weights of fields, checked. */
function weightsOf(fields: readonly SearchField[]): readonly number[] {
  const weights = fields.map(({ weight }) => weight);
  if (weights.length > MAX_FIELDS)
    throw new RangeError(`at most ${MAX_FIELDS} fields are searched, found ${weights.length}`);
  if (weights.every((weight) => Number.isInteger(weight) && weight > 0 && weight < 255)) return weights;
  throw new RangeError(`search weights are whole numbers from 1 to 254, found ${weights.join(', ')}`);
}
