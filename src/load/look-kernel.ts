/**
 * A look at the cells of a field of many records, in WebAssembly: how many have a value, and of how many more is to be known:
 * numbers that are 0, dates that are not long past, addresses that do not begin as most do. `suspicions.ts` looks at
 * these, and at records that come one by one, in JavaScript.
 */

import {
  add,
  again,
  type Code,
  createKernel,
  differs,
  equal,
  equalF64,
  F64,
  f64,
  get,
  giveBack,
  I32,
  i32,
  increase,
  isZero,
  lessF64,
  load8,
  load32,
  loadF64,
  loop,
  more,
  multiply,
  or,
  otherwise,
  set,
  type WasmFunction,
  when,
} from '../assembly.js';
import { NULL } from '../raw.js';

/** What the cells hold. */
export const NUMBER = 0;
export const TEXT = 1;
export const DATE = 2;
export const URL = 3;

/** How address texts begin that are surely absolute. */
export const HTTP = '"http';

/** What is found is given back as so many times this, and what has a value is added. */
export const FOUND = 1 << 16;

export interface LookKernel {
  /** Looks at `count` cells of one of the above; `kinds`, `starts` and `numbers` are addresses, `nowMs` is now. */
  look(kinds: number, starts: number, numbers: number, count: number, holds: number, nowMs: number): number;
}

const look = ((): WasmFunction => {
  const [kinds, starts, numbers, count, holds, nowMs, present, found, start] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const holdsA = (kind: number): Code => equal(get(holds), i32(kind));
  const http = Buffer.from(HTTP);
  const isOtherwise = or(
    differs(load32(get(start)), i32(http.readUInt32LE())),
    differs(load8(get(start), 4), i32(http[4]!)),
  );
  const lookAtOne: Code = [
    ...increase(present, 1),
    ...otherwise(
      holdsA(NUMBER),
      [increase(found, equalF64(loadF64(get(numbers)), f64(0)))],
      [
        otherwise(
          holdsA(DATE),
          [increase(found, isZero(lessF64(loadF64(get(numbers)), get(nowMs))))],
          [when(holdsA(URL), set(start, load32(get(starts))), increase(found, isOtherwise))],
        ),
      ],
    ),
  ];
  return {
    name: 'look',
    parameters: [I32, I32, I32, I32, I32, F64],
    results: [I32],
    locals: [I32, I32, I32],
    body: [
      loop(
        when(isZero(get(count)), giveBack(add(multiply(get(found), i32(FOUND)), get(present)))),
        when(more(load8(get(kinds)), i32(NULL)), lookAtOne),
        increase(kinds, 1),
        increase(starts, 4),
        increase(numbers, 8),
        increase(count, -1),
        again(0),
      ),
      i32(0),
    ],
  };
})();

export const createLookKernel = createKernel<LookKernel>([look]);
