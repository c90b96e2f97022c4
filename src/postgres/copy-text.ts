/** Texts as the database stores them, and as COPY and parameters of statements spell them. */
import type { RecordBatch } from '../batch.js';
import { fold } from '../text.js';

/** The JSON of a cell, of a text without its quotes. */
export const cellJson = ({ bytes, starts, ends }: RecordBatch, cell: number): string =>
  bytes.toString('utf8', starts[cell], ends[cell]);

/** The database has no U+0000: the two first characters are written as pairs, whose order is theirs. */
export const storable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the two characters.
  /[\0\x01]/.test(text) ? text.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01') : text;
export const storedText = (text: string): string =>
  text.includes('\x01') ? text.replaceAll('\x01\x01', '\0').replaceAll('\x01\x02', '\x01') : text;

export const foldedKey = (text: string): string => storable(fold(text));
export const NULL_CELL = '\\N';
const COPY_CHARACTERS = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** A text as COPY reads it. */
export const copyText = (text: string): string =>
  COPY_CHARACTERS.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text;

/** An array of texts: `{"tea","a \"b\""}`. */
export const arrayText = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
