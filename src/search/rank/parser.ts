/**
 * Query text to words, phrases and exclusions. Operators are `"quoted phrases"`, `-word` and `-"a phrase"`, each also
 * in a field (`title:word`, `-tag:"a phrase"`). An operator that makes no sense is plain text, so every text parses: an open
 * quote, a lone `-`, the name of no field before a colon, nothing but exclusions, quotes in prose. Cost: one pass over the text; of
 * a very long one the first 20,000 characters, 1,000 words and 32 operators count.
 */
import { ANY_FIELD } from '../../kernels/phrases-layout.js';
import type { SearchField } from '../search.js';
import { MAX_WORD_UNITS, stringOf, type Tokenizer } from '../tokenizer.js';
import type { WordRules } from '../word-rules.js';

export const MAX_QUERY_UNITS = 20_000;
const MAX_QUERY_WORDS = 1000;
const MAX_OPERATORS = 32;
/** A text of more words outside quotes is prose: its quotes and dashes are punctuation, no operators. */
const MAX_WORDS_WITH_QUOTES = 8;

export { ANY_FIELD };

/** From the names of fields in query texts, in lower case, to their numbers. */
type SearchFieldNames = ReadonlyMap<string, number>;

export const fieldNames = (fields: readonly Pick<SearchField, 'name' | 'alias'>[]): SearchFieldNames =>
  new Map(fields.flatMap(({ name, alias = name }, i) => [name, alias].map((one) => [one.toLowerCase(), i] as const)));

export interface QueryWord {
  readonly text: string;
  /** Words of one run that differ by 1 in position stood next to each other in the query; -1: next to none. */
  readonly run: number;
  readonly position: number;
  /** Whether the word is in a phrase: then it is no stop word, and has no expansion unless it is one spaceless character. */
  readonly quoted: boolean;
  /** Whether the word also matches as a prefix: the text ends in it. */
  readonly prefix: boolean;
  /** The field that must hold it, or `ANY_FIELD`. */
  readonly field: number;
}

export interface ParsedQuery {
  readonly words: readonly QueryWord[];
  readonly phrases: readonly QueryPhrase[];
  readonly excluded: readonly QueryPhrase[];
}

export interface QueryPhrase {
  /**
   * The phrase as words; if it has compounds, also with each of them written together: `"e-mail server"` is `e mail server`
   * and `email server`. A record matches the phrase if it has one of the forms.
   */
  readonly forms: readonly (readonly string[])[];
  /** Whether the phrase is one character of a script without spaces: then each word that begins with it matches. */
  readonly isBeginning: boolean;
  readonly field: number;
}

/** Whether the index has a word or its stem; with `asPrefix` also whether a word begins with it. */
type Knows = (word: string, asPrefix: boolean) => boolean;

export type QueryPiece = {
  readonly kind: 'plain' | 'phrase' | 'excluded';
  readonly text: string;
  readonly field: number;
};

const QUOTES = new Set(['"', '\u201c', '\u201d', '\u201e']);
const WHITE_SPACE = /\s/;
const FIELD_NAME = /^([\p{L}_$][\p{L}\p{M}\p{N}_$]*):(?=\S)/u;
const MAX_FIELD_NAME_UNITS = 64;

/** A quote, a hyphen or a field's name is an operator only at the beginning of the text, or behind a space or bracket. */
const mayBeOperator = (text: string, at: number): boolean =>
  at === 0 || WHITE_SPACE.test(text[at - 1]!) || text[at - 1] === '(';

function quoteAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (QUOTES.has(text[at]!)) return at;
  return -1;
}

function spaceAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (WHITE_SPACE.test(text[at]!)) return at;
  return text.length;
}

/** The field of a prefix `name:` at `from`, and the offset behind the prefix; `ANY_FIELD` and `from` if there is none. */
function fieldAt(
  text: string,
  from: number,
  fields: SearchFieldNames,
): { readonly field: number; readonly from: number } {
  const name = fields.size === 0 ? null : FIELD_NAME.exec(text.slice(from, from + MAX_FIELD_NAME_UNITS));
  const field = name === null ? undefined : fields.get(name[1]!.toLowerCase());
  return field === undefined ? { field: ANY_FIELD, from } : { field, from: from + name![0].length };
}

