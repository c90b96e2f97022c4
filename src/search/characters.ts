/**
 * The manner in which the tokeniser treats a character: part of a word, part of a script without spaces, a symbol, ignored, or a
 * separator. A part of a word also has its folded code unit. Both are worked out on a character's first use and remembered:
 * after that a look-up is one read of a table of 65,536 numbers.
 */
import { fold } from '../text.js';

/** Table values below this are no folded code units but one of the kinds below. */
export const FIRST_UNIT = 32;

export const SEPARATOR = 0;
/** Passed over as if it were not there: combining marks, soft hyphens, joiners, variation selectors. */
const IGNORED = 1;
/** The character becomes several units, or the unit is a surrogate: `expand` has the answer. */
export const EXPANDS = 2;
const UNKNOWN = 3;

const ASCII = 0x80;

const IGNORABLE = [/[\u0300-\u036f]/, /[\u00ad\u200b-\u200d\u2060\ufeff]/, /[\ufe00-\ufe0f]/, /[\u{1f3fb}-\u{1f3ff}]/u];
/** Conjoining jamo: parts of Korean syllables, without meaning by themselves. Compatibility jamo are letters of their own. */
const CONJOINING = /[\u1100-\u11ff]/;
const WORD = /^[\p{L}\p{N}\p{M}]+$/u;
/** Pictures; those below U+2190 are signs in a text: ©, ®, ™. */
const isSymbol = (codePoint: number, character: string): boolean =>
  codePoint >= 0x2190 && /^[\p{Extended_Pictographic}\p{Emoji_Presentation}]$/u.test(character);
const SPACELESS =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|\u30fc|\p{Regional_Indicator})/u;

/** How the tokeniser treats a text of one character: `words` run together, `spaceless` come in pairs, `symbol`s alone. */
type Manner = 'separator' | 'ignored' | 'word' | 'spaceless' | 'symbol';

export interface Character {
  readonly manner: Manner;
  /** The folded text it contributes. */
  readonly text: string;
}

/** In ASCII only letters and digits are parts of words: that needs none of Unicode's tables. */
function describeAscii(codePoint: number): Character {
  const text = String.fromCharCode(codePoint).toLowerCase();
  return /[a-z0-9]/.test(text) ? { manner: 'word', text } : { manner: 'separator', text: '' };
}

function describeCharacter(codePoint: number): Character {
  if (codePoint < ASCII) return describeAscii(codePoint);
  const character = String.fromCodePoint(codePoint);
  if (IGNORABLE.some((kind) => kind.test(character))) return { manner: 'ignored', text: '' };
  if (/^\p{Regional_Indicator}$/u.test(character)) return { manner: 'spaceless', text: character };
  if (isSymbol(codePoint, character)) return { manner: 'symbol', text: character };
  if (!WORD.test(character)) return { manner: 'separator', text: '' };
  const compatible = character.normalize('NFKC');
  const text = fold(WORD.test(compatible) && !CONJOINING.test(compatible) ? compatible : character);
  if (text === '') return { manner: 'ignored', text };
  return { manner: SPACELESS.test(text) ? 'spaceless' : 'word', text };
}

interface Characters {
  /** Indexed by code unit: a folded unit of a word, or one of the kinds above; `resolve` first where it is unknown. */
  readonly folded: Uint16Array;
  /** The table's value for a unit, worked out if this is its first use. */
  resolve(unit: number): number;
  /** The full description of a code point. */
  expand(codePoint: number): Character;
}

function createCharacters(): Characters {
  const folded = new Uint16Array(0x10000).fill(UNKNOWN);
  const characterOf = new Map<number, Character>();

  const expand = (codePoint: number): Character => {
    const cached = characterOf.get(codePoint);
    if (cached) return cached;
    const character = describeCharacter(codePoint);
    if (characterOf.size < 50_000) characterOf.set(codePoint, character);
    return character;
  };

  /** The value of a unit that the table does not know. Half of a surrogate pair is no character: the pair is. */
  const classify = (unit: number): number => {
    if (unit >= 0xd800 && unit < 0xe000) return EXPANDS;
    const { manner, text } = expand(unit);
    if (manner === 'separator') return SEPARATOR;
    if (manner === 'ignored') return IGNORED;
    return manner === 'word' && text.length === 1 ? text.charCodeAt(0) : EXPANDS;
  };

  const resolve = (unit: number): number => {
    if (folded[unit] === UNKNOWN) folded[unit] = classify(unit);
    return folded[unit]!;
  };

  for (let unit = 0; unit < ASCII; unit++) resolve(unit);
  return { folded, resolve, expand };
}

let characters: Characters | undefined;

/** The table that all tokenisers of a thread share. */
export function sharedCharacters(): Characters {
  characters ??= createCharacters();
  return characters;
}
