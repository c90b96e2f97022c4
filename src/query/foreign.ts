/**
 * Names and values that people know from other APIs, each with the line that works here: `per_page` of Rails, `_sort` of
 * json-server, `price[gte]` of Strapi and Stripe, `price=gte.10` of PostgREST, `$filter` of OData. A request with one is refused, and its error has the line.
 */

/** The names of the parameters that an address takes. */
export type KnownNames = ReadonlyMap<string, unknown>;

interface ForeignNames {
  /** Whole names, in lower case and without `_`, `$`, `-` or brackets. */
  readonly names: string;
  /** The parameter that must be known for the line to be true. */
  readonly needs: string;
  readonly line: string;
}

const FOREIGN: readonly ForeignNames[] = [
  {
    names:
      'perpage pagesize pagelimit hitsperpage itemsperpage resultsperpage size take top first rows count max maxresults num amount',
    needs: 'limit',
    line: 'Write limit=50 for 50 records a page.',
  },
  {
    names:
      'offset skip start end from startindex firstresult pageoffset cursor after before startingafter endingbefore pagetoken nexttoken scroll range',
    needs: 'page',
    line: 'Pages are numbered from 1: page=3&limit=20 skips 40 records; the Link header has the next page.',
  },
  {
    names: 'pagenumber pageno pagenum pageindex p currentpage',
    needs: 'page',
    line: 'Write page=2 for the second page.',
  },
  {
    names: 'sortby sortfield sortkey orderby ordering sortorder sorting',
    needs: 'sort',
    line: 'Write sort=title, sort=-title for descending, or several: sort=-date,title.',
  },
  {
    names: 'sortdir sortdirection dir direction orderdir orderdirection desc asc descending reverse',
    needs: 'order',
    line: 'Write sort=-title for descending, or sort=title&order=desc.',
  },
  {
    names: 'query search s text term terms keyword keywords searchterm searchtext fulltext find',
    needs: 'q',
    line: 'Write q=tea for a search.',
  },
  {
    names: 'filter filters where conditions criteria',
    needs: 'missing',
    line: 'A field is a parameter of its own: title_ne=Tea, price_gte=10, or several of them.',
  },
  {
    names:
      'select columns attributes attributestoretrieve only include includes omit exclude project projection props field source',
    needs: 'fields',
    line: 'Write fields=id,title for some fields, fields=* for all.',
  },
  {
    names: 'format output accept type',
    needs: 'limit',
    line: 'Lists are JSON; /api/export has them as files: ?format=csv, json or ndjson.',
  },
  {
    names: 'group groupby aggregate aggregations facet facets distinct unique',
    needs: 'missing',
    line: 'Counts of a field are at /values/FIELD below the collection, and statistics at /stats.',
  },
  { names: 'ids', needs: 'id', line: 'Write id=1&id=2.' },
  {
    names: 'since startdate fromdate until enddate todate',
    needs: 'from',
    line: 'Write from=2024-01-31&to=2024-02-29, both included.',
  },
  {
    names: 'or and not any',
    needs: 'missing',
    line: 'All conditions hold together; of several values of one field any is enough: category=Art&category=Kitchen.',
  },
  {
    names: 'exists has isnull null notnull empty',
    needs: 'missing',
    line: 'missing=FIELD finds the records without a value.',
  },
  {
    names: 'nopagination paginate pagination nolimit unlimited all',
    needs: 'limit',
    line: 'Lists come in pages; all records are in /api/export.',
  },
  {
    names: 'tracktotalhits includetotal withcount meta',
    needs: 'limit',
    line: 'The total stands in every list, and in the header X-Total-Count.',
  },
  {
    names: 'defaultoperator operator matching',
    needs: 'match',
    line: 'Write match=all for records with all words of q.',
  },
  { names: 'random shuffle seed', needs: 'sort', line: 'There is no random order; sort=title sorts by a field.' },
  { names: 'pretty prettyprint indent', needs: 'limit', line: 'Answers are compact JSON; jq indents them.' },
  {
    names: 'embed expand populate with relations',
    needs: 'missing',
    line: 'Records have no relations; nested values are fields of their own: /api lists them.',
  },
  { names: 'apikey token accesstoken key auth', needs: 'missing', line: 'No key is needed.' },
];

const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  eq: '',
  is: '',
  exact: '',
  equals: '',
  in: '',
  ne: '_ne',
  neq: '_ne',
  not: '_ne',
  nin: '_ne',
  notin: '_ne',
  gt: '_gt',
  after: '_gt',
  gte: '_gte',
  ge: '_gte',
  min: '_gte',
  from: '_gte',
  since: '_gte',
  lt: '_lt',
  before: '_lt',
  lte: '_lte',
  le: '_lte',
  max: '_lte',
  to: '_lte',
  until: '_lte',
  like: '_like',
  ilike: '_like',
  contains: '_like',
  containsi: '_like',
  icontains: '_like',
  includes: '_like',
  match: '_like',
  startswith: '_like',
  startswithi: '_like',
  istartswith: '_like',
};

