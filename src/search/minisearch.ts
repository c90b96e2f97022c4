/**
 * The second engine: a MiniSearch index behind the same interface, over the same terms (our tokenizer's words, stemmed) and
 * with the same weights of fields. The last word also matches as a prefix; words that no record has match near spellings.
 * Phrases and exclusions are plain words, a code is found where it is the whole text, and there are no suggestions. A search scores every record that matches, and
 * to mark its words costs the same.
 */
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import { inAscendingOrder } from '../bits.js';
import { ANY_FIELD } from '../kernels/phrases-layout.js';
import type { Language } from '../languages.js';
import { inAll, RowSet } from '../row-set.js';
import { editsAllowed, hasDigit } from './dictionary.js';
import { collect, fieldNames, type QueryPiece, type QueryWord, queryPieces, withoutStopWords } from './rank/parser.js';
import { NO_CODES } from './rank/row-lists.js';
import { wordParts } from './rank/word-parts.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT } from './scoring.js';
import {
  type FieldText,
  type RowsOfCode,
  type SearchField,
  type SearchIndex,
  type TextOptions,
  USUAL,
  type WordFinder,
} from './search.js';
import { countTerms, significantTerms } from './significant-terms.js';
import { Tokenizer, wordsIn } from './tokenizer.js';
import { type WordRules, wordRules } from './word-rules.js';

interface Document {
  readonly id: number;
  readonly texts: readonly FieldText[];
}

interface Hit {
  readonly row: number;
  readonly score: number;
}

interface SearchHits {
  readonly hits: readonly Hit[];
  /** The terms of the index that matched. */
  readonly terms: ReadonlySet<string>;
}

/** Indexes the texts of rows 0 to `size`, and pauses wherever it yields. */
export function* buildMiniSearch(
  fields: readonly SearchField[],
  size: number,
  textsOf: (row: number) => readonly FieldText[],
  language: Language = 'english',
  rowsOfCode: RowsOfCode = NO_CODES,
): Generator<void, SearchIndex> {
  const rules = wordRules(language);
  const tokenizer = new Tokenizer();
  const terms = new Map<string, number>();
  const ofRecord = new Set<string>();
  const numbers = new Map(fields.map(({ name }, i) => [name, i]));
  const index = new MiniSearch<Document>({
    fields: fields.map(({ name }) => name),
    tokenize: (text) => wordsIn(tokenizer, text),
    processTerm(word) {
      const term = rules.stem(word);
      ofRecord.add(term);
      return term;
    },
    extractField(document, name) {
      if (name === 'id') return document.id;
      const text = document.texts[numbers.get(name) ?? 0] ?? '';
      return typeof text === 'string' ? text : text.join(' ');
    },
  });
  for (let id = 0; id < size; id++) {
    index.add({ id, texts: textsOf(id) });
    for (const term of ofRecord) terms.set(term, (terms.get(term) ?? 0) + 1);
    ofRecord.clear();
    yield;
  }
  return openMiniSearch({ index, terms, fields, size, tokenizer, language, rules, rowsOfCode });
}

interface IndexedRecords {
  readonly index: MiniSearch<Document>;
  /** How many records have each term. */
  readonly terms: ReadonlyMap<string, number>;
  readonly fields: readonly SearchField[];
  readonly size: number;
  readonly tokenizer: Tokenizer;
  readonly language: Language;
  readonly rules: WordRules;
  readonly rowsOfCode: RowsOfCode;
}

function openMiniSearch(indexed: IndexedRecords): SearchIndex {
  const { tokenizer, language, rules, size } = indexed;
  const rowsOf = (text: string, options: TextOptions): readonly number[] =>
    findHits(text, options, indexed).hits.map(({ row }) => row);

  return {
    engine: 'minisearch',
    language,
    search(text, limit, options = USUAL, filter) {
      const allowed = filter?.rows();
      const rows = rowsOf(text, options).filter((row) => allowed?.has(row) ?? true);
      return { rows: rows.slice(0, limit), total: rows.length };
    },
    matching: (text, options = USUAL) => rowSetOf(rowsOf(text, options), size),
    withPartOfWord: (field, part) => rowsWithTermParts(indexed, field, part),
    similar: (texts, limit) => similarRows(indexed, texts, limit),
    finder: (text, options = USUAL) => finderOf(tokenizer, rules, findHits(text, options, indexed).terms),
    // The index holds stems only, which are no spellings to suggest.
    suggestion: null,
  };
}

const weightsByField = (fields: readonly SearchField[]): Readonly<Record<string, number>> =>
  Object.fromEntries(fields.map(({ name, weight }) => [name, weight]));

