/**
 * Responses of one dataset, bounded by bytes. One is kept when it is asked for again: most addresses are visited
 * once, and keeping what nobody asks for twice costs more than making it. Two generations stand for recency: what is used while the younger
 * fills survives, the rest goes with the older. Every operation is constant, and nothing is ever stale: a dataset does
 * not change, and its cache goes with it.
 */
import { fnv1a } from './semantics/etag.js';

export interface ByteCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
  /** Whether the key has been asked about before, as far as is remembered: then its value is worth keeping. */
  isAskedAgain(key: string): boolean;
}

/** Keys that are remembered, each by a hash at a place that the hash gives; a later one takes the place of an earlier one. */
const REMEMBERED_KEYS = 1 << 16;

/** An entry's key, header object and map slots. */
const ENTRY_BYTES = 1024;

export function createByteCache<T>(maxBytes: number): ByteCache<T> {
  let young = new Map<string, { value: T; bytes: number }>();
  let old = young;
  let youngBytes = 0;
  const asked = new Int32Array(REMEMBERED_KEYS);

  function add(key: string, value: T, bytes: number): void {
    if (youngBytes + bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, { value, bytes });
    youngBytes += bytes;
  }

  return {
    isAskedAgain(key) {
      const hash = fnv1a(key);
      const place = hash & (REMEMBERED_KEYS - 1);
      if (asked[place] === hash) return true;
      asked[place] = hash;
      return false;
    },
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found.value;
      const aging = old.get(key);
      if (aging !== undefined) add(key, aging.value, aging.bytes);
      return aging?.value;
    },
    set(key, value, bytes) {
      const room = bytes + ENTRY_BYTES;
      const replaced = young.get(key);
      if (replaced !== undefined) {
        youngBytes -= replaced.bytes;
        young.delete(key);
      }
      old.delete(key);
      if (room <= maxBytes / 4) add(key, value, room);
    },
  };
}
