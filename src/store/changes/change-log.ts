/**
 * The changes of one dump after the other, as numbers and codes of texts: some 20 bytes for each, and each text of a dump once. A
 * change names its record by a subject, since the record's id in the newest dump is known only at the end. At most `maxChanges`
 * are kept; the oldest dumps' go first. The changes of a dump are immutable once the next one begins, and are in shared memory:
 * every later comparison, and every thread, reads the same ones.
 */
import { bytesFor, type Narrow, narrowIn, uint8, uint32, withRoom } from '../../arrays.js';
import { ByteTable } from '../../byte-table.js';
import { LETTER_N } from '../../kernels/ascii.js';
import { type ChunkSource, COPY_SLACK_BYTES, sourceOf } from '../chunks.js';

const MAX_CHANGES = 1_000_000;

export const CHANGED = 0;
const ADDED = 1;
const REMOVED = 2;
type Kind = typeof CHANGED | typeof ADDED | typeof REMOVED;
/** Added to a kind: the pair is doubtful, so that the change has no percentage. */
const DOUBTFUL = 4;

export const kindOfChange = ({ kinds }: DumpChanges, change: number): Kind => {
  const kind = kinds[change]! & ~DOUBTFUL;
  return kind === ADDED || kind === REMOVED ? kind : CHANGED;
};
export const isDoubtful = ({ kinds }: DumpChanges, change: number): boolean => (kinds[change]! & DOUBTFUL) !== 0;

/** The changes of one dump. */
export interface DumpChanges {
  readonly timeMs: number;
  readonly subjects: Narrow;
  readonly kinds: Uint8Array;
  /** The numbers of the changed fields in the log. */
  readonly fields: Narrow;
  /** The codes of titles, earlier and later values; `NO_TEXT_CODE` for none. */
  readonly titles: Narrow;
  readonly from: Narrow;
  readonly to: Narrow;
  /** The JSON of code c is `bytes[offsets[c] … offsets[c + 1])`. `COPY_SLACK_BYTES` stand behind the last one. */
  readonly texts: { readonly bytes: Uint8Array; readonly offsets: Uint32Array };
}

/** The code of the empty text. */
export const NO_TEXT_CODE = 0;
const NO_JSON = Buffer.alloc(0);

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

export const changeCount = ({ dumps }: Pick<LoggedChanges, 'dumps'>): number =>
  dumps.reduce((sum, { subjects }) => sum + subjects.length, 0);

/** Collects the changes of one dump. */
class DumpWriter {
  readonly timeMs: number;
  size = 0;
  readonly #texts = new ByteTable();
  /** The chunks of which records are views: a view for each text would take longer than to look it up. */
  readonly #sources = new Map<ArrayBufferLike, ChunkSource>();
  #kinds = uint8(0);
  /** Per change five numbers: its subject, field, title, earlier and later value. */
  #numbers = uint32(0);

  constructor(timeMs: number) {
    this.timeMs = timeMs;
    this.#texts.add(NO_JSON, 0, 0);
  }

  push(subject: number, kind: number, field: number, title: Buffer, from: Buffer, to: Buffer): void {
    const at = 5 * this.size;
    this.#kinds = withRoom(this.#kinds, this.size + 1, uint8);
    this.#numbers = withRoom(this.#numbers, at + 5, uint32);
    this.#kinds[this.size++] = kind;
    this.#numbers[at] = subject;
    this.#numbers[at + 1] = field;
    this.#numbers[at + 2] = this.#codeOf(title);
    this.#numbers[at + 3] = this.#codeOf(from);
    this.#numbers[at + 4] = this.#codeOf(to);
  }

