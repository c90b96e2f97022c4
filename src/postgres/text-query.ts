/**
 * A search text → a `tsquery` that finds the records which memory finds without near spellings: words, the completions of the last one,
 * phrases, exclusions, words in fields, codes, and `16gb` for `16 GB`. Which compounds and codes records have is asked of the database.
 */
import type { Language } from '../languages.js';
import type { CollectionModel } from '../model.js';
import {
  ANY_FIELD,
  fieldNames,
  MAX_QUERY_UNITS,
  parseQuery,
  type QueryPhrase,
  type QueryWord,
  withoutStopWords,
} from '../search/rank/parser.js';
import { distinctPhrases, MAX_PHRASES } from '../search/rank/phrases.js';
import { MAX_PHRASE_TERMS } from '../search/rank/ranking-kernel.js';
import { codesOfText, MAX_CODE_UNITS, numberAndLetters, wordsInSequence } from '../search/rank/row-lists.js';
import type { TextOptions } from '../search/search.js';
import { Tokenizer } from '../search/tokenizer.js';
import { type WordRules, wordRules } from '../search/word-rules.js';
import { searchFields } from '../store/documents.js';
import { codeLexeme, fieldLexeme, quotedLexeme, sharesLabel, weightLabel, wordLexeme } from './words.js';

/** Tells which of some queries any record matches. */
type AnyMatches = (queries: readonly string[]) => Promise<readonly boolean[]>;

const MAX_ROUNDS = 5;

const anyOf = (queries: readonly string[]): string =>
  queries.length === 1 ? (queries[0] ?? '') : `(${queries.join(' | ')})`;

/** The query; null where no record can match. */
export async function textQuery(
  model: CollectionModel,
  language: Language,
  source: string,
  options: TextOptions,
  anyMatches: AnyMatches,
): Promise<string | null> {
  const parser = new TextParser(model, language);
  // The database is asked in rounds, each for the answers that the one before lacked.
  const answerOf = new Map<string, boolean>();
  for (let round = 0; ; round++) {
    const newQueries = new Set<string>();
    const isKnown = (query: string): boolean => {
      if (!answerOf.has(query)) newQueries.add(query);
      return answerOf.get(query) === true;
    };
    const query = parser.parse(source, options, isKnown);
    if (newQueries.size === 0 || round === MAX_ROUNDS) return query;
    const queries = [...newQueries];
    const answers = await anyMatches(queries);
    for (const [i, each] of queries.entries()) answerOf.set(each, answers[i] === true);
  }
}

/** Whether any record matches a query, as far as it is known. */
type IsKnown = (query: string) => boolean;

class TextParser {
  readonly #fieldCount: number;
  readonly #tokenizer = new Tokenizer();
  readonly #rules: WordRules;
  readonly #context: Parameters<typeof parseQuery>[1];
  /** The columns whose values a word may be as a whole. */
  readonly #codeColumns: readonly number[];

