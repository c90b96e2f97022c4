/**
 * The columns of a file that feed no documented field, as fields of their own: where their values stand, of which kind these are, and
 * what the API calls them. Pure functions of the sample and of names; nothing here reads a file.
 */
import {
  anyCollection,
  type CollectionModel,
  type Field,
  type FieldKind,
  foundField,
  isNumeric,
  RESERVED_NAMES,
} from '../model.js';
import { parsedJson } from '../text.js';
import { createRank, NO_MAPPING } from './columns.js';
import { readDate } from './dates.js';
import { isCode, wordsOf } from './guesses.js';
import { currenciesOf, isMoney, readPlainNumber, readSpelledNumber } from './numbers.js';
import { isIdentifier, isPlainObject, nameKey, type Path, pathText } from './paths.js';
import { type FoundColumn, MAX_FOUND_FIELDS, type Plan } from './plan.js';
import { arePercentages } from './text-forms.js';
import { hasValue, mostAre } from './texts.js';

/** `json`: a value that has no scalar form, such as a list of objects, is kept as it came and only shown. */
export type FoundKind = Exclude<FieldKind, 'url'>;

const MIN_CODE_SHARE = 0.5;
const BOOLEAN_WORD = /^(?:true|false)$/i;
/** The check digit of an ISBN of ten digits may be X, for 10. */
const ISBN_WITH_X = /^\d{9}X$/i;
const INTEGER_TEXT = /^[+-]?\d+$/;
/** From here on a number is spelt with an exponent, and not by its digits. */
const MIN_EXPONENTIAL = 1e21;
/** More digits are a code and no number: a bar code, a card. */
const MAX_NUMBER_DIGITS = 15;

/** The kind of a column, which most of its sampled values have, else text; undefined where none of them says anything. */
export function foundKind(sampled: readonly unknown[]): FoundKind | undefined {
  const values = sampled.map(spelledList).filter(hasValue);
  if (values.length === 0) return undefined;
  if (values.some(isPlainObject) || areJsonTexts(values)) return 'json';
  const lists = values.filter((value) => Array.isArray(value));
  if (lists.length >= values.length / 2) return kindOfLists(lists.flat());
  const scalars = values.map((value) => (Array.isArray(value) ? value.join(', ') : value));
  if (mostAre(scalars, isBoolean)) return 'boolean';
  if (mostAre(scalars, isLongInteger)) return 'code';
  if (!scalars.some(isDigitsOfCode)) {
    if (mostAre(scalars, isInteger))
      return scalars.every((value) => !isNumber(value) || isInteger(value)) ? 'integer' : 'number';
    if (mostAre(scalars, isNumber) || arePercentages(scalars)) return 'number';
    if (mostAre(scalars, isDateText)) return 'date';
  }
  return areCodes(scalars) ? 'code' : 'text';
}

function kindOfLists(elements: readonly unknown[]): FoundKind | undefined {
  const scalars = elements.filter(hasValue);
  if (scalars.some((element) => typeof element === 'object')) return 'json';
  if (scalars.length === 0) return undefined;
  return areCodes(scalars) ? 'codes' : 'texts';
}

/** The list that a text spells as JSON, such as a CSV cell `["a","b"]`; any other value as it is. */
function spelledList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : value;
}

/** Whether texts are JSON, objects among them, such as CSV cells `{"a":1}`. */
const areJsonTexts = (values: readonly unknown[]): boolean =>
  values.some((value) => typeof value === 'string' && /^\s*\{/.test(value) && isPlainObject(parsedJson(value))) &&
  values.every((value) => typeof value !== 'string' || parsedJson(value) !== undefined);

const isBoolean = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && BOOLEAN_WORD.test(value.trim()));

/** Digits that are no number: `0049`, a bar code, `043965548X` among other ISBNs. */
const isDigitsOfCode = (value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  if (ISBN_WITH_X.test(value.trim())) return true;
  if (!INTEGER_TEXT.test(value.trim())) return false;
  const digits = value.trim().replace(/^[+-]/, '');
  return digits.length > MAX_NUMBER_DIGITS || (digits.length > 1 && digits.startsWith('0'));
};

