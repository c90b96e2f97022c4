/**
 * PostgreSQL as an engine: a dump that `push` has copied there, whose schema never changes. Totals of queries and the ends of pages are
 * remembered: a page behind one that was read lately continues at its last sort key. Each statement has a time limit.
 */
import { Readable } from 'node:stream';
import type { Language } from '../languages.js';
import { type CollectionModel, collectionOf, type Field, ID_FIELD, isOrdered } from '../model.js';
import type { ValueCount } from '../query/counter.js';
import { EngineUnavailable, type Lacks, type NamedRecord, type QueryEngine, type RecordPage } from '../query/engine.js';
import type { GroupNumbers } from '../query/groups.js';
import { joinedJson } from '../query/memory.js';
import { fieldNamed } from '../query/operators.js';
import { exportFormats } from '../query/parameters.js';
import type { Paging, Query } from '../query/query.js';
import { type FieldStats, histogramEdges } from '../query/stats.js';
import { searchFields } from '../store/documents.js';
import { mayBeId } from '../store/named-rows.js';
import type { Extent } from '../store/record-text.js';
import { columnOfField, digestOf, hasSeveralValues, hasSite, partOf, tableOfCollection } from './columns.js';
import { failureCode, type PendingQuery, type Sql } from './connection.js';
import { arrayText, foldedKey, storable, storedText } from './copy-text.js';
import {
  BY_ROW,
  conditionsOf,
  isEqual,
  type OrderPart,
  type OrderRun,
  orderOf,
  orderText,
  type PageEnd,
  Parameters,
  type ParameterValue,
  runsOf,
  valueCondition,
} from './statement.js';
import { textQuery } from './text-query.js';
import { LABELS, weightLabel } from './words.js';

/** A dump in the database. */
export interface PushedDump {
  readonly schema: string;
  readonly version: string;
  readonly partitions: number;
  readonly collections: ReadonlyMap<string, StoredCollection>;
}

export interface StoredCollection {
  readonly model: CollectionModel;
  readonly language: Language;
  readonly size: number;
  /** The bytes of a record's JSON on average. */
  readonly meanBytes: number;
  /** Whether rows count up without a gap: then any page of the whole list is found by its first row. */
  readonly isGapless: boolean;
}

export interface EngineLimits {
  /** A statement that takes longer is a 503. */
  readonly statementMs: number;
  /** A total above this may be an estimate where the request takes one. */
  readonly leastEstimate: number;
}
export const STATEMENT_LIMITS: EngineLimits = { statementMs: 10_000, leastEstimate: 1_000_000 };

type DatabaseRow = Readonly<Record<string, unknown>>;

/** The fault of a database that lacks what it is asked for, cannot be reached, or took too long; undefined for other errors. */
function unavailableFault(error: unknown, { statementMs }: EngineLimits): EngineUnavailable | undefined {
  const code = failureCode(error);
  if (code === '57014')
    return new EngineUnavailable(
      `The database took longer than ${statementMs / 1000} s for this and was stopped: narrow the request.`,
    );
  if (code === '42P01' || code === '3F000')
    return new EngineUnavailable('The dump was replaced while this was answered: try again.');
  if (/^(?:E[A-Z]+|CONNECT.*|08\d{3}|57P0\d|53300)$/.test(code))
    return new EngineUnavailable('The database does not answer: try again.');
  return undefined;
}

/** How many totals, and how many ends of pages, are remembered. */
const MAX_REMEMBERED_QUERIES = 20_000;
/** Where fewer records are found than this, they are sorted; else an index is walked up to the page. */
const MAX_SORTED = 20_000;
/** Bytes of a batch of an export, where records are as long as their average; and its records at most. */
const EXPORT_BATCH_BYTES = 1 << 18;
const MAX_EXPORT_ROWS = 5000;

/** A query as parts of a statement. */
interface StatementPlan {
  /** The table, narrowed by the query and by further conditions. */
  readonly from: (...conditions: readonly string[]) => string;
  /** Whether the query finds every record. */
  readonly isWhole: boolean;
  readonly order: readonly OrderPart[];
  /** The same order in parts that indexes have. */
  readonly runs: readonly OrderRun[];
  readonly parameters: Parameters;
}

