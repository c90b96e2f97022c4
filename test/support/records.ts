/** Records as JSON, in the spellings that programs write and some that none should. */
import fc from 'fast-check';
import { collections, type DocumentedName } from '../../src/model.js';

/** JSON with every character outside ASCII, and control characters, as an escape. */
export const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text as a JSON string, in one of the spellings that programs write. */
const spell = (text: string, how: number): string => {
  const plain = JSON.stringify(text);
  if (how === 1) return inAscii(plain);
  return how === 2 ? plain.replaceAll('/', '\\/') : plain;
};

const anyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Tea',
    'TEA',
    'tea',
    'Café',
    'cafe',
    'a/b',
    'http://x/y',
    '/rel',
    'BrontÃ«',
    '\u2028',
    '\ud800',
    '東京',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
export const textJson = fc.tuple(anyText, fc.nat(3)).map(([text, how]) => spell(text, how));
export const numberJson = fc.oneof(
  fc.integer({ min: -3, max: 9 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '0.0', '12.50', '1e3', '1E+2', '0.1', '1e400', '1e-7', '0.00000012', '9007199254740993'),
  fc.constantFrom('123456789012345', '1234567890123456', '0.30000000000000004', '01', '+1', '.5', '1.', '-', '--1'),
);
const dateJson = fc.oneof(
  fc.date({ min: new Date(-6e13), max: new Date(2e14), noInvalidDate: true }).map((date) => `"${date.toISOString()}"`),
  fc
    .date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true })
    .map((date) => `"${date.toISOString().slice(0, 19)}Z"`),
  fc.constantFrom('"2024-02-30T00:00:00Z"', '"2024-01-01T00:00:00.500Z"', '"2023-12-31T24:00:00Z"', '"8/4/2016 11:52"'),
);
const space = fc.constantFrom('', '', '', '', ' ', '\n', '\t\r\n  ');
const listJson = fc
  .tuple(fc.array(textJson, { maxLength: 3 }), space)
  .map(([texts, gap]) => `[${texts.join(`,${gap}`)}${gap}]`);
export const oddJson = fc.oneof(
  fc.constantFrom('null', 'true', 'false', 'nul', '{}', '[]', '{"name":"x"}', '[1,[2]]', '{"a":}'),
  fc.json(),
);

const valuesOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  integer: numberJson,
  number: numberJson,
  text: textJson,
  url: textJson,
  date: dateJson,
  tags: listJson,
};

/** Members of a record: mostly those of the model in its order, some left out, some of other names or kinds. */
export function anyRecord(collection: DocumentedName): fc.Arbitrary<string> {
  const { fields } = collections.find(({ name }) => name === collection) ?? collections[0];
  const likely = (name: string, kind: string) => {
    const usual = name === 'id' ? fc.nat(30).map(String) : (valuesOf[kind] ?? oddJson);
    return fc.oneof(
      { weight: 12, arbitrary: usual },
      { weight: 1, arbitrary: fc.oneof(oddJson, textJson, numberJson) },
    );
  };
  const members = fields.map(({ name, kind }) =>
    fc.tuple(fc.constantFrom(name, name, name, name, name, name, `${name}_x`), likely(name, kind), fc.nat(15), space),
  );
  const odd = fc.tuple(fc.constantFrom('name', 'extra', 'id', 'a"b', 'é', '0'), oddJson, fc.nat(3), space);
  return fc.tuple(fc.tuple(...members), fc.option(odd), space, fc.boolean()).map(([known, other, gap, swapped]) => {
    const kept = [...known.filter(([, , out]) => out > 0), ...(other ? [other] : [])];
    if (swapped) kept.reverse();
    const texts = kept.map(([name, value, , inner]) => `${inner}${JSON.stringify(name)}${gap}:${inner}${value}${gap}`);
    return `{${texts.join(',')}${gap}}`;
  });
}

