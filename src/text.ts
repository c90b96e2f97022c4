/** Small rules about text that load, store and query must agree on. */

/** Diacritics; vowel points and cantillation of Hebrew and Arabic; tatweel, which only stretches a word. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0653\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;
/** Forms of alef, decomposed: with hamza (أ إ), and with wasla (ٱ). With madda (آ) it is an alef and a mark. */
const ALEFS = /\u0627[\u0654\u0655]|\u0671/g;
export const BEYOND_ASCII = /[\u0080-\uffff]/;
/** More marks on one character than any language has (Unicode Standard Annex 15, Stream-Safe Text Format). */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Letters that Unicode does not decompose, as people type them on a keyboard that lacks them. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'g');

/**
 * Folds case, the diacritics of Latin, Greek and Cyrillic letters, the vowel points of Hebrew and Arabic, and the forms of alef, so
 * that `Café` and `cafe` are one key, and so are `Łódź` and `lodz`, `שָׁלוֹם` and `שלום`, `آدم` and `ادم`. Only the
 * first thirty marks of a character are kept before normalising, which sorts them in a time that grows with the square of their number.
 */
export const fold = (text: string): string =>
  BEYOND_ASCII.test(text)
    ? withoutMarks(text)
        .toLowerCase()
        .replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter)
    : text.toLowerCase();

const withoutMarks = (text: string): string =>
  (text.length > 30 ? text.replace(TOO_MANY_MARKS, '$1') : text)
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(ALEFS, '\u0627')
    .normalize('NFC');

/** The longest run of letters and digits; null where there is none. */
export const longestWord = (text: string): string | null =>
  text.split(/[^\p{L}\p{N}]+/u).reduce((a, b) => (b.length > a.length ? b : a), '') || null;

/** Upper bound of a quoted value's characters, as JSON. */
const MAX_QUOTED = 60;

/** The text, or its beginning and an ellipsis where its JSON is longer than a message quotes. */
function quotable(text: string): string {
  if (text.length < MAX_QUOTED && JSON.stringify(text).length <= MAX_QUOTED) return text;
  let room = MAX_QUOTED - '"…"'.length;
  let start = '';
  for (const character of text) {
    room -= JSON.stringify(character).length - '""'.length;
    if (room < 0) return `${start}…`;
    start += character;
  }
  return text;
}

/** A value as it is quoted in a message: JSON, shortened. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(quotable(value));
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text;
}

/** A text that a message quotes. */
interface Quoted {
  readonly quoted: string;
}

/** A message in parts, since its readers quote differently: the API as JSON, a page by quotation marks. */
export type Message = readonly (string | Quoted)[];

/** A text of a request in a message, shortened. */
export const quoted = (text: string): Quoted => ({ quoted: quotable(text) });

/** A message as one text, with its quoted texts as JSON. */
export const messageText = (message: Message): string =>
  message.map((part) => (typeof part === 'string' ? part : JSON.stringify(part.quoted))).join('');

/** Upper bound of listed names: ten messages with more, each sent twice, would exceed an error of 8 kB. */
const MAX_LISTED_CHARACTERS = 250;

/** Names as a message lists them: `id, title and 120 more`, the first ones as far as there is room. */
export function listed(names: readonly string[]): string {
  let room = MAX_LISTED_CHARACTERS;
  const shownNames = names.findIndex((name) => {
    room -= name.length + ', '.length;
    return room < 0;
  });
  if (shownNames < 0) return names.join(', ');
  return `${names.slice(0, shownNames).join(', ')} and ${names.length - shownNames} more`;
}

/** The value of a JSON text; undefined if it is not valid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `1,234,567`. The runtime's own way takes ten milliseconds of a start to load. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `3 records`, `1 record`. */
export const count = (n: number, noun: string): string => `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;

/**
 * How a text begins that a spreadsheet would run as a formula, however many guards stand before it already. Characters that nobody
 * sees may stand before the sign.
 */
const FORMULA = String.raw`'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])`;
/** A formula may begin a cell. Where the list separator is a semicolon it may also stand behind one: the spreadsheet parts cells there. */
const BEFORE_FORMULA = new RegExp(`(?<=^|;)(?=${FORMULA})`, 'gu');
const GUARD = new RegExp(`(?<=^|;)'(?=${FORMULA})`, 'gu');

/** Puts an apostrophe before whatever a spreadsheet would run as a formula. */
export const guardFormula = (text: string): string => text.replace(BEFORE_FORMULA, "'");

/** Takes off the apostrophes that an export has put before what a spreadsheet would run as a formula. */
export const unguardFormula = (text: string): string => (text.includes("'") ? text.replace(GUARD, '') : text);

/**
 * One line as a terminal may show it: what a dump calls its columns could otherwise move the cursor or rewrite what stands
 * there. Control characters, C0 and C1, those that turn the direction of text, and separators of lines are written as in JSON: `\u001b`.
 */
export const printable = (line: string): string =>
  line.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The text of `bytes[from … to)`, which is UTF-8. */
export const textOfBytes = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();

/** Vocabularies are written as lines of words, with one space between two. */
export const words = (line: string): readonly string[] => line.split(' ');

/** A hash of 32 bits of a text: FNV-1a over its UTF-16 units (draft-eastlake-fnv). */
export function fnv1a(text: string): number {
  let bits = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x0100_0193);
  return bits | 0;
}

/** Whether a byte, or a code unit, is a digit of ASCII. */
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** The lower case of an ASCII letter; any other byte as it is. */
export const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/** Whether a byte of UTF-8 continues a character, and begins none: its bits begin with 10. */
export const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000;

/** Whether a byte is a letter of ASCII. */
export const isLetter = (byte: number): boolean => lowerCase(byte) >= 0x61 && lowerCase(byte) <= 0x7a;

/**
 * The address, completed by `base`; null where it is no URL. `URL.canParse` gives the wrong answer for `https://münchen.de/`
 * after some thousand calls on Node 20 and 22, and `URL.parse` is not on Node 20.
 */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** How the service writes a date: `2016-08-04T15:52:00Z`, with three digits of milliseconds where they are not zero. */
export function canonicalDate(timeMs: number): string {
  const text = new Date(timeMs).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}
