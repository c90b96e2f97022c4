/**
 * Names and values that people know from other APIs, each with the line that works here: `per_page` of Rails, `_sort` of
 * json-server, `price[gte]` of Strapi and Stripe, `price=gte.10` of PostgREST, `$filter` of OData. A request with one is refused, and its
 * error has the line. Lines name fields that the address takes, with values that these accept.
 */
import * as v from 'valibot';
import { didYouMean } from '../nearest.js';
import { quote } from '../text.js';
import { operators } from './operators.js';
import { type Parameter, sortKeysIn } from './parameters.js';
import { MISSING } from './query.js';

/** The parameters that an address takes, by name. */
type KnownParameters = ReadonlyMap<string, Parameter>;

/** The line, or what makes it of the request's value: null where the name means something else with this value. */
type ForeignLine = string | ((value: string, known: KnownParameters) => string | null);

/** A date, or the beginning of one: other values are no days. */
const DATE_VALUE = /^\d{4}-\d\d/;

const idList =
  (name: 'id' | 'id_ne'): ForeignLine =>
  (value, known) =>
    /^\d/.test(value) ? `Write ${writtenPairs(name, valuesInText(value), known)}.` : null;

/**
 * By the parameter that an address must take for the line to be true: whole names, in lower case and without `_`, `$`, `-` or brackets, and
 * their line. The first one with a line holds.
 */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, ForeignLine>>>> = {
  id_ne: {
    'ids include': idList('id'),
    exclude: idList('id_ne'),
  },
  missing: {
    'until enddate todate createdatmax publishedatmax updatedatmax createdbefore modifiedbefore since startdate fromdate createdafter createdatmin publishedatmin updatedatmin updatedsince modifiedsince modifiedafter':
      (_, known) => dateExample(known),
    'before to after from': (value, known) => (DATE_VALUE.test(value) ? dateExample(known) : null),
    'filter filters filterby filterbyformula where conditions criteria selector and facetfilters numericfilters fq or not any nor startat endat equalto startkey endkey':
      (_, known) => filterExample(known),
    'group groupby aggregate aggregation aggregations aggs facet facets facetfield facetby grouplevel having distinct distincton unique apply':
      'Counts of a field are at /values/FIELD below the collection, and statistics at /stats.',
    'exists has isnull null notnull empty': 'missing=FIELD finds the records without a value.',
    'embed expand populate with relations includedocs shallow':
      'Records have no relations; nested values are fields of their own: /api lists them.',
    'apikey apptoken token accesstoken key auth': 'No key is needed.',
  },
  limit: {
    'count total totals tracktotalhits includetotal withcount inlinecount meta': (value) =>
      /^\d+$/.test(value) ? null : 'The total stands in every list, and in the header X-Total-Count.',
    'perpage pagesize pagelimit hitsperpage itemsperpage resultsperpage size take top first rows count max maxresults maxrecords limittofirst limittolast num amount':
      (value, known) =>
        accepts(known, 'limit', value) ? `Write limit=${value}.` : 'Write limit=50 for 50 records a page.',
    'format output accept type export wt shape recordsformat':
      'Lists are JSON; /api/export has them as files: ?format=csv, json or ndjson.',
    'nopagination paginate pagination nolimit unlimited all': 'Lists come in pages; all records are in /api/export.',
    'pretty prettyprint print indent': 'Answers are compact JSON; jq indents them.',
  },
  page: {
    'offset skip start end from startindex firstresult pageoffset cursor after before startingafter endingbefore searchafter startcursor pageinfo sinceid next pagetoken nexttoken skiptoken scroll range':
      'Pages are numbered from 1: page=3&limit=20 skips 40 records; the Link header has the next page.',
    'pagenumber pageno pagenum pageindex p currentpage': (value, known) =>
      accepts(known, 'page', value) ? `Write page=${value}.` : 'Write page=2 for the second page.',
  },
  format: {
    'page offset skip start cursor': 'A file has all records that match, or the first ones: limit=50.',
  },
  sort: {
    'sortby sortfield sortkey sorts orderby order ordering sortorder sorting': (value, known) =>
      lineForSort(value, known) ?? sortExample(known),
    sortdesc: (value, known) => lineForSort(`-${value}`, known) ?? sortExample(known),
    'last sortdir sortdirection dir direction orderdir orderdirection desc asc descending reverse': (_, known) =>
      sortExample(known),
    'random shuffle seed': 'There is no random order.',
  },
  q: {
    'query search s text term terms keyword keywords searchterm searchtext fulltext find simplequerystring': (value) =>
      `Write q=${/^[\p{L}\p{N} ]{1,30}$/u.test(value) ? value : 'tea'} for a search.`,
    'df qf queryby searchfields searchin restrictsearchableattributes attributestosearchon':
      'A word is searched in one field as FIELD:WORD in q.',
  },
  fields: {
    'select columns attributes attributestoretrieve only include includes project projection props field fields col cols includefields filterproperties source sourceincludes sourceincluded filterpath fl':
      (value, known) =>
        lineForFields(value, known) ?? 'Write fields=id for some fields, comma-separated, fields=* for all.',
    'omit exclude excludes excludefields nocol sourceexcludes without': () => NO_FIELD_LEFT_OUT,
  },
  match: {
    'defaultoperator qop mm operator matching matchingstrategy': 'Write match=all for records with all words of q.',
  },
  highlight: {
    'attributestohighlight attributestocrop highlightfields highlighting hl': 'Write highlight=1 beside q.',
  },
  fuzzy: {
    'fuzziness typotolerance maxtypos numtypos':
      'Beside q, fuzzy=1 also searches near spellings, fuzzy=0 only words as they are written.',
  },
};

