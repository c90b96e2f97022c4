/**
 * Sets the cells of one field. A member that is canonical for the field becomes a cell as it stands; the cells of other short texts are
 * remembered, so that each spelling is read once; all else is read by `values.ts`.
 *
 *     "Tea" in a text      the span of Tea
 *     "£4.20" in a number  4.2, which is spelt, and remembered for the next "£4.20"
 */
import { BOOLEAN, cellOf, hasText, LIST, NULL, NUMBER, TEXT } from '../../batch.js';
import {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  DELETE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SEMICOLON,
  SPACE,
} from '../../kernels/ascii.js';
import { type Field, type FieldKind, isList, type Value } from '../../model.js';
import { canonicalDate, isDigit, parsedJson, unguardFormula } from '../../text.js';
import { BARE_TEXT, NOTHING, type SourceRow } from '../place/source-row.js';
import type { ColumnWatch, OddValue } from '../profile/column-watch.js';
import { MAX_NUMBER_DIGITS } from '../profile/kind-counts.js';
import type { CellNote, Tally } from '../report/tally.js';
import type { BatchMemory } from '../source/batch-memory.js';
import type { CellWriter } from '../values/cell-writer.js';
import { epochTime, isCanonicalIn, isDayLong, isoTimeIn } from '../values/dates.js';
import { hasEntities, isReadWhole, isTrimmed } from '../values/text-forms.js';
import { MAX_NULL_WORD, NULL_INITIALS, trimmed, wellFormedText } from '../values/texts.js';
import { type CellContext, mayHoldList, readCell } from '../values/values.js';
import { CellMemo, MAX_MEMO_BYTES } from './memo.js';

/** Whether a member is a text, however it is spelt. */
const isTextMember = (kind: number): boolean => hasText(kind) || kind === BARE_TEXT;

/** The findings about the record that is being bound, and the time from which its relative dates count. */
export class RecordFindings {
  /** The first `noteCount` notes are the record's; the array is used again for each record. */
  readonly notes: CellNote[] = [];
  noteCount = 0;
  /** The first required field whose cell is no value, and the cell. */
  refused: FieldReader | undefined;
  refusedRaw: unknown;
  scrapedAtMs: number | undefined;

  /** Forgets the last record's findings. Notes behind `noteCount` are overwritten; `refusedRaw` counts only beside a refusal. */
  beginRecord(): void {
    this.noteCount = 0;
    this.refused = undefined;
    this.scrapedAtMs = undefined;
  }

  add(note: CellNote): void {
    this.notes[this.noteCount++] = note;
  }

  refuse(reader: FieldReader, raw: unknown): void {
    if (this.refused !== undefined && this.refused.index <= reader.index) return;
    this.refused = reader;
    this.refusedRaw = raw;
  }
}

interface FieldReaderOptions {
  readonly cells: CellWriter;
  readonly findings: RecordFindings;
  readonly tally: Tally;
  /** The form of the field's texts is part of it. */
  readonly context: CellContext;
  /** Undefined where nothing of the column can be decided otherwise. */
  readonly watch: ColumnWatch | undefined;
}

export class FieldReader {
  readonly field: Field;
  /** The field's position in the model. */
  readonly index: number;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly #cells: CellWriter;
  readonly #findings: RecordFindings;
  readonly #tally: Tally;
  readonly #context: CellContext;
  readonly #watch: ColumnWatch | undefined;
  readonly #watchesLongIntegers: boolean;
  /** The odd value that was read last; undefined where the last value was none. */
  #odd: OddValue | undefined;
  readonly #kind: FieldKind;
  /** The field's numbers have a unit, or are percentages: those without one are counted. */
  readonly #hasUnit: boolean;
  /** Every text has to be rewritten. */
  readonly #isReadWhole: boolean;
  /** Texts with white space around have to be rewritten. */
  readonly #isTrimmed: boolean;
  /** Texts with entities have to be rewritten. */
  readonly #hasEntities: boolean;
  readonly #mayHoldList: boolean;
  #memo = new CellMemo();
  /** The notes of a repair and of a cell left null that are only counted: the report does not show the cell. */
  readonly #repaired: CellNote;
  readonly #leftNull: CellNote;

  constructor(field: Field, index: number, { cells, findings, tally, context, watch }: FieldReaderOptions) {
    const { kind, required, unit = '', isPercent = false } = field;
    this.field = field;
    this.index = index;
    this.isRequired = required === true;
    this.isList = isList(kind);
    this.#cells = cells;
    this.#findings = findings;
    this.#tally = tally;
    this.#context = context;
    this.#watch = watch;
    this.#watchesLongIntegers = watch?.watchesLongIntegers === true;
    this.#kind = kind;
    this.#hasUnit = unit !== '' || isPercent;
    this.#isReadWhole = isReadWhole(context.form);
    this.#hasEntities = hasEntities(context.form);
    this.#isTrimmed = isTrimmed(context.form);
    this.#mayHoldList = mayHoldList(field, context);
    this.#repaired = { field: index, raw: '', read: '' };
    this.#leftNull = { field: index, raw: '', read: null };
  }

