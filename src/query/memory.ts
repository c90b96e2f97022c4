/**
 * How does memory answer a query?
 * Takes: a query of a collection, and how much of each record is shown.
 * Gives: at once, the bytes of the matching records, copied from the store; values, statistics, exports.
 * Skip: counts and statistics (`facets.ts`, `stats.ts`, `groups.ts`), records by key (`named-rows.ts`).
 */
import { COMMA } from '../kernels/ascii.js';
import { collectionIn, type Dataset } from '../store/dataset.js';
import { idOfRow } from '../store/ids.js';
import { rowNamed } from '../store/named-rows.js';
import { copyRecord, type Extent, type RecordText, recordBytes, recordJson } from '../store/record-text.js';
import { Conditions } from './conditions.js';
import type { QueryEngine } from './engine.js';
import { execute, executeWhole } from './execute.js';
import { facetsOf } from './facets.js';
import { groupedStats } from './groups.js';
import type { Query } from './query.js';
import { statsOf } from './stats.js';

/** By dataset, the engine that answers of it. */
export const createMemoryEngine = (dataset: Dataset): QueryEngine => ({
  index: (model) => collectionIn(dataset, model).search,
  page(model, query, paging, extent) {
    const collection = collectionIn(dataset, model);
    const { rows, total } = execute(collection, query, paging);
    return {
      total,
      joined: (opening, closing, shape) =>
        shape === undefined
          ? joinedRecords(collection.text, rows, extent, opening, closing)
          : joinedJson(
              Array.from(rows, (row) => shape(recordJson(collection.text, row, extent))),
              opening,
              closing,
            ),
    };
  },
  record(model, segment, extent) {
    const collection = collectionIn(dataset, model);
    const named = rowNamed(collection, segment);
    return (
      named && {
        id: idOfRow(collection.ids, named.row),
        isByKey: named.isByKey,
        json: recordJson(collection.text, named.row, extent),
      }
    );
  },
  values(model, { name }, query, options) {
    const collection = collectionIn(dataset, model);
    return facetsOf(collection, name, new Conditions(collection, query).all, options);
  },
  stats: (model, query) => statsOf(collectionIn(dataset, model), query),
  groups: (model, query, { name }, fields, limit) =>
    groupedStats(collectionIn(dataset, model), query, name, fields, limit),
  export(model, query, limit) {
    const collection = collectionIn(dataset, model);
    if (limit !== null)
      return { collection, rows: Uint32Array.from(execute(collection, query, { page: 1, limit }).rows) };
    return { collection, rows: isWhole(query) ? null : executeWhole(collection, query) };
  },
});

/** Whether a query asks for every record in snapshot order. */
const isWhole = ({ text, filters, sort }: Query): boolean => text === null && filters.length === 0 && sort === null;

/** Records copied from the store, with commas between them, after `opening` and before `closing`. */
export function joinedRecords(
  text: RecordText,
  rows: ArrayLike<number>,
  extent: Extent,
  opening: string,
  closing: string,
): Uint8Array<ArrayBuffer> {
  // A suggestion repeats words of the request, which may be of any script.
  let bytes = opening.length + Buffer.byteLength(closing);
  for (let i = 0; i < rows.length; i++) bytes += recordBytes(text, rows[i]!, extent) + 1;
  const body = Buffer.allocUnsafe(bytes);
  let at = body.write(opening, 'latin1');
  for (let i = 0; i < rows.length; i++) {
    at = copyRecord(text, rows[i]!, extent, body, at);
    body[at++] = COMMA;
  }
  // The end is written over the last record's comma.
  const recordsEnd = rows.length === 0 ? at : at - 1;
  return body.subarray(0, recordsEnd + body.write(closing, recordsEnd));
}

/**
 * JSON texts with a separator between them. Bytes are joined, and no texts: 1000 long records may be more than the longest text of the
 * JavaScript engine, 512 MB.
 */
export function joinedJson(
  texts: readonly Buffer[],
  opening: string,
  closing: string,
  separator = ',',
): Buffer<ArrayBuffer> {
  const between = Buffer.from(separator);
  const pieces = texts.flatMap((json, i) => (i === 0 ? [json] : [between, json]));
  return Buffer.concat([Buffer.from(opening), ...pieces, Buffer.from(closing)]);
}
