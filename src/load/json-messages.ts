/** The wording of the JSON checker's messages. A message quotes at most one byte of the file. */

import { grouped } from '../text.js';

/** The byte of a text's first character. */
export const at = (text: string): number => text.charCodeAt(0);

const NAMES: Readonly<Record<number, string>> = {
  0: 'a NUL byte',
  9: 'a tab',
  10: 'a line break',
  13: 'a carriage return',
};

/** `found `x``; bytes outside ASCII are named by their number. */
export function foundByte(byte: number): string {
  if (byte > 32 && byte < 127) return `found \`${String.fromCharCode(byte)}\``;
  return `found ${NAMES[byte] ?? `the byte 0x${byte.toString(16).padStart(2, '0')}`}`;
}

const ADVICE: Readonly<Record<string, string>> = {
  "'": ': strings need double quotes',
  N: ': NaN and None are not JSON, null is',
  I: ': Infinity is not JSON, null is',
  T: ': true is written in lower case',
  F: ': false is written in lower case',
  u: ': undefined is not JSON, null is',
  '/': ': JSON has no comments',
  '<': ': this looks like HTML or XML, perhaps an error page that was saved in place of the dump',
};

/** `isFirst`: nothing stands before the byte. */
export const valueAdvice = (byte: number, isFirst = false): string =>
  ADVICE[String.fromCharCode(byte)] ?? (isFirst ? ': JSON begins with [ or {' : '');

export const nameAdvice = (byte: number): string =>
  byte === at("'") ? ': this looks like what Python prints, json.dumps writes JSON' : '';

export const BETWEEN_VALUES = 'expected a value, found `,`: put [ before the first value and ] behind the last';

const PROBABLY_CUT_OFF = 'the download was probably cut off';

export const lineEndsInside = (isObject: boolean): string =>
  `the line ends inside ${isObject ? 'an object' : 'an array'}: the record was probably cut off`;

export const insideString = (isName: boolean): string =>
  `the file ends inside a ${isName ? 'name' : 'string'}: ${PROBABLY_CUT_OFF}`;

export function insideContainer(isObject: boolean, depth: number): string {
  const where = depth > 1 ? `, ${grouped(depth)} levels deep` : '';
  return `the file ends inside ${isObject ? 'an object' : 'an array'}${where}: ${PROBABLY_CUT_OFF}`;
}
