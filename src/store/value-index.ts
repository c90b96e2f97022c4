/**
 * Rows by the values of a field, case and accents aside, and values by row: a dictionary of the distinct values, sorted by
 * their folded text; postings of rows for each of them, ascending; and the reverse. A look-up halves the dictionary; its
 * rows are a view, never a scan.
 *
 * A cell has one value or several: those of a list, or the parts of one text (`"Fiction, Classics"`). While records
 * arrive, cells are told apart by their bytes alone; each distinct one is read, split and folded once, when all are there.
 */

import { firstWhere, int32, type Narrow, narrow, uint8, withRoom } from '../arrays.js';
import { type ColumnBuilder, NULL } from '../batch.js';
import { ByteTable } from '../byte-table.js';
import { type Field, isTextual } from '../model.js';
import { fold, lowerCase, OPEN_ARRAY, QUOTE, SPACE, textOfBytes } from '../text.js';
import { sortPieces } from './byte-order.js';
import { type Source, sourceOf } from './chunks.js';
import { FoldedTextsBuilder } from './folded-texts.js';
import { oddSite, siteIn } from './sites.js';
import { groupRows, orderByKeys, type SortOrder } from './sort-order.js';

/** Plain values, so that it can move to another thread. */
export interface ValueIndex {
  /** Value c is `bytes[offsets[c] … offsets[c + 1])`, as it was first written. */
  readonly names: { readonly bytes: Uint8Array; readonly offsets: Uint32Array };
  /**
   * Values with a code below it are counted, and sorted by the bytes of their folded text. Those from it on, sorted as
   * well, are whole texts of several values: they are found, but never counted.
   */
  readonly counted: number;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`, ascending. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** Codes of row r, each once: `rowCodes[rowOffsets[r]] … rowCodes[rowOffsets[r + 1] - 1]`. */
  readonly rowCodes: Narrow;
  /** Null where no row has several: that of row r is `rowCodes[r]`, which is the number of codes where it has none. */
  readonly rowOffsets: Uint32Array | null;
  /** The rows in the order of their texts, case and accents aside, if the field is one that records are sorted by. */
  readonly order: SortOrder | null;
}

/** The code of a value, or -1 where no record has it. */
export function codeOfValue(index: ValueIndex, value: string): number {
  const { counted } = index;
  const folded = Buffer.from(fold(value));
  for (const [from, to] of [
    [0, counted],
    [counted, codeCount(index)],
  ] as const) {
    const code = firstWhere(from, to, (at) => foldedValue(index, at).compare(folded) >= 0);
    if (code < to && foldedValue(index, code).equals(folded)) return code;
  }
  return -1;
}

/** The counted values that begin with a text, case and accents aside: their first code, and that behind the last. */
export function codesBeginning(index: ValueIndex, beginning: string): readonly [from: number, to: number] {
  const prefix = Buffer.from(fold(beginning));
  const compare = (code: number): number => foldedValue(index, code).subarray(0, prefix.length).compare(prefix);
  const from = firstWhere(0, index.counted, (code) => compare(code) >= 0);
  return [from, firstWhere(from, index.counted, (code) => compare(code) > 0)];
}

/** Whether a word of a counted value behind its first begins with a text that is folded: `king` of `Stephen King`. */
export function hasLaterWord(index: ValueIndex, code: number, beginning: Buffer): boolean {
  const { bytes, offsets } = index.names;
  const [from, end] = [offsets[code]!, offsets[code + 1]!];
  let isAscii = true;
  for (let at = from; at < end && isAscii; at++) isAscii = bytes[at]! < 0x80;
  if (!isAscii) return hasWordAt(foldedValue(index, code), 0, Number.POSITIVE_INFINITY, beginning);
  return hasWordAt(bytes, from, end, beginning);
}

function hasWordAt(bytes: Uint8Array, from: number, end: number, beginning: Buffer): boolean {
  const last = Math.min(end, bytes.length) - beginning.length;
  for (let at = from + 1; at <= last; at++) {
    if (isWordByte(bytes[at - 1]!)) continue;
    let i = 0;
    while (i < beginning.length && lowerCase(bytes[at + i]!) === beginning[i]) i++;
    if (i === beginning.length) return true;
  }
  return false;
}

const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (lowerCase(byte) >= 0x61 && lowerCase(byte) <= 0x7a) || byte >= 0x80;

/** How many values are counted. */
export const valueCount = ({ counted }: ValueIndex): number => counted;
/** How many codes there are. */
export const codeCount = ({ names }: ValueIndex): number => names.offsets.length - 1;

/** Whether each value is in one record only, and there are any. */
export const isUnique = (index: ValueIndex | undefined): boolean =>
  index !== undefined && index.counted > 0 && index.rows.length === index.counted;

/** A value as it was first written. */
export const valueAt = ({ names: { bytes, offsets } }: ValueIndex, code: number): string =>
  textOfBytes(bytes, offsets[code]!, offsets[code + 1]!);

const foldedValue = (index: ValueIndex, code: number): Buffer => Buffer.from(fold(valueAt(index, code)));

/** The values that are counted, in the order of their codes; made anew for every caller. */
export const allValues = (index: ValueIndex): readonly string[] =>
  Array.from({ length: index.counted }, (_, code) => valueAt(index, code));

/** The rows of a code, ascending. */
export const rowsOfCode = ({ offsets, rows }: ValueIndex, code: number): Uint32Array =>
  rows.subarray(offsets[code]!, offsets[code + 1]!);

/** The codes of a row, in the order in which the record has them; behind its parts that of a whole text. */
export function codesOfRow(index: ValueIndex, row: number): Narrow {
  const { rowCodes, rowOffsets } = index;
  if (rowOffsets !== null) return rowCodes.subarray(rowOffsets[row]!, rowOffsets[row + 1]!);
  return rowCodes.subarray(row, rowCodes[row]! < codeCount(index) ? row + 1 : row);
}

/** The number of a cell without a value. */
const NO_CELL = -1;
const NO_SITE = [0, 0] as const;

/** A site as a piece to look up, behind which three more bytes can be read. */
const sourceOfSite = (site: Buffer): [source: Source, start: number, end: number] => [
  sourceOf(Buffer.concat([site, Buffer.alloc(3)])),
  0,
  site.length,
];

/** The values of a field of addresses are their sites. */
export function createValueIndexBuilder(field: ValuedField): ColumnBuilder<ValueIndex> {
  const isUrl = field.kind === 'url';
  let table = new ByteTable();
  /** Per row: the code of its cell's bytes. */
  let cells = int32(0);
  return {
    setAll(rows, size, batch, firstCell) {
      cells = withRoom(cells, size, int32);
      const batchSource = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) {
        const cell = firstCell + i;
        let start = batch.starts[cell]!;
        let end = batch.ends[cell]!;
        let source = batchSource;
        if (isUrl && batch.kinds[cell]! > NULL) {
          const site = siteIn(batch.bytes, start, end);
          if (site === 'odd') [source, start, end] = sourceOfSite(oddSite(batch.bytes, start, end));
          else [start, end] = site ?? NO_SITE;
        }
        if (batch.kinds[cell]! <= NULL || end === start) cells[rows[i]!] = NO_CELL;
        else cells[rows[i]!] = table.codeOf(source, start, end);
      }
    },
    finish(size) {
      const index = indexOf(table, cells.subarray(0, size), field);
      table = new ByteTable();
      cells = int32(0);
      return index;
    },
  };
}

type ValuedField = Pick<Field, 'kind' | 'splitBy' | 'sortable'>;

function indexOf(table: ByteTable, cells: Int32Array, { kind, splitBy, sortable }: ValuedField): ValueIndex {
  const isUsed = new Uint8Array(table.size);
  for (let row = 0; row < cells.length; row++) if (cells[row] !== NO_CELL) isUsed[cells[row]!] = 1;
  const dictionary = new DictionaryBuilder(table, splitBy);
  /** The codes of cell c are `codes[cellOffsets[c]] … codes[cellOffsets[c + 1] - 1]`. A cell that only replaced records had has none. */
  const cellOffsets = new Uint32Array(isUsed.length + 1);
  for (let cell = 0; cell < isUsed.length; cell++) {
    if (isUsed[cell] === 1) dictionary.addCell(cell);
    cellOffsets[cell + 1] = dictionary.used;
  }
  const { names, counted, ranks, codes } = dictionary.finish();

  const size = cells.length;
  const rowOffsets = new Uint32Array(size + 1);
  let mostCodes = 0;
  for (let row = 0; row < size; row++) {
    const cell = cells[row]!;
    const codesOfCell = cell === NO_CELL ? 0 : cellOffsets[cell + 1]! - cellOffsets[cell]!;
    if (codesOfCell > mostCodes) mostCodes = codesOfCell;
    rowOffsets[row + 1] = rowOffsets[row]! + codesOfCell;
  }
  const missing = ranks.length;
  /** The last code of a row: that of the whole text, where the row has its parts as well. */
  const lastCode = (row: number): number =>
    rowOffsets[row] === rowOffsets[row + 1] ? missing : codes[cellOffsets[cells[row]! + 1]! - 1]!;
  const isOrdered = sortable === true && isTextual(kind);
  if (mostCodes <= 1) {
    const rowCodes = narrow(size, rowOffsets[size] === size ? missing - 1 : missing);
    for (let row = 0; row < size; row++) rowCodes[row] = lastCode(row);
    const { order, offsets } = orderByKeys(rowCodes, missing);
    const groups = { offsets: offsets.subarray(0, missing + 1), rows: order.rows.subarray(0, order.valued) };
    return { names, counted, ...groups, rowCodes, rowOffsets: null, order: isOrdered ? order : null };
  }
  const rowCodes = narrow(rowOffsets[size]!, missing - 1);
  const keys = narrow(isOrdered ? size : 0, missing);
  for (let row = 0; row < size; row++) {
    const end = rowOffsets[row + 1]!;
    for (let i = rowOffsets[row]!, at = cellOffsets[cells[row]!]!; i < end; i++) rowCodes[i] = codes[at++]!;
    if (isOrdered) keys[row] = ranks[lastCode(row)] ?? missing;
  }
  const groups = groupRows(rowOffsets, rowCodes, missing);
  return {
    names,
    counted,
    ...groups,
    rowCodes,
    rowOffsets,
    order: isOrdered ? orderByKeys(keys, missing).order : null,
  };
}

/**
 * Reads, splits and folds the distinct cells of a column. Texts are numbered as they first occur, and sorted once by their
 * folded text, by which the spellings of one value come to stand side by side: `Tea`, `TEA`.
 */
class DictionaryBuilder {
  /** How many texts the cells have so far. */
  used = 0;
  /** The distinct cells, and behind them the texts that are no whole cell. */
  readonly #table: ByteTable;
  readonly #splitBy: string | undefined;
  /** The texts of the cells, one cell after the other. */
  #textsOfCells = int32(0);
  /** Per text: the piece of the table that has it, and whether it is a part of a cell, or all of one that has no parts. */
  #pieceOf = int32(0);
  #isPart = uint8(0);
  /** By folded text: a text that stood in a list, had other characters than ASCII, or was split off. */
  readonly #textOf = new Map<string, number>();
  readonly #folded = new FoldedTextsBuilder();

  constructor(table: ByteTable, splitBy: string | undefined) {
    this.#table = table;
    this.#splitBy = splitBy;
  }

  /** Adds the texts of a cell, each value once; behind several parts of a text the whole of it. Blank texts are none. */
  addCell(cell: number): void {
    const { bytes, offsets } = this.#table;
    const splitBy = this.#splitBy;
    if (splitBy === undefined && this.#addPlain(cell)) return;
    const values = valuesIn(textOfBytes(bytes, offsets[cell]!, offsets[cell + 1]!));
    const parts =
      splitBy === undefined ? values : values.flatMap((value) => value.split(splitBy).map((part) => part.trim()));
    const texts = new Set(parts.filter((part) => part.trim() !== '').map((part) => this.#numberOf(part)));
    for (const text of texts) this.#isPart[text] = 1;
    if (parts.length > values.length && texts.size > 1) texts.add(this.#numberOf(values.join(splitBy)));
    for (const text of texts) this.#push(text);
  }

  #push(text: number): void {
    this.#textsOfCells = withRoom(this.#textsOfCells, this.used + 1, int32);
    this.#textsOfCells[this.used++] = text;
  }

  /** Adds a cell that is one text in ASCII without escapes; returns whether it is one. */
  #addPlain(cell: number): boolean {
    const { bytes, offsets } = this.#table;
    const to = offsets[cell + 1]!;
    let from = offsets[cell]!;
    if (bytes[from] === OPEN_ARRAY && bytes[from + 1] === QUOTE) return false;
    while (from < to && bytes[from]! <= SPACE) from++;
    if (from === to) return true;
    if (!this.#folded.addPlain(bytes, offsets[cell]!, to)) return false;
    const text = this.#number(cell);
    this.#isPart[text] = 1;
    this.#push(text);
    return true;
  }

  #numberOf(text: string): number {
    const folded = fold(text);
    const earlier = this.#textOf.get(folded);
    if (earlier !== undefined) return earlier;
    this.#folded.addFolded(folded);
    const bytes = Buffer.from(text);
    const added = this.#number(this.#table.add(bytes, 0, bytes.length));
    this.#textOf.set(folded, added);
    return added;
  }

  /** Numbers the text that was folded last. */
  #number(piece: number): number {
    const { size } = this.#folded;
    this.#pieceOf = withRoom(this.#pieceOf, size, int32);
    this.#pieceOf[size - 1] = piece;
    this.#isPart = withRoom(this.#isPart, size, uint8);
    return size - 1;
  }

  /** The values by code, the rank of each code's value among all, and the codes of the cells. */
  finish() {
    const { size } = this.#folded;
    const texts = new Uint32Array(size).map((_, text) => text);
    const { order, isRepeated } = sortPieces(this.#folded.finish(), texts);
    const rankOf = new Uint32Array(size);
    /** By text: whether its value was first written so. */
    const isFirst = new Uint8Array(size);
    /** By rank: whether the value is counted. */
    const isCounted = new Uint8Array(size);
    let values = 0;
    for (let place = 0; place < size; place++) {
      const text = order[place]!;
      if (isRepeated[place] === 0) {
        isFirst[text] = 1;
        values++;
      }
      rankOf[text] = values - 1;
      isCounted[values - 1]! |= this.#isPart[text]!;
    }
    const ranks = new Uint32Array(values);
    let counted = 0;
    for (let rank = 0; rank < values; rank++) if (isCounted[rank] === 1) ranks[counted++] = rank;
    for (let rank = 0, code = counted; rank < values; rank++) if (isCounted[rank] === 0) ranks[code++] = rank;
    const codeOf = new Uint32Array(values);
    for (let code = 0; code < values; code++) codeOf[ranks[code]!] = code;
    const codeOfText = rankOf.map((rank) => codeOf[rank]!);
    const codes = this.#textsOfCells;
    for (let i = 0; i < this.used; i++) codes[i] = codeOfText[codes[i]!]!;
    return { names: this.#namesOf(values, isFirst, codeOfText), counted, ranks, codes };
  }

  /** The values by code, as they were first written. They are copied in the order of the table: to read them by code would jump about in memory. */
  #namesOf(values: number, isFirst: Uint8Array, codeOfText: Uint32Array): ValueIndex['names'] {
    const { bytes: pieces, offsets: starts } = this.#table;
    const offsets = new Uint32Array(values + 1);
    for (let text = 0; text < isFirst.length; text++) {
      const piece = this.#pieceOf[text]!;
      if (isFirst[text] === 1) offsets[codeOfText[text]! + 1] = starts[piece + 1]! - starts[piece]!;
    }
    for (let code = 0; code < values; code++) offsets[code + 1]! += offsets[code]!;
    const bytes = uint8(offsets[values]!);
    for (let text = 0; text < isFirst.length; text++) {
      if (isFirst[text] === 0) continue;
      const piece = this.#pieceOf[text]!;
      const end = starts[piece + 1]!;
      for (let at = offsets[codeOfText[text]!]!, from = starts[piece]!; from < end; from++) bytes[at++] = pieces[from]!;
    }
    return { bytes, offsets };
  }
}

/** The values of a cell: no text begins as a list does, since a quote in a text is escaped. */
function valuesIn(cell: string): readonly string[] {
  const value: unknown = JSON.parse(cell.startsWith('["') ? cell : `"${cell}"`);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
