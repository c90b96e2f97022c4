/** Clusters by their spelling, in WebAssembly: an open-addressing hash table. See `clusters.ts`. */
import {
  add,
  again,
  againIf,
  and,
  type Code,
  differs,
  differs64,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  increaseAt,
  isZero,
  less,
  load32,
  load64,
  loop,
  multiply,
  multiply64,
  set,
  shiftRight64,
  store32,
  store64,
  toI32,
  toI64,
  type WasmFunction,
  when,
  xor64,
} from '../assembly.js';
import {
  CLUSTER_ENTRY_BYTES,
  CLUSTER_LENGTH,
  CLUSTER_TABLE,
  FOUND,
  FOUND_ENTRY,
  FOUND_HASH,
  HASH,
  KEY_BYTES,
  MASK,
  STANDS_FOR,
  TAKEN,
  UNKNOWN,
} from './word-places.js';

/** With the zeros behind it. */
export const paddedLength = (length: Code): Code => and(add(length, i32(KEY_BYTES - 1)), i32(-KEY_BYTES));

export const findCluster = ((): WasmFunction => {
  const [at, length, end, index, entry, next, known, hash] = [0, 1, 2, 3, 4, 5, 6, 7];
  const found = (value: Code): Code => [
    ...store32(i32(FOUND_ENTRY), get(entry)),
    ...store32(i32(FOUND), value),
    ...giveBack(load32(i32(FOUND))),
  ];
  return {
    name: 'findCluster',
    parameters: [I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32, I64],
    body: [
      set(end, add(get(at), paddedLength(get(length)))),
      set(hash, toI64(get(length))),
      set(next, get(at)),
      loop(
        set(hash, multiply64(xor64(get(hash), load64(get(next))), i64(-0x61c8864680b583ebn))),
        set(hash, xor64(get(hash), shiftRight64(get(hash), i64(29n)))),
        increase(next, KEY_BYTES),
        againIf(less(get(next), get(end)), 0),
      ),
      set(index, toI32(get(hash))),
      store32(i32(FOUND_HASH), get(index)),
      loop(
        set(index, and(get(index), load32(i32(CLUSTER_TABLE + MASK)))),
        set(entry, add(load32(i32(CLUSTER_TABLE)), multiply(get(index), i32(CLUSTER_ENTRY_BYTES)))),
        increase(index, 1),
        set(known, load32(get(entry))),
        when(isZero(get(known)), found(i32(UNKNOWN))),
        againIf(differs(load32(get(entry), HASH), load32(i32(FOUND_HASH))), 0),
        againIf(differs(load32(get(entry), CLUSTER_LENGTH), get(length)), 0),
        set(next, get(at)),
        loop(
          againIf(differs64(load64(get(known)), load64(get(next))), 1),
          increase(known, KEY_BYTES),
          increase(next, KEY_BYTES),
          againIf(less(get(next), get(end)), 0),
        ),
        found(load32(get(entry), STANDS_FOR)),
      ),
      i32(0),
    ],
  };
})();

export const keepCluster = ((): WasmFunction => {
  const [at, length, standsFor, entry] = [0, 1, 2, 3];
  return {
    name: 'keepCluster',
    parameters: [I32, I32, I32],
    results: [],
    locals: [I32],
    body: [
      set(entry, load32(i32(FOUND_ENTRY))),
      store32(get(entry), get(at)),
      store32(get(entry), get(standsFor), STANDS_FOR),
      store32(get(entry), load32(i32(FOUND_HASH)), HASH),
      store32(get(entry), get(length), CLUSTER_LENGTH),
      increaseAt(CLUSTER_TABLE + TAKEN),
    ],
  };
})();

export const moveClusters = ((): WasmFunction => {
  const [from, end, table, mask, index, entry] = [0, 1, 2, 3, 4, 5];
  return {
    name: 'moveClusters',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32],
    body: [
      loop(
        when(
          less(get(from), get(end)),
          when(
            load32(get(from)),
            set(index, load32(get(from), HASH)),
            loop(
              set(index, and(get(index), get(mask))),
              set(entry, add(get(table), multiply(get(index), i32(CLUSTER_ENTRY_BYTES)))),
              increase(index, 1),
              againIf(load32(get(entry)), 0),
            ),
            store64(get(entry), load64(get(from))),
            store64(get(entry), load64(get(from), HASH), HASH),
          ),
          increase(from, CLUSTER_ENTRY_BYTES),
          again(1),
        ),
      ),
    ],
  };
})();