/** Expressions of a record's JSON. Its parts are objects: `{"id":7}` and `{"content":"A tea."}`. */
const jsonWith = (json: string, part: string): string =>
  `CASE WHEN ${part} IS NULL THEN ${json} ELSE left(${json}, -1) || ',' || substr(${part}, 2) END`;
const DEFAULT_JSON = jsonWith('":item"', '":rest"');
const JSON_BY_EXTENT: Readonly<Record<Extent, string>> = {
  item: '":item"',
  default: DEFAULT_JSON,
  whole: jsonWith(`(${DEFAULT_JSON})`, '":more"'),
};

/**
 * The rows of a query in batches, one of which the database makes while the one before is read. The library's own iterator ends where a
 * connection is lost as if all rows had come; this stream fails.
 */
function batchesOf(query: PendingQuery<DatabaseRow[]>, maxRows: number, close: Sql['CLOSE']): Readable {
  let resume = (): void => {};
  const batches = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => resume(),
    destroy(error, done) {
      resume();
      done(error);
    },
  });
  const end = (finish: () => void): void => {
    // The library would write to a connection that is lost.
    resume = () => {};
    finish();
  };
  query
    .raw()
    .cursor(maxRows, (rows) => {
      if (batches.destroyed) return close;
      if (batches.push(rows.map(([json]) => json))) return undefined;
      return new Promise((answer) => {
        resume = () => answer(batches.destroyed ? close : undefined);
      });
    })
    .then(
      () => end(() => batches.push(null)),
      (error: Error) => end(() => batches.destroy(error)),
    );
  return batches;
}