/** Cuts the text at its operators; in prose only `name:word` and `name:"a phrase"` are operators. */
export function queryPieces(text: string, fields: SearchFieldNames, isProse: boolean): QueryPiece[] {
  const pieces: QueryPiece[] = [];
  let plainFrom = 0;
  let operators = 0;
  let at = 0;
  let lastQuote = text.length;
  while (lastQuote > 0 && !QUOTES.has(text[lastQuote - 1]!)) lastQuote--;
  /** Adds the plain text before `at`, and behind it the piece `text[from … to)`; goes on at `next`. */
  const cut = (kind: QueryPiece['kind'], field: number, from: number, to: number, next: number): void => {
    if (at > plainFrom) pieces.push({ kind: 'plain', text: text.slice(plainFrom, at), field: ANY_FIELD });
    pieces.push({ kind, text: text.slice(from, to), field });
    operators++;
    at = next;
    plainFrom = next;
  };
  while (at < text.length && operators < MAX_OPERATORS) {
    const isBeginning = mayBeOperator(text, at);
    const minus = isBeginning && text[at] === '-' ? 1 : 0;
    const { field, from } = isBeginning ? fieldAt(text, at + minus, fields) : { field: ANY_FIELD, from: at };
    const isInField = field !== ANY_FIELD;
    const isOperator = isBeginning && (isInField || !isProse);
    if (isOperator && QUOTES.has(text[from] ?? '') && from + 1 < lastQuote) {
      const close = quoteAfter(text, from + 1);
      cut(minus ? 'excluded' : 'phrase', field, from + 1, close, close + 1);
    } else if (isOperator && (isInField || (minus && text[from] !== '-' && !WHITE_SPACE.test(text[from] ?? ' ')))) {
      const end = spaceAfter(text, from);
      cut(minus ? 'excluded' : 'plain', field, from, end, end);
    } else at++;
  }
  if (plainFrom < text.length) pieces.push({ kind: 'plain', text: text.slice(plainFrom), field: ANY_FIELD });
  return pieces;
}

/** The words of a text in sequence; its compounds; and the sequence with each compound in place of its parts. */
function queryWords(
  text: string,
  tokenizer: Tokenizer,
): { sequence: string[]; compounds: string[]; together: string[] } {
  const sequence: string[] = [];
  const compounds: string[] = [];
  const together: string[] = [];
  tokenizer.tokenize(text, {
    word(units, length) {
      if (sequence.length === MAX_QUERY_WORDS) return;
      sequence.push(stringOf(units, length));
      together.push(stringOf(units, length));
    },
    compound(units, length, parts) {
      if (sequence.length === MAX_QUERY_WORDS) return;
      compounds.push(stringOf(units, length));
      together.splice(-parts, parts, stringOf(units, length));
    },
    tail() {},
  });
  return { sequence, compounds, together };
}

type PlainWord = { text: string; position: number };

/**
 * The words of plain text. A compound replaces its parts if the index has it written together. It does not if its parts are
 * known and a reader may well mean them (`boundary-layer`).
 */
function plainWords(text: string, tokenizer: Tokenizer, knows: Knows, isOpenEnded: boolean): PlainWord[] {
  const words: PlainWord[] = [];
  let position = 0;
  // Replaces its parts if it is the end of the text and a prefix of indexed words: only the last word may be a prefix.
  let lastCompound: { readonly compound: string; readonly parts: number } | null = null;
  const putTogether = (compound: string, parts: number): void => {
    words.length -= parts;
    words.push({ text: compound, position: -1 });
  };
  tokenizer.tokenize(text, {
    word(units, length) {
      if (position < MAX_QUERY_WORDS) words.push({ text: stringOf(units, length), position });
      position++;
      lastCompound = null;
    },
    compound(units, length, parts, certain) {
      const compound = stringOf(units, length);
      if (position > MAX_QUERY_WORDS) return;
      if (!certain && words.slice(-parts).every((part) => knows(part.text, false))) return;
      if (knows(compound, false)) putTogether(compound, parts);
      else if (isOpenEnded) lastCompound = { compound, parts };
    },
    tail() {},
  });
  // The compiler does not see that a closure assigns the variable.
  const last = lastCompound as { readonly compound: string; readonly parts: number } | null;
  if (last && knows(last.compound, true)) putTogether(last.compound, last.parts);
  return words;
}