  /** Sets the cell to a member: as it stands, as it is remembered, or as it is read. */
  read(row: SourceRow, member: number): void {
    const kind = row.kind(member);
    if (kind === NOTHING) return;
    const start = row.start(member);
    const end = row.end(member);
    if (kind === NULL) this.#cells.set(this.index, NULL, start, end);
    else if (this.#kind === 'json') this.#keepJson(row, member);
    else if (this.field.part !== undefined || !this.#setCanonical(row, member, kind, start, end))
      this.#coerce(row, member, kind, start, end);
  }

  /** Sets the cell to what is read from a value of the source. */
  readValue(raw: unknown): void {
    if (this.#kind === 'json') {
      if (raw !== undefined && raw !== null)
        this.#cells.writeJson(this.index, typeof raw === 'bigint' ? String(raw) : JSON.stringify(raw));
      return;
    }
    const { scrapedAtMs } = this.#findings;
    const context =
      this.#kind === 'date' && scrapedAtMs !== undefined ? { ...this.#context, scrapedAtMs } : this.#context;
    const { how, value } = readCell(this.field, raw, context);
    const wellFormedValue = wellFormed(value);
    if (how === 'repaired' || how === 'unreadable' || wellFormedValue !== value)
      this.#findings.add({ field: this.index, raw, read: wellFormedValue });
    if (this.#hasUnit && wellFormedValue !== null && isBareNumber(raw)) this.#tally.addBareNumber(this.index);
    if (this.isRequired && isBlankValue(wellFormedValue)) this.#findings.refuse(this, raw);
    this.#odd = this.#watch?.look(raw, how === 'unreadable');
    this.spell(wellFormedValue);
  }

  /** Sets the cell to a value. */
  spell(value: Value): void {
    const timeMs = this.#kind === 'date' && typeof value === 'string' ? Date.parse(value) : Number.NaN;
    this.#cells.spell(this.index, value, timeMs);
  }

  /** The value of a member. Apostrophes guard the formulas of our exports. */
  valueOf(row: SourceRow, member: number): unknown {
    const value = row.value(member);
    return this.#context.isGuarded && typeof value === 'string' ? unguardFormula(value) : value;
  }

  /** Sets the cell to a member as it came. A cell of CSV may hold JSON. */
  #keepJson(row: SourceRow, member: number): void {
    if (!this.#context.isCsv) {
      this.#cells.setJson(this.index, ...row.outerSpan(member));
      return;
    }
    const text = String(this.valueOf(row, member));
    const isJson = (parsedJson(text) ?? undefined) !== undefined;
    this.#cells.writeJson(this.index, isJson ? text : JSON.stringify(text));
  }

  /** Sets the cell to a member that is canonical for the field; false where the member is not. */
  #setCanonical(row: SourceRow, member: number, kind: number, start: number, end: number): boolean {
    switch (this.#kind) {
      case 'integer':
      case 'number': {
        if (kind === TEXT) return this.#setNumberOfText(start, end);
        const number = kind === NUMBER ? row.number(member) : Number.NaN;
        if (!this.#fits(number) || this.#isLongInteger(number)) return false;
        return this.#setNumber(start, end, number);
      }
      case 'text':
      case 'code':
      case 'url':
        if (!isTextMember(kind) || !this.#isPlain(kind, start, end)) return false;
        return kind === BARE_TEXT ? this.#cells.escape(this.index, start, end) : this.#set(kind, start, end);
      case 'date':
        return this.#setDate(row, member, kind, start, end);
      case 'texts':
      case 'codes':
        return this.#isPlainList(kind, start, end) && this.#set(LIST, start, end);
      // Booleans: what is kept as JSON never gets here.
      default:
        return kind === BOOLEAN && this.#set(BOOLEAN, start, end, row.number(member));
    }
  }

  /** Whether a list is written as it is served: as JSON, without what guards a cell of CSV, entities, or white space to take away. */
  #isPlainList(kind: number, start: number, end: number): boolean {
    const { memory } = this.#cells;
    const isJson =
      kind === LIST || (this.#context.isCsv && kind === BARE_TEXT && memory.kernel.list(start, end) === end);
    if (!isJson || memory.bytes[start] !== OPEN_ARRAY || this.#isReadWhole) return false;
    if (this.#mayHoldGuard(start, end) || (this.#isTrimmed && this.#mayHoldPadded(start, end))) return false;
    return !this.#holdsEntity(start, end);
  }

  #set(kind: number, start: number, end: number, number = Number.NaN): true {
    this.#cells.set(this.index, kind, start, end, number);
    return true;
  }

  /** Whether the field may have a number, NaN where its member spells none. */
  #fits(number: number): boolean {
    return this.#kind === 'integer' ? Number.isInteger(number) : !Number.isNaN(number);
  }

  /** Whether a number is an integer that no double holds with its neighbours, in a column where that decides. */
  #isLongInteger(number: number): boolean {
    return this.#watchesLongIntegers && Math.abs(number) > Number.MAX_SAFE_INTEGER && Number.isInteger(number);
  }

  #holdsEntity(start: number, end: number): boolean {
    return this.#hasEntities && this.#cells.memory.kernel.holds(AMPERSAND, start, end) !== 0;
  }

  /** Whether an apostrophe may guard a formula in a text, at its beginning or behind a semicolon. */
  #mayHoldGuard(start: number, end: number): boolean {
    const { bytes, kernel } = this.#cells.memory;
    if (this.#context.isGuarded !== true || start === end) return false;
    return bytes[start] === APOSTROPHE || kernel.holds(SEMICOLON, start, end) !== 0;
  }

  /** Sets the cell to a number that stands in a text, which is native to CSV and a repair in JSON; false for any other text. */
  #setNumberOfText(start: number, end: number): boolean {
    const { memory } = this.#cells;
    if (this.#context.decimalSign === 'comma') return false;
    const number = memory.canonicalNumber(start, end);
    if (!this.#fits(number)) return false;
    if (this.#watch !== undefined && !this.#isNoCode(this.#watch, number, start, end)) return false;
    if (!this.#context.isCsv) {
      const isExample = this.#tally.wantsExample(this.index);
      const raw = isExample ? memory.bytes.toString('latin1', start, end) : '';
      this.#findings.add(isExample ? { field: this.index, raw, read: number } : this.#repaired);
    }
    return this.#setNumber(start, end, number);
  }

  #setNumber(start: number, end: number, number: number): true {
    if (this.#hasUnit) this.#tally.addBareNumber(this.index);
    return this.#set(NUMBER, start, end, number);
  }

  /** Whether a number in a text is no code for its length. Its decimals tell versions and decimal signs. */
  #isNoCode(watch: ColumnWatch, number: number, start: number, end: number): boolean {
    if (Number.isInteger(number)) return !watch.watchesLongIntegers || end - start <= MAX_NUMBER_DIGITS;
    watch.lookAtDecimals(this.#cells.memory.bytes, start, end);
    return true;
  }

  /** Sets the cell to a date as programs write it, or to an epoch; false for any other member. A day is native, any other spelling a repair. */
  #setDate(row: SourceRow, member: number, kind: number, start: number, end: number): boolean {
    const { bytes } = this.#cells.memory;
    const isoMs = kind === TEXT ? isoTimeIn(bytes, start, end) : Number.NaN;
    if (isCanonicalIn(bytes, start, end, isoMs)) return this.#set(TEXT, start, end, isoMs);
    const timeMs = Number.isNaN(isoMs) ? epochOf(row, member, this.#cells.memory) : isoMs;
    if (Number.isNaN(timeMs)) return false;
    if (Number.isNaN(isoMs) || !isDayLong(start, end)) {
      const isExample = this.#tally.wantsExample(this.index);
      const raw = isExample ? this.valueOf(row, member) : '';
      this.#findings.add(isExample ? { field: this.index, raw, read: canonicalDate(timeMs) } : this.#repaired);
    }
    this.#cells.spellDate(this.index, timeMs);
    return true;
  }

  /** Whether a text is the field's value as it stands: no blank title, no word for no value, no entity, no list in a cell of CSV. */
  #isPlain(kind: number, start: number, end: number): boolean {
    const { isOurExport } = this.#context;
    const first = start < end ? this.#cells.memory.bytes[start]! : 0;
    if (this.#isReadWhole || (this.#isTrimmed && this.#mayBePadded(kind, start, end))) return false;
    if (this.isRequired && (first <= SPACE || first >= DELETE)) return false;
    if (this.#mayHoldGuard(start, end)) return false;
    if (isOurExport) return true;
    if (end - start <= MAX_NULL_WORD && NULL_INITIALS.has(first)) return false;
    if (this.#mayHoldList && (first === OPEN_ARRAY || first === OPEN_OBJECT)) return false;
    return !this.#holdsEntity(start, end);
  }

  /** Whether white space may stand at an end of a text. */
  #mayBePadded(kind: number, start: number, end: number): boolean {
    const { bytes } = this.#cells.memory;
    if (start === end) return false;
    const first = bytes[start]!;
    const last = bytes[end - 1]!;
    if (first <= SPACE || last <= SPACE) return true;
    // An escape may stand for a line break, `\n`, or for any character, `\u00a0`.
    const isEscape = (at: number): boolean => at >= start && bytes[at] === BACKSLASH;
    const endsInEscape = isEscape(end - '\\n'.length) || isEscape(end - '\\u00a0'.length);
    if (kind !== TEXT && (isEscape(start) || endsInEscape)) return true;
    if (first < DELETE && last < DELETE) return false;
    return mayBeWideSpace(bytes, start) || mayBeWideSpace(bytes, end - 3) || mayBeWideSpace(bytes, end - 2);
  }

  /** Whether white space may stand at an end of a text in a canonical list. */
  #mayHoldPadded(start: number, end: number): boolean {
    const { bytes, kernel } = this.#cells.memory;
    if (kernel.holds(BACKSLASH, start, end) !== 0) return true;
    for (let at = start; at < end; at++) {
      if (bytes[at] !== QUOTE) continue;
      const textStart = at + 1;
      at = bytes.indexOf(QUOTE, textStart);
      if (this.#mayBePadded(TEXT, textStart, at)) return true;
    }
    return false;
  }

  /** Sets the cell to what its member is remembered as, or read as. */
  #coerce(row: SourceRow, member: number, kind: number, start: number, end: number): void {
    // Required fields are read each time, since a refusal quotes the cell; so are dates that count from another member, and numbers that are counted.
    const isRelativeDate = this.#kind === 'date' && this.#findings.scrapedAtMs !== undefined;
    const isBare = this.#hasUnit && isDigit(this.#cells.memory.bytes[end - 1]!);
    const isReadEachTime = this.isRequired || isRelativeDate || isBare;
    if (!isTextMember(kind) || end - start > MAX_MEMO_BYTES || isReadEachTime) {
      this.readValue(this.valueOf(row, member));
      return;
    }
    const code = this.#memo.find(this.#cells.memory, start, end);
    if (code === -1) this.#remember(row, member, start, end);
    else this.#setRemembered(code);
  }

  /** Sets the cell to what its member is read as, and remembers it. */
  #remember(row: SourceRow, member: number, start: number, end: number): void {
    const { noteCount } = this.#findings;
    this.readValue(this.valueOf(row, member));
    const note = this.#findings.noteCount > noteCount ? this.#findings.notes[noteCount] : undefined;
    const isLeftNull = note?.read === null;
    // A member that becomes an example is read each time.
    if (note !== undefined && this.#tally.wantsExample(this.index, isLeftNull)) return;
    const { memory } = this.#cells;
    const cell = cellOf(this.index, memory.size);
    if (memory.ends[cell]! - memory.starts[cell]! > MAX_MEMO_BYTES) return;
    if (this.#memo.isFull) this.#memo = new CellMemo();
    const counted = note && (isLeftNull ? this.#leftNull : this.#repaired);
    this.#memo.add(memory, start, end, cell, counted && this.#odd ? { ...counted, odd: this.#odd } : counted);
  }

  #setRemembered(code: number): void {
    const { kinds, numbers, notes, spellings } = this.#memo;
    this.#cells.copy(this.index, kinds[code]!, numbers[code]!, spellings, code);
    const note = notes[code];
    if (note === undefined) return;
    this.#findings.add(note);
    if (note.odd !== undefined) note.odd.count++;
  }
}

/**
 * The first two bytes in UTF-8 of the spaces beyond ASCII: U+00A0, U+1680, those from U+2000 to U+205F, U+3000, U+FEFF.
 * Other characters begin with them too.
 */
const WIDE_SPACES: ReadonlySet<number> = new Set([0xc2a0, 0xe19a, 0xe280, 0xe281, 0xe380, 0xefbb]);

const mayBeWideSpace = (bytes: Uint8Array, at: number): boolean =>
  at >= 0 && WIDE_SPACES.has((bytes[at]! << 8) | bytes[at + 1]!);

/** The time of a member that is an epoch, a number or the text of one; NaN of any other. */
function epochOf(row: SourceRow, member: number, memory: BatchMemory): number {
  const kind = row.kind(member);
  const [start, end] = [row.start(member), row.end(member)];
  if (kind === TEXT) return epochTime(memory.canonicalNumber(start, end));
  if (kind !== NUMBER) return Number.NaN;
  const number = row.number(member);
  return epochTime(Number.isNaN(number) ? Number(memory.bytes.toString('latin1', start, end)) : number);
}

/** Whether a value is a number alone, without a unit or a scale: `1,234`. */
const isBareNumber = (raw: unknown): boolean =>
  typeof raw === 'number' || (typeof raw === 'string' && /^[-+−–]?[\d\s.,'’]+$/.test(raw));

const isBlankValue = (value: Value): boolean => value === null || (typeof value === 'string' && trimmed(value) === '');

function wellFormed(value: Value): Value {
  if (typeof value === 'string') return wellFormedText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return value.some((text) => text !== wellFormedText(text)) ? value.map(wellFormedText) : value;
}