/** The suffix of an operator here by its names and signs elsewhere. */
const SUFFIX_OF: ReadonlyMap<string, string> = new Map(
  operators
    .flatMap(({ suffix, elsewhere }) => elsewhere.split(' ').map((word) => [word, suffix] as const))
    .filter(([word]) => word !== ''),
);

/** `VALUED` stands in place of a suffix: it means records that have a value, for which there is no filter. */
const VALUED = 'valued';

/** The operator that finds what another one leaves out. Records without a value are found by `_ne` alone. */
export const NEGATED: ReadonlyMap<string, string> = new Map([
  ['', '_ne'],
  ['_ne', ''],
  ['_gt', '_lte'],
  ['_gte', '_lt'],
  ['_lt', '_gte'],
  ['_lte', '_gt'],
  [MISSING, VALUED],
  [VALUED, MISSING],
]);

const MISSING_OPERATORS = /^(?:is|not|n|isnot|non)?(?:null|empty|blank|exists)$/;
const RANGE_WORDS = /^(?:between|range)$/;

/** Words around the name of a field: `filter[price][gte]`, `filters[$and][0][price]`, `q[price_gteq]`. */
const ENCLOSING_WORDS = new Set('filter filters where q search pagination paging page sort orderby and or'.split(' '));

/** Longer names and values are not compared: the time for it could grow by the square of their length. */
const MAX_COMPARED_CHARACTERS = 200;
/** Bound on the conditions that a line has: an error with ten lines stays below 8 kB. */
const MAX_CONDITIONS = 4;

