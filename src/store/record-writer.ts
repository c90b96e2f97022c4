/** Writes records as JSON texts, each composed of its cells, for output or for the store: see `record-text.ts`. */
import { BATCH_RECORDS, hasText, NULL, type RecordBatch } from '../batch.js';
import { OPEN_OBJECT, QUOTE } from '../kernels/ascii.js';
import { type CollectionModel, isList } from '../model.js';
import { type ChunkSource, COPY_SLACK_BYTES, copyBytes, sourceOf, type TextSource, textSource } from './chunks.js';
import { NULL_TEXT } from './record-text.js';

/** The form of all records that are written: their fields in order, and the text around the values. */
export interface RecordForm {
  /** By field that is written: its number in the model. */
  readonly columns: readonly number[];
  readonly areLists: readonly boolean[];
  /** Names begin with a comma, which the opening brace replaces before the first name of a record. */
  readonly beforeValue: readonly TextSource[];
  readonly beforeText: readonly TextSource[];
  readonly withNull: readonly TextSource[];
  readonly end: TextSource;
  /** Upper bound of the bytes of a record besides its values. */
  readonly fixedBytes: number;
}

/** `ending`: what stands behind each record. */
export function recordForm({ fields }: CollectionModel, names: readonly string[], ending: string): RecordForm {
  const columns = names.map((name) => fields.findIndex((field) => field.name === name));
  const keys = names.map((name) => `,${JSON.stringify(name)}:`);
  const end = textSource(`}${ending}`);
  return {
    columns,
    areLists: columns.map((column) => isList(fields[column]?.kind ?? 'text')),
    beforeValue: keys.map(textSource),
    beforeText: keys.map((key) => textSource(`${key}"`)),
    withNull: keys.map((key) => textSource(`${key}${NULL_TEXT}`)),
    end,
    fixedBytes: keys.reduce((sum, key) => sum + Buffer.byteLength(key) + '""'.length, 1 + end.length),
  };
}

/** Upper bound of the bytes of a batch's i-th record. */
export function maxRecordBytes({ columns, fixedBytes }: RecordForm, batch: RecordBatch, i: number): number {
  const { kinds, starts, ends } = batch;
  let bytes = fixedBytes;
  for (const column of columns) {
    const cell = column * BATCH_RECORDS + i;
    bytes += kinds[cell]! <= NULL ? NULL_TEXT.length : ends[cell]! - starts[cell]!;
  }
  return bytes;
}

/**
 * Writes the i-th record of a batch at `begin`; returns where it ends. A list that the record lacks is left out; any other missing value
 * is null. `fieldEnds`, where given, gets the position behind each field.
 */
export function writeRecord(
  { columns, areLists, beforeValue, beforeText, withNull, end }: RecordForm,
  source: ChunkSource,
  { kinds, starts, ends }: RecordBatch,
  i: number,
  view: DataView,
  begin: number,
  fieldEnds?: Float64Array,
): number {
  let used = begin;
  for (let field = 0; field < columns.length; field++) {
    const cell = columns[field]! * BATCH_RECORDS + i;
    const kind = kinds[cell]!;
    if (kind > NULL) {
      const isText = hasText(kind);
      used = copyWhole((isText ? beforeText : beforeValue)[field]!, view, used);
      used = copyBytes(source, starts[cell]!, ends[cell]!, view, used);
      if (isText) view.setUint8(used++, QUOTE);
    } else if (!areLists[field]!) used = copyWhole(withNull[field]!, view, used);
    if (fieldEnds !== undefined) fieldEnds[field] = used;
  }
  view.setUint8(begin, OPEN_OBJECT);
  return copyWhole(end, view, Math.max(used, begin + 1));
}

const copyWhole = ({ source, length }: TextSource, view: DataView, at: number): number =>
  copyBytes(source, 0, length, view, at);

/**
 * Returns the records of a batch, each with `ending` behind it. The bytes are valid until the next call, unless that says that they are
 * still `inUse`.
 */
type WriteRecords = (batch: RecordBatch, inUse: boolean) => Buffer;

/** `names`: the fields that are written. */
export function createRecordWriter(model: CollectionModel, names: readonly string[], ending: string): WriteRecords {
  const form = recordForm(model, names, ending);
  let target = Buffer.alloc(0);
  let view = sourceOf(target).view;
  return (batch, inUse) => {
    let needed = COPY_SLACK_BYTES;
    for (let i = 0; i < batch.size; i++) needed += maxRecordBytes(form, batch, i);
    if (inUse || needed > target.length) {
      target = Buffer.allocUnsafeSlow(2 * needed);
      view = sourceOf(target).view;
    }
    const source = sourceOf(batch.bytes);
    let used = 0;
    for (let i = 0; i < batch.size; i++) used = writeRecord(form, source, batch, i, view, used);
    return target.subarray(0, used);
  };
}
