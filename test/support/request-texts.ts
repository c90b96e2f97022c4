/** Values of parameters, allowed by their schema or by none, and the ways to write them in a target. */
import fc from 'fast-check';
import { at } from './json.js';

/** One of several, by their weights. */
export const weighted = <T>(...all: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const oneOf = <T>(...all: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...all);

const MAX_INTEGER = 60;

/** Texts that the schema allows. */
export function allowed(schema: unknown): fc.Arbitrary<string> {
  const values = at(schema, 'enum');
  if (Array.isArray(values)) return oneOf(...values.map(String));
  const pattern = at(schema, 'pattern');
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern), { maxLength: 30 });
  const [least, most] = [Number(at(schema, 'minimum') ?? 0), Number(at(schema, 'maximum') ?? Number.MAX_SAFE_INTEGER)];
  switch (at(schema, 'type')) {
    case 'array':
      return allowed(at(schema, 'items'));
    case 'integer':
      return weighted([5, fc.integer({ min: least, max: Math.min(most, MAX_INTEGER) })], [1, oneOf(least, most)]).map(
        String,
      );
    case 'number':
      return fc.double({ min: least, max: Math.min(most, MAX_INTEGER), noNaN: true }).map(String);
    default:
      return oneOf('salt', 'the map', 'map -tofu', '"silken tofu"', 'tag', 'id', 'id,title', '2024', '豆腐', '😀', 'e');
  }
}

/** Values that are nobody's, or at somebody's edge. */
export const broken: fc.Arbitrary<string> = weighted(
  [
    3,
    oneOf(
      ...['', ' ', '+', '0', '-1', '-0', '1e3', '0x10', '1.5', '00', '٣', '9007199254740992', '9'.repeat(400)],
      ...['NaN', 'null', 'true', '[]', '{}', ',', 'id,', 'id,id', 'x'.repeat(4097), '*', '"', '"" -', '-a -b', '((('],
      ...['2024-02-30', '2024-13', '0000', '<script>', "' or 1=1 --", '../../etc/passwd', '\0', '\r\nX: y', '\u202e'],
    ),
  ],
  [2, fc.string({ unit: 'grapheme', maxLength: 40 })],
);

/** Ways to write a text in a target; the last ones are no valid ways. */
const encodings: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => encodeURIComponent(text).toLowerCase(),
  (text) => Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, ''),
  (text) => `${encodeURIComponent(text)}%`,
  (text) => `%ED%A0%80${encodeURIComponent(text)}`,
  (text) => `${encodeURIComponent(text)}%FF%zz`,
  (text) => Buffer.from(text).toString('latin1'),
];
const VALID_ENCODINGS = 2;

export const encoded = (texts: fc.Arbitrary<string>, ways = encodings): fc.Arbitrary<string> =>
  fc.tuple(oneOf(...ways), texts).map(([encode, text]) => encode(text));
export const well = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  encoded(texts, encodings.slice(0, VALID_ENCODINGS));
