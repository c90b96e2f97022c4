/** What the reader of a format is given, and the choice between them. */
import type { RawRecord } from '../raw.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import type { TakeRecords } from './source-record.js';

/** Whether an object with these names is a record rather than an envelope of many: it names id and title, title alone, or neither. */
export type RecordLikeness = 'whole' | 'partly' | 'none';

export type RawBytes = Pick<RawRecord, 'bytes' | 'isAscii' | 'limit' | 'lease'>;

/** Takes records as the bytes that they are, where these are as they should be. */
export interface RawIntake {
  /** The bytes in which the next records stand: UTF-8, whose ASCII-ness is known. */
  over(bytes: RawBytes, mayBeDoubleEncoded: boolean): void;
  /** Takes the object that is `bytes[start … end)`; false where it has to be parsed. */
  take(start: number, end: number): boolean;
  /** Tells of the names of a record that had to be parsed. */
  learn(names: readonly string[]): void;
}

export interface Reading {
  readonly source: SnapshotFile;
  readonly take: TakeRecords;
  readonly raw?: RawIntake;
  readonly onRead?: (doneBytes: number) => void;
  /** Asked after every chunk of JSON: whether the rest is to be left unread. */
  readonly isEnough?: () => boolean;
  readonly likeness: (names: readonly string[]) => RecordLikeness;
  /** Whether any of these names is a field's. */
  readonly knowsAny: (names: readonly string[]) => boolean;
  readonly decoder?: Decoder;
}
