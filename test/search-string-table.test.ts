/** Tables of strings are sorted as the runtime sorts strings. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberedStrings } from '../src/search/build/numbered-strings.js';
import { sortedTable } from '../src/search/build/string-table.js';
import type { StringTable } from '../src/search/tables.js';

const stringsOf = ({ units, offsets }: StringTable): string[] =>
  Array.from({ length: offsets.length - 1 }, (_, i) =>
    String.fromCharCode(...units.subarray(offsets[i], offsets[i + 1]!)),
  );

const string = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aabz09/:`{~éýþÿ漢\u{1f600}\0'), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 14, maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

test('strings are sorted by code units, each with its term', () => {
  fc.assert(
    fc.property(fc.uniqueArray(string, { maxLength: 60 }), (strings) => {
      const given = new NumberedStrings();
      for (const text of strings) {
        const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
        given.numberOf(units, units.length);
      }
      expect(stringsOf(given.table())).toEqual(strings);
      const some = Uint32Array.from(strings.keys()).filter((i) => i % 5 !== 3);
      const table = sortedTable(given.table(), some, Int32Array.from(strings.keys()));
      const sorted = Array.from(some, (i) => strings[i]).sort();
      expect(stringsOf(table)).toEqual(sorted);
      expect(Array.from(table.terms, (term) => strings[term])).toEqual(sorted);
    }),
    { numRuns: 500 },
  );
});
