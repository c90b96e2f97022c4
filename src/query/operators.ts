/**
 * The operators of filters, one row each: `price_gte=10` is the field `price` with the operator `_gte`. A row says which fields
 * have the operator, how its value is read, which filter it makes, and the words of a page. Parser, conditions, pages and the
 * OpenAPI document read this table.
 */
import * as v from 'valibot';
import { type CollectionModel, type Field, isNumeric } from '../model.js';
import type { Match } from '../search/search.js';
import { type Moment, parseMoment } from './moment.js';
import { missingParameter, NUMBER_EXPECTED, type Parameter, parameterOfMatch } from './parameters.js';
import type { Interval, ParameterValues, QueryFilter } from './query.js';

/** What an operator compares: identifiers, numbers and dates in an order, or values that are equal or not. */
type Compared = 'ids' | 'ordered' | 'values';

const comparedOf = ({ name, filter }: Field): Compared | undefined =>
  name === 'id' ? 'ids' : filter?.kind === 'range' ? 'ordered' : filter?.kind === 'value' ? 'values' : undefined;

/** One bound of a range. Of a day the `edge` counts: `date_gt` begins behind its end. */
export interface Bound {
  readonly side: 'min' | 'max';
  readonly isExclusive: boolean;
  readonly edge: keyof Moment;
}

interface Operator {
  /** What stands behind the field's name. */
  readonly suffix: '' | '_ne' | '_gte' | '_gt' | '_lte' | '_lt' | '_like';
  readonly compares: readonly Compared[];
  /** The words of a page before the value; `dates` where they differ for dates. */
  readonly says: string;
  readonly saysOfDates?: string;
  /** Completes a description: `lowest price`. */
  readonly describes: (base: string) => string;
  /** The bound that it sets; undefined where it finds or excludes values. */
  readonly bound?: Bound;
}

export const OPERATORS: readonly Operator[] = [
  {
    suffix: '',
    compares: ['ids', 'ordered', 'values'],
    says: '',
    describes: (base) => `\`${base}\` of the records; if given several times, any of them`,
  },
  {
    suffix: '_ne',
    compares: ['ids', 'ordered', 'values'],
    says: 'not',
    describes: (base) => `another \`${base}\` than this, or none; if given several times, than each of them`,
  },
  {
    suffix: '_gte',
    compares: ['ids', 'ordered'],
    says: 'at least',
    saysOfDates: 'from',
    describes: (base) => `lowest \`${base}\``,
    bound: { side: 'min', isExclusive: false, edge: 'start' },
  },
  {
    suffix: '_gt',
    compares: ['ids', 'ordered'],
    says: 'more than',
    saysOfDates: 'after',
    describes: (base) => `\`${base}\` above this`,
    bound: { side: 'min', isExclusive: true, edge: 'end' },
  },
  {
    suffix: '_lte',
    compares: ['ids', 'ordered'],
    says: 'at most',
    saysOfDates: 'to',
    describes: (base) => `highest \`${base}\``,
    bound: { side: 'max', isExclusive: false, edge: 'end' },
  },
  {
    suffix: '_lt',
    compares: ['ids', 'ordered'],
    says: 'less than',
    saysOfDates: 'before',
    describes: (base) => `\`${base}\` below this`,
    bound: { side: 'max', isExclusive: true, edge: 'start' },
  },
  {
    suffix: '_like',
    compares: ['values'],
    says: 'has',
    describes: (base) => `a part of \`${base}\`; case and accents do not matter`,
  },
];

/** A parameter of a filter, with its field and operator. */
export interface FilterParameter {
  readonly field: Field;
  readonly operator: Operator;
  readonly parameter: Parameter;
}

/** The name that operators stand behind: of an address its host, `site`, is compared. */
const baseOf = ({ name, kind, filter }: Field): string =>
  kind === 'url' && filter?.kind === 'value' ? filter.parameter : name;

