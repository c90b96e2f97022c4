/**
 * What a character is to the tokeniser: part of a word (then as which folded code unit), part of a script that writes
 * without spaces, a symbol that is a word by itself, something to pass over, or a separator. The answer is worked out
 * on a character's first use and remembered: after that a look-up is one read of a table of 65,536 numbers.
 */
import { fold } from '../text.js';
/** Table values below this are no folded code units but one of the kinds below. */
export const FIRST_UNIT = 32;
export const SEPARATOR = 0;
/** Passed over as if it were not there: combining marks, soft hyphens, joiners, variation selectors. */
export const IGNORED = 1;
/** Stands for several units, or is a surrogate: ask `expand`. */
export const EXPANDS = 2;
const UNKNOWN = 3;
const ASCII = 0x80;
/** Letters that Unicode gives no decomposition, as they are typed on a keyboard without them. */
const SPELLED = {
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ı: 'i',
    ς: 'σ',
};
const IGNORABLE = [/[\u0300-\u036f]/, /[\u00ad\u200b-\u200d\u2060\ufeff]/, /[\ufe00-\ufe0f]/, /[\u{1f3fb}-\u{1f3ff}]/u];
/** Parts of Korean syllables that say nothing outside one; a letter of its own is no such part. */
const CONJOINING = /[\u1100-\u11ff]/;
const WORD = /^[\p{L}\p{N}\p{M}]+$/u;
/** Pictures; those below U+2190 are signs in a text: ©, ®, ™. */
const isSymbol = (codePoint, character) => codePoint >= 0x2190 && /^[\p{Extended_Pictographic}\p{Emoji_Presentation}]$/u.test(character);
const SPACELESS = /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|\u30fc|\p{Regional_Indicator})/u;
/** Of ASCII letters and digits are words, and nothing else is in one: no tables of Unicode are needed to see that. */
function describeAscii(codePoint) {
    const text = String.fromCharCode(codePoint).toLowerCase();
    return /[a-z0-9]/.test(text) ? { manner: 'word', text } : { manner: 'separator', text: '' };
}
function describe(codePoint) {
    if (codePoint < ASCII)
        return describeAscii(codePoint);
    const character = String.fromCodePoint(codePoint);
    if (IGNORABLE.some((kind) => kind.test(character)))
        return { manner: 'ignored', text: '' };
    if (/^\p{Regional_Indicator}$/u.test(character))
        return { manner: 'spaceless', text: character };
    if (isSymbol(codePoint, character))
        return { manner: 'symbol', text: character };
    if (!WORD.test(character))
        return { manner: 'separator', text: '' };
    const compatible = character.normalize('NFKC');
    const folded = fold(WORD.test(compatible) && !CONJOINING.test(compatible) ? compatible : character);
    const text = SPELLED[folded] ?? folded;
    if (text === '')
        return { manner: 'ignored', text };
    return { manner: SPACELESS.test(text) ? 'spaceless' : 'word', text };
}
function createCharacters() {
    const folded = new Uint16Array(0x10000).fill(UNKNOWN);
    const known = new Map();
    const expand = (codePoint) => {
        const found = known.get(codePoint);
        if (found)
            return found;
        const character = describe(codePoint);
        if (known.size < 50_000)
            known.set(codePoint, character);
        return character;
    };
    const classify = (unit) => {
        if (unit >= 0xd800 && unit < 0xe000)
            return EXPANDS;
        const { manner, text } = expand(unit);
        if (manner === 'separator')
            return SEPARATOR;
        if (manner === 'ignored')
            return IGNORED;
        return manner === 'word' && text.length === 1 ? text.charCodeAt(0) : EXPANDS;
    };
    const resolve = (unit) => {
        const value = folded[unit];
        if (value !== UNKNOWN)
            return value;
        const answer = classify(unit);
        folded[unit] = answer;
        return answer;
    };
    for (let unit = 0; unit < ASCII; unit++)
        resolve(unit);
    return { folded, resolve, expand };
}
let characters;
/** What a thread's tokenisers have in common. */
export function sharedCharacters() {
    characters ??= createCharacters();
    return characters;
}
