/** Texts as they can be served, and texts that stand for no value. */

/** Half of a surrogate pair: it stands for no character, and no UTF-8 can hold it (Unicode 16, section 3.8). */
const HALF_PAIR = /\p{Surrogate}/gu;

/** The text with U+FFFD for each half of a surrogate pair; itself where there is none. */
export const wellFormedText = (text: string): string => text.replace(HALF_PAIR, '\ufffd');

/** Words for a missing value that people write. */
const NO_VALUE = ['N/A', 'n/a', 'N.A.', 'n.a.', 'n/d', 'n.d.', 's/d', 'k.A.', '#N/A', 'null', '-', '--', '–', '—'];
/**
 * These, the words that programs write (MySQL, SQL Server, pandas), and signs of offices of statistics. `None` and `…` may be titles, `N/A` is
 * none.
 */
const NULL_WORDS = new Set([...NO_VALUE, '\\N', 'NULL', 'None', 'nan', 'NaN', '..', '...', '…', ':', '***']);
/** The first bytes of null words. */
export const NULL_INITIALS: ReadonlySet<number> = new Set([...NULL_WORDS].map((word) => Buffer.from(word)[0]!));
/** The longest null word, in bytes of UTF-8. */
export const MAX_NULL_WORD = 4;
export const isNullWord = (text: string): boolean => text.length <= MAX_NULL_WORD && NULL_WORDS.has(text);
/** Whether a text stands for a missing value even as a title. */
export const isNoValue = (text: string): boolean => text.length <= MAX_NULL_WORD && NO_VALUE.includes(text);

/** Characters without width that scrapes have around values, beside white space: zero-width spaces, marks of direction, word joiners. */
const isWithoutWidth = (code: number): boolean =>
  code === 0x200b || code === 0x200e || code === 0x200f || code === 0x2060;

/** The text without white space around, and without characters of no width there. Those inside stay: they join emoji. */
export function trimmed(text: string): string {
  let inner = text.trim();
  while (isWithoutWidth(inner.charCodeAt(0))) inner = inner.slice(1).trimStart();
  while (isWithoutWidth(inner.charCodeAt(inner.length - 1))) inner = inner.slice(0, -1).trimEnd();
  return inner;
}

/** An empty list, a blank text and a word such as `N/A` are missing values. */
export function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'string') return true;
  const text = trimmed(value);
  return text !== '' && !isNullWord(text);
}

/** Whether a part is at least nine of ten of a whole; false of nothing. */
export const isMost = (part: number, whole: number): boolean => whole > 0 && part >= 0.9 * whole;

/** The parts of a text between the signs, without white space around; none is empty. */
export const partsOf = (text: string, sign: string): readonly string[] =>
  text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const TITLE_WORDS = 10;
const MAX_TITLE_CHARS = 80;

/** The first words of a text's first line, as a title. */
export function firstWords(text: string): string {
  const start = text.trim().slice(0, 10 * MAX_TITLE_CHARS);
  const line = start.replace(/\n.*/s, '').trim();
  let title = line.split(/\s+/, TITLE_WORDS).join(' ');
  while (title.length > MAX_TITLE_CHARS && title.includes(' ')) title = title.slice(0, title.lastIndexOf(' '));
  title = wellFormedText(title.slice(0, MAX_TITLE_CHARS));
  return title.length < line.length ? `${title} …` : title;
}

/** The beginning of an address: `https://a.example/1`, `//a.example/1`, `/p/1`. */
export const ADDRESS = /^(?:https?:)?\/\/|^\/[^/\s]/i;

/** Whether a token has several values: `red|blue`, `A-1;A-2`, `red,green`; not a number, nor a pair of coordinates. */
const areSeveral = (token: string): boolean =>
  /[|;,]/.test(token) && !/^[|;,]|[|;,]{2}|[|;,]$/.test(token) && /[^\d.,+eE-]/.test(token);

/** An address, or one token with a digit or a sign inside: `SKU-0001`, `978-3-16-148410-0`, `a@b.example`. */
export const isCode = (text: string): boolean =>
  ADDRESS.test(text) ||
  (/^\S+$/.test(text) && (/\d/.test(text) || /[^\s][^\p{L}\p{M}\p{N}][^\s]/u.test(text)) && !areSeveral(text));
