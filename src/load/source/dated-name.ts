/** Dates in the names of files and folders. */

/** `2026-11-01`, `20261101`, `2026_11_01T0300`: year, month and day, perhaps with hours, minutes and seconds. */
const DATE_IN_NAME =
  /(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?:[-_. ]?T?(\d\d)[-_:.h]?(\d\d)(?:[-_:.m]?(\d\d))?Z?)?(?!\d)/;

interface DateInName {
  readonly timeMs: number;
  /** The name without its date. */
  readonly stem: string;
}

/** The date in a name; undefined where it has none, or one that no calendar has. */
export function dateInName(name: string): DateInName | undefined {
  const match = DATE_IN_NAME.exec(name);
  if (match === null) return undefined;
  const [text, year, , month, day, hours = '00', minutes = '00', seconds = '00'] = match;
  const timeMs = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  const isDay = !Number.isNaN(timeMs) && new Date(timeMs).getUTCDate() === Number(day);
  return isDay ? { timeMs, stem: name.replace(text, '') } : undefined;
}
