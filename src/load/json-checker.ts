/**
 * A strict JSON reader that makes no values: it finds the first fault of a text, and its position. It takes bytes in chunks of any
 * size, keeps one byte for each open bracket and never recurses. It is several times slower than the kernel that reads records, so it
 * runs over a file only once that has met something irregular.
 */
import { uint8, withRoom } from '../growable.js';
import { readBytes } from './bytes.js';
import type { SnapshotFile } from './folder.js';
import {
  at,
  BETWEEN_VALUES,
  foundByte,
  insideContainer,
  insideString,
  lineEndsInside,
  nameAdvice,
  valueAdvice,
} from './json-messages.js';
import type { SnapshotFault } from './report.js';

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonFault extends Position {
  readonly message: string;
}

/** `document`: one value; `sequence`: values one after the other, as in NDJSON. */
export type DocumentShape = 'document' | 'sequence';

const OBJECT = 1;
const ARRAY = 2;

// States between tokens, named by the token that may come next.
const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_NAME = 2;
const NAME = 3;
const COLON = 4;
const AFTER_VALUE = 5;
// States inside of a token. Those of numbers are the positions of RFC 8259's grammar.
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
const LITERAL = 9;
const MINUS = 10;
const ZERO = 11;
const INTEGER = 12;
const POINT = 13;
const FRACTION = 14;
const EXPONENT_MARK = 15;
const EXPONENT_SIGN = 16;
const EXPONENT = 17;

const LITERALS: readonly string[] = ['true', 'false', 'null'];
const isDigit = (byte: number) => byte >= 48 && byte <= 57;
const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9;
const isHex = (byte: number) => isDigit(byte) || ((byte | 32) >= 97 && (byte | 32) <= 102);

export class JsonChecker {
  /** Where the next byte stands; columns count characters. */
  line = 1;
  column = 1;
  depth = 0;
  /** Root values that have begun. */
  roots = 0;
  readonly #shape: DocumentShape;
  #state = VALUE;
  #stack = uint8(64);
  #isName = false;
  #hexLeft = 0;
  #literal = '';
  #literalAt = 0;
  /** Whether every root value so far stood on one line. */
  #isLineWise = true;
  /** The line on which the last root value began. */
  #rootLine = 0;
  /** The end of that line, where it lies inside of the value. */
  #lineEnd: Position | undefined;

  constructor(shape: DocumentShape) {
    this.#shape = shape;
  }

