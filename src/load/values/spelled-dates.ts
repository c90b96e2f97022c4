/**
 * The parts of dates with a year as people write them, in any order of date and time: `10:06am Dec 11, 2014`, `22 janvier 2015 à 14h40`,
 * `18.10.14 um 22:56 Uhr`, `2016年06月30日09时30分`. Words that belong to no date make a text none.
 */
import { isDateWord, isDayName, monthNumber } from './months.js';

/** Hour, minute, second, fraction, AM or PM, zone. */
export type Clock = readonly (string | undefined)[];

/** A date whose month is known. */
interface NamedParts {
  readonly year: string;
  readonly month: number;
  readonly day: string;
  readonly clock: Clock;
}

/** A date of numbers, of which the first or the second is the month. */
export interface NumberParts {
  readonly first: string;
  readonly separator: string;
  readonly second: string;
  readonly year: string;
  readonly clock: Clock;
}

type DateParts = NamedParts | NumberParts;

export const ZONE = String.raw`(Z|UTC?|GMT|[ECMP][SD]T|CES?T|EES?T|WES?T|MES?Z|MSK|JST|KST|(?:UTC?|GMT)?[+-]\d{1,2}:?(?:\d\d)?)?(?:\s*\([^)]*\))?`;
const HALF_OF_DAY = String.raw`([ap]\.?\s?m\b\.?)`;
/** Words between a date and its time. */
const BETWEEN = String.raw`(?:(?:at|um|om|à|às|a\s+las|alle|ore|en|в|у|о|u|v|o|ob|la|klo|kl\.?|kello)\s+|[@|·–-]\s*)?`;
const CLOCK_END = String.raw`\s*(?:Uhr\b|uur\b|hrs?\b)?\s*\(?${ZONE}\)?(?=$|[\s,])`;
/** `14:40`, `2:40:05.5 pm`, `14h40`, `T14:40` */
const TIME_OF_DAY = new RegExp(
  String.raw`(?:^|[\s,|日일号號]|(?<=\d)-?T|(?<=\d{4}):)\s*${BETWEEN}(\d{1,2})(?::|\s?h\s?)(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*${HALF_OF_DAY})?${CLOCK_END}`,
  'iu',
);
/** `1 a.m.`, `14h` */
const HOUR = new RegExp(String.raw`(?:^|[\s,|])\s*${BETWEEN}(\d{1,2})\s?(?:${HALF_OF_DAY}|h\b)${CLOCK_END}`, 'iu');
/** `13.12` behind a whole date, and `12.16 pm`. */
const POINTED_CLOCK = new RegExp(
  String.raw`[\s,]\s*${BETWEEN}(\d{1,2})\.(\d\d)(?:\s*${HALF_OF_DAY})?\s*(?:Uhr)?$`,
  'iu',
);
/** `21時40分`, `오후 3시 5분`, `晚8:00` */
const EAST_ASIAN_CLOCK =
  /\s*(午前|上午|早上|오전|午後|下午|晚上?|오후)?\s*(\d{1,2})\s?(?:[時时点點시]\s?(?:(\d{1,2})\s?[分분])?\s?(?:(\d{1,2})\s?[秒초])?|[:：](\d\d)(?:[:：](\d\d))?)$/u;
/** `2016年06月30日`, `2016-6-30`, `ngày 30 tháng 6 năm 2016` */
const WITH_MONTH_NUMBERS: readonly RegExp[] = [
  /^(?<year>\d{4})\s*[年년]\s*(?<month>\d{1,2})\s*[月월]\s*(?<day>\d{1,2})\s*(?:[日일号號]\s*(?:\(?\p{L}{1,3}\)?)?)?$/u,
  /^(?<year>\d{4})\s?([./-])\s?(?<month>\d{1,2})\s?\2\s?(?<day>\d{1,2})\.?$/,
  /^(?:\p{L}+\s\p{L}+,\s+)?(?:ngày\s+)?(?<day>\d{1,2})\s+tháng\s+(?<month>\d{1,2}),?\s+(?:năm\s+)?(?<year>\d{4})$/iu,
];
/** `Fr, 05.01.2024`, `am 05.01.2024` */
const BEHIND_WORD = /^(\p{L}{2,15})\.?,?\s+(\d.*)$/u;
/** The same sign stands between the numbers, with spaces around it or not: `26. 10. 2021.` */
const DATE_NUMBERS = /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)\.?$/;

const MAX_DATE_CHARS = 60;
/** Three numbers, or two with a word: every date has these, but one of digits alone. */
export const MAY_BE_DATE = /\d\D+\d+\D+\d|\d\D*\p{L}[\p{L}\p{M}.]\D*\d|\p{L}[\p{L}\p{M}.]\D*\d+\D+\d{4}/u;

/** The date and its time, of a text that may be a date; undefined where it is none. Digits are those of ASCII. */
export function readSpelledParts(text: string): DateParts | undefined {
  if (text.length > MAX_DATE_CHARS) return undefined;
  const plain = UNUSUAL_DATE.test(text) ? usualSpelling(text) : text;
  return (
    (plain.includes(':') ? undefined : readDay(plain, [])) ??
    withClock(plain, TIME_OF_DAY) ??
    withClock(plain, HOUR) ??
    withClock(plain, POINTED_CLOCK) ??
    readEastAsian(plain)
  );
}

const UNUSUAL_DATE = /[[\]]|(?:noon|midnight)$| \d{4} [+-]\d{4}$/i;

