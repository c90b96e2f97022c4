/**
 * Which member feeds which field, for all records of the same names? `{"id":7,"price":{"value":4.2}}` feeds the id from a member, and the
 * price from inside of one: the members of such objects are bound as those of records are.
 */
import { NULL } from '../../batch.js';
import { OBJECT } from '../../kernels/json-layout.js';
import { NameTree, NOTHING, SourceRow } from '../place/source-row.js';
import type { LateColumn, LateColumns } from '../profile/late-columns.js';
import type { Tally } from '../report/tally.js';
import type { BatchMemory } from '../source/batch-memory.js';
import { type Path, valueAtPath } from '../values/paths.js';
import type { FieldReader } from './field-reader.js';

/** The bytes of the records, and the columns without a field, which are the same for all records of a file. */
export interface FeedContext {
  readonly memory: BatchMemory;
  readonly tally: Tally;
  /** The columns that feed no field so far; undefined where none may become one. */
  readonly lateColumns: LateColumns | undefined;
}

/** A member that feeds a field: itself, or by a path into it. */
interface FedMember {
  readonly member: number;
  readonly reader: FieldReader;
  readonly path: Path;
}

/** The members that feed fields, for all records or objects of the same names. */
export interface FedMembers {
  readonly members: readonly FedMember[];
  readonly groups: readonly MemberGroup[];
  readonly late: readonly LateMember[];
}

/** A member that feeds no field. */
interface LateMember {
  readonly member: number;
  readonly column: LateColumn;
}

/** Fields that are fed from inside of one member. */
interface MemberGroup {
  readonly member: number;
  readonly path: readonly string[];
  readonly fed: readonly FedMember[];
  /** Whether the first step of every path is a name. */
  readonly areNamed: boolean;
  /** The names of the member's objects, and for each array of names the members that feed fields. */
  readonly tree: NameTree;
  readonly feeds: WeakMap<readonly string[], FedMembers>;
}

/** Separates members that are values from those with values inside, each of which is listed once, and from those that feed no field. */
export function fedMembersOf(
  names: readonly string[],
  path: readonly string[],
  fed: readonly FedMember[],
  { memory, lateColumns }: FeedContext,
): FedMembers {
  const inside = fed.filter((each) => each.path.length > 0);
  const membersWithField = new Set(fed.map(({ member }) => member));
  const late = names.flatMap((name, member): readonly LateMember[] => {
    const column = lateColumns?.at([...path, name], membersWithField.has(member));
    return column === undefined ? [] : [{ member, column }];
  });
  return {
    late,
    members: fed.filter((each) => each.path.length === 0),
    groups: [...new Set(inside.map(({ member }) => member))].map((member) => {
      const ofMember = inside.filter((each) => each.member === member);
      const areNamed = ofMember.every(({ path: [step] }) => typeof step === 'string');
      return {
        member,
        path: [...path, names[member] ?? ''],
        ...{ fed: ofMember, areNamed, tree: new NameTree(memory), feeds: new WeakMap() },
      };
    }),
  };
}

/** Feeds the fields of a record, or of an object inside of it. */
export function feedFields(row: SourceRow, { members, groups, late }: FedMembers, context: FeedContext): void {
  for (let i = 0; i < members.length; i++) members[i]!.reader.read(row, members[i]!.member);
  for (let i = 0; i < groups.length; i++) feedInside(row, groups[i]!, context);
  for (let i = 0; i < late.length; i++) late[i]!.column.look(row, late[i]!.member);
}

/** Feeds fields from inside of a member. An object's members are written to the tape, behind those of the record; all else is parsed. */
function feedInside(row: SourceRow, group: MemberGroup, context: FeedContext): void {
  const { member, fed, areNamed } = group;
  const kind = row.kind(member);
  if (kind === NULL || kind === NOTHING) return;
  if (kind === OBJECT && areNamed) feedObject(row, group, context);
  else {
    const value = fed[0]?.reader.valueOf(row, member);
    for (const { reader, path } of fed) reader.readValue(valueAtPath(value, path, reader.isList));
  }
}

function feedObject(row: SourceRow, { member, path, tree, feeds, fed }: MemberGroup, context: FeedContext): void {
  const { memory } = context;
  const object = new SourceRow(memory, row.first + row.size);
  // The record was proved, and the object ends in it.
  memory.kernel.members(row.start(member), row.end(member), object.first);
  object.size = memory.memberCount;
  tree.name(object);
  if (object.repeatedNames.length > 0) context.tally.repeatNames(path, object.repeatedNames);
  let feed = feeds.get(object.names);
  if (feed === undefined) {
    const steppedFed = fed.flatMap((each) => steppedInto(object.names, each));
    feed = fedMembersOf(object.names, path, steppedFed, context);
    feeds.set(object.names, feed);
  }
  feedFields(object, feed, context);
}

/** The member of an object to which the first step of a path leads; none where the object lacks it. */
function steppedInto(names: readonly string[], { reader, path: [step, ...path] }: FedMember): readonly FedMember[] {
  const member = names.indexOf(String(step));
  return member === -1 ? [] : [{ member, reader, path }];
}
