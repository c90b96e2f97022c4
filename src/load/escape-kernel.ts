/**
 * An escape in a string of JSON (RFC 8259, section 7), as part of `record-kernel.ts`: what `JsonTokens` takes, and as that
 * tells it apart.
 */
import {
  and,
  type Code,
  equal,
  get,
  i32,
  increase,
  less,
  load8,
  or,
  otherwise,
  set,
  subtract,
  when,
} from '../assembly.js';
import { ESCAPED_TEXT, PLAIN_TEXT, RESPELT_TEXT } from '../raw.js';
import { SLASH, UNICODE } from './json-tokens.js';

export interface EscapeLocals {
  /** The backslash's address; behind the escape after it. */
  readonly to: number;
  readonly byte: number;
  /** The string's: `ESCAPED_TEXT` after it, or `RESPELT_TEXT`. */
  readonly kind: number;
  /** Ends the reading where there is no such escape. */
  readonly leaveUnless: (condition: Code) => Code;
}

const KEPT = [...Buffer.from('"\\bfnrt')];
const HEX_DIGITS = 4;
const UNICODE_BYTES = 2 + HEX_DIGITS;

const isHex = (byte: Code): Code =>
  or(less(subtract(byte, i32(0x30)), i32(10)), less(subtract(or(byte, i32(0x20)), i32(0x61)), i32(6)));

export function readEscape({ to, byte, kind, leaveUnless }: EscapeLocals): Code {
  const isKept = KEPT.map((letter) => equal(get(byte), i32(letter))).reduce(or);
  const hexDigits = Array.from({ length: HEX_DIGITS }, (_, i) => isHex(load8(get(to), 2 + i)));
  return [
    ...set(byte, load8(get(to), 1)),
    ...otherwise(
      equal(get(byte), i32(UNICODE)),
      [leaveUnless(hexDigits.reduce(and)), set(kind, i32(RESPELT_TEXT)), increase(to, UNICODE_BYTES)],
      [
        otherwise(
          equal(get(byte), i32(SLASH)),
          [set(kind, i32(RESPELT_TEXT))],
          [leaveUnless(isKept), when(equal(get(kind), i32(PLAIN_TEXT)), set(kind, i32(ESCAPED_TEXT)))],
        ),
        increase(to, 2),
      ],
    ),
  ];
}
