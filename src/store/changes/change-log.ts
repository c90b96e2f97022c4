/**
 * The changes of one dump after the other, as numbers and texts side by side: some 40 bytes and the values for each. A change
 * names its record by a subject, since the record's id in the newest dump is known only at the end. At most `maxChanges` are
 * kept; the oldest dumps' go first.
 */
import { float64, uint8, uint32, withRoom } from '../../arrays.js';
import { type Field, isList, roleIndex } from '../../model.js';
import { Members } from '../members.js';
import { unclosedItem } from '../record-text.js';
import type { GoneRecord, LogState } from './changes.js';
import type { Compared } from './pairs.js';

export const MAX_CHANGES = 1_000_000;

/** Where a change stands, and what it is. */
export const CHANGED = 0;
export const ADDED = 1;
export const REMOVED = 2;
/** Added to a kind: the pair is doubtful, so that the change has no percentage. */
const DOUBTFUL = 4;

/** The changes of one dump. */
interface DumpChanges {
  readonly timeMs: number;
  readonly subjects: Uint32Array;
  readonly fields: Uint32Array;
  readonly kinds: Uint8Array;
  /** The texts of change i are title, earlier and later value as JSON: the last one ends at `ends[3 * i + 2]`. */
  readonly ends: Float64Array;
  readonly bytes: Uint8Array;
}

/** Collects the changes of one dump. */
class DumpWriter {
  readonly timeMs: number;
  size = 0;
  #subjects = uint32(0);
  #fields = uint32(0);
  #kinds = uint8(0);
  #ends = float64(0);
  #bytes = Buffer.alloc(0);
  #used = 0;

  constructor(timeMs: number) {
    this.timeMs = timeMs;
  }

  get changes(): DumpChanges {
    return {
      timeMs: this.timeMs,
      subjects: this.#subjects.subarray(0, this.size),
      fields: this.#fields.subarray(0, this.size),
      kinds: this.#kinds.subarray(0, this.size),
      ends: this.#ends.subarray(0, 3 * this.size),
      bytes: this.#bytes.subarray(0, this.#used),
    };
  }

  push(subject: number, kind: number, field: number, texts: readonly Buffer[]): void {
    const change = this.size++;
    this.#subjects = withRoom(this.#subjects, this.size, uint32);
    this.#fields = withRoom(this.#fields, this.size, uint32);
    this.#kinds = withRoom(this.#kinds, this.size, uint8);
    this.#ends = withRoom(this.#ends, 3 * this.size, float64);
    this.#subjects[change] = subject;
    this.#kinds[change] = kind;
    this.#fields[change] = field;
    for (let i = 0; i < 3; i++) {
      const text = texts[i]!;
      if (this.#used + text.length > this.#bytes.length) {
        // Memory of Node's pool, which `allocUnsafe` gives, cannot move to another thread.
        const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + text.length + (1 << 10));
        this.#bytes.copy(larger, 0, 0, this.#used);
        this.#bytes = larger;
      }
      this.#used += text.copy(this.#bytes, this.#used);
      this.#ends[3 * change + i] = this.#used;
    }
  }
}

/** The changes of a log as plain values, which can move to another thread. */
export interface LoggedChanges {
  /** The earliest first. */
  readonly dumps: readonly DumpChanges[];
  readonly fields: readonly LoggedField[];
  /** How many earlier changes were dropped since there were too many. */
  readonly dropped: number;
}

export const changeCount = ({ dumps }: LoggedChanges): number =>
  dumps.reduce((sum, { subjects }) => sum + subjects.length, 0);

/** The bytes of the changes, which tell how much work their collection is. */
export const bytesOf = ({ dumps }: LoggedChanges): number =>
  dumps.reduce((sum, { ends, bytes }) => sum + ends.byteLength + bytes.length, 0);

/** A change as it is read from the log. */
export interface LoggedChange {
  readonly number: number;
  readonly subject: number;
  readonly timeMs: number;
  readonly kind: typeof CHANGED | typeof ADDED | typeof REMOVED;
  readonly isDoubtful: boolean;
  readonly field: LoggedField | null;
  /** As JSON, without a byte where there is none. */
  readonly title: Buffer;
  readonly from: Buffer;
  readonly to: Buffer;
}

export interface LoggedField {
  readonly name: string;
  readonly isList: boolean;
}

const NONE = Buffer.alloc(0);

export class ChangeLog {
  readonly #max: number;
  readonly #dumps: DumpWriter[] = [];
  readonly #fields: LoggedField[] = [];
  readonly #gone: Map<string, GoneRecord>;
  #subjects: number;
  #size = 0;
  /** Changes that were dropped since there were too many. */
  #dropped: number;
  /** The time of the last dump of which changes were dropped; NaN for none. */
  droppedUpToMs = Number.NaN;
  readonly #titles = new WeakMap<Compared, { readonly members: Members; readonly field: number }>();

  constructor(maxChanges = MAX_CHANGES, state: LogState = NO_STATE) {
    this.#max = maxChanges;
    this.#gone = new Map(state.gone);
    this.#subjects = state.subjects;
    this.#dropped = state.dropped;
  }

