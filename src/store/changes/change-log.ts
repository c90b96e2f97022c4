/**
 * The changes of one dump after the other, as numbers and codes of texts: some 20 bytes for each, and each text of a dump once. A
 * change names its record by a subject, since the record's id in the newest dump is known only at the end. At most `maxChanges`, and
 * 256 MB of texts, are kept; the oldest dumps' go first. The changes of a dump are immutable once the next one begins, and are in
 * shared memory: every later comparison, and every thread, reads the same ones.
 */
import { bytesFor, type Narrow, narrowIn, uint32, withRoom } from '../../arrays.js';
import { ByteTable } from '../../byte-table.js';
import { LETTER_N } from '../../kernels/ascii.js';
import { type ChunkSource, COPY_SLACK_BYTES, sourceOf } from '../chunks.js';
import { NO_PIECE, type Piece } from '../members.js';

const MAX_CHANGES = 1_000_000;
/** Texts of more bytes are not kept but for those of the last dump: articles that change all of their contents each night fill a machine. */
const MAX_LOGGED_TEXT_BYTES = 256 << 20;

/** Kinds of changes, by their places in `changeKinds`. */
export const CHANGED = 0;
const ADDED = 1;
const REMOVED = 2;
/** Added to a kind: the pair is doubtful, so that the change has no percentage. */
const DOUBTFUL = 4;

export const kindOfChange = ({ kinds }: DumpChanges, change: number): number => kinds[change]! & ~DOUBTFUL;
export const isDoubtful = ({ kinds }: DumpChanges, change: number): boolean => kinds[change]! >= DOUBTFUL;

/** The changes of one dump. */
export interface DumpChanges {
  readonly timeMs: number;
  readonly subjects: Narrow;
  readonly kinds: Narrow;
  /** The numbers of the changed fields in the log. */
  readonly fields: Narrow;
  /** The codes of titles, earlier and later values; `NO_TEXT_CODE` for none. */
  readonly titles: Narrow;
  readonly from: Narrow;
  readonly to: Narrow;
  /** The JSON of code c is `bytes[offsets[c] … offsets[c + 1])`. `COPY_SLACK_BYTES` stand behind the last one. */
  readonly texts: { readonly bytes: Narrow; readonly offsets: Narrow };
}

/** The code of the empty text. */
export const NO_TEXT_CODE = 0;

/** The changes of a log as plain values. */
export interface LoggedChanges {
  /** The earliest first. */
  readonly dumps: readonly DumpChanges[];
  readonly fields: readonly string[];
  /** How many changes were dropped since there were too many. */
  readonly dropped: number;
}

/** A record that a dump lacks, for the dump that has it again. */
interface GoneRecord {
  readonly subject: number;
  readonly firstSeen: number;
}

/** All that a log goes on from. */
export interface LogState extends LoggedChanges {
  readonly gone: ReadonlyMap<string, GoneRecord>;
  readonly subjects: number;
  /** The time of the last dump of which changes were dropped; NaN for none. */
  readonly droppedUpToMs: number;
}

export const NO_STATE: LogState = {
  dumps: [],
  fields: [],
  dropped: 0,
  gone: new Map(),
  subjects: 0,
  droppedUpToMs: Number.NaN,
};

export const changeCount = ({ dumps }: Pick<LoggedChanges, 'dumps'>): number =>
  dumps.reduce((sum, { subjects }) => sum + subjects.length, 0);

/** Numbers up to `most` in shared memory, as narrow as they can be, and `room` more of them. */
function sharedNumbers(numbers: Narrow, most: number, room = 0): Narrow {
  const length = numbers.length + room;
  const copy = narrowIn(new SharedArrayBuffer(length * bytesFor(most)), 0, bytesFor(most), length);
  copy.set(numbers);
  return copy;
}

/** The numbers of a change as they are written, one change after the other. */
const [KIND, SUBJECT, FIELD_CODE, TITLE, FROM, TO, NUMBERS_EACH] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Collects the changes of one dump. */
class DumpWriter {
  readonly timeMs: number;
  size = 0;
  readonly #texts = new ByteTable();
  #numbers = uint32(0);
  /** The chunks of which records are views: a view for each text would take longer than to look it up. */
  readonly #sources = new Map<ArrayBufferLike, ChunkSource>();

  constructor(timeMs: number) {
    this.timeMs = timeMs;
    this.#texts.add(NO_PIECE.record, 0, 0);
  }

  push(subject: number, kind: number, field: number, title: Piece, from: Piece, to: Piece): void {
    const at = NUMBERS_EACH * this.size;
    this.#numbers = withRoom(this.#numbers, at + NUMBERS_EACH, uint32);
    const numbers = this.#numbers;
    // The changes of a record follow one another, and hardly two records have one title: it is not looked up.
    const isOfSameRecord = this.size > 0 && numbers[at - NUMBERS_EACH + SUBJECT] === subject;
    numbers[at + KIND] = kind;
    numbers[at + SUBJECT] = subject;
    numbers[at + FIELD_CODE] = field;
    numbers[at + TITLE] = isOfSameRecord ? numbers[at - NUMBERS_EACH + TITLE]! : this.#addText(title);
    numbers[at + FROM] = this.#codeOf(from);
    numbers[at + TO] = this.#codeOf(to);
    this.size++;
  }

