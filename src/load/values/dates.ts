/**
 * Spellings of points in time → milliseconds since 1970, UTC. A date without a zone is taken as UTC, a day without a
 * time as its first moment. `8/4/2016` is month/day, as the scraping world writes it, unless the file's column proves
 * day/month; a first part above 12 can only be a day.
 */
import { COLON, DIGIT_ZERO, HYPHEN, PLUS, POINT, SPACE } from '../../kernels/ascii.js';
import { BEYOND_ASCII, canonicalDate, DAY_MS, isDigit } from '../../text.js';
import { type Clock, MAY_BE_DATE, type NumberParts, readSpelledParts, ZONE } from './spelled-dates.js';
import { trimmed } from './texts.js';

/** Milliseconds since 1970 of a date as the service writes it; NaN for any other text. */
export function canonicalTime(text: string): number {
  const mayBeCanonical = text.endsWith('Z') && !text.endsWith('.000Z');
  const timeMs = mayBeCanonical ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(timeMs) && canonicalDate(timeMs) === text ? timeMs : Number.NaN;
}

const [UPPER_T, UPPER_Z] = [0x54, 0x5a];
const DAY_BYTES = '0000-00-00'.length;
const SECONDS_BYTES = '0000-00-00T00:00:00'.length;
const MAX_FRACTION_DIGITS = 9;

/** Two digits at `at`; NaN where there are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - DIGIT_ZERO;
  const ones = bytes[at + 1]! - DIGIT_ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/**
 * Milliseconds since 1970 of a date in `bytes[from … end)` as programs write it; NaN for any other text, and for years before 100.
 *
 *     2016-08-04  2016-08-04T15:52:00Z  2016-08-04T15:52:00.000Z  2016-08-04 15:52:00.123456+02:00
 *
 * `readDate` reads the same from each of them, in twenty times the processor time.
 */
export function isoTimeIn(bytes: Uint8Array, from: number, end: number): number {
  const length = end - from;
  if (length !== DAY_BYTES && length < SECONDS_BYTES) return Number.NaN;
  if (bytes[from + 4] !== HYPHEN || bytes[from + 7] !== HYPHEN) return Number.NaN;
  const year = 100 * twoDigits(bytes, from) + twoDigits(bytes, from + 2);
  const month = twoDigits(bytes, from + 5);
  const day = twoDigits(bytes, from + 8);
  // The zone may move the year by one.
  const isDay = year >= 100 && year < 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDay) return Number.NaN;
  const dayMs = Date.UTC(year, month - 1, day);
  return length === DAY_BYTES ? dayMs : dayMs + clockMsIn(bytes, from + DAY_BYTES, end);
}

/** Milliseconds from midnight UTC to a time of day with its zone, `T15:52:00.123+02:00`; NaN for any other text. */
function clockMsIn(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] !== UPPER_T && bytes[from] !== SPACE) return Number.NaN;
  if (bytes[from + 3] !== COLON || bytes[from + 6] !== COLON) return Number.NaN;
  const hour = twoDigits(bytes, from + 1);
  const minute = twoDigits(bytes, from + 4);
  const second = twoDigits(bytes, from + 7);
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  let at = from + SECONDS_BYTES - DAY_BYTES;
  let fractionMs = 0;
  if (at < end && bytes[at] === POINT) {
    const digitsFrom = ++at;
    // Digits behind the milliseconds are cut off.
    for (let unit = 100; at < end && isDigit(bytes[at]!); at++, unit = Math.trunc(unit / 10))
      fractionMs += unit * (bytes[at]! - DIGIT_ZERO);
    if (at === digitsFrom || at - digitsFrom > MAX_FRACTION_DIGITS) return Number.NaN;
  }
  return ((hour * 60 + minute - zoneMinutesIn(bytes, at, end)) * 60 + second) * 1000 + fractionMs;
}

