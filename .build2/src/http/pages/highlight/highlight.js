import { html } from '../frame/html.js';
import { Pieces } from './pieces.js';
/** Letters, digits and the signs that may end a word (`C++`). */
const RUN = /[\p{L}\p{N}\p{M}]+(?:\+\+|#)?/gu;
const CHARACTER = /\P{M}\p{M}*/gu;
const SNIPPET_CHARACTERS = 220;
/** Characters of a text in which a snippet is looked for. */
const SNIPPET_REACH = 50_000;
const matchesOf = (text, pattern) => [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ from: index, to: index + match.length }));
const NONE = [];
const cutBefore = html `&hellip; `;
const cutAfter = html ` &hellip;`;
const noHighlighter = { mark: (text) => text, snippet: () => null };
export const createHighlighter = (search, query) => query === null ? noHighlighter : new WordHighlighter(search.finder(query));
/** A class: closures made for each page would be interpreted for each. */
class WordHighlighter {
    #finder;
    #pieces;
    /** The pieces of one page repeat. */
    #known = new Map();
    constructor(finder) {
        this.#finder = finder;
        this.#pieces = new Pieces(finder);
    }
    mark(text) {
        const parts = [];
        const pieces = this.#pieces;
        let end = 0;
        pieces.begin(text);
        while (pieces.next()) {
            const { start } = pieces;
            for (const { from, to } of this.#foundIn(text.slice(start, pieces.end))) {
                parts.push(text.slice(end, start + from), html `<mark>${text.slice(start + from, start + to)}</mark>`);
                end = start + to;
            }
        }
        return end === 0 ? text : [...parts, text.slice(end)];
    }
    snippet(text) {
        const first = this.#firstIn(text.slice(0, SNIPPET_REACH));
        if (first < 0)
            return null;
        const from = wordStart(text, first - SNIPPET_CHARACTERS / 3);
        const isCut = from + SNIPPET_CHARACTERS < text.length;
        const reached = text.slice(from, from + SNIPPET_CHARACTERS);
        // Not within a word, unless it is a very long one, and never within a character.
        const part = isCut ? reached.replace(/\s+\S{0,30}$|[\uD800-\uDBFF]$/, '') : reached;
        return html `${from > 0 ? cutBefore : null}${this.mark(part)}${isCut ? cutAfter : null}`;
    }
    /** Where the first found word of a text begins, or -1. */
    #firstIn(text) {
        const pieces = this.#pieces;
        pieces.begin(text);
        while (pieces.next()) {
            const [first] = this.#foundIn(text.slice(pieces.start, pieces.end));
            if (first !== undefined)
                return pieces.start + first.from;
        }
        return -1;
    }
    #foundIn(piece) {
        const known = this.#known.get(piece);
        if (known !== undefined)
            return known;
        const found = this.#finder.look(piece).isFound ? this.#spansOf(piece) : NONE;
        this.#known.set(piece, found);
        return found;
    }
    /** Each word that is found by itself; all of the piece where only its words together are (`e-mail`). */
    #spansOf(piece) {
        const runs = matchesOf(piece, RUN);
        const spans = runs.flatMap((run) => {
            const { words, isFound } = this.#finder.look(piece.slice(run.from, run.to));
            if (!isFound)
                return [];
            return words === 1 ? [run] : this.#pairsOf(piece, run);
        });
        return spans.length > 0 ? spans : [{ from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? piece.length }];
    }
    /** Scripts without spaces are searched by pairs of characters. */
    #pairsOf(piece, run) {
        const characters = matchesOf(piece.slice(run.from, run.to), CHARACTER);
        const spans = [];
        characters.forEach(({ from, to }, i) => {
            const pair = { from: run.from + from, to: run.from + (characters[i + 1]?.to ?? to) };
            const one = { from: pair.from, to: run.from + to };
            const found = [pair, one].find((span) => this.#finder.look(piece.slice(span.from, span.to)).isFound);
            if (found === undefined)
                return;
            const before = spans.at(-1);
            if (before !== undefined && found.from <= before.to)
                before.to = Math.max(before.to, found.to);
            else
                spans.push({ ...found });
        });
        return spans.length > 0 ? spans : [run];
    }
}
/** The end of the white space nearest to `near`, or `near` itself within a very long word. */
function wordStart(text, near) {
    const from = Math.max(0, Math.floor(near));
    if (from === 0)
        return 0;
    const space = text.slice(from, from + 40).search(/\s/);
    return space < 0 ? from : from + space + 1;
}
