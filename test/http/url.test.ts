/** Addresses are read alike, however often. */
import { expect, test } from 'vitest';
import { parseUrl } from '../../src/text.js';

test('an address beyond ASCII is an address at the first call and at the 20,000th', () => {
  for (let call = 0; call < 20_000; call++) {
    expect(parseUrl('https://münchen.de/')?.hostname).toBe('xn--mnchen-3ya.de');
    expect(parseUrl('/ä', 'https://münchen.de/')?.href).toBe('https://xn--mnchen-3ya.de/%C3%A4');
  }
  expect(parseUrl('http://[')).toBeNull();
  expect(parseUrl('/a')).toBeNull();
});
