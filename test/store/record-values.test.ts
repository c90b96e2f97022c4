/** Of a long record the beginning is read: what comes of it is what the record holds, as far as it was read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionOf } from '../../src/model.js';
import { recordBytes } from '../../src/store/record-text.js';
import { briefRecord } from '../../src/store/record-values.js';
import { datasetOf } from '../support/api.js';

const contents = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', '\u0001', 'é', '豆', '😀', 'u', 'a'), maxLength: 60 }),
  fc.constant(null),
);

test('a record that is cut off anywhere', () =>
  fc.assert(
    fc.property(contents, fc.constantFrom([], ['a', 'b c']), (content, tags) => {
      const articles = [{ id: 7, title: 'Title "7"', content, tags }];
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const whole = briefRecord(collection, 0, recordBytes(collection.text, 0, 'whole'));
      expect(whole).toMatchObject({ id: 7, title: 'Title "7"' });
      for (
        let bytes = recordBytes(collection.text, 0, 'item');
        bytes < recordBytes(collection.text, 0, 'whole');
        bytes++
      ) {
        const { content: begun, tags: names = [], ...item } = briefRecord(collection, 0, bytes);
        expect(item).toEqual({ ...item, id: 7, title: 'Title "7"' });
        expect(names).toEqual(tags);
        // Half a character is none.
        if (begun !== null) expect(String(whole.content)).toContain(String(begun).replace(/\ufffd+$/, ''));
      }
    }),
    { numRuns: 30 },
  ));