/** Minutes of a zone: none, `Z`, `+02:00`, `+0200`; NaN for any other text. */
function zoneMinutesIn(bytes: Uint8Array, from: number, end: number): number {
  if (from === end || (end - from === 1 && bytes[from] === UPPER_Z)) return 0;
  const sign = bytes[from] === PLUS ? 1 : -1;
  const isColon = bytes[from + 3] === COLON;
  if ((sign < 0 && bytes[from] !== HYPHEN) || end - from !== (isColon ? 6 : 5)) return Number.NaN;
  const hours = twoDigits(bytes, from + 1);
  const minutes = twoDigits(bytes, from + (isColon ? 4 : 3));
  return hours <= MAX_ZONE_HOURS && minutes < 60 ? sign * (60 * hours + minutes) : Number.NaN;
}

const MAX_ZONE_HOURS = 15;

/** Whether a date that `isoTimeIn` reads is a day without a time. */
export const isDayLong = (from: number, end: number): boolean => end - from === DAY_BYTES;

/** Whether a text that `isoTimeIn` reads as `timeMs` is spelt as `canonicalDate` spells it. */
export function isCanonicalIn(bytes: Uint8Array, from: number, end: number, timeMs: number): boolean {
  if (Number.isNaN(timeMs) || bytes[from + DAY_BYTES] !== UPPER_T || bytes[end - 1] !== UPPER_Z) return false;
  const bytesOfFraction = end - from - SECONDS_BYTES - 1;
  return timeMs % 1000 === 0 ? bytesOfFraction === 0 : bytesOfFraction === '.000'.length;
}

/** Milliseconds since 1970 of an epoch; NaN where a number is none, and where its 14 digits may be a second: `20160804115230`. */
export function epochTime(value: number): number {
  const reading = value >= 1e13 && value < 1e14 ? 'unreadable' : readEpoch(value);
  return typeof reading === 'object' ? reading.timeMs : Number.NaN;
}

/** Writes `canonicalDate(timeMs)` to `bytes` for a year from 0 to 9999; returns where it ends. No string and no `Date` is made, which take three times as long. */
export function writeDate(bytes: Uint8Array, at: number, timeMs: number): number {
  const days = Math.floor(timeMs / DAY_MS);
  const milliseconds = timeMs - days * DAY_MS;
  const seconds = Math.trunc(milliseconds / 1000);
  writeDay(bytes, at, days);
  bytes[at + 10] = UPPER_T;
  writeTwoDigits(bytes, at + 11, Math.trunc(seconds / 3600));
  bytes[at + 13] = COLON;
  writeTwoDigits(bytes, at + 14, Math.trunc(seconds / 60) % 60);
  bytes[at + 16] = COLON;
  writeTwoDigits(bytes, at + 17, seconds % 60);
  let end = at + SECONDS_BYTES;
  const fraction = milliseconds % 1000;
  if (fraction > 0) {
    bytes[end] = POINT;
    bytes[end + 1] = DIGIT_ZERO + Math.trunc(fraction / 100);
    writeTwoDigits(bytes, end + 2, fraction % 100);
    end += '.000'.length;
  }
  bytes[end] = UPPER_Z;
  return end + 1;
}

/** Years are counted from 1 March, so that their leap day is the last. */
const DAYS_FROM_MARCH_OF_YEAR_0_TO_1970 = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/** Writes the day that is `days` after 1 January 1970 (`civil_from_days` of Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
function writeDay(bytes: Uint8Array, at: number, days: number): void {
  const daysFromMarch = days + DAYS_FROM_MARCH_OF_YEAR_0_TO_1970;
  const era = Math.floor(daysFromMarch / DAYS_OF_400_YEARS);
  const dayOfEra = daysFromMarch - era * DAYS_OF_400_YEARS;
  const leapDays = Math.trunc(dayOfEra / 1460) - Math.trunc(dayOfEra / 36_524) + Math.trunc(dayOfEra / 146_096);
  const yearOfEra = Math.trunc((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - 365 * yearOfEra - Math.trunc(yearOfEra / 4) + Math.trunc(yearOfEra / 100);
  const monthFromMarch = Math.trunc((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = 400 * era + yearOfEra + (month <= 2 ? 1 : 0);
  writeTwoDigits(bytes, at, Math.trunc(year / 100));
  writeTwoDigits(bytes, at + 2, year % 100);
  bytes[at + 4] = HYPHEN;
  writeTwoDigits(bytes, at + 5, month);
  bytes[at + 7] = HYPHEN;
  writeTwoDigits(bytes, at + 8, dayOfYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1);
}

function writeTwoDigits(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = DIGIT_ZERO + Math.trunc(value / 10);
  bytes[at + 1] = DIGIT_ZERO + (value % 10);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/**
 * With points the day stands first, `4.8.2016`, unless a column proves otherwise. `year first`: in dates of two digits each, `24.03.04`; others
 * have the month first.
 */
