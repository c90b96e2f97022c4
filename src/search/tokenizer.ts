/**
 * Text to words: one pass over the code units, no regular expression, nothing allocated per word. Documents and
 * queries go through the same function, so they agree on what a word is. Cost: a table read and a few operations a
 * character; words longer than 64 units are cut there, so a megabyte without a space is one short word.
 *
 * Words are emitted in sequence. A compound (`e-mail`, `node.js`, `AT&T`, `O'Malley`) emits its parts in sequence. Then
 * comes the compound written together, as a word without position increment: `email` finds `e-mail`, and phrases still
 * see neighbours. Scripts without spaces are emitted as overlapping pairs of characters. Their last character is emitted once more
 * by itself, without position increment, so that each character begins a word.
 */
import { AMPERSAND, COMMA, HYPHEN, PLUS } from '../kernels/ascii.js';
import { isDigit } from '../text.js';
import { type Character, EXPANDS, FIRST_UNIT, SEPARATOR, sharedCharacters } from './characters.js';

export const MAX_WORD_UNITS = 64;

export interface TokenSink {
  /** The next word of the sequence: `units[0 .. length)`, valid during the call only. */
  word(units: Uint16Array, length: number): void;
  /**
   * A word without position increment for the last `parts` words of the sequence: a compound written together. `certain`
   * says that nobody would search for its parts instead: true for `node.js` and `e-mail`, false for `boundary-layer`.
   */
  compound(units: Uint16Array, length: number, parts: number, certain: boolean): void;
  /** A word without position increment: the last character of a run of pairs. */
  tail(units: Uint16Array, length: number): void;
}

const HASH = 35;
export const FULL_STOP = 46;

const isHyphen = (unit: number): boolean => unit === HYPHEN || unit === 0x2010 || unit === 0x2011;
/** The apostrophe, and the characters that people type in its place: ’ ‘ ʼ ´. */
const APOSTROPHES = new Set([39, 0x2019, 0x2018, 0x02bc, 0x00b4]);
const isApostrophe = (unit: number): boolean => APOSTROPHES.has(unit);
/** Whether a character between two words makes them a compound (`e-mail`). */
export const isConnector = (unit: number): boolean =>
  unit === FULL_STOP || unit === AMPERSAND || isHyphen(unit) || isApostrophe(unit);
/** Whether a character may belong to the word before it (`C++`, `C#`). */
export const isSign = (unit: number): boolean => unit === PLUS || unit === HASH;

/** Endings after an apostrophe that are no part of the word: possessives and contractions. */
const DROPPED_ENDINGS = new Set(['s', 'm', 'd', 'll', 're', 've']);

/** Parts of Japanese and Korean characters that may be written one by one; NFC puts them together. */
const COMPOSING = /[\u1100-\u11ff\u3099\u309a]/;
const LEFT_ALONE = /[\u1100-\u11ff\u3099\u309a]/g;

/** A word as a string. Appending units takes a tenth of the time of `String.fromCharCode` with all of them. */
export function stringOf(units: Uint16Array, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(units[i]!);
  return text;
}

/** The words of a text, stacked words included. */
export function wordsIn(tokenizer: Tokenizer, text: string): string[] {
  const words: string[] = [];
  const add = (units: Uint16Array, length: number): void => void words.push(stringOf(units, length));
  tokenizer.tokenize(text, { word: add, compound: add, tail: add });
  return words;
}

export class Tokenizer {
  private readonly characters = sharedCharacters();
  private readonly units = new Uint16Array(MAX_WORD_UNITS);
  private readonly joined = new Uint16Array(MAX_WORD_UNITS);
  /** The text, which `compose` may replace, and the offset in it. */
  private text = '';
  private at = 0;
  private length = 0;
  private composed = false;

  /** Hands every word of `text` to `sink`, which must not call back. */
  tokenize(text: string, sink: TokenSink): void {
    this.text = text;
    this.at = 0;
    this.composed = false;
    const { folded } = this.characters;
    while (this.at < this.text.length) {
      const value = folded[this.text.charCodeAt(this.at)]!;
      if (value === SEPARATOR) this.at++;
      else if (value >= FIRST_UNIT) this.readCompound(sink);
      else this.readOther(sink);
    }
  }

