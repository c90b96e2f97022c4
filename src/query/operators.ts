/**
 * The operators by which every field narrows records: `NAME`, `NAME_ne`, `NAME_gte` and so on. A row says all of its operator: which
 * fields take it, how its values are read, which values it finds, its sentence in the API's documents, its words on pages, its names in
 * other APIs. Parser, conditions, OpenAPI, pages and PostgreSQL read these rows; a further operator is a further row, and its suffix in
 * `OPERATOR_SUFFIXES`.
 */
import * as v from 'valibot';
import { hasTextValues, isLongText, isOrdered } from '../field-kinds.js';
import { type CollectionModel, type Field, isList, isNumeric } from '../model.js';
import type { OPERATOR_SUFFIXES } from '../names.js';
import type { Match } from '../search/search.js';
import { siteOf } from '../store/sites.js';
import { listed, longestWord } from '../text.js';
import { parseMoment } from './moment.js';
import { decimalNumber, missingParameter, NUMBER_EXPECTED, type Parameter, parameterOfMatch } from './parameters.js';
import { filterOf, type Interval, MISSING, type ParameterValues, type QueryFilter } from './query.js';

/** How the text of a value is read: the schema, and what completes "must be …" in a message. */
interface ValueReader {
  readonly expected: string;
  readonly schema: v.GenericSchema<string, string | number>;
  readonly readsClock?: true;
}

/**
 * The values that an operator lets pass, in a form that each engine reads (`filter-rows.ts`, `postgres/statement.ts`). Of several values of
 * its parameter any is enough; only intervals must all hold.
 */
export type Finds =
  /** The numbers of an interval, made of what the value stands for (`intervalOf`): a number, or all the time of a date. */
  | { readonly by: 'interval'; readonly of: (value: Interval) => Interval }
  /** Equal values. Case and accents do not matter, nor in the forms below. */
  | { readonly by: 'values' }
  /** The addresses of a host. */
  | { readonly by: 'site' }
  /** The texts with the value as a part; of long ones, which no index has whole, a word must have it. */
  | { readonly by: 'part' };

interface Operator {
  /** The ending of the parameter's name, behind the field's. */
  readonly suffix: '' | (typeof OPERATOR_SUFFIXES)[number] | '_site';
  /** Its names and signs in other APIs, in lower case: errors name the operator in their place. */
  readonly elsewhere: string;
  readonly takes: (field: Field) => boolean;
  readonly isRepeatable: boolean;
  readonly reader: (field: Field) => ValueReader;
  /** The description of its parameter. */
  readonly description: (field: Field) => string;
  /** The words between a field's name and a value on pages: `at least` of `price at least 5`. */
  readonly says: (field: Field) => string;
  /** A value of the parameter that finds a record with this value; null where the record's value tells none. */
  readonly example: (value: string) => string | null;
  /** Whether the counts of a field's values leave out its own condition, to show what another value would find. */
  readonly isChoice: boolean;
  readonly finds: Finds;
  /** It finds the records that `finds` does not, those without a value too. */
  readonly isNegated?: true;
}

const NUMBER_READER: ValueReader = {
  expected: NUMBER_EXPECTED,
  schema: decimalNumber,
};
const DATE_READER: ValueReader = {
  expected: 'a date such as 2024-01-31, 2024-01 or 2024-01-31T12:00:00Z',
  schema: v.pipe(
    v.string(),
    v.check((text) => parseMoment(text) !== null),
  ),
};
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The time up to now, from the beginning of a minute to the end of this one, so that an answer stays the same for a minute: `2d` at noon of
 * the 9th is `2026-11-07T12:00:00Z/2026-11-09T12:00:00Z`.
 */
function timeUpToNow(span: string): string {
  const minutes = Date.now() / MINUTE_MS;
  const hours = Number.parseInt(span, 10) * (span.endsWith('w') ? 7 * 24 : span.endsWith('d') ? 24 : 1);
  const start = Math.floor(minutes) * MINUTE_MS - hours * HOUR_MS;
  return `${new Date(start).toISOString()}/${new Date(Math.ceil(minutes) * MINUTE_MS).toISOString()}`;
}