/** `[4 Aug 2016]`, `4 Aug 2016 at noon`; the zone behind the year, as `git log` writes it: `Thu Aug 4 15:52:00 2016 +0200`. */
const usualSpelling = (text: string): string =>
  text
    .replace(/[[\]]/g, ' ')
    .replace(/ (\d{4}) ([+-]\d{4})$/, ' $2 $1')
    .replace(/\b(?:at\s+)?noon$/i, ' 12:00')
    .replace(/\b(?:at\s+)?midnight$/i, ' 0:00')
    .trim();

/** Reads a date without its clock, which a pattern finds. */
function withClock(text: string, pattern: RegExp): DateParts | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const behind = text.slice(match.index + match[0].length);
  // Capital letters behind a time are a zone that is not known.
  if (/^\s*\(?[A-Z]{2,5}\b/.test(behind)) return undefined;
  return readDay(`${text.slice(0, match.index)} ${behind}`, clockOf(pattern, match));
}

function clockOf(pattern: RegExp, [, hours, second, third, fourth, fifth, sixth]: RegExpExecArray): Clock {
  if (pattern === TIME_OF_DAY) return [hours, second, third, fourth, fifth, sixth];
  return pattern === HOUR ? [hours, '0', '0', '', second, third] : [hours, second, '0', '', third, undefined];
}

function readEastAsian(text: string): DateParts | undefined {
  const match = EAST_ASIAN_CLOCK.exec(text);
  if (match === null) return undefined;
  const [, half, hours, minutes, seconds, afterColon, secondsAfterColon] = match;
  const isAfternoon = /^(?:午後|下午|晚|오후)/.test(half ?? '');
  const englishHalf = isAfternoon ? 'pm' : 'am';
  return readDay(text.slice(0, match.index), [
    ...[hours, minutes ?? afterColon ?? '0', seconds ?? secondsAfterColon ?? '0', ''],
    half && englishHalf,
  ]);
}

function readDay(untrimmed: string, clock: Clock): DateParts | undefined {
  const text = untrimmed.replace(/^[\s,|·–-]+|[\s,|·@–-]+$/g, '');
  const [, word, rest = text] = BEHIND_WORD.exec(text) ?? [];
  const numbers = DATE_NUMBERS.exec(rest);
  if (numbers !== null && (word === undefined || isOtherWord(word) || isDayName(word))) {
    const [, first = '', separator = '', second = '', year = ''] = numbers;
    return { year, first, second, separator, clock };
  }
  for (const pattern of WITH_MONTH_NUMBERS) {
    const { year, month, day } = pattern.exec(text)?.groups ?? {};
    if (year !== undefined && day !== undefined) return { year, month: Number(month), day, clock };
  }
  return readWords(text, clock);
}

const TOKEN = /\d+|[\p{L}\p{M}](?:[\p{L}\p{M}'’॰]|[.-](?=\p{L}))*/gu;
const SEPARATORS = /^[\s,.'"’()/|@·–-]*$/;
/** Words that stand in dates, and not in those that the platform writes: endings of ordinals, words between a day and its year. */
const OTHER_WORDS = new Set(
  'st nd rd th er e º ª го of the de del den d von vom am le el il on om u v года року year année año წლის წ লা রা ঠা ই শে সাল सन्'.split(
    ' ',
  ),
);

/** Only behind the month a year may have two digits: `04-Aug-16`. */
const DAY_MONTH_YEAR = /\d\P{N}*\p{L}{3}\P{N}*\d\d$/u;

const isOtherWord = (word: string): boolean => OTHER_WORDS.has(word.toLowerCase());

/** A date with the name of its month: a day, a year, and no word that belongs to no date. */
function readWords(text: string, clock: Clock): DateParts | undefined {
  if (!SEPARATORS.test(text.replace(TOKEN, ''))) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  const numbers = tokens.filter((token) => /^\d/.test(token));
  const [early = '', late = ''] = numbers;
  const isYearFirst = early.length === 4;
  const [year, day] = isYearFirst ? [early, late] : [late, early];
  const isYear = year.length === 4 || (year.length === 2 && DAY_MONTH_YEAR.test(text));
  if (numbers.length !== 2 || !isYear || day.length > 2 || day === '') return undefined;
  const words = tokens.filter((token) => !/^\d/.test(token) && !isOtherWord(token));
  // A name of the day may stand first, and be one of a month as well: `mar` of mardi, `Sun`.
  const [first = '', ...others] = words;
  const isDayFirst = others.length > 0 && tokens[0] === first;
  const mayBeMonths = isDayFirst ? others : words;
  const monthWords =
    mayBeMonths.length === 1
      ? mayBeMonths
      : mayBeMonths.filter((word) => !isDateWord(word) && !isDayNameBehind(word, tokens));
  if (monthWords.length !== 1) return undefined;
  const [monthWord = ''] = monthWords;
  const month = monthNumber(monthWord);
  return month === 0 ? undefined : { year: gregorianYear(year, monthWord), month, day, clock };
}

/** The year beside a name of a month: Thailand counts years from the death of the Buddha, and has 2567 in 2024. */
const gregorianYear = (year = '', monthWord = ''): string =>
  Number(year) > 2400 && /\p{Script=Thai}/u.test(monthWord) ? String(Number(year) - 543) : year;

/** Whether a word is the name of a day behind the date: `5 May 2020, Tuesday`. */
const isDayNameBehind = (word: string, tokens: readonly string[]): boolean =>
  tokens.length > 3 && tokens.at(-1) === word && isDayName(word);