  /** Whether the text's last character belongs to a word that could go on. */
  endsInWord(text: string): boolean {
    const last = text.charCodeAt(text.length - 1);
    const start = last >= 0xdc00 && last < 0xe000 ? text.length - 2 : text.length - 1;
    const manner = start < 0 ? 'separator' : this.mannerAt(text, start);
    return manner === 'word' || manner === 'spaceless' || manner === 'ignored';
  }

  /** Whether a word is one character of a script without spaces: the index holds it mostly as the beginning of pairs. */
  isSpaceless(word: string): boolean {
    return word.length === (word.codePointAt(0)! > 0xffff ? 2 : 1) && this.mannerAt(word, 0) === 'spaceless';
  }

  private mannerAt(text: string, at: number): Character['manner'] {
    return at < text.length ? this.characters.expand(text.codePointAt(at)!).manner : 'separator';
  }

  private inWord(at: number): boolean {
    if (at >= this.text.length) return false;
    const value = this.characters.folded[this.text.charCodeAt(at)]!;
    return value >= FIRST_UNIT || (value !== SEPARATOR && this.mannerAt(this.text, at) === 'word');
  }

  private append(text: string): void {
    for (let i = 0; i < text.length && this.length < MAX_WORD_UNITS; i++) {
      this.units[this.length++] = text.charCodeAt(i);
    }
  }

  /** Reads a character that the table does not know yet, or that is no plain unit of a word: the first `é` of a process turns out to be an `e`. */
  private readOther(sink: TokenSink): void {
    const value = this.characters.resolve(this.text.charCodeAt(this.at));
    const isPassedOver = value < EXPANDS;
    if (isPassedOver) {
      this.at++;
      return;
    }
    const codePoint = this.text.codePointAt(this.at)!;
    const { manner, text } = this.characters.expand(codePoint);
    if (value >= FIRST_UNIT || manner === 'word') this.readCompound(sink);
    else if (manner === 'spaceless') this.readPairs(sink);
    else {
      this.at += codePoint > 0xffff ? 2 : 1;
      if (manner === 'symbol') this.emitText(text, sink);
    }
  }

  private emitText(text: string, sink: TokenSink): void {
    this.length = 0;
    this.append(text);
    sink.word(this.units, this.length);
  }

  /** Reads a run of a script without spaces, as overlapping pairs of characters. */
  private readPairs(sink: TokenSink): void {
    this.compose();
    let previous = '';
    let count = 0;
    while (this.at < this.text.length) {
      const codePoint = this.text.codePointAt(this.at)!;
      const { manner, text } = this.characters.expand(codePoint);
      if (manner !== 'spaceless' && manner !== 'ignored') break;
      this.at += codePoint > 0xffff ? 2 : 1;
      if (manner === 'ignored') continue;
      if (count++ > 0) this.emitText(previous + text, sink);
      previous = text;
    }
    // Single jamo and voicing marks, which `compose` removes, are no words.
    if (count === 0) return;
    this.length = 0;
    this.append(previous);
    if (count === 1) sink.word(this.units, this.length);
    else sink.tail(this.units, this.length);
  }

  /** Composes characters that are written in parts (NFC), at most once for each text. */
  private compose(): void {
    if (this.composed) return;
    this.composed = true;
    if (!COMPOSING.test(this.text)) return;
    this.text = this.text.slice(this.at).normalize('NFC').replace(LEFT_ALONE, '');
    this.at = 0;
  }

  /** Reads a word, or several with connectors between them. */
  private readCompound(sink: TokenSink): void {
    const { units, joined } = this;
    const leadingDot = this.follows(FULL_STOP);
    let parts = 0;
    let joinedLength = 0;
    let certain = false;
    for (;;) {
      this.readWord();
      const length = this.length;
      sink.word(units, length);
      const connector = this.connector();
      if (connector === 0 && parts === 0) break;
      parts++;
      certain ||= length === 1 || (connector !== 0 && !isHyphen(connector));
      for (let i = 0; i < length && joinedLength < MAX_WORD_UNITS; i++) joined[joinedLength++] = units[i]!;
      if (connector === 0) break;
      if (connector === AMPERSAND && joinedLength < MAX_WORD_UNITS) joined[joinedLength++] = AMPERSAND;
      this.at++;
    }
    if (parts > 0) sink.compound(joined, joinedLength, parts, certain);
    else if (leadingDot && !isDigit(units[0]!)) this.emitDotted(sink);
  }

