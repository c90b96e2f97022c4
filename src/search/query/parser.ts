/**
 * Query text to words, phrases and exclusions. Operators are `"quoted phrases"`, `-word` and `-"a phrase"`; an operator
 * that makes no sense (an open quote, a lone `-`, nothing but exclusions, quotes
 * in prose) is plain text, so every text parses. Cost:
 * one pass over the text; of a very long one the first 20,000 characters, 1,000 words and 32 operators count.
 */
import { MAX_WORD_UNITS, type Tokenizer } from '../tokenizer.js';

export const MAX_QUERY_UNITS = 20_000;
export const MAX_QUERY_WORDS = 1000;
export const MAX_OPERATORS = 32;
/** A text of more words outside quotes is prose: its quotes cite and its dashes interrupt, they are no operators. */
export const PROSE_WORDS = 8;

export interface QueryWord {
  readonly text: string;
  /** Words of one run that differ by 1 in position stood next to each other in the query; -1: next to none. */
  readonly run: number;
  readonly position: number;
  /** Stands in a phrase: taken as it is, neither dropped nor expanded. */
  readonly quoted: boolean;
  /** The text ends in this word: it may be the beginning of a longer one. */
  readonly prefix: boolean;
}

export interface ParsedQuery {
  readonly words: readonly QueryWord[];
  readonly phrases: readonly (readonly string[])[];
  readonly excluded: readonly ExcludedText[];
}

export interface ExcludedText {
  readonly phrase: readonly string[];
  /** Further words that exclude a record: compounds written together. */
  readonly words: readonly string[];
}

/** Whether the index holds a word: in just this form or a stem's, or as the beginning of a word. */
export type Knows = (word: string, asPrefix: boolean) => boolean;

type Piece = { readonly kind: 'plain' | 'phrase' | 'excluded'; readonly text: string };

const QUOTES = new Set(['"', '\u201c', '\u201d', '\u201e']);
const SPACE = /\s/;

/** A quote or hyphen is an operator only where something begins. */
const begins = (text: string, at: number): boolean => at === 0 || SPACE.test(text[at - 1]!) || text[at - 1] === '(';

function quoteAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (QUOTES.has(text[at]!)) return at;
  return -1;
}

function spaceAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (SPACE.test(text[at]!)) return at;
  return text.length;
}

/** Cuts the text at its operators. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let plainFrom = 0;
  let operators = 0;
  let at = 0;
  let lastQuote = text.length;
  while (lastQuote > 0 && !QUOTES.has(text[lastQuote - 1]!)) lastQuote--;
  const take = (kind: Piece['kind'], from: number, to: number, next: number): void => {
    if (at > plainFrom) pieces.push({ kind: 'plain', text: text.slice(plainFrom, at) });
    pieces.push({ kind, text: text.slice(from, to) });
    operators++;
    at = next;
    plainFrom = next;
  };
  while (at < text.length && operators < MAX_OPERATORS) {
    const minus = text[at] === '-' && begins(text, at) ? 1 : 0;
    const quoted =
      QUOTES.has(text[at + minus] ?? '') && (minus === 1 || begins(text, at)) && at + minus + 1 < lastQuote;
    if (quoted) {
      const close = quoteAfter(text, at + minus + 1);
      take(minus ? 'excluded' : 'phrase', at + minus + 1, close, close + 1);
    } else if (minus && text[at + 1] !== '-' && !SPACE.test(text[at + 1] ?? ' ')) {
      const end = spaceAfter(text, at);
      take('excluded', at + 1, end, end);
    } else at++;
  }
  if (plainFrom < text.length) pieces.push({ kind: 'plain', text: text.slice(plainFrom) });
  return pieces;
}

const asString = (units: Uint16Array, length: number): string => String.fromCharCode(...units.subarray(0, length));

/** The words of a text in sequence; further words that stand beside it. */
function wordsOf(text: string, tokenizer: Tokenizer): { sequence: string[]; compounds: string[] } {
  const sequence: string[] = [];
  const compounds: string[] = [];
  tokenizer.tokenize(text, {
    word(units, length) {
      if (sequence.length < MAX_QUERY_WORDS) sequence.push(asString(units, length));
    },
    compound(units, length) {
      if (compounds.length < MAX_QUERY_WORDS) compounds.push(asString(units, length));
    },
    tail() {},
  });
  return { sequence, compounds };
}

type PlainWord = { text: string; position: number };

/**
 * The words of plain text. A compound that the index knows written together takes its parts' place, but not where a
 * reader may well mean the parts and they are known (`boundary-layer`).
 */
function plainWords(text: string, tokenizer: Tokenizer, knows: Knows, open: boolean): PlainWord[] {
  const words: PlainWord[] = [];
  let position = 0;
  tokenizer.tokenize(text, {
    word(units, length) {
      if (position < MAX_QUERY_WORDS) words.push({ text: asString(units, length), position });
      position++;
    },
    compound(units, length, parts, certain) {
      const compound = asString(units, length);
      if (position > MAX_QUERY_WORDS || !knows(compound, open)) return;
      if (!certain && words.slice(-parts).every((part) => knows(part.text, false))) return;
      words.length -= parts;
      words.push({ text: compound, position: -1 });
    },
    tail() {},
  });
  return words;
}

export function parseQuery(source: string, tokenizer: Tokenizer, knows: Knows): ParsedQuery {
  const text = source.slice(0, MAX_QUERY_UNITS);
  const pieces = piecesOf(text);
  if (pieces.every(({ kind }) => kind === 'plain')) return collect(pieces, text, tokenizer, knows);
  const wordsIn = (kind: Piece['kind']): number =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? wordsOf(piece.text, tokenizer).sequence.length : 0), 0);
  const plain = wordsIn('plain');
  const hasOperators = plain <= PROSE_WORDS && plain + wordsIn('phrase') > 0;
  return collect(hasOperators ? pieces : [{ kind: 'plain', text }], text, tokenizer, knows);
}

function collect(pieces: readonly Piece[], text: string, tokenizer: Tokenizer, knows: Knows): ParsedQuery {
  const words: QueryWord[] = [];
  const phrases: string[][] = [];
  const excluded: ExcludedText[] = [];
  pieces.forEach((piece, run) => {
    if (words.length >= MAX_QUERY_WORDS) return;
    if (piece.kind === 'excluded') {
      const { sequence, compounds } = wordsOf(piece.text, tokenizer);
      if (sequence.length > 0) excluded.push({ phrase: sequence, words: compounds });
    } else if (piece.kind === 'phrase') {
      const { sequence } = wordsOf(piece.text, tokenizer);
      if (sequence.length > 0) phrases.push(sequence);
      sequence.forEach((word, position) => {
        words.push({ text: word, run, position, quoted: true, prefix: false });
      });
    } else {
      const open = run === pieces.length - 1 && tokenizer.endsInWord(text);
      const plain = plainWords(piece.text, tokenizer, knows, open);
      plain.forEach((word, i) => {
        const last = open && i === plain.length - 1;
        const prefix = (last && word.text.length < MAX_WORD_UNITS) || isLoneSpaceless(word.text);
        words.push({ ...word, run: word.position < 0 ? -1 : run, quoted: false, prefix });
      });
    }
  });
  return { words: words.slice(0, MAX_QUERY_WORDS), phrases, excluded };
}

/** One character of a script that is indexed by pairs: it stands at the beginning of pairs, seldom alone. */
const isLoneSpaceless = (word: string): boolean =>
  word.length <= 2 &&
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]$/u.test(word);
