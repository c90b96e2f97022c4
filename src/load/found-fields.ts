/**
 * The columns of a file that feed no documented field, as fields of their own: where their values stand, of which kind these are, and
 * what the API calls them. Pure functions of the sample and of names; nothing here reads a file.
 */
import { type CollectionModel, type Field, type FieldKind, foundField, RESERVED_NAMES } from '../model.js';
import { parsedJson } from '../text.js';
import { readDate } from './dates.js';
import { isCode, wordsOf } from './guesses.js';
import { currencyIn, readPercentage, readPlainNumber, readSpelledNumber } from './numbers.js';
import { isPlainObject, memberOf, pathText } from './paths.js';
import type { Plan } from './plan.js';
import { isNullWord } from './texts.js';

/** A collection has no more found fields than these. */
export const MAX_FOUND_FIELDS = 200;
/** `a.b.c` is a field, what is inside of it is kept as it came. */
const MAX_DEPTH = 3;

/** `json`: a value that has no scalar form, such as a list of objects, is kept as it came and only shown. */
export type FoundKind = Exclude<FieldKind, 'url'>;

/** The values at a path of the sampled records, those that are not null. */
export interface FoundColumn {
  readonly path: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * The columns of a sample that feed no documented field, objects resolved into their members, in the order of the source.
 *
 *     {"price": {"value": 9, "currency": "EUR"}, "brand": "Acme"}, where price.value is fed:
 *     price.currency, brand
 */
export function foundColumns(
  columns: ReadonlyMap<string, readonly unknown[]>,
  isFed: (path: readonly string[]) => boolean,
): readonly FoundColumn[] {
  const found: FoundColumn[] = [];
  const visit = (path: readonly string[], values: readonly unknown[]): void => {
    if (isFed(path) || found.length === MAX_FOUND_FIELDS) return;
    const filled = values.filter((value) => value !== null && value !== undefined);
    const objects = filled.filter(isPlainObject);
    if (path.length < MAX_DEPTH && objects.length > 0 && objects.length === filled.length) {
      const names = new Set(objects.flatMap((object) => Object.keys(object)));
      for (const name of names)
        visit(
          [...path, name],
          objects.map((object) => memberOf(object, name)),
        );
    } else if (filled.length > 0) found.push({ path, values: filled });
  };
  for (const [name, values] of columns) visit([name], values);
  return found;
}

/** Fewer values of a kind make a column of texts. */
const MIN_KIND_SHARE = 0.9;
const MIN_CODE_SHARE = 0.5;
const BOOLEAN = /^(?:true|false)$/i;
const DIGITS = /^[+-]?\d+$/;
/** Digits that are no number: `0049`, a bar code, a card. */
const MAX_NUMBER_DIGITS = 15;

const most = (values: readonly unknown[], test: (value: unknown) => boolean): boolean =>
  values.filter(test).length >= MIN_KIND_SHARE * values.length;

/** The kind of a column, decided by its sampled values; undefined where none of them says anything. */
export function foundKind(sampled: readonly unknown[]): FoundKind | undefined {
  const values = sampled.map(spelledList).filter(hasValue);
  if (values.length === 0) return undefined;
  if (values.some(isPlainObject)) return 'json';
  const lists = values.filter((value) => Array.isArray(value));
  if (lists.length >= values.length / 2) return kindOfLists(lists.flat());
  const scalars = values.map((value) => (Array.isArray(value) ? value.join(', ') : value));
  if (most(scalars, isBoolean)) return 'boolean';
  if (!scalars.some(isDigitsOfCode)) {
    if (most(scalars, isInteger))
      return scalars.every((value) => !isNumber(value) || isInteger(value)) ? 'integer' : 'number';
    if (most(scalars, isNumber) || most(scalars, isPercentage)) return 'number';
    if (most(scalars, isDate)) return 'date';
  }
  return areCodes(scalars) ? 'code' : 'text';
}

function kindOfLists(elements: readonly unknown[]): FoundKind | undefined {
  const scalars = elements.filter(hasValue);
  if (scalars.some((element) => typeof element === 'object')) return 'json';
  if (scalars.length === 0) return undefined;
  return areCodes(scalars) ? 'codes' : 'texts';
}

/** A list as JSON or CSV has it: `["a","b"]` in a cell is one. */
function spelledList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : value;
}

/** An empty list, a blank text and a word such as `N/A` are missing values. */
const hasValue = (value: unknown): boolean => {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'string' || (value.trim() !== '' && !isNullWord(value.trim()));
};

const isBoolean = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && BOOLEAN.test(value.trim()));

