/**
 * PostgreSQL as an engine: a dump that `push` has copied there, whose schema never changes. Each kind of answer has its file: pages
 * (`pages.ts`), and values, statistics and groups (`counts.ts`). All of them read the parts of a query (`plan.ts`) by statements (`reader.ts`).
 */
import { isOrdered } from '../field-kinds.js';
import { type CollectionModel, collectionOf } from '../model.js';
import type { ArrivingRecords, Lacks, NamedRecord, QueryEngine } from '../query/engine.js';
import { fieldNamed } from '../query/operators.js';
import { exportFormats } from '../query/parameters.js';
import type { Query } from '../query/query.js';
import { mayBeId } from '../store/named-rows.js';
import type { Extent } from '../store/record-text.js';
import { partOf, tableOfCollection } from './columns.js';
import { countedValues, numberStats, statsByValue } from './counts.js';
import { createPager } from './pages.js';
import { type CollectionTable, JSON_BY_EXTENT, planOf, type StoredCollection } from './plan.js';
import type { DatabaseReader, EngineLimits } from './reader.js';
import { orderText, Parameters, valueCondition } from './statement.js';

/** A dump in the database. */
export interface PushedDump {
  readonly schema: string;
  readonly version: string;
  readonly partitions: number;
  readonly collections: ReadonlyMap<string, StoredCollection>;
}

export const LACKS: Lacks = {
  operations: ['similar', 'changes', 'statsFile'],
  parameters: ['suggest', 'highlight', 'boost'],
  values: new Map<string, readonly string[]>([
    ['fuzzy', ['0']],
    ['format', exportFormats],
  ]),
  pages: true,
};

export function createPostgresEngine(
  reader: DatabaseReader,
  { schema, partitions, collections }: PushedDump,
  { leastEstimate }: EngineLimits,
): QueryEngine {
  const page = createPager(leastEstimate);
  const tableFor = (model: CollectionModel): CollectionTable => ({
    ...collectionOf(collections, model.name),
    ...reader,
    model,
    name: tableOfCollection(schema, model.name),
    partitions,
  });
  return {
    name: 'postgresql',
    lacks: LACKS,
    answersLater: true,
    page: (model, ...request) => page(tableFor(model), ...request),
    record: (model, segment, extent) => recordNamed(tableFor(model), segment, extent),
    values: (model, ...request) => countedValues(tableFor(model), ...request),
    stats: (model, query) => numberStats(tableFor(model), query),
    groups: (model, ...request) => statsByValue(tableFor(model), ...request),
    export: (model, query, limit, extent) => ({ batches: exportedBatches(tableFor(model), query, limit, extent) }),
  };
}

/** By its id where a record has it, else by the first key that has the value. */
async function recordNamed(
  { model, name, partitions, ask }: CollectionTable,
  segment: string,
  extent: Extent,
): Promise<NamedRecord | undefined> {
  const isInteger = /^-?\d+$/.test(segment);
  const find = async (
    isByKey: boolean,
    condition: string,
    { values }: Parameters,
  ): Promise<NamedRecord | undefined> => {
    const columns = `id::text AS id, ${JSON_BY_EXTENT[extent]} AS json`;
    const [row] = await ask(`SELECT ${columns} FROM ${name} WHERE ${condition} LIMIT 1`, values);
    return row && { id: Number(row.id), isByKey, json: Buffer.from(String(row.json)) };
  };
  const id = Number(segment);
  if (isInteger && mayBeId(model, segment) && Number.isSafeInteger(id)) {
    const part = partitions === 0 ? '' : ` AND ":part" = ${partOf(id, partitions)}`;
    const parameters = new Parameters();
    const namedRecord = await find(false, `id = ${parameters.add(id, 'bigint')}${part}`, parameters);
    if (namedRecord !== undefined) return namedRecord;
  }
  for (const key of model.keys ?? []) {
    const field = fieldNamed(model, key);
    if (isOrdered(field) && !isInteger) continue;
    const parameters = new Parameters();
    const namedRecord = await find(true, valueCondition(field, segment, parameters), parameters);
    if (namedRecord !== undefined) return namedRecord;
  }
  return undefined;
}

/** Bytes of a batch of an export, where records are as long as their average; and its records at most. */
const EXPORT_BATCH_BYTES = 1 << 18;
const MAX_EXPORT_ROWS = 5000;

async function* exportedBatches(
  table: CollectionTable,
  query: Query,
  limit: number | null,
  extent: Extent,
): ArrivingRecords['batches'] {
  const { from, order, parameters } = await planOf(table, query);
  const text = `SELECT ${JSON_BY_EXTENT[extent]} AS json FROM ${from()} ORDER BY ${orderText(order.parts)}`;
  const maxRows = Math.min(MAX_EXPORT_ROWS, Math.ceil(EXPORT_BATCH_BYTES / table.meanBytes));
  yield* table.batches(limit === null ? text : `${text} LIMIT ${limit}`, parameters.values, maxRows);
}