/** The second name of a parameter, as the specification has it: `minPrice` of `price_gte`, `tag` of `tags`. */
function secondName({ name, filter }: Field, { suffix, bound }: Operator): string | undefined {
  if (filter?.kind === 'range' && suffix === (bound?.side === 'min' ? '_gte' : '_lte'))
    return bound?.side === 'min' ? filter.min : filter.max;
  return filter?.kind === 'value' && suffix === '' && filter.parameter !== name ? filter.parameter : undefined;
}

/** The parameters of a field's filters, a second name behind the first. */
function parametersOfField(field: Field): readonly FilterParameter[] {
  const compared = comparedOf(field);
  if (compared === undefined) return [];
  const base = baseOf(field);
  return OPERATORS.filter(({ compares }) => compares.includes(compared)).flatMap((operator): FilterParameter[] => {
    const name = `${base}${operator.suffix}`;
    const second = secondName(field, operator);
    const names = second === undefined || second === name ? [name] : [name, second];
    return names.map((one) => ({ field, operator, parameter: parameterOf(field, compared, operator, one) }));
  });
}

/** Parameters by model: a collection has the same for every request. */
const parametersByModel = new WeakMap<CollectionModel, readonly FilterParameter[]>();

export function operatorParameters(model: CollectionModel): readonly FilterParameter[] {
  const known = parametersByModel.get(model);
  if (known !== undefined) return known;
  const parameters = model.fields.flatMap(parametersOfField);
  parametersByModel.set(model, parameters);
  return parameters;
}

const DATE_EXPECTED = 'a date such as 2024-01-31, 2024-01 or 2024-01-31T12:00:00Z';
function parameterOf(field: Field, compared: Compared, operator: Operator, name: string): Parameter {
  const { suffix, bound } = operator;
  const isDate = field.kind === 'date';
  const described = operator.describes(baseOf(field));
  const note = isDate ? '; a year, month or day stands for all of its time' : '';
  return {
    name,
    description: `${described}${note}`,
    ...(bound === undefined && suffix !== '_like' && { repeatable: true as const }),
    ...(suffix === '_gte' && { upTo: upperNameOf(field, name) }),
    ...(compared === 'values'
      ? textual(field, suffix)
      : isDate
        ? dated(bound?.edge)
        : compared === 'ids'
          ? ID
          : NUMBER),
  };
}

/** The name of the upper bound that belongs to a lower one: `maxPrice` to `minPrice`, `price_lte` to `price_gte`. */
const upperNameOf = ({ name, filter }: Field, lower: string): string =>
  filter?.kind === 'range' && lower === filter.min ? filter.max : `${name}_lte`;

const NUMBER = {
  expected: NUMBER_EXPECTED,
  schema: v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/), v.transform(Number), v.number(), v.finite()),
};
const ID = {
  expected: 'an integer',
  schema: v.pipe(v.string(), v.regex(/^-?\d+$/), v.transform(Number), v.number(), v.finite()),
};
/** A bound is one edge of its moment; any other date is kept as text, since a day stands for all of its instants. */
const dated = (edge: keyof Moment | undefined): Pick<Parameter, 'expected' | 'schema'> => ({
  expected: DATE_EXPECTED,
  schema:
    edge === undefined
      ? v.pipe(
          v.string(),
          v.check((text) => parseMoment(text) !== null),
        )
      : v.pipe(
          v.string(),
          v.transform((text) => parseMoment(text)?.[edge] ?? Number.NaN),
          v.finite(),
        ),
});

function textual({ kind }: Field, suffix: Operator['suffix']) {
  if (kind === 'boolean' && suffix !== '_like')
    return { expected: 'true or false', schema: v.picklist(['true', 'false']) };
  return { expected: suffix === '_like' ? 'a text' : 'a name', schema: v.pipe(v.string(), v.nonEmpty()) };
}

