/** Looks for possible mistakes in accepted records. Costs some comparisons a record. */
import { isAscii } from 'node:buffer';
import { cellOf, NULL, type RecordBatch, textOf } from '../../batch.js';
import { type CollectionModel, type Field, isFound, isList, isNumeric } from '../../model.js';
import { count, DAY_MS, grouped } from '../../text.js';
import { mayBeMisdecoded, withoutControls } from '../source/decode.js';
import { isMost } from '../values/texts.js';
import { countedFinding, type FileFinding, finding } from './findings.js';

/** The characters of windows-1252 that have the bytes 0x80 to 0xbf: those behind the first byte of a UTF-8 character. */
const FOLLOWING = '[\\u0080-\\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]';
/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`, and two letters of Cyrillic, `Ð´Ð°` for `да`. */
const DOUBLE_ENCODED = new RegExp(`[ÂÃ]${FOLLOWING}|â[€\\u0080]${FOLLOWING}|(?:[ÐÑ]${FOLLOWING}){2}`);
/** Characters that no writing has: windows-1252, read as ISO 8859-1, has its dashes and quotes there. */
const CONTROLS = /[\u0080-\u009f]/;
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/|$)/i;

/** Records that have a value of one field, those whose value may be a mistake, and the first such text. */
interface ColumnCounts {
  present: number;
  suspicious: number;
  example: string;
  /** Dates whose year may be of another calendar, the year of the first one, and other dates before 1900. */
  otherYears: number;
  firstOtherYear: number;
  oldDates: number;
  /** Texts with control characters, and the first of them. */
  controls: number;
  controlsExample: string;
}

export type MistakeCounter = ReturnType<typeof createMistakeCounter>;

export function createMistakeCounter({ fields, name: collection }: CollectionModel, nowMs: number) {
  const columns = fields.map(
    (): ColumnCounts => ({
      present: 0,
      suspicious: 0,
      example: '',
      otherYears: 0,
      firstOtherYear: Number.NaN,
      oldDates: 0,
      controls: 0,
      controlsExample: '',
    }),
  );

  const firstCellsOfTexts = fields.flatMap(({ kind }, index) => (kind === 'text' ? [cellOf(index, 0)] : []));

  const lookAtBatch = (batch: RecordBatch): void => {
    const areTextsLookedAt = mayBeMisdecoded(bytesOfColumns(batch, firstCellsOfTexts));
    for (const [index, field] of fields.entries()) {
      const { kind } = field;
      const column = columns[index]!;
      const first = cellOf(index, 0);
      const isLookedAt = kind === 'text' ? areTextsLookedAt : !isList(kind);
      for (let cell = first; cell < first + batch.size; cell++) {
        if (batch.kinds[cell]! <= NULL) continue;
        column.present++;
        if (!isLookedAt) continue;
        if (kind === 'text') lookAtText(column, batch, cell);
        else if (mayBeMistake(field, batch, cell, nowMs)) column.suspicious++;
        if (kind === 'date') lookAtYear(column, batch.numbers[cell]!);
      }
    }
  };

  return {
    look: lookAtBatch,
    /** The number of records that have a value of a field. */
    present: (index: number): number => columns[index]?.present ?? 0,
    findings(accepted: number): readonly FileFinding[] {
      if (accepted === 0) return [finding('no-records', `no ${collection} in this file`)];
      const emptyFields = fields.filter((field, index) => isUnusualWithout(field) && columns[index]!.present === 0);
      return [
        ...fields.flatMap((field, index) => columnFindings(field, columns[index]!, accepted)),
        ...noValuesFindings(emptyFields),
      ];
    },
  };
}

const OF_BIRTH = /born|birth|^dob$|geboren|geburt|naissance|nacimiento|nascita/i;

/** Whether a value may be a mistake: a 0, a date in the future, a relative address. */
function mayBeMistake(field: Field, batch: RecordBatch, cell: number, nowMs: number): boolean {
  const { kind } = field;
  if (isNumeric(kind)) return batch.numbers[cell] === 0;
  // A found date may be a deadline, unless it is one of birth: `3/15/45`. A day is added to the time of reading, since clocks and zones differ.
  if (kind === 'date') return batch.numbers[cell]! > nowMs + DAY_MS && (!isFound(field) || OF_BIRTH.test(field.name));
  if (kind !== 'url') return false;
  return !beginsWithHttp(batch.bytes, batch.starts[cell]!) && !ABSOLUTE.test(textOf(batch, cell) ?? '');
}

const MODERN_MS = Date.UTC(1900, 0);
const AFTER_MODERN_MS = Date.UTC(2401, 0);

/** Counts a date whose year may be that of another calendar: 1403 of Iran, 1445 of Islam, 2567 of Thailand. */
function lookAtYear(column: ColumnCounts, timeMs: number): void {
  if (timeMs >= MODERN_MS && timeMs < AFTER_MODERN_MS) return;
  const year = new Date(timeMs).getUTCFullYear();
  if ((year >= 1300 && year < 1500) || (year > 2400 && year < 9000)) {
    if (column.otherYears++ === 0) column.firstOtherYear = year;
  } else if (year < 1900) column.oldDates++;
}

function lookAtText(column: ColumnCounts, batch: RecordBatch, cell: number): void {
  if (isAscii(batch.bytes.subarray(batch.starts[cell], batch.ends[cell]))) return;
  const text = textOf(batch, cell) ?? '';
  if (DOUBLE_ENCODED.test(text)) {
    if (column.suspicious++ === 0) column.example = textAround(text, DOUBLE_ENCODED);
  } else if (CONTROLS.test(text) && column.controls++ === 0) column.controlsExample = textAround(text, CONTROLS);
}

function columnFindings(field: Field, column: ColumnCounts, accepted: number): readonly FileFinding[] {
  const { present, suspicious } = column;
  const { kind, name, required } = field;
  const options = { field: name, count: suspicious };
  if (kind === 'text') return textFindings(name, column, accepted);
  const calendar = calendarFindings(name, column);
  if (suspicious === 0) return calendar;
  if (isNumeric(kind))
    return !required && suspicious === present ? [finding('zeros', '0 in every record that has one', options)] : [];
  if (kind === 'date') return [...calendar, finding('future', `${count(suspicious, 'date')} in the future`, options)];
  const isOne = suspicious === 1;
  const text = `${grouped(suspicious)} relative ${isOne ? 'address, kept as it is' : 'addresses, kept as they are'}`;
  return [
    finding('relative-address', text, { ...options, advice: `--base-url URL completes ${isOne ? 'it' : 'them'}` }),
  ];
}

/** A single year such as 1403 among others of our time is of another calendar more often than 1403 of ours. */
function calendarFindings(field: string, { present, otherYears, firstOtherYear, oldDates }: ColumnCounts) {
  const isOfOtherCalendar = isMost(otherYears, present) || (oldDates === 0 && firstOtherYear < 1900);
  const text = `read by the Gregorian calendar, though years such as ${firstOtherYear} may be Persian, Islamic or Buddhist`;
  return countedFinding(isOfOtherCalendar ? otherYears : 0, 'calendar', text, { field });
}

/** Whether a file without any value of a field is unusual: articles mostly have no tags, and a found field may be another file's. */
const isUnusualWithout = (field: Field): boolean => !isList(field.kind) && !isFound(field);

function noValuesFindings(fields: readonly Field[]): readonly FileFinding[] {
  if (fields.length === 0) return [];
  const names = fields.map(({ name }) => name).join(', ');
  return [finding('no-values', `no record has a value for ${names}`, { count: fields.length })];
}

/** Texts that were decoded by a wrong encoding before they came into the dump. */
function textFindings(field: string, column: ColumnCounts, accepted: number): readonly FileFinding[] {
  const { suspicious, example, controls, controlsExample } = column;
  const texts = (number: number): string => `${count(number, 'text')} of ${grouped(accepted)}`;
  const findings: FileFinding[] = [];
  if (suspicious > 0) {
    const look = suspicious === 1 ? 'looks' : 'look';
    const text = `${texts(suspicious)} ${look} double-encoded, such as ${JSON.stringify(example)}`;
    findings.push(finding('double-encoded', text, { field, count: suspicious }));
  }
  if (controls > 0) {
    const text = `${texts(controls)} ${controls === 1 ? 'holds' : 'hold'} control characters, kept as they are`;
    const right = JSON.stringify(withoutControls(controlsExample));
    const advice = `${escapedControls(controlsExample)} is ${right} in windows-1252, and was read as ISO 8859-1`;
    findings.push(finding('control-characters', text, { field, count: controls, advice }));
  }
  return findings;
}

/** `"d\u0092Estournel"`, whose control a terminal would not show. */
const escapedControls = (text: string): string =>
  JSON.stringify(text).replace(/[\u0080-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);

/** The text around the first match. */
function textAround(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return text.slice(Math.max(0, at - 15), at + 15);
}

const HTTP = Buffer.from('http');

function beginsWithHttp(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < HTTP.length; i++) if (bytes[start + i] !== HTTP[i]) return false;
  return true;
}

/** The bytes of a batch from the first cell of some columns to the last, including cells of other columns: one test of all is faster than one a cell. */
function bytesOfColumns({ bytes, kinds, starts, ends, size }: RecordBatch, firstCells: readonly number[]): Buffer {
  let from = bytes.length;
  let to = 0;
  for (const firstCell of firstCells)
    for (let cell = firstCell; cell < firstCell + size; cell++) {
      if (kinds[cell]! <= NULL) continue;
      from = Math.min(from, starts[cell]!);
      to = Math.max(to, ends[cell]!);
    }
  return bytes.subarray(from, Math.max(from, to));
}