  constructor(model: CollectionModel, language: Language) {
    const fields = searchFields(model);
    const keys = model.keys ?? [];
    this.#fieldCount = fields.length;
    this.#rules = wordRules(language);
    this.#context = { tokenizer: this.#tokenizer, fields: fieldNames(fields) };
    this.#codeColumns = model.fields.flatMap(({ name, kind }, column) =>
      kind === 'code' || kind === 'codes' || keys.includes(name) ? [column] : [],
    );
  }

  parse(source: string, options: TextOptions, isKnown: IsKnown): string | null {
    const knows = (word: string, asPrefix: boolean): boolean =>
      isKnown(this.#wordIn(ANY_FIELD, word)) || (asPrefix && isKnown(anyOf(this.#completed(ANY_FIELD, word))));
    const codes = codesOfText(source.slice(0, MAX_QUERY_UNITS), (code) => this.#codeQuery(code, isKnown, knows));
    const parsed = parseQuery(codes.text, this.#context, knows, options.prefix);
    const words = withoutStopWords(parsed.words, this.#rules);
    const matching = [...words.map((word) => this.#wordQuery(word)), ...codes.lists.map(({ query }) => query)];
    if (matching.length === 0) return null;
    const codeOf = (word: string): readonly string[] =>
      codes.lists.filter((list) => list.words.includes(word)).map(({ query }) => query);
    const required = (word: QueryWord): string => anyOf([this.#wordQuery(word), ...codeOf(word.text)]);
    const unquoted = words.filter(({ quoted }) => !quoted);
    const requiredOfAll = [
      ...unquoted.filter(({ field }) => field === ANY_FIELD).map(required),
      ...codes.lists.filter((list) => list.words.length === 0).map(({ query }) => query),
    ];
    const clauses = [
      anyOf(matching),
      ...unquoted
        .filter(({ field }) => field !== ANY_FIELD)
        .slice(0, MAX_PHRASES)
        .map(required),
      ...(options.match === 'all' ? requiredOfAll : []),
      ...this.#phraseQueries(parsed.phrases),
      ...this.#phraseQueries(parsed.excluded).map((query) => `!${query}`),
      ...codes.excluded.map(({ query }) => `!${query}`),
    ];
    return [...new Set(clauses)].join(' & ');
  }

  /** The query for a code that a record has, and the words of it that records have too; null where none has the code. */
  #codeQuery(code: string, isKnown: IsKnown, knows: (word: string, asPrefix: boolean) => boolean) {
    if (code === '' || code.length > MAX_CODE_UNITS || this.#codeColumns.length === 0) return null;
    const query = anyOf(this.#codeColumns.map((column) => quotedLexeme(codeLexeme(column, code))));
    if (!isKnown(query)) return null;
    const words = wordsInSequence(this.#tokenizer, code);
    return { query, words: words.length === 1 || words.every((word) => knows(word, false)) ? words : [] };
  }

  /** The query for a word and all that it stands for: itself, its completions, its number and letters side by side. */
  #wordQuery({ text, field, prefix, quoted }: QueryWord): string {
    const parts = quoted ? [] : numberAndLetters(text);
    const areParts = parts.length > 0 && !parts.some((part) => this.#rules.isStopWord(part));
    return anyOf([
      this.#wordIn(field, text),
      ...(prefix ? this.#completed(field, text) : []),
      ...(areParts ? [this.#sequence(field, parts)] : []),
    ]);
  }

  #phraseQueries(phrases: readonly QueryPhrase[]): readonly string[] {
    return distinctPhrases(phrases).map(({ forms, isBeginning, field }) =>
      anyOf(
        forms.map((words) =>
          isBeginning
            ? anyOf(this.#completed(field, words[0] ?? ''))
            : this.#sequence(field, words.slice(0, MAX_PHRASE_TERMS)),
        ),
      ),
    );
  }

  #sequence(field: number, words: readonly string[]): string {
    return `(${words.map((word) => this.#wordIn(field, word)).join(' <-> ')})`;
  }

  #completed(field: number, word: string): readonly string[] {
    const asStem = this.#lexemeIn(field, word, true);
    // Fields that share a label have no whole words of their own.
    return sharesLabel(field, this.#fieldCount) ? [asStem] : [asStem, this.#lexemeIn(field, wordLexeme(word), true)];
  }

  #wordIn(field: number, word: string): string {
    return this.#lexemeIn(field, this.#rules.stem(word));
  }

  /** A lexeme in a field, or in `ANY_FIELD`. */
  #lexemeIn(field: number, lexeme: string, isBeginning = false): string {
    const star = isBeginning ? '*' : '';
    if (field === ANY_FIELD) return `${quotedLexeme(lexeme)}${star && `:${star}`}`;
    if (sharesLabel(field, this.#fieldCount)) return `${quotedLexeme(fieldLexeme(field, lexeme))}${star && `:${star}`}`;
    return `${quotedLexeme(lexeme)}:${star}${weightLabel(field)}`;
  }
}
