/** Values as people read them: digits grouped, dates by the day, addresses by their host. English, like every text here. */
import type { Field, FieldKind } from '../../model.js';
import { dayOf } from './date-edges.js';
import { once } from './once.js';

/** A field's name as words: `imageUrl` → `image url`. */
export const wordsOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const labelOf = once(({ name }: Pick<Field, 'name'>): string =>
  capitalised(wordsOf(name)).replace(/\b(?:id|url)\b/gi, (initials) => initials.toUpperCase()),
);

export const isNumeric = (kind: FieldKind): boolean => kind === 'integer' || kind === 'number';

const MAX_DECIMALS = 3;
/** By the digits after the point that are always shown; making a format costs far more than using it. */
const formats = Array.from(
  { length: MAX_DECIMALS + 1 },
  (_, decimals) =>
    new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: MAX_DECIMALS }),
);

export const numberText = (value: number, decimals = 0): string =>
  decimals === 0 && value >= 0 && Number.isSafeInteger(value)
    ? grouped(String(value))
    : (formats[Math.min(decimals, MAX_DECIMALS)]?.format(value) ?? String(value));

/** What a format makes of counts, of which a page has many, for a fraction of its time. */
const grouped = (digits: string): string =>
  digits.length <= 3 ? digits : `${grouped(digits.slice(0, -3))},${digits.slice(-3)}`;

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
const months = Array.from({ length: 12 }, (_, month) => monthFormat.format(Date.UTC(2000, month)));

/** `31 January 2024 at 12:00 UTC`, in a tenth of the time of a format for all of it. */
export function longDate(timeMs: number): string {
  const date = new Date(timeMs);
  const time = date.toISOString().slice(-13, -8);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}

/** A number or a time as it stands at the end of an axis. */
export const axisText = (kind: FieldKind, value: number, decimals: number): string =>
  kind === 'date' ? dayOf(value) : numberText(value, Number.isInteger(value) ? 0 : decimals);

/** The address if it is one that a browser may be sent to, or null: never `javascript:` or a relative one. */
export function webAddress(text: unknown): URL | null {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text.trim())) return null;
  return URL.canParse(text.trim()) ? new URL(text.trim()) : null;
}

/** `example.com`, shortened by what says nothing. */
export const hostText = (url: URL): string => url.host.replace(/^www\./, '');
