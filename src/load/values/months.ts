/**
 * Names of months and days of the week. English ones are words of protocols (RFC 5322, ctime); those of other languages are the
 * platform's (Unicode CLDR by `Intl`), which are listed at the first name that is not English.
 */

const ENGLISH_MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const ENGLISH_DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Languages of whose abbreviations those of others give way: `mar` is März and marzo, not Finland's marraskuu. */
const FIRST_LANGUAGES = 'de fr es it pt ru ar'.split(' ');
const OTHER_LANGUAGES =
  'nl pl cs sk hu ro hr sr sr-Latn sl bg mk uk be tr az el sv da nb fi et lv lt is id ms fil th hi bn mr ta te ka kk hy he ca eu gl sq fa ur'.split(
    ' ',
  );

/** The names of some languages. */
interface Names {
  /** Months (1 to 12) by their names and by the first letters of these, three at least; 0 where they are those of several. */
  readonly months: ReadonlyMap<string, number>;
  readonly days: ReadonlySet<string>;
  /** The other words of a date: `de`, `г.`, `gada`. */
  readonly words: ReadonlySet<string>;
}

/** Small letters without accents and a closing point: `März` is `marz`. Vowel signs of other scripts stay. */
const bareName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

const english: Names = {
  months: monthsByName(ENGLISH_MONTHS.map((name, index) => [name, index + 1])),
  days: new Set(ENGLISH_DAYS.flatMap((name) => [name, name.slice(0, 3), name.slice(0, 4)])),
  words: new Set(['of', 'the', 'on']),
};

/** The month of a text that begins several: `jui` of juin and juillet. */
const NO_SINGLE_MONTH = 0;

/** Months by their names and by the first letters of these. A whole name goes before the beginning of another. */
function monthsByName(names: readonly (readonly [name: string, month: number])[]): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  const wholeNames = new Map<string, number>();
  const add = (map: Map<string, number>, name: string, month: number): void => {
    const earlierMonth = map.get(name) ?? month;
    map.set(name, earlierMonth === month ? month : NO_SINGLE_MONTH);
  };
  for (const [name, month] of names) {
    add(wholeNames, name, month);
    for (let length = 3; length < name.length; length++) add(months, name.slice(0, length), month);
  }
  for (const [name, month] of wholeNames) months.set(name, month);
  return months;
}

/** The month (1 to 12) of a name or of its first letters, three at least; 0 where there is none: `juin` is 6, `jui` could be two and is 0. */
export function monthNumber(spelled = ''): number {
  const name = bareName(spelled);
  for (const { months } of languageNames()) {
    const month = months.get(name);
    if (month !== undefined) return month;
  }
  return 0;
}

/** Whether a word is an English name of a month, of which no names of other languages are listed. */
export const isEnglishMonth = (spelled: string): boolean => english.months.has(bareName(spelled));

/** Whether a word is the name of a day of the week. */
export const isDayName = (spelled: string): boolean => hasName('days', bareName(spelled));

/** Whether dates have a word besides names of months and days. */
export const isDateWord = (spelled: string): boolean => hasName('words', bareName(spelled));

function hasName(set: 'days' | 'words', name: string): boolean {
  for (const names of languageNames()) if (names[set].has(name)) return true;
  return false;
}

let firstNames: Names | undefined;
let otherNames: Names | undefined;

/** The names of all languages, of which later ones are listed only when they are asked for. */
function* languageNames(): Generator<Names> {
  yield english;
  firstNames ??= namesOfLanguages(FIRST_LANGUAGES);
  yield firstNames;
  otherNames ??= namesOfLanguages(OTHER_LANGUAGES);
  yield otherNames;
}

const IN_UTC = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
/** A week, and a day of each month. */
const WEEK = [1, 2, 3, 4, 5, 6, 7].map((day) => Date.UTC(2024, 0, day));
const MONTHS = ENGLISH_MONTHS.map((_, month) => Date.UTC(2024, month, 5));
/** Names alone (`marzec`), in a date (`5 marca`), and short ones. */
const MONTH_FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { day: 'numeric', month: 'long', year: 'numeric' },
  { day: 'numeric', month: 'short', year: 'numeric' },
];

function namesOfLanguages(tags: readonly string[]): Names {
  const dates = tags.flatMap((tag) => MONTH_FORMS.map((form) => partsOfTimes(tag, form, MONTHS)));
  const weeks = tags.flatMap((tag) =>
    (['long', 'short'] as const).map((weekday) => partsOfTimes(tag, { weekday }, WEEK)),
  );
  const literals = dates.flat(2).filter(({ type }) => type === 'literal');
  const weekdays = weeks.flat(2).filter(({ type }) => type === 'weekday');
  return {
    months: monthsByName(dates.flatMap((months) => months.flatMap((parts, i) => namesOfMonth(parts, i + 1)))),
    days: new Set(weekdays.map(({ value }) => bareName(value))),
    words: new Set(literals.flatMap(({ value }) => value.match(/\p{L}+(?=\P{L})/gu) ?? []).map(bareName)),
  };
}

/** The month's name in a date, also with a word that some languages write before it without a space: `במרץ`. Others write numbers, `3.`. */
function namesOfMonth(parts: readonly Intl.DateTimeFormatPart[], month: number) {
  const at = parts.findIndex(({ type, value }) => type === 'month' && /^\p{L}/u.test(value));
  const name = parts[at]?.value;
  if (name === undefined) return [];
  const attached = /\p{L}+$/u.exec(parts[at - 1]?.value ?? '')?.[0] ?? '';
  return [bareName(name), bareName(attached + name)].map((each) => [each, month] as const);
}

const partsOfTimes = (tag: string, options: Intl.DateTimeFormatOptions, times: readonly number[]) => {
  const format = new Intl.DateTimeFormat(tag, { ...options, ...IN_UTC });
  return times.map((time) => format.formatToParts(time));
};
