/** What the kernels that read postings and positions, and words by bucket, have in common. */
import {
  againIf,
  and,
  atLeast,
  type Code,
  get,
  i32,
  increase,
  load8,
  loop,
  or,
  set,
  shiftLeft,
  subtract,
  when,
} from '../assembly.js';

export const takeByte = (into: number, at: number): Code => [...set(into, load8(get(at))), ...increase(at, 1)];

/** Sets `number` to the number of 7 bits a byte at `at`. */
export const takeNumber = (number: number, at: number, byte: number, shift: number): Code => [
  ...takeByte(number, at),
  ...when(
    atLeast(get(number), i32(128)),
    set(number, and(get(number), i32(127))),
    set(shift, i32(7)),
    loop(
      takeByte(byte, at),
      set(number, or(get(number), shiftLeft(and(get(byte), i32(127)), get(shift)))),
      increase(shift, 7),
      againIf(atLeast(get(byte), i32(128)), 0),
    ),
  ),
];

/** Takes the lowest bit out. */
export const withoutLowest = (local: number): Code => set(local, and(get(local), subtract(get(local), i32(1))));