  /** Whether `unit` stands before the word at `at`, and no word stands before `unit`: `.NET`, but not `a.NET`. */
  private follows(unit: number): boolean {
    if (this.at === 0 || this.text.charCodeAt(this.at - 1) !== unit) return false;
    if (this.at === 1) return true;
    return this.text.charCodeAt(this.at - 2) !== unit && !this.inWord(this.at - 2);
  }

  /** Emits the word just read with the full stop before it. */
  private emitDotted(sink: TokenSink): void {
    const length = Math.min(this.length, MAX_WORD_UNITS - 1);
    this.joined[0] = FULL_STOP;
    this.joined.set(this.units.subarray(0, length), 1);
    sink.compound(this.joined, length + 1, 1, true);
  }

  /** The connector at `at` between the word just read and the next one; 0 if there is none. */
  private connector(): number {
    const { text, at } = this;
    if (at >= text.length) return 0;
    const unit = text.charCodeAt(at);
    if (!isConnector(unit) || !this.inWord(at + 1)) return 0;
    return isHyphen(unit) && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)) ? 0 : unit;
  }

  /** Reads one word into `units`, and stops where it ends. */
  private readWord(): void {
    const { units, text } = this;
    const { folded } = this.characters;
    let at = this.at;
    let length = 0;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const value = folded[unit]!;
      if (value >= FIRST_UNIT) {
        if (length === MAX_WORD_UNITS) continue;
        units[length++] = value;
      } else if (value !== SEPARATOR || unit === FULL_STOP || unit === COMMA || isApostrophe(unit)) {
        this.at = at;
        this.length = length;
        if (!this.appendIfOfWord(unit)) break;
        at = this.at;
        length = this.length;
      } else break;
    }
    this.at = at;
    this.length = length;
    if (at < text.length) this.readEnding();
  }

  /** Appends `unit` at `at`, which is no plain unit, if it belongs to the word; returns whether it does. */
  private appendIfOfWord(unit: number): boolean {
    const value = this.characters.resolve(unit);
    if (value >= FIRST_UNIT) this.append(String.fromCharCode(value));
    else if (value === EXPANDS) return this.appendExpanded();
    else if (value === SEPARATOR) return this.appendInnerMark(unit);
    return true;
  }

  private appendExpanded(): boolean {
    const codePoint = this.text.codePointAt(this.at)!;
    const { manner, text } = this.characters.expand(codePoint);
    if (manner !== 'word' && manner !== 'ignored') return false;
    this.append(text);
    if (codePoint > 0xffff) this.at++;
    return true;
  }

  /** Whether a mark stands within one word: 3.14, 1,000, don't. Only the point is appended to it. */
  private appendInnerMark(unit: number): boolean {
    const { text, at } = this;
    const afterDigit = isDigit(text.charCodeAt(at - 1));
    if (unit === COMMA) return afterDigit && this.groupsDigits(at);
    if (isApostrophe(unit)) return text[at + 1]?.toLowerCase() === 't' && !this.inWord(at + 2);
    if (unit !== FULL_STOP || !afterDigit || !isDigit(text.charCodeAt(at + 1))) return false;
    this.append('.');
    return true;
  }

  /** Three digits follow the comma, and no fourth. */
  private groupsDigits(comma: number): boolean {
    const { text } = this;
    for (let i = 1; i <= 3; i++) if (!isDigit(text.charCodeAt(comma + i))) return false;
    return !isDigit(text.charCodeAt(comma + 4));
  }

  /** Reads the ending that may follow a word at once: one to drop (`'s`), or a sign that belongs to it (`C++`, `F#`). */
  private readEnding(): void {
    const { text } = this;
    if (isApostrophe(text.charCodeAt(this.at))) this.at += this.endingLength();
    const unit = text.charCodeAt(this.at);
    if (unit === PLUS && text.charCodeAt(this.at + 1) === PLUS) {
      this.append('++');
      this.at += 2;
    } else if (unit === HASH && this.length === 1 && !this.inWord(this.at + 1)) {
      this.append('#');
      this.at++;
    }
  }

  /** The length of the apostrophe at `at` and a possessive or contracted ending after it; 0 if there is none. */
  private endingLength(): number {
    const start = this.at + 1;
    let end = start;
    while (end < start + 3 && this.inWord(end)) end++;
    return end < start + 3 && DROPPED_ENDINGS.has(this.text.slice(start, end).toLowerCase()) ? end - this.at : 0;
  }
}
