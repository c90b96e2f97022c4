/**
 * Pages of a query's records. There are three ways to one. In the dump's own order a page stands between two rows. Where few records
 * match, or nobody knows how many, they are counted and sorted in one pass. Else an index that has the order is walked up to the page.
 * Totals are remembered.
 */
import type { RecordPage } from '../query/engine.js';
import { joinedJson } from '../query/memory.js';
import type { Paging, Query } from '../query/query.js';
import type { Extent } from '../store/record-text.js';
import { digestOf } from './columns.js';
import { type CollectionTable, JSON_BY_EXTENT, planOf, type StatementPlan } from './plan.js';
import type { DatabaseRow } from './reader.js';

/** How many totals are remembered. */
const MAX_REMEMBERED_TOTALS = 20_000;
/** Where fewer records are found than this, they are sorted; else an index is walked up to the page. */
const MAX_SORTED = 20_000;

/** Makes pages of one dump. */
export function createPager() {
  const totals = new Map<string, number>();

  return async (table: CollectionTable, query: Query, paging: Paging, extent: Extent): Promise<RecordPage> => {
    const plan = await planOf(table, query);
    if (plan.isWhole && query.sort === null && table.isGapless)
      return pageOf(table.size, await placedRows(table, paging, extent));
    // A digest, since texts of requests may be long.
    const totalKey = digestOf(JSON.stringify([table.name, query]));
    const knownTotal = plan.isWhole ? table.size : totals.get(totalKey);
    const isWalked = knownTotal !== undefined && (knownTotal > MAX_SORTED || plan.isWhole);
    const rows = await (isWalked ? walkedRows : countedRows)(table, plan, paging, extent);
    const total = knownTotal ?? Number(rows[0]?.total ?? 0);
    rememberIn(totals, totalKey, total);
    // Behind the last page there is a row for the total alone.
    return pageOf(
      total,
      rows.filter(({ json }) => json !== null),
    );
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
    `WITH found AS MATERIALIZED (SELECT ":row" AS place, ${keys} FROM ${from()}),
       total AS (SELECT count(*) AS total FROM found),
       page AS MATERIALIZED (SELECT * FROM found ORDER BY ${sorted} LIMIT ${paging.limit} OFFSET ${offsetOf(paging)})
     SELECT total, ${JSON_BY_EXTENT[extent]} AS json FROM total
       LEFT JOIN page ON true
       LEFT JOIN (SELECT * FROM ${name} WHERE ":row" = ANY (ARRAY(SELECT place FROM page))) AS record
         ON record.":row" = page.place ORDER BY ${sorted}`,
    parameters.values,
  );
}

/** Walks the indexes that have the order up to the page. */
async function walkedRows(
  { ask }: CollectionTable,
  { from, order: { runs }, parameters: { values } }: StatementPlan,
  paging: Paging,
  extent: Extent,
): Promise<readonly DatabaseRow[]> {
  const rows: DatabaseRow[] = [];
  let skipped = offsetOf(paging);
  for (const run of runs) {
    const { condition = 'true', order } = run;
    const rowsLeft = paging.limit - rows.length;
    const runRows = await ask(
      `SELECT ${JSON_BY_EXTENT[extent]} AS json FROM ${from(condition)} ORDER BY ${order} LIMIT ${rowsLeft} OFFSET ${skipped}`,
      values,
    );
    rows.push(...runRows);
    if (runRows.length === rowsLeft || run === runs.at(-1)) break;
    // The page begins behind all records of this run, or it goes on at the first one of the next.
    const [count] =
      skipped > 0 && runRows.length === 0 ? await ask(`SELECT count(*) FROM ${from(condition)}`, values) : [];
    skipped = Math.max(0, skipped - Number(count?.count ?? skipped));
  }
  return rows;
}

/** Sets an entry of a map that has only the latest ones. */
function rememberIn(latest: Map<string, number>, key: string, total: number): void {
  latest.delete(key);
  latest.set(key, total);
  const oldest = latest.keys().next();
  if (latest.size > MAX_REMEMBERED_TOTALS && !oldest.done) latest.delete(oldest.value);
}

/** No database has more rows than the last page of all may stand behind. */
const offsetOf = ({ page, limit }: Paging): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
