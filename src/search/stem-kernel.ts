/**
 * Porter's algorithm (Porter 1980, with the endings that he added later) in WebAssembly. A start meets all words of its
 * records while JavaScript is not compiled yet: 80,000 take 65 ms, in which they are read too, where the `stemmer` package,
 * which gives the same stems, takes 240. A word is its letters, 1 to 26 for a to z, a byte each, at an address that the
 * functions are made for.
 */
import {
  add,
  again,
  and,
  and64,
  type Code,
  call,
  createKernel,
  differs,
  equal,
  get,
  giveBack,
  I32,
  i32,
  i64,
  increase,
  isZero,
  isZero64,
  less,
  load8,
  load64,
  loop,
  more,
  or,
  set,
  shiftRight,
  store8,
  store64,
  subtract,
  type WasmFunction,
  when,
  xor64,
} from '../assembly.js';

/** So many bytes before the letters are 0, and as many behind them are the kernel's. */
export const STEM_MARGIN = 8;
export const BEFORE_A = 96;
const LEAST_LETTERS = 3;

export interface StemKernel {
  /** Makes the word of so many letters its stem, in place; returns how many that has. */
  stem(length: number): number;
}

/** An ending, and what takes its place. */
type Rule = readonly [ending: string, instead: string];

const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const STEP_3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP_4: readonly Rule[] = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'
  .split(' ')
  .map((ending) => [ending, '']);

const codeOf = (letter: string): number => letter.charCodeAt(0) - BEFORE_A;
const E = codeOf('e');
const I = codeOf('i');
const L = codeOf('l');
const S = codeOf('s');
const Y = codeOf('y');
/** Letters as bits. */
const bitsOf = (letters: string): number =>
  Array.from(letters).reduce((bits, letter) => bits | (1 << codeOf(letter)), 0);
const isOf = (letters: string, letter: Code): Code => and(shiftRight(i32(bitsOf(letters)), letter), i32(1));

/** Letters as the bytes of a number, the first the lowest; and where they are the last of eight. */
const numberOf = (letters: string): bigint =>
  Array.from(letters).reduceRight((number, letter) => (number << 8n) | BigInt(codeOf(letter)), 0n);
const numberAtEnd = (letters: string): bigint =>
  BigInt.asIntN(64, numberOf(letters) << BigInt(8 * (8 - letters.length)));
/** The last bytes of eight. */
const lastBytes = (count: number): bigint => BigInt.asIntN(64, -1n << BigInt(8 * (8 - count)));

/** Places in the list of functions, which come first in a kernel. */
const [MEASURE, HAS_VOWEL, IS_SHORT, STEP_1A, STEP_1B, REPLACE_2, REPLACE_3, DROP_4, STEP_5] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];
export const STEM = 9;

const [length, rest] = [0, 1];
const i32To32 = { parameters: [I32], results: [I32] };

