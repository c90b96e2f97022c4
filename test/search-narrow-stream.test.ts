/** Streams that are set aside are given back, whatever their terms and marks. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_FIELDS } from '../src/search/buckets.js';
import { StreamDecoder, StreamEncoder } from '../src/search/narrow-stream.js';
import { splitStreams } from '../src/search/part-builder.js';
import { BESIDE, FIELD, GAP, RECORD } from '../src/search/term-stream.js';

const marks = [RECORD, GAP, BESIDE, ...Array.from({ length: MAX_FIELDS }, (_, field) => FIELD - field)];
const edges = [
  0,
  1,
  ...Array.from({ length: 20 }, (_, i) => 0xfff0 - 8 + i),
  0xffff,
  0x10000,
  0x1ffff,
  0x20000,
  0x1fffff,
];
const entry = fc.oneof(fc.constantFrom(...marks), fc.constantFrom(...edges), fc.nat(0x2ffff));
const termOf = Uint32Array.from({ length: 0x200000 }, (_, i) => (i * 7919) % 0x200000);

const encoder = new StreamEncoder();
const decoder = new StreamDecoder(termOf);
const encoded = (entries: Int32Array): Uint16Array => new Uint16Array(encoder.encode(entries).slice().buffer);

test('entries come back, each term as what it is to be', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
      const codes = encoded(Int32Array.from(entries));
      expect([...decoder.decode(codes)]).toEqual(entries.map((one) => (one < 0 ? one : termOf[one])));
    }),
    { numRuns: 500 },
  );
});

test('streams are split where a record begins, and nothing is lost', () => {
  const record = fc
    .array(entry, { maxLength: 12 })
    .map((entries) => [RECORD, ...entries.filter((one) => one !== RECORD)]);
  const cuts = { count: 0 };
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 20 }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(10),
      (records, piece, tenths) => {
        const entries = Int32Array.from(records.flat());
        const streams: Uint16Array[] = [];
        for (let at = 0; at < entries.length; at += piece) {
          streams.push(encoded(entries.subarray(at, at + piece)));
        }
        const parts = splitStreams(streams, tenths / 10).map((some) =>
          some.flatMap((codes) => [...decoder.decode(codes)]),
        );
        expect(parts.flat()).toEqual([...entries].map((one) => (one < 0 ? one : termOf[one])));
        expect(parts[1]![0] ?? RECORD).toBe(RECORD);
        if (parts.every((part) => part.length > 0)) cuts.count++;
      },
    ),
    { numRuns: 500 },
  );
  expect(cuts.count).toBeGreaterThan(50);
});
