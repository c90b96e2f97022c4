/** Texts as codes of their words, against the texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordCoder, WordDecoder } from '../src/store/word-codes.js';
import { finished } from './support/finished.js';

const word = fc.constantFrom(
  ...['a', ' the', 'The', 'é', ' 日本語', 'Ελλάδα한국', '","', '{"id":', ' ', '  ', '\u0000', '0123456789abcdef'],
  ...['x'.repeat(14), ` ${'y'.repeat(15)}`, ' z'.repeat(9), '.'.repeat(40)],
);
const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 40 }));
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: anything }), { maxLength: 60 })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

/** The first bytes of a text, between others that stay. */
function decoded(decoder: WordDecoder, codes: Uint8Array, length: number): Buffer {
  const target = Buffer.alloc(length + 40, 7);
  decoder.decode(codes, length, target, 20);
  const around = Buffer.concat([target.subarray(0, 20), target.subarray(-20)]);
  expect(around.equals(Buffer.alloc(40, 7))).toBe(true);
  return target.subarray(20, 20 + length);
}

function coded(learnt: readonly Buffer[]) {
  const coder = new WordCoder();
  for (const one of learnt) finished(coder.learn(one));
  const words = finished(coder.settle());
  return { coder, words, decoder: new WordDecoder(words) };
}

test('what is coded is read back, in whole and in part, whatever was learnt', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), fc.nat(), (learnt, texts, part) => {
      const { coder, decoder } = coded(learnt);
      for (const one of [...learnt, ...texts]) {
        const codes = Buffer.from(finished(coder.encode(one)));
        expect(codes.length).toBeLessThanOrEqual(3 * one.length);
        expect(decoded(decoder, codes, one.length).equals(one)).toBe(true);
        const length = part % (one.length + 1);
        expect(decoded(decoder, codes, length).equals(one.subarray(0, length))).toBe(true);
      }
    }),
  );
}, 60_000);

/** Numbered words, each as often as `times` says. */
const numbered = (count: number, times: (i: number) => number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => ` word${i}`.repeat(times(i))).join(''));

test('codes take one byte, two and three, by how frequent the words are', () => {
  const learnt = numbered(40_000, (i) => (i < 100 ? 9 : i < 1000 ? 5 : i < 30_000 ? 3 : 2));
  const { coder, decoder, words } = coded([learnt]);
  expect(words.length / 16).toBeGreaterThan(39_000);
  for (const [i, bytes] of [
    [50, 1],
    [500, 2],
    [39_999, 3],
  ] as const) {
    const one = Buffer.from(` word${i}`);
    const codes = Buffer.from(finished(coder.encode(one)));
    expect(codes.length).toBe(bytes);
    expect(decoded(decoder, codes, one.length)).toEqual(one);
  }
});

test('a text that is longer than what is held at once is coded piece by piece', () => {
  const long = numbered(60_000, () => 1);
  const known = Buffer.concat([long, numbered(30_000, () => 1)]);
  const unknown = Buffer.from(Array.from({ length: 100_000 }, (_, i) => `${i * 7919}é`).join(''));
  const { coder, decoder } = coded([known]);
  for (const one of [known, unknown, Buffer.concat([known, unknown, long])]) {
    const codes = Buffer.from(finished(coder.encode(one)));
    expect(decoded(decoder, codes, one.length).equals(one)).toBe(true);
    for (const length of [0, 1, 65_535, 65_536, 65_537, 150_000])
      expect(decoded(decoder, codes, length).equals(one.subarray(0, length))).toBe(true);
  }
});

test('more words than are remembered are coded too', () => {
  const { coder, decoder, words } = coded([numbered(250_000, () => 2)]);
  // Where the text is cut into pieces, so are words.
  expect(Math.round(words.length / 16 / 1000)).toBe(196);
  for (const i of [0, 100_000, 249_999]) {
    const one = Buffer.from(` word${i} word${i + 1}`);
    expect(decoded(decoder, Buffer.from(finished(coder.encode(one))), one.length)).toEqual(one);
  }
});
