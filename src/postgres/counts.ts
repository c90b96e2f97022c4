/** The values of a field, counted over a query's records. */
import type { Field } from '../model.js';
import type { ValueCount } from '../query/counter.js';
import type { Query } from '../query/query.js';
import { columnOfField, hasSeveralValues, hasSite } from './columns.js';
import { foldedKey, storedText } from './copy-text.js';
import { type CollectionTable, planOf } from './plan.js';
import { isEqual } from './statement.js';

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
