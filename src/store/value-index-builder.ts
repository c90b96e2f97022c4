/**
 * How the index of a field's values is built: while records arrive, cells are told apart by their bytes alone; each distinct
 * one is read, split and folded once, when all are there.
 */
import { int32, type Narrow, narrow, uint8, withRoom } from '../arrays.js';
import { type ColumnBuilder, NULL } from '../batch.js';
import { ByteTable } from '../byte-table.js';
import { isSortable } from '../field-kinds.js';
import { OPEN_ARRAY, QUOTE, SPACE } from '../kernels/ascii.js';
import type { Field } from '../model.js';
import { fold, textOfBytes } from '../text.js';
import { sortPieces, writeRanks } from './byte-order.js';
import { sourceOf } from './chunks.js';
import { FoldedTextsBuilder } from './folded-texts.js';
import { naturalPlaces } from './natural-order.js';
import type { Texts } from './part-search.js';
import { oddSite, siteIn } from './sites.js';
import { groupRows, orderByKeys, type SortOrder } from './sort-order.js';
import { type ValueIndex, valuesOfCell } from './value-index.js';

/** The number of a cell without a value. */
const NO_CELL = -1;
const NO_SITE = [0, 0] as const;

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
          if (site === 'odd') {
            source = sourceOf(oddSite(batch.bytes, start, end));
            [start, end] = [0, source.bytes.length];
          } else [start, end] = site ?? NO_SITE;
        }
        if (batch.kinds[cell]! <= NULL || end === start) cells[rows[i]!] = NO_CELL;
        else cells[rows[i]!] = table.codeOf(source, start, end);
      }
    },
    finish(size) {
      const index = indexOfValues(table, cells.subarray(0, size), field);
      table = new ByteTable();
      cells = int32(0);
      return index;
    },
  };
}

type ValuedField = Pick<Field, 'kind' | 'role' | 'splitBy'>;

/** The index of a field whose row r has the value of piece `cells[r]`, JSON without its quotes; -1 for none. */
export function indexOfValues(table: ByteTable, cells: Int32Array, field: ValuedField): ValueIndex {
  const { kind, splitBy = null } = field;
  const dictionary = new DictionaryBuilder(table, splitBy);
  /** The codes of cell c are `codes[cellOffsets[c]] … codes[cellOffsets[c + 1] - 1]`. A cell that only replaced records had has none. */
  const cellOffsets = addCells(dictionary, usedCells(table.size, cells));
  const { names, codes, folded, textOfCode } = dictionary.finish();
  const missing = names.offsets.length - 1;
  const firstCodes = firstCodesOf(cellOffsets, codes, missing);
  // Addresses are ordered by themselves, not by their sites.
  const isOrdered = isSortable(field) && kind !== 'url';
  const places = isOrdered && kind === 'code' ? naturalPlaces(folded, textOfCode) : null;
  const keysOfCells =
    places === null ? firstCodes : firstCodes.map((code) => (code === missing ? code : places[code]!));
  const orderOf = (): SortOrder => orderByKeys(numbersOfRows(cells, keysOfCells, missing), missing).order;
  if (hasSeveral(cellOffsets)) {
    const rowOffsets = rowOffsetsOf(cells, cellOffsets);
    const rowCodes = codesOfRows(cells, cellOffsets, codes, rowOffsets, missing);
    const groups = groupRows(rowOffsets, rowCodes, missing);
    return { names, splitBy, ...groups, rowCodes, rowOffsets, order: isOrdered ? orderOf() : null };
  }
  const rowCodes = numbersOfRows(cells, firstCodes, missing);
  const { order, offsets } = orderByKeys(rowCodes, missing);
  const groups = { offsets: offsets.subarray(0, missing + 1), rows: order.rows.subarray(0, order.valued) };
  const ordered = places === null ? order : orderOf();
  return { names, splitBy, ...groups, rowCodes, rowOffsets: null, order: isOrdered ? ordered : null };
}