const isDigitsOfCode = (value: unknown): boolean => {
  if (typeof value !== 'string' || !DIGITS.test(value.trim())) return false;
  const digits = value.trim().replace(/^[+-]/, '');
  return digits.length > MAX_NUMBER_DIGITS || (digits.length > 1 && digits.startsWith('0'));
};

const isInteger = (value: unknown): boolean =>
  typeof value === 'string' ? DIGITS.test(value.trim()) : Number.isSafeInteger(value);

/** A plain number, or an amount of money. */
const isNumber = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  const text = value.trim();
  const isMoney = isCurrency(currencyIn(text)) && readSpelledNumber(text) !== undefined;
  return isMoney || isInteger(text) || readPlainNumber(text) !== undefined || readGrouped(text);
};

/** Codes of currencies in which shops have prices: `SKU 0012` is no amount, `USD 12` is one. */
const CURRENCY_CODES = new Set(
  'AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JOD JPY KES KRW KWD LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR'.split(
    ' ',
  ),
);

const isCurrency = (sign: string | undefined): boolean =>
  sign !== undefined && (!/^[A-Z]{3}$/.test(sign) || CURRENCY_CODES.has(sign));

/** `1,234` and `12,5`. */
const readGrouped = (text: string): boolean =>
  /^[+-]?\d[\d.,'’\u00a0\u202f ]*$/.test(text) && readSpelledNumber(text) !== undefined;

const isPercentage = (value: unknown): boolean => typeof value === 'string' && readPercentage(value) !== undefined;

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && !/^[\d.]+$/.test(value.trim()) && typeof readDate(value, 'month first') === 'object';

const areCodes = (values: readonly unknown[]): boolean =>
  values.filter((value) => isDigitsOfCode(value) || (typeof value === 'string' && isCode(value.trim()))).length >
  MIN_CODE_SHARE * values.length;

/** The kind of a field of several files: an integer with a number is a number, any other disagreement is a text. */
export function commonKind(a: FoundKind, b: FoundKind): FoundKind {
  if (a === b) return a;
  const areNumbers = [a, b].every((kind) => kind === 'integer' || kind === 'number');
  return areNumbers ? 'number' : 'text';
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const BOUND = /_(?:gte|lte)$/;

/**
 * What the API calls the columns at some paths: their own name where it is an identifier and means nothing else, else their words, with
 * a number where that is taken. `reserved` are names of documented fields and parameters.
 *
 *     brand, list-price, Sale (EUR), price.currency, page
 *     brand, listPrice,  saleEur,    priceCurrency,  page2
 */
export function foundNames(paths: readonly (readonly string[])[], reserved: ReadonlySet<string>): readonly string[] {
  const taken = new Set(reserved);
  const all = new Set([...reserved, ...paths.map(([first]) => first)]);
  // `stock_gte` is a parameter of `stock`.
  const isBound = (name: string) => BOUND.test(name) && all.has(name.replace(BOUND, ''));
  const ownName = (path: readonly string[]): string | undefined => {
    const [name = ''] = path;
    const isOwn = path.length === 1 && IDENTIFIER.test(name) && !isBound(name) && !taken.has(name);
    if (isOwn) taken.add(name);
    return isOwn ? name : undefined;
  };
  // A name of the source goes before one that is made of words.
  const own = paths.map(ownName);
  return own.map((name, i) => name ?? freeName(camelCase(paths[i]!.join(' ')), taken));
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`;
  taken.add(free);
  return free;
}

function camelCase(text: string): string {
  const [first = 'column', ...words] = wordsOf(text);
  const name = [first, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return IDENTIFIER.test(name) ? name : `_${name}`;
}

/**
 * The fields that a collection has besides the documented ones: of each path at which any of its files has a column that
 * feeds nothing, in the order of the files. `areShown` puts them into answers that name no fields.
 */
export function foundFields(
  model: CollectionModel,
  files: readonly { readonly plan: Pick<Plan, 'found'> }[],
  areShown: boolean,
): readonly Field[] {
  const kinds = new Map<string, { readonly path: readonly string[]; readonly kind: FoundKind }>();
  for (const { plan } of files)
    for (const { path, values } of plan.found()) {
      const kind = foundKind(values);
      const key = JSON.stringify(path);
      const known = kinds.get(key);
      if (kind !== undefined && (known !== undefined || kinds.size < MAX_FOUND_FIELDS))
        kinds.set(key, { path, kind: known === undefined ? kind : commonKind(known.kind, kind) });
    }
  const columns = [...kinds.values()];
  const names = foundNames(
    columns.map(({ path }) => path),
    reservedIn(model),
  );
  return columns.map(({ path, kind }, i) => ({
    ...foundField(names[i]!, kind, `${pathText(path)} of the dump`),
    sourcePath: path,
    ...(!areShown && { onRequest: true as const }),
  }));
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
