/** A date as the service writes it (`isCanonicalDate`), read from bytes. */
const ZERO = 48;
/** Days before each month of a year that begins in March: then the leap day is the last. */
const DAYS_BEFORE_MONTH = Int16Array.of(306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275);
const MONTH_DAYS = Uint8Array.of(31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31);
/** From 0000-03-01 to 1970-01-01. */
export const DAYS_TO_EPOCH = 719_468;
/** Milliseconds since 1970 of the date that is `bytes[from … to)`; NaN where that is no date in this form. */
export function canonicalDateMs(bytes, from, to) {
    const length = to - from;
    if (length !== 20 && (length !== 24 || bytes[from + 19] !== 46))
        return Number.NaN;
    if (bytes[to - 1] !== 90 || bytes[from + 10] !== 84)
        return Number.NaN;
    if (bytes[from + 4] !== 45 || bytes[from + 7] !== 45)
        return Number.NaN;
    if (bytes[from + 13] !== 58 || bytes[from + 16] !== 58)
        return Number.NaN;
    const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
    const month = twoDigits(bytes, from + 5);
    const day = twoDigits(bytes, from + 8);
    const hour = twoDigits(bytes, from + 11);
    const minute = twoDigits(bytes, from + 14);
    const second = twoDigits(bytes, from + 17);
    if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
        return Number.NaN;
    if (!(hour <= 23 && minute <= 59 && second <= 59))
        return Number.NaN;
    const days = daysSinceEpoch(year, month, day);
    const timeMs = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000;
    if (length === 20)
        return timeMs;
    const fraction = twoDigits(bytes, from + 20) * 10 + digit(bytes, from + 22);
    return fraction > 0 ? timeMs + fraction : Number.NaN;
}
/** The civil calendar counted from March on, so that a leap day ends a year (Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
function daysSinceEpoch(year, month, day) {
    const years = month > 2 ? year : year - 1;
    const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
    return years * 365 + leapDays + DAYS_BEFORE_MONTH[month - 1] + day - 1 - DAYS_TO_EPOCH;
}
function daysIn(year, month) {
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1];
}
/** NaN where there is another byte. */
function digit(bytes, at) {
    const value = bytes[at] - ZERO;
    return value >= 0 && value <= 9 ? value : Number.NaN;
}
const twoDigits = (bytes, at) => digit(bytes, at) * 10 + digit(bytes, at + 1);