const SPAN_READER: ValueReader = {
  expected: '1 to 99999 hours, days or weeks, such as 12h, 7d or 2w',
  schema: v.pipe(v.string(), v.regex(/^[1-9]\d{0,4}[hdw]$/), v.transform(timeUpToNow)),
  readsClock: true,
};
const BOOLEAN_READER: ValueReader = { expected: 'true or false', schema: v.picklist(['true', 'false']) };
const NAME_READER: ValueReader = { expected: 'a name', schema: v.pipe(v.string(), v.nonEmpty()) };
/** `example.com` of `www.example.com/` and `https://example.com/a`. */
const HOST_READER: ValueReader = {
  expected: 'a name',
  schema: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.transform((text) => siteOf(text) ?? siteOf(`https://${text}`) ?? text),
  ),
};
const PART_READER: ValueReader = { expected: 'a text', schema: v.pipe(v.string(), v.nonEmpty()) };

function sizeReader({ name, kind, anyValue }: Field): ValueReader {
  if (kind === 'date') return DATE_READER;
  if (!anyValue) return NUMBER_READER;
  const otherValues = `texts are found by q=${name}:WORD, switches and dates by no filter`;
  return { ...NUMBER_READER, expected: `${NUMBER_EXPECTED} (${otherValues})` };
}
function valueReader(field: Field): ValueReader {
  if (isOrdered(field)) return sizeReader(field);
  if (field.kind === 'boolean') return BOOLEAN_READER;
  const { oneOf } = field;
  if (oneOf === undefined) return NAME_READER;
  return { expected: `one of ${listed(oneOf)}`, schema: v.pipe(v.string(), v.toLowerCase(), v.picklist(oneOf)) };
}

/** The next larger number that a double can be, or with `sign` -1 the next smaller one. */
function nextNumber(number: number, sign: 1 | -1): number {
  if (!Number.isFinite(number)) return number;
  if (number === 0) return sign * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(number > 0 ? sign : -sign));
  return view.getFloat64(0);
}

/** The words of an operator of sizes, for one kind of field: the beginning of its description, and what stands before a value on pages. */
type SizeWords = readonly [describes: string, says: string];

const sizeOperator = (
  suffix: Operator['suffix'],
  elsewhere: string,
  [ofNumber, ofDate]: readonly [ofNumber: SizeWords, ofDate: SizeWords],
  interval: (value: Interval) => Interval,
): Operator => ({
  suffix,
  elsewhere,
  takes: isOrdered,
  isRepeatable: false,
  isChoice: true,
  reader: sizeReader,
  description: ({ name, kind }) =>
    kind === 'date'
      ? `${ofDate[0]} \`${name}\`; a year, month or day stands for all of its time`
      : `${ofNumber[0]} \`${name}\``,
  says: ({ kind }) => (kind === 'date' ? ofDate : ofNumber)[1],
  // A bound that leaves itself out does not find the record that it is of.
  example: (value) => (suffix === '_gt' || suffix === '_lt' ? null : value),
  finds: { by: 'interval', of: interval },
});

const [LEAST, GREATEST] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const has: Operator = {
  suffix: '',
  elsewhere: '= == : eq eqi ieq exact iexact equal equals in is date year cs cd ov',
  takes: ({ kind }) => kind !== 'json',
  isRepeatable: true,
  isChoice: true,
  reader: valueReader,
  description({ name, kind, filter }) {
    if (kind === 'date')
      return `${name} of the records: a year, month, day or instant; if given several times, any of them`;
    if (isNumeric(kind) || kind === 'boolean') return `${name} of the records; if given several times, any of them`;
    const match = filter?.kind === 'value' ? filter.match : undefined;
    const all = match === undefined ? '' : `, or all of them with \`${match}=all\``;
    return `exact ${kind === 'url' ? `address in \`${name}\`` : name}; case and accents do not matter; if given several times, any of them${all}`;
  },
  says: () => '',
  example: (value) => value,
  finds: { by: 'values' },
};

const lacks: Operator = {
  ...has,
  suffix: '_ne',
  elsewhere: '! != <> ne neq nei not isdistinct noteq notequal notequals nin notin isnot exclude excluding',
  isChoice: false,
  description: ({ name }) =>
    `not this \`${name}\`: all records that \`${name}\` with this value does not find, those without a value too; if given several times, none of them`,
  says: () => 'is not',
  example: () => null,
  isNegated: true,
};

