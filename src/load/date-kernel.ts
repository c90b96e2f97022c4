/** A date as the service writes it, as part of `record-kernel.ts`: what `canonicalDateMs` takes, and the same number. */
import {
  add,
  addF64,
  and,
  type Code,
  divide,
  equal,
  f64,
  get,
  i32,
  increase,
  isZero,
  less,
  load8,
  multiply,
  multiplyF64,
  or,
  otherwise,
  remainder,
  set,
  shiftRight,
  subtract,
  subtractF64,
  toF64,
  when,
} from '../assembly.js';
import { DAYS_TO_EPOCH } from './raw-date.js';

export interface DateLocals {
  /** The string's quotes stand at `at` and before `to`. */
  readonly at: number;
  readonly to: number;
  /** Set to milliseconds since 1970. */
  readonly number: number;
  /** Ends the reading where there is no such date. */
  readonly leaveUnless: (condition: Code) => Code;
  /** Numbers for the while. */
  readonly first: number;
  readonly decimals: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const SHORT_BYTES = '"2016-08-04T15:52:00Z"'.length;
const LONG_BYTES = '"2016-08-04T15:52:00.123Z"'.length;

/** As many years as the calendar repeats after are added to each, so that none is below 0. */
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;
const DAY_MS = 86_400_000;

export function readDate({ at, to, number, leaveUnless, first, decimals, year, month, day }: DateLocals): Code {
  const isLength = (length: number): Code => equal(subtract(get(to), get(at)), i32(length));
  const hasAt = (place: number, sign: string): Code => equal(load8(get(at), place), i32(sign.charCodeAt(0)));
  const digit = (local: number, place: number): Code => [
    ...set(local, subtract(load8(get(at), place), i32(0x30))),
    ...leaveUnless(less(get(local), i32(10))),
  ];
  /** Sets `first` to two digits' number, which must be less than a limit. */
  const pair = (place: number, limit = 100): Code => [
    ...digit(first, place),
    ...digit(decimals, place + 1),
    ...set(first, add(multiply(get(first), i32(10)), get(decimals))),
    ...leaveUnless(less(get(first), i32(limit))),
  ];
  const isMultiple = (of: number): Code => isZero(remainder(get(year), i32(of)));
  const isLeap = and(isMultiple(4), or(isZero(isMultiple(100)), isMultiple(400)));
  /** By then the year is not needed any more. */
  const seconds = year;
  const addPair = (place: number, limit: number): Code => [
    ...pair(place, limit),
    ...set(seconds, add(multiply(get(seconds), i32(60)), get(first))),
  ];
  const marks = [
    hasAt(5, '-'),
    hasAt(8, '-'),
    hasAt(11, 'T'),
    hasAt(14, ':'),
    hasAt(17, ':'),
    equal(load8(subtract(get(to), i32(2))), i32('Z'.charCodeAt(0))),
  ].reduce(and);
  return [
    ...leaveUnless(or(isLength(SHORT_BYTES), and(isLength(LONG_BYTES), hasAt(20, '.')))),
    ...leaveUnless(marks),
    ...pair(1),
    ...set(year, multiply(get(first), i32(100))),
    ...pair(3),
    ...increase(year, get(first)),
    ...pair(6),
    ...set(month, get(first)),
    ...pair(9),
    ...set(day, get(first)),
    // The month's days.
    ...otherwise(
      equal(get(month), i32(2)),
      [set(decimals, add(i32(28), isLeap))],
      [set(decimals, add(i32(30), and(add(get(month), shiftRight(get(month), i32(3))), i32(1))))],
    ),
    ...leaveUnless(less(subtract(get(month), i32(1)), i32(12))),
    ...leaveUnless(less(subtract(get(day), i32(1)), get(decimals))),
    // The calendar counted from March on (Hinnant): the leap day ends a year.
    ...set(year, subtract(add(get(year), i32(CYCLE_YEARS)), less(get(month), i32(3)))),
    ...increase(day, divide(add(multiply(remainder(add(get(month), i32(9)), i32(12)), i32(153)), i32(2)), i32(5))),
    ...increase(day, subtract(multiply(get(year), i32(365)), i32(1))),
    ...increase(day, subtract(divide(get(year), i32(4)), divide(get(year), i32(100)))),
    ...increase(day, divide(get(year), i32(400))),
    ...set(number, multiplyF64(subtractF64(toF64(get(day)), f64(DAYS_TO_EPOCH + CYCLE_DAYS)), f64(DAY_MS))),
    ...set(seconds, i32(0)),
    ...addPair(12, 24),
    ...addPair(15, 60),
    ...addPair(18, 60),
    ...set(number, addF64(get(number), multiplyF64(toF64(get(seconds)), f64(1000)))),
    ...when(
      isLength(LONG_BYTES),
      pair(21),
      digit(decimals, 23),
      set(first, add(multiply(get(first), i32(10)), get(decimals))),
      leaveUnless(get(first)),
      set(number, addF64(get(number), toF64(get(first)))),
    ),
  ];
}
