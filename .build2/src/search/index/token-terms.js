/** Tokens → the terms that they stand for, once all records are read and each token is looked at a single time. */
import { uint32, withRoom } from '../../growable.js';
import { Tokenizer } from '../tokenizer.js';
export function termsOfTokens(tokens, vocabulary) {
    const tokenizer = new Tokenizer();
    const termOf = new Int32Array(tokens.count);
    let lists = uint32(1 << 10);
    let listsEnd = 0;
    let token = 0;
    let sequence = [];
    let stacked = [];
    const stack = (units, length) => {
        stacked.push(vocabulary.termOf(vocabulary.wordOf(units, length)));
    };
    const sink = {
        word: (units, length) => void sequence.push(vocabulary.termOf(vocabulary.wordOf(units, length))),
        compound: stack,
        tail: stack,
    };
    tokens.forEach({
        word(units, length) {
            termOf[token++] = vocabulary.termOf(vocabulary.wordOf(units, length));
        },
        known(word) {
            termOf[token++] = vocabulary.termOf(word);
        },
        text(text) {
            sequence = [];
            stacked = [];
            tokenizer.tokenize(text, sink);
            if (sequence.length === 1 && stacked.length === 0)
                termOf[token++] = sequence[0];
            else {
                const list = [sequence.length, stacked.length, ...sequence, ...stacked];
                lists = withRoom(lists, listsEnd + list.length, uint32);
                lists.set(list, listsEnd);
                termOf[token++] = ~listsEnd;
                listsEnd += list.length;
            }
        },
    });
    return { terms: vocabulary.terms, termOf, lists: lists.slice(0, listsEnd) };
}
