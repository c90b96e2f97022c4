/** Whatever words are asked for, of any script, the answer is UTF-8 and says what it is asked, and nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appOf, comparedSample, isMiniSearch } from '../support/api.js';
import { isObject } from '../support/json.js';

const app = appOf(await comparedSample());

/** Fails at bytes that are no UTF-8. */
const strict = new TextDecoder('utf-8', { fatal: true });

async function textAt(path: string): Promise<string> {
  return strict.decode(await (await app.request(path)).arrayBuffer());
}

/** Without halves of characters, which no address can hold. */
const wellFormed = (text: string): string => Buffer.from(text).toString();
const encode = (text: string): string => encodeURIComponent(wellFormed(text));

/** Letters of many scripts, and characters whose low byte is a quote, a backslash, a control character or a brace. */
const character = fc.oneof(
  fc.constantFrom(...'naïve ÅÉß Ψυχή дом שלום سلام 文学 豆腐 한국 ไทย नमस्ते 😀 🧂 e\u0301'),
  fc
    .tuple(fc.integer({ min: 0x01, max: 0xd7 }), fc.constantFrom(0x22, 0x5c, 0x00, 0x0a, 0x7b, 0x7d, 0x2c, 0x5d))
    .map(([high, low]) => String.fromCharCode(high * 256 + low)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const words = fc.string({ unit: character, minLength: 1, maxLength: 20 });

/** Misspelt, so that there is a suggestion, which repeats the words beside it. */
const searchTexts = words.map((text) => `sourdouhg ${text}`);

const addresses: readonly ((text: string, word: string) => string)[] = [
  (text) => `/api/articles/search?match=any&suggest=1&q=${encode(text)}`,
  (text) => `/api/articles/search?suggest=1&highlight=1&fields=title,tags&q=${encode(text)}`,
  (text) => `/api/products/search?suggest=1&limit=1&fields=*&q=${encode(text)}`,
  (_, word) => `/api/articles?author=${encode(word)}&tag=${encode(word)}`,
  (_, word) => `/api/products/category/${encode(word)}`,
  (_, word) => `/api/articles/tags?startsWith=${encode(word)}`,
  (_, word) => `/api/articles/values/${encode(word)}`,
  (_, word) => `/api/articles?${encode(word)}=${encode(word)}`,
  (_, word) => `/api/articles/${encode(word)}`,
  (_, word) => `/api/${encode(word)}`,
];
const pages: readonly ((text: string, word: string) => string)[] = [
  (text) => `/articles?q=${encode(text)}`,
  (_, word) => `/products?author=${encode(word)}`,
  (_, word) => `/products/complete/author?author=${encode(word)}`,
  (_, word) => `/${encode(word)}/1`,
];
const engineRefuses = (path: string): boolean => isMiniSearch && path.includes('suggest=1');

describe('words of all scripts', () => {
  test('every answer of the API is UTF-8 and JSON, and a search answers with its own members, once each', async () => {
    await fc.assert(
      fc.asyncProperty(searchTexts, words, fc.constantFrom(...addresses), async (text, word, address) => {
        const path = address(text, word);
        const json = await textAt(path);
        const body: unknown = JSON.parse(json);
        if (!isObject(body)) throw new Error(`${path}: ${json}`);
        if (!path.includes('suggest=1') || engineRefuses(path) || 'error' in body) return;
        // A member that stands twice would be lost by reading and writing.
        expect(JSON.stringify(body)).toBe(json);
        expect(Object.keys(body)).toEqual(['data', 'suggestion', 'pagination']);
        // Any of the words may be near a term, so the text itself is not told here.
        expect(body.suggestion === null || typeof body.suggestion === 'string').toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('every page is UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(searchTexts, words, fc.constantFrom(...pages), async (text, word, address) => {
        // Decoding fails where it is not; a redirect has no text.
        await textAt(address(text, word));
      }),
      { numRuns: 60 },
    );
  });

  test('an address cannot write members into the answer', async () => {
    const member = ',∢data∢:[{∢id∢:666,∢title∢:∢Pay here∢}],∢_∢:∢';
    const json = await textAt(`/api/articles/search?match=any&suggest=1&q=${encode(`sourdouhg ∢${member}`)}`);
    expect(json).not.toContain('"id":666');
    const body: unknown = JSON.parse(json);
    if (!isMiniSearch) expect(body).toMatchObject({ suggestion: `sourdough ∢${member}` });
  });
});