/** The tokeniser and the names of fields, which a parser needs. */
export interface ParserContext {
  readonly tokenizer: Tokenizer;
  readonly fields: SearchFieldNames;
}

/** `isOpenEnded`: whether the last word also matches as a prefix. */
export function parseQuery(
  source: string,
  { tokenizer, fields }: ParserContext,
  knows: Knows,
  isOpenEnded: boolean,
): ParsedQuery {
  const text = source.slice(0, MAX_QUERY_UNITS);
  const isUnfinished = isOpenEnded && tokenizer.endsInWord(text);
  const collected = (pieces: readonly QueryPiece[]): ParsedQuery => collect(pieces, tokenizer, knows, isUnfinished);
  const pieces = queryPieces(text, fields, false);
  if (pieces.every(({ kind }) => kind === 'plain')) return collected(pieces);
  const wordsIn = (kind: QueryPiece['kind']): number =>
    pieces.reduce(
      (sum, piece) => sum + (piece.kind === kind ? queryWords(piece.text, tokenizer).sequence.length : 0),
      0,
    );
  const plain = wordsIn('plain');
  if (plain + wordsIn('phrase') === 0) return collected([{ kind: 'plain', text, field: ANY_FIELD }]);
  return collected(plain <= MAX_WORDS_WITH_QUOTES ? pieces : queryPieces(text, fields, true));
}

/** The words, phrases and exclusions that pieces of a text hold. */
export function collect(
  pieces: readonly QueryPiece[],
  tokenizer: Tokenizer,
  knows: Knows,
  isOpenEnded: boolean,
): ParsedQuery {
  const words: QueryWord[] = [];
  const phrases: QueryPhrase[] = [];
  const excluded: QueryPhrase[] = [];
  pieces.forEach((piece, run) => {
    if (words.length >= MAX_QUERY_WORDS) return;
    const { kind, field } = piece;
    if (kind === 'plain') {
      const isLastOpenEnded = isOpenEnded && run === pieces.length - 1;
      const plain = plainWords(piece.text, tokenizer, knows, isLastOpenEnded);
      plain.forEach(({ text, position }, i) => {
        const isLast = isLastOpenEnded && i === plain.length - 1;
        const prefix = (isLast && text.length < MAX_WORD_UNITS) || tokenizer.isSpaceless(text);
        // `{ ...word, run, … }` takes V8 many times as long.
        words.push({ text, position, run: position < 0 ? -1 : run, quoted: false, prefix, field });
      });
      return;
    }
    const { sequence, compounds, together } = queryWords(piece.text, tokenizer);
    const [first] = sequence;
    if (first === undefined) return;
    const isBeginning = sequence.length === 1 && tokenizer.isSpaceless(first);
    const phrase = { forms: compounds.length === 0 ? [sequence] : [sequence, together], isBeginning, field };
    if (kind === 'excluded') {
      excluded.push(phrase);
      return;
    }
    phrases.push(phrase);
    const quoted = { run, quoted: true, prefix: isBeginning, field };
    sequence.forEach((word, position) => {
      words.push({ ...quoted, text: word, position });
    });
    words.push(...compounds.map((word) => ({ ...quoted, text: word, run: -1, position: -1 })));
  });
  return { words: words.slice(0, MAX_QUERY_WORDS), phrases, excluded };
}

/**
 * The words without stop words, which are indexed like any other word; a stop word stays if it is quoted or has a field. All words if
 * nothing else is left.
 */
export function withoutStopWords(
  words: readonly QueryWord[],
  { isStopWord }: Pick<WordRules, 'isStopWord'>,
): readonly QueryWord[] {
  const significant = words.filter(({ text, quoted, field }) => quoted || field !== ANY_FIELD || !isStopWord(text));
  return significant.length > 0 ? significant : words;
}
