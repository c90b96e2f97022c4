/**
 * Query text to words, phrases and exclusions. Operators are `"quoted phrases"`, `-word` and `-"a phrase"`; an operator
 * that makes no sense (an open quote, a lone `-`, nothing but exclusions, quotes
 * in prose) is plain text, so every text parses. Cost:
 * one pass over the text; of a very long one the first 20,000 characters, 1,000 words and 32 operators count.
 */
import { MAX_WORD_UNITS } from '../tokenizer.js';
export const MAX_QUERY_UNITS = 20_000;
export const MAX_QUERY_WORDS = 1000;
export const MAX_OPERATORS = 32;
/** A text of more words outside quotes is prose: its quotes cite and its dashes interrupt, they are no operators. */
export const PROSE_WORDS = 8;
const QUOTES = new Set(['"', '\u201c', '\u201d', '\u201e']);
const SPACE = /\s/;
/** A quote or hyphen is an operator only where something begins. */
const begins = (text, at) => at === 0 || SPACE.test(text[at - 1]) || text[at - 1] === '(';
function quoteAfter(text, from) {
    for (let at = from; at < text.length; at++)
        if (QUOTES.has(text[at]))
            return at;
    return -1;
}
function spaceAfter(text, from) {
    for (let at = from; at < text.length; at++)
        if (SPACE.test(text[at]))
            return at;
    return text.length;
}
/** Cuts the text at its operators. */
function piecesOf(text) {
    const pieces = [];
    let plainFrom = 0;
    let operators = 0;
    let at = 0;
    let lastQuote = text.length;
    while (lastQuote > 0 && !QUOTES.has(text[lastQuote - 1]))
        lastQuote--;
    const take = (kind, from, to, next) => {
        if (at > plainFrom)
            pieces.push({ kind: 'plain', text: text.slice(plainFrom, at) });
        pieces.push({ kind, text: text.slice(from, to) });
        operators++;
        at = next;
        plainFrom = next;
    };
    while (at < text.length && operators < MAX_OPERATORS) {
        const minus = text[at] === '-' && begins(text, at) ? 1 : 0;
        const quoted = QUOTES.has(text[at + minus] ?? '') && (minus === 1 || begins(text, at)) && at + minus + 1 < lastQuote;
        if (quoted) {
            const close = quoteAfter(text, at + minus + 1);
            take(minus ? 'excluded' : 'phrase', at + minus + 1, close, close + 1);
        }
        else if (minus && text[at + 1] !== '-' && !SPACE.test(text[at + 1] ?? ' ')) {
            const end = spaceAfter(text, at);
            take('excluded', at + 1, end, end);
        }
        else
            at++;
    }
    if (plainFrom < text.length)
        pieces.push({ kind: 'plain', text: text.slice(plainFrom) });
    return pieces;
}
const asString = (units, length) => String.fromCharCode(...units.subarray(0, length));
/** The words of a text in sequence; further words that stand beside it. */
function wordsOf(text, tokenizer) {
    const sequence = [];
    const compounds = [];
    tokenizer.tokenize(text, {
        word(units, length) {
            if (sequence.length < MAX_QUERY_WORDS)
                sequence.push(asString(units, length));
        },
        compound(units, length) {
            if (compounds.length < MAX_QUERY_WORDS)
                compounds.push(asString(units, length));
        },
        tail() { },
    });
    return { sequence, compounds };
}
/**
 * The words of plain text. A compound that the index knows written together takes its parts' place, but not where a
 * reader may well mean the parts and they are known (`boundary-layer`).
 */
function plainWords(text, tokenizer, knows, open) {
    const words = [];
    let position = 0;
    tokenizer.tokenize(text, {
        word(units, length) {
            if (position < MAX_QUERY_WORDS)
                words.push({ text: asString(units, length), position });
            position++;
        },
        compound(units, length, parts, certain) {
            const compound = asString(units, length);
            if (position > MAX_QUERY_WORDS || !knows(compound, open))
                return;
            if (!certain && words.slice(-parts).every((part) => knows(part.text, false)))
                return;
            words.length -= parts;
            words.push({ text: compound, position: -1 });
        },
        tail() { },
    });
    return words;
}
export function parseQuery(source, tokenizer, knows) {
    const text = source.slice(0, MAX_QUERY_UNITS);
    const pieces = piecesOf(text);
    if (pieces.every(({ kind }) => kind === 'plain'))
        return collect(pieces, text, tokenizer, knows);
    const wordsIn = (kind) => pieces.reduce((sum, piece) => sum + (piece.kind === kind ? wordsOf(piece.text, tokenizer).sequence.length : 0), 0);
    const plain = wordsIn('plain');
    const hasOperators = plain <= PROSE_WORDS && plain + wordsIn('phrase') > 0;
    return collect(hasOperators ? pieces : [{ kind: 'plain', text }], text, tokenizer, knows);
}
function collect(pieces, text, tokenizer, knows) {
    const words = [];
    const phrases = [];
    const excluded = [];
    pieces.forEach((piece, run) => {
        if (words.length >= MAX_QUERY_WORDS)
            return;
        if (piece.kind === 'excluded') {
            const { sequence, compounds } = wordsOf(piece.text, tokenizer);
            if (sequence.length > 0)
                excluded.push({ phrase: sequence, words: compounds });
        }
        else if (piece.kind === 'phrase') {
            const { sequence } = wordsOf(piece.text, tokenizer);
            if (sequence.length > 0)
                phrases.push(sequence);
            sequence.forEach((word, position) => {
                words.push({ text: word, run, position, quoted: true, prefix: false });
            });
        }
        else {
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
const isLoneSpaceless = (word) => word.length <= 2 &&
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]$/u.test(word);