  get subjectCount(): number {
    return this.#subjects;
  }

  get state(): LogState {
    return { gone: this.#gone, subjects: this.#subjects, dropped: this.#dropped };
  }

  /** Whoever takes them may move their memory away: the log takes no more changes. */
  get changes(): LoggedChanges {
    return { dumps: this.#dumps.map(({ changes }) => changes), fields: this.#fields, dropped: this.#dropped };
  }

  /** Opens the changes of the next dump. */
  beginDump(timeMs: number): void {
    this.#dumps.push(new DumpWriter(timeMs));
  }

  nextSubject(): number {
    return this.#subjects++;
  }

  /** The number by which changes name a field. */
  codeOf({ name, kind }: Pick<Field, 'name' | 'kind'>): number {
    const code = this.#fields.findIndex((field) => field.name === name && field.isList === isList(kind));
    return code >= 0 ? code : this.#fields.push({ name, isList: isList(kind) }) - 1;
  }

  change(subject: number, field: number, isDoubtful: boolean, title: Buffer, from: Buffer, to: Buffer): void {
    this.#push(subject, CHANGED | (isDoubtful ? DOUBTFUL : 0), field, [title, from, to]);
  }

  add(subject: number, store: Compared, row: number): void {
    this.#push(subject, ADDED, 0, [this.#titleIn(store, row), NONE, NONE]);
  }

  remove(
    subject: number,
    store: Compared,
    row: number,
    gone: { readonly key: string; readonly firstSeen: number },
  ): void {
    this.#push(subject, REMOVED, 0, [this.#titleIn(store, row), NONE, NONE]);
    if (gone.key !== '') this.#gone.set(gone.key, { subject, firstSeen: gone.firstSeen });
  }

  /** The record of a key that an earlier dump lost; it counts as found from now on. */
  takeGone(key: string): GoneRecord | undefined {
    if (this.#gone.size === 0) return undefined;
    const gone = this.#gone.get(key);
    if (gone !== undefined) this.#gone.delete(key);
    return gone;
  }

  /** Takes over a change of an earlier log. */
  repeat({ subject, timeMs, kind, isDoubtful, field, title, from, to }: Omit<LoggedChange, 'number'>): void {
    if (this.#dumps.at(-1)?.timeMs !== timeMs) this.beginDump(timeMs);
    const code = field === null ? 0 : this.codeOf({ name: field.name, kind: field.isList ? 'texts' : 'text' });
    this.#push(subject, kind | (isDoubtful ? DOUBTFUL : 0), code, [title, from, to]);
  }

  #push(subject: number, kind: number, field: number, texts: readonly Buffer[]): void {
    const dump = this.#dumps[this.#dumps.length - 1];
    if (dump === undefined) throw new Error('no dump was begun');
    while (this.#size >= this.#max && this.#dumps.length > 1) this.#countDropped(this.#dumps.shift());
    if (this.#size >= this.#max) {
      this.#dropped++;
      this.droppedUpToMs = dump.timeMs;
      return;
    }
    this.#size++;
    dump.push(subject, kind, field, texts);
  }

  /** Counts the changes of a dump that was taken out, and remembers from when on changes are missing. */
  #countDropped(dump: DumpWriter | undefined): void {
    if (dump === undefined || dump.size === 0) return;
    this.#size -= dump.size;
    this.#dropped += dump.size;
    this.droppedUpToMs = dump.timeMs;
  }

  #titleIn(store: Compared, row: number): Buffer {
    let title = this.#titles.get(store);
    if (title === undefined) {
      title = { members: new Members(store.model), field: roleIndex(store.model, 'title') };
      this.#titles.set(store, title);
    }
    return title.members.read(unclosedItem(store.text, row), Math.max(0, title.field)).textBytes(title.field);
  }
}

/** The changes, the newest dump's first; numbers count the earliest as 1, dropped ones too. */
export function* newestFirst(log: LoggedChanges): Generator<LoggedChange> {
  let number = log.dropped + changeCount(log);
  for (const { timeMs, subjects, fields, kinds, ends, bytes } of log.dumps.toReversed()) {
    // Buffers arrive on another thread as plain byte arrays.
    const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < subjects.length; i++) {
      const kind = kinds[i]!;
      const from = i === 0 ? 0 : ends[3 * i - 1]!;
      const [titleEnd, fromEnd, toEnd] = [ends[3 * i]!, ends[3 * i + 1]!, ends[3 * i + 2]!];
      const plainKind = kind & REMOVED ? REMOVED : kind & ADDED ? ADDED : CHANGED;
      yield {
        number: number--,
        subject: subjects[i]!,
        timeMs,
        kind: plainKind,
        isDoubtful: (kind & DOUBTFUL) !== 0,
        field: plainKind === CHANGED ? (log.fields[fields[i]!] ?? null) : null,
        title: texts.subarray(from, titleEnd),
        from: texts.subarray(titleEnd, fromEnd),
        to: texts.subarray(fromEnd, toEnd),
      };
    }
  }
}

const NO_STATE: LogState = { gone: new Map(), subjects: 0, dropped: 0 };