/** It narrows as bounds do, by the time that its reader makes of the value. */
const inLast: Operator = {
  suffix: '_in_last',
  elsewhere: 'inlast last within past',
  takes: ({ kind }) => kind === 'date',
  isRepeatable: false,
  isChoice: true,
  reader: () => SPAN_READER,
  description: ({ name }) => `\`${name}\` within these last hours, days or weeks, by the clock of the server`,
  says: () => 'in the last',
  // Ten years, which have the dates of most dumps: an example must not depend on the day on which it is shown.
  example: () => '520w',
  finds: { by: 'interval', of: (time) => time },
};

const like: Operator = {
  suffix: '_like',
  elsewhere:
    'like ilike contains containsi icontains containsnocase cont icont includes match matches imatch regex iregex glob search fts plfts phfts wfts startswith startswithi istartswith startswithnocase start endswith endswithi iendswith endswithnocase end',
  takes: (field) => isLongText(field) || (hasTextValues(field) && field.kind !== 'boolean'),
  isRepeatable: false,
  isChoice: false,
  reader: () => PART_READER,
  description: (field) =>
    isLongText(field)
      ? `part of a word of \`${field.name}\`, in any form of the word, at most of the 1,000 words that most records have; case and accents do not matter`
      : `part of ${isList(field.kind) ? 'a value of ' : ''}\`${field.name}\`; case and accents do not matter`,
  says: () => 'has',
  example: (value) => longestWord(value)?.slice(0, 3) ?? null,
  finds: { by: 'part' },
};

/** The host of an address: `site=example.com`. */
const site: Operator = {
  suffix: '_site',
  elsewhere: '',
  takes: ({ kind, filter }) => kind === 'url' && filter !== undefined,
  isRepeatable: true,
  isChoice: true,
  reader: () => HOST_READER,
  description: () => 'host of the address, such as example.com; if given several times, any of them',
  says: () => '',
  example: siteOf,
  finds: { by: 'site' },
};

export const operators: readonly Operator[] = [
  has,
  lacks,
  sizeOperator(
    '_gte',
    '>= gte gteq ge greaterorequal greaterthanorequal min from since',
    [
      ['lowest', 'at least'],
      ['earliest', 'from'],
    ],
    ({ min }) => ({ min, max: GREATEST }),
  ),
  sizeOperator(
    '_gt',
    '> gt greaterthan after',
    [
      ['greater than this', 'more than'],
      ['later than this', 'after'],
    ],
    ({ max }) => ({ min: nextNumber(max, 1), max: GREATEST }),
  ),
  sizeOperator(
    '_lte',
    '<= lte lteq le lessorequal lessthanorequal max to until',
    [
      ['highest', 'at most'],
      ['latest', 'to'],
    ],
    ({ max }) => ({ min: LEAST, max }),
  ),
  sizeOperator(
    '_lt',
    '< lt lessthan before',
    [
      ['less than this', 'less than'],
      ['earlier than this', 'before'],
    ],
    ({ min }) => ({ min: LEAST, max: nextNumber(min, -1) }),
  ),
  inLast,
  like,
  site,
];

/** A parameter of a filter, with its field and operator. */
export interface FilterParameter {
  readonly field: Field;
  readonly operator: Operator;
  readonly parameter: Parameter;
}

/** The name of an operator's parameter. The host of an address has a name of its own, `site`. */
const parameterName = ({ name, filter }: Field, { suffix }: Operator): string =>
  suffix === site.suffix && filter?.kind === 'value' ? filter.parameter : `${name}${suffix}`;

