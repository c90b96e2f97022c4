/**
 * A cache of one dataset's responses, bounded by the bytes of responses and keys. A response is cached at its second request:
 * most addresses are visited once, and caching them would cost more than rendering. Two generations approximate recency: an
 * entry used while the younger one fills moves into it, the others are dropped with the older one. Every operation takes
 * constant time. No entry is ever stale: a dataset does not change, and its cache is dropped with it.
 */
import { fnv1a } from '../text.js';

export type ByteCache<T> = ReturnType<typeof createByteCache<T>>;

/** Slots for the hashes of requested keys. The hash gives the slot, and a later key overwrites an earlier one. */
const REMEMBERED_KEYS = 1 << 16;

/** Bytes of an entry besides its value and key: header object and map slots. */
const CACHE_ENTRY_BYTES = 1024;

/** Nobody shares a longer address: such ones are made up, each for one request. */
const MAX_KEY_CHARACTERS = 2048;

/** Bytes of a key, which an entry has twice: as the key, and in the parameters that were read from it. */
const keyBytes = (key: string): number => 2 * key.length * (/^[\0-\xff]*$/.test(key) ? 1 : 2);

export function createByteCache<T>(maxBytes: number) {
  let young = new Map<string, { value: T; bytes: number }>();
  let old = young;
  let youngBytes = 0;
  const requestedHashes = new Int32Array(REMEMBERED_KEYS);

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
    /** Whether this is a repeated call for a key of usual length, as far as it is remembered: then its value is worth caching. */
    isAskedAgain(key: string): boolean {
      if (key.length > MAX_KEY_CHARACTERS) return false;
      const hash = fnv1a(key);
      const slot = hash & (REMEMBERED_KEYS - 1);
      if (requestedHashes[slot] === hash) return true;
      requestedHashes[slot] = hash;
      return false;
    },
    get(key: string): T | undefined {
      const youngEntry = young.get(key);
      if (youngEntry !== undefined) return youngEntry.value;
      const oldEntry = old.get(key);
      if (oldEntry !== undefined) add(key, oldEntry.value, oldEntry.bytes);
      return oldEntry?.value;
    },
    set(key: string, value: T, bytes: number): void {
      const entryBytes = bytes + keyBytes(key) + CACHE_ENTRY_BYTES;
      const replaced = young.get(key);
      if (replaced !== undefined) {
        youngBytes -= replaced.bytes;
        young.delete(key);
      }
      old.delete(key);
      if (entryBytes <= maxBytes / 4) add(key, value, entryBytes);
    },
  };
}
