import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedCharacters } from '../../src/search/characters.js';
import { MAX_WORD_UNITS, Tokenizer } from '../../src/search/tokenizer.js';

/** The words of a text; compounds in brackets, last characters of runs in braces. */
function tokens(text: string, tokenizer = new Tokenizer()): string {
  const found: string[] = [];
  const string = (units: Uint16Array, length: number): string => String.fromCharCode(...units.subarray(0, length));
  tokenizer.tokenize(text, {
    word: (units, length) => found.push(string(units, length)),
    compound: (units, length) => found.push(`[${string(units, length)}]`),
    tail: (units, length) => found.push(`{${string(units, length)}}`),
  });
  return found.join(' ');
}

describe('text to words', () => {
  it('knows ASCII as Unicode has it', () => {
    for (let unit = 0; unit < 0x80; unit++) {
      const character = String.fromCharCode(unit);
      const isWord = /[\p{L}\p{N}\p{M}]/u.test(character);
      const expected = isWord ? { manner: 'word', text: character.toLowerCase() } : { manner: 'separator', text: '' };
      expect(sharedCharacters().expand(unit)).toEqual(expected);
    }
  });

  it.each([
    ['Hello, world!', 'hello world'],
    ['café CAFÉ cafe\u0301', 'cafe cafe cafe'],
    ['Straße Łódź Æsir Søren', 'strasse lodz aesir soren'],
    ['ＦＵＬＬ ｗｉｄｔｈ ﬁne', 'full width fine'],
    ['Ελλάς ЁЛКА', 'ελλασ елка'],
    ["John's book, the dogs' bowls", 'john book the dogs bowls'],
    ["we'll I'm they’re don't", 'we i they dont'],
    ["O'Malley", 'o malley [omalley]'],
    ["rock'n'roll", 'rock n roll [rocknroll]'],
    ['C++ and C# and F#.', 'c++ and c# and f#'],
    ['c++11 g++', 'c++ 11 g++'],
    ['a + b', 'a b'],
    ['.NET and ASP.NET', 'net [.net] and asp net [aspnet]'],
    ['wait...what', 'wait what'],
    ['node.js', 'node js [nodejs]'],
    ['U.S. policy', 'u s [us] policy'],
    ['e-mail', 'e mail [email]'],
    ['state-of-the-art', 'state of the art [stateoftheart]'],
    ['boundary\u2010layer', 'boundary layer [boundarylayer]'],
    ['555-1234 covid-19', '555 1234 covid 19 [covid19]'],
    ['3.14 1,000,000 1,5 v1.2.3 192.168.0.1', '3.14 1000000 1 5 v1.2.3 192.168.0.1'],
    ['End.', 'end'],
    ['AT&T R & D', 'at t [at&t] r d'],
    ['@handle #tag issue#12', 'handle tag issue 12'],
    ['https://example.org/a_b?c=d', 'https example org [exampleorg] a b c d'],
    ['user@mail.example', 'user mail example [mailexample]'],
    ['日本語', '日本 本語 {語}'],
    ['猫', '猫'],
    ['カ\u3099ラス', 'ガラ ラス {ス}'],
    ['한국어 검색', '한국 국어 {어} 검색 {색}'],
    ['ประเทศไทย', 'ปร ระ ะเ เท ทศ ศไ ไท ทย {ย}'],
    ['Node日本', 'node 日本 {本}'],
    ['हिन्दी', 'हिन्दी'],
    ['🚀 launch ❤️', '🚀 launch ❤'],
    ['👍🏽', '👍'],
    ['© 2024™', '2024'],
    ['soft\u00adhyphen zero\u200bwidth', 'softhyphen zerowidth'],
    ['\ud83d lone \ude80', 'lone'],
    ['nul\0nul', 'nul nul'],
    ['__proto__ constructor', 'proto constructor'],
    ['!!! ... --- \'\' ""', ''],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toBe(expected);
  });

  it('cuts words at 64 units', () => {
    expect(tokens('x'.repeat(1_000_000))).toBe('x'.repeat(MAX_WORD_UNITS));
  });

  it('passes over towers of combining marks', () => {
    expect(tokens(`a${'\u0301'.repeat(10_000)}b`)).toBe('ab');
  });

  it('is made of words that are their own tokens, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        for (const token of tokens(text)
          .split(' ')
          .filter((one) => /^[\p{L}\p{N}]+$/u.test(one))) {
          expect(tokens(token).split(' ')[0]).toBe(token);
        }
      }),
    );
  });

  it('reads any text twice alike', () => {
    const tokenizer = new Tokenizer();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokens(text, tokenizer)).toBe(tokens(text, tokenizer));
      }),
    );
  });

  it.each(['don´t stop', 'can‘t go', 'Model—T x', 'x‐t', 'a…t', 'ﬁ–t', 'e\u2011t'])(
    'reads %j the same at first and later',
    (text) => {
      const tokenizer = new Tokenizer();
      const first = tokens(text, tokenizer);
      expect(tokens(text, tokenizer)).toBe(first);
    },
  );

  it('takes what is typed for an apostrophe as one', () => {
    for (const text of ["don't", 'don´t', 'don‘t', 'don’t']) expect(tokens(text)).toBe(tokens("don't"));
  });

  it('finds no word in parts of Korean syllables that are left alone', () => {
    expect(tokens('\u1100')).toBe('');
    expect(tokens('\u110f\u110f\u110f lol')).toBe('lol');
  });

  it('keeps a Korean letter that stands alone, as itself', () => {
    expect(tokens('ㄱ')).toBe('ㄱ');
  });
});
