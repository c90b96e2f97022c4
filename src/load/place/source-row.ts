/**
 * The one form in which every format gives a record: its members in the order of the source, as spans over bytes. A format knows no
 * field; the binder (`bind.ts`) knows no format. Names are interned: records with the same names in the same order have the same array.
 *
 *     {"id":"7","name":"Tea"}     names ["id", "name"]; kinds TEXT, TEXT; spans of 7 and Tea
 *     7;Tea                       the same, where the header is id;name
 */

import { contentsAt } from '../../batch.js';
import { BACKSLASH } from '../../kernels/ascii.js';
import {
  BOOLEAN,
  ENTRY_BYTES,
  ESCAPED_TEXT,
  NULL,
  NUMBER,
  RESPELT_TEXT,
  TAPE,
  TEXT,
} from '../../kernels/json-layout.js';
import type { BatchMemory } from '../source/batch-memory.js';
import type { Decoder } from '../source/decode.js';
import type { SnapshotFile } from '../source/folder.js';
import type { CellWriter } from '../values/cell-writer.js';
import { losesDigits } from '../values/numbers.js';
import type { LeftOutPlace } from './json-place.js';

/** Kinds of members besides those of `json-layout.ts`. `NOTHING`: the cell is missing. */
export const NOTHING = 0;
/** A text of CSV with characters that JSON escapes; its bytes are the text itself. */
export const BARE_TEXT = 11;

const NONE_REPEATED: readonly string[] = [];

const ENTRY_WORDS = ENTRY_BYTES / 4;
const ENTRY_DOUBLES = ENTRY_BYTES / 8;
/** The parts of an entry (`json-layout.ts`), in words of 4 bytes from its begin; and its number, in doubles. */
const [NAME_START_WORD, NAME_END_WORD, KIND_WORD, START_WORD, END_WORD] = [0, 1, 2, 3, 4] as const;
const NUMBER_DOUBLE = 3;

/** The members of a record, or of an object inside of it, on the tape. An object's members stand behind those of its record. */
export class SourceRow {
  names: readonly string[] = [];
  /** The names that stand more than once in the object: the last member of each counts. */
  repeatedNames: readonly string[] = NONE_REPEATED;
  /** Entries of the tape that the row takes. */
  size = 0;
  /** The entry of the row's first member. */
  readonly first: number;
  readonly #memory: BatchMemory;

  constructor(memory: BatchMemory, first = 0) {
    this.#memory = memory;
    this.first = first;
  }

  kind(member: number): number {
    return this.#memory.words[this.#firstWord(member) + KIND_WORD]!;
  }

  start(member: number): number {
    return this.#memory.words[this.#firstWord(member) + START_WORD]!;
  }

  end(member: number): number {
    return this.#memory.words[this.#firstWord(member) + END_WORD]!;
  }

  /** The member's number where its spelling is canonical, else NaN; 1 for `true`, 0 for `false`. */
  number(member: number): number {
    return this.#memory.doubles[this.#firstDouble(member) + NUMBER_DOUBLE]!;
  }