/** All names in one order, and values of which most need no parser. */
export function usualProduct(): fc.Arbitrary<string> {
  const quoted = (text: fc.Arbitrary<string>) => text.map((plain) => JSON.stringify(plain));
  const text = quoted(
    fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), fc.constantFrom('Tea', 'tea', 'Café', '東京')),
  );
  const price = fc.oneof(
    fc.integer({ min: -9, max: 99_999 }).map((cents) => String(cents / 100)),
    fc.constantFrom('0.10', '-0', '7.00', '0.0000001', '123456789012345', '1234567890.12345', '99999999999.99999'),
  );
  const orNull = (value: fc.Arbitrary<string>) => fc.oneof({ weight: 9, arbitrary: value }, fc.constant('null'));
  const values = fc.tuple(
    fc.nat(400).map(String),
    text,
    orNull(text),
    orNull(price),
    orNull(quoted(fc.constantFrom('https://example.org/1.jpg', 'https://example.org/.jpg', 'https://e.jpg', 'x', ''))),
    orNull(price),
    orNull(text),
    fc.constantFrom('true', 'false', 'null', '12', '"x"'),
  );
  const names = ['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category', 'is_in_stock_at_the_moment'];
  return fc.tuple(values, space).map(([spelt, gap]) => {
    const members = spelt.map((value, i) => `${gap}"${names[i]}"${gap}:${gap}${value}`);
    return `{${members.join(`${gap},`)}${gap}}`;
  });
}

/** All names in one order, some left out in some records, and values of which most need no parser. */
export function usualArticle(): fc.Arbitrary<string> {
  const text = fc
    .tuple(fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), anyText), fc.constantFrom(0, 0, 0, 1, 2))
    .map(([plain, how]) => spell(plain, how));
  const orNull = (value: fc.Arbitrary<string>) => fc.oneof({ weight: 9, arbitrary: value }, fc.constant('null'));
  const list = fc
    .tuple(fc.array(fc.oneof(fc.constantFrom('"a"', '"b c"', '""', '"é"'), textJson), { maxLength: 3 }), space, space)
    .map(([texts, before, gap]) => `[${before}${texts.join(`,${gap}`)}${gap}]`);
  const odd = fc.constantFrom(
    '["a",]',
    '["a" "b"]',
    '[1]',
    '["a"',
    '[,]',
    '"2024-1-01T00:00:00Z"',
    '"\\x"',
    '"\\u00g0"',
  );
  const values: readonly (readonly [name: string, value: fc.Arbitrary<string>])[] = [
    ['id', fc.nat(400).map(String)],
    ['title', text],
    ['url', orNull(fc.constantFrom('"https://example.org/a?b=c"', '"https:\\/\\/e.org\\/é"', '"/a"', '""'))],
    ['score', orNull(fc.integer({ min: -9, max: 99 }).map(String))],
    ['comments', orNull(fc.nat(99).map(String))],
    ['author', orNull(text)],
    ['date', orNull(dateJson)],
    ['seen', fc.constantFrom('true', '"x\\n"', '12')],
    ['content', orNull(text)],
    ['tags', orNull(list)],
  ];
  const members = values.map(([name, value]) =>
    fc
      .tuple(fc.oneof({ weight: 40, arbitrary: value }, odd), fc.nat(9), space)
      .map(([json, out, gap]) => (out === 0 ? '' : `${gap}"${name}"${gap}:${gap}${json}${gap}`)),
  );
  return fc.tuple(...members).map((kept) => `{${kept.filter((member) => member !== '').join(',')}}`);
}

export const plainProduct = (i: number): string =>
  `{"id":${i},"title":"Tea ${i}","author":"A${i % 9}","price":${i / 4},"imageUrl":"https://x.org/${i}.jpg","rating":${i % 5},"category":"c${i % 7}"}`;
export const plainArticle = (i: number): string =>
  `{"id":${i},"title":"Tea ${i}","url":"https://x.org/${i}","score":${i % 9},"comments":0,"author":"A${i % 9}","date":"2016-08-04T15:52:00Z","seen":true,"content":"${'About tea. '.repeat(i % 40)}","tags":["c${i % 7}"]}`;

const digits = fc.constantFrom(
  '2016-08-04T15:52:00Z',
  '2000-02-29T23:59:59.001Z',
  '1900-02-29T00:00:00Z',
  '0000-01-01T00:00:00Z',
);
const mutated = fc
  .tuple(digits, fc.nat(23), fc.constantFrom(...'0123456789-:TZ.x'))
  .map(([text, at, by]) => text.slice(0, at) + by + text.slice(at + 1));
const anyDate = fc.date({
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const written = anyDate.map((date) => date.toISOString().replace('.000Z', 'Z'));
const ofCalendar = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 27, max: 32 }))
  .map((parts) => parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0')).join('-'));
/** As the service writes it, or nearly so. */
export const anyDateText = fc.oneof(
  mutated,
  written,
  ofCalendar.map((day) => `${day}T00:00:00Z`),
);
