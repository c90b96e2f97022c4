/**
 * Records of several kinds in one list, which a member tells apart: each kind is a collection, as each of several lists is.
 *
 *     [{"type": "product", "name": "Tea", "price": 3}, {"type": "review", "text": "Good", "stars": 5}]
 *     [{"type": "flat", "city": "Graz", "rent": 700}, {"type": "house", "city": "Linz", "rent": 900}]
 *
 * The second list has one kind: what a flat and a house have are mostly the same names.
 */
import { collections } from '../../model.js';
import type { SampleRecord } from '../profile/sample.js';
import { isPlainObject, nameKey } from '../values/paths.js';
import type { KindOfRecords } from './json-place.js';

/** Names of members that say what a record is. Those of JSON-LD, `@type`, are read by the types of a collection. */
const KIND_MEMBERS = new Set(
  'type kind typename itemtype recordtype entitytype objecttype doctype contenttype class model index indexuid indexname mediatype'.split(
    ' ',
  ),
);

/** Names that records of any kind have. */
const ID_NAMES = ['id', '_id', 'objectID'];

const MAX_KINDS = 8;
const MAX_KIND_CHARS = 40;

interface RecordsOfKind {
  /** The values of the member: several, where their records have mostly the same names (`flat` and `house`). */
  readonly values: readonly string[];
  readonly records: readonly SampleRecord[];
}

/** The kinds of some records by the member that tells them apart; undefined where all are of one kind. `heldNames`: of what holds them. */
export function recordKindsIn(
  records: readonly SampleRecord[],
  heldNames: ReadonlySet<string> = new Set(),
): { readonly member: string; readonly kinds: readonly RecordsOfKind[] } | undefined {
  const members = records[0]?.names.filter((name) => KIND_MEMBERS.has(nameKey(name)) && !name.startsWith('@')) ?? [];
  for (const member of members) {
    const kinds = mergedByNames(recordsByValue(records, member), new Set([member, ...ID_NAMES, ...heldNames]));
    if (kinds.length > 1) return { member, kinds };
  }
  return undefined;
}

/** The records by the value of a member; none where it tells no kinds apart: some value is no short text, or there are too many. */
function recordsByValue(records: readonly SampleRecord[], member: string): readonly RecordsOfKind[] {
  const byValue = new Map<string, SampleRecord[]>();
  for (const record of records) {
    const value = record.cells[record.names.indexOf(member)];
    if (typeof value !== 'string' || value === '' || value.length > MAX_KIND_CHARS) return [];
    const ofValue = byValue.get(value);
    if (ofValue !== undefined) ofValue.push(record);
    else if (byValue.size < MAX_KINDS) byValue.set(value, [record]);
    else return [];
  }
  return [...byValue].map(([value, ofValue]) => ({ values: [value], records: ofValue }));
}

const idIn = ({ names, cells }: SampleRecord): readonly unknown[] =>
  ID_NAMES.flatMap((name) => cells[names.indexOf(name)] ?? []);

/** The names of a record's members. An object counts by its own: `{"_index": "films", "_source": {"title": "Up"}}` has a title. */
const namesIn = ({ names, cells }: SampleRecord): readonly string[] =>
  names.flatMap((name, i) => {
    const cell = cells[i];
    return isPlainObject(cell) ? Object.keys(cell).map((inner) => `${name}.${inner}`) : [name];
  });

/** The kinds, those merged of which more than half of the names of the smaller one are in the other too, unless they have a common id: a film and a person. */
function mergedByNames(kinds: readonly RecordsOfKind[], commonNames: ReadonlySet<string>): readonly RecordsOfKind[] {
  const namesOf = ({ records }: RecordsOfKind): ReadonlySet<string> =>
    new Set(records.flatMap((record) => namesIn(record).filter((name) => !commonNames.has(name))));
  const areAlike = (one: RecordsOfKind, other: RecordsOfKind): boolean => {
    const [names, otherNames] = [namesOf(one), namesOf(other)];
    const common = [...names].filter((name) => otherNames.has(name)).length;
    const ids = new Set(one.records.flatMap(idIn));
    return 2 * common > Math.min(names.size, otherNames.size) && !other.records.flatMap(idIn).some((id) => ids.has(id));
  };
  return kinds.reduce<readonly RecordsOfKind[]>((merged, kind) => {
    const alike = merged.filter((earlier) => areAlike(earlier, kind));
    const one = {
      values: [...alike, kind].flatMap(({ values }) => values),
      records: [...alike, kind].flatMap(({ records }) => records),
    };
    return [...merged.filter((earlier) => !alike.includes(earlier)), one];
  }, []);
}

/** The name of a list with records of a kind: `products` for `product` and `ProductItem`, for others the first value itself. */
export function listNameOfKind([value = '']: readonly string[]): string {
  const key = nameKey(value).replace(/(.)item$/, '$1');
  return collections.find(({ name }) => name === key || name === `${key}s`)?.name ?? value;
}

/** Whether a record with this value of the member is of the kind. */
export const isOfKind = ({ values, otherValues }: KindOfRecords, value: unknown): boolean =>
  otherValues === undefined
    ? typeof value === 'string' && values.includes(value)
    : typeof value !== 'string' || !otherValues.has(value);