/** `price[gte]`, `price[$gte]`, `filter[price][_gte]`, `filters[price][$gte]`, `price__gte`, `price:gte`, `price.gte`, `price_min`. */
const OPERATED = /^(?:(?:filters?|where)\[)?\$?([\p{L}\d-]+(?:_[\p{L}\d-]+)*?)\]?(?:\[[$_]?|__|:|\.|_)([a-z]+)\]?$/iu;
/** `filter[price]`, `pagination[page]`. */
const FILTERED = /^(?:filters?|where|pagination|paging)\[([^[\]]+)\]$/i;
/** `sort[]`, `sort[0]`, `filters[price][$in][0]`; and the group of `filters[$and][0][price]`. */
const LIST_ENDING = /(?:\[\d*\])+$/;
const GROUPED_VALUES = /\[\$(?:and|or)\]\[\d*\]/i;
/** `minRent`. */
const BOUND_NAME = /^(min|max)_?(\p{L}[\p{L}\p{N}]*)$/iu;

/** Longer names and values are not compared: the time for it could grow by the square of their length. */
const MAX_COMPARED_CHARACTERS = 200;

/** The line that works here in place of a foreign name; null where the name is not known from elsewhere. */
export function lineForName(name: string, value: string, known: KnownNames): string | null {
  if (name.length > MAX_COMPARED_CHARACTERS) return null;
  // Another case of a known name is a slip, and no foreign name.
  if ([...known.keys()].some((one) => one.toLowerCase() === name.toLowerCase())) return null;
  const plainName = name.replace(GROUPED_VALUES, '').replace(LIST_ENDING, '');
  return (
    lineForList(name, plainName, value, known) ??
    lineForSign(name, value, known) ??
    lineForOperator(plainName, value, known) ??
    lineForBound(name, value, known) ??
    lineForWord(FILTERED.exec(plainName)?.[1] ?? plainName, known)
  );
}

/** `author[]=Ada`, `sort[0]=price:desc`, `sort[price]=desc`. */
function lineForList(name: string, plainName: string, value: string, known: KnownNames): string | null {
  const [, sorted] = /^sort\[(\w+)\]$/i.exec(plainName) ?? [];
  if (sorted !== undefined && known.has('sort')) return `Write sort=${/^desc|^-1$/i.test(value) ? '-' : ''}${sorted}.`;
  if (name === plainName || !known.has(plainName)) return null;
  return lineForValue(plainName, value, known) ?? `Write ${plainName}=${shortValue(value)}.`;
}

/** `price>=10` and `price>10`, of which the name is `price>` and `price>10`; `author!=Ada`. */
function lineForSign(name: string, value: string, known: KnownNames): string | null {
  const [, field = '', sign = '', rest = ''] = /^(\w+)([<>!])(.*)$/.exec(name) ?? [];
  const suffix = FOREIGN_SIGNS[rest === '' ? `${sign}=` : sign];
  return suffix !== undefined && known.has(field + suffix)
    ? `Write ${field}${suffix}=${shortValue(rest || value)}.`
    : null;
}

const FOREIGN_SIGNS: Readonly<Record<string, string>> = {
  '>': '_gt',
  '>=': '_gte',
  '<': '_lt',
  '<=': '_lte',
  '!': '_ne',
  '!=': '_ne',
};

function lineForOperator(name: string, value: string, known: KnownNames): string | null {
  const [, filtered] = FILTERED.exec(name) ?? [];
  if (filtered !== undefined && known.has(filtered)) return `Write ${filtered}=${shortValue(value)}.`;
  const [, field = '', foreign = ''] = OPERATED.exec(name) ?? [];
  if (!known.has(field)) return null;
  const operator = foreign.toLowerCase();
  if (/^(?:is|not)?_?(?:null|empty|exists)$/.test(operator)) return lineForMissing(field, known);
  if (/^(?:between|range)$/.test(operator)) return lineForRange(field, value.split(','), known);
  const suffix = OPERATOR_NAMES[operator];
  if (suffix === undefined) return null;
  const values = operator.endsWith('in') ? value.split(',') : [value];
  if (known.has(field + suffix)) return `Write ${foreignPairs(field + suffix, values)}.`;
  const offeredNames = [...known.keys()].filter(
    (one) => one === field || (one.startsWith(`${field}_`) && isSuffix(one.slice(field.length))),
  );
  return `${field} takes ${offeredNames.join(', ')}.`;
}

const lineForMissing = (field: string, known: KnownNames): string | null =>
  known.has('missing') ? `missing=${field} finds the records without a value.` : null;

function lineForRange(field: string, [from = '', to = '']: readonly string[], known: KnownNames): string | null {
  return known.has(`${field}_gte`) && from !== '' && to !== ''
    ? `Write ${field}_gte=${shortValue(from)}&${field}_lte=${shortValue(to)}.`
    : null;
}

const foreignPairs = (name: string, values: readonly string[]): string =>
  values.map((one) => `${name}=${shortValue(one.trim())}`).join('&');

const SUFFIXES = new Set(Object.values(OPERATOR_NAMES));
const isSuffix = (text: string): boolean => SUFFIXES.has(text);

