/**
 * Places beside the records where objects with the same names stand, which are not read: deeper in a tree, or alone in a member. They
 * are told by names alone.
 *
 *     {"Kitchen": [{"name": "Wok", "price": 9}], "Garden": {"Tools": [{"name": "Rake", "price": 4}]}}
 *     the records are those at Kitchen[], and Garden.Tools[] has objects like them
 */
import type { SampleRecord } from '../profile/sample.js';
import { isPlainObject, memberOf } from '../values/paths.js';
import { type PlaceStep, placeText } from './json-place.js';

export interface AlikePlace {
  readonly place: string;
  /** Whether it is inside of records, and so a value of theirs. */
  readonly isInRecord: boolean;
}

/** With fewer common names nothing is told: many objects have a `name`. */
const MIN_COMMON_NAMES = 2;
const MAX_PLACE_DEPTH = 12;
const MAX_PLACES = 10;
/** Elements of a list, and members of an object, that are looked at. */
const MAX_LOOKED_AT = 1000;

export function alikePlaces(
  roots: readonly unknown[],
  steps: readonly PlaceStep[],
  records: readonly SampleRecord[],
): readonly AlikePlace[] {
  const names = new Set(records.slice(0, 20).flatMap((record) => record.names));
  const isAlike = (value: Readonly<Record<string, unknown>>): boolean => {
    const memberNames = Object.keys(value);
    const common = memberNames.filter((name) => names.has(name)).length;
    return common >= MIN_COMMON_NAMES && 2 * common >= memberNames.length;
  };
  const places = new Map<string, AlikePlace>();
  /** `at`: how many steps of the way lead to the value; undefined beside it. */
  const visit = (value: unknown, way: readonly PlaceStep[], at: number | undefined, isInRecord: boolean): void => {
    if (typeof value !== 'object' || value === null || way.length > MAX_PLACE_DEPTH || places.size === MAX_PLACES)
      return;
    if (at === undefined && isPlainObject(value) && isAlike(value)) {
      const place = placeText(way);
      places.set(place, { place, isInRecord });
      return;
    }
    const isRecord = at === steps.length && isPlainObject(value);
    const step = at === undefined ? undefined : steps[at];
    if (Array.isArray(value)) {
      const isOnWay = step === 'each';
      const wayToElement = [...way, 'each'] as const;
      for (const element of value.slice(0, isOnWay ? MAX_LOOKED_AT : 1))
        visit(element, wayToElement, isOnWay && at !== undefined ? at + 1 : undefined, isInRecord);
    } else
      for (const name of Object.keys(value).slice(0, MAX_LOOKED_AT)) {
        const member: unknown = memberOf(value, name);
        if (typeof member !== 'object') continue;
        // A tree of records has lists of them; an object of the same names is mostly another kind of thing.
        if (isRecord && !Array.isArray(member)) continue;
        const isOnWay = step === 'members' || (typeof step === 'object' && step.name === name);
        visit(member, [...way, { name }], isOnWay && at !== undefined ? at + 1 : undefined, isInRecord || isRecord);
      }
  };
  for (const root of roots.slice(0, MAX_LOOKED_AT)) visit(root, [], 0, false);
  return [...places.values()];
}