/** The filters that a request's values make, in the order of the fields; of one field values, excluded ones, a part, and one range. */
export function filtersOf(model: CollectionModel, values: ParameterValues): readonly QueryFilter[] {
  const filters: QueryFilter[] = [];
  const ranges = new Map<string, { min: number; max: number }>();
  for (const { field, operator, parameter } of operatorParameters(model)) {
    const given = values.get(parameter.name);
    if (given === undefined) continue;
    const { suffix, bound } = operator;
    if (bound !== undefined) {
      const range = ranges.get(field.name) ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
      for (const value of given) narrow(range, bound, Number(value));
      ranges.set(field.name, range);
    } else if (suffix === '_like') {
      filters.push({ kind: 'like', field: field.name, part: String(given[0]) });
    } else {
      const found = equalTo(field, given, suffix === '_ne' ? 'any' : matchOf(field, values));
      filters.push(suffix === '_ne' ? { kind: 'not', field: field.name, filter: found } : found);
    }
  }
  for (const [field, range] of ranges) filters.push({ kind: 'range', field, ...range });
  const placeOf = ({ field }: QueryFilter): number => model.fields.findIndex(({ name }) => name === field);
  return filters.sort((a, b) => placeOf(a) - placeOf(b));
}

function narrow(range: { min: number; max: number }, { side, isExclusive }: Bound, value: number) {
  if (side === 'min') range.min = Math.max(range.min, isExclusive ? nextUp(value) : value);
  else range.max = Math.min(range.max, isExclusive ? -nextUp(-value) : value);
}

const matchOf = ({ filter }: Field, values: ParameterValues): Match =>
  filter?.kind === 'value' && filter.match !== undefined && values.get(filter.match)?.[0] === 'all' ? 'all' : 'any';

function equalTo(field: Field, given: readonly (string | number)[], match: Match) {
  const { name } = field;
  return comparedOf(field) === 'values'
    ? ({ kind: 'value', field: name, values: given.map(String), match } as const)
    : ({ kind: 'equals', field: name, intervals: given.map((value) => intervalOf(field, value)) } as const);
}

/** A number alone, or all of the time that a year, month, day or instant stands for. */
function intervalOf({ kind }: Field, value: string | number): Interval {
  if (kind !== 'date') return { min: Number(value), max: Number(value) };
  const { start, end } = parseMoment(String(value)) ?? { start: Number.NaN, end: Number.NaN };
  return { min: start, max: end };
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** The least number above another one. */
export function nextUp(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  double[0] = number;
  bits[0]! += number > 0 ? 1n : -1n;
  return double[0]!;
}

/** Whether a record needs any or all of several values of a list. */
const matchParameters = ({ fields }: CollectionModel): readonly Parameter[] =>
  fields.flatMap(({ filter }) =>
    filter?.kind === 'value' && filter.match !== undefined ? [parameterOfMatch(filter.match, filter.parameter)] : [],
  );

/** The filters that a collection's fields offer, in the model's order. */
export const filterParameters = (model: CollectionModel): readonly Parameter[] => [
  ...operatorParameters(model).map(({ parameter }) => parameter),
  ...matchParameters(model),
  missingParameter(model),
];

/** The kind of filter that a parameter makes. */
export function madeBy({ field, operator: { suffix, bound } }: FilterParameter): QueryFilter['kind'] {
  if (bound !== undefined) return 'range';
  if (suffix === '_ne') return 'not';
  if (suffix === '_like') return 'like';
  return comparedOf(field) === 'values' ? 'value' : 'equals';
}

/** The words of a page before a value: `price at least`, `author not`. */
export const wordsOfOperator = ({ kind }: Field, { says, saysOfDates }: Operator): string =>
  kind === 'date' ? (saysOfDates ?? says) : says;

/** Whether numbers are what a parameter takes, which forms may send as `.5` or `1e3`. */
export const takesNumber = ({ field, operator }: FilterParameter): boolean =>
  isNumeric(field.kind) && operator.suffix !== '_like';
