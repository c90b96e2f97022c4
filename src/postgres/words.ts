/**
 * Texts as the database searches them: a `tsvector` of the words that memory's tokenizer finds, by the stems of the collection's
 * language, so that both engines find the same records. A lexeme is
 *
 *     tea     the stem of a word, with its positions and the label of its field
 *     =teas   the word itself where its stem is another, for completions
 *     3:tea   the stem in the field of this number, where several fields share a label
 *     #4:a10  a code of the model's field of this number, without positions
 *
 * The database keeps 16,383 positions of a record and a megabyte of lexemes; words behind these are not searched.
 */
import { cellOf, hasText, isBlank, LIST, type RecordBatch, textOf } from '../batch.js';
import type { Language } from '../languages.js';
import type { CollectionModel, Field } from '../model.js';
import { stringOf, Tokenizer } from '../search/tokenizer.js';
import { wordRules } from '../search/word-rules.js';
import { searchColumns } from '../store/documents.js';
import { valuesOfCell } from '../store/value-index.js';
import { cellJson, copyText, foldedKey } from './copy-text.js';

/** The labels of searched fields in their order, by which the rank weighs them. */
export const LABELS = ['A', 'B', 'C', 'D'] as const;
export const weightLabel = (field: number): (typeof LABELS)[number] =>
  LABELS[Math.min(field, LABELS.length - 1)] ?? 'D';
/** Whether several fields have the label of this one. */
export const sharesLabel = (field: number, fields: number): boolean =>
  fields > LABELS.length && field >= LABELS.length - 1;

export const fieldLexeme = (field: number, stem: string): string => `${field}:${stem}`;
export const wordLexeme = (word: string): string => `=${word}`;
export const codeLexeme = (field: number, code: string): string => `#${field}:${foldedKey(code)}`;
/** A lexeme within a `tsvector` or `tsquery`. */
export const quotedLexeme = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`;

const isCodeField = ({ kind, mayBeKey }: Field): boolean => kind === 'code' || kind === 'codes' || mayBeKey === true;

/** Bounds of the database: `MAXSTRPOS`, `MAXNUMPOS` and `MAXENTRYPOS` of its `tsvector`, and a lexeme's length. */
const MAX_VECTOR_BYTES = 1_000_000;
const MAX_POSITIONS = 255;
const MAX_POSITION = 16_383;
const MAX_LEXEME_UNITS = 200;
/** Words further apart are no neighbours. */
const LEXEME_POSITION_GAP = 8;

/** Writes the words of records as COPY reads them. */
export class WordsWriter {
  /** How many records had more words than fit. */
  cut = 0;
  readonly #fields: CollectionModel['fields'];
  readonly #columns: readonly number[];
  readonly #codeColumns: readonly number[];
  readonly #tokenizer = new Tokenizer();
  readonly #stem: (word: string) => string;
  /** The lexemes of the record, each with its places: position 7 in the first field is `7A`. */
  #lexemes = new Map<string, string[]>();
  #bytes = 0;
  #position = 0;
  #field = 0;
  #isCut = false;
  readonly #sink = {
    word: (units: Uint16Array, length: number): void => {
      this.#position++;
      this.#addWord(stringOf(units, length));
    },
    compound: (units: Uint16Array, length: number): void => this.#addWord(stringOf(units, length)),
    tail: (units: Uint16Array, length: number): void => this.#addWord(stringOf(units, length)),
  };

  constructor(model: CollectionModel, language: Language) {
    this.#fields = model.fields;
    this.#columns = searchColumns(model);
    this.#codeColumns = model.fields.flatMap((field, column) => (isCodeField(field) ? [column] : []));
    this.#stem = wordRules(language).stem;
  }

  textOf(batch: RecordBatch, record: number): string {
    this.#lexemes = new Map();
    this.#bytes = 0;
    this.#position = 0;
    this.#isCut = false;
    this.#addTexts(batch, record);
    this.#addCodes(batch, record);
    if (this.#isCut) this.cut++;
    let text = '';
    for (const [lexeme, places] of this.#lexemes) {
      text += `${text === '' ? '' : ' '}${quotedLexeme(lexeme)}`;
      if (places.length > 0) text += `:${places.join(',')}`;
    }
    return copyText(text);
  }

  #addTexts(batch: RecordBatch, record: number): void {
    for (const [field, column] of this.#columns.entries()) {
      this.#field = field;
      for (const text of fieldTexts(batch, cellOf(column, record))) {
        this.#tokenizer.tokenize(text, this.#sink);
        this.#position += LEXEME_POSITION_GAP;
      }
    }
  }

  #addCodes(batch: RecordBatch, record: number): void {
    for (const column of this.#codeColumns) {
      const cell = cellOf(column, record);
      for (const code of isBlank(batch, cell) ? [] : codesOf(batch, cell, this.#fields[column]))
        if (code.length <= MAX_LEXEME_UNITS) this.#addLexeme(codeLexeme(column, code), null);
    }
  }

  #addWord(word: string): void {
    const stem = this.#stem(word);
    const place = `${Math.min(this.#position, MAX_POSITION)}${weightLabel(this.#field)}`;
    this.#addLexeme(stem, place);
    if (stem !== word) this.#addLexeme(wordLexeme(word), place);
    if (sharesLabel(this.#field, this.#columns.length)) this.#addLexeme(fieldLexeme(this.#field, stem), place);
  }

  #addLexeme(lexeme: string, place: string | null): void {
    const places = this.#lexemes.get(lexeme);
    const added = places === undefined ? Buffer.byteLength(lexeme) + 8 : 2;
    if (this.#bytes + added > MAX_VECTOR_BYTES) {
      this.#isCut = true;
      return;
    }
    this.#bytes += added;
    if (places === undefined) this.#lexemes.set(lexeme, place === null ? [] : [place]);
    else if (place !== null && places.length < MAX_POSITIONS) places.push(place);
  }
}

/** The texts of a cell; that of a text is searched as a whole, whatever separates values in it. */
function fieldTexts(batch: RecordBatch, cell: number): readonly string[] {
  const kind = batch.kinds[cell] ?? 0;
  if (kind === LIST) return valuesOfCell(cellJson(batch, cell), null);
  return hasText(kind) ? [textOf(batch, cell) ?? ''] : [];
}

const codesOf = (batch: RecordBatch, cell: number, field: Field | undefined): readonly string[] =>
  hasText(batch.kinds[cell] ?? 0) || batch.kinds[cell] === LIST
    ? valuesOfCell(cellJson(batch, cell), field?.splitBy ?? null)
    : [String(batch.numbers[cell])];
