/**
 * Where in a JSON file the records stand: in an array, one value after the other, or in the one array of objects that
 * the file's root object holds. Files that begin with `{` are told apart by their first object; one that is longer
 * than `MAX_OPENING_BYTES` can only be an envelope.
 */
import { readBytes } from './bytes.js';
import type { SnapshotFile } from './folder.js';
import type { JsonShape } from './json-records.js';
import { type ArrayMember, RootObject } from './json-root.js';
import type { RecordLikeness } from './reading.js';
import type { SnapshotFault } from './report.js';

export interface JsonLayout {
  readonly shape: JsonShape;
  /** Where the records begin: behind the bracket of their array, or at the file's start. */
  readonly offset: number;
  readonly line: number;
  /** The array of an envelope. */
  readonly envelope?: ArrayMember;
}

type FaultPlace = Omit<SnapshotFault, 'file'>;

/** No record is as long as this; the strict look at an envelope's head ends here. */
const MAX_OPENING_BYTES = 4 << 20;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

const EMPTY: FaultPlace = { line: 1, column: 1, message: 'the file is empty: expected an array of objects' };
const SEQUENCE: JsonLayout = { shape: 'sequence', offset: 0, line: 1 };
const NO_ARRAY = 'expected an array of objects, or an object with one such array in it; found an object without one';

export async function findJsonLayout(
  source: SnapshotFile,
  likeness: (names: readonly string[]) => RecordLikeness,
): Promise<JsonLayout | SnapshotFault> {
  const opening = createOpening();
  const fault = await readBytes(source, opening.feed);
  if (fault) return fault;
  const layout = opening.layout(likeness, source.format === 'ndjson');
  return 'message' in layout ? { file: source.file, ...layout } : layout;
}

function createOpening() {
  const root = new RootObject('sequence');
  let found: JsonLayout | FaultPlace | undefined;
  let offset = 0;

  const look = (byte: number): JsonLayout | FaultPlace | undefined => {
    if (byte > 32 && root.state === 'before' && byte !== OPEN_OBJECT)
      return byte === OPEN_ARRAY ? { shape: 'array', offset: offset + 1, line: root.line } : SEQUENCE;
    if (byte > 32 && root.state === 'after') return SEQUENCE;
    const fault = root.take(byte, offset);
    if (fault) return fault;
    return offset > MAX_OPENING_BYTES && root.arrays.some(({ filled }) => filled) ? envelope(root.arrays) : undefined;
  };

  return {
    feed(chunk: Uint8Array): boolean {
      for (let i = 0; i < chunk.length && found === undefined; i++, offset++) found = look(chunk[i]!);
      return found === undefined;
    },
    layout(likeness: (names: readonly string[]) => RecordLikeness, isNdjson: boolean): JsonLayout | FaultPlace {
      const ending = found ?? root.end();
      if (ending) return ending;
      if (root.state === 'before') return isNdjson ? SEQUENCE : EMPTY;
      const like = likeness(root.names);
      const isFilled = root.arrays.some(({ filled }) => filled);
      if (like === 'whole' || (!isFilled && (like === 'partly' || isNdjson))) return SEQUENCE;
      return envelope(root.arrays);
    },
  };
}

function envelope(arrays: readonly ArrayMember[]): JsonLayout | FaultPlace {
  const filled = arrays.filter((member) => member.filled);
  const [only, second] = filled.length > 0 ? filled : arrays;
  if (only === undefined) return { line: 1, column: 1, message: NO_ARRAY };
  if (second !== undefined) return { line: second.line, message: twoArrays(only, second) };
  return { shape: 'array', offset: only.offset, line: only.line, envelope: only };
}

export const twoArrays = (first: ArrayMember, second: ArrayMember): string =>
  `expected one array of objects, found a second one: ${JSON.stringify(first.name)} (line ${first.line}) and ${JSON.stringify(second.name)}`;