/** The functions, for a word at an address. */
export function stemFunctions(letters: number): readonly WasmFunction[] {
  /** The i-th letter from the end. */
  const last = (i = 1): Code => load8(get(length), letters - i);
  const isVowelAt = (at: Code, isBehindConsonant: Code): Code =>
    or(
      isOf('aeiou', load8(at, letters)),
      and(and(equal(load8(at, letters), i32(Y)), more(at, i32(0))), isBehindConsonant),
    );
  const ends = (ending: string): Code =>
    isZero64(xor64(and64(load64(get(length), letters - 8), i64(lastBytes(ending.length))), i64(numberAtEnd(ending))));
  /** Whether the word is such an ending with something before it. */
  const endsIn = (ending: string): Code => and(more(get(length), i32(ending.length)), ends(ending));
  const without = (by: number): Code => subtract(get(length), i32(by));

  /** How often consonants follow vowels. A y is a vowel behind a consonant. */
  const [i, count, before, vowel] = [1, 2, 3, 4];
  const measure: WasmFunction = {
    ...i32To32,
    locals: [I32, I32, I32, I32],
    body: [
      loop(
        when(
          less(get(i), get(length)),
          set(vowel, isVowelAt(get(i), isZero(get(before)))),
          increase(count, and(get(before), isZero(get(vowel)))),
          set(before, get(vowel)),
          increase(i, 1),
          again(1),
        ),
      ),
      get(count),
    ],
  };
  const hasVowel: WasmFunction = {
    ...i32To32,
    locals: [I32],
    body: [
      loop(
        when(less(get(i), get(length)), when(isVowelAt(get(i), i32(1)), giveBack(i32(1))), increase(i, 1), again(1)),
      ),
      i32(0),
    ],
  };
  /** Consonants, one vowel and a consonant: such a word has an e at its end. */
  const isShort: WasmFunction = {
    ...i32To32,
    locals: [],
    body: [
      when(or(less(get(length), i32(LEAST_LETTERS)), isOf('aeiouwxy', last())), giveBack(i32(0))),
      and(isOf('aeiouy', last(2)), isZero(call(HAS_VOWEL, without(2)))),
    ],
  };

  /** Plurals. */
  const step1a: WasmFunction = {
    ...i32To32,
    locals: [],
    body: [
      when(differs(last(), i32(S)), giveBack(get(length))),
      when(or(endsIn('sses'), endsIn('ies')), giveBack(without(2))),
      subtract(get(length), differs(last(2), i32(S))),
    ],
  };
  /** What became of a verb. */
  const step1b: WasmFunction = {
    ...i32To32,
    locals: [I32],
    body: [
      when(endsIn('eed'), giveBack(subtract(get(length), more(call(MEASURE, without(3)), i32(0))))),
      set(rest, get(length)),
      when(endsIn('ed'), set(rest, without(2))),
      when(endsIn('ing'), set(rest, without(3))),
      when(equal(get(rest), get(length)), giveBack(get(length))),
      when(isZero(call(HAS_VOWEL, get(rest))), giveBack(get(length))),
      set(length, get(rest)),
      when(
        or(or(ends('at'), ends('bl')), or(ends('iz'), call(IS_SHORT, get(length)))),
        store8(get(length), i32(E), letters),
        giveBack(add(get(length), i32(1))),
      ),
      subtract(get(length), and(equal(last(), last(2)), isZero(isOf('aeiouylsz', last())))),
    ],
  };
  /** Of the rules' endings the longest counts; it is replaced behind what has a measure of more than `least`. */
  const replace = (rules: readonly Rule[], least: number, ...others: readonly Code[]): WasmFunction => ({
    ...i32To32,
    locals: [I32],
    body: [
      ...longestFirst(rules).map(([ending, instead]) =>
        when(
          endsIn(ending),
          set(rest, without(ending.length)),
          when(isZero(more(call(MEASURE, get(rest)), i32(least))), giveBack(get(length))),
          instead === '' ? [] : store64(get(rest), i64(numberOf(instead)), letters),
          giveBack(add(get(rest), i32(instead.length))),
        ),
      ),
      ...others,
      get(length),
    ],
  });
  const ion = when(
    or(endsIn('sion'), endsIn('tion')),
    when(more(call(MEASURE, without(3)), i32(1)), giveBack(without(3))),
  );
  const step5: WasmFunction = {
    ...i32To32,
    locals: [I32],
    body: [
      when(
        and(equal(last(), i32(E)), more(get(length), i32(1))),
        set(rest, call(MEASURE, without(1))),
        when(
          or(more(get(rest), i32(1)), and(equal(get(rest), i32(1)), isZero(call(IS_SHORT, without(1))))),
          increase(length, -1),
        ),
      ),
      subtract(
        get(length),
        and(and(equal(last(), i32(L)), equal(last(2), i32(L))), more(call(MEASURE, get(length)), i32(1))),
      ),
    ],
  };
  const stem: WasmFunction = {
    name: 'stem',
    ...i32To32,
    locals: [],
    body: [
      when(less(get(length), i32(LEAST_LETTERS)), giveBack(get(length))),
      set(length, call(STEP_1B, call(STEP_1A, get(length)))),
      when(and(equal(last(), i32(Y)), call(HAS_VOWEL, without(1))), store8(get(length), i32(I), letters - 1)),
      call(STEP_5, call(DROP_4, call(REPLACE_3, call(REPLACE_2, get(length))))),
    ],
  };
  return [
    measure,
    hasVowel,
    isShort,
    step1a,
    step1b,
    replace(STEP_2, 0),
    replace(STEP_3, 0),
    replace(STEP_4, 1, ion),
    step5,
    stem,
  ];
}

const longestFirst = (rules: readonly Rule[]): readonly Rule[] => rules.toSorted(([a], [b]) => b.length - a.length);

/** A word's letters stand behind the margin. */
export const createStemKernel = createKernel<StemKernel>(stemFunctions(STEM_MARGIN));
