/**
 * Records of several kinds in one list, which a member tells apart. Where one kind is that of a documented collection, each kind is a
 * collection, as each of several lists is.
 *
 *     [{"type": "product", "name": "Tea", "price": 3}, {"type": "review", "text": "Good", "stars": 5}]
 *     [{"type": "product", "name": "Tea", "price": 3}, {"type": "bundle", "name": "Box", "price": 9}]
 *
 * The second list has one kind: its records have mostly the same names.
 */
import { collections } from '../../model.js';
import { words } from '../../text.js';
import type { SampleRecord } from '../profile/sample.js';
import { nameKey } from '../values/paths.js';
import type { KindOfRecords } from './json-place.js';
import { isLikeRecords } from './list-names.js';

/** Names of members that say what a record is. Those of JSON-LD, `@type`, are read by the types of a collection. */
const KIND_MEMBERS = new Set(words('type kind typename itemtype recordtype entitytype objecttype contenttype index'));

const MAX_KINDS = 8;

interface KindOfList {
  /** The name of a list with such records: `products` for `product`, for others the value itself. */
  readonly name: string;
  readonly kind: KindOfRecords;
  readonly records: readonly SampleRecord[];
}

/**
 * The kinds of records, that of a documented collection first, of `preferred` where it is one; the first takes records of unknown kinds too.
 * None where all are of one kind.
 */
export function recordKindsIn(records: readonly SampleRecord[], preferred: string): readonly KindOfList[] {
  const valuesOf = (member: string): readonly string[] =>
    [...new Set(records.map(({ names, cells }) => cells[names.indexOf(member)]))].filter(
      (value) => typeof value === 'string',
    );
  const tellsKinds = (name: string): boolean =>
    KIND_MEMBERS.has(nameKey(name)) &&
    !name.startsWith('@') &&
    valuesOf(name).some((value) => documentedNameOf(value) !== undefined);
  const member = records[0]?.names.find(tellsKinds) ?? '';
  const kindOf = ({ names, cells }: SampleRecord): unknown => cells[names.indexOf(member)];
  const values = valuesOf(member);
  const main =
    values.find((value) => documentedNameOf(value) === preferred) ??
    values.find((value) => documentedNameOf(value) !== undefined);
  if (main === undefined || values.length > MAX_KINDS) return [];
  const listOf = (value: string, kind: KindOfRecords): KindOfList => ({
    name: documentedNameOf(value) ?? value,
    kind,
    records: records.filter((record) => isOfKind(kind, kindOf(record))),
  });
  const lists = values.map((value) => listOf(value, { member, values: new Set([value]), areLeftOut: false }));
  // Records of all kinds have an id.
  const namesIn = (list: KindOfList | undefined): ReadonlySet<string> =>
    new Set(list?.records.flatMap(({ names }) => names.filter((name) => name !== member && nameKey(name) !== 'id')));
  const mainNames = namesIn(lists[values.indexOf(main)]);
  const otherKinds = lists.filter((list, i) => values[i] !== main && !isLikeRecords([...namesIn(list)], mainNames));
  if (otherKinds.length === 0) return [];
  const otherValues = new Set(otherKinds.flatMap(({ kind }) => [...kind.values]));
  return [listOf(main, { member, values: otherValues, areLeftOut: true }), ...otherKinds];
}

/** `products` for `product`, `Products` and `ProductItem`. */
function documentedNameOf(value: string): string | undefined {
  const key = nameKey(value).replace(/(.)item$/, '$1');
  return collections.find(({ name }) => name === key || name === `${key}s`)?.name;
}

/** Whether a record with this value of the member is of the kind. */
export const isOfKind = ({ values, areLeftOut }: KindOfRecords, value: unknown): boolean =>
  (typeof value === 'string' && values.has(value)) !== areLeftOut;
