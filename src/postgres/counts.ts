/** Counts of a query's records: by their values, statistics of their numbers, and these by the values of a field. */
import { isOrdered } from '../field-kinds.js';
import { type Field, ID_FIELD } from '../model.js';
import type { ValueCount } from '../query/counter.js';
import type { GroupedStats, GroupNumbers } from '../query/groups.js';
import type { Query } from '../query/query.js';
import { type FieldStats, histogramEdges, type Stats } from '../query/stats.js';
import { columnOfField, hasSeveralValues, hasSite } from './columns.js';
import { foldedKey, storedText } from './copy-text.js';
import { type CollectionTable, planOf, type StatementPlan } from './plan.js';
import { isEqual, Parameters } from './statement.js';

/**
 * The values of a field and how many records have each, the commonest first, then by their keys in the order of bytes. Other servers group
 * by the default collation only, so keys get their order of bytes behind that.
 */
export async function countedValues(
  table: CollectionTable,
  field: Field,
  query: Query,
  { beginning, limit }: { readonly beginning: string; readonly limit: number },
): Promise<readonly ValueCount[]> {
  const { key, joined } = groupedValues(field);
  const { from, parameters } = await planOf(table, query, joined);
  const begins = `starts_with(${key}, ${parameters.add(foldedKey(beginning), 'text')})`;
  const rows = await table.ask(
    `SELECT ${spellingOf(table, field, 'top.key')} AS name, count FROM (
       SELECT ${key} COLLATE "default" AS key, count(*) AS count FROM ${from(`${key} IS NOT NULL`, begins)}
       GROUP BY ${key} ORDER BY 2 DESC, ${key}${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}) AS top
     ORDER BY count DESC, key COLLATE "C"`,
    parameters.values,
  );
  return rows.map(({ name, count }) => ({ name: storedText(String(name)), count: Number(count) }));
}

export async function numberStats(table: CollectionTable, query: Query): Promise<Stats> {
  const fields = table.model.fields.filter((field, i) => i !== ID_FIELD && isOrdered(field));
  const plan = await planOf(table, query);
  const sums = fields.map((field, i) => `json_build_object(${numbersOf(field)}) AS "${i}"`);
  const columns = ['count(*) AS count', ...sums].join(', ');
  const [row] = await table.ask(`SELECT ${columns} FROM ${plan.from()}`, plan.parameters.values);
  const entries = fields.map(async (field, i): Promise<readonly [string, FieldStats]> => {
    const numbers = row?.[i] as Omit<FieldStats, 'histogram'>;
    return [field.name, { ...numbers, histogram: await histogramIn(table, plan, field, numbers) }];
  });
  return { count: Number(row?.count), fields: new Map(await Promise.all(entries)) };
}

async function histogramIn(
  { ask }: CollectionTable,
  plan: StatementPlan,
  field: Field,
  { count, min, max }: Omit<FieldStats, 'histogram'>,
): Promise<FieldStats['histogram']> {
  if (min === null || max === null) return [];
  const edges = histogramEdges(min, max, field.kind);
  if (edges.length === 2) return [{ from: min, to: max, count }];
  const parameters = new Parameters(plan.parameters.values);
  const bin = `width_bucket(${countNumber(field)}, ${parameters.add(edges.map(String), 'float8[]')})`;
  // The greatest value is in the last bin.
  const bins = await ask(
    `SELECT least(greatest(${bin}, 1), ${edges.length - 1}) AS bin, count(*) AS count
     FROM ${plan.from(`${columnOfField(field)} IS NOT NULL`)} GROUP BY 1`,
    parameters.values,
  );
  const counts = new Map(bins.map((each) => [Number(each.bin), Number(each.count)]));
  return edges.slice(1).map((to, at) => ({ from: edges[at] ?? min, to, count: counts.get(at + 1) ?? 0 }));
}

export async function statsByValue(
  table: CollectionTable,
  query: Query,
  by: Field,
  names: readonly string[] | null,
  limit: number,
): Promise<GroupedStats> {
  const isWanted = (field: Field, i: number): boolean => names?.includes(field.name) ?? i !== ID_FIELD;
  const fields = table.model.fields.filter((field, i) => isOrdered(field) && isWanted(field, i));
  const { key, joined } = groupedValues(by);
  const plan = await planOf(table, query, joined);
  const columns = [
    `coalesce('=' || ${key}, '') COLLATE "C" AS key`,
    ...fields.map((field, i) => `${columnOfField(field)} AS "f${i}"`),
  ];
  const sums = fields.map((field, i) => {
    const median = `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${countNumber(field, `"f${i}"`)})`;
    return `json_build_object(${numbersOf(field, `"f${i}"`)}, 'median', ${median}) AS "${i}"`;
  });
  const rows = await table.ask(
    `WITH found AS MATERIALIZED (SELECT ${columns.join(', ')} FROM ${plan.from()}),
       top AS (SELECT key, count(*) AS count, count(*) OVER () AS total FROM found GROUP BY key
         ORDER BY count DESC, key = '', key LIMIT ${limit})
     SELECT *, CASE WHEN key <> '' THEN ${spellingOf(table, by, 'top.value')} END AS name FROM (
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

/** The values of a field that are counted: their keys, how they are written, and what the table is joined with. */
function groupedValues(field: Field): { readonly key: string; readonly raw: string; readonly joined: string } {
  const folded = columnOfField(field, ':folded');
  if (hasSeveralValues(field))
    return {
      key: 'value.key',
      raw: 'value.raw',
      joined: ` LEFT JOIN unnest(${columnOfField(field)}, ${folded}) AS value (raw, key) ON true`,
    };
  const key = hasSite(field) ? columnOfField(field, ':site') : folded;
  return { key, raw: hasSite(field) || field.kind === 'boolean' ? key : columnOfField(field), joined: '' };
}

/**
 * An expression: how the first record with a value spells it. `key` is a column of the value's key in the default collation, the only one
 * in which other servers compare it.
 */
function spellingOf({ name }: CollectionTable, field: Field, key: string): string {
  const { key: column, raw, joined } = groupedValues(field);
  if (raw === column) return key;
  const indexed = hasSeveralValues(field) ? `${columnOfField(field, ':folded')} @> ARRAY[${key}] AND ` : '';
  return `(SELECT ${raw} FROM ${name}${joined} WHERE ${indexed}${isEqual(column, key)} ORDER BY ":row" LIMIT 1)`;
}

/** A field's number, of a date its milliseconds since 1970. */
const countNumber = (field: Field, column = columnOfField(field)): string =>
  field.kind === 'date' ? `(extract(epoch FROM ${column}) * 1000)::float8` : `${column}::float8`;

/** Count, range and mean of a field's numbers, as members of a JSON object. */
function numbersOf(field: Field, column = columnOfField(field)): string {
  const number = countNumber(field, column);
  return `'count', count(${column}), 'min', min(${number}), 'max', max(${number}), 'mean', avg(${number})`;
}