  set(member: number, kind: number, start: number, end: number, number = Number.NaN): void {
    const { words, doubles } = this.#memory;
    const word = this.#firstWord(member);
    words[word + KIND_WORD] = kind;
    words[word + START_WORD] = start;
    words[word + END_WORD] = end;
    doubles[this.#firstDouble(member) + NUMBER_DOUBLE] = number;
  }

  /** The member's value. An integer that no double holds is a bigint, and a decimal with more digits than a double its text. */
  value(member: number): unknown {
    const { bytes } = this.#memory;
    const kind = this.kind(member);
    const start = this.start(member);
    const end = this.end(member);
    if (kind === TEXT || kind === BARE_TEXT) return bytes.toString('utf8', start, end);
    if (kind === ESCAPED_TEXT || kind === RESPELT_TEXT) return contentsAt(bytes, start, end, true);
    if (kind === NULL) return null;
    if (kind === NOTHING) return undefined;
    if (kind === BOOLEAN) return this.number(member) === 1;
    const text = bytes.toString('utf8', start, end);
    if (kind !== NUMBER) return JSON.parse(withLongNumbersAsTexts(text));
    const value = Number(text);
    if (!Number.isSafeInteger(value) && LONG_INTEGER.test(text)) return BigInt(text);
    return losesDigits(text, value) ? text : value;
  }

  /** Where the member's value begins and ends with its quotes, if it has any. */
  outerSpan(member: number): readonly [start: number, end: number] {
    const kind = this.kind(member);
    const quoteBytes = kind === TEXT || kind === ESCAPED_TEXT || kind === RESPELT_TEXT ? 1 : 0;
    return [this.start(member) - quoteBytes, this.end(member) + quoteBytes];
  }

  #firstWord(member: number): number {
    return (TAPE >>> 2) + (this.first + member) * ENTRY_WORDS;
  }

  #firstDouble(member: number): number {
    return (TAPE >>> 3) + (this.first + member) * ENTRY_DOUBLES;
  }
}

/** The beginning or end of a text of JSON, an escape in one, or a number of more characters than every double holds as digits. */
const QUOTE_OR_LONG_NUMBER = /"|\\.|(?<![\d.+-])-?\d[\d.]{15,}(?![\d.eE])/g;

/** `{"ids":[9007199254740993]}` has its digits in a text: a number would be another one. */
function withLongNumbersAsTexts(json: string): string {
  if (!/\d[\d.]{15}/.test(json)) return json;
  let isInText = false;
  return json.replace(QUOTE_OR_LONG_NUMBER, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || !/\d$/.test(token) || !isOtherNumber(token) ? token : `"${token}"`;
  });
}

/** Whether no double is the number that JSON spells. */
const isOtherNumber = (token: string): boolean =>
  LONG_INTEGER.test(token) ? !Number.isSafeInteger(Number(token)) : losesDigits(token, Number(token));

/** Takes the records that the reader of a format gives. */
export interface RecordTaker {
  /** The batch, in whose memory the reader has its bytes. */
  readonly cells: CellWriter;
  /** Takes a record, for which there is room, into the batch. */
  bind(row: SourceRow, line: number): void;
  /** Refuses a record for a fault that its reader has found. */
  refuse(line: number, reason: string): void;
  /** Hands on the batch, and empties it. */
  flush(): void;
}

/** The arguments of a format's reader. */
export interface FileReading {
  readonly source: SnapshotFile;
  readonly binder: RecordTaker;
  readonly decoder: Decoder;
  /** A file that is cut off is read up to the cut. */
  readonly isPartial?: boolean;
  readonly onRead?: (doneBytes: number) => void;
  /** Takes the places beside the records, by their paths, when the file is read. */
  readonly onLeftOut?: (places: ReadonlyMap<string, LeftOutPlace>) => void;
  /** Takes the lines of the rows at the end of a table that may be no records of it, if there are some. */
  readonly onFooter?: (lines: readonly number[]) => void;
}

const LONG_INTEGER = /^-?\d{16,40}$/;

/** A node of the tree of names. The names on the way from the root to it are the first names of a record. */
interface NameNode {
  readonly name: string;
  /** The name as the source has it, with its escapes. */
  readonly bytes: DataView;
  readonly next: Map<string, NameNode>;
  /** The name that followed here the last time. */
  predicted: NameNode | undefined;
  shape: RowShape | undefined;
}

interface RowShape {
  readonly names: readonly string[];
  /** Per name its member; undefined where no name is repeated. Of a repeated name the last member counts: in `{"a":1,"a":2}` the second. */
  readonly members: readonly number[] | undefined;
  readonly repeatedNames: readonly string[];
}

/** Past this many names the tree is emptied, so that a dump with ever new names needs no more memory. */
const MAX_NODES = 1 << 15;