/** Exports have sessions of their own, which slow readers keep. */
export function createPostgresEngine(sql: Sql, exports: Sql, dump: PushedDump, limits: EngineLimits): QueryEngine {
  const { schema, partitions, collections } = dump;
  const totals = new Map<string, number>();
  const pageEnds = new Map<string, PageEnd>();
  const tableFor = ({ name }: CollectionModel): string => tableOfCollection(schema, name);
  const storedFor = ({ name }: CollectionModel): StoredCollection => collectionOf(collections, name);

  async function ask(text: string, values: readonly ParameterValue[] = []): Promise<readonly DatabaseRow[]> {
    try {
      return await sql.unsafe<DatabaseRow[]>(text, sentValues(values));
    } catch (error) {
      throw unavailableFault(error, limits) ?? error;
    }
  }

  /** For each condition, whether any record meets it. */
  async function areMet(
    model: CollectionModel,
    conditions: readonly string[],
    { values }: Parameters,
  ): Promise<readonly boolean[]> {
    const columns = conditions.map((each, i) => `EXISTS (SELECT FROM ${tableFor(model)} WHERE ${each}) AS "${i}"`);
    const [row] = await ask(`SELECT ${columns.join(', ')}`, values);
    return conditions.map((_, i) => row?.[i] === true);
  }

  /** The text's `tsquery`; null where no record can match. */
  function textOf(model: CollectionModel, text: string, { textOptions }: Query): Promise<string | null> {
    return textQuery(model, storedFor(model).language, text, textOptions, (queries) => {
      const parameters = new Parameters();
      const conditions = queries.map((each) => `":words" @@ ${parameters.add(storable(each), 'tsquery')}`);
      return areMet(model, conditions, parameters);
    });
  }

  /** `counted` stands behind the table: what its rows are joined with. */
  async function planOf(model: CollectionModel, query: Query, counted = ''): Promise<StatementPlan> {
    const parameters = new Parameters();
    const conditions = [...conditionsOf(model, query.filters, parameters)];
    const { text, sort, descending, thenBy } = query;
    const keys = sort === null ? [] : [{ field: sort, descending }, ...thenBy];
    let [order, runs] = [orderOf(model, keys), runsOf(model, keys)];
    if (text !== null) {
      const textQuery = await textOf(model, text, query);
      const place = textQuery === null ? null : parameters.add(storable(textQuery), 'tsquery');
      conditions.push(place === null ? 'false' : `":words" @@ ${place}`);
      if (sort === null && place !== null) {
        order = [{ expression: `ts_rank(${fieldWeights(model)}, ":words", ${place}, 1)`, direction: 'DESC' }, BY_ROW];
        runs = [{ order: orderText(order) }];
      }
    }
    return {
      from(...more) {
        const all = [...conditions, ...more];
        return `${tableFor(model)}${counted}${all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`}`;
      },
      isWhole: conditions.length === 0,
      order,
      runs,
      parameters,
    };
  }

  /** Finds all that matches once, to count and to sort it: the planner would walk an index for the first few of them. */
  function countedRows(model: CollectionModel, plan: StatementPlan, paging: Paging, extent: Extent) {
    const { from, order, runs, parameters } = plan;
    const keys = order.map(({ expression }, i) => `${expression} AS o${i}`).join(', ');
    const sorted = order.map(({ direction }, i) => `o${i} ${direction}`).join(', ');
    return ask(
      `WITH found AS MATERIALIZED (SELECT ":row" AS place, ${runs[0]?.key ?? 'NULL'} AS key, ${keys} FROM ${from()}),
         total AS (SELECT count(*) AS total FROM found),
         page AS MATERIALIZED (SELECT * FROM found ORDER BY ${sorted} LIMIT ${paging.limit} OFFSET ${offsetOf(paging)})
       SELECT place::text AS row, key, total, ${JSON_BY_EXTENT[extent]} AS json FROM total
         LEFT JOIN page ON true
         LEFT JOIN (SELECT * FROM ${tableFor(model)} WHERE ":row" = ANY (ARRAY(SELECT place FROM page))) AS record
           ON record.":row" = page.place ORDER BY ${sorted}`,
      parameters.values,
    );
  }

  /** Walks the indexes that have the order up to the page, or on from the end of the one before. */
  async function walkedRows(plan: StatementPlan, paging: Paging, before: PageEnd | undefined, extent: Extent) {
    const { from, runs, parameters } = plan;
    const rows: DatabaseRow[] = [];
    let end = before;
    let skipped = before === undefined ? offsetOf(paging) : 0;
    for (const run of end?.key === null ? runs.slice(-1) : runs) {
      const { condition = 'true', key = 'NULL', order, behind } = run;
      const { values } = parameters;
      const ownParameters = new Parameters(values);
      const conditions =
        end === undefined || behind === undefined ? [condition] : [condition, behind(end, ownParameters)];
      const rowsLeft = paging.limit - rows.length;
      const runRows = await ask(
        `SELECT ":row"::text AS row, ${key} AS key, ${JSON_BY_EXTENT[extent]} AS json
         FROM ${from(...conditions)} ORDER BY ${order} LIMIT ${rowsLeft} OFFSET ${skipped}`,
        ownParameters.values,
      );
      rows.push(...runRows);
      if (runRows.length === rowsLeft || run === runs.at(-1)) break;
      // The page begins behind all records of this run, or it goes on at the first one of the next.
      const [count] =
        skipped > 0 && runRows.length === 0 ? await ask(`SELECT count(*) FROM ${from(condition)}`, values) : [];
      skipped = Math.max(0, skipped - Number(count?.count ?? skipped));
      end = undefined;
    }
    return rows;
  }

  /** The planner's total of a query, where it is large. */
  async function estimateOf({ from, parameters }: StatementPlan): Promise<number | undefined> {
    const [row] = await ask(`EXPLAIN SELECT FROM ${from()}`, parameters.values);
    const estimate = Number(/ rows=(\d+)/.exec(String(row?.['QUERY PLAN']))?.[1]);
    return estimate > limits.leastEstimate ? estimate : undefined;
  }

  /**
   * A page with its total: remembered, known of a whole collection, the planner's estimate where one may be given, else counted by the
   * page's own statement. An estimate is not remembered.
   */
  async function page(
    model: CollectionModel,
    query: Query,
    paging: Paging,
    extent: Extent,
    isEstimated: boolean,
  ): Promise<RecordPage> {
    const plan = await planOf(model, query);
    const { size, isGapless } = storedFor(model);
    const totalKey = memoryKey(model, query, null);
    const knownTotal = plan.isWhole ? size : totals.get(totalKey);
    const estimate = isEstimated && knownTotal === undefined ? await estimateOf(plan) : undefined;
    const total = knownTotal ?? estimate;
    // A page of the whole list stands between two rows: other servers send no row beyond.
    const isPlaced = isGapless && plan.isWhole && query.sort === null;
    const boundedFrom = (...more: readonly string[]): string =>
      plan.from(...more, `":row" < ${offsetOf(paging) + paging.limit}`);
    const before = isPlaced
      ? { row: offsetOf(paging) - 1, key: null }
      : pageEnds.get(memoryKey(model, query, { ...paging, page: paging.page - 1 }));
    const rows =
      total === undefined || (total <= MAX_SORTED && !plan.isWhole)
        ? await countedRows(model, plan, paging, extent)
        : await walkedRows(isPlaced ? { ...plan, from: boundedFrom } : plan, paging, before, extent);
    const shownTotal = total ?? Number(rows[0]?.total ?? 0);
    if (estimate === undefined) rememberIn(totals, totalKey, shownTotal);
    // Behind the last page there is a row for the total alone.
    const records = rows.filter(({ row }) => row !== null);
    const last = records.at(-1);
    if (last !== undefined && plan.runs.every(({ behind }) => behind !== undefined)) {
      const end = { row: Number(last.row), key: last.key === null ? null : String(last.key) };
      rememberIn(pageEnds, memoryKey(model, query, paging), end);
    }
    return {
      total: shownTotal,
      joined: (opening, closing, shape) => {
        const texts = records.map(({ json }) => Buffer.from(String(json)));
        return joinedJson(shape === undefined ? texts : texts.map(shape), opening, closing);
      },
    };
  }

  async function record(model: CollectionModel, segment: string, extent: Extent): Promise<NamedRecord | undefined> {
    const isInteger = /^-?\d+$/.test(segment);
    const find = async (
      isByKey: boolean,
      condition: string,
      values: readonly ParameterValue[],
    ): Promise<NamedRecord | undefined> => {
      const columns = `id::text AS id, ${JSON_BY_EXTENT[extent]} AS json`;
      const [row] = await ask(`SELECT ${columns} FROM ${tableFor(model)} WHERE ${condition} LIMIT 1`, values);
      return row && { id: Number(row.id), isByKey, json: Buffer.from(String(row.json)) };
    };
    const id = Number(segment);
    if (isInteger && mayBeId(model, segment) && Number.isSafeInteger(id)) {
      const part = partitions === 0 ? '' : ` AND ":part" = ${partOf(id, partitions)}`;
      const namedRecord = await find(false, `id = $1::bigint${part}`, [id]);
      if (namedRecord !== undefined) return namedRecord;
    }
    for (const key of model.keys ?? []) {
      const field = fieldNamed(model, key);
      if (isOrdered(field) && !isInteger) continue;
      const parameters = new Parameters();
      const namedRecord = await find(true, valueCondition(field, segment, parameters), parameters.values);
      if (namedRecord !== undefined) return namedRecord;
    }
    return undefined;
  }

  /**
   * An expression: how the first record with a value spells it. `key` is a column of the value's key, whose collation is the default one:
   * other servers are sent no key of another.
   */
  function spellingOf(model: CollectionModel, field: Field, key: string): string {
    const { key: column, raw, join } = groupedValues(field);
    if (raw === column) return key;
    const indexed = hasSeveralValues(field) ? `${columnOfField(field, ':folded')} @> ARRAY[${key}] AND ` : '';
    return `(SELECT ${raw} FROM ${tableFor(model)}${join} WHERE ${indexed}${isEqual(column, key)} ORDER BY ":row" LIMIT 1)`;
  }

  async function values(
    model: CollectionModel,
    field: Field,
    query: Query,
    { beginning, limit }: { readonly beginning: string; readonly limit: number },
  ): Promise<readonly ValueCount[]> {
    const { key, join } = groupedValues(field);
    const { from, parameters } = await planOf(model, query, join);
    const begins = `starts_with(${key}, ${parameters.text(foldedKey(beginning))})`;
    const rows = await ask(
      `SELECT ${spellingOf(model, field, 'top.key')} AS name, count FROM (
         SELECT ${key} COLLATE "default" AS key, count(*) AS count FROM ${from(`${key} IS NOT NULL`, begins)}
         GROUP BY ${key} ORDER BY 2 DESC, ${key}${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}) AS top
       ORDER BY count DESC, key COLLATE "C"`,
      parameters.values,
    );
    return rows.map(({ name, count }) => ({ name: storedText(String(name)), count: Number(count) }));
  }

  async function stats(model: CollectionModel, query: Query) {
    const fields = model.fields.filter((field, i) => i !== ID_FIELD && isOrdered(field));
    const { from, parameters } = await planOf(model, query);
    const sums = fields.map((field, i) => `json_build_object(${numbersOf(field)}) AS "${i}"`);
    const [row] = await ask(`SELECT ${['count(*) AS count', ...sums].join(', ')} FROM ${from()}`, parameters.values);
    const statsOf = async (field: Field, i: number): Promise<FieldStats> => {
      const numbers = row?.[i] as Omit<FieldStats, 'histogram'>;
      const { count, min, max } = numbers;
      if (min === null || max === null) return { ...numbers, histogram: [] };
      const edges = histogramEdges(min, max, field.kind);
      if (edges.length === 2) return { ...numbers, histogram: [{ from: min, to: max, count }] };
      // The greatest value is in the last bin.
      const ownParameters = new Parameters(parameters.values);
      const bin = `width_bucket(${countNumber(field)}, ${ownParameters.add(edges.map(String), 'float8[]')})`;
      const bins = await ask(
        `SELECT least(greatest(${bin}, 1), ${edges.length - 1}) AS bin, count(*) AS count
         FROM ${from(`${columnOfField(field)} IS NOT NULL`)} GROUP BY 1`,
        ownParameters.values,
      );
      const counts = new Map(bins.map((each) => [Number(each.bin), Number(each.count)]));
      const histogram = edges
        .slice(1)
        .map((to, at) => ({ from: edges[at] ?? min, to, count: counts.get(at + 1) ?? 0 }));
      return { ...numbers, histogram };
    };
    const entries = await Promise.all(fields.map(async (field, i) => [field.name, await statsOf(field, i)] as const));
    return { count: Number(row?.count), fields: new Map(entries) };
  }

  async function groups(
    model: CollectionModel,
    query: Query,
    by: Field,
    names: readonly string[] | null,
    limit: number,
  ) {
    const isWanted = (field: Field, i: number): boolean => names?.includes(field.name) ?? i !== ID_FIELD;
    const fields = model.fields.filter((field, i) => isOrdered(field) && isWanted(field, i));
    const { key, join } = groupedValues(by);
    const plan = await planOf(model, query, join.replace(/^,/, ' LEFT JOIN') + (join === '' ? '' : ' ON true'));
    const columns = [
      `coalesce('=' || ${key}, '') COLLATE "C" AS key`,
      ...fields.map((field, i) => `${columnOfField(field)} AS "f${i}"`),
    ];
    const sums = fields.map((field, i) => {
      const median = `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${countNumber(field, `"f${i}"`)})`;
      return `json_build_object(${numbersOf(field, `"f${i}"`)}, 'median', ${median}) AS "${i}"`;
    });
    const rows = await ask(
      `WITH found AS MATERIALIZED (SELECT ${columns.join(', ')} FROM ${plan.from()}),
         top AS (SELECT key, count(*) AS count, count(*) OVER () AS total FROM found GROUP BY key
           ORDER BY count DESC, key = '', key LIMIT ${limit})
       SELECT *, CASE WHEN key <> '' THEN ${spellingOf(model, by, 'top.value')} END AS name FROM (
         SELECT ${['key', 'substr(key, 2) COLLATE "default" AS value', 'top.count', 'total', ...sums].join(', ')} FROM top JOIN found USING (key)
         GROUP BY key, top.count, total) AS top ORDER BY count DESC, key = '', key`,
      plan.parameters.values,
    );
    return {
      total: Number(rows[0]?.total ?? 0),
      groups: rows.map((row) => ({
        value: row.name === null ? null : storedText(String(row.name)),
        count: Number(row.count),
        fields: new Map(fields.map(({ name }, i) => [name, row[i] as GroupNumbers])),
      })),
    };
  }

  async function* exportOf(model: CollectionModel, query: Query, limit: number | null, extent: Extent) {
    const { from, order, parameters } = await planOf(model, query);
    const text = `SELECT ${JSON_BY_EXTENT[extent]} AS json FROM ${from()} ORDER BY ${orderText(order)}`;
    const maxRows = Math.min(MAX_EXPORT_ROWS, Math.ceil(EXPORT_BATCH_BYTES / storedFor(model).meanBytes));
    try {
      yield* batchesOf(
        exports.unsafe(limit === null ? text : `${text} LIMIT ${limit}`, sentValues(parameters.values)),
        maxRows,
        exports.CLOSE,
      );
    } catch (error) {
      throw unavailableFault(error, limits) ?? error;
    }
  }

  return {
    name: 'postgresql',
    lacks: LACKS,
    answersLater: true,
    page,
    record,
    async existingValues(model, field, texts) {
      const parameters = new Parameters();
      const conditions = texts.map((text) => valueCondition(field, text, parameters));
      const areValues = await areMet(model, conditions, parameters);
      return new Set(texts.filter((_, i) => areValues[i]));
    },
    values,
    stats,
    groups,
    export: (...of) => ({ batches: exportOf(...of) }),
  };
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

const sentValues = (values: readonly ParameterValue[]): (string | number)[] =>
  values.map((value) => (typeof value === 'object' ? arrayText(value) : value));

/** A digest, since texts of requests may be long. */
const memoryKey = (model: CollectionModel, query: Query, paging: Paging | null): string =>
  digestOf(JSON.stringify([model.name, query, paging]));

/** Sets an entry of a map that has only the latest ones. */
function rememberIn<Entry>(latest: Map<string, Entry>, key: string, entry: Entry): void {
  latest.delete(key);
  latest.set(key, entry);
  const oldest = latest.keys().next();
  if (latest.size > MAX_REMEMBERED_QUERIES && !oldest.done) latest.delete(oldest.value);
}

/** No database has more rows than the last page of all may stand behind. */
const offsetOf = ({ page, limit }: Paging): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);

/** The values of a field that are counted: their keys, how they are written, and what the table is joined with. */
function groupedValues(field: Field): { readonly key: string; readonly raw: string; readonly join: string } {
  const folded = columnOfField(field, ':folded');
  if (hasSeveralValues(field))
    return {
      key: 'value.key',
      raw: 'value.raw',
      join: `, unnest(${columnOfField(field)}, ${folded}) AS value (raw, key)`,
    };
  const key = hasSite(field) ? columnOfField(field, ':site') : folded;
  return { key, raw: hasSite(field) || field.kind === 'boolean' ? key : columnOfField(field), join: '' };
}

/** A field's number, of a date its milliseconds since 1970. */
const countNumber = (field: Field, column = columnOfField(field)): string =>
  field.kind === 'date' ? `(extract(epoch FROM ${column}) * 1000)::float8` : `${column}::float8`;

/** Count, range and mean of a field's numbers, as members of a JSON object. */
function numbersOf(field: Field, column = columnOfField(field)): string {
  const number = countNumber(field, column);
  return `'count', count(${column}), 'min', min(${number}), 'max', max(${number}), 'mean', avg(${number})`;
}

/** The weights of labels, D first, as the rank takes them; fields that share a label weigh as the heaviest of them. */
function fieldWeights(model: CollectionModel): string {
  const fields = searchFields(model);
  const greatestWeight = Math.max(1, ...fields.map(({ weight }) => weight));
  const weights = LABELS.map((label) =>
    Math.max(0, ...fields.flatMap(({ weight }, i) => (weightLabel(i) === label ? [weight / greatestWeight] : []))),
  );
  return `'{${weights.toReversed().join(',')}}'::float4[]`;
}
