/**
 * A parsed query, worked out against one index: which posting lists add to a record's score, which pairs of words are
 * worth more together, and which rows may match at all. What a query matches is settled here; ranking only orders it.
 */
import { countBits, createBits } from '../../bits.js';
import { initialAt } from '../dictionary.js';
import { addTermRows } from '../posting-format.js';
import { PAIR_WEIGHT, PREFIX_WEIGHT, SPELLING_WEIGHT, termWeight } from '../scoring.js';
import { exactTerm, hasPrefix, prefixTerms, spellings, termsInUse } from './expansion.js';
import { parseQuery } from './parser.js';
import { dropWithPhrases, keepWithPhrases, MAX_PHRASE_WORDS } from './phrases.js';
import { documentFrequency, termList, toleratedList } from './posting-lists.js';
import { isStopWord } from './stop-words.js';
/** A query keeps this many words: those that fewest records hold, which tell the most. */
export const MAX_SCORED_WORDS = 32;
/** So many words that the dictionary lacks are looked up by their spelling. */
export const MAX_SPELLINGS = 8;
/** So many words are taken for the beginnings of others: the last ones. */
export const MAX_BEGINNINGS = 8;
/** Words further apart in the query do not count as standing together. */
export const MAX_PAIR_DISTANCE = 4;
/** A query keeps this many pairs of words: those that weigh most. */
export const MAX_PAIRS = 64;
/**
 * Beyond so many postings together, each pair with those of its rarer word, only the pairs that weigh most count: it takes
 * some 0.1 µs to see whether a record of a hundred words has one. The first few always do.
 */
export const MAX_PAIR_POSTINGS = 1 << 18;
export const MIN_PAIRS = 4;
/** So many different phrases of two words or more must occur, and so many must not: of more the rest are only words. */
export const MAX_PHRASES = 7;
const MANY_POSTINGS = 1 << 14;
export function planQuery(bench, text) {
    const { tables, tokenizer } = bench;
    const lookUp = rememberTerms(tables);
    const parsed = parseQuery(text, tokenizer, (word, asPrefix) => lookUp(word) >= 0 || (asPrefix && hasPrefix(tables, word)));
    const resolved = withoutStopWords(parsed.words).map((word) => ({ word, term: lookUp(word.text) }));
    const times = scoredTerms(tables, resolved);
    const exact = [...times].map(([term, count]) => termList(tables, term, count));
    const tolerated = tolerate(bench, resolved, times);
    const lists = [...exact, ...tolerated.lists];
    const matched = matching(bench, lists, tolerated.longer, parsed, lookUp);
    const terms = new Set([...times.keys(), ...tolerated.terms]);
    const initials = new Set([...resolved.map(({ word }) => word.text.charCodeAt(0)), ...tolerated.initials]);
    return { ...matched, lists, longer: tolerated.longer, terms, initials, pairs: pairsOf(tables, resolved, exact) };
}
/** Look-ups of exact terms, each made once. */
function rememberTerms(tables) {
    const known = new Map();
    return (word) => {
        const found = known.get(word);
        if (found !== undefined)
            return found;
        const term = exactTerm(tables, word);
        known.set(word, term);
        return term;
    };
}
function withoutStopWords(words) {
    const kept = words.filter((word) => word.quoted || !isStopWord(word.text));
    return kept.length > 0 ? kept : words;
}
/** The terms to score, each with how often the query says it. */
function scoredTerms(tables, resolved) {
    const times = new Map();
    for (const { term } of resolved)
        if (term >= 0)
            times.set(term, (times.get(term) ?? 0) + 1);
    if (times.size <= MAX_SCORED_WORDS)
        return times;
    const rarest = [...times.keys()]
        .sort((a, b) => documentFrequency(tables, a) - documentFrequency(tables, b) || a - b)
        .slice(0, MAX_SCORED_WORDS);
    return new Map(rarest.map((term) => [term, times.get(term)]));
}
/** Beginnings of words, and spellings of words that the dictionary lacks. */
function tolerate(bench, resolved, scored) {
    const { tables, scratch } = bench;
    const lists = [];
    const longer = [];
    const looked = [];
    const seen = new Set();
    const isNew = (key) => !seen.has(key) && seen.add(key).size > 0;
    const beginnings = new Set(resolved.flatMap(({ word }) => (word.prefix ? [word.text] : [])).slice(-MAX_BEGINNINGS));
    const initials = [];
    let misspelt = 0;
    for (const { word, term } of resolved) {
        if (word.quoted || (term >= 0 && !scored.has(term)))
            continue;
        const begun = word.prefix && beginnings.has(word.text) && isNew(`${word.text}*`) ? prefixTerms(tables, word.text, term) : [];
        if (begun.length > 0) {
            looked.push(begun);
            if (term >= 0)
                longer.push(begun);
            else
                lists.push(prefixList(bench, begun));
        }
        else if (term < 0 && misspelt < MAX_SPELLINGS && isNew(word.text)) {
            // A word that others begin with is being typed, not misspelt: only this one is looked up by its spelling.
            const words = spellings(tables, word.text);
            const terms = termsInUse(tables, words);
            if (terms.length > 0)
                lists.push(toleratedList(tables, scratch, terms, SPELLING_WEIGHT));
            looked.push(terms);
            initials.push(...words.map((near) => initialAt(tables.words, near)));
            misspelt++;
        }
    }
    return { lists, longer, terms: looked.flat(), initials };
}
/** The list of words that begin with what was typed. */
export const prefixList = (bench, terms) => toleratedList(bench.tables, bench.scratch, terms, PREFIX_WEIGHT);
/**
 * Neighbouring words of the query, stop words left out, that both occur, those that count most first; a word beside
 * itself says nothing.
 */