/** Names of members → interned arrays. A name that was predicted costs a comparison of its bytes, and no string is made of it. */
export class NameTree {
  readonly #memory: BatchMemory;
  /** The names of the row's first members, which are no members of the object in the source: its key, and values of what holds it. */
  readonly #heldNames: readonly string[];
  #root = nodeOf('', new Uint8Array(0));
  #size = 0;

  constructor(memory: BatchMemory, heldNames: readonly string[] = []) {
    this.#memory = memory;
    this.#heldNames = heldNames;
  }

  /** Gives the row, whose members the kernel has just written, their names. */
  name(row: SourceRow): void {
    const { words, view } = this.#memory;
    const heldCount = this.#heldNames.length;
    const count = this.#memory.memberCount;
    if (this.#size > MAX_NODES) {
      this.#root = nodeOf('', new Uint8Array(0));
      this.#size = 0;
    }
    let node = this.#root;
    let word = (TAPE >>> 2) + (row.first + heldCount) * ENTRY_WORDS;
    for (let i = 0; i < count; i++, word += ENTRY_WORDS) {
      const { predicted } = node;
      const start = words[word + NAME_START_WORD]!;
      const end = words[word + NAME_END_WORD]!;
      node =
        predicted !== undefined && areSameBytes(predicted.bytes, view, start, end)
          ? predicted
          : this.#childNamed(node, start, end);
    }
    node.shape ??= this.#shapeOf(row.first, count);
    row.names = node.shape.names;
    row.repeatedNames = node.shape.repeatedNames;
    row.size = count + heldCount;
    const { members } = node.shape;
    if (members !== undefined)
      for (const [i, member] of members.entries())
        row.set(i, row.kind(member), row.start(member), row.end(member), row.number(member));
  }

  #childNamed(node: NameNode, start: number, end: number): NameNode {
    const bytes = Uint8Array.prototype.slice.call(this.#memory.bytes, start, end);
    const name = nameAt(this.#memory.bytes, start, end);
    let child = node.next.get(name);
    if (child === undefined) {
      child = nodeOf(name, bytes);
      node.next.set(name, child);
      this.#size++;
    }
    node.predicted = child;
    return child;
  }

  #shapeOf(first: number, count: number): RowShape {
    const { words, bytes } = this.#memory;
    const memberOf = new Map<string, number>();
    const repeatedNames = new Set<string>();
    const heldCount = this.#heldNames.length;
    for (const [i, name] of this.#heldNames.entries()) memberOf.set(name, i);
    for (let i = heldCount; i < heldCount + count; i++) {
      const word = (TAPE >>> 2) + (first + i) * ENTRY_WORDS;
      const name = nameAt(bytes, words[word + NAME_START_WORD]!, words[word + NAME_END_WORD]!);
      if ((memberOf.get(name) ?? -1) >= heldCount) repeatedNames.add(name);
      memberOf.set(name, i);
    }
    const names = [...memberOf.keys()];
    const members = names.length === count + heldCount ? undefined : [...memberOf.values()];
    return { names, members, repeatedNames: repeatedNames.size === 0 ? NONE_REPEATED : [...repeatedNames] };
  }
}

const nodeOf = (name: string, bytes: Uint8Array): NameNode => ({
  name,
  bytes: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  next: new Map(),
  predicted: undefined,
  shape: undefined,
});

const nameAt = (bytes: Buffer, start: number, end: number): string =>
  contentsAt(bytes, start, end, bytes.subarray(start, end).includes(BACKSLASH));

/** Compares four bytes at a time. */
function areSameBytes(name: DataView, view: DataView, start: number, end: number): boolean {
  const length = end - start;
  if (name.byteLength !== length) return false;
  let i = 0;
  for (; i + 4 <= length; i += 4) if (name.getInt32(i) !== view.getInt32(start + i)) return false;
  for (; i < length; i++) if (name.getUint8(i) !== view.getUint8(start + i)) return false;
  return true;
}