/** By cell: 1 where a row has it. */
function usedCells(cellCount: number, cells: Int32Array): Uint8Array {
  const isUsed = new Uint8Array(cellCount);
  for (let row = 0; row < cells.length; row++) if (cells[row] !== NO_CELL) isUsed[cells[row]!] = 1;
  return isUsed;
}

/** Adds the used cells to a dictionary; returns by cell where its texts begin, and behind all where the last ones end. */
function addCells(dictionary: DictionaryBuilder, isUsed: Uint8Array): Uint32Array {
  const cellOffsets = new Uint32Array(isUsed.length + 1);
  for (let cell = 0; cell < isUsed.length; cell++) {
    if (isUsed[cell] === 1) dictionary.addCell(cell);
    cellOffsets[cell + 1] = dictionary.used;
  }
  return cellOffsets;
}

function hasSeveral(offsets: Uint32Array): boolean {
  for (let i = 1; i < offsets.length; i++) if (offsets[i]! - offsets[i - 1]! > 1) return true;
  return false;
}

/** By cell: its first code, by which a row is sorted; `missing` where it has none. */
function firstCodesOf(cellOffsets: Uint32Array, codes: Int32Array, missing: number): Uint32Array {
  const firstCodes = new Uint32Array(cellOffsets.length - 1);
  for (let cell = 0; cell < firstCodes.length; cell++)
    firstCodes[cell] = cellOffsets[cell] === cellOffsets[cell + 1] ? missing : codes[cellOffsets[cell]!]!;
  return firstCodes;
}

/** By row: the number of its cell; `missing`, which is greater than all, where it has none. */
function numbersOfRows(cells: Int32Array, numbers: Uint32Array, missing: number): Narrow {
  const isAnyMissing = cells.includes(NO_CELL) || numbers.includes(missing);
  const numbersByRow = narrow(cells.length, isAnyMissing ? missing : missing - 1);
  for (let row = 0; row < cells.length; row++)
    numbersByRow[row] = cells[row] === NO_CELL ? missing : numbers[cells[row]!]!;
  return numbersByRow;
}

/** By row: where the codes of its cell begin; and behind all where the last ones end. */
function rowOffsetsOf(cells: Int32Array, cellOffsets: Uint32Array): Uint32Array {
  const rowOffsets = new Uint32Array(cells.length + 1);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    rowOffsets[row + 1] = rowOffsets[row]! + (cell === NO_CELL ? 0 : cellOffsets[cell + 1]! - cellOffsets[cell]!);
  }
  return rowOffsets;
}

/** The codes of the rows' cells, one row after the other. */
function codesOfRows(
  cells: Int32Array,
  cellOffsets: Uint32Array,
  codes: Int32Array,
  rowOffsets: Uint32Array,
  missing: number,
): Narrow {
  const rowCodes = narrow(rowOffsets[cells.length]!, missing - 1);
  for (let row = 0; row < cells.length; row++) {
    const end = rowOffsets[row + 1]!;
    for (let i = rowOffsets[row]!, at = cellOffsets[cells[row]!]!; i < end; i++) rowCodes[i] = codes[at++]!;
  }
  return rowCodes;
}

/**
 * Reads, splits and folds the distinct cells of a column. Texts are numbered as they first occur, and sorted once by their
 * folded text, by which the spellings of one value come to stand side by side: `Tea`, `TEA`.
 */
class DictionaryBuilder {
  /** How many texts the cells have so far. */
  used = 0;
  /** The distinct cells, and behind them the texts that are no cell. */
  readonly #table: ByteTable;
  readonly #splitBy: string | null;
  /** The texts of the cells, one cell after the other. */
  #textsOfCells = int32(0);
  /** Per text: the piece of the table that has it. */
  #pieceOf = int32(0);
  /** By folded text: a text that stood in a list, had other characters than ASCII, or was split off. */
  readonly #textOfFolded = new Map<string, number>();
  readonly #folded = new FoldedTextsBuilder();

  constructor(table: ByteTable, splitBy: string | null) {
    this.#table = table;
    this.#splitBy = splitBy;
  }