/** The words of a query; those of phrases and exclusions are like any other. */
function wordsOfQuery(text: string, { terms, fields, tokenizer, rules }: IndexedRecords, isOpenEnded: boolean) {
  const pieces = queryPieces(text, fieldNames(fields), true).map(
    (piece): QueryPiece => ({ ...piece, kind: 'plain', field: piece.kind === 'excluded' ? ANY_FIELD : piece.field }),
  );
  const isKnown = (word: string): boolean => terms.has(rules.stem(word));
  const { words } = collect(pieces, tokenizer, isKnown, isOpenEnded && tokenizer.endsInWord(text));
  return withoutStopWords(words, rules);
}

/** The hits of a search, the best first: records with the text as a code, then those with its words. */
function findHits(text: string, { match, fuzzy, prefix }: TextOptions, indexed: IndexedRecords): SearchHits {
  const { index, terms, fields, rules, rowsOfCode } = indexed;
  const queryWords = wordsOfQuery(text, indexed, prefix);
  // MiniSearch takes a text and tokenizes it: here the text is empty, and the tokenizer gives the words that were found already.
  const optionsFor = (some: readonly QueryWord[]): SearchOptions => ({
    tokenize: () => some.map((word) => word.text),
    processTerm: rules.stem,
    prefix: (_, i) => some[i]?.prefix === true,
    fuzzy: (term) => (!fuzzy || terms.has(term) || hasDigit(term) ? false : editsAllowed(term)),
    weights: { prefix: PREFIX_WEIGHT, fuzzy: SPELLING_WEIGHT },
  });
  const combineWith = match === 'all' ? 'AND' : 'OR';
  const results = index.search('', { ...optionsFor(queryWords), boost: weightsByField(fields), combineWith });
  // A word with a field (`title:word`) must occur in that field.
  const inField = queryWords.filter(({ field }) => field !== ANY_FIELD);
  const holding = inField.map((one) => {
    const within = [fields[one.field]?.name ?? ''];
    return new Set(index.search('', { ...optionsFor([one]), fields: within }).map(({ id }) => id));
  });
  const matching = results.filter(({ id }) => holding.every((ids) => ids.has(id)));
  const codes = [...rowsOfCode(text.trim())].map((row): Hit => ({ row, score: Number.POSITIVE_INFINITY }));
  const hasCode = new Set(codes.map(({ row }) => row));
  const hits = [...codes, ...bestFirst(matching).filter(({ row }) => !hasCode.has(row))];
  return { hits, terms: new Set(matching.flatMap((result) => result.terms)) };
}

function rowsWithTermParts({ index, terms, size }: IndexedRecords, field: string, part: string): RowSet {
  const rowsWith = (one: string): RowSet => {
    const termsWithPart = [...terms.keys()].filter((term) => term.includes(one));
    const options = { tokenize: () => termsWithPart, processTerm: (term: string) => term, fields: [field] };
    return rowSetOf(
      index.search('', options).map(({ id }) => id),
      size,
    );
  };
  const sets = wordParts(part).map(rowsWith);
  return sets.length === 0 ? rowSetOf([], size) : inAll(sets, size);
}

function similarRows(
  { index, terms, fields, size, tokenizer, rules }: IndexedRecords,
  texts: Parameters<SearchIndex['similar']>[0],
  limit: number,
): readonly number[] {
  const frequencies = countTerms(texts, { tokenizer, rules }, rules.stem);
  const significant = significantTerms(frequencies, (term) => terms.get(term) ?? 0, size);
  const results = index.search(significant.map(({ term }) => term).join(' '), {
    boost: weightsByField(fields),
    tokenize: () => significant.map(({ term }) => term),
    processTerm: (term) => term,
    boostTerm: (_, i) => significant[i]?.weight ?? 1,
  });
  return bestFirst(results)
    .slice(0, limit)
    .map(({ row }) => row);
}

const rowSetOf = (rows: readonly number[], size: number): RowSet =>
  RowSet.ofRows(inAscendingOrder(Uint32Array.from(rows), size), size);

const bestFirst = (results: readonly SearchResult[]): readonly Hit[] =>
  results.map(({ id, score }): Hit => ({ row: id, score })).sort((a, b) => b.score - a.score || a.row - b.row);

/** Finds words of some terms. A stem has the first letter of its words, so any other letter begins none of them. */
function finderOf(tokenizer: Tokenizer, { stem }: WordRules, terms: ReadonlySet<string>): WordFinder {
  const initials = new Set(Array.from(terms, (term) => term.charCodeAt(0)));
  return {
    look(part) {
      const words = wordsIn(tokenizer, part);
      return { words: words.length, isFound: words.some((word) => terms.has(stem(word))) };
    },
    mayBegin: (unit) => initials.has(unit),
  };
}