function pairsOf(tables, resolved, lists) {
    const scored = new Set(lists.map((list) => list.term));
    const pairs = new Map();
    for (let i = 1; i < resolved.length; i++) {
        const first = resolved[i - 1];
        const second = resolved[i];
        const distance = second.word.position - first.word.position;
        if (first.word.run < 0 || first.word.run !== second.word.run || distance > MAX_PAIR_DISTANCE)
            continue;
        if (!scored.has(first.term) || !scored.has(second.term) || first.term === second.term)
            continue;
        const frequency = Math.max(documentFrequency(tables, first.term), documentFrequency(tables, second.term));
        const weight = PAIR_WEIGHT * termWeight(tables, frequency);
        pairs.set(`${first.term} ${second.term} ${distance}`, { first: first.term, second: second.term, distance, weight });
    }
    return withinBudget(tables, [...pairs.values()].sort((a, b) => b.weight - a.weight));
}
/** The pairs that are counted, of pairs by their weight. */
function withinBudget(tables, pairs) {
    let postings = 0;
    return pairs.slice(0, MAX_PAIRS).filter(({ first, second }, i) => {
        postings += Math.min(documentFrequency(tables, first), documentFrequency(tables, second));
        return i < MIN_PAIRS || postings <= MAX_PAIR_POSTINGS;
    });
}
/** The rows that match: those of all phrases, or else of any list; without those that are excluded. */
function matching(bench, lists, longer, { phrases, excluded }, lookUp) {
    const { tables, scratch } = bench;
    const tolerated = lists.filter((list) => !list.exact);
    const isFiltered = phrases.length > 0 || excluded.length > 0;
    const exactRows = rowsOf(tables, lists.filter((list) => list.exact));
    const isExact = !isFiltered && tolerated.length === 0 && longer.length === 0;
    const rows = isExact ? exactRows : exactRows.slice();
    for (const list of tolerated)
        list.addRows(rows);
    for (const terms of longer)
        addAllRows(bench, terms, rows);
    const wanted = distinctPhrases(phrases, lookUp);
    const unwanted = distinctPhrases(excluded.flatMap(({ phrase, words }) => [phrase, ...words.map((word) => [word])]), lookUp).filter((phrase) => !phrase.includes(-1));
    keepWithPhrases(tables, scratch.kernels, rows, wanted);
    dropWithPhrases(tables, scratch.kernels, rows, unwanted);
    return { exactRows, rows, isFiltered, total: countBits(rows) };
}
/** The rows of some lists: of a single one those that the index has, for new memory costs more than writing to it. */
function rowsOf({ rows }, lists) {
    const [list, ...others] = lists;
    if (list?.bits && others.length === 0)
        return list.bits;
    const bits = createBits(rows);
    for (const one of lists)
        one.addRows(bits);
    return bits;
}
/** Few postings are read faster than they are copied into the kernel's memory. */
function addAllRows({ tables, scratch }, terms, rows) {
    const rare = terms.filter((term) => tables.bitmapOfTerm[term] < 0);
    const postings = rare.reduce((sum, term) => sum + documentFrequency(tables, term), 0);
    const areMany = postings > MANY_POSTINGS;
    if (areMany)
        scratch.kernels.addRows(rare, rows);
    for (const term of terms)
        if (!areMany || tables.bitmapOfTerm[term] >= 0)
            addTermRows(tables, rows, term);
}
/** Phrases as terms, each once: single words first, which leave fewer rows to look into, then so many longer ones. */
function distinctPhrases(phrases, lookUp) {
    const distinct = new Map();
    for (const phrase of phrases) {
        const terms = phrase.slice(0, MAX_PHRASE_WORDS).map(lookUp);
        distinct.set(terms.join(' '), terms);
    }
    const all = [...distinct.values()];
    return [
        ...all.filter((phrase) => phrase.length === 1),
        ...all.filter((phrase) => phrase.length > 1).slice(0, MAX_PHRASES),
    ];
}
