/** The rows in which phrases occur: rows that hold all their words, then a look at the words' positions there. */
import { clearBit, countBits, createBits, dropAll, forEachMember, keepAll } from '../../bits.js';
import { addTermRows } from '../posting-format.js';
import { cursorsOf } from './positions.js';
import { PhraseReader } from './proximity.js';
/** Of a longer phrase, so many words are looked at. */
export const MAX_PHRASE_WORDS = 64;
/** Reading a word's positions in all rows costs as much as looking so many times fewer rows up. */
const LOOK_UP = 16;
/** Takes the rows out of `rows` that lack any of the phrases. */
export function keepWithPhrases(tables, kernels, rows, phrases) {
    for (const phrase of phrases)
        keepWithAll(tables, rows, phrase);
    for (const phrase of phrases)
        keepWithPhrase(tables, kernels, rows, phrase);
}
/** Takes the rows out of `rows` that hold any of the phrases. */
export function dropWithPhrases(tables, kernels, rows, phrases) {
    for (const phrase of phrases) {
        const found = rows.slice();
        keepWithAll(tables, found, phrase);
        keepWithPhrase(tables, kernels, found, phrase);
        dropAll(rows, found);
    }
}
/** Takes the rows out of `rows`, which hold all words of a phrase, that lack the phrase. */
function keepWithPhrase(tables, kernels, rows, phrase) {
    if (phrase.length < 2 || phrase.includes(-1))
        return;
    if (areMany(tables, rows, phrase) && !kernels.keepWithPhrase(phrase, rows))
        return;
    const reader = new PhraseReader(tables, phrase, cursorsOf(tables, phrase));
    forEachMember(rows, (row) => {
        if (!reader.isIn(row))
            clearBit(rows, row);
    });
}
/** Whether to go through all positions of a phrase's words, not only through those in some rows. */
function areMany(tables, rows, phrase) {
    const most = Math.max(...phrase.map((term) => tables.documentFrequencies[term]));
    return phrase.every((term) => tables.bitmapOfTerm[term] >= 0) && countBits(rows) * LOOK_UP > most;
}
/** Takes the rows out of `rows` that lack any of some terms. */
function keepWithAll(tables, rows, terms) {
    for (const term of new Set(terms)) {
        const frequent = term < 0 ? -1 : tables.bitmapOfTerm[term];
        if (frequent >= 0)
            keepAll(rows, tables.bitmaps[frequent]);
        else {
            const holding = createBits(tables.rows);
            if (term >= 0)
                addTermRows(tables, holding, term);
            keepAll(rows, holding);
        }
    }
}
