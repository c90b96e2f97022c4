/** Values as people read them: digits grouped, dates by the day, addresses by their host. English, like every text here. */
import type { Field, FieldKind } from '../../model.js';
import { grouped, parseUrl } from '../../text.js';
import { keptIn, memoize } from '../memoize.js';

/** A field's name as words: `imageUrl` → `image url`, `list_price` → `list price`. */
export const separateWords = (name: string): string => separated(name).toLowerCase();

/** `inStock` → `in stock`, `priceUSD` → `price USD`. */
const separated = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})(?=\p{Ll})/gu, (_, before, initial) => `${before} ${initial.toLowerCase()}`)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/_+/g, ' ')
    .trim() || name;

/** `open_jobs` → `Open jobs`, `products/changes` → `Changes of products`. */
export function collectionTitle(name: string): string {
  const [records = '', changes] = name.split('/');
  return capitalised(changes === undefined ? separateWords(records) : `${changes} of ${separateWords(records)}`);
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A column whose name was taken has its field's number: `date2` of the column `date` is `date 2`. */
function numbered(words: string, name: string): string {
  const [number = ''] = /\d+$/.exec(name) ?? [];
  return words.endsWith(number) ? words : `${words} ${number}`;
}

/**
 * `Image URL`; a column of the dump as the dump spells it: `Sale (EUR)`, `price.currency` → `Price currency`. The dump's own
 * `id` that is a key is `ID in the dump`: records have another id besides.
 */
export const labelOf = memoize((field: NamedField): string => capitalised(wordsOf(field)));

/** The label within a sentence, `image URL`. A column of the dump keeps the dump's capitals, as those of German nouns. */
export const wordsOf = memoize(({ name, sourcePath, part }: NamedField): string => {
  const words =
    sourcePath === undefined || part !== undefined
      ? separateWords(name)
      : numbered(separated(withoutBidiControls(sourcePath.join(' '))), name);
  const label = words.replace(/\b(?:id|url|sku|isbn|asin|ean|upc|gtin|plz)(?=\d*\b)/gi, (initials) =>
    initials.toUpperCase(),
  );
  return name === 'key' && label === 'ID' ? 'ID in the dump' : label;
});

type NamedField = Pick<Field, 'name' | 'sourcePath' | 'part'>;

/** A text for a place that cannot isolate it, such as the title of a window: `evil\u202Egnp.exe` would turn what follows around. */
export const withoutBidiControls = (text: string): string => text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');

/** `yes` and `no` of a field that is true or false; any other value as it is. */
export const valueText = ({ kind }: Pick<Field, 'kind'>, value: string): string =>
  kind === 'boolean' ? (value === 'true' ? 'yes' : 'no') : value;

/** The last part of a path: `scrapes/2026/articles.json` → `articles.json`. */
export const baseName = (path: string): string => path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '') || path;

/** At most `characters` of a text, and an ellipsis where it is cut; never half a character. */
export const shortened = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** `an author`, `a tag`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Most digits after the point to which numbers of a column are filled up, so that their points stand below one another. */
const MAX_FILLED_DECIMALS = 2;
/** Larger numbers, and those nearer to 0, are written with an exponent, as in JSON: 1e+21, 1e-7. */
const MIN_EXPONENTIAL = 1e21;
const MAX_EXPONENTIAL = 1e-6;
/** All digits of a number of that size; Intl rounds to the shortest text that reads as the same number. */
const ALL_DECIMALS = 20;
/** Formats by their fewest digits after the point. Making a format costs far more than using it. */
const numberFormats: Intl.NumberFormat[] = [];

/** A number with all of its digits, and at least `decimals` after the point (two at most): 52.35028, 0.00001107, 4.0. */
export function numberText(value: number, decimals = 0): string {
  if (decimals === 0 && value >= 0 && Number.isSafeInteger(value)) return grouped(value);
  const size = Math.abs(value);
  if (size >= MIN_EXPONENTIAL || (size > 0 && size < MAX_EXPONENTIAL)) return String(value);
  const minDecimals = Math.min(decimals, MAX_FILLED_DECIMALS);
  const digits = { minimumFractionDigits: minDecimals, maximumFractionDigits: ALL_DECIMALS };
  numberFormats[minDecimals] ??= new Intl.NumberFormat('en', digits);
  return numberFormats[minDecimals].format(value);
}

