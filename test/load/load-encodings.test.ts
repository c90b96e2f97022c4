/** Encodings other than UTF-8: what is read, what is refused, and what is said of both. */
import { describe, expect, test } from 'vitest';
import { isEncoding } from '../../src/load/source/decode.js';
import { loadFiles } from '../support/load.js';

/** Texts in encodings that Node writes none of: made by iconv. */
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const HEAD = Buffer.from('id,title\n');
const row = (id: number, title: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${id},`), title, Buffer.from('\n')]);
const csv = (...titles: readonly Uint8Array[]): Buffer =>
  Buffer.concat([HEAD, ...titles.map((title, i) => row(i + 1, title))]);
const json = (title: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('[{"id":1,"title":"'), title, Buffer.from('"}]')]);

const SAMPLES = {
  shift_jis: ['表示ソース', bytes('955c8ea6835c815b8358')],
  'euc-jp': ['表示ソース', bytes('c9bdbca8a5bda1bca5b9')],
  'windows-1251': ['Привет мир', bytes('cff0e8e2e5f220ece8f0')],
  'koi8-r': ['Привет мир', bytes('f0d2c9d7c5d420cdc9d2')],
  gb18030: ['中文的书名', bytes('d6d0cec4b5c4cae9c3fb')],
  'windows-1253': ['Καλημέρα', bytes('cae1ebe7ecddf1e1')],
} as const;

/** Those that windows-1252 reads without an undefined byte are read, and named in the warning. */
const isReadAsLatin = (encoding: string): boolean => encoding === 'euc-jp';

describe.each(Object.entries(SAMPLES))('%s', (encoding, [text, title]) => {
  test.skipIf(isReadAsLatin(encoding)).each([
    ['CSV', 'products.csv', csv(title)],
    ['JSON', 'products.json', json(title)],
  ])('%s is refused, with the text as it would be read', async (_, name, content) => {
    const { fault } = await loadFiles({ [name]: content });
    expect(fault).toContain(`${name}: expected UTF-8, found another encoding in 1 line: one is "`);
    expect(fault).toContain(text);
    expect(fault).toMatch(new RegExp(`" in ${encoding}, or |, or ".*" in ${encoding};`));
    expect(fault).toMatch(/; --encoding NAME says which$/);
  });

  test('is read by its name', async () => {
    for (const [name, content] of [
      ['products.csv', csv(title)],
      ['products.json', json(title)],
    ] as const) {
      const { records, fault, warnings } = await loadFiles({ [name]: content }, { encoding });
      expect([fault, records.map(([, read]) => read), warnings]).toEqual([undefined, [text], []]);
    }
  });
});

test('the likeliest encoding is named first', async () => {
  for (const [encoding, [text, title]] of Object.entries(SAMPLES)) {
    const { fault, warnings } = await loadFiles({ 'products.csv': csv(title) });
    expect(fault ?? warnings[0]).toContain(`one is "1,${text}" in ${encoding}`);
  }
});

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('windows-1252 is read without a flag', () => {
  test.each([
    'Café',
    'Crème brûlée',
    'GRÜẞE'.replace('ẞ', '\xdf'),
    '12 \x80',
    '\x93quoted\x94',
    'Ångström',
    'naïve, Škoda'.replace('Š', '\x8a'),
  ])('%s', async (title) => {
    const { fault, warnings } = await loadFiles({ 'products.json': json(latin1(title)) });
    expect(fault).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^products\.json: some text is not in UTF-8 and was read as windows-1252, in 1 line: one is .* in windows-1252, or .*; --encoding NAME says which$/,
      ),
    ]);
  });

  test('not where it gives an undefined byte, or three letters beyond ASCII side by side', async () => {
    for (const title of ['x\x81', 'x\x8dy', '\x9d', 'abc\xc0\xc1\xc2def'])
      expect((await loadFiles({ 'products.json': json(latin1(title)) })).fault).toContain('expected UTF-8');
    expect((await loadFiles({ 'products.json': json(latin1('a\xc0b\xc1c \xc2\xc3')) })).fault).toBeUndefined();
  });

  test('UTF-8 beside it is none of these', async () => {
    const mixed = Buffer.concat([Buffer.from('Привет, 商品 '), latin1('Caf\xe9')]);
    const { fault } = await loadFiles({ 'products.json': json(mixed) });
    expect(fault).toBeUndefined();
  });

  test('a character of UTF-8 that stands on two chunks is none either', async () => {
    for (const shift of ['', 'x', 'xx']) {
      const record = (id: number) => JSON.stringify({ id, title: `${shift}${'商品の名前'.repeat(20)}` });
      const text = `[${Array.from({ length: 6000 }, (_, i) => record(i + 1)).join(',')}]`;
      const { fault, warnings, records } = await loadFiles({ 'products.json': text });
      expect([fault, warnings, records.length]).toEqual([undefined, [], 6000]);
    }
  });

  test('a foreign line far behind is refused as well, and all of them are counted', async () => {
    const many = Array.from({ length: 40_000 }, (_, i) => Buffer.from(`A long enough title of record ${i}`));
    const [, title] = SAMPLES['windows-1251'];
    const { fault } = await loadFiles({ 'products.csv': csv(...many, title, title, latin1('Caf\xe9')) });
    expect(fault).toContain(
      'products.csv: expected UTF-8, found another encoding in 3 lines: one is "40001,Привет мир"',
    );
  });
});

describe('UTF-16 without a mark', () => {
  const utf16 = (text: string, isBig: boolean): Buffer => {
    const little = Buffer.from(text, 'utf16le');
    return isBig ? little.swap16() : little;
  };

  test.each([
    ['JSON', 'products.json', '[{"id":1,"title":"Tea"}]', 'Tea'],
    ['JSON that is mostly Japanese', 'products.json', '[{"id":1,"title":"日本の表示ソース"}]', '日本の表示ソース'],
    ['CSV', 'products.csv', 'id,title\n1,Tea\n', 'Tea'],
  ])('%s', async (_, name, text, title) => {
    for (const isBig of [false, true])
      expect((await loadFiles({ [name]: utf16(text, isBig) })).records.map(([, read]) => read)).toEqual([title]);
  });

  test('a zero byte in a text does not make it UTF-16', async () => {
    expect((await loadFiles({ 'products.csv': 'id,ti\0tle\n1,a' })).fault).toContain('found NUL bytes');
  });
});

test.each(['shift_jis', 'SJIS', 'latin1', 'UTF-16LE', 'gbk'])('%s is a name of an encoding', (name) => {
  expect(isEncoding(name)).toBe(true);
});
test.each(['', 'utf8mb4', 'klingon', 'utf-32'])('%s is none', (name) => expect(isEncoding(name)).toBe(false));