  /** Yields after each column: a million numbers take some milliseconds. */
  *finish(): Generator<void, DumpChanges> {
    const { bytes, offsets, size } = this.#texts;
    const numbers = this.#numbers;
    const length = this.size;
    function* columnAt(place: number): Generator<void, Narrow> {
      yield;
      const column = uint32(length);
      let greatestNumber = 0;
      for (let change = 0; change < column.length; change++) {
        column[change] = numbers[NUMBERS_EACH * change + place]!;
        greatestNumber = Math.max(greatestNumber, column[change]!);
      }
      return sharedNumbers(column, greatestNumber);
    }
    const columns = {
      kinds: yield* columnAt(KIND),
      subjects: yield* columnAt(SUBJECT),
      fields: yield* columnAt(FIELD_CODE),
      titles: yield* columnAt(TITLE),
      from: yield* columnAt(FROM),
      to: yield* columnAt(TO),
    };
    yield;
    const textBytes = sharedNumbers(bytes.subarray(0, offsets[size]), 0xff, COPY_SLACK_BYTES);
    yield;
    const textOffsets = sharedNumbers(offsets.subarray(0, size + 1), offsets[size]!);
    return { timeMs: this.timeMs, ...columns, texts: { bytes: textBytes, offsets: textOffsets } };
  }

  #addText({ record, start, end }: Piece): number {
    return start === end ? NO_TEXT_CODE : this.#texts.add(record, start, end);
  }

  /** The code of a value's JSON, that of the empty text for `null`. */
  #codeOf({ record, start, end }: Piece): number {
    if (start === end || record[start] === LETTER_N) return NO_TEXT_CODE;
    const { buffer, byteOffset } = record;
    const source = this.#sources.get(buffer) ?? sourceOf(new Uint8Array(buffer));
    this.#sources.set(buffer, source);
    return this.#texts.codeOf(source, byteOffset + start, byteOffset + end);
  }
}

const textBytesOf = (dumps: readonly DumpChanges[]): number =>
  dumps.reduce((sum, { texts }) => sum + texts.bytes.length, 0);

export class ChangeLog {
  readonly #max: number;
  readonly #maxTextBytes: number;
  readonly #state: { -readonly [Name in keyof LogState]: LogState[Name] };
  readonly #gone: Map<string, GoneRecord>;
  #size: number;
  #writer: DumpWriter | null = null;

  constructor(maxChanges = MAX_CHANGES, state = NO_STATE, maxTextBytes = MAX_LOGGED_TEXT_BYTES) {
    this.#max = maxChanges;
    this.#maxTextBytes = maxTextBytes;
    this.#gone = new Map(state.gone);
    this.#state = { ...state, gone: this.#gone };
    this.#size = changeCount(state);
  }

  /** The changes so far; those of the last dump are complete. */
  *finish(): Generator<void, LogState> {
    yield* this.#finishDump();
    return { ...this.#state };
  }

  /** Opens the changes of the next dump. */
  *beginDump(timeMs: number): Generator<void, void> {
    yield* this.#finishDump();
    this.#writer = new DumpWriter(timeMs);
  }

  nextSubject(): number {
    return this.#state.subjects++;
  }

  /** The number by which changes name a field. */
  codeOf(field: string): number {
    const code = this.#state.fields.indexOf(field);
    if (code < 0) this.#state.fields = [...this.#state.fields, field];
    return code < 0 ? this.#state.fields.length - 1 : code;
  }

  change(subject: number, field: number, isDoubtfulPair: boolean, title: Piece, from: Piece, to: Piece): void {
    this.#push(subject, CHANGED | (isDoubtfulPair ? DOUBTFUL : 0), field, title, from, to);
  }

  add(subject: number, title: Piece): void {
    this.#push(subject, ADDED, 0, title, NO_PIECE, NO_PIECE);
  }

  /** `key`: that by which the record is known when it comes back; empty for none. */
  remove(subject: number, title: Piece, key: string, firstSeen: number): void {
    this.#push(subject, REMOVED, 0, title, NO_PIECE, NO_PIECE);
    if (key !== '') this.#gone.set(key, { subject, firstSeen });
  }

  /** The record of a key that an earlier dump lost; it counts as found from now on. */
  takeGone(key: string): GoneRecord | undefined {
    const gone = this.#gone.get(key);
    this.#gone.delete(key);
    return gone;
  }

  /** Keeps a change. The changes of the oldest dumps make room for it; where there are none, it is dropped itself. */
  #push(subject: number, kind: number, field: number, title: Piece, from: Piece, to: Piece): void {
    const writer = this.#writer;
    if (writer === null) throw new Error('no dump was begun');
    while (this.#size >= this.#max) {
      if (this.#dropOldest()) continue;
      this.#state.dropped++;
      this.#state.droppedUpToMs = writer.timeMs;
      return;
    }
    this.#size++;
    writer.push(subject, kind, field, title, from, to);
  }

  /** Whether there was a finished dump whose changes could be dropped. */
  #dropOldest(): boolean {
    const [oldest, ...others] = this.#state.dumps;
    if (oldest === undefined) return false;
    this.#state.dropped += oldest.subjects.length;
    this.#state.droppedUpToMs = oldest.timeMs;
    this.#size -= oldest.subjects.length;
    this.#state.dumps = others;
    return true;
  }

  *#finishDump(): Generator<void, void> {
    const writer = this.#writer;
    this.#writer = null;
    if (writer === null || writer.size === 0) return;
    this.#state.dumps = [...this.#state.dumps, yield* writer.finish()];
    while (this.#state.dumps.length > 1 && textBytesOf(this.#state.dumps) > this.#maxTextBytes) this.#dropOldest();
  }
}
