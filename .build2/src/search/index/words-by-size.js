import { lettersOf } from '../dictionary.js';
import { MAX_WORD_UNITS } from '../tokenizer.js';
/** The words in the order of their lengths, for the spelling search. */
export function wordsBySize(words) {
    const { units, offsets } = words;
    const count = offsets.length - 1;
    const sizeStarts = new Uint32Array(MAX_WORD_UNITS + 2);
    const sizeOf = (word) => offsets[word + 1] - offsets[word];
    for (let word = 0; word < count; word++)
        sizeStarts[sizeOf(word) + 1]++;
    for (let size = 1; size < sizeStarts.length; size++)
        sizeStarts[size] += sizeStarts[size - 1];
    const next = sizeStarts.slice();
    const ordered = new Uint32Array(count);
    const letters = new Uint32Array(count);
    for (let word = 0; word < count; word++) {
        const at = next[sizeOf(word)]++;
        ordered[at] = word;
        letters[at] = lettersOf(units, offsets[word], offsets[word + 1]);
    }
    return { wordsBySize: ordered, sizeStarts, letters };
}
