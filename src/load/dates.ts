/**
 * Spellings of points in time → milliseconds since 1970, UTC. A date without a zone is taken as UTC, a day without a
 * time as its first moment. `8/4/2016` is month/day, as the scraping world writes it, unless the file's column proves
 * day/month; a first part above 12 can only be a day.
 */

/** How the service writes a date: `2016-08-04T15:52:00Z`, with three digits of milliseconds where they are not zero. */
export function canonicalDate(timeMs: number): string {
  const text = new Date(timeMs).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

/** Milliseconds since 1970 of a date as the service writes it; NaN for any other text. */
export function canonicalTime(text: string): number {
  const mayBeCanonical = text.endsWith('Z') && !text.endsWith('.000Z');
  const timeMs = mayBeCanonical ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(timeMs) && canonicalDate(timeMs) === text ? timeMs : Number.NaN;
}

export const isCanonicalDate = (text: string): boolean => !Number.isNaN(canonicalTime(text));

const SECONDS_FORM = Buffer.from('0000-00-00T00:00:00Z');
const MILLISECONDS_FORM_BYTES = SECONDS_FORM.length + '.000'.length;
const [DIGIT_ZERO, DIGIT_NINE] = [0x30, 0x39];

/**
 * Milliseconds since 1970 of a canonical date in `bytes[from … end)`; NaN for any other text, and for years before 100. A date
 * without milliseconds, as most are, is read from the bytes: a twentieth of what the runtime takes to read and write its text.
 */
export function canonicalTimeIn(bytes: Buffer, from: number, end: number): number {
  if (end - from === MILLISECONDS_FORM_BYTES) return canonicalTime(bytes.toString('latin1', from, end));
  if (end - from !== SECONDS_FORM.length) return Number.NaN;
  for (let i = 0; i < SECONDS_FORM.length; i++) {
    const byte = bytes[from + i]!;
    const isOfForm =
      SECONDS_FORM[i] === DIGIT_ZERO ? byte >= DIGIT_ZERO && byte <= DIGIT_NINE : byte === SECONDS_FORM[i];
    if (!isOfForm) return Number.NaN;
  }
  const numberAt = (at: number): number => 10 * (bytes[from + at]! - DIGIT_ZERO) + bytes[from + at + 1]! - DIGIT_ZERO;
  const [year, month, day] = [100 * numberAt(0) + numberAt(2), numberAt(5), numberAt(8)];
  const [hour, minute, second] = [numberAt(11), numberAt(14), numberAt(17)];
  const isTime = hour < 24 && minute < 60 && second < 60;
  if (!isTime || year < 100 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

export type DateOrder = 'month first' | 'day first';

/** `order`: the date could be day/month or month/day, and the caller did not say which. */
export type DateReading = { readonly timeMs: number } | 'unreadable' | 'order';

/** English, German, French, Spanish, Italian, Portuguese, Russian and Arabic, in the cases in which dates have them. */
const MONTH_NAMES = [
  'january januar janvier enero gennaio janeiro января январь يناير',
  'february februar février febrero febbraio fevereiro февраля февраль فبراير',
  'march märz mars marzo março марта март مارس',
  'april avril abril aprile апреля апрель أبريل',
  'may mai mayo maggio maio мая май مايو',
  'june juni juin junio giugno junho июня июнь يونيو',
  'july juli juillet julio luglio julho июля июль يوليو',
  'august août agosto августа август أغسطس',
  'september septembre septiembre settembre setembro сентября сентябрь سبتمبر',
  'october oktober octobre octubre ottobre outubro октября октябрь أكتوبر',
  'november novembre noviembre novembro ноября ноябрь نوفمبر',
  'december dezember décembre diciembre dicembre dezembro декабря декабрь ديسمبر',
].map((names) => names.split(' ').map(bareName));

/** Letters without accents and case: `März` is `marz`. */
function bareName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The month (1 to 12) of a name or of its first letters, three at least; 0 where there is none: `juin` is 6, `jui` could be two and is 0. */
function monthNumber(spelled = ''): number {
  const name = bareName(spelled);
  const months = MONTH_NAMES.flatMap((names, month) =>
    names.some((full) => full.startsWith(name)) ? [month + 1] : [],
  );
  const exact = MONTH_NAMES.findIndex((names) => names.includes(name)) + 1;
  if (exact > 0) return exact;
  return name.length >= 3 && months.length === 1 ? months[0]! : 0;
}

const TIME = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*([AaPp]\.?[Mm]\.?)?`;
const ZONE = String.raw`(Z|UTC?|GMT|[ECMP][SD]T|(?:UTC?|GMT)?[+-]\d{1,2}:?(?:\d\d)?)?(?:\s*\([^)]*\))?`;
const CLOCK = String.raw`(?:(?:[T,\s]|,?\s+(?:at|um|à|às|a\s+las|alle|в))\s*${TIME}\s*(?:Uhr)?\s*${ZONE})?`;
const DAY_NAME = String.raw`(?:[\p{L}-]{2,15}(?:\.?,?\s+|,))?`;
const MONTH = String.raw`(\p{L}{3,12})\.?`;

const ISO = new RegExp(String.raw`^(\d{4})([-/.]?)(\d\d)\2(\d\d)${CLOCK}$`, 'i');
/** ISO 8601's basic format with a time, also without the `T`, as archives of the web name their copies: `20160804115230`. */
const BASIC_ISO = new RegExp(
  String.raw`^(\d{4})(\d\d)(\d\d)(?:T|(?=\d{6}$))(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?${ZONE}$`,
  'i',
);
/** ISO 8601 without its zeros, and with the stray hyphen of templates that join a date and a time: `2024-12-5-T00:00:00Z`. */
const LOOSE_ISO = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})-?${CLOCK}$`, 'i');
const PARTS = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})${CLOCK}$`, 'i');
/** RFC 2822 and its like; its section 4.3 says what years of two digits mean. */
const DAY_MONTH = new RegExp(
  String.raw`^${DAY_NAME}(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]*(?:\s(?:de|of)\s+)?${MONTH},?[\s-]+(?:de[l]?\s+)?(\d{4}|\d\d)(?:\s*г\.?)?${CLOCK}$`,
  'iu',
);
const MONTH_DAY = new RegExp(String.raw`^${DAY_NAME}${MONTH}\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${CLOCK}$`, 'iu');
/** The year comes last, as `ctime`, `git log` and Twitter write it: `Thu Aug 4 15:52:00 2016 +0000`. */
const YEAR_LAST = new RegExp(
  String.raw`^[A-Za-z]{3}\s+([A-Za-z]{3})\s+(\d{1,2})\s+${TIME}\s+(?:([A-Z]{3,4}|[+-]\d{4})\s+)?(\d{4})\s*([+-]\d{4})?$`,
);

/** `2024年3月5日`, and the same in Korean. */
const EAST_ASIAN = new RegExp(String.raw`^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?${CLOCK}$`, 'i');
/** `Published: March 5, 2024`. */
const LABEL =
  /^(?:published|posted|written|veröffentlicht|erschienen|publié|publicado|pubblicato)(?:\s+(?:on|am|le|el|il|em))?\s*:?\s+/i;
/** Digits of Arabic and Persian, each ten characters in a row. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

export function readDate(spelled: string, order?: DateOrder): DateReading {
  if (spelled.length > 200) return 'unreadable';
  const text = spelled
    .trim()
    .replace(LABEL, '')
    .replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));
  if (text.length > 80) return 'unreadable';
  const iso = ISO.exec(text) ?? LOOSE_ISO.exec(text);
  if (iso) return inUtc(iso[1], Number(iso[3]), iso[4], iso.slice(5));
  const basic = BASIC_ISO.exec(text);
  if (basic) {
    const [, year, month, day, hours, minutes, seconds, fraction, zone] = basic;
    return inUtc(year, Number(month), day, [hours, minutes, seconds, fraction, undefined, zone]);
  }
  const parts = PARTS.exec(text);
  if (parts) return readParts(parts, order);
  const dayMonth = DAY_MONTH.exec(text);
  if (dayMonth) return inUtc(wholeYear(dayMonth[3]), monthNumber(dayMonth[2]), dayMonth[1], dayMonth.slice(4));
  const monthDay = MONTH_DAY.exec(text);
  if (monthDay) return inUtc(monthDay[3], monthNumber(monthDay[1]), monthDay[2], monthDay.slice(4));
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian) return inUtc(eastAsian[1], Number(eastAsian[2]), eastAsian[3], eastAsian.slice(4));
  const last = YEAR_LAST.exec(text);
  if (last) return inUtc(last[9], monthNumber(last[1]), last[2], [...last.slice(3, 8), last[10] ?? last[8]]);
  return /^\d{9,17}(?:\.\d+)?$/.test(text) ? readEpoch(Number(text)) : 'unreadable';
}

function readParts(parts: RegExpExecArray, order: DateOrder | undefined): DateReading {
  const [, first, separator, second, year, ...clock] = parts;
  // Points are German: the day comes first.
  const dayFirst = separator === '.' || Number(first) > 12 || (Number(second) <= 12 && order === 'day first');
  if (!dayFirst && Number(second) <= 12 && first !== second && order === undefined) return 'order';
  return dayFirst ? inUtc(year, Number(second), first, clock) : inUtc(year, Number(first), second, clock);
}

/** The order of day and month that a date proves for its column: `13/4/2016` proves day first. */
export function provenOrder(text: string): DateOrder | undefined {
  const [, first, separator, second] = PARTS.exec(text.trim()) ?? [];
  if (separator === undefined || separator === '.') return undefined;
  if (Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : undefined;
}

/** Seconds, milliseconds or microseconds since 1970, distinguished by their size. Times before 1973 are unreadable: years and counts are no times. */
export function readEpoch(value: number): DateReading {
  const size = Math.abs(value);
  if (size < 1e8 || size >= 1e17) return 'unreadable';
  const timeMs = Math.trunc(size < 1e11 ? value * 1000 : size < 1e14 ? value : value / 1000);
  return value > 0 && timeMs < Date.UTC(10_000, 0) ? { timeMs } : 'unreadable';
}

const wholeYear = (year = ''): string => {
  if (year.length > 2) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
};

type Parts = readonly (string | undefined)[];

/** `clock`: hour, minute, second, fraction, AM or PM, zone. */
function inUtc(year: string | undefined, month: number, day: string | undefined, clock: Parts): DateReading {
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

const NAMED_ZONES: Readonly<Record<string, number>> = { E: -5, C: -6, M: -7, P: -8 };

function zoneMinutes(zone = ''): number | undefined {
  const text = zone.toUpperCase().replace(/^(?:UTC?|GMT|Z)/, '');
  if (text === '') return 0;
  const named = NAMED_ZONES[text.charAt(0)];
  if (named !== undefined) return (named + (text.charAt(1) === 'D' ? 1 : 0)) * 60;
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
const UNIT_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

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
  const text = spelled.trim().replace(LABEL, '');
  if (text.length > 60) return undefined;
  const ago = AGO.exec(text);
  if (ago) return before(scrapedAtMs, ago[1] ?? ago[3] ?? '', ago[2] ?? ago[4] ?? '');
  const [, day = '', hours, minutes] = NAMED_DAY.exec(text) ?? [];
  const daysBack = Object.hasOwn(DAYS_BACK, day.toLowerCase()) ? DAYS_BACK[day.toLowerCase()] : undefined;
  if (daysBack === undefined) return undefined;
  const timeMs = scrapedAtMs - daysBack * UNIT_MS.day;
  return hours === undefined ? timeMs : new Date(timeMs).setUTCHours(Number(hours), Number(minutes), 0, 0);
}

function before(fromMs: number, amount: string, word: string): number | undefined {
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
