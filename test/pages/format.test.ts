/** Markup, numbers and dates as pages write them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelOf, longDate, numberText, withSign } from '../../src/http/markup/format.js';
import { html } from '../../src/http/markup/html.js';

test('markup is escaped, also as text, attribute or list', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const made = html`<a title="${text}">${[text, [text]]}</a>`.toString();
      expect(made.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
      expect(made.match(/"/g)).toHaveLength(2);
    }),
  );
});

test('counts are written as formats write them', () => {
  const format = new Intl.NumberFormat('en');
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      expect(numberText(n)).toBe(format.format(n));
    }),
  );
  expect([0, -0, 999, 1000, 1_000_000].map((n) => numberText(n))).toEqual(['0', '0', '999', '1,000', '1,000,000']);
});

test('a currency has its sign, however the dump names it', () => {
  const texts = ['EUR', '€', 'GBP', 'CAD', 'CHF', 'BTC', 'kr', 'US$'].map((currency) => withSign({ currency }, '5'));
  expect(texts).toEqual(['€5', '€5', '£5', 'CA$5', 'CHF\u00a05', 'BTC\u00a05', 'kr\u00a05', 'US$5']);
});

test('numbers of hundreds of digits are short', () => {
  expect([1e20, 1e21, -1e300].map((n) => numberText(n))).toEqual(['100,000,000,000,000,000,000', '1e+21', '-1e+300']);
});

test('a key that the dump calls id has a label of its own', () => {
  const fields = [
    { name: 'id' },
    { name: 'key', sourcePath: ['id'] },
    { name: 'key', sourcePath: ['_id'] },
    { name: 'key', sourcePath: ['key'] },
    { name: 'key', sourcePath: ['Art. No.'] },
    { name: 'sku', sourcePath: ['sku'] },
  ];
  expect(fields.map(labelOf)).toEqual(['ID', 'ID in the dump', 'ID in the dump', 'Key', 'Art. No.', 'SKU']);
});

test('dates are written as a format of their own would write them', () => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (time) => {
      expect(longDate(time.getTime())).toBe(`${format.format(time)} UTC`);
    }),
  );
});
