/** Tables of strings are sorted as the runtime sorts strings. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedTable } from '../src/search/string-table.js';
import type { StringTable } from '../src/search/tables.js';
import { NumberedStrings } from '../src/search/unit-strings.js';

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
      const table = sortedTable(given.table(), Uint32Array.from(strings.keys()));
      expect(stringsOf(table)).toEqual(strings.toSorted());
      expect(Array.from(table.terms, (term) => strings[term])).toEqual(strings.toSorted());
    }),
    { numRuns: 500 },
  );
});