/** The second name of a parameter: `minPrice` of `price_gte`, `from` of `date_gte`, `tag` of `tags`. */
function secondNameOf({ kind, filter }: Field, { suffix }: Operator): string | undefined {
  if (filter?.kind === 'range' && suffix === '_gte') return filter.min;
  if (filter?.kind === 'range') return suffix === '_lte' ? filter.max : undefined;
  return filter?.kind === 'value' && kind !== 'url' && suffix === '' ? filter.parameter : undefined;
}

/** The names of an operator's parameter, the first one first. */
function parameterNames(field: Field, operator: Operator): readonly [first: string, ...second: string[]] {
  const [first, second] = [parameterName(field, operator), secondNameOf(field, operator)];
  return second === undefined || second === first ? [first] : [first, second];
}

const operatorsOf = (field: Field): readonly Operator[] => operators.filter(({ takes }) => takes(field));

/** The second names by the first ones: `minPrice` by `price_gte`. */
export const secondNames = ({ fields }: CollectionModel): ReadonlyMap<string, string> =>
  new Map(
    fields.flatMap((field) =>
      operatorsOf(field).flatMap((operator) => {
        const [first, second] = parameterNames(field, operator);
        return second === undefined ? [] : [[first, second] as const];
      }),
    ),
  );

/** The parameters that narrow a field to an interval, under all of their names. */
export const intervalParameters = (field: Field): readonly string[] =>
  operatorsOf(field).flatMap((operator) => (boundOf(operator) === null ? [] : parameterNames(field, operator)));

/** The parameters of a field's operators, a second name behind the first. */
const parametersOfField = (field: Field): readonly FilterParameter[] =>
  operatorsOf(field).flatMap((operator) => {
    const names = parameterNames(field, operator);
    return names.map(
      (name): FilterParameter => ({
        field,
        operator,
        parameter: {
          name,
          description: operator.description(field),
          ...operator.reader(field),
          ...(operator.isRepeatable && { repeatable: true as const }),
          ...(operator.suffix === '_gte' && { upTo: name === names[0] ? `${field.name}_lte` : upperNameOf(field) }),
        },
      }),
    );
  });

const upperNameOf = ({ name, filter }: Field): string => (filter?.kind === 'range' ? filter.max : `${name}_lte`);

/** The filters of a collection by their names, in the model's order. */
interface NamedFilters {
  readonly ofOperators: ReadonlyMap<string, FilterParameter>;
  readonly all: ReadonlyMap<string, Parameter>;
}

const filtersByModel = new WeakMap<CollectionModel, NamedFilters>();

/** They are the same for every request. */
function namedFilters(model: CollectionModel): NamedFilters {
  const existing = filtersByModel.get(model);
  if (existing !== undefined) return existing;
  const ofOperators = new Map(model.fields.flatMap(parametersOfField).map((each) => [each.parameter.name, each]));
  const parameters = [
    ...Array.from(ofOperators.values(), ({ parameter }) => parameter),
    ...model.fields.flatMap(({ filter }) =>
      filter?.kind === 'value' && filter.match !== undefined ? [parameterOfMatch(filter.match, filter.parameter)] : [],
    ),
    missingParameter(model),
  ];
  const named = { ofOperators, all: new Map(parameters.map((parameter) => [parameter.name, parameter])) };
  filtersByModel.set(model, named);
  return named;
}

export const operatorParameters = (model: CollectionModel): readonly FilterParameter[] => [
  ...namedFilters(model).ofOperators.values(),
];

/** The parameters of operators that a request has, in the model's order. A collection has hundreds, and a request few of them. */
export function operatorParametersIn(model: CollectionModel, values: ParameterValues): readonly FilterParameter[] {
  const byName = namedFilters(model).ofOperators;
  const requestParameters: FilterParameter[] = [];
  for (const name of values.keys()) {
    const parameter = byName.get(name);
    if (parameter !== undefined) requestParameters.push(parameter);
  }
  if (requestParameters.length < 2) return requestParameters;
  return operatorParameters(model).filter((each) => requestParameters.includes(each));
}

