/**
 * Records of a batch → packed text (`packed-text.ts`), in the memory in which the batch stands. WebAssembly compares
 * and copies sixteen bytes at once; what it writes past a value's end the next value overwrites.
 */

import {
  add,
  again,
  and,
  type Code,
  createKernel,
  equal,
  equalBytes,
  get,
  giveBack,
  I32,
  i32,
  less,
  load8,
  load32,
  loadV128,
  loop,
  multiply,
  otherwise,
  set,
  signsOfBytes,
  store8,
  store32,
  storeV128,
  subtract,
  type WasmFunction,
  when,
} from '../assembly.js';
import { NULL, PLAIN_TEXT } from '../raw.js';

const VECTOR_BYTES = 16;
export const MOST_PREFIX_BYTES = 2 * VECTOR_BYTES;
export const MOST_SUFFIX_BYTES = VECTOR_BYTES;

/** How a field is written: its column, and for its value whole or between its affixes the code and the bytes that that stands for; */
export const STEP_BYTES = 112;
export const COLUMN = 0;
export const WHOLE_CODE = 4;
export const WHOLE_BYTES = 8;
export const SHORT_CODE = 12;
export const SHORT_BYTES = 16;
/** which bytes of the affixes count; their lengths; the prefix, and the suffix at the end of a vector. */
export const PREFIX_MASKS = 20;
export const SUFFIX_MASK = 28;
export const PREFIX_BYTES = 32;
export const SUFFIX_BYTES = 36;
export const PREFIX = 48;
export const SUFFIX = 80;
/** Whether the field is a list, which is left out where there is none; where the list item ends before the field. */
export const IS_LIST = 96;
export const IS_DETAIL = 100;

/** What is written of a record: where it ends, and the bytes that it stands for: of its list item, and of all. */
export const RESULT_BYTES = 12;

export interface PackKernel {
  /** Writes records to `out` and `results`; returns where they end. */
  pack(
    records: number,
    steps: number,
    stepsEnd: number,
    kinds: number,
    starts: number,
    ends: number,
    out: number,
    results: number,
  ): number;
}

const [records, steps, stepsEnd, kinds, starts, ends, out, results] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [row, step, cell, kind, from, to, copied, bytes, itemBytes] = [8, 9, 10, 11, 12, 13, 14, 15, 16] as const;

const grow = (local: number, by: Code): Code => set(local, add(get(local), by));
const ofStep = (offset: number): Code => load32(get(step), offset);

/** Whether the vector at `address` has the bytes of that in the step that the mask counts. */
const agrees = (address: Code, offset: number, mask: number): Code =>
  equal(and(signsOfBytes(equalBytes(loadV128(address), loadV128(get(step), offset))), ofStep(mask)), ofStep(mask));

const write = (code: number, standsFor: number): Code => [
  ...store8(get(out), ofStep(code)),
  ...grow(out, i32(1)),
  ...grow(bytes, ofStep(standsFor)),
];

/** Takes the quotes and affixes off a text, if it has them. */
const shorten: Code = [
  ...set(cell, i32(0)),
  ...when(
    equal(get(kind), i32(PLAIN_TEXT)),
    set(cell, agrees(add(get(from), i32(1)), PREFIX, PREFIX_MASKS)),
    set(cell, and(get(cell), agrees(add(get(from), i32(1 + VECTOR_BYTES)), PREFIX + VECTOR_BYTES, PREFIX_MASKS + 4))),
    set(cell, and(get(cell), agrees(subtract(get(to), i32(1 + VECTOR_BYTES)), SUFFIX, SUFFIX_MASK))),
    // The affixes must not overlap.
    when(
      less(subtract(get(to), get(from)), add(add(ofStep(PREFIX_BYTES), ofStep(SUFFIX_BYTES)), i32(2))),
      set(cell, i32(0)),
    ),
  ),
  ...otherwise(
    get(cell),
    [
      write(SHORT_CODE, SHORT_BYTES),
      grow(from, add(ofStep(PREFIX_BYTES), i32(1))),
      set(to, subtract(subtract(get(to), ofStep(SUFFIX_BYTES)), i32(1))),
    ],
    [write(WHOLE_CODE, WHOLE_BYTES)],
  ),
];

const copy: Code = [
  ...set(copied, i32(0)),
  ...set(to, subtract(get(to), get(from))),
  ...loop(
    storeV128(add(get(out), get(copied)), loadV128(add(get(from), get(copied)))),
    grow(copied, i32(VECTOR_BYTES)),
    when(less(get(copied), get(to)), again(1)),
  ),
  ...grow(out, get(to)),
  ...grow(bytes, get(to)),
];

const wordAt = (table: number): Code => load32(add(get(table), multiply(get(cell), i32(4))));

/** A record's text ends with this; the byte stands for its closing brace. */
export const END = 31;

const pack: WasmFunction = {
  name: 'pack',
  parameters: [I32, I32, I32, I32, I32, I32, I32, I32],
  results: [I32],
  locals: [I32, I32, I32, I32, I32, I32, I32, I32, I32],
  body: [
    loop(
      when(equal(get(row), get(records)), giveBack(get(out))),
      set(step, get(steps)),
      set(bytes, i32(0)),
      set(itemBytes, i32(0)),
      loop(
        set(cell, add(ofStep(COLUMN), get(row))),
        set(kind, load8(add(get(kinds), get(cell)))),
        set(from, wordAt(starts)),
        set(to, wordAt(ends)),
        when(and(ofStep(IS_DETAIL), equal(get(itemBytes), i32(0))), set(itemBytes, get(bytes))),
        when(equal(and(ofStep(IS_LIST), less(get(kind), i32(NULL + 1))), i32(0)), shorten, copy),
        grow(step, i32(STEP_BYTES)),
        when(less(get(step), get(stepsEnd)), again(1)),
      ),
      store8(get(out), i32(END)),
      grow(out, i32(1)),
      when(equal(get(itemBytes), i32(0)), set(itemBytes, get(bytes))),
      store32(get(results), get(out)),
      store32(get(results), get(itemBytes), 4),
      store32(get(results), add(get(bytes), i32(1)), 8),
      grow(results, i32(RESULT_BYTES)),
      grow(row, i32(1)),
      again(0),
    ),
    i32(0),
  ],
};

export const createPackKernel = createKernel<PackKernel>([pack]);
