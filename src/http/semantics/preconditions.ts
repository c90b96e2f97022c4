/**
 * Conditional requests (RFC 9110, section 13): entity tags and preconditions, judged from the tag alone, so that a 304
 * needs neither query nor body. Tags are strong. A representation has one tag per coding that a client may prefer; the
 * same preference always gets the same bytes, also where a body is too short to be coded.
 */
import { fnv1a } from '../../text.js';
import type { Coding } from './content-coding.js';

export interface Validators {
  /** The entity tag without its quotes and coding; it differs between representations of a resource. */
  readonly tag: string;
  /** The time of the last modification; null where it is not known. */
  readonly modified: Modified | null;
}

/** A time at a whole second, in milliseconds and as fields write it (RFC 9110, section 5.6.7). */
export interface Modified {
  readonly ms: number;
  readonly text: string;
}

export function modifiedAt(timeMs: number): Modified {
  const ms = Math.floor(timeMs / 1000) * 1000;
  return { ms, text: new Date(ms).toUTCString() };
}

/** Field values by lower-case name, as `node:http` has them. */
export type RequestFields = Readonly<Record<string, string | string[] | undefined>>;

/** The request fields that responses depend on. */
export const READ_FIELDS = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'origin',
  'range',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'x-forwarded-for',
] as const;

type Verdict = 'proceed' | 'notModified' | FailedPrecondition;

/** The request's field that does not hold, and the current value of the header that it is compared with. */
export interface FailedPrecondition {
  readonly field: 'If-Match' | 'If-Unmodified-Since';
  readonly current: string;
}

const hash = (text: string): string => (fnv1a(text) >>> 0).toString(36);

/**
 * `version` names the dataset, the program and its settings; `target` is the request's target as it was sent. Two URLs may
 * share a tag: tags need only differ between representations of one URL (RFC 9110, section 8.8.3).
 */
export const etagOf = (version: string, target: string, key = ''): string => `${version}-${hash(target + key)}`;

/** A hash of what bodies are made of beside the records (settings, fields): a part of every tag. */
export const settingsEtag = (...settings: readonly (string | number)[]): string => hash(settings.join('\n'));

/** The entity tag as it stands in a field. */
export const entityTag = (tag: string, coding: Coding): string =>
  coding === 'identity' ? `"${tag}"` : `"${tag}.${coding}"`;

export const headerField = (fields: RequestFields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'object' ? value.join(', ') : value;
};

/**
 * Evaluates the preconditions of a GET or HEAD that would be answered 200, in the order of RFC 9110, section 13.2.2.
 * `notModified` is a 304, a failed precondition a 412. `coding` is the coding that a 200 would have.
 */
export function evaluatePreconditions(fields: RequestFields, { tag, modified }: Validators, coding: Coding): Verdict {
  const current = entityTag(tag, coding);
  const match = headerField(fields, 'if-match');
  if (match !== undefined) {
    if (!lists(match, current, 'strong')) return { field: 'If-Match', current };
  } else if (modified !== null && isModifiedSince(fields, 'if-unmodified-since', modified) === true)
    return { field: 'If-Unmodified-Since', current: modified.text };
  const noneMatch = headerField(fields, 'if-none-match');
  if (noneMatch !== undefined) return lists(noneMatch, current, 'weak') ? 'notModified' : 'proceed';
  const isUnmodified = modified !== null && isModifiedSince(fields, 'if-modified-since', modified) === false;
  return isUnmodified ? 'notModified' : 'proceed';
}

const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether the field is `*` or lists the tag. Weak comparison (section 8.8.3.2) ignores `W/`, strong comparison forbids it. */
function lists(field: string, current: string, comparison: 'weak' | 'strong'): boolean {
  if (field.trim() === '*') return true;
  for (const [, weak, tag] of field.matchAll(ENTITY_TAG)) {
    if (tag === current && (comparison === 'weak' || weak === undefined)) return true;
  }
  return false;
}

/** Null where the field is missing or no date: such a field is ignored (sections 13.1.3 and 13.1.4). */
function isModifiedSince(fields: RequestFields, name: string, modified: Modified): boolean | null {
  const since = parseHttpDate(headerField(fields, name) ?? '');
  return since === null ? null : modified.ms > since;
}

/** Whether a range may be answered: without `If-Range`, or where it has a strong tag or exactly the time of what is served (section 13.1.5). */
export const rangeHolds = (condition: string | undefined, { tag, modified }: Validators): boolean =>
  condition === undefined ||
  condition === entityTag(tag, 'identity') ||
  (modified !== null && parseHttpDate(condition) === modified.ms);

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-(\w{3})-(\d\d) (\d\d:\d\d:\d\d) GMT$/;
const ASCTIME = /^\w{3} (\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/;

/** The three date forms of RFC 9110, section 5.6.7, in milliseconds; null for anything else. */
export function parseHttpDate(text: string): number | null {
  const rfc850 = RFC_850.exec(text);
  const asctime = ASCTIME.exec(text);
  let plain = text;
  if (rfc850 !== null) {
    const [, day, month, year, time] = rfc850;
    // A two-digit year that would lie more than 50 years ahead is of the last century; no snapshot dates from after 2069.
    plain = `${day} ${month} ${Number(year) >= 70 ? 19 : 20}${year} ${time} GMT`;
  } else if (asctime !== null) {
    const [, month, day, time, year] = asctime;
    plain = `${day} ${month} ${year} ${time} GMT`;
  } else if (!IMF_FIXDATE.test(text)) return null;
  const ms = Date.parse(plain);
  return Number.isNaN(ms) ? null : ms;
}