export type DateOrder = 'month first' | 'month first with points' | 'day first' | 'year first';

/** `order`: the date could be day/month or month/day, and the caller did not say which. */
export type DateReading = { readonly timeMs: number } | 'unreadable' | 'order';

/** ISO 8601's basic format with a time, also without the `T`, as archives of the web name their copies: `20160804115230`. */
const BASIC_ISO = new RegExp(
  String.raw`^(\d{4})(\d\d)(\d\d)(?:(?:T|(?=\d{6}$))(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?${ZONE})?$`,
  'i',
);

/** `Published: March 5, 2024`. */
const LABEL =
  /^(?:published|posted|written|created|date|(?:last\s+)?(?:updated|modified)|veröffentlicht|erschienen|erstellt|aktualisiert|stand|datum|publié|mis à jour|publicado|actualizado|atualizado|pubblicato|aggiornato)(?:\s+(?:on|am|le|el|il|em))?\s*:?\s+/i;
/** Digits of other scripts. Each script has its ten in a row. */
const OTHER_DIGITS = /(?!\d)\p{Nd}/gu;

/** The ASCII digit of another script's: its distance from the zero, which is the first of ten digits in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** A day without separators, `20160804`, or an epoch. */
const EIGHT_DIGITS = /^\d{8}/;

/** RFC 2822, as feeds have it, with a day that every month has. The platform reads it in a third of the time, but takes 31 June for 1 July. */
const FEED_DATE =
  /^[A-Z][a-z]{2}, (?:0?[1-9]|1\d|2[0-8]) [A-Z][a-z]{2} [1-9]\d{3} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d (?:GMT|[+-](?:0\d|1[0-4])[0-5]\d)$/;

/** Milliseconds since 1970 as .NET and OData write them in JSON, also with the zone in which they were shown: `/Date(836438400000+0100)/`. */
const JSON_DATE = /^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/;

/** Reads a date or an epoch in a text; `order`: of day and month, where their numbers do not tell. */
export function readDate(spelled: string, order?: DateOrder): DateReading {
  if (spelled.length > 200) return 'unreadable';
  const unlabelled = trimmed(spelled).replace(LABEL, '');
  const text = BEYOND_ASCII.test(unlabelled) ? unlabelled.replace(OTHER_DIGITS, asciiDigit) : unlabelled;
  if (text.length > 80) return 'unreadable';
  const [, jsonMs] = JSON_DATE.exec(text) ?? [];
  if (jsonMs !== undefined) return { timeMs: Number(jsonMs) };
  // ISO 8601 has years before our era as `-0044-03-15`.
  if (/^[-−]\d/.test(text) || (!MAY_BE_DATE.test(text) && !EIGHT_DIGITS.test(text))) return 'unreadable';
  const basic = BASIC_ISO.exec(text);
  if (basic) {
    const [, year, month, day, hours, minutes, seconds, fraction, zone] = basic;
    return inUtc(year, Number(month), day, [hours, minutes, seconds, fraction, undefined, zone]);
  }
  if (/^\d{9,17}(?:\.\d+)?$/.test(text)) return readEpoch(Number(text));
  const feedMs = FEED_DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(feedMs)) return { timeMs: feedMs };
  const parts = readSpelledParts(text);
  if (parts === undefined) return 'unreadable';
  if ('first' in parts) return readParts(parts, order);
  return inUtc(wholeYear(parts.year), parts.month, parts.day, parts.clock);
}

