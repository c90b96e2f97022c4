/**
 * Pages of a query's records. There are three ways to one. In the dump's own order a page stands between two rows. Where few records
 * match, or nobody knows how many, they are counted and sorted in one pass. Else an index that has the order is walked up to the page,
 * or on from the page before if that was read lately. Totals and ends of pages are remembered.
 */
import type { RecordPage } from '../query/engine.js';
import { joinedJson } from '../query/memory.js';
import type { Paging, Query } from '../query/query.js';
import type { Extent } from '../store/record-text.js';
import { digestOf } from './columns.js';
import { type CollectionTable, JSON_BY_EXTENT, planOf, type StatementPlan } from './plan.js';
import type { DatabaseRow } from './reader.js';
import { type PageEnd, Parameters } from './statement.js';

/** How many totals, and how many ends of pages, are remembered. */
const MAX_REMEMBERED_QUERIES = 20_000;
/** Where fewer records are found than this, they are sorted; else an index is walked up to the page. */
const MAX_SORTED = 20_000;

/** Makes pages of one dump. With `isEstimated`, a total above `leastEstimate` may be the planner's. */
export function createPager(leastEstimate: number) {
  const totals = new Map<string, number>();
  const pageEnds = new Map<string, PageEnd>();

  return async (
    table: CollectionTable,
    query: Query,
    paging: Paging,
    extent: Extent,
    isEstimated: boolean,
  ): Promise<RecordPage> => {
    const plan = await planOf(table, query);
    if (plan.isWhole && query.sort === null && table.isGapless)
      return pageOf(table.size, await placedRows(table, paging, extent));
    const totalKey = memoryKey(table, query, null);
    const knownTotal = plan.isWhole ? table.size : totals.get(totalKey);
    const estimate = isEstimated && knownTotal === undefined ? await estimateOf(table, plan, leastEstimate) : undefined;
    const total = knownTotal ?? estimate;
    const isWalked = total !== undefined && (total > MAX_SORTED || plan.isWhole);
    const before = pageEnds.get(memoryKey(table, query, { ...paging, page: paging.page - 1 }));
    const rows = isWalked
      ? await walkedRows(table, plan, paging, before, extent)
      : await countedRows(table, plan, paging, extent);
    const shownTotal = total ?? Number(rows[0]?.total ?? 0);
    // An estimate is not remembered.
    if (estimate === undefined) rememberIn(totals, totalKey, shownTotal);
    // Behind the last page there is a row for the total alone.
    const records = rows.filter(({ row }) => row !== null);
    const last = records.at(-1);
    if (last !== undefined && plan.order.runs.every(({ behind }) => behind !== undefined)) {
      const end = { row: Number(last.row), key: last.key === null ? null : String(last.key) };
      rememberIn(pageEnds, memoryKey(table, query, paging), end);
    }
    return pageOf(shownTotal, records);
  };
}

const pageOf = (total: number, records: readonly DatabaseRow[]): RecordPage => ({
  total,
  joined(opening, closing, shape) {
    const texts = records.map(({ json }) => Buffer.from(String(json)));
    return joinedJson(shape === undefined ? texts : texts.map(shape), opening, closing);
  },
});

/** A page of all records in row order. */
function placedRows({ name, ask }: CollectionTable, paging: Paging, extent: Extent) {
  const first = offsetOf(paging);
  return ask(
    `SELECT ${JSON_BY_EXTENT[extent]} AS json FROM ${name}
     WHERE ":row" >= ${first} AND ":row" < ${first + paging.limit} ORDER BY ":row"`,
  );
}

/** Finds all that matches once, to count and to sort it: the planner would walk an index for the first few of them. */
function countedRows(
  { name, ask }: CollectionTable,
  { from, order, parameters }: StatementPlan,
  paging: Paging,
  extent: Extent,
) {
  const keys = order.parts.map(({ expression }, i) => `${expression} AS o${i}`).join(', ');
  const sorted = order.parts.map(({ direction }, i) => `o${i} ${direction}`).join(', ');
  return ask(
    `WITH found AS MATERIALIZED (SELECT ":row" AS place, ${order.runs[0]?.key ?? 'NULL'} AS key, ${keys} FROM ${from()}),
       total AS (SELECT count(*) AS total FROM found),
       page AS MATERIALIZED (SELECT * FROM found ORDER BY ${sorted} LIMIT ${paging.limit} OFFSET ${offsetOf(paging)})
     SELECT place::text AS row, key, total, ${JSON_BY_EXTENT[extent]} AS json FROM total
       LEFT JOIN page ON true
       LEFT JOIN (SELECT * FROM ${name} WHERE ":row" = ANY (ARRAY(SELECT place FROM page))) AS record
         ON record.":row" = page.place ORDER BY ${sorted}`,
    parameters.values,
  );
}

/** Walks the indexes that have the order up to the page, or on from the end of the one before. */
async function walkedRows(
  { ask }: CollectionTable,
  { from, order: { runs }, parameters: { values } }: StatementPlan,
  paging: Paging,
  before: PageEnd | undefined,
  extent: Extent,
): Promise<readonly DatabaseRow[]> {
  const rows: DatabaseRow[] = [];
  let end = before;
  let skipped = before === undefined ? offsetOf(paging) : 0;
  for (const run of end?.key === null ? runs.slice(-1) : runs) {
    const { condition = 'true', key = 'NULL', order, behind } = run;
    const parameters = new Parameters(values);
    const conditions = end === undefined || behind === undefined ? [condition] : [condition, behind(end, parameters)];
    const rowsLeft = paging.limit - rows.length;
    const runRows = await ask(
      `SELECT ":row"::text AS row, ${key} AS key, ${JSON_BY_EXTENT[extent]} AS json
       FROM ${from(...conditions)} ORDER BY ${order} LIMIT ${rowsLeft} OFFSET ${skipped}`,
      parameters.values,
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
async function estimateOf(
  { ask }: CollectionTable,
  { from, parameters }: StatementPlan,
  leastEstimate: number,
): Promise<number | undefined> {
  const [row] = await ask(`EXPLAIN SELECT FROM ${from()}`, parameters.values);
  const estimate = Number(/ rows=(\d+)/.exec(String(row?.['QUERY PLAN']))?.[1]);
  return estimate > leastEstimate ? estimate : undefined;
}

/** A digest, since texts of requests may be long. */
const memoryKey = ({ name }: CollectionTable, query: Query, paging: Paging | null): string =>
  digestOf(JSON.stringify([name, query, paging]));

/** Sets an entry of a map that has only the latest ones. */
function rememberIn<Entry>(latest: Map<string, Entry>, key: string, entry: Entry): void {
  latest.delete(key);
  latest.set(key, entry);
  const oldest = latest.keys().next();
  if (latest.size > MAX_REMEMBERED_QUERIES && !oldest.done) latest.delete(oldest.value);
}

/** No database has more rows than the last page of all may stand behind. */
const offsetOf = ({ page, limit }: Paging): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
