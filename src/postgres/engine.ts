/**
 * PostgreSQL as an engine: a dump that `push` has copied there, whose schema never changes. Totals and the rows of pages are remembered
 * by query, in bounded memory. A page behind one that was read lately continues at its last sort key. Each statement has a time limit.
 */
import type { Language } from '../languages.js';
import { type CollectionModel, type Field, ID_FIELD, isOrdered } from '../model.js';
import type { ValueCount } from '../query/counter.js';
import { EngineUnavailable, type Lacks, type NamedRecord, type QueryEngine, type RecordPage } from '../query/engine.js';
import type { GroupNumbers } from '../query/groups.js';
import { joinedJson } from '../query/memory.js';
import { fieldNamed } from '../query/operators.js';
import { exportFormats } from '../query/parameters.js';
import type { Paging, Query, SortKey } from '../query/query.js';
import { type FieldStats, histogramEdges } from '../query/stats.js';
import { searchFields } from '../store/documents.js';
import { mayBeId } from '../store/named-rows.js';
import type { Extent } from '../store/record-text.js';
import {
  columnOfField,
  hasSeveralValues,
  hasSite,
  indexedBeginning,
  partOf,
  sortExpression,
  sortTypeOf,
  tableOfCollection,
} from './columns.js';
import { failureCode, type PendingQuery, type Sql } from './connection.js';
import { arrayText, foldedKey, storable, storedText } from './copy-text.js';
import {
  BY_ROW,
  conditionsOf,
  type OrderPart,
  orderOf,
  Parameters,
  type ParameterValue,
  valueCondition,
} from './statement.js';
import { textQuery } from './text-query.js';
import { LABELS, weightLabel } from './words.js';

