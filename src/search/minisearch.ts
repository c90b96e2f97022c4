/**
 * The second engine: a MiniSearch index behind the same interface, over the same terms (our tokenizer's words, stemmed) and
 * with the same weights of fields. The last word also matches as a beginning, words that no record has match near spellings.
 * Phrases and exclusions are plain words, and spellings are not told. A search costs a score for every record that matches.
 */
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import { createBits, setBit } from '../bits.js';
import { inAll, RowSet } from '../row-set.js';
import { editsAllowed } from './dictionary.js';
import { ANY_FIELD, type FieldNames, fieldNames, piecesOf } from './query/parser.js';
import { isStopWord } from './query/stop-words.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT } from './scoring.js';
import {
  type FieldText,
  type SearchField,
  type SearchIndex,
  type TextOptions,
  USUAL,
  type WordFinder,
} from './search.js';
import { stem } from './stem.js';
import { countTerms, tellingTerms } from './telling-terms.js';
import { Tokenizer, type TokenSink } from './tokenizer.js';

/** Searches whose hits are kept, so that paging searches nothing again. */
const MAX_CACHED_SEARCHES = 16;

interface Document {
  readonly id: number;
  readonly texts: readonly FieldText[];
}

interface Hit {
  readonly row: number;
  readonly score: number;
}

/** Indexes the texts of rows 0 to `size`, and pauses wherever it yields. */
export function* buildMiniSearch(
  fields: readonly SearchField[],
  size: number,
  textsOf: (row: number) => readonly FieldText[],
): Generator<void, SearchIndex> {
  const tokenizer = new Tokenizer();
  /** How many records have each term. */
  const terms = new Map<string, number>();
  const ofRecord = new Set<string>();
  const numbers = new Map(fields.map(({ name }, i) => [name, i]));
  const index = new MiniSearch<Document>({
    fields: fields.map(({ name }) => name),
    tokenize: (text) => wordsIn(tokenizer, text),
    processTerm(word) {
      const term = stem(word);
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
  return openMiniSearch(index, terms, fields, size, tokenizer);
}

function openMiniSearch(
  index: MiniSearch<Document>,
  terms: ReadonlyMap<string, number>,
  fields: readonly SearchField[],
  size: number,
  tokenizer: Tokenizer,
): SearchIndex {
  const boost = Object.fromEntries(fields.map(({ name, weight }) => [name, weight]));
  const names = fieldNames(fields);
  const cache = new Map<string, readonly Hit[]>();

  const find = (text: string, { match, fuzzy, prefix }: TextOptions): readonly Hit[] => {
    const asked = askedWords(tokenizer, text, names);
    const isOpen = prefix && tokenizer.endsInWord(text);
    const last = asked.at(-1);
    const optionsFor = (some: readonly AskedWord[]): SearchOptions => ({
      tokenize: () => some.map(({ word }) => word),
      processTerm: stem,
      prefix: (_, i) => isOpen && some[i] === last,
      fuzzy: (term) => (!fuzzy || terms.has(term) ? false : editsAllowed(term.length)),
      weights: { prefix: PREFIX_WEIGHT, fuzzy: SPELLING_WEIGHT },
    });
    const found = index.search('', { ...optionsFor(asked), boost, combineWith: match === 'all' ? 'AND' : 'OR' });
    // What stands in a field must be there.
    const inField = asked.filter(({ field }) => field !== ANY_FIELD);
    const holding = inField.map((one) => {
      const within = [fields[one.field]?.name ?? ''];
      return new Set(index.search('', { ...optionsFor([one]), fields: within }).map(({ id }) => id));
    });
    return bestFirst(found.filter(({ id }) => holding.every((ids) => ids.has(id))));
  };

  const hitsOf = (text: string, options: TextOptions): readonly Hit[] => {
    const key = JSON.stringify([options, text]);
    const hits = cache.get(key) ?? find(text, options);
    cache.delete(key);
    cache.set(key, hits);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_SEARCHES && oldest !== undefined) cache.delete(oldest);
    return hits;
  };

  const matching = (text: string, options = USUAL): RowSet => {
    const bits = createBits(size);
    for (const { row } of hitsOf(text, options)) setBit(bits, row);
    return RowSet.ofBits(bits);
  };

  return {
    engine: 'minisearch',
    search(text, limit, options = USUAL, filter) {
      const found = matching(text, options);
      const set = filter ? inAll([found, filter.rows()], size) : found;
      const rows = hitsOf(text, options).map(({ row }) => row);
      return { rows: rows.filter((row) => set.has(row)).slice(0, limit), total: set.count };
    },
    matching,
    similar(texts, limit) {
      const times = countTerms(texts, tokenizer, stem);
      const telling = tellingTerms(times, (term) => terms.get(term) ?? 0, size);
      const found = index.search(telling.map(({ term }) => term).join(' '), {
        boost,
        tokenize: () => telling.map(({ term }) => term),
        processTerm: (term) => term,
        boostTerm: (_, i) => telling[i]?.weight ?? 1,
      });
      return bestFirst(found)
        .slice(0, limit)
        .map(({ row }) => row);
    },
    finder: (text, { prefix } = USUAL) =>
      finderOf(tokenizer, askedWords(tokenizer, text, names), prefix && tokenizer.endsInWord(text)),
    // Its terms are stems, of which no words can be made.
    suggestion: null,
  };
}

const bestFirst = (results: readonly SearchResult[]): readonly Hit[] =>
  results.map(({ id, score }): Hit => ({ row: id, score })).sort((a, b) => b.score - a.score || a.row - b.row);

/** The words of a text, also those that stand for several of its parts. */
function wordsIn(tokenizer: Tokenizer, text: string): string[] {
  const words: string[] = [];
  const add = (units: Uint16Array, length: number): void => {
    words.push(String.fromCharCode(...units.subarray(0, length)));
  };
  const sink: TokenSink = { word: add, compound: add, tail: add };
  tokenizer.tokenize(text, sink);
  return words;
}

interface AskedWord {
  readonly word: string;
  /** The field that must hold it, or `ANY_FIELD`. */
  readonly field: number;
}

/** The words of a query, stop words left out where it has others; those of phrases and exclusions are like any other. */
function askedWords(tokenizer: Tokenizer, text: string, names: FieldNames): readonly AskedWord[] {
  const all = piecesOf(text, names, true).flatMap(({ text: part, field, kind }) =>
    wordsIn(tokenizer, part).map((word) => ({ word, field: kind === 'excluded' ? ANY_FIELD : field })),
  );
  const telling = all.filter(({ word, field }) => field !== ANY_FIELD || !isStopWord(word));
  return telling.length > 0 ? telling : all;
}

/** Finds the words of a query themselves, and those that its last word begins if that is open. */
function finderOf(tokenizer: Tokenizer, asked: readonly AskedWord[], isOpen: boolean): WordFinder {
  const words = asked.map(({ word }) => word);
  const stems = new Set(words.map(stem));
  const beginning = isOpen ? words.at(-1) : undefined;
  const initials = new Set(words.map((word) => word.charCodeAt(0)));
  return {
    look(part) {
      const found = wordsIn(tokenizer, part);
      const isFound = found.some(
        (word) => stems.has(stem(word)) || (beginning !== undefined && word.startsWith(beginning)),
      );
      return { words: found.length, isFound };
    },
    mayBegin: (unit) => initials.has(unit),
  };
}
