/**
 * The values that a scan found → records. Values are parsed many at a time, as the array that they stand in: a call of the parser costs
 * as much as a short record. Where an array does not parse, or is no UTF-8, its values are parsed one by one.
 */
import { type Decoder, mayHoldDoubleEncoded } from './decode.js';
import type { JsonScanner } from './json-scanner.js';
import { refused, type SourceRecord, type TakeRecords } from './source-record.js';

/** Larger arrays are slower again: what they hold outlives the youngest generation. */
const GROUP_BYTES = 16_000;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;

export type BatchOutcome = 'done' | 'stopped' | { readonly badValue: number };

/** Hands each group on before the next is parsed, so that what a group holds dies young. */
export async function parseBatch(
  scanner: JsonScanner,
  isArray: boolean,
  decoder: Decoder,
  take: TakeRecords,
): Promise<BatchOutcome> {
  const { starts } = scanner;
  for (let from = 0; from < starts.length; ) {
    const to = groupEnd(scanner, from);
    const { records, bad } = parseValues(scanner, from, to, isArray, decoder);
    const more = records.length === 0 || take(records);
    if (!(typeof more === 'boolean' ? more : await more)) return 'stopped';
    if (bad !== undefined) return { badValue: bad };
    from = to;
  }
  return 'done';
}

function parseValues(scanner: JsonScanner, from: number, to: number, isArray: boolean, decoder: Decoder) {
  const { bytes, starts, ends, lines } = scanner;
  const group = to - from > 1 ? parseGroup(scanner, from, to, isArray, decoder) : undefined;
  const records: SourceRecord[] = [];
  const mayBeDoubleEncoded = mayHoldDoubleEncoded(bytes.subarray(starts[from]!, ends[to - 1]!));
  for (let i = from; i < to; i++) {
    const value = group ? group[i - from] : parseJson(decoder.text(bytes.subarray(starts[i]!, ends[i]!)));
    if (value === undefined) return { records, bad: i };
    records.push(
      toRecord(lines[i]!, value, mayBeDoubleEncoded, () => decoder.text(bytes.subarray(starts[i], ends[i]))),
    );
  }
  return { records, bad: undefined };
}

/** A group ends before it grows too long, and where two values touch: there is no place for a comma. */
function groupEnd({ starts, ends }: JsonScanner, from: number): number {
  const limit = starts[from]! + GROUP_BYTES;
  let to = from + 1;
  while (to < starts.length && ends[to]! < limit && starts[to]! > ends[to - 1]!) to++;
  return to;
}

/** Brackets are written around the values, and commas between those of a sequence; the bytes outside are put back. */
function parseGroup(
  { bytes, starts, ends }: JsonScanner,
  from: number,
  to: number,
  isArray: boolean,
  decoder: Decoder,
): readonly unknown[] | undefined {
  const start = starts[from]! - 1;
  const end = ends[to - 1]!;
  if (!isArray) for (let i = from; i < to - 1; i++) bytes[ends[i]!] = COMMA;
  const before = bytes[start]!;
  const after = bytes[end]!;
  bytes[start] = OPEN;
  bytes[end] = CLOSE;
  const text = decoder.utf8(bytes.subarray(start, end + 1));
  bytes[start] = before;
  bytes[end] = after;
  if (!isArray) for (let i = from; i < to - 1; i++) bytes[ends[i]!] = 10;
  const values = text === undefined ? undefined : parseJson(text);
  return Array.isArray(values) && values.length === to - from ? values : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toRecord(line: number, value: unknown, mayBeDoubleEncoded: boolean, text: () => string): SourceRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(line, `expected an object, found ${kindOf(value)}`);
  const names = Object.keys(value);
  const cells: unknown[] = Object.values(value);
  for (let i = 0; i < cells.length; i++) if (isRounded(cells[i])) cells[i] = unrounded(cells[i], text());
  return { line, names, cells, mayBeDoubleEncoded };
}

/** Whether a number may stand for an integer that a double cannot hold. */
const isRounded = (cell: unknown): boolean =>
  typeof cell === 'number' && (cell > Number.MAX_SAFE_INTEGER || cell < -Number.MAX_SAFE_INTEGER);

/** The integer as the record's text has it; what has no such spelling is left as it is. */
function unrounded(cell: unknown, text: string): unknown {
  const spelling = text.match(/-?\d{16,}(?![\d.eE])/g)?.find((digits) => Number(digits) === cell);
  return spelling === undefined ? cell : BigInt(spelling);
}

/** `an object`, `a number`: a value's type as messages name it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