function lineForBound(name: string, value: string, known: KnownNames): string | null {
  const [, side = '', rest = ''] = BOUND_NAME.exec(name) ?? [];
  const suffix = OPERATOR_NAMES[side.toLowerCase()];
  const field = [...known.keys()].find((one) => one.toLowerCase() === rest.toLowerCase());
  return field !== undefined && suffix !== undefined && known.has(field + suffix)
    ? `Write ${field}${suffix}=${shortValue(value)}.`
    : null;
}

function lineForWord(name: string, known: KnownNames): string | null {
  const word = name.replace(/[\W_]/g, '').toLowerCase();
  if (word === '') return null;
  const row = FOREIGN.find(({ names, needs }) => known.has(needs) && names.split(' ').includes(word));
  return row?.line ?? null;
}

/** A short value as it may stand in a sentence; else an ellipsis. */
const shortValue = (value: string): string => (/^[\w.,:-]{1,30}$/.test(value) ? value : '…');

/** `gte.10`, `eq.Art`, `in.(1,2)`: an operator before the value, as PostgREST has it. */
const OPERATED_VALUE = /^(not\.eq|eq|neq|gt|gte|lt|lte|like|ilike|in|is)\.(.*)$/su;
const FOREIGN_MISSING_VALUE = /^(?:is\.)?(?:null|undefined|nil|none)$/i;

/** The line that works here in place of a value that a parameter refuses; null where it is not known from elsewhere. */
export function lineForValue(name: string, value: string, known: KnownNames): string | null {
  if (value.length > MAX_COMPARED_CHARACTERS) return null;
  if (name === 'sort') return lineForSort(value);
  if (name === 'order') {
    if (/^(?:asc|desc)$/i.test(value)) return `Write order=${value.toLowerCase()}.`;
    const [, field] = /^-?(\w+)[.: ]?(?:asc|desc)?/i.exec(value) ?? [];
    return field === undefined ? null : `The field stands in sort: sort=-${field} for descending.`;
  }
  if (name === 'limit')
    return /^(?:all|-1|none|max|unlimited)$/i.test(value) ? 'All records are in /api/export.' : null;
  if (FOREIGN_MISSING_VALUE.test(value) && known.has(`${name}_ne`)) return lineForMissing(name, known);
  if (/^[\w.-]+(?:,[\w.-]+)+$/.test(value) && (name === 'missing' || known.has(`${name}_ne`)))
    return `Write ${foreignPairs(name, value.split(','))}.`;
  const [, from, to] = /^\[?([\d.:TZ-]+?)(?:\.\.+| TO |-)([\d.:TZ-]+)\]?$/.exec(value) ?? [];
  if (from !== undefined && to !== undefined) return lineForRange(name, [from, to], known);
  const [, sign = '', bound = ''] = /^([<>!]=?)(.*)$/.exec(value) ?? [];
  const [, foreign = sign, rest = bound] = OPERATED_VALUE.exec(value) ?? [];
  const suffix = FOREIGN_SIGNS[foreign] ?? OPERATOR_NAMES[foreign.replace('not.eq', 'ne')];
  if (suffix === undefined || !known.has(name + suffix)) return null;
  return `Write ${name}${suffix}=${shortValue(rest)}.`;
}

/** `price:desc`, `price.desc`, `price,desc`, `price desc`, `price:-1`, `price-`, and `+price`, whose sign is read as a space. */
function lineForSort(value: string): string | null {
  if (/^(?:random|rand|shuffle)$/i.test(value)) return 'There is no random order.';
  const [, sign = '', field, direction = ''] =
    /^([+ ]?)(\w+?)(?:[:., ]?(asc|desc|ascending|descending|-1|1)|([-+]))?$/i.exec(value) ?? [];
  const isDescending = /^desc|^-1$/i.test(direction) || value.endsWith('-');
  if (field === undefined || (direction === '' && sign === '' && !/[-+]$/.test(value))) return null;
  return `Write sort=${isDescending ? '-' : ''}${field}.`;
}

/** What works here in place of a foreign spelling: values, and the suffix of an operator. */
export interface Meaning {
  readonly suffix: string;
  readonly values: readonly string[];
}

/** The values that a foreign spelling of a value stands for: `eq.Art` for Art, `in.(a,b)` and `Hamburg,Oslo` for two. */
export function meantBy(value: string): Meaning | null {
  const [, part] = /^(?:i?like\.)?[*%](.+)[*%]$/s.exec(value) ?? [];
  if (part !== undefined) return { suffix: '_like', values: [part] };
  const [, excluded] = /^(?:!|not\.eq\.)(.+)$/s.exec(value) ?? [];
  if (excluded !== undefined) return { suffix: '_ne', values: [excluded] };
  const [, foreign = '', rest = value] = OPERATED_VALUE.exec(value) ?? [];
  const suffix = OPERATOR_NAMES[foreign];
  const list = foreign === 'in' ? rest.replace(/^\(|\)$/g, '') : rest;
  const values = list.split(/[,|]/).map((one) => one.trim().replace(/^"(.*)"$/, '$1'));
  if (suffix === undefined && values.length < 2) return null;
  return { suffix: suffix ?? '', values: foreign === 'in' || suffix === undefined ? values : [rest] };
}