function readParts(parts: NumberParts, order: DateOrder | undefined): DateReading {
  const { first, separator, second, clock } = parts;
  const year = wholeYear(parts.year);
  const areShort = [first, second, parts.year].every(({ length }) => length === 2);
  if (areShort && order === 'year first') return inUtc(wholeYear(first), Number(second), parts.year, clock);
  // `10-11-12` may begin with the year.
  if (separator === '-' && parts.year.length === 2) return 'unreadable';
  // `24/03/05` is of 2005 where the day stands first, and of 2024 where the year does.
  const mayBeginWithYear = areShort && Number(first) > 12 && Number(parts.year) <= 31;
  if (separator === '/' && mayBeginWithYear && order !== 'day first')
    return order === undefined ? 'order' : 'unreadable';
  const isUsual = separator === '.' ? order !== 'month first with points' : order === 'day first';
  const dayFirst = Number(first) > 12 || (isUsual && (separator === '.' || Number(second) <= 12));
  if (!dayFirst && Number(second) <= 12 && first !== second && order === undefined) return 'order';
  return dayFirst ? inUtc(year, Number(second), first, clock) : inUtc(year, Number(first), second, clock);
}

/** The order of day and month that a date proves for its column: `13/4/2016` proves day first. Points prove it only of dates with points. */
export function provenOrder(text: string): 'day first' | 'month first' | 'day.month' | 'month.day' | undefined {
  const [, first, sign, second] = DAY_AND_MONTH.exec(trimmed(text)) ?? [];
  if (!(Number(first) > 12 || Number(second) > 12)) return undefined;
  const isDayFirst = Number(first) > 12;
  if (sign === '.') return isDayFirst ? 'day.month' : 'month.day';
  return isDayFirst ? 'day first' : 'month first';
}

/** Beside a year: `9:02 13/4/16`, `13-4-2016`, `13.4.2016`. */
const DAY_AND_MONTH = /(?:^|\s)(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(?:\d{4}|(?<=[./]\s?)\d\d)(?=$|[\s,T])/;

/** The order that a date proves, alone; `month first` where it proves none. */
export function likelyOrder(text: string): DateOrder {
  const proof = provenOrder(text);
  if (proof === 'month.day') return 'month first with points';
  return proof === 'day first' ? proof : 'month first';
}

/** Seconds, milliseconds or microseconds since 1970, distinguished by their size. Times before 1973 are unreadable: years and counts are no times. */
export function readEpoch(value: number): DateReading {
  if (!(value >= 1e8 && value < 1e17)) return 'unreadable';
  if (value < 1e11) return { timeMs: Math.trunc(value * 1000) };
  return { timeMs: Math.trunc(value < 1e14 ? value : value / 1000) };
}

const wholeYear = (year = ''): string => {
  if (year.length > 2) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
};

/** `clock`: hour, minute, second, fraction, AM or PM, zone. */
function inUtc(year: string | undefined, month: number, day: string | undefined, clock: Clock): DateReading {
  const [hours = '0', minutes = '0', seconds = '0', fraction = '', half, zone] = clock;
  const hour = hourOf(Number(hours), half);
  const offset = zoneMinutes(zone);
  if (hour === undefined || offset === undefined) return 'unreadable';
  // The end of a day is the next one's first moment, a leap second the next minute's.
  const isEndOfDay = hour === 24 && Number(minutes) === 0 && Number(seconds) === 0 && Number(fraction) === 0;
  if ((hour > 23 && !isEndOfDay) || Number(minutes) > 59 || Number(seconds) > 60) return 'unreadable';
  const date = new Date(0);
  date.setUTCFullYear(Number(year), month - 1, Number(day));
  // A day that the month lacks would run over into the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return 'unreadable';
  date.setUTCHours(hour, Number(minutes), Number(seconds), Number(fraction.padEnd(3, '0').slice(0, 3)));
  const timeMs = date.getTime() - offset * 60_000;
  const isFourDigits = timeMs >= Date.parse('0000-01-01T00:00:00Z') && timeMs < Date.UTC(10_000, 0);
  return isFourDigits ? { timeMs } : 'unreadable';
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
}

/** Hours before or behind UTC. */
const NAMED_ZONES: Readonly<Record<string, number>> = {
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ WET: 0, WEST: 1, CET: 1, MEZ: 1, CEST: 2, MESZ: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, KST: 9 },
};

