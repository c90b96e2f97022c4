/** Clusters are found by their spelling, and no more of them are remembered than there is to be room for. */
import { expect, test } from 'vitest';
import { ClusterTable } from '../src/search/cluster-table.js';
import { WordMemory } from '../src/search/word-memory.js';
import { FREE, UNKNOWN } from '../src/search/word-places.js';

const PLACE = (FREE + 63) & -64;

/** A table, and what writes a cluster to where it is looked for. */
function setUp() {
  const memory = new WordMemory(PLACE + 256);
  const table = new ClusterTable(memory);
  const write = (text: string): number => {
    memory.bytes.fill(0, PLACE, PLACE + 256);
    return memory.bytes.write(text, PLACE);
  };
  return {
    table,
    find: (text: string) => memory.kernel.findCluster(PLACE, write(text)),
    keep: (text: string, standsFor: number) => table.keep(PLACE, write(text), standsFor),
  };
}

test('finds what was kept, and nothing else', () => {
  const { find, keep } = setUp();
  const texts = ['a', 'b1', '12345678', '123456781', '1234567812345678', 'é', '東京', 'x'.repeat(48)];
  for (const text of texts) expect(find(text)).toBe(UNKNOWN);
  const standFor = texts.map((_, i) => (i % 2 === 0 ? i : -2 - i));
  for (const [i, text] of texts.entries()) keep(text, standFor[i] ?? UNKNOWN);
  expect(texts.map(find)).toEqual(standFor);
  for (const text of ['', 'b', '1234567', '12345678123456780', 'x'.repeat(47)]) expect(find(text)).toBe(UNKNOWN);
});

test('has room for 65,536 of up to 48 bytes', () => {
  const { table, find, keep } = setUp();
  expect([table.hasRoomFor(48), table.hasRoomFor(49)]).toEqual([true, false]);
  for (let i = 0; i < 65_536; i++) {
    expect(table.hasRoomFor(6)).toBe(true);
    keep(`n${i}`, i);
  }
  expect(table.hasRoomFor(6)).toBe(false);
  for (let i = 0; i < 65_536; i++) if (find(`n${i}`) !== i) expect(find(`n${i}`)).toBe(i);
  expect(find('n65536')).toBe(UNKNOWN);
});
