/** Words come out of buckets as they were put in, sorted by term, however far apart they stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Buckets, bucketsFor, fieldOf, firstTermOf, MAX_FIELDS, positionOf } from '../src/search/buckets.js';
import type { Inverted } from '../src/search/inverter.js';
import { NO_WORDS, sortBucket } from '../src/search/sorted-bucket.js';

/** A word, and how many records lie between it and the one before. */
const word = fc.record({
  term: fc.oneof(fc.nat(40), fc.nat(3000)),
  gap: fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, fc.integer({ min: 30, max: 33 }), fc.nat(100_000)),
  field: fc.nat(MAX_FIELDS - 1),
  position: fc.oneof(fc.nat(300), fc.integer({ min: 65_530, max: 65_540 }), fc.nat(2 ** 29 - 1)),
});
type Word = typeof word extends fc.Arbitrary<infer T> ? T : never;

interface Placed {
  readonly term: number;
  readonly record: number;
  readonly field: number;
  readonly position: number;
}

/** A part of so many words, repeated to fill pieces; records are numbered from `first` on in `placed`. */
function invert(words: readonly Word[], repeat: number, first: number) {
  const buckets = new Buckets();
  const placed: Placed[] = [];
  let record = 0;
  for (let i = 0; i < repeat; i++) {
    for (const { term, gap, field, position } of words) {
      record += gap;
      buckets.add(term, record, field, position);
      placed.push({ term, record: first + record, field, position });
    }
  }
  const inverted: Inverted = {
    records: record + 1,
    lengths: new Uint32Array(0),
    fieldStarts: new Uint32Array(0),
    buckets: buckets.finish(),
  };
  return { inverted, placed };
}

function sortedByTerm(parts: readonly Inverted[], terms: number): Placed[] {
  const found: Placed[] = [];
  for (let bucket = 0; bucket < bucketsFor(terms); bucket++) {
    const { starts, records, places } = sortBucket(parts, bucket, terms, NO_WORDS);
    for (let i = 0; i + 1 < starts.length; i++) {
      for (let at = starts[i]!; at < starts[i + 1]!; at++) {
        const term = firstTermOf(bucket) + i;
        found.push({ term, record: records[at]!, field: fieldOf(places[at]!), position: positionOf(places[at]!) });
      }
    }
  }
  return found;
}

test('words are sorted by term, and else in the order in which they were added', () => {
  const part = fc.array(word, { maxLength: 30 });
  fc.assert(
    fc.property(part, part, fc.constantFrom(1, 1, 200), (one, other, repeat) => {
      const first = invert(one, repeat, 0);
      const second = invert(other, 1, first.inverted.records);
      const placed = [...first.placed, ...second.placed];
      const terms = placed.reduce((most, { term }) => Math.max(most, term + 1), 0);
      const found = sortedByTerm([first.inverted, second.inverted], terms);
      expect(found).toEqual(placed.toSorted((a, b) => a.term - b.term));
    }),
    { numRuns: 100 },
  );
}, 60_000);