/** Whether a field's numbers are amounts of money. */
export const isMoneyField = ({ role, currency }: Pick<Field, 'role' | 'currency'>): boolean =>
  role === 'price' || currency !== undefined;

/** The digits after the point, of a column that has `decimals`: money has at least two, unless no amount of its column has any. */
export const shownDecimals = (field: Pick<Field, 'role' | 'currency'>, decimals: number): number =>
  isMoneyField(field) && decimals > 0 ? Math.max(2, decimals) : decimals;

const currencySigns = new Map<string, string>();

/** `€` of EUR, `CA$` of CAD; a currency without a sign, or one that a dump writes otherwise, as it is. */
const currencySign = (currency: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? keptIn(currencySigns, currency, () => {
        const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0);
        return parts.find(({ type }) => type === 'currency')?.value ?? currency;
      })
    : currency;

/** The text of a number with the sign of its field: `$5`, `CHF 5`, `15%`. */
export function withSign({ currency, isPercent }: Pick<Field, 'currency' | 'isPercent'>, number: string): string {
  if (isPercent) return `${number}%`;
  if (currency === undefined) return number;
  const sign = currencySign(currency);
  return `${sign}${/\p{L}$/u.test(sign) ? '\u00a0' : ''}${number}`;
}

/** The text of a number with the sign or the unit that most of the dump's values have: `$5`, `12 km`, `10,000+`, `#7`. */
export function withUnit(field: Pick<Field, 'currency' | 'isPercent' | 'unit'>, number: string): string {
  if (field.isPercent || field.unit === undefined) return withSign(field, number);
  const [, sign = '', behind = ''] = /^([#№~≈]?)(.*)$/u.exec(field.unit) ?? [];
  return `${sign}${number}${/^\p{L}/u.test(behind) ? '\u00a0' : ''}${behind}`;
}

/** `82.3%`. A share that is not whole never reads 100%, and one that is not zero never 0%. */
export function shareText(part: number, whole: number): string {
  if (part === whole) return '100%';
  const share = (part / whole) * 100;
  if (share > 99.9) return '>99.9%';
  return share > 0 && share < 0.1 ? '<0.1%' : `${numberText(Number(share.toFixed(1)))}%`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'];

/** `512 B`, `1.2 MB`, `34 MB`: two digits, as people estimate a download. */
export function fileSizeText(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1000 ** power;
  return `${size < 10 && power > 0 ? size.toFixed(1) : numberText(Math.round(size))} ${BYTE_UNITS[power]}`;
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** `31 January 2024 at 12:00 UTC`, in a tenth of the time of a format for all of it. */
export function longDate(timeMs: number): string {
  const time = new Date(timeMs).toISOString().slice(-13, -8);
  return `${longDay(timeMs)} at ${time} UTC`;
}

/** `31 January 2024`. */
export function longDay(timeMs: number): string {
  const date = new Date(timeMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `2024-01-31`. */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Bounds of bins are computed, and have a last digit that nobody wrote: 31.990000000000002. */
const AXIS_DIGITS = 12;

/** A number, year or time as it stands at the end of an axis. */
export function axisText(kind: FieldKind | 'year', value: number, decimals: number): string {
  if (kind === 'year') return String(value);
  if (kind === 'date') return dayOf(value);
  return numberText(Number(value.toPrecision(AXIS_DIGITS)), Number.isInteger(value) ? 0 : decimals);
}

/** The address if it is absolute, and `http:` or `https:`; null for any other, as `javascript:`. */
export function webAddress(text: unknown): URL | null {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text.trim())) return null;
  return parseUrl(text.trim());
}

/** `www.example.com` → `example.com`. */
export const hostText = (url: URL): string => url.host.replace(/^www\./, '');
