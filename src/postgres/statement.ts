/** Filters and orders as SQL. Values are parameters, and names are quoted; nothing of a request stands in a statement itself. */
import { isLongText, isOrdered } from '../field-kinds.js';
import type { CollectionModel, Field } from '../model.js';
import { boundsOf, type Finds, fieldNamed, intervalOf, operatorIn } from '../query/operators.js';
import { type Interval, MISSING, type QueryFilter, type SortKey } from '../query/query.js';
import { wordParts } from '../search/rank/word-parts.js';
import { searchFields } from '../store/documents.js';
import { valuesOfText } from '../store/value-index.js';
import { fold } from '../text.js';
import { columnOfField, digestOf, hasSeveralValues, momentText, sortKeyOf, textKey } from './columns.js';
import { foldedKey, storable } from './copy-text.js';
import { fieldLexeme, sharesLabel, weightLabel } from './words.js';

/** A parameter of a statement: an array is one of texts. */
export type ParameterValue = string | number | readonly string[];

/** Collects the parameters of one statement, behind those that it has already. */
export class Parameters {
  readonly values: ParameterValue[];
  constructor(values: readonly ParameterValue[] = []) {
    this.values = [...values];
  }
  /** The place of a value in the statement. */
  add(value: ParameterValue, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** Whether a record meets a filter. */
export function filterCondition(model: CollectionModel, filter: QueryFilter, parameters: Parameters): string {
  const field = fieldNamed(model, filter.field);
  const operator = operatorIn(filter);
  if (filter.operator === MISSING || operator === undefined)
    return `${columnOfField(field, isLongText(field) ? ':folded' : '')} IS NULL`;
  const condition = foundCondition(model, field, operator.finds, filter, parameters);
  return operator.isNegated ? `${condition} IS NOT TRUE` : condition;
}

function foundCondition(
  model: CollectionModel,
  field: Field,
  finds: Finds,
  { values, match }: QueryFilter,
  parameters: Parameters,
): string {
  const word = match === 'all' ? 'AND' : 'OR';
  const joined = (some: readonly string[], ofValue: (value: string) => string): string =>
    joinedSql(some.map(ofValue), word);
  switch (finds.by) {
    case 'interval':
      return withinInterval(field, boundsOf(field, finds.of, values), parameters);
    case 'values':
      return joined(values, (value) => valueCondition(field, value, parameters));
    case 'site':
      return joined(values, (site) => siteCondition(field, site, parameters));
    case 'part':
      return joined(values, (part) =>
        isLongText(field) ? wordPartsCondition(model, field, part, parameters) : partCondition(field, part, parameters),
      );
  }
}

const joinedSql = (conditions: readonly string[], word: 'AND' | 'OR'): string => `(${conditions.join(` ${word} `)})`;

/** `=` as another server can do it: of a plain one the planner gives both sides the collation "C", and then sends no such condition. */
export const isEqual = (text: string, key: string): string => `${text} = ANY (ARRAY[${key}])`;

const siteCondition = (field: Field, site: string, parameters: Parameters): string =>
  isEqual(columnOfField(field, ':site'), parameters.add(foldedKey(site), 'text'));

/** Whether a record has a value. */
export function valueCondition(field: Field, value: string, parameters: Parameters): string {
  if (isOrdered(field)) return withinInterval(field, intervalOf(field, value), parameters);
  const column = columnOfField(field, ':folded');
  if (!hasSeveralValues(field))
    return isEqual(column, parameters.add(isLongText(field) ? digestOf(fold(value)) : textKey(value), 'text'));
  const parts = valuesOfText(value, field.splitBy ?? null).map(textKey);
  return parts.length === 0 ? 'false' : `${column} @> ${parameters.add(parts, 'text[]')}`;
}

/** No integer of a dump is beyond these, which have exact doubles. */
const MAX_INTEGER = 2 ** 62;

function withinInterval(field: Field, { min, max }: Interval, parameters: Parameters): string {
  const [least, most] = field.kind === 'number' ? [min, max] : [Math.ceil(min), Math.floor(max)];
  if (Number.isNaN(least) || Number.isNaN(most)) return 'false';
  const place = (bound: number): string => {
    if (field.kind === 'date') return parameters.add(momentText(bound), 'timestamptz');
    if (field.kind === 'number') return parameters.add(String(bound), 'float8');
    return parameters.add(String(BigInt(Math.min(Math.max(bound, -MAX_INTEGER), MAX_INTEGER))), 'bigint');
  };
  return `${columnOfField(field)} BETWEEN ${place(least)} AND ${place(most)}`;
}

/** Whether a text has a part. */
function partCondition(field: Field, part: string, parameters: Parameters): string {
  const column = columnOfField(field, ':folded');
  const literal = foldedKey(part).replace(/[\\%_]/g, '\\$&');
  const isLike = `LIKE ${parameters.add(`%${literal}%`, 'text')}`;
  return hasSeveralValues(field)
    ? `EXISTS (SELECT FROM unnest(${column}) AS value WHERE value ${isLike})`
    : `coalesce(${columnOfField(field, ':long')}, ${column}) ${isLike}`;
}

/**
 * Whether each part of a text is a part of a word in the field, in the form that stands there or in its stem. A lexeme's weight
 * (A to D) tells its field: `tea` with A. From the fourth on all share D, and their lexemes begin with the field's number: `4:tea`.
 */
function wordPartsCondition(model: CollectionModel, { name }: Field, text: string, parameters: Parameters): string {
  const fields = searchFields(model);
  const field = fields.findIndex((each) => each.name === name);
  const sharesWeight = sharesLabel(field, fields.length);
  const start = sharesWeight ? fieldLexeme(field, '') : '';
  const conditions = wordParts(text).map((part) => {
    const word = `substr(lexeme, ${start.length + 1})`;
    const isOfField = sharesWeight
      ? `starts_with(lexeme, ${parameters.add(start, 'text')})`
      : `${parameters.add(weightLabel(field), 'text')} = ANY (weights) AND lexeme !~ '^[0-9]+:'`;
    return `EXISTS (SELECT FROM unnest(":words") WHERE ${isOfField} AND position(${parameters.add(storable(part), 'text')} IN ${word}) > 0)`;
  });
  return conditions.length === 0 ? 'false' : joinedSql(conditions, 'AND');
}

/** An expression by which records are sorted, and its direction. */
interface OrderPart {
  readonly expression: string;
  readonly direction: string;
}
export const BY_ROW: OrderPart = { expression: '":row"', direction: '' };

/** An order of records, as a list of expressions, and in parts that indexes have. */
export interface RecordOrder {
  readonly parts: readonly OrderPart[];
  readonly runs: readonly OrderRun[];
}

/** A part of an order that one index has. Together the runs of an order have all records. */
interface OrderRun {
  /** Undefined where it has all records. */
  readonly condition?: string;
  readonly order: string;
  /** The sort key as text; undefined where records are in row order. */
  readonly key?: string;
  /** The condition of the records behind a page; undefined where no index finds them. */
  readonly behind?: (end: PageEnd, parameters: Parameters) => string;
}

/** Where a page ended: the row and the sort key of its last record; the key is null where that has none. */
export interface PageEnd {
  readonly row: number;
  readonly key: string | null;
}

/** An order behind ORDER BY. */
export const orderText = (parts: readonly OrderPart[]): string =>
  parts.map(({ expression, direction }) => `${expression} ${direction}`).join(', ');

/** An order that no index has. */
export const unindexedOrder = (parts: readonly OrderPart[]): RecordOrder => ({
  parts,
  runs: [{ order: orderText(parts) }],
});

const IN_ROW_ORDER: OrderRun = { order: '":row"', behind: ({ row }) => `":row" > ${row}` };

/**
 * The order of some sort keys: records without a value are last in both directions. Equal ones stand in the order of the dump, or
 * backwards where the only key descends.
 */
export function orderOf(model: CollectionModel, keys: readonly SortKey[]): RecordOrder {
  const [only, ...others] = keys;
  if (only === undefined) return { parts: [BY_ROW], runs: [IN_ROW_ORDER] };
  const keyParts = keys.map(({ field, descending }) => ({
    ...sortKeyOf(fieldNamed(model, field)),
    direction: `${descending ? 'DESC' : ''} NULLS LAST`,
  }));
  if (others.length > 0) return unindexedOrder([...keyParts, BY_ROW]);
  const { expression, type } = sortKeyOf(fieldNamed(model, only.field));
  const [sign, direction] = only.descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const backwards = `CASE WHEN ${expression} IS NULL THEN ":row" ELSE -":row" END`;
  const valued: OrderRun = {
    condition: `${expression} IS NOT NULL`,
    order: `${expression} ${direction}, ":row" ${direction}`,
    key: `(${expression})::text`,
    behind({ row, key }, parameters) {
      const place = parameters.add(key ?? '', type);
      return `${expression} ${sign}= ${place} AND (${expression} ${sign} ${place} OR ":row" ${sign} ${row})`;
    },
  };
  return {
    parts: [...keyParts, only.descending ? { expression: backwards, direction: '' } : BY_ROW],
    runs: [valued, { ...IN_ROW_ORDER, condition: `${expression} IS NULL` }],
  };
}
