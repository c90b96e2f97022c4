/** The loops of `narrow-stream.ts`, in WebAssembly: of 200 MB of articles, 5 million entries go through each. */
import {
  add,
  again,
  type Code,
  createKernel,
  equal,
  get,
  I32,
  i32,
  increase,
  less,
  load16,
  load32,
  loop,
  multiply,
  or,
  otherwise,
  set,
  shiftLeft,
  shiftRight,
  store16,
  store32,
  subtract,
  type WasmFunction,
  when,
} from '../assembly.js';
import { MAX_FIELDS } from './buckets.js';
import { FIELD } from './term-stream.js';

export const ENTRY_BYTES = 4;
export const CODE_BYTES = 2;

/** The lowest mark. */
const LOWEST = FIELD - MAX_FIELDS + 1;
/** Of marks, which are negative, the lower half alone is left. */
export const MARK_BASE = 0x10000;
/** A term from here on takes three codes: this one, and its halves. Marks have the greatest codes. */
export const WIDE = MARK_BASE + LOWEST - 1;
/** Without a sign, what is no term. */
const NO_TERM = 0x8000_0000;

export interface NarrowStreamKernel {
  /** Writes the codes of the entries that stand from `at` to `end`; returns where they end. */
  encode(at: number, end: number, codes: number): number;
  /** Writes the entries that the codes from `at` to `end` stand for, term i as the i-th of a table's numbers; returns where they end. */
  decode(at: number, end: number, table: number, entries: number): number;
}

const encode = ((): WasmFunction => {
  const [at, end, codes, entry] = [0, 1, 2, 3];
  const write = (code: Code): Code => [...store16(get(codes), code), ...increase(codes, CODE_BYTES)];
  return {
    name: 'encode',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32],
    body: [
      loop(
        when(
          less(get(at), get(end)),
          set(entry, load32(get(at))),
          increase(at, ENTRY_BYTES),
          when(
            less(subtract(get(entry), i32(WIDE)), i32(NO_TERM - WIDE)),
            write(i32(WIDE)),
            write(shiftRight(get(entry), i32(16))),
          ),
          write(get(entry)),
          again(1),
        ),
      ),
      get(codes),
    ],
  };
})();

const decode = ((): WasmFunction => {
  const [at, end, table, entries, code] = [0, 1, 2, 3, 4];
  const writeTerm = (term: Code): Code =>
    store32(get(entries), load32(add(get(table), multiply(term, i32(ENTRY_BYTES)))));
  const halves = or(shiftLeft(load16(get(at)), i32(16)), load16(get(at), CODE_BYTES));
  return {
    name: 'decode',
    parameters: [I32, I32, I32, I32],
    results: [I32],
    locals: [I32],
    body: [
      loop(
        when(
          less(get(at), get(end)),
          set(code, load16(get(at))),
          increase(at, CODE_BYTES),
          otherwise(
            less(get(code), i32(WIDE)),
            [writeTerm(get(code))],
            [
              otherwise(
                equal(get(code), i32(WIDE)),
                [writeTerm(halves), increase(at, 2 * CODE_BYTES)],
                [store32(get(entries), subtract(get(code), i32(MARK_BASE)))],
              ),
            ],
          ),
          increase(entries, ENTRY_BYTES),
          again(1),
        ),
      ),
      get(entries),
    ],
  };
})();

export const createNarrowStreamKernel = createKernel<NarrowStreamKernel>([encode, decode]);