  /** Adds the texts of a distinct cell, each value once: `["a","A"]` has one. Blank texts are none. A text in ASCII that nothing splits is read from its bytes, all else as strings. */
  addCell(cell: number): void {
    const { bytes, offsets } = this.#table;
    const isList = bytes[offsets[cell]!] === OPEN_ARRAY && bytes[offsets[cell]! + 1] === QUOTE;
    if (this.#splitBy === null && !isList && this.#addPlain(cell)) return;
    const parts = valuesOfCell(textOfBytes(bytes, offsets[cell]!, offsets[cell + 1]!), this.#splitBy);
    for (const text of new Set(parts.map((part) => this.#textLike(part)))) this.#addToCell(text);
  }

  #addToCell(text: number): void {
    this.#textsOfCells = withRoom(this.#textsOfCells, this.used + 1, int32);
    this.#textsOfCells[this.used++] = text;
  }

  /** Adds a cell that is one text in ASCII without escapes; returns whether it is one. */
  #addPlain(cell: number): boolean {
    const { bytes, offsets } = this.#table;
    const to = offsets[cell + 1]!;
    let from = offsets[cell]!;
    while (from < to && bytes[from]! <= SPACE) from++;
    if (from === to) return true;
    if (!this.#folded.addPlain(bytes, offsets[cell]!, to)) return false;
    this.#addToCell(this.#addText(cell));
    return true;
  }

  /** The number of the text that has the same folded form: an earlier one, or a new one. */
  #textLike(text: string): number {
    const folded = fold(text);
    const earlier = this.#textOfFolded.get(folded);
    if (earlier !== undefined) return earlier;
    this.#folded.add(folded);
    const bytes = Buffer.from(text);
    const added = this.#addText(this.#table.add(bytes, 0, bytes.length));
    this.#textOfFolded.set(folded, added);
    return added;
  }

  /** Adds the text that was folded last, given its piece of the table; returns its number. */
  #addText(piece: number): number {
    const { size } = this.#folded;
    this.#pieceOf = withRoom(this.#pieceOf, size, int32);
    this.#pieceOf[size - 1] = piece;
    return size - 1;
  }

  /** The values by code, which is their rank; the codes of the cells; the folded texts, and by code the first text that has the value. */
  finish() {
    const { size } = this.#folded;
    const folded = this.#folded.finish();
    const { order, isRepeated } = sortPieces(
      folded,
      new Uint32Array(size).map((_, text) => text),
    );
    const codeOfText = new Uint32Array(size);
    writeRanks({ order, isRepeated }, codeOfText);
    const codes = this.#textsOfCells;
    for (let i = 0; i < this.used; i++) codes[i] = codeOfText[codes[i]!]!;
    const textOfCode = order.filter((_, place) => isRepeated[place] === 0);
    return { names: this.#namesOf(textOfCode), codes, folded, textOfCode };
  }

  /** The values by code, as they were first written. */
  #namesOf(textOfCode: Uint32Array): Texts {
    const { bytes: pieces, offsets: starts } = this.#table;
    const pieceOfCode = textOfCode.map((text) => this.#pieceOf[text]!);
    const offsets = new Uint32Array(textOfCode.length + 1);
    for (let code = 0; code < pieceOfCode.length; code++)
      offsets[code + 1] = offsets[code]! + starts[pieceOfCode[code]! + 1]! - starts[pieceOfCode[code]!]!;
    const bytes = uint8(offsets[textOfCode.length]!);
    const otherCodes: number[] = [];
    for (let code = 0; code < pieceOfCode.length; code++) {
      let bitsOfAll = 0;
      for (let at = offsets[code]!, from = starts[pieceOfCode[code]!]!; at < offsets[code + 1]!; at++, from++) {
        bitsOfAll |= pieces[from]!;
        bytes[at] = pieces[from]!;
      }
      if (bitsOfAll >= 0x80) otherCodes.push(code);
    }
    return { bytes, offsets, others: Uint32Array.from(otherCodes) };
  }
}