/** The filters that a collection's fields offer, in the model's order. */
export const filterParameters = (model: CollectionModel): readonly Parameter[] => [...namedFilters(model).all.values()];

export const filterParametersByName = (model: CollectionModel): ReadonlyMap<string, Parameter> =>
  namedFilters(model).all;

/**
 * The filters that a request's values make, in the order of the fields: one for each field and operator, with the values of both of
 * its parameters (`price_gte`, `minPrice`).
 */
export function filtersOf(model: CollectionModel, values: ParameterValues): readonly QueryFilter[] {
  const filters = new Map<string, QueryFilter>();
  for (const { field, operator, parameter } of operatorParametersIn(model, values)) {
    const requestValues = values.get(parameter.name) ?? [];
    const key = `${field.name} ${operator.suffix}`;
    const earlier = filters.get(key)?.values ?? [];
    const match = operator.suffix === '' ? matchOf(field, values) : 'any';
    filters.set(key, {
      field: field.name,
      operator: operator.suffix,
      values: [...earlier, ...requestValues.map(String)],
      match,
    });
  }
  const missing = new Set(values.get(MISSING) ?? []);
  return [...filters.values(), ...Array.from(missing, (field) => filterOf(String(field), MISSING, []))];
}

const matchOf = ({ filter }: Field, values: ParameterValues): Match =>
  filter?.kind === 'value' && filter.match !== undefined && values.get(filter.match)?.[0] === 'all' ? 'all' : 'any';

/** The operator of a filter; undefined for the filter of records without a value (`MISSING`). */
export const operatorIn = ({ operator }: Pick<QueryFilter, 'operator'>): Operator | undefined =>
  operator === MISSING ? undefined : operatorOf(operator);

function operatorOf(suffix: string): Operator {
  const operator = operators.find((one) => one.suffix === suffix);
  if (operator === undefined) throw new Error(`there is no operator ${suffix}`);
  return operator;
}

/** The field of a collection. */
export function fieldNamed({ fields, name: collection }: CollectionModel, name: string): Field {
  const field = fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${collection} have no field ${name}`);
  return field;
}

/** The numbers that a value of a parameter stands for: of a date all of its time, and of `START/END` all from the one to the other. */
export function intervalOf({ kind }: Field, value: string): Interval {
  const [from = '', to = from] = value.split('/');
  if (kind !== 'date') return { min: Number(from), max: Number(to) };
  return { min: parseMoment(from)?.start ?? Number.NaN, max: parseMoment(to)?.end ?? Number.NaN };
}

/** The filter that chooses among the values of a field: of addresses, among their hosts. */
export const choiceIn = (filters: readonly QueryFilter[], { name, kind }: Field): QueryFilter | undefined =>
  filters.find(({ field, operator }) => field === name && operator === (kind === 'url' ? site : has).suffix);

/** The interval that an operator lets pass, as a function of its value; null where it lets pass anything else. */
const boundOf = ({ finds, isNegated }: Operator): ((value: Interval) => Interval) | null =>
  finds.by === 'interval' && !isNegated ? finds.of : null;

/** The numbers that all bounds of a field let pass; null where there is no bound. */
export function rangeIn(filters: readonly QueryFilter[], field: Field): Interval | null {
  const ranges = filters.flatMap((filter) => {
    const operator = filter.field === field.name ? operatorIn(filter) : undefined;
    const bound = operator === undefined ? null : boundOf(operator);
    return bound === null ? [] : [boundsOf(field, bound, filter.values)];
  });
  return ranges.length === 0 ? null : commonInterval(ranges);
}

/** The numbers that all values of an operator of intervals let pass. */
export const boundsOf = (field: Field, bound: (value: Interval) => Interval, values: readonly string[]): Interval =>
  commonInterval(values.map((value) => bound(intervalOf(field, value))));

const commonInterval = (intervals: readonly Interval[]): Interval => ({
  min: Math.max(...intervals.map(({ min }) => min)),
  max: Math.min(...intervals.map(({ max }) => max)),
});
