/** Writes the records of batches as JSON texts one after the other, for output that is not kept: some fields of each, in any order. */
import { BATCH_RECORDS, hasText, NULL, type RecordBatch } from '../batch.js';
import { OPEN_OBJECT, QUOTE } from '../kernels/ascii.js';
import { type CollectionModel, isList } from '../model.js';
import { COPY_SLACK_BYTES, copyBytes, sourceOf, type TextSource, textSource } from './chunks.js';
import { NULL_TEXT } from './record-text.js';

/**
 * Returns the records of a batch, each with `ending` behind it. The bytes are valid until the next call, unless that says that they are
 * still `inUse`.
 */
type WriteRecords = (batch: RecordBatch, inUse: boolean) => Buffer;

/** `names`: the fields that are written. A list that a record lacks is left out; any other missing value is null. */
export function createRecordWriter(
  { fields }: CollectionModel,
  names: readonly string[],
  ending: string,
): WriteRecords {
  const columns = names.map((name) => fields.findIndex((field) => field.name === name));
  /** Keys begin with a comma, which the opening brace replaces before the first key of a record. */
  const keys = names.map((name) => `,${JSON.stringify(name)}:`);
  const beforeValue = keys.map(textSource);
  const beforeText = keys.map((key) => textSource(`${key}"`));
  const withNull = keys.map((key) => textSource(`${key}${NULL_TEXT}`));
  const areLists = columns.map((column) => isList(fields[column]?.kind ?? 'text'));
  const end = textSource(`}${ending}`);
  const fixedBytes = names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(name)) + 4, 2 + ending.length);
  let target = Buffer.alloc(0);
  let view = sourceOf(target).view;

  /** Upper bound of the bytes of a batch. */
  function maxBytes({ size, kinds, starts, ends }: RecordBatch): number {
    let bytes = size * fixedBytes;
    for (const column of columns)
      for (let i = 0, cell = column * BATCH_RECORDS; i < size; i++, cell++)
        bytes += kinds[cell]! <= NULL ? NULL_TEXT.length : ends[cell]! - starts[cell]!;
    return bytes + COPY_SLACK_BYTES;
  }

  return (batch, inUse) => {
    const needed = maxBytes(batch);
    if (inUse || needed > target.length) {
      target = Buffer.allocUnsafeSlow(2 * needed);
      view = sourceOf(target).view;
    }
    const { size, kinds, starts, ends } = batch;
    const source = sourceOf(batch.bytes);
    let used = 0;
    for (let i = 0; i < size; i++) {
      const begin = used;
      for (let field = 0; field < columns.length; field++) {
        const cell = columns[field]! * BATCH_RECORDS + i;
        const kind = kinds[cell]!;
        if (areLists[field]! && kind <= NULL) continue;
        if (kind <= NULL) used = copyWhole(withNull[field]!, view, used);
        else {
          const isText = hasText(kind);
          used = copyWhole((isText ? beforeText : beforeValue)[field]!, view, used);
          used = copyBytes(source, starts[cell]!, ends[cell]!, view, used);
          if (isText) view.setUint8(used++, QUOTE);
        }
      }
      view.setUint8(begin, OPEN_OBJECT);
      if (used === begin) used++;
      used = copyWhole(end, view, used);
    }
    return target.subarray(0, used);
  };
}

const copyWhole = ({ source, length }: TextSource, view: DataView, at: number): number =>
  copyBytes(source, 0, length, view, at);