  /** The first fault in the bytes so far, if they hold one; nothing may be fed after it. */
  feed(bytes: Uint8Array): JsonFault | undefined {
    for (let i = 0; i < bytes.length; i++) {
      if (this.#state === STRING) i = this.#skipPlain(bytes, i);
      if (i === bytes.length) break;
      const byte = bytes[i]!;
      const { depth } = this;
      const message = this.step(byte);
      if (message !== undefined) return this.#cutLine() ?? { line: this.line, column: this.column, message };
      if (depth === 0 && this.depth === 1) this.#rootLine = this.line;
      else if (depth === 1 && this.depth === 0) this.#isLineWise &&= this.line === this.#rootLine;
      if (byte === 10 && this.depth > 0 && this.line === this.#rootLine)
        this.#lineEnd = { line: this.line, column: this.column };
      this.pass(byte);
    }
    return undefined;
  }

  /** The fault of a file with a value on each line: a value that goes on behind its line was cut off at the line's end. */
  #cutLine(): JsonFault | undefined {
    const isCut = this.#shape === 'sequence' && this.#isLineWise && this.roots > 1 && this.depth > 0;
    if (!isCut || this.#lineEnd?.line !== this.#rootLine || this.line === this.#rootLine) return undefined;
    return { ...this.#lineEnd, message: lineEndsInside(this.#stack[0] === OBJECT) };
  }

  /** Skips the bytes of a string that stand for themselves; returns where the first other one stands. */
  #skipPlain(bytes: Uint8Array, from: number): number {
    let { column } = this;
    let i = from;
    for (; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte < 32 || byte === 34 || byte === 92) break;
      if ((byte & 0xc0) !== 0x80) column++;
    }
    this.column = column;
    return i;
  }

  /** Moves the position behind a byte. */
  pass(byte: number): void {
    if (byte === 10) {
      this.line++;
      this.column = 1;
    } else if ((byte & 0xc0) !== 0x80) {
      this.column++;
    }
  }

  end(): JsonFault | undefined {
    if (this.#state >= MINUS && this.#numberIsWhole()) this.#afterValue();
    const cut = this.#cutLine();
    if (cut) return cut;
    const { line, column } = this;
    if (this.#state === STRING || this.#state === ESCAPE || this.#state === HEX)
      return { line, column, message: insideString(this.#isName) };
    if (this.depth > 0) return { line, column, message: insideContainer(this.#top() === OBJECT, this.depth) };
    const message = this.#endOfRoot();
    return message === undefined ? undefined : { line, column, message };
  }

  #endOfRoot(): string | undefined {
    if (this.#state === AFTER_VALUE) return undefined;
    if (this.#state !== VALUE) return 'the file ends inside a value: the download was probably cut off';
    return this.#shape === 'sequence' ? undefined : 'the file is empty: expected an array of objects';
  }

  /** Takes one byte; returns its fault, if it has one. */
  step(byte: number): string | undefined {
    switch (this.#state) {
      case STRING:
        return this.#inString(byte);
      case ESCAPE:
        return this.#inEscape(byte);
      case HEX:
        if (!isHex(byte)) return `expected four hexadecimal digits after \\u, ${foundByte(byte)}`;
        if (--this.#hexLeft === 0) this.#state = STRING;
        return undefined;
      case LITERAL:
        return this.#inLiteral(byte);
      default:
        if (this.#state >= MINUS) return this.#inNumber(byte);
        return isSpace(byte) ? undefined : this.#token(byte);
    }
  }

  #token(byte: number): string | undefined {
    switch (this.#state) {
      case FIRST_ELEMENT:
        return byte === at(']') ? this.#close() : this.#value(byte);
      case FIRST_NAME:
        return byte === at('}') ? this.#close() : this.#name(byte);
      case NAME:
        if (byte === at('}')) return 'expected a name in double quotes, found `}`: remove the comma before it';
        return this.#name(byte);
      case COLON:
        if (byte !== at(':')) return `expected \`:\` after the name, ${foundByte(byte)}`;
        this.#state = VALUE;
        return undefined;
      case AFTER_VALUE:
        return this.#afterElement(byte);
      default:
        if (byte === at(']') && this.depth > 0 && this.#top() === ARRAY)
          return 'expected a value, found `]`: remove the comma before it';
        if (byte === at(',') && this.depth === 0) return BETWEEN_VALUES;
        return this.#value(byte);
    }
  }

  #name(byte: number): string | undefined {
    if (byte !== at('"')) return `expected a name in double quotes, ${foundByte(byte)}${nameAdvice(byte)}`;
    this.#isName = true;
    this.#state = STRING;
    return undefined;
  }

  #value(byte: number): string | undefined {
    if (this.depth === 0) this.roots++;
    if (byte === at('"')) {
      this.#isName = false;
      this.#state = STRING;
    } else if (byte === at('{')) {
      this.#open(OBJECT);
      this.#state = FIRST_NAME;
    } else if (byte === at('[')) {
      this.#open(ARRAY);
      this.#state = FIRST_ELEMENT;
    } else if (byte === at('-')) this.#state = MINUS;
    else if (byte === at('0')) this.#state = ZERO;
    else if (isDigit(byte)) this.#state = INTEGER;
    else return this.#literalStart(byte);
    return undefined;
  }

  #literalStart(byte: number): string | undefined {
    const literal = LITERALS.find((word) => at(word) === byte);
    if (literal === undefined)
      return `expected a value, ${foundByte(byte)}${valueAdvice(byte, this.roots === 1 && this.depth === 0)}`;
    this.#literal = literal;
    this.#literalAt = 1;
    this.#state = LITERAL;
    return undefined;
  }

  #inLiteral(byte: number): string | undefined {
    if (byte !== this.#literal.charCodeAt(this.#literalAt)) return `expected \`${this.#literal}\`, ${foundByte(byte)}`;
    if (++this.#literalAt === this.#literal.length) this.#afterValue();
    return undefined;
  }

  #inString(byte: number): string | undefined {
    if (byte === at('"')) {
      if (this.#isName) this.#state = COLON;
      else this.#afterValue();
    } else if (byte === at('\\')) this.#state = ESCAPE;
    else if (byte === 10 || byte === 13)
      return 'a line break inside a string: expected the closing `"`, or the line break written as \\n';
    else if (byte < 32)
      return `${foundByte(byte)} inside a string: it must be written as an escape such as \\u00${byte.toString(16).padStart(2, '0')}`;
    return undefined;
  }

  #inEscape(byte: number): string | undefined {
    if (byte === at('u')) {
      this.#hexLeft = 4;
      this.#state = HEX;
      return undefined;
    }
    if (!'"\\/bfnrt'.includes(String.fromCharCode(byte)))
      return `expected one of " \\ / b f n r t u after a backslash, ${foundByte(byte)}`;
    this.#state = STRING;
    return undefined;
  }

  #inNumber(byte: number): string | undefined {
    const next = this.#nextInNumber(byte);
    if (next !== undefined) {
      this.#state = next;
      return undefined;
    }
    if (!this.#numberIsWhole()) return `expected a digit, ${foundByte(byte)}`;
    if (this.#state === ZERO && isDigit(byte))
      return `${foundByte(byte)} after a leading zero: numbers do not begin with 0`;
    this.#afterValue();
    return isSpace(byte) ? undefined : this.#token(byte);
  }

  #nextInNumber(byte: number): number | undefined {
    const state = this.#state;
    if (isDigit(byte)) {
      if (state === MINUS) return byte === at('0') ? ZERO : INTEGER;
      if (state === ZERO) return undefined;
      if (state === POINT) return FRACTION;
      return state === EXPONENT_MARK || state === EXPONENT_SIGN ? EXPONENT : state;
    }
    if (byte === at('.') && (state === ZERO || state === INTEGER)) return POINT;
    if ((byte | 32) === at('e') && (state === ZERO || state === INTEGER || state === FRACTION)) return EXPONENT_MARK;
    return (byte === at('+') || byte === at('-')) && state === EXPONENT_MARK ? EXPONENT_SIGN : undefined;
  }

  #numberIsWhole(): boolean {
    return this.#state === ZERO || this.#state === INTEGER || this.#state === FRACTION || this.#state === EXPONENT;
  }

  #afterElement(byte: number): string | undefined {
    if (this.depth === 0)
      return `expected the end of the file, ${foundByte(byte)}${byte === at('[') ? ': put all records in one array' : ''}`;
    const inObject = this.#top() === OBJECT;
    if (byte === at(',')) this.#state = inObject ? NAME : VALUE;
    else if (byte === at(inObject ? '}' : ']')) return this.#close();
    else return `expected \`,\` or \`${inObject ? '}' : ']'}\`, ${foundByte(byte)}`;
    return undefined;
  }

  #afterValue(): void {
    this.#state = this.depth === 0 && this.#shape === 'sequence' ? VALUE : AFTER_VALUE;
  }

  #open(kind: number): void {
    this.#stack = withRoom(this.#stack, this.depth + 1, uint8);
    this.#stack[this.depth++] = kind;
  }

  #close(): undefined {
    this.depth--;
    this.#afterValue();
  }

  #top(): number {
    return this.#stack[this.depth - 1]!;
  }
}

/** The first fault of a file. */
export async function firstFault(source: SnapshotFile, shape: DocumentShape): Promise<SnapshotFault | undefined> {
  const checker = new JsonChecker(shape);
  let jsonFault: JsonFault | undefined;
  const fault = await readBytes(source, (chunk) => {
    jsonFault = checker.feed(chunk);
    return jsonFault === undefined;
  });
  jsonFault ??= checker.end();
  return fault ?? (jsonFault && { file: source.file, ...jsonFault });
}
