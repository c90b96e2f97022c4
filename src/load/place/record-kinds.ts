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

/** The kinds of records, that of a documented collection first, which takes records of unknown kinds too; none where all are of one. */
export function recordKindsIn(records: readonly SampleRecord[]): readonly KindOfList[] {
  const member = records[0]?.names.find((name) => KIND_MEMBERS.has(nameKey(name)) && !name.startsWith('@')) ?? '';
  const kindOf = ({ names, cells }: SampleRecord): unknown => cells[names.indexOf(member)];
  const values = [...new Set(records.map(kindOf))].filter((value) => typeof value === 'string');
  const main = values.find((value) => documentedNameOf(value) !== undefined);
  if (main === undefined || values.length > MAX_KINDS) return [];
  const ofKind = (value: string): readonly SampleRecord[] => records.filter((record) => kindOf(record) === value);
  const mainNames = new Set(ofKind(main).flatMap(({ names }) => names));
  const isLikeMain = ({ names }: SampleRecord): boolean => isLikeRecords(names, mainNames);
  const otherKinds = values.filter((value) => value !== main && !ofKind(value).every(isLikeMain));
  if (otherKinds.length === 0) return [];
  const otherValues = new Set(otherKinds);
  return [
    {
      name: documentedNameOf(main) ?? main,
      kind: { member, values: otherValues, areLeftOut: true },
      records: records.filter((record) => !otherValues.has(String(kindOf(record)))),
    },
    ...otherKinds.map((value) => ({
      name: documentedNameOf(value) ?? value,
      kind: { member, values: new Set([value]), areLeftOut: false },
      records: ofKind(value),
    })),
  ];
}

/** `products` for `product`, `Products` and `ProductItem`. */
function documentedNameOf(value: string): string | undefined {
  const key = nameKey(value).replace(/(.)item$/, '$1');
  return collections.find(({ name }) => name === key || name === `${key}s`)?.name;
}

/** Whether a record with this value of the member is of the kind. */
export const isOfKind = ({ values, areLeftOut }: KindOfRecords, value: unknown): boolean =>
  (typeof value === 'string' && values.has(value)) !== areLeftOut;
