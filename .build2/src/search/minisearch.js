/**
 * The second engine: a MiniSearch index behind the same interface, over the same terms (our tokenizer's words, stemmed) and
 * with the same weights of fields. The last word also matches as a beginning, words that no record has match near spellings.
 * Phrases and exclusions are plain words. A search costs a score for every record that matches.
 */
import MiniSearch from 'minisearch';
import { allMembers, countBits, createBits, hasBit, setBit } from '../bits.js';
import { editsAllowed } from './dictionary.js';
import { isStopWord } from './query/stop-words.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT } from './scoring.js';
import { stem } from './stem.js';
import { Tokenizer } from './tokenizer.js';
/** Searches whose hits are kept, so that paging searches nothing again. */
const MAX_CACHED_SEARCHES = 16;
/** Indexes the texts of rows 0 to `size`, and pauses wherever it yields. */
export function* buildMiniSearch(fields, size, textsOf) {
    const tokenizer = new Tokenizer();
    const terms = new Set();
    const numbers = new Map(fields.map(({ name }, i) => [name, i]));
    const index = new MiniSearch({
        fields: fields.map(({ name }) => name),
        tokenize: (text) => wordsIn(tokenizer, text),
        processTerm(word) {
            const term = stem(word);
            terms.add(term);
            return term;
        },
        extractField(document, name) {
            if (name === 'id')
                return document.id;
            const text = document.texts[numbers.get(name) ?? 0] ?? '';
            return typeof text === 'string' ? text : text.join(' ');
        },
    });
    for (let id = 0; id < size; id++) {
        index.add({ id, texts: textsOf(id) });
        yield;
    }
    return openMiniSearch(index, terms, fields, size, tokenizer);
}
function openMiniSearch(index, terms, fields, size, tokenizer) {
    const boost = Object.fromEntries(fields.map(({ name, weight }) => [name, weight]));
    const cache = new Map();
    const find = (text) => {
        const isOpen = tokenizer.endsInWord(text);
        const all = wordsIn(tokenizer, text);
        const telling = all.filter((word) => !isStopWord(word));
        const words = telling.length > 0 ? telling : all;
        const results = index.search(words.join(' '), {
            boost,
            tokenize: () => words,
            processTerm: stem,
            prefix: (_, i) => isOpen && i === words.length - 1,
            fuzzy: (term) => (terms.has(term) ? false : editsAllowed(term.length)),
            weights: { prefix: PREFIX_WEIGHT, fuzzy: SPELLING_WEIGHT },
        });
        const hits = results.map(({ id, score }) => ({ row: id, score }));
        return hits.sort((a, b) => b.score - a.score || a.row - b.row);
    };
    const hitsOf = (text) => {
        const hits = cache.get(text) ?? find(text);
        cache.delete(text);
        cache.set(text, hits);
        const [oldest] = cache.keys();
        if (cache.size > MAX_CACHED_SEARCHES && oldest !== undefined)
            cache.delete(oldest);
        return hits;
    };
    const matching = (text, among) => {
        const bits = createBits(size);
        for (const { row } of hitsOf(text))
            setBit(bits, row);
        return among ? among.keep(bits) : { bits, count: countBits(bits) };
    };
    return {
        engine: 'minisearch',
        search(text, limit, among) {
            const { bits, count } = matching(text, among);
            const rows = hitsOf(text).map(({ row }) => row);
            return { rows: rows.filter((row) => hasBit(bits, row)).slice(0, limit), total: count };
        },
        matching,
        match: (text) => allMembers(matching(text).bits),
        finder: (text) => finderOf(tokenizer, text),
    };
}
/** The words of a text, also those that stand for several of its parts. */
function wordsIn(tokenizer, text) {
    const words = [];
    const add = (units, length) => {
        words.push(String.fromCharCode(...units.subarray(0, length)));
    };
    const sink = { word: add, compound: add, tail: add };
    tokenizer.tokenize(text, sink);
    return words;
}
/** Finds the words of a text themselves, and those that its last word begins. */
function finderOf(tokenizer, text) {
    const words = wordsIn(tokenizer, text);
    const stems = new Set(words.map(stem));
    const beginning = tokenizer.endsInWord(text) ? words.at(-1) : undefined;
    const initials = new Set(words.map((word) => word.charCodeAt(0)));
    return {
        look(part) {
            const found = wordsIn(tokenizer, part);
            const isFound = found.some((word) => stems.has(stem(word)) || (beginning !== undefined && word.startsWith(beginning)));
            return { words: found.length, isFound };
        },
        mayBegin: (unit) => initials.has(unit),
    };
}
