/** Looks for possible mistakes in accepted records. Costs some comparisons a record. */
import { isAscii } from 'node:buffer';
import { cellOf, NULL, type RecordBatch, textOf } from '../../batch.js';
import { type CollectionModel, type Field, isFound, isList, isNumeric } from '../../model.js';
import { count, grouped } from '../../text.js';
import { mayHoldDoubleEncoded } from '../source/decode.js';
import { DAY_MS } from '../values/dates.js';
import { type FileFinding, finding } from './findings.js';

/** The characters of windows-1252 that have the bytes 0x80 to 0xbf: those behind the first byte of a UTF-8 character. */
const FOLLOWING = '[\\u0080-\\u00bfŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]';
/** UTF-8 that was read as windows-1252 and written again: `Ã«` for `ë`, `â€™` for `’`, and two letters of Cyrillic, `Ð´Ð°` for `да`. */
const DOUBLE_ENCODED = new RegExp(`[ÂÃ]${FOLLOWING}|â[€\\u0080]${FOLLOWING}|(?:[ÐÑ]${FOLLOWING}){2}`);
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/|$)/i;

/** Records that have a value of one field, those whose value may be a mistake, and the first such text. */
interface ColumnCounts {
  present: number;
  suspicious: number;
  example: string;
}

export type MistakeCounter = ReturnType<typeof createMistakeCounter>;

export function createMistakeCounter({ fields, name: collection }: CollectionModel, nowMs: number) {
  const columns = fields.map((): ColumnCounts => ({ present: 0, suspicious: 0, example: '' }));

  /** Whether a value may be a mistake: a 0, a date in the future, a relative address, a double-encoded text. */
  const isMistake = (field: Field, batch: RecordBatch, cell: number): boolean => {
    const { kind } = field;
    if (isNumeric(kind)) return batch.numbers[cell] === 0;
    // A found date may be a deadline.
    // A day is added to the time of reading, since clocks and zones differ.
    if (kind === 'date') return !isFound(field) && batch.numbers[cell]! > nowMs + DAY_MS;
    if (kind === 'url')
      return !beginsWithHttp(batch.bytes, batch.starts[cell]!) && !ABSOLUTE.test(textOf(batch, cell) ?? '');
    if (kind !== 'text' || isAscii(batch.bytes.subarray(batch.starts[cell], batch.ends[cell]))) return false;
    return DOUBLE_ENCODED.test(textOf(batch, cell) ?? '');
  };

  const look = (batch: RecordBatch): void => {
    for (const [index, field] of fields.entries()) {
      const { kind } = field;
      const column = columns[index]!;
      const first = cellOf(index, 0);
      const isLookedAt = kind === 'text' ? mayHoldDoubleEncoded(bytesBetween(batch, first)) : !isList(kind);
      for (let cell = first; cell < first + batch.size; cell++) {
        if (batch.kinds[cell]! <= NULL) continue;
        column.present++;
        if (!isLookedAt || !isMistake(field, batch, cell)) continue;
        if (column.suspicious++ === 0 && kind === 'text') column.example = doubleEncodedIn(textOf(batch, cell) ?? '');
      }
    }
  };

  const columnFinding = (field: Field, column: ColumnCounts, accepted: number): readonly FileFinding[] => {
    const { present, suspicious, example } = column;
    const { kind, name, required } = field;
    const options = { field: name, count: suspicious };
    if (suspicious === 0) return [];
    if (isNumeric(kind))
      return !required && suspicious === present ? [finding('zeros', '0 in every record that has one', options)] : [];
    if (kind === 'date') return [finding('future', `${count(suspicious, 'date')} in the future`, options)];
    const isOne = suspicious === 1;
    if (kind === 'url') {
      const text = `${grouped(suspicious)} relative ${isOne ? 'address, kept as it is' : 'addresses, kept as they are'}`;
      return [
        finding('relative-address', text, { ...options, advice: `--base-url URL completes ${isOne ? 'it' : 'them'}` }),
      ];
    }
    const text = `${count(suspicious, 'text')} of ${grouped(accepted)} ${isOne ? 'looks' : 'look'} double-encoded, such as ${JSON.stringify(example)}`;
    return [finding('double-encoded', text, options)];
  };

  /** Fields without any value. Lists do not count: articles mostly have no tags; nor does what another file has. */
  const emptyFinding = (): readonly FileFinding[] => {
    const isEmpty = (field: Field, index: number): boolean =>
      !isList(field.kind) && !isFound(field) && columns[index]!.present === 0;
    const names = fields.filter(isEmpty).map(({ name }) => name);
    if (names.length === 0) return [];
    return [finding('no-values', `no record has a value for ${names.join(', ')}`, { count: names.length })];
  };

  return {
    look,
    /** The number of records that have a value of a field. */
    present: (index: number): number => columns[index]?.present ?? 0,
    findings(accepted: number): readonly FileFinding[] {
      if (accepted === 0) return [finding('no-records', `no ${collection} in this file`)];
      return [...fields.flatMap((field, index) => columnFinding(field, columns[index]!, accepted)), ...emptyFinding()];
    },
  };
}

/** The text around the first double-encoded character. */
function doubleEncodedIn(text: string): string {
  const at = text.search(DOUBLE_ENCODED);
  return text.slice(Math.max(0, at - 15), at + 15);
}

const HTTP = Buffer.from('http');

function beginsWithHttp(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < HTTP.length; i++) if (bytes[start + i] !== HTTP[i]) return false;
  return true;
}

/** The bytes from a column's first cell to its last, with all between: one test whether all are ASCII is faster than one a cell. */
function bytesBetween({ bytes, kinds, starts, ends, size }: RecordBatch, first: number): Buffer {
  let from = bytes.length;
  let to = 0;
  for (let cell = first; cell < first + size; cell++) {
    if (kinds[cell]! <= NULL) continue;
    from = Math.min(from, starts[cell]!);
    to = Math.max(to, ends[cell]!);
  }
  return bytes.subarray(from, Math.max(from, to));
}