function zoneMinutes(zone = ''): number | undefined {
  const text = zone.toUpperCase().replace(/^(?:UTC?|GMT|Z)/, '');
  if (text === '') return 0;
  const hoursOfName = NAMED_ZONES[text];
  if (hoursOfName !== undefined) return hoursOfName * 60;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2}):?(\d\d)?$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 15 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The words for each unit of a time that has passed, in English, German, French, Spanish, Italian and Portuguese. */
const AGO_UNITS: readonly (readonly [words: string, unit: Unit])[] = [
  ['s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi', 'second'],
  ['m min mins minute minutes minuten minuto minutos minuti', 'minute'],
  ['h hr hrs hour hours std stunde stunden heure heures hora horas ora ore', 'hour'],
  ['d day days tag tage tagen jour jours día días dia dias giorno giorni', 'day'],
  ['w wk wks week weeks woche wochen semaine semaines semana semanas settimana settimane', 'week'],
  ['mo month months monat monate monaten mois mes meses mês mese mesi', 'month'],
  ['y yr yrs year years jahr jahre jahren an ans année années año años ano anos anno anni', 'year'],
];
type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
const UNIT_OF: ReadonlyMap<string, Unit> = new Map(
  AGO_UNITS.flatMap(([words, unit]) => words.split(' ').map((word) => [word, unit] as const)),
);
const UNIT_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: DAY_MS, week: 604_800_000 } as const;

const AMOUNT = String.raw`(?:about|over|almost|etwa|environ)?\s*(\d{1,4}|an?|one|eine[mnr]?|une?|una?|um|uma)\s*\+?\s*(\p{L}{1,10})\.?`;
const AGO = new RegExp(String.raw`^(?:${AMOUNT}\s+(?:ago|fa|atrás)|(?:vor|il y a|hace|há)\s+${AMOUNT})$`, 'iu');
const DAYS_BACK: Readonly<Record<string, number>> = {
  ...{ now: 0, 'just now': 0, today: 0, yesterday: 1, heute: 0, gestern: 1, vorgestern: 2 },
  ...{ "aujourd'hui": 0, hier: 1, hoy: 0, ayer: 1, oggi: 0, ieri: 1, hoje: 0, ontem: 1 },
};
const NAMED_DAY = /^([\p{L}' ]+?)(?:,?\s+(?:at|um|à|às|a\s+las|alle)?\s*(\d{1,2}):(\d\d))?$/iu;

/** Whether a text is a relative date: `3 hours ago`, `yesterday`. */
export const isRelativeDate = (text: string): boolean => readRelativeDate(text, 0) !== undefined;

/** The time of a relative date that was scraped at `scrapedAtMs`; undefined for any other text. `yesterday` is 24 hours before. */
export function readRelativeDate(spelled: string, scrapedAtMs: number): number | undefined {
  const text = trimmed(spelled).replace(LABEL, '');
  if (text.length > 60) return undefined;
  const ago = AGO.exec(text);
  if (ago) return timeBefore(scrapedAtMs, ago[1] ?? ago[3] ?? '', ago[2] ?? ago[4] ?? '');
  const [, day = '', hours, minutes] = NAMED_DAY.exec(text) ?? [];
  const daysBack = Object.hasOwn(DAYS_BACK, day.toLowerCase()) ? DAYS_BACK[day.toLowerCase()] : undefined;
  if (daysBack === undefined) return undefined;
  const timeMs = scrapedAtMs - daysBack * UNIT_MS.day;
  return hours === undefined ? timeMs : new Date(timeMs).setUTCHours(Number(hours), Number(minutes), 0, 0);
}

function timeBefore(fromMs: number, amount: string, word: string): number | undefined {
  const unit = UNIT_OF.get(word.toLowerCase());
  if (unit === undefined) return undefined;
  const count = /^\d/.test(amount) ? Number(amount) : 1;
  if (unit !== 'month' && unit !== 'year') return fromMs - count * UNIT_MS[unit];
  const date = new Date(fromMs);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - count * (unit === 'year' ? 12 : 1));
  // A month earlier than 31 March is the last day of February.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
