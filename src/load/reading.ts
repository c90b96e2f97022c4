/** What the reader of a format is given, and the choice between them. */
import type { RawRecords } from '../raw.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { TakeRecords } from './source-record.js';

/** Whether an object with these names is a record rather than an envelope of many: it names id and title, title alone, or neither. */
export type RecordLikeness = 'whole' | 'partly' | 'none';

export type RawBytes = Pick<RawRecords, 'bytes' | 'isAscii' | 'limit' | 'lease'>;

/** Objects that follow one another from `from` to `to` at most: nobody has looked where they end. */
export interface Following {
  readonly from: number;
  readonly to: number;
  /** The character that stands before the first of them, and that before each other; 0 if there is none. */
  readonly before: number;
  readonly between: number;
}

/** Behind which byte such objects end that were taken, and how many line breaks there are before it. */
export interface Passed {
  readonly at: number;
  readonly lines: number;
}

/** Takes records as the bytes that they are, where these are as they should be. */
export interface RawIntake {
  /** Takes as many as it can; undefined where it took none. */
  follow(bytes: RawBytes, following: Following): Passed | undefined;
  /** The next records are `bytes[starts[i] … ends[i])`: UTF-8, whose ASCII-ness is known. */
  over(bytes: RawBytes, starts: readonly number[], ends: readonly number[]): void;
  /** Takes as many as it can from the i-th on, and returns how many. Those that it does not take have to be parsed. */
  take(i: number): number;
  /** Tells of the names of a record that had to be parsed. */
  learn(names: readonly string[]): void;
}

export interface Reading {
  readonly source: SnapshotFile;
  readonly take: TakeRecords;
  readonly raw?: RawIntake;
  readonly onRead?: (doneBytes: number) => void;
  /** Asked now and then: whether the rest is to be left unread. */
  readonly isEnough?: () => boolean;
  readonly likeness: (names: readonly string[]) => RecordLikeness;
  /** Whether any of these names is a field's. */
  readonly knowsAny: (names: readonly string[]) => boolean;
  readonly decoder?: Decoder;
}
