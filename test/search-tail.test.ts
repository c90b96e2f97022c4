/** Documents that are read out of the stores give the terms that they gave when they arrived. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { claimDocuments, createControl, endReading } from '../src/build/control.js';
import { createStoresBuilder } from '../src/build/parts.js';
import { cutTails, readTail, SHARE } from '../src/build/tail.js';
import { loadSnapshots } from '../src/load/load.js';
import { type CollectionName, collectionOf, collections } from '../src/model.js';
import { type BucketMemories, createBucketMemories, memoryOf } from '../src/search/bucket-memory.js';
import { type BucketWords, NEXT_PIECE, PIECE_END, PIECE_WORDS } from '../src/search/buckets.js';
import { invertTail, type Tail, TailBuilder } from '../src/search/part-builder.js';
import type { FieldText } from '../src/search/search.js';
import { LISTED_BYTES } from '../src/search/word-places.js';
import { createSearchedTexts } from '../src/store/documents.js';

const dir = mkdtempSync(join(tmpdir(), 'tail-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Loads a dump into stores, and keeps the texts of its documents. */
async function load(name: CollectionName, records: readonly object[]) {
  const folder = mkdtempSync(join(dir, 'folder-'));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(records));
  const model = collections.find((one) => one.name === name)!;
  const texts = createSearchedTexts(model);
  const documents: FieldText[][] = [];
  const builder = createStoresBuilder();
  const loaded = await loadSnapshots({
    dir: folder,
    onRecord(collection, values) {
      documents.push(texts.of(values));
      return builder.add(collection, values);
    },
    onRaw(collection, raw) {
      documents.push(texts.ofRaw(raw));
      return builder.addRaw(collection, raw);
    },
  });
  expect(loaded.ok).toBe(true);
  const rowOf = builder.rowOf();
  return { model, documents, rowOf, stores: builder.finish() };
}

/** The words of each bucket, piece by piece. */
function piecesOf(memories: BucketMemories, { first }: BucketWords): Uint8Array[][] {
  return Array.from(first, (piece, bucket) => {
    const { buffer } = memoryOf(memories, bucket);
    const numbers = new Uint32Array(buffer);
    const pieces: Uint8Array[] = [];
    for (let at = piece; at > 0; at = numbers[(at + NEXT_PIECE) / 4]!) {
      const from = at + PIECE_WORDS;
      pieces.push(new Uint8Array(buffer, from, numbers[(at + PIECE_END) / 4]! - from));
    }
    return pieces;
  });
}

/** The tail's words, and what is inverted of it. */
function outcome({ words, streams }: Tail) {
  const memories = createBucketMemories();
  const { buckets, ...inverted } = invertTail(
    streams,
    [2, 1, 1, 1],
    Uint32Array.from({ length: words.keys.length / LISTED_BYTES }, (_, term) => term),
    memories,
  );
  return { words, ...inverted, buckets: piecesOf(memories, buckets) };
}

const text = fc.oneof(
  fc.constantFrom(
    'Tea & scones',
    'naïve café',
    '漢字文 kana',
    'e-mail C++',
    '"quoted" \\ back',
    'tab\tand\nbreak',
    '\u0000',
    '😀 face',
  ),
  fc.string({ maxLength: 40 }),
);
/** Of either collection; names that it lacks are left out. */
const OPTIONAL = ['content', 'author', 'description', 'category', 'brand'];

describe('the tail of the documents', () => {
  const fields = { title: text, ...Object.fromEntries(OPTIONAL.map((name) => [name, fc.option(text)])) };
  const some = fc.array(
    fc.record({ id: fc.integer({ min: 1, max: 12 }), tags: fc.array(text, { maxLength: 3 }), ...fields }),
    { minLength: 1, maxLength: 12 },
  );

  test.each(['articles', 'products'] as const)(
    'has the terms of %s as they arrived, whichever were replaced',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(some, fc.nat(12), async (records, at) => {
          const { model, documents, rowOf, stores } = await load(name, records);
          const rows = collectionOf(rowOf, name);
          expect(rows.length).toBe(documents.length);
          const first = Math.min(at, rows.length);
          const expected = new TailBuilder();
          documents.forEach((texts, document) => {
            if (document >= first) expected.add(rows[document]! < 0 ? [] : texts);
          });
          expect(outcome(readTail(model, collectionOf(stores, name), rows, first))).toEqual(outcome(expected.finish()));
        }),
        { numRuns: 60 },
      );
    },
    60_000,
  );

  test('is a share of what the reader has not claimed; nothing of few, or when all is read', async () => {
    const records = Array.from({ length: 6000 }, (_, i) => ({
      id: i + 1,
      title: `title ${i}`,
      content: 'x'.repeat(1000),
    }));
    const { rowOf, stores } = await load('articles', records);
    const control = createControl();
    let claimed = 0;
    while (claimed < 2000) claimed = claimDocuments(control, 'articles', claimed);
    const cuts = cutTails(control, stores, rowOf);
    expect(Math.abs((cuts?.get('articles') ?? 0) - (6000 - SHARE * (6000 - claimed)))).toBeLessThanOrEqual(1);
    expect(cuts?.get('products')).toBe(0);
    // The reader is held to it.
    let read = claimed;
    for (
      let next = claimDocuments(control, 'articles', read);
      next > read;
      next = claimDocuments(control, 'articles', read)
    )
      read = next;
    expect(read).toBe(cuts?.get('articles'));
    expect(endReading(control, 'articles', read)).toBe(false);
    expect(endReading(control, 'products', 0)).toBe(true);

    const nearlyRead = createControl();
    for (claimed = 0; claimed < 5000; ) claimed = claimDocuments(nearlyRead, 'articles', claimed);
    expect(cutTails(nearlyRead, stores, rowOf)).toBeUndefined();
    expect(endReading(nearlyRead, 'articles', claimed)).toBe(true);
    const read6000 = createControl();
    expect(endReading(read6000, 'articles', 0)).toBe(true);
    expect(cutTails(read6000, stores, rowOf)).toBeUndefined();
  });
});
