/** Moments as people write them: a year, month, day, minute or second stands for all the time that it covers. */

const MOMENT = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;

interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly start: number;
  /** The last millisecond that still belongs to it. */
  readonly end: number;
}

/** Reads ISO 8601 of any precision from the year on; without a zone it is UTC. Null where there is no such time. */
export function parseMoment(text: string): Moment | null {
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const [, year = '', month, day, hour, minute, second, fraction, zone = 'Z'] = match;
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`;
  const time = `${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}.${(fraction ?? '').padEnd(3, '0')}`;
  const start = Date.parse(`${date}T${time}${zone}`);
  // Date.parse lets some impossible days pass, such as the 31st of April.
  if (Number.isNaN(start) || new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date) return null;
  if (fraction !== undefined) return { start, end: start };
  if (second !== undefined) return { start, end: start + 999 };
  if (hour !== undefined) return { start, end: start + 59_999 };
  const first = new Date(start);
  if (day !== undefined) first.setUTCDate(first.getUTCDate() + 1);
  else if (month !== undefined) first.setUTCMonth(first.getUTCMonth() + 1);
  else first.setUTCFullYear(first.getUTCFullYear() + 1);
  return { start, end: first.getTime() - 1 };
}
