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
class DumpChanges {
  readonly timeMs: number;
  size = 0;
  subjects = uint32(0);
  fields = uint32(0);
  kinds = uint8(0);
  /** The texts of change i are title, earlier and later value as JSON: the last one ends at `ends[3 * i + 2]`. */
  ends = float64(0);
  bytes = Buffer.alloc(0);
  #used = 0;

  constructor(timeMs: number) {
    this.timeMs = timeMs;
  }

  push(subject: number, kind: number, field: number, texts: readonly Buffer[]): void {
    const change = this.size++;
    this.subjects = withRoom(this.subjects, this.size, uint32);
    this.fields = withRoom(this.fields, this.size, uint32);
    this.kinds = withRoom(this.kinds, this.size, uint8);
    this.ends = withRoom(this.ends, 3 * this.size, float64);
    this.subjects[change] = subject;
    this.kinds[change] = kind;
    this.fields[change] = field;
    for (let i = 0; i < 3; i++) {
      const text = texts[i]!;
      if (this.#used + text.length > this.bytes.length) {
        const larger = Buffer.allocUnsafe(2 * this.bytes.length + text.length + (1 << 10));
        this.bytes.copy(larger, 0, 0, this.#used);
        this.bytes = larger;
      }
      this.#used += text.copy(this.bytes, this.#used);
      this.ends[3 * change + i] = this.#used;
    }
  }
}

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
  readonly #dumps: DumpChanges[] = [];
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

  get size(): number {
    return this.#size;
  }

  /** Opens the changes of the next dump. */
  beginDump(timeMs: number): void {
    this.#dumps.push(new DumpChanges(timeMs));
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
    while (this.#size >= this.#max && this.#dumps.length > 1) this.#drop(this.#dumps.shift());
    if (this.#size >= this.#max) {
      this.#dropped++;
      this.droppedUpToMs = dump.timeMs;
      return;
    }
    this.#size++;
    dump.push(subject, kind, field, texts);
  }

  #drop(dump: DumpChanges | undefined): void {
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

  /** The changes, the newest dump's first; numbers count the earliest as 1, dropped ones too. */
  *newestFirst(): Generator<LoggedChange> {
    let number = this.#dropped + this.#size;
    for (const dump of this.#dumps.toReversed()) {
      const { bytes, ends, timeMs } = dump;
      for (let i = 0; i < dump.size; i++) {
        const kind = dump.kinds[i]!;
        const from = i === 0 ? 0 : ends[3 * i - 1]!;
        const [titleEnd, fromEnd, toEnd] = [ends[3 * i]!, ends[3 * i + 1]!, ends[3 * i + 2]!];
        const plainKind = kind & REMOVED ? REMOVED : kind & ADDED ? ADDED : CHANGED;
        yield {
          number: number--,
          subject: dump.subjects[i]!,
          timeMs,
          kind: plainKind,
          isDoubtful: (kind & DOUBTFUL) !== 0,
          field: plainKind === CHANGED ? (this.#fields[dump.fields[i]!] ?? null) : null,
          title: bytes.subarray(from, titleEnd),
          from: bytes.subarray(titleEnd, fromEnd),
          to: bytes.subarray(fromEnd, toEnd),
        };
      }
    }
  }
}

const NO_STATE: LogState = { gone: new Map(), subjects: 0, dropped: 0 };