/** An integer that no double holds, such as an id of 19 digits. */
const isLongInteger = (value: unknown): boolean =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  Math.abs(value) < MIN_EXPONENTIAL;

const isInteger = (value: unknown): boolean =>
  typeof value === 'string' ? INTEGER_TEXT.test(value.trim()) : Number.isSafeInteger(value);

/** A plain number, or an amount of money. */
const isNumber = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  const text = value.trim();
  return isMoney(text) || isInteger(text) || readPlainNumber(text) !== undefined || isGroupedNumber(text);
};

/** A number with separators: `1,234`, `12,5`. */
const isGroupedNumber = (text: string): boolean =>
  /^[+-]?\d[\d.,'’\u00a0\u202f ]*$/.test(text) && readSpelledNumber(text) !== undefined;

/** Digits and points alone are a number or a version, unless a day stands first: `31.12.2026`. */
const isDateText = (value: unknown): boolean =>
  typeof value === 'string' &&
  (!/^[\d.]+$/.test(value.trim()) || /^\d\d?\.\d\d?\.\d{4}$/.test(value.trim())) &&
  typeof readDate(value, 'month first') === 'object';

const areCodes = (values: readonly unknown[]): boolean =>
  values.filter((value) => isDigitsOfCode(value) || (typeof value === 'string' && isCode(value.trim()))).length >
  MIN_CODE_SHARE * values.length;

/** The kind of a field of several files: an integer with a number is a number, any other disagreement is a text. */
export function commonKind(a: FoundKind, b: FoundKind): FoundKind {
  if (a === b) return a;
  const areNumbers = [a, b].every((kind) => kind === 'integer' || kind === 'number');
  return areNumbers ? 'number' : 'text';
}

const BOUND = /_(?:gte|lte)$/;

/**
 * The names of fields for the columns at some paths. A column keeps its own name where that is an identifier and free; else its words
 * make one, with a number where that is taken. `reserved`: the names of documented fields and parameters; `isTaken`: whether no words
 * may make this name.
 *
 *     brand, list-price, Sale (EUR), price.currency, page
 *     brand, listPrice,  saleEur,    priceCurrency,  page2
 */
export function foundNames(
  paths: readonly Path[],
  reserved: ReadonlySet<string>,
  mappedNames: readonly (string | undefined)[] = [],
  isTaken: (name: string) => boolean = () => false,
): readonly string[] {
  const usedNames = new Set(reserved);
  const all = new Set([...reserved, ...paths.map(([first]) => String(first))]);
  // `stock_gte` is a parameter of `stock`.
  const isBound = (name: string) => BOUND.test(name) && all.has(name.replace(BOUND, ''));
  const take = (name: string | undefined): string | undefined => {
    if (name === undefined || usedNames.has(name)) return undefined;
    usedNames.add(name);
    return name;
  };
  const ownName = ([first = '', ...rest]: Path): string | undefined => {
    const name = String(first);
    return rest.length === 0 && isIdentifier(name) && !isBound(name) ? name : undefined;
  };
  // Names of the mapping are assigned first, then those of the source, and those of words last.
  const fixedNames = paths.map((path, i) =>
    take(mappedNames[i] ?? (ID_PATHS.includes(pathText(path)) ? 'key' : undefined)),
  );
  const sourceNames = paths.map((path, i) => fixedNames[i] ?? take(ownName(path)));
  return sourceNames.map((name, i) => name ?? freeName(camelCase(paths[i]!.join(' ')), usedNames, isTaken));
}

/** A code in an id's place is called `key`. */
const ID_PATHS = ['id', '_id.$oid'];

/** Names of codes that stand for a record, besides those of ids. */
const KEY_NAMES = 'key isbn isbn10 isbn13 asin sku slug ean gtin uuid guid'.split(' ');

/** Whether a column is named as one of codes that stand for records. */
function isKeyPath({ fields: [id] }: CollectionModel, [first = '', ...rest]: Path): boolean {
  const idNames = [id?.name, ...(id?.aliases ?? [])].map((name = '') => nameKey(name));
  const isWhole = rest.length === 0 || (rest.length === 1 && rest[0] === '$oid');
  return isWhole && [...KEY_NAMES, ...idNames].includes(nameKey(String(first)));
}

/** Whether a mapping may call a found field so. */
export const mayBeFoundName = (model: CollectionModel, name: string): boolean =>
  isIdentifier(name) && !BOUND.test(name) && !reservedIn(model).has(name);

/** Whether a column of a name feeds a documented field: `imageUrl`, `authorName`. */
function createFeedsDocumented(): (name: string) => boolean {
  const rank = createRank(anyCollection, NO_MAPPING);
  return (name) => anyCollection.fields.some((field) => rank(field, name) !== undefined);
}

function freeName(name: string, usedNames: Set<string>, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let n = 2; usedNames.has(free) || isTaken(free); n++) free = `${name}${n}`;
  usedNames.add(free);
  return free;
}

