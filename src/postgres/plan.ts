/** A query of a collection → the parts of its statements: the table, the conditions on its rows, and their order. */
import type { Language } from '../languages.js';
import type { CollectionModel } from '../model.js';
import type { Query } from '../query/query.js';
import { searchFields } from '../store/documents.js';
import type { Extent } from '../store/record-text.js';
import { storable } from './copy-text.js';
import type { DatabaseReader } from './reader.js';
import { BY_ROW, filterCondition, orderOf, Parameters, type RecordOrder, unindexedOrder } from './statement.js';
import { textQuery } from './text-query.js';
import { LABELS, weightLabel } from './words.js';

export interface StoredCollection {
  readonly model: CollectionModel;
  readonly language: Language;
  readonly size: number;
  /** The bytes of a record's JSON on average. */
  readonly meanBytes: number;
  /** Whether rows count up without a gap: then any page of the whole list is found by its first row. */
  readonly isGapless: boolean;
}

/** A collection and the table that holds it. */
export interface CollectionTable extends StoredCollection, DatabaseReader {
  /** As SQL names it. */
  readonly name: string;
  /** How many servers the rows are spread over; 0 where they all stand in the first. */
  readonly partitions: number;
}

export interface StatementPlan {
  /** The table, narrowed by the query and by further conditions. */
  readonly from: (...conditions: readonly string[]) => string;
  /** Whether the query finds every record. */
  readonly isWhole: boolean;
  readonly order: RecordOrder;
  readonly parameters: Parameters;
}

/** `joined` stands behind the table: what its rows are joined with. */
export async function planOf(table: CollectionTable, query: Query, joined = ''): Promise<StatementPlan> {
  const { model, name } = table;
  const parameters = new Parameters();
  const conditions = query.filters.map((filter) => filterCondition(model, filter, parameters));
  const { text, sort, descending, thenBy } = query;
  let order = orderOf(model, sort === null ? [] : [{ field: sort, descending }, ...thenBy]);
  if (text !== null) {
    const tsquery = await tsqueryOf(table, text, query);
    const place = tsquery === null ? null : parameters.add(storable(tsquery), 'tsquery');
    conditions.push(place === null ? 'false' : `":words" @@ ${place}`);
    if (sort === null && place !== null) {
      const rank = `ts_rank(${fieldWeights(model)}, ":words", ${place}, 1)`;
      order = unindexedOrder([{ expression: rank, direction: 'DESC' }, BY_ROW]);
    }
  }
  return {
    from(...more) {
      const all = [...conditions, ...more];
      return `${name}${joined}${all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`}`;
    },
    isWhole: conditions.length === 0,
    order,
    parameters,
  };
}

/** The text's `tsquery`; null where no record can match. */
function tsqueryOf(
  { model, language, name, ask }: CollectionTable,
  text: string,
  { textOptions }: Query,
): Promise<string | null> {
  return textQuery(model, language, text, textOptions, async (queries) => {
    const parameters = new Parameters();
    const columns = queries.map((query, i) => {
      const place = parameters.add(storable(query), 'tsquery');
      return `EXISTS (SELECT FROM ${name} WHERE ":words" @@ ${place}) AS "${i}"`;
    });
    const [row] = await ask(`SELECT ${columns.join(', ')}`, parameters.values);
    return queries.map((_, i) => row?.[i] === true);
  });
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

/** Expressions of a record's JSON. Its parts are objects: `{"id":7}` and `{"content":"A tea."}`. */
const jsonWith = (json: string, part: string): string =>
  `CASE WHEN ${part} IS NULL THEN ${json} ELSE left(${json}, -1) || ',' || substr(${part}, 2) END`;
const DEFAULT_JSON = jsonWith('":item"', '":rest"');
export const JSON_BY_EXTENT: Readonly<Record<Extent, string>> = {
  item: '":item"',
  default: DEFAULT_JSON,
  whole: jsonWith(`(${DEFAULT_JSON})`, '":more"'),
};
