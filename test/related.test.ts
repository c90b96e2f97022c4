/** Which records are shown beside one. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { relatedTo } from '../src/http/pages/record/related.js';
import { collectionOf } from '../src/model.js';
import { datasetOf } from './support/api.js';

type Shared = { readonly author?: string; readonly tags?: readonly string[] };

/** Per field: the rows beside `row`, and the values that it shares with how many others. */
function related(records: readonly Shared[], row: number) {
  const articles = records.map((record, id) => ({ id: id + 100, title: 't', ...record }));
  const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
  return Object.fromEntries(
    relatedTo(collection, row).map(({ field, rows, values }) => [field.name, { rows, values }]),
  );
}

describe('related records', () => {
  test('share more first, then stand nearer, and before rather than after', () => {
    const tagged = (...tags: string[]): Shared => ({ tags });
    const records = [
      tagged('a'),
      tagged('a', 'b'),
      tagged('b'),
      tagged('a', 'b'),
      tagged('a'),
      tagged('c'),
      tagged('b', 'a'),
    ];
    const { rows, values } = related(records, 3).tags ?? {};
    expect(rows).toEqual([1, 6, 2, 4, 0]);
    expect(values).toEqual([
      { name: 'a', others: 4 },
      { name: 'b', others: 3 },
    ]);
  });

  test('are six for each field at the most', () => {
    const records = Array.from({ length: 20 }, () => ({ author: 'one', tags: ['a'] }));
    const { author, tags } = related(records, 10);
    expect(author?.rows).toEqual([9, 11, 8, 12, 7, 13]);
    expect(tags?.rows).toEqual(author?.rows);
    expect(author?.values).toEqual([{ name: 'one', others: 19 }]);
  });

  test('values are the same in other case and accents', () =>
    expect(related([{ author: 'José' }, { author: 'JOSE' }], 1).author).toEqual({
      rows: [0],
      values: [{ name: 'José', others: 1 }],
    }));

  test('a field that is shared with nobody is left out', () => {
    expect(
      related(
        [
          { author: 'one', tags: ['a'] },
          { author: 'two', tags: ['a'] },
        ],
        0,
      ),
    ).toEqual({
      tags: { rows: [1], values: [{ name: 'a', others: 1 }] },
    });
    expect(related([{ author: 'one' }, {}], 1)).toEqual({});
  });

  test('of all records they are what a look at each would choose', () => {
    const value = fc.constantFrom('a', 'b', 'c', 'd');
    const record = fc.record({ author: fc.option(value, { nil: undefined }), tags: fc.uniqueArray(value) });
    const some = fc.array(record, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(some, fc.nat(), (records, at) => {
        const row = at % records.length;
        const plain = records.map(({ author, tags }) => ({ tags, ...(author !== undefined && { author }) }));
        for (const field of ['author', 'tags'] as const) {
          const listOf = (other: number): readonly string[] => [records[other]?.[field] ?? []].flat();
          const sharedWith = (other: number): number => listOf(other).filter((one) => listOf(row).includes(one)).length;
          const expected = [...records.keys()]
            .filter((other) => other !== row && sharedWith(other) > 0)
            .sort((a, b) => sharedWith(b) - sharedWith(a) || Math.abs(a - row) - Math.abs(b - row) || a - b);
          expect(related(plain, row)[field]?.rows ?? []).toEqual(expected.slice(0, 6));
        }
      }),
    );
  }, 30_000);
});
