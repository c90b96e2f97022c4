/**
 * Places beside the records where objects with the same names stand, which are not read: deeper in a tree, or alone in a member. They
 * are told by names alone.
 *
 *     {"Kitchen": [{"name": "Wok", "price": 9}], "Garden": {"Tools": [{"name": "Rake", "price": 4}]}}
 *     the records are those at Kitchen[], and Garden.Tools[] has objects like them
 */
import { type RecordTypes, type SampleRecord, TYPE_NAME } from '../profile/sample.js';
import { isPlainObject, memberOf } from '../values/paths.js';
import { type PlaceStep, placeText } from './json-place.js';
import { isCompanion } from './list-names.js';

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

/** `types`: records of other types are left out, with all that is in them. */
export function alikePlaces(
  roots: readonly unknown[],
  steps: readonly PlaceStep[],
  records: readonly SampleRecord[],
  types: RecordTypes | undefined,
): readonly AlikePlace[] {
  const search = new AlikeSearch(steps, new Set(records.slice(0, 20).flatMap((record) => record.names)), types);
  for (const root of roots.slice(0, MAX_LOOKED_AT)) search.visit(root, { way: [], depth: 0, isInRecord: false });
  return [...search.places.values()];
}

/** Where a visited value stands. */
interface Standing {
  readonly way: readonly PlaceStep[];
  /** How many of the steps to the records lead to the value; undefined beside their way. */
  readonly depth: number | undefined;
  readonly isInRecord: boolean;
}

class AlikeSearch {
  readonly places = new Map<string, AlikePlace>();
  readonly #steps: readonly PlaceStep[];
  readonly #names: ReadonlySet<string>;
  readonly #types: RecordTypes | undefined;

  /** `steps` lead to the records, whose members have these names. */
  constructor(steps: readonly PlaceStep[], names: ReadonlySet<string>, types: RecordTypes | undefined) {
    this.#steps = steps;
    this.#names = names;
    this.#types = types;
  }

  visit(value: unknown, standing: Standing): void {
    const { way, depth, isInRecord } = standing;
    if (typeof value !== 'object' || value === null) return;
    if (way.length > MAX_PLACE_DEPTH || this.places.size === MAX_PLACES) return;
    if (Array.isArray(value)) this.#visitElements(value, standing);
    else if (depth === undefined && isPlainObject(value) && this.#isAlike(value))
      this.places.set(placeText(way), { place: placeText(way), isInRecord });
    else this.#visitMembers(value, standing);
  }

  #visitElements(list: readonly unknown[], { way, depth, isInRecord }: Standing): void {
    const isOnWay = depth !== undefined && this.#steps[depth] === 'each';
    const inside = { way: [...way, 'each'] as const, depth: isOnWay ? depth + 1 : undefined, isInRecord };
    // Beside the way the first element stands for all.
    for (const element of list.slice(0, isOnWay ? MAX_LOOKED_AT : 1)) this.visit(element, inside);
  }

  #visitMembers(object: object, { way, depth, isInRecord }: Standing): void {
    const isRecord = depth === this.#steps.length;
    if (isRecord && this.#types?.otherType(memberOf(object, TYPE_NAME)) !== undefined) return;
    const step = depth === undefined ? undefined : this.#steps[depth];
    for (const name of Object.keys(object).slice(0, MAX_LOOKED_AT)) {
      const member: unknown = memberOf(object, name);
      // A tree of records has lists of them; an object of the same names is mostly another kind of thing.
      if (isRecord && !Array.isArray(member)) continue;
      const isOnWay = step === 'members' || (typeof step === 'object' && step.name === name);
      // The reader tells of what accompanies the records in an answer.
      if (!isOnWay && !isRecord && depth !== undefined && isCompanion(name)) continue;
      const depthOfMember = isOnWay && depth !== undefined ? depth + 1 : undefined;
      this.visit(member, { way: [...way, { name }], depth: depthOfMember, isInRecord: isInRecord || isRecord });
    }
  }

  #isAlike(object: object): boolean {
    const memberNames = Object.keys(object);
    const common = memberNames.filter((name) => this.#names.has(name)).length;
    return common >= MIN_COMMON_NAMES && 2 * common >= memberNames.length;
  }
}

/** Where lists of objects, and objects by their keys, stand in an object beside the records: `includes.users[]`, `users.*`. */
export function listsWithin(object: Readonly<Record<string, unknown>>, way: readonly PlaceStep[]): readonly string[] {
  if (areKeyedAlike(object)) return [placeText([...way, 'members'])];
  return Object.entries(object).flatMap(([name, member]) => {
    const wayToMember = [...way, { name }];
    if (Array.isArray(member)) return isPlainObject(member[0]) ? [placeText([...wayToMember, 'each'])] : [];
    const isLookedInto = isPlainObject(member) && !isCompanion(name) && way.length < MAX_PLACE_DEPTH;
    return isLookedInto ? listsWithin(member, wayToMember) : [];
  });
}

/** Whether a value is an object of at least two objects, each of which has a name in common with the first. */
function areKeyedAlike(value: Readonly<Record<string, unknown>>): boolean {
  const [first, ...others] = Object.values(value);
  const isAlike = (other: unknown) =>
    isPlainObject(other) && Object.keys(other).some((name) => Object.hasOwn(Object(first), name));
  return isPlainObject(first) && others.length > 0 && others.every(isAlike);
}