/** A dump in the database. */
export interface PushedDump {
  readonly schema: string;
  readonly version: string;
  readonly partitions: number;
  readonly models: readonly CollectionModel[];
  readonly sizes: ReadonlyMap<string, number>;
  /** The bytes of a record's JSON on average. */
  readonly meanBytes: ReadonlyMap<string, number>;
  readonly languages: ReadonlyMap<string, Language>;
  /** The collections whose rows count up without a gap: any page of them is found by its first row. */
  readonly gapless: ReadonlySet<string>;
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

/** A query's page as it is remembered. */
interface RememberedPage {
  readonly rows: readonly string[];
  /** The sort key of the last row as text; null where it has none. */
  readonly lastKey: string | null;
}

/** Bounds on what is remembered. */
const MAX_REMEMBERED_ROWS = 200_000;
const MAX_REMEMBERED_TOTALS = 20_000;
/** Where fewer records are found than this, they are sorted; else an index is walked up to the page. */
const MAX_SORTED = 20_000;
/** Bytes of a batch of an export, where records are as long as their average; and its records at most. */
const EXPORT_BATCH_BYTES = 1 << 18;
const MAX_EXPORT_ROWS = 5000;

/** A query as parts of a statement. */
interface StatementPlan {
  readonly from: string;
  readonly isWhole: boolean;
  readonly order: readonly OrderPart[];
  readonly parameters: Parameters;
  /** The one sort key, by which a page can be continued; null for the order of rows, undefined for any other order. */
  readonly key: SortKey | null | undefined;
}

const ENGINE_COLUMNS: Readonly<Record<Extent, string>> = {
  item: '":item"',
  default: '":item", ":rest"',
  whole: '":item", ":rest", ":more"',
};

const pageOfTexts = (records: readonly string[], total: number): RecordPage => ({
  total,
  joined: (opening, closing, shape) =>
    joinedJson(
      records.map((json) => shape?.(Buffer.from(json)) ?? Buffer.from(json)),
      opening,
      closing,
    ),
});

/** A record of its parts, each of which is JSON: `{"id":7}` and `{"content":"A tea."}`. */
function jsonOf(row: DatabaseRow): string {
  let json = String(row[':item']);
  for (const part of [row[':rest'], row[':more']])
    if (typeof part === 'string' && part !== '{}') json = `${json.slice(0, -1)},${part.slice(1)}`;
  return json;
}

/**
 * The rows of a query in batches, each of which is asked for when the one before is taken. It throws where the connection is lost: the
 * library's own iterator ends there as if all rows had come.
 */
async function* batchesOf(
  query: PendingQuery<DatabaseRow[]>,
  maxRows: number,
  close: Sql['CLOSE'],
): AsyncGenerator<readonly DatabaseRow[]> {
  let arrive: (batch: Batch) => void = () => {};
  const nextArrival = (): Promise<Batch> =>
    new Promise((resolve) => {
      arrive = resolve;
    });
  let arrival = nextArrival();
  let isEnded = false;
  const ended = query
    .cursor(maxRows, (rows) => new Promise((resume) => arrive({ rows, resume })))
    .then(() => null)
    .finally(() => {
      isEnded = true;
    });
  ended.catch(() => {});
  for (;;) {
    const batch = await Promise.race([arrival, ended]);
    if (batch === null) return;
    arrival = nextArrival();
    // The database makes the next batch while this one is read. The library would write to a connection that is lost.
    if (!isEnded) batch.resume(undefined);
    let isRead = false;
    try {
      yield batch.rows;
      isRead = true;
    } finally {
      // The reader stopped early: the batch that is on its way is answered by closing the cursor.
      if (!isRead)
        void arrival.then(({ resume }) => {
          if (!isEnded) resume(close);
        });
    }
  }
}

interface Batch {
  readonly rows: readonly DatabaseRow[];
  /** Asks for the next batch, or ends the query. */
  readonly resume: (answer: Sql['CLOSE'] | undefined) => void;
}

/** Exports have sessions of their own, which slow readers keep. */
export function createPostgresEngine(sql: Sql, exports: Sql, dump: PushedDump, limits: EngineLimits): QueryEngine {
  const { schema, partitions, sizes } = dump;
  const totals = new Latest<number>(MAX_REMEMBERED_TOTALS, () => 1);
  const pages = new Latest<RememberedPage>(MAX_REMEMBERED_ROWS, ({ rows }) => rows.length + 1);
  const tableFor = ({ name }: CollectionModel): string => tableOfCollection(schema, name);

  async function ask(text: string, values: readonly ParameterValue[] = []): Promise<readonly DatabaseRow[]> {
    try {
      return await sql.unsafe<DatabaseRow[]>(text, sentValues(values));
    } catch (error) {
      throw unavailableFault(error, limits) ?? error;
    }
  }

  /** The text's `tsquery`; null where no record can match. */
  function textOf(model: CollectionModel, { text, textOptions }: Query & { readonly text: string }) {
    const language = dump.languages.get(model.name) ?? 'english';
    return textQuery(model, language, text, textOptions, async (queries) => {
      const parameters = new Parameters();
      const columns = queries.map(
        (each, i) =>
          `EXISTS (SELECT FROM ${tableFor(model)} WHERE ":words" @@ ${parameters.add(storable(each), 'tsquery')}) AS "${i}"`,
      );
      const [row] = await ask(`SELECT ${columns.join(', ')}`, parameters.values);
      return queries.map((_, i) => row?.[i] === true);
    });
  }

  /** `counted` stands behind the table: what its rows are joined with. */
  async function planOf(model: CollectionModel, query: Query, counted = ''): Promise<StatementPlan | null> {
    const parameters = new Parameters();
    const conditions = [...conditionsOf(model, query.filters, parameters)];
    const { text, sort, descending, thenBy } = query;
    let rank: string | null = null;
    if (text !== null) {
      const textQuery = await textOf(model, { ...query, text });
      if (textQuery === null) return null;
      const place = parameters.add(storable(textQuery), 'tsquery');
      conditions.push(`":words" @@ ${place}`);
      rank = `ts_rank(${fieldWeights(model)}, ":words", ${place}, 1)`;
    }
    const keys = sort === null ? [] : [{ field: sort, descending }, ...thenBy];
    const isRanked = rank !== null && sort === null;
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return {
      from: `${tableFor(model)}${counted}${where}`,
      isWhole: conditions.length === 0,
      order: isRanked ? [{ expression: rank ?? '', direction: 'DESC' }, BY_ROW] : orderOf(model, keys),
      parameters,
      key: isRanked || keys.length > 1 ? undefined : (keys[0] ?? null),
    };
  }

  /** A page's records with their rows and sort keys, and the total where nothing is known of it yet. */
  async function rowsOf(
    model: CollectionModel,
    plan: StatementPlan,
    total: number | undefined,
    query: Query,
    paging: Paging,
    extent: Extent,
  ): Promise<readonly DatabaseRow[]> {
    const { page, limit } = paging;
    const { from, order, parameters, key, isWhole } = plan;
    const part = `LIMIT ${limit} OFFSET ${offsetOf(paging)}`;
    if (total === undefined || !(isWhole || total > MAX_SORTED)) {
      // All that is found is found once, to be counted and sorted: the planner would walk an index for the first few of them.
      const sortKeys = order.map(({ expression }, i) => `${expression} AS o${i}`).join(', ');
      const sorted = order.map(({ direction }, i) => `o${i} ${direction}`).join(', ');
      return ask(
        `WITH found AS MATERIALIZED (SELECT ":row" AS place, ${key ? `(${keyIn(model, key)})::text` : 'NULL'} AS key, ${sortKeys} FROM ${from}),
           total AS (SELECT count(*) AS total FROM found)
         SELECT place::text AS row, key, total, ${ENGINE_COLUMNS[extent]} FROM total
           LEFT JOIN (SELECT * FROM found ORDER BY ${sorted} ${part}) AS page ON true
           LEFT JOIN ${tableFor(model)} AS record ON record.":row" = page.place ORDER BY ${sorted}`,
        parameters.values,
      );
    }
    const columns = `":row"::text AS row, NULL AS key, ${ENGINE_COLUMNS[extent]}`;
    const before = page > 1 ? pages.get(cursorKey(model, query, { page: page - 1, limit })) : undefined;
    // The page before was the last one, or stands behind it.
    if (before !== undefined && before.rows.length < limit) return [];
    if (key === undefined)
      return ask(`SELECT ${columns} FROM ${from} ORDER BY ${orderText(order)} ${part}`, parameters.values);
    if (key !== null) return rowsBySortKey(model, { ...plan, key }, paging, before, extent);
    if (isWhole && dump.gapless.has(model.name))
      return ask(`SELECT ${columns} FROM ${from} WHERE ":row" >= ${offsetOf(paging)} ORDER BY ":row" LIMIT ${limit}`);
    const behind = before && ` ${isWhole ? 'WHERE' : 'AND'} ":row" > ${Number(before.rows.at(-1) ?? -1)}`;
    return ask(
      `SELECT ${columns} FROM ${from}${behind ?? ''} ORDER BY ":row" ${behind === undefined ? part : `LIMIT ${limit}`}`,
      parameters.values,
    );
  }

  /** Reads an index of a sort key: the records with a value, then those without. Behind a page that is remembered it goes on there. */
  async function rowsBySortKey(
    model: CollectionModel,
    { from, isWhole, parameters, key }: StatementPlan & { readonly key: SortKey },
    paging: Paging,
    before: RememberedPage | undefined,
    extent: Extent,
  ): Promise<readonly DatabaseRow[]> {
    const { limit } = paging;
    const start = `${from}${isWhole ? ' WHERE' : ' AND'}`;
    const expression = keyIn(model, key);
    const columns = `":row"::text AS row, (${expression})::text AS key, ${ENGINE_COLUMNS[extent]}`;
    const [sign, direction] = key.descending ? ['<', 'DESC'] : ['>', 'ASC'];
    const inOrder = `ORDER BY ${expression} ${direction}, ":row" ${direction} LIMIT ${limit}`;
    const lastRow = Number(before?.rows.at(-1) ?? -1);
    const offset = before === undefined ? offsetOf(paging) : 0;
    let valued: readonly DatabaseRow[] = [];
    if (before === undefined)
      valued = await ask(
        `SELECT ${columns} FROM ${start} ${expression} IS NOT NULL ${inOrder} OFFSET ${offset}`,
        parameters.values,
      );
    else if (before.lastKey !== null) {
      const place = `$${parameters.values.length + 1}::${sortTypeOf(fieldNamed(model, key.field))}`;
      const behind = `${expression} ${sign}= ${place} AND (${expression} ${sign} ${place} OR ":row" ${sign} ${lastRow})`;
      valued = await ask(`SELECT ${columns} FROM ${start} ${behind} ${inOrder}`, [
        ...parameters.values,
        before.lastKey,
      ]);
    }
    if (valued.length === limit) return valued;
    let skipped = 0;
    if (offset > 0 && valued.length === 0) {
      const [row] = await ask(`SELECT count(*) AS count FROM ${start} ${expression} IS NOT NULL`, parameters.values);
      skipped = Math.max(0, offset - Number(row?.count));
    }
    const behindRow = before?.lastKey === null ? ` AND ":row" > ${lastRow}` : '';
    const unvalued = await ask(
      `SELECT ${columns} FROM ${start} ${expression} IS NULL${behindRow} ORDER BY ":row" LIMIT ${limit - valued.length} OFFSET ${skipped}`,
      parameters.values,
    );
    return [...valued, ...unvalued];
  }

  /** The planner's total of a query, where it is large. */
  async function estimateOf({ from, parameters }: StatementPlan): Promise<number | undefined> {
    const [row] = await ask(`EXPLAIN (FORMAT JSON) SELECT FROM ${from}`, parameters.values);
    const estimate = Number(/"Plan Rows": ?(\d+)/.exec(JSON.stringify(row?.['QUERY PLAN']).replaceAll('\\', ''))?.[1]);
    return estimate > limits.leastEstimate ? estimate : undefined;
  }

  async function recordsOf(
    model: CollectionModel,
    rows: readonly string[],
    extent: Extent,
  ): Promise<readonly string[]> {
    if (rows.length === 0) return [];
    const records = await ask(
      `SELECT ":row"::text AS row, ${ENGINE_COLUMNS[extent]} FROM ${tableFor(model)} WHERE ":row" = ANY ($1::bigint[])`,
      [rows],
    );
    const byRow = new Map(records.map((record) => [String(record.row), jsonOf(record)]));
    return rows.map((row) => byRow.get(row) ?? '');
  }

  /** A page with its total: remembered, known of a whole collection, the planner's estimate where one may be given, else counted by the page's own statement. An estimate is not remembered. */
  async function page(
    model: CollectionModel,
    query: Query,
    paging: Paging,
    extent: Extent,
    isEstimated: boolean,
  ): Promise<RecordPage> {
    const totalKey = cursorKey(model, query, null);
    const pageKey = cursorKey(model, query, paging);
    const [knownTotal, knownPage] = [totals.get(totalKey), pages.get(pageKey)];
    if (knownTotal !== undefined && knownPage !== undefined)
      return pageOfTexts(await recordsOf(model, knownPage.rows, extent), knownTotal);
    const plan = await planOf(model, query);
    if (plan === null) return pageOfTexts([], 0);
    const estimate = isEstimated && knownTotal === undefined && !plan.isWhole ? await estimateOf(plan) : undefined;
    const total = plan.isWhole ? sizes.get(model.name) : (knownTotal ?? estimate);
    const pageRows = await rowsOf(model, plan, total, query, paging, extent);
    const shownTotal = total ?? Number(pageRows[0]?.total ?? 0);
    // Behind the last page there is a row for the total alone.
    const records = pageRows.filter(({ row }) => row !== null);
    const rows = records.map(({ row }) => String(row));
    const lastKey = records.at(-1)?.key;
    pages.set(pageKey, { rows, lastKey: typeof lastKey === 'string' ? lastKey : null });
    if (estimate === undefined) totals.set(totalKey, shownTotal);
    return pageOfTexts(records.map(jsonOf), shownTotal);
  }

  async function record(model: CollectionModel, segment: string, extent: Extent): Promise<NamedRecord | undefined> {
    const isInteger = /^-?\d+$/.test(segment);
    const find = async (condition: string, values: readonly ParameterValue[]): Promise<DatabaseRow | undefined> => {
      const columns = `id::text AS id, ${ENGINE_COLUMNS[extent]}`;
      const [row] = await ask(`SELECT ${columns} FROM ${tableFor(model)} WHERE ${condition} LIMIT 1`, values);
      return row;
    };
    const named = (row: DatabaseRow, isByKey: boolean): NamedRecord => ({
      id: Number(row.id),
      isByKey,
      json: Buffer.from(jsonOf(row)),
    });
    const id = Number(segment);
    if (isInteger && mayBeId(model, segment) && Number.isSafeInteger(id)) {
      const part = partitions === 0 ? '' : ` AND ":part" = ${partOf(id, partitions)}`;
      const row = await find(`id = $1::bigint${part}`, [id]);
      if (row !== undefined) return named(row, false);
    }
    for (const key of model.keys ?? []) {
      const field = fieldNamed(model, key);
      if (isOrdered(field) && !isInteger) continue;
      const parameters = new Parameters();
      const row = await find(valueCondition(field, segment, parameters), parameters.values);
      if (row !== undefined) return named(row, true);
    }
    return undefined;
  }

  /** Values as they were first written, by key. */
  async function spellingsOf(model: CollectionModel, field: Field, keys: readonly string[]) {
    const { key, raw, join } = groupedValues(field);
    if (raw === key || keys.length === 0) return new Map(keys.map((each) => [each, each]));
    const table = tableFor(model);
    const rows = await ask(
      join === ''
        ? `SELECT key, (SELECT ${raw} FROM ${table} WHERE ${indexedBeginning(key)} = ${indexedBeginning('key')} AND ${key} = key
             ORDER BY ":row" LIMIT 1) AS name FROM unnest($1::text[]) AS key`
        : `SELECT value.key, (min(ARRAY[lpad(":row"::text, 20, '0'), value.raw]))[2] AS name FROM ${table}${join}
             WHERE ${columnOfField(field, ':folded')} && $1::text[] AND value.key = ANY ($1::text[]) GROUP BY 1`,
      [keys],
    );
    return new Map(rows.map((row) => [String(row.key), String(row.name)]));
  }

  async function values(
    model: CollectionModel,
    field: Field,
    query: Query,
    { beginning, limit }: { readonly beginning: string; readonly limit: number },
  ): Promise<readonly ValueCount[]> {
    const { key, join } = groupedValues(field);
    const plan = await planOf(model, query, join);
    if (plan === null) return [];
    const { from, isWhole, parameters } = plan;
    const begins = `starts_with(${key}, ${parameters.text(foldedKey(beginning))})`;
    const rows = await ask(
      `SELECT ${key} AS key, count(*) AS count FROM ${from}${isWhole ? ' WHERE' : ' AND'} ${key} IS NOT NULL AND ${begins}
       GROUP BY 1 ORDER BY 2 DESC, 1${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}`,
      parameters.values,
    );
    const spellings = await spellingsOf(
      model,
      field,
      rows.map((row) => String(row.key)),
    );
    return rows.map((row) => ({
      name: storedText(spellings.get(String(row.key)) ?? String(row.key)),
      count: Number(row.count),
    }));
  }

  async function stats(model: CollectionModel, query: Query) {
    const fields = model.fields.filter((field, i) => i !== ID_FIELD && isOrdered(field));
    const plan = await planOf(model, query);
    const none: FieldStats = { count: 0, min: null, max: null, mean: null, histogram: [] };
    if (plan === null) return { count: 0, fields: new Map(fields.map(({ name }) => [name, none])) };
    const { from, parameters } = plan;
    const sums = fields.map((field, i) => numbersText(field, String(i)));
    const [row = {}] = await ask(`SELECT ${['count(*) AS count', ...sums].join(', ')} FROM ${from}`, parameters.values);
    const statsOf = async (field: Field, i: number): Promise<FieldStats> => {
      const numbers = numbersIn(row, String(i));
      const { count, min, max, mean } = numbers;
      if (min === null || max === null) return none;
      const edges = histogramEdges(min, max, field.kind);
      if (edges.length === 2) return { count, min, max, mean, histogram: [{ from: min, to: max, count }] };
      const number = countNumber(field);
      const bins = await ask(
        `SELECT width_bucket(${number}, $${parameters.values.length + 1}::float8[]) AS bin, count(*) AS count
         FROM ${from}${plan.isWhole ? ' WHERE' : ' AND'} ${columnOfField(field)} IS NOT NULL GROUP BY 1`,
        [...parameters.values, edges.map(String)],
      );
      // The greatest value is in the last bin.
      const counts = new Array<number>(edges.length - 1).fill(0);
      for (const bin of bins) {
        const at = Math.min(Math.max(Number(bin.bin), 1), counts.length) - 1;
        counts[at] = (counts[at] ?? 0) + Number(bin.count);
      }
      const histogram = counts.map((each, at) => ({ from: edges[at] ?? min, to: edges[at + 1] ?? max, count: each }));
      return { count, min, max, mean, histogram };
    };
    const entries = await Promise.all(fields.map(async (field, i) => [field.name, await statsOf(field, i)] as const));
    return { count: Number(row.count), fields: new Map(entries) };
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
    if (plan === null) return { groups: [], total: 0 };
    const columns = [
      `coalesce('=' || ${key}, '') COLLATE "C" AS key`,
      ...fields.map((field, i) => `${columnOfField(field)} AS "f${i}"`),
    ];
    const sums = fields.flatMap((field, i) => [
      numbersText(field, String(i), `"f${i}"`),
      `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${countNumber(field, `"f${i}"`)}) AS "${i}median"`,
    ]);
    const rows = await ask(
      `WITH found AS MATERIALIZED (SELECT ${columns.join(', ')} FROM ${plan.from}),
         top AS (SELECT key, count(*) AS count, count(*) OVER () AS total FROM found GROUP BY key
           ORDER BY count DESC, key = '', key LIMIT ${limit})
       SELECT ${['key', 'top.count', 'total', ...sums].join(', ')} FROM top JOIN found USING (key)
       GROUP BY key, top.count, total ORDER BY top.count DESC, key = '', key`,
      plan.parameters.values,
    );
    const keys = rows.flatMap((row) => (row.key === '' ? [] : [String(row.key).slice(1)]));
    const spellings = await spellingsOf(model, by, keys);
    return {
      total: Number(rows[0]?.total ?? 0),
      groups: rows.map((row) => ({
        value: row.key === '' ? null : storedText(spellings.get(String(row.key).slice(1)) ?? ''),
        count: Number(row.count),
        fields: new Map(
          fields.map((field, i): [string, GroupNumbers] => [
            field.name,
            { ...numbersIn(row, String(i)), median: numberInRow(row[`${i}median`]) },
          ]),
        ),
      })),
    };
  }

  async function* exportOf(model: CollectionModel, query: Query, limit: number | null, extent: Extent) {
    const plan = await planOf(model, query);
    if (plan === null) return;
    const { from, order, parameters } = plan;
    const text = `SELECT ${ENGINE_COLUMNS[extent]} FROM ${from} ORDER BY ${orderText(order)}${limit === null ? '' : ` LIMIT ${limit}`}`;
    try {
      const query = exports.unsafe<DatabaseRow[]>(text, sentValues(parameters.values));
      const meanBytes = Math.max(1, dump.meanBytes.get(model.name) ?? 1);
      const maxRows = Math.min(MAX_EXPORT_ROWS, Math.ceil(EXPORT_BATCH_BYTES / meanBytes));
      for await (const rows of batchesOf(query, maxRows, exports.CLOSE)) yield rows.map(jsonOf);
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
      const exist = texts.map(
        (text, i) =>
          `EXISTS (SELECT FROM ${tableFor(model)} WHERE ${valueCondition(field, text, parameters)}) AS "${i}"`,
      );
      const [row] = await ask(`SELECT ${exist.join(', ')}`, parameters.values);
      return new Set(texts.filter((_, i) => row?.[i] === true));
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

const cursorKey = (model: CollectionModel, query: Query, paging: Paging | null): string =>
  JSON.stringify([model.name, query, paging]);

/** No database has more rows than the last page of all may stand behind. */
const offsetOf = ({ page, limit }: Paging): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);

const orderText = (order: readonly OrderPart[]): string =>
  order.map(({ expression, direction }) => `${expression} ${direction}`).join(', ');

const keyIn = (model: CollectionModel, { field }: SortKey): string => sortExpression(fieldNamed(model, field));

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

/** Count, range and mean of a field's numbers, under names that begin with `name`. */
function numbersText(field: Field, name: string, column = columnOfField(field)): string {
  const number = countNumber(field, column);
  const sums = [`count(${column}) AS "${name}count"`];
  for (const sum of ['min', 'max', 'avg']) sums.push(`${sum}(${number}) AS "${name}${sum}"`);
  return sums.join(', ');
}

const numberInRow = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
const numbersIn = (row: DatabaseRow, name: string) => ({
  count: Number(row[`${name}count`]),
  min: numberInRow(row[`${name}min`]),
  max: numberInRow(row[`${name}max`]),
  mean: numberInRow(row[`${name}avg`]),
});

/** The weights of labels, D first, as the rank takes them; fields that share a label weigh as the heaviest of them. */
function fieldWeights(model: CollectionModel): string {
  const fields = searchFields(model);
  const greatestWeight = Math.max(1, ...fields.map(({ weight }) => weight));
  const weights = LABELS.map((label) =>
    Math.max(0, ...fields.flatMap(({ weight }, i) => (weightLabel(i) === label ? [weight / greatestWeight] : []))),
  );
  return `'{${weights.toReversed().join(',')}}'::float4[]`;
}

/** The latest entries, as long as their sizes add up to `maxSize`. */
class Latest<Entry> {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  readonly #maxSize: number;
  readonly #sizeOf: (entry: Entry) => number;

  constructor(maxSize: number, sizeOf: (entry: Entry) => number) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: Entry): void {
    const before = this.#entries.get(key);
    this.#size += this.#sizeOf(entry) - (before === undefined ? 0 : this.#sizeOf(before));
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const [oldest, value] of this.#entries) {
      if (this.#size <= this.#maxSize) return;
      this.#entries.delete(oldest);
      this.#size -= this.#sizeOf(value);
    }
  }
}
