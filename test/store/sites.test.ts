/** The site of an address is the host that its link leads to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionOf } from '../../src/model.js';
import { siteIn, siteOf } from '../../src/store/sites.js';
import { allValues } from '../../src/store/value-index.js';
import { datasetOf } from '../support/api.js';

test.each([
  ['https://www.Example.com/a?b', 'example.com'],
  ['http://example.com:8080', 'example.com'],
  ['  https://example.com/', 'example.com'],
  ['https://paypal.com:x@evil.example/', 'evil.example'],
  ['https://user:pw@example.com/', 'example.com'],
  ['https://user@example.com', 'example.com'],
  ['http://[2001:db8::1]/', '[2001:db8::1]'],
  ['https://münchen.de/', 'xn--mnchen-3ya.de'],
  ['https://xn--mnchen-3ya.de/', 'xn--mnchen-3ya.de'],
  ['http://0x01020304/', '1.2.3.4'],
  ['http://127.1/', '127.0.0.1'],
  ['http://ｅｘａｍｐｌｅ.com/', 'example.com'],
  ['http://example%2ecom/', 'example.com'],
  ['http:\\\\example.com\\a', 'example.com'],
  ['http:example.com', 'example.com'],
  ['http://a.test:80/', 'a.test'],
  ['http://a.test:65535/', 'a.test'],
  ['http://a.test:99999/', null],
  ['http://ab--c.test/', 'ab--c.test'],
  ['http://a b.com/', null],
  ['http://', null],
  ['/p/1', null],
  ['//example.com/', null],
  ['ftp://example.com/', null],
  ['javascript:alert(1)', null],
])('%s', (url, site) => {
  expect(siteOf(url)).toBe(site);
  const { collections } = datasetOf({ articles: [{ id: 1, title: 'a', url }] }).dataset;
  const index = collectionOf(collections, 'articles').values.get('url');
  expect(index && allValues(index).map((value) => value.toLowerCase())).toEqual(site === null ? [] : [site]);
});

test('what is read from bytes is what the slow way reads', () => {
  const part = fc.constantFrom(
    'http',
    's',
    '://',
    ':',
    '/',
    '@',
    '.',
    'www.',
    'A',
    'b1',
    '1',
    '0x1',
    '-',
    '_',
    '[',
    ']',
    '?',
    '#',
    'é',
    ' ',
    '%2e',
    '80',
    '99999',
    'xn--',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const url = parts.join('');
      const bytes = Buffer.from(url);
      const site = siteIn(bytes, 0, bytes.length);
      if (site !== 'odd') expect(site && bytes.toString('latin1', ...site).toLowerCase()).toBe(siteOf(url));
    }),
    { numRuns: 2000 },
  );
});
