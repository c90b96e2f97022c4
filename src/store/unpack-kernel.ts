/** Packed records (`packed-text.ts`) → JSON text, sixteen bytes at a time: what is written too much is overwritten by the next. */
import {
  add,
  again,
  bytesOf,
  type Code,
  createKernel,
  get,
  giveBack,
  I32,
  i32,
  increase,
  isZero,
  less,
  lessBytes,
  load8,
  load32,
  loadV128,
  loop,
  multiply,
  set,
  signsOfBytes,
  store32,
  storeV128,
  trailingZeros,
  V128,
  type WasmFunction,
  when,
} from '../assembly.js';

/** What a code stands for, from address 0 on: the length of what goes before the value and of what goes behind it, and both. */
export const PIECE_BYTES = 128;
export const BEFORE_LENGTH = 0;
export const AFTER_LENGTH = 4;
export const BEFORE = 8;
export const AFTER = 96;
export const MOST_BEFORE_BYTES = AFTER - BEFORE;

const VECTOR_BYTES = 16;
const FIRST_VALUE = 0x20;

export interface UnpackKernel {
  /**
   * Writes so many records, which begin where `starts` tells, to `to`, each up to its first code from `endCode` on and with
   * `ending` behind it, which is so long; returns where they end.
   */
  unpack(starts: number, records: number, endCode: number, ending: number, endingLength: number, to: number): number;
}

const [starts, records, endCode, ending, endingLength, to, from, code, piece, length, bytes] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;

/** Copies what stands at `offset` of the piece; most is short. */
const copyPiece = (lengthAt: number, offset: number): Code => [
  ...set(length, load32(get(piece), lengthAt)),
  ...storeV128(get(to), loadV128(get(piece), offset)),
  ...when(
    less(i32(VECTOR_BYTES), get(length)),
    ...[1, 2, 3, 4, 5].map((i) =>
      storeV128(add(get(to), i32(i * VECTOR_BYTES)), loadV128(get(piece), offset + i * VECTOR_BYTES)),
    ),
  ),
  ...increase(to, get(length)),
];

const unpack: WasmFunction = {
  name: 'unpack',
  parameters: [I32, I32, I32, I32, I32, I32],
  results: [I32],
  locals: [I32, I32, I32, I32, V128],
  body: [
    loop(
      when(isZero(get(records)), giveBack(get(to))),
      set(from, load32(get(starts))),
      loop(
        set(code, load8(get(from))),
        when(
          less(get(code), get(endCode)),
          set(piece, multiply(get(code), i32(PIECE_BYTES))),
          copyPiece(BEFORE_LENGTH, BEFORE),
          increase(from, 1),
          loop(
            set(bytes, loadV128(get(from))),
            storeV128(get(to), get(bytes)),
            set(length, signsOfBytes(lessBytes(get(bytes), bytesOf(FIRST_VALUE)))),
            when(isZero(get(length)), increase(from, VECTOR_BYTES), increase(to, VECTOR_BYTES), again(1)),
          ),
          increase(from, trailingZeros(get(length))),
          increase(to, trailingZeros(get(length))),
          copyPiece(AFTER_LENGTH, AFTER),
          again(1),
        ),
      ),
      store32(get(to), get(ending)),
      increase(to, get(endingLength)),
      increase(starts, 4),
      increase(records, i32(-1)),
      again(0),
    ),
    i32(0),
  ],
};

export const createUnpackKernel = createKernel<UnpackKernel>([unpack]);