function camelCase(text: string): string {
  const [first = 'column', ...words] = wordsOf(text);
  const name = [first, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return isIdentifier(name) ? name : `_${name}`;
}

/**
 * The found fields of a collection: one for each path at which a file has a column that feeds no documented field, in the order of
 * the files. Answers of a documented collection have them on request only.
 */
export function foundFields(
  model: CollectionModel,
  files: readonly { readonly plan: Pick<Plan, 'found'> }[],
): readonly Field[] {
  const byPath = new Map<string, FoundColumn & { readonly kind: FoundKind; readonly unit: NumberUnit }>();
  for (const column of files.flatMap(({ plan }) => plan.found)) {
    const kind = kindOfColumn(model, column);
    const key = JSON.stringify(column.path);
    const earlier = byPath.get(key);
    if (kind === undefined || (earlier === undefined && byPath.size === MAX_FOUND_FIELDS)) continue;
    const unit = { ...unitOf(column.values), ...earlier?.unit };
    byPath.set(key, { ...(earlier ?? column), kind: commonKind(earlier?.kind ?? kind, kind), unit });
  }
  const columns = [...byPath.values()];
  const names = foundNames(
    columns.map(({ path }) => path),
    reservedIn(model),
    columns.map(({ name }) => name),
    // An export of articles or products is known by its names; any other one is read as a dump is.
    model.isOwn ? createFeedsDocumented() : undefined,
  );
  return columns.map(({ path, kind, unit }, i) => ({
    ...foundField(names[i]!, kind, `${pathText(path)} of the dump`),
    sourcePath: path,
    ...(isNumeric(kind) && unit),
    ...(kind === 'code' && isKeyPath(model, path) && { mayBeKey: true as const }),
    ...(model.isOwn === undefined && { onRequest: true as const }),
  }));
}

type NumberUnit = Pick<Field, 'isPercent' | 'currency'>;

/** The unit of a column's numbers: per cent, or the commonest currency of amounts that are mostly money. */
function unitOf(sampled: readonly unknown[]): NumberUnit {
  if (arePercentages(sampled)) return { isPercent: true };
  const values = sampled.filter(hasValue);
  const [[currency] = []] = currenciesOf(values);
  const areMoney = mostAre(values, (value) => typeof value === 'string' && isMoney(value));
  return currency !== undefined && areMoney ? { currency } : {};
}

/** Words such as `salt-mill` and `tea` are codes where the column is named so: `slug`. */
function kindOfColumn(model: CollectionModel, { path, values }: FoundColumn): FoundKind | undefined {
  const kind = foundKind(values);
  const isToken = (value: unknown): boolean => typeof value !== 'string' || /^\S*$/.test(value.trim());
  return kind === 'text' && isKeyPath(model, path) && values.every(isToken) ? 'code' : kind;
}

/** The names of documented fields and of all parameters. */
const reservedIn = ({ fields }: CollectionModel): ReadonlySet<string> =>
  new Set([
    ...RESERVED_NAMES,
    ...fields.flatMap(({ name, filter, facet = name }) => [name, facet, ...filterNames(filter)]),
  ]);

function filterNames(filter: Field['filter']): readonly string[] {
  if (filter === undefined) return [];
  if (filter.kind === 'range') return [filter.min, filter.max];
  return filter.match === undefined ? [filter.parameter] : [filter.parameter, filter.match];
}