/** The line that works here in place of a foreign name; null where the name is not known from elsewhere. */
export function lineForName(written: string, text: string, known: KnownParameters): string | null {
  // Contentful has its fields in an object.
  const name = written.replace(/^fields\./, '');
  if (name.length > MAX_COMPARED_CHARACTERS) return null;
  const value = text.length > MAX_COMPARED_CHARACTERS ? '' : text;
  // Another case of a known name is a slip, and no foreign name.
  if ([...known.keys()].some((one) => one.toLowerCase() === written.toLowerCase())) return null;
  // `filters[$or][0][price][$gte]` → filters, $or, price, $gte
  const parts = name.split(/[[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  const [outer = ''] = parts;
  if (parts.some((part) => plainWord(part) === 'or')) return lineForWord('or', value, known);
  const innerParts = parts.filter((part, i) => i === parts.length - 1 || !ENCLOSING_WORDS.has(plainWord(part)));
  const inner = innerParts.join('_');
  return (
    lineForSortOf(outer, inner, value, known) ??
    lineForKnown(inner, value, known) ??
    lineForOperator(name, value, known) ??
    lineForOperator(inner, value, known) ??
    lineForPlural(inner, value, known) ??
    lineForWord(name, value, known) ??
    lineForWord(inner, value, known) ??
    lineForWord(outer, value, known)
  );
}

const plainWord = (text: string): string => text.replace(/[\W_]/g, '').toLowerCase();

/** `sort[price]=desc`, `orderBy[price]=desc`; `sort[0][field]=price` beside `sort[0][direction]=desc`. */
function lineForSortOf(outer: string, field: string, value: string, known: KnownParameters): string | null {
  if (!/^(?:sorts?|orderby)$/.test(plainWord(outer)) || field === outer || !known.has('sort')) return null;
  return (
    lineForSort(/^(?:field|property|column)$/.test(field) ? value : `${field} ${value}`, known) ?? sortExample(known)
  );
}

/** `categories=Art`. */
function lineForPlural(name: string, value: string, known: KnownParameters): string | null {
  const singular = [name.replace(/ies$/i, 'y'), name.replace(/s$/i, '')].find(
    (one) => one !== name && known.has(`${one}_ne`),
  );
  return singular === undefined ? null : lineForKnown(singular, value, known);
}

/** `author[]=Ada`, `filter[author]=Ada`, `sort[0]=price:desc`. */
const lineForKnown = (name: string, value: string, known: KnownParameters): string | null =>
  known.has(name) ? (lineForValue(name, value, known) ?? `Write ${writtenPairs(name, [value], known)}.`) : null;

/** A field, and the words or the sign of an operator behind it. */
const OPERATOR_BEHIND = /^(?:[_$.:]|(?=[A-Z])|([<>!])(.*)$)/s;

/**
 * `price__gte`, `price_gteq`, `price:gte`, `priceGte`, `title_contains_nocase`; `minRent` as `Rent_min`; `price>=10` and `price>10`, of which
 * the name is `price>` and `price>10`; `author!=Ada`.
 */
function lineForOperator(written: string, text: string, known: KnownParameters): string | null {
  const name = written.replace(/^(min|max)_?(\p{L}[\p{L}\p{N}]*)$/iu, '$2_$1');
  const lower = name.toLowerCase();
  const field = [...known.keys()]
    .filter(
      (one) =>
        lower.startsWith(one.toLowerCase()) && OPERATOR_BEHIND.test(name.slice(one.length)) && known.has(`${one}_ne`),
    )
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const behind = name.slice(field.length);
  const [, sign, bound = ''] = OPERATOR_BEHIND.exec(behind) ?? [];
  const operator = sign === undefined ? plainWord(behind) : sign + (bound === '' ? '=' : '');
  const value = bound || text;
  if (field === '' || operator === '') return null;
  if (MISSING_OPERATORS.test(operator)) return lineForMissing(field, known);
  if (RANGE_WORDS.test(operator))
    return lineForBounds(boundsIn(field, `[${valuesInText(value).join(' TO ')}]`, known), known);
  const suffix = SUFFIX_OF.get(operator);
  if (suffix !== undefined && known.has(field + suffix)) {
    const values = operator.endsWith('in') ? valuesInText(value) : [suffix === '_like' ? withoutSigns(value) : value];
    return `Write ${writtenPairs(field + suffix, values, known)}.`;
  }
  if (suffix === undefined && !/^(?:not|n|does|i)/.test(operator)) return null;
  return `${field} takes ${suffixesOf(field, known)
    .map((one) => field + one)
    .join(', ')}.`;
}

const suffixesOf = (field: string, known: KnownParameters): readonly string[] =>
  operators.map(({ suffix }) => suffix).filter((suffix) => known.has(field + suffix));

export const missingLine = (field: string): string =>
  `missing=${field} finds the records without a value; no filter finds those that have one.`;

const lineForMissing = (field: string, known: KnownParameters): string | null =>
  known.has('missing') ? missingLine(field) : null;

const SPAN = /^([[{]?)([\d.:TZ*-]+(?: TO [\d.:TZ*-]+)?)([\]}]?)$/;

/** A parameter and its value. */
type Pair = readonly [name: string, value: string];

/**
 * The bounds in `4..20`, `[4 TO 20]`, `{4 TO *]`, `2024-01-01-2024-12-31`; none in other values. A hyphen may also be one of a date, so
 * that both sides must be values that the field takes.
 */
export function boundsIn(field: string, value: string, known: KnownParameters): readonly Pair[] {
  const [, open, span = '', close] = SPAN.exec(value) ?? [];
  for (const { 0: sign, index } of span.matchAll(/\.\.+| TO |-/g)) {
    const bounds = [
      [field + (open === '{' ? '_gt' : '_gte'), span.slice(0, index)],
      [field + (close === '}' ? '_lt' : '_lte'), span.slice(index + sign.length)],
    ] as const;
    const statedBounds = bounds.filter(([, bound]) => bound !== '*' && (bound !== '' || !sign.startsWith('..')));
    if (statedBounds.every(([name, bound]) => bound !== '' && writtenValue(name, bound, known) !== ELLIPSIS))
      return statedBounds;
  }
  return [];
}

const lineForBounds = (bounds: readonly Pair[], known: KnownParameters): string | null =>
  bounds.length === 0 ? null : `Write ${bounds.map(([name, bound]) => writtenPairs(name, [bound], known)).join('&')}.`;

function lineForWord(name: string, value: string, known: KnownParameters): string | null {
  const word = plainWord(name);
  for (const [needed, lines] of Object.entries(FOREIGN)) {
    if (!known.has(needed)) continue;
    for (const [names, line] of Object.entries(lines)) {
      const text = !names.split(' ').includes(word) ? null : typeof line === 'string' ? line : line(value, known);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Whether a parameter takes a value. */
export function accepts(known: KnownParameters, name: string, value: string): boolean {
  const parameter = known.get(name);
  return parameter !== undefined && v.safeParse(parameter.schema, value).success;
}

/** `price_gte=10`, of fields that the address takes. */
function filterExample(known: KnownParameters): string {
  for (const [suffix, value] of [
    ['_gte', '10'],
    ['_gte', '2024-01-31'],
    ['_like', 'tea'],
  ] as const) {
    const name = [...known.keys()].find(
      (one) => one.endsWith(suffix) && accepts(known, one, value) && !/^id_/.test(one),
    );
    if (name !== undefined)
      return `A field is a parameter of its own: ${name}=${value}. All conditions hold together, and any of several values of one field is enough.`;
  }
  return 'A field is a parameter of its own.';
}

/** A field of numbers or dates, by which records can be sorted. */
const sortedField = (known: KnownParameters): string =>
  [...known.keys()].find((one) => one !== 'id' && known.has(`${one}_gte`)) ?? 'id';

const sortExample = (known: KnownParameters): string =>
  `Write sort=${sortedField(known)}, or sort=-${sortedField(known)} for descending; several keys are comma-separated.`;

/** The bounds of a date that the address takes. */
function dateExample(known: KnownParameters): string {
  // A parameter of dates takes a day, and no number such as 10.
  const field = [...known.keys()].find(
    (one) => known.has(`${one}_gte`) && accepts(known, one, '2024-01-31') && !accepts(known, one, '10'),
  );
  return field === undefined
    ? filterExample(known)
    : `Write ${field}_gte=2024-01-31 for the first day, ${field}_lte=2024-01-31 for the last one.`;
}

/** The line for a time whose zone has a plus sign, which was read as a blank: `2024-01-31T10:00:00 02:00`. */
function lineForZone(name: string, value: string, known: KnownParameters): string | null {
  const zoned = value.replace(/ (?=\d\d:\d\d$)/, '+');
  return zoned !== value && accepts(known, name, zoned) ? `Write ${writtenPairs(name, [zoned], known)}.` : null;
}

/** `name=a&name=b`; an ellipsis stands for values that are long, or that the parameter does not take. */
function writtenPairs(name: string, values: readonly string[], known: KnownParameters): string {
  const pairs = values.slice(0, MAX_CONDITIONS).map((value) => `${name}=${writtenValue(name, value.trim(), known)}`);
  return [...pairs, ...(values.length > MAX_CONDITIONS ? [ELLIPSIS] : [])].join('&');
}

const ELLIPSIS = '…';

function writtenValue(name: string, value: string, known: KnownParameters): string {
  const isShort = /^[\p{L}\p{N} .,:'/@*+-]{1,40}$/u.test(value);
  if (isShort && accepts(known, name, value)) return value.replaceAll('+', '%2B');
  // Stripe has seconds since 1970, JavaScript milliseconds.
  const timeMs = /^\d{10}$/.test(value) ? 1000 * Number(value) : /^\d{13}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isNaN(timeMs)) {
    const day = new Date(timeMs).toISOString().slice(0, 10);
    if (accepts(known, name, day)) return day;
  }
  return ELLIPSIS;
}

/** `(1,2)`, `[4,30]`, `{a,b}`, `a|b`, `"a","b"`. */
const valuesInText = (text: string): readonly string[] =>
  text
    .replace(/^[([{]|[)\]}]$/g, '')
    .split(/[,|]/)
    .map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((one) => one !== '');

/** `gte.10`, `eq.Art`, `in.(1,2)`, `not.is.null`, `plfts(english).tea`: an operator before the value, as PostgREST has it. */
const OPERATED_VALUE =
  /^(not\.)?(eq|neq|isdistinct|gt|gte|lt|lte|like|ilike|match|imatch|in|is|cs|cd|ov|(?:pl|ph|w)?fts)(?:\([^()]*\))?[.:](.*)$/su;
const MISSING_WORD = /^(?:null|undefined|nil)$/i;

/** A part of a text without the signs of patterns around it: `%tea%`, `^tea`, `tea*`, `.*tea.*`. A run of signs is read from its first one only. */
export const withoutSigns = (part: string): string =>
  part.replace(/^(?:[*%^]|\.\*)+/, '').replace(/(?<![*%$]|\.(?=\*))(?:[*%$]|\.\*)+$/, '');

/** A foreign spelling of a value as a filter: the suffix of an operator here, and the operator's values. */
export interface Meaning {
  /** `MISSING` of `null` and `is.null`, which ask for records without a value; `VALUED` of `not.is.null` and `*`. */
  readonly suffix: string;
  readonly values: readonly string[];
}

/** Null where the value is spelt as here. */
export function meantBy(value: string): Meaning | null {
  if (MISSING_WORD.test(value)) return { suffix: MISSING, values: [] };
  if (/^[*%]$/.test(value)) return { suffix: VALUED, values: [] };
  const [, not, operator = '', rest = value] = OPERATED_VALUE.exec(value) ?? [];
  if (operator === 'is' && MISSING_WORD.test(rest)) return { suffix: not ? VALUED : MISSING, values: [] };
  const [, part] = /^(?:i?like\.)?[*%](.+)[*%]$/s.exec(value) ?? [];
  if (part !== undefined && !not) return { suffix: '_like', values: [part] };
  const [, sign = '', bound = ''] = /^(<>|[<>!]=?|=)(.+)$/s.exec(value) ?? [];
  if (sign !== '') return { suffix: SUFFIX_OF.get(sign) ?? '', values: [bound] };
  const isList = /^(?:in|cs|cd|ov)$/.test(operator);
  const values = operator === '' || isList ? valuesInText(rest) : [rest];
  if (operator === '' && values.length > 1) return { suffix: '', values };
  // A plus sign in an address is read as a blank: `grade=A+`.
  const plus = value.replace(/^ +| +$/g, (blanks) => '+'.repeat(blanks.length));
  if (operator === '') return plus === value ? null : { suffix: '', values: [plus] };
  const positive = SUFFIX_OF.get(operator);
  const suffix = not ? NEGATED.get(positive ?? '') : positive;
  return suffix === undefined ? null : { suffix, values: suffix === '_like' ? [withoutSigns(rest)] : values };
}

/** The line that works here in place of a value that a parameter refuses; null where it is not known from elsewhere. */
export function lineForValue(name: string, value: string, known: KnownParameters): string | null {
  if (value.length > MAX_COMPARED_CHARACTERS) return null;
  if (name === 'sort') {
    if (/^(?:random|rand|shuffle)$/i.test(value)) return 'There is no random order.';
    if (/^[-+]?(?:_score|relevance|rank|best_?match)\b/i.test(value))
      return 'Without sort the best matches of q come first.';
    return lineForSort(value, known) ?? lineForSortKey(value, known);
  }
  if (name === 'order') {
    const [, direction] = /^(asc|desc)(?:ending)?$/i.exec(value) ?? [];
    if (direction !== undefined) return `Write order=${direction.toLowerCase()}.`;
    return lineForSort(value, known) ?? sortExample(known);
  }
  if (name === 'fields') return lineForFields(value, known);
  if (name === 'limit')
    return /^(?:all|-1|none|max|unlimited)$/i.test(value) ? 'All records are in /api/export.' : null;
  const isFilter = known.has(`${name}_ne`) || name.endsWith('_ne');
  if (name === 'id' && !isFilter && /^\d+(?:,\d+)+$/.test(value))
    return `A list takes several: ?${valuesInText(value)
      .slice(0, MAX_CONDITIONS)
      .map((id) => `id=${id}`)
      .join('&')}.`;
  if (/^(?:1|t|y|on|yes|true)$/i.test(value) && accepts(known, name, 'true')) return `Write ${name}=true.`;
  if (/^(?:0|f|n|off|no|false)$/i.test(value) && accepts(known, name, 'true')) return `Write ${name}=false.`;
  if (/^-?\d+(?:,\d{3})*,0\d+$/.test(value) && accepts(known, name, '1.5'))
    return 'A number is written as 1234.5: a point, and no sign between other digits.';
  const line = lineForBounds(boundsIn(name, value, known), known) ?? lineForZone(name, value, known);
  if (line !== null) return line;
  const meaning = isFilter || name === 'missing' ? meantBy(value) : null;
  return meaning === null ? null : lineForMeaning(name, meaning, known);
}

/** The line for a meaning of a field's value, or of one that is left out (`category_ne`); null where the field does not take its operator. */
export function lineForMeaning(name: string, { suffix, values }: Meaning, known: KnownParameters): string | null {
  const [, field = name, isLeftOut] = /^(.+)(_ne)$/.exec(name) ?? [];
  const meantSuffix = isLeftOut ? NEGATED.get(suffix) : suffix;
  if (meantSuffix === MISSING || meantSuffix === VALUED) return lineForMissing(field, known);
  const parameter = meantSuffix === undefined ? undefined : field + meantSuffix;
  return parameter !== undefined && known.has(parameter) ? `Write ${writtenPairs(parameter, values, known)}.` : null;
}

/** A request with a parameter several times that takes one value: `fields=id&fields=title`. */
export const lineForRepetition = (name: string, known: KnownParameters): string | null =>
  name === 'sort' || name === 'fields'
    ? `Several ${name === 'sort' ? 'keys' : 'fields'} are comma-separated: ${name}=id,${sortedField(known)}.`
    : null;

/** A key of other APIs: `price:desc`, `price.desc.nullslast`, `price desc`, `PRICE_DESC`, `price:-1`, `price-`, `+price`. */
const SORT_KEY =
  /^([-+ ]?)([\p{L}\p{N}_]+?)(?:[:._ ]+(asc|desc|ascending|descending|-1|1)(?:[:._ ]+nulls[_ ]?(?:first|last))?|([-+]))?$/iu;

/** `price:asc,title:desc`, `price,desc`, `{"price":-1}`; null where a key is no field, or `sort` does not take the result. */
function lineForSort(value: string, known: KnownParameters): string | null {
  const text = value.replace(/["'{}[\]]|\bfields\./g, '').trim();
  const keys: { readonly field: string; readonly isDescending: boolean }[] = [];
  for (const key of text.split(/\s*[,;]\s*/)) {
    const previous = keys.at(-1);
    if (/^(?:asc|desc)$/i.test(key) && previous !== undefined) {
      keys.splice(-1, 1, { field: previous.field, isDescending: /^desc/i.test(key) });
      continue;
    }
    const [, sign = '', name = '', direction = '', end = ''] = SORT_KEY.exec(key) ?? [];
    const field = known.has(name) ? name : [...known.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
    if (field === undefined) return null;
    keys.push({ field, isDescending: sign === '-' || end === '-' || /^desc|^-1$/i.test(direction) });
  }
  const sort = keys.slice(0, MAX_CONDITIONS).map(({ field, isDescending }) => (isDescending ? `-${field}` : field));
  return known.get('sort') !== undefined && accepts(known, 'sort', sort.join(','))
    ? `Write sort=${sort.join(',')}.`
    : null;
}

/** Which key of several is none, or stands there twice: `-price,titel`. */
function lineForSortKey(value: string, known: KnownParameters): string | null {
  const fields = sortKeysIn(value).map(({ field }) => field);
  const [unknown] = fields.filter((field) => !accepts(known, 'sort', field));
  const repeated = fields.find((field, i) => fields.indexOf(field) < i);
  if (unknown === undefined) return repeated === undefined ? null : `${quote(repeated)} is there twice.`;
  const hint = didYouMean(
    unknown,
    [...known.keys()].filter((name) => accepts(known, 'sort', name)),
  ).trim();
  const which = fields.length > 1 ? `${quote(unknown)} is none of them.` : '';
  return [which, hint].filter((sentence) => sentence !== '').join(' ') || null;
}

const NO_FIELD_LEFT_OUT = 'Write fields=id for some fields, comma-separated; a field cannot be left out by its name.';

/** `id,title,price::text`, `["id","title"]`, `id title`, `*.*`; `-content`, which leaves a field out. */
function lineForFields(value: string, known: KnownParameters): string | null {
  if (/^[-!^]|,[-!^]/.test(value)) return NO_FIELD_LEFT_OUT;
  const fields = value.replace(/::\w+|\bfields\./g, '').match(/[\p{L}\p{N}_-]+|\*/gu) ?? [];
  const list = [...new Set(fields.slice(0, MAX_CONDITIONS * 2))].join(',');
  return accepts(known, 'fields', list) ? `Write fields=${list}.` : null;
}
