/** Which encodings the bytes of a text that is no UTF-8 are likely to be in, and what is said of them. */
import { TextDecoder } from 'node:util';
import { count, quote } from '../../text.js';
import type { ForeignTexts } from './decode.js';

/** Encodings of dumps, and the letters beyond ASCII that a text in them has, the likelier of two that fit alike first. */
const CANDIDATES: readonly (readonly [name: string, letters: RegExp])[] = [
  ['windows-1251', /[\p{Script=Cyrillic}№«»–—]/gu],
  ['koi8-r', /\p{Script=Cyrillic}/gu],
  ['windows-1253', /\p{Script=Greek}/gu],
  ['windows-1255', /\p{Script=Hebrew}/gu],
  ['windows-1256', /\p{Script=Arabic}/gu],
  ['shift_jis', /[\p{Script=Hiragana}ァ-ヿ\p{Script=Han}\u3000-\u303f]/gu],
  ['euc-jp', /[\p{Script=Hiragana}ァ-ヿ\p{Script=Han}\u3000-\u303f]/gu],
  ['gb18030', /[\p{Script=Han}\u3000-\u303f\uff00-\uff5e]/gu],
  ['euc-kr', /\p{Script=Hangul}/gu],
  ['big5', /[\p{Script=Han}\u3000-\u303f\uff00-\uff5e]/gu],
  ['windows-1252', /[\p{Script=Latin}–—„”“’€]/gu],
  ['windows-1250', /[\p{Script=Latin}–—„”“’]/gu],
];
const KANA = /[ぁ-ヿ]/;

interface DecodedText {
  readonly encoding: string;
  readonly text: string;
}

/** A text as it is read in the two encodings that it is most likely to be in. */
const likelyReadings = (bytes: Uint8Array): readonly DecodedText[] =>
  CANDIDATES.map(([encoding, letters]) => ({ encoding, ...readingScore(bytes, encoding, letters) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 2);

/**
 * How well a text fits an encoding: the share of its characters beyond ASCII that are letters of the encoding's languages, less what no
 * text has: characters that the encoding lacks, and capitals behind small letters.
 */
function readingScore(bytes: Uint8Array, encoding: string, letters: RegExp): { text: string; score: number } {
  // A stream may end inside of a character, as the example may.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const beyondAscii = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const fitting = text.match(letters)?.length ?? 0;
  const missing = text.match(/[\ufffd\u0080-\u009f]/g)?.length ?? 0;
  const swapped = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  const isJapanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  // Words of Latin letters have one letter beyond ASCII, or two.
  const foreignWords = text.match(/(?:(?!\p{ASCII})\p{Script=Latin}){3}/gu)?.length ?? 0;
  const score = (fitting - 4 * missing - swapped - 9 * foreignWords) / Math.max(1, beyondAscii);
  // Any pairs of bytes are characters of some Chinese encoding; Japanese has kana among them.
  return { text, score: isJapanese ? score + (KANA.test(text) ? 0.1 : -0.5) : score };
}

/** The finding on texts that windows-1252 reads, as far as anyone can tell. */
export const readText = (texts: ForeignTexts): string =>
  `some text is not in UTF-8 and was read as windows-1252, in ${count(texts.count, 'line')}: ${readingsText(texts)}`;

/** The fault of texts that windows-1252 would misread. */
export const misreadText = (texts: ForeignTexts): string =>
  `expected UTF-8, found another encoding in ${count(texts.count, 'line')}: ${readingsText(texts)}`;

/** `"Кофе" in windows-1251, "КОФЕ" in koi8-r; --encoding NAME says which` */
function readingsText({ example }: ForeignTexts): string {
  const readings = likelyReadings(example ?? new Uint8Array(0));
  const texts = readings.map(({ encoding, text }) => `${quote(text.trim())} in ${encoding}`);
  return `one is ${texts.join(', or ')}; --encoding NAME says which`;
}