  finish(): DumpChanges {
    const { bytes, offsets, size } = this.#texts;
    const numbersAt = (i: number): Narrow => {
      let greatestNumber = 0;
      for (let at = i; at < 5 * this.size; at += 5) greatestNumber = Math.max(greatestNumber, this.#numbers[at]!);
      const width = bytesFor(greatestNumber);
      const numbers = narrowIn(new SharedArrayBuffer(this.size * width), 0, width, this.size);
      for (let change = 0; change < numbers.length; change++) numbers[change] = this.#numbers[5 * change + i]!;
      return numbers;
    };
    const textBytes = new Uint8Array(new SharedArrayBuffer(offsets[size]! + COPY_SLACK_BYTES));
    const textOffsets = new Uint32Array(new SharedArrayBuffer(4 * (size + 1)));
    const kinds = new Uint8Array(new SharedArrayBuffer(this.size));
    textBytes.set(bytes.subarray(0, offsets[size]!));
    textOffsets.set(offsets.subarray(0, size + 1));
    kinds.set(this.#kinds.subarray(0, this.size));
    return {
      timeMs: this.timeMs,
      subjects: numbersAt(0),
      kinds,
      fields: numbersAt(1),
      titles: numbersAt(2),
      from: numbersAt(3),
      to: numbersAt(4),
      texts: { bytes: textBytes, offsets: textOffsets },
    };
  }

  /** The code of a value's JSON, that of the empty text for `null`. */
  #codeOf(json: Buffer): number {
    if (json.length === 0 || json[0] === LETTER_N) return NO_TEXT_CODE;
    const { buffer, byteOffset } = json;
    const source = this.#sources.get(buffer) ?? sourceOf(new Uint8Array(buffer));
    this.#sources.set(buffer, source);
    return this.#texts.codeOf(source, byteOffset, byteOffset + json.length);
  }
}

export class ChangeLog {
  readonly #max: number;
  readonly #dumps: DumpChanges[];
  #writer: DumpWriter | null = null;
  readonly #fields: string[];
  readonly #gone: Map<string, GoneRecord>;
  #subjects: number;
  #size: number;
  #dropped: number;
  #droppedUpToMs: number;

  constructor(maxChanges = MAX_CHANGES, state: LogState = NO_STATE) {
    this.#max = maxChanges;
    this.#dumps = [...state.dumps];
    this.#fields = [...state.fields];
    this.#gone = new Map(state.gone);
    this.#subjects = state.subjects;
    this.#size = changeCount(state);
    this.#dropped = state.dropped;
    this.#droppedUpToMs = state.droppedUpToMs;
  }

  /** The changes so far; those of the last dump are complete. */
  finish(): LogState {
    this.#finishDump();
    return {
      dumps: [...this.#dumps],
      fields: [...this.#fields],
      dropped: this.#dropped,
      gone: this.#gone,
      subjects: this.#subjects,
      droppedUpToMs: this.#droppedUpToMs,
    };
  }

  /** Opens the changes of the next dump. */
  beginDump(timeMs: number): void {
    this.#finishDump();
    this.#writer = new DumpWriter(timeMs);
  }

  get subjectCount(): number {
    return this.#subjects;
  }

  nextSubject(): number {
    return this.#subjects++;
  }

  /** The number by which changes name a field. */
  codeOf(field: string): number {
    const code = this.#fields.indexOf(field);
    return code >= 0 ? code : this.#fields.push(field) - 1;
  }

  change(subject: number, field: number, isDoubtfulPair: boolean, title: Buffer, from: Buffer, to: Buffer): void {
    this.#push(subject, CHANGED | (isDoubtfulPair ? DOUBTFUL : 0), field, title, from, to);
  }

  add(subject: number, title: Buffer): void {
    this.#push(subject, ADDED, 0, title, NO_JSON, NO_JSON);
  }

  /** `key`: that by which the record is known when it comes back; empty for none. */
  remove(subject: number, title: Buffer, key: string, firstSeen: number): void {
    this.#push(subject, REMOVED, 0, title, NO_JSON, NO_JSON);
    if (key !== '') this.#gone.set(key, { subject, firstSeen });
  }

  /** The record of a key that an earlier dump lost; it counts as found from now on. */
  takeGone(key: string): GoneRecord | undefined {
    if (this.#gone.size === 0) return undefined;
    const gone = this.#gone.get(key);
    if (gone !== undefined) this.#gone.delete(key);
    return gone;
  }

  #push(subject: number, kind: number, field: number, title: Buffer, from: Buffer, to: Buffer): void {
    const writer = this.#writer;
    if (writer === null) throw new Error('no dump was begun');
    while (this.#size >= this.#max && this.#dumps.length > 0) this.#drop(this.#dumps.shift());
    if (this.#size >= this.#max) {
      this.#dropped++;
      this.#droppedUpToMs = writer.timeMs;
      return;
    }
    this.#size++;
    writer.push(subject, kind, field, title, from, to);
  }

  #finishDump(): void {
    if (this.#writer !== null && this.#writer.size > 0) this.#dumps.push(this.#writer.finish());
    this.#writer = null;
  }

  /** Counts the changes of a dump that was taken out, and remembers from when on changes are missing. */
  #drop(dump: DumpChanges | undefined): void {
    if (dump === undefined) return;
    this.#size -= dump.subjects.length;
    this.#dropped += dump.subjects.length;
    this.#droppedUpToMs = dump.timeMs;
  }
}

export const NO_STATE: LogState = {
  dumps: [],
  fields: [],
  dropped: 0,
  gone: new Map(),
  subjects: 0,
  droppedUpToMs: Number.NaN,
};
