/** Objects that are not read, and may be records: in a value beside the records, or inside of the records themselves. They are told. */
import { isPlainObject } from '../values/paths.js';
import { type PlaceOptions, type PlaceStep, placeText } from './json-place.js';
import { isCompanion, isLikeRecords } from './list-names.js';

const MAX_PLACE_DEPTH = 12;

/**
 * Where objects stand in one beside the records: in lists, by their keys, or alone with the names of the records; any other object is one
 * itself where every object is data.
 *
 *     {"users": [{…}]}    {"u0": {"email": "a"}, "u1": {"email": "b"}}    {"title": "Tea", "price": 2}
 *     includes.users[]    users.*                                         best
 */
export function placesIn(
  object: Readonly<Record<string, unknown>>,
  way: readonly PlaceStep[],
  { recordNames = new Set(), areObjectsData }: Pick<PlaceOptions, 'recordNames' | 'areObjectsData'>,
): readonly string[] {
  const inside = objectsWithin(object, way, recordNames);
  const isData = areObjectsData === true && inside.length === 0 && Object.keys(object).length > 0;
  return isData ? [placeText(way)] : inside;
}

function objectsWithin(
  object: Readonly<Record<string, unknown>>,
  way: readonly PlaceStep[],
  recordNames: ReadonlySet<string>,
): readonly string[] {
  if (isLikeRecords(Object.keys(object), recordNames)) return [placeText(way)];
  if (areKeyedAlike(object)) return [placeText([...way, 'members'])];
  return Object.entries(object).flatMap(([name, member]) => {
    const wayToMember = [...way, { name }];
    if (Array.isArray(member)) return isPlainObject(member[0]) ? [placeText([...wayToMember, 'each'])] : [];
    const isLookedInto = isPlainObject(member) && !isCompanion(name) && way.length < MAX_PLACE_DEPTH;
    return isLookedInto ? objectsWithin(member, wayToMember, recordNames) : [];
  });
}

/** Whether a value is an object of at least two objects, each of which has a name in common with the first. */
function areKeyedAlike(value: Readonly<Record<string, unknown>>): boolean {
  const [first, ...others] = Object.values(value);
  const isAlike = (other: unknown) =>
    isPlainObject(other) && Object.keys(other).some((name) => Object.hasOwn(Object(first), name));
  return isPlainObject(first) && others.length > 0 && others.every(isAlike);
}
