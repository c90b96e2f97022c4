/**
 * Finds where the records stand in the values of a file's opening. Every array of objects, object of objects and table of rows is
 * a candidate. The best one feeds a title, and then the most fields.
 */
import { type CollectionModel, collections } from '../../model.js';
import { factOf, MAX_NAMES, type SampleRecord, sampleOf, wantedOf } from '../profile/sample.js';
import { isPlainObject, nameKey } from '../values/paths.js';
import { isAddress, isId, keyValue, type PlaceOptions, type PlaceStep, placeText, stepsAt } from './json-place.js';
import { headerIn, namedColumnsIn, namesOfColumns } from './json-tables.js';
import {
  areOrders,
  areSections,
  holdsRecordsByName,
  isCompanion,
  isListOfItsOwn,
  isSectionList,
} from './list-names.js';

/** A place where records may stand. */
export interface Candidate
  extends Pick<PlaceOptions, 'steps' | 'header' | 'hasHeader' | 'columnsPlace' | 'labelsPlace' | 'keyName'> {
  readonly records: readonly SampleRecord[];
  readonly score: number;
}

/** Judges records by the fields that they feed. */
export interface Judge {
  /** The number of fields; a title counts for more than all others. */
  score(records: readonly SampleRecord[]): number;
  /** Whether these may be groups of records, such as departments: they feed only fields that a group has too. */
  isGroup(records: readonly SampleRecord[]): boolean;
  /** Whether these may be what offers or publishes records, such as shops: they feed no field that only records have. */
  mayHold(records: readonly SampleRecord[]): boolean;
}

/** The part of a score that a title gives: more than all other fields together. */
export const TITLE_SCORE = 1000;

/** Records of a candidate that are scored. */
const SCORED_RECORDS = 20;
/** Steps from the root to a candidate. */
const MAX_STEPS = 12;
/** Levels of groups inside of groups: `{"Kitchen": {"Pans": {"p1": {…}}}}` has two. */
const MAX_GROUP_LEVELS = 3;
/** Members of an object in which candidates are looked for. */
const MAX_OUTLINE_MEMBERS = 200;
/** An object with fewer members is keyed only by ids. */
const MIN_KEYED = 3;
const MIN_GROUPS = 2;
/** Names that records by their keys have in common, where others stand among them. */
const MIN_NAMES_OF_RECORDS = 2;

/** All places in a value where records may stand, best first; of equal ones the outer first. */
export function findCandidates(model: CollectionModel, value: unknown, judge: Judge): readonly Candidate[] {
  // The same array for the same records, which are scored, and looked at as groups and as holders.
  const judged = factOf((records: readonly SampleRecord[]) => wantedOf(model, records).slice(0, SCORED_RECORDS));
  const ofFirst: Judge = {
    score: (records) => judge.score(judged(records)),
    isGroup: (records) => judge.isGroup(judged(records)),
    mayHold: (records) => judge.mayHold(judged(records)) && !(model.isOwn === true && areOrders(records)),
  };
  const candidates = [...candidatesIn(value, [], ofFirst)];
  return candidates.sort(
    (a, b) => b.score - a.score || isNamedFor(b, model) - isNamedFor(a, model) || a.steps.length - b.steps.length,
  );
}

const isNamedFor = ({ steps }: Candidate, { name }: CollectionModel): number =>
  steps.some((step) => typeof step === 'object' && step.name === name) ? 1 : 0;

function* candidatesIn(value: unknown, steps: readonly PlaceStep[], judge: Judge): Iterable<Candidate> {
  if (steps.length > MAX_STEPS) return;
  if (Array.isArray(value)) yield* candidatesInArray(value, steps, judge);
  else if (isPlainObject(value)) yield* candidatesInObject(value, steps, judge);
}

function* candidatesInArray(
  values: readonly unknown[],
  steps: readonly PlaceStep[],
  judge: Judge,
): Iterable<Candidate> {
  const each: readonly PlaceStep[] = [...steps, 'each'];
  if (values.length === 0) yield { steps: each, records: [], score: -1 };
  // An element that is null is a record that is refused, wherever it stands.
  const first = values.find((value) => value !== null);
  if (Array.isArray(first) && first === values[0]) {
    const header = headerIn(first);
    const table = header && headedTable(each, header, values.slice(1), judge);
    if (table) yield table;
    else yield* candidatesIn(first, each, judge);
  }
  if (!isPlainObject(first)) return;
  const records = sampleOf(values);
  const outer = { steps: each, records, score: judge.score(records) };
  const inner = [...candidatesIn(first, each, judge)];
  // All objects are looked through only for the few candidates that may hold the records.
  const standing = (some: readonly Candidate[]) => some.filter((one) => standsInAll(values, one, each.length));
  const listsOfGroups = standing(
    values.length === 1 && isNode(first) ? inner.filter(holdsNodes) : listsInGroups(outer, inner, judge),
  );
  for (const candidate of listsOfGroups.length > 0 ? listsOfGroups : standing(listsInUntitled(outer, inner, judge))) {
    const innerSteps = candidate.steps.slice(each.length);
    const isPlain = candidate.header === undefined && candidate.keyName === undefined;
    yield isPlain ? { ...candidate, records: sampleOf(valuesAt(values, innerSteps)) } : candidate;
  }
  if (listsOfGroups.length === 0) yield outer;
}

/** The lists with the records, where titled objects only group them: `[{"title": "Tools", "products": [{"name": "Saw", "price": 3}]}]`. A table inside of another object is a value. */
function listsInGroups({ steps, records, score }: Candidate, inner: readonly Candidate[], judge: Judge) {
  if (score < TITLE_SCORE || !judge.mayHold(records)) return [];
  const isGroup = judge.isGroup(records);
  const isSection = isGroup && isSectionList(nameOfSteps(steps)) && areSections(records);
  return inner.filter(
    (candidate) =>
      (candidate.columnsPlace !== undefined && candidate.steps[steps.length + 1] === 'each') ||
      ((isGroup || isNamedAsCollection(candidate)) && holdsRecordsOfGroup(candidate, judge)) ||
      (isSection && candidate.score >= TITLE_SCORE && !isSectionList(lastName(candidate))),
  );
}

/**
 * The lists inside of objects without a title that are rather the records. `[{"label_text": "Soup", "price": 3, "ingredients":
 * [{"name": "salt"}]}]` holds soups, whose title is missing.
 */
function listsInUntitled({ records, score }: Candidate, inner: readonly Candidate[], judge: Judge) {
  if (score >= TITLE_SCORE || !judge.mayHold(records)) return [];
  return inner.filter(
    (candidate) =>
      candidate.score > score &&
      (candidate.columnsPlace !== undefined || isNamedAsCollection(candidate) || !hasOwnValues(score, candidate.score)),
  );
}

/** Whether a list inside of a group holds its records: it is named like one, and its elements are no groups themselves. */
const holdsRecordsOfGroup = (candidate: Candidate, judge: Judge): boolean =>
  isTitledList(candidate) && !judge.isGroup(candidate.records);

/**
 * Whether an object is an element of XML as xml2js writes it: its children are lists, also where there is one; `$` has its attributes,
 * `_` its text. A feed is such an element, whose `item` are the records:
 *
 *     {"rss": {"channel": [{"title": ["My feed"], "item": [{"title": ["First"]}, {"title": ["Second"]}]}]}}
 */
const isNode = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(value).every(([name, child]) => /^(?:[$_]$|@|__)/.test(name) || Array.isArray(child));

/** Whether a list has titles, and is named as those of records. */
const isTitledList = (candidate: Candidate): boolean =>
  candidate.score >= TITLE_SCORE && holdsRecordsByName(lastName(candidate));

/** Whether the elements inside of a lone element are records: they are named so, and have a title. */
const holdsNodes = (candidate: Candidate): boolean =>
  isTitledList(candidate) &&
  candidate.records.every(({ names, cells }) => isNode(Object.fromEntries(names.map((name, i) => [name, cells[i]]))));

/** Whether a list is named as a collection that is documented: `products`. What holds such a list is no record itself. */
const isNamedAsCollection = ({ steps }: Pick<Candidate, 'steps'>): boolean =>
  collections.some(({ name }) => name === nameOfSteps(steps));

export const lastName = ({ steps }: Candidate): string => nameOfSteps(steps);

const nameOfSteps = (steps: readonly PlaceStep[]): string => {
  const step = steps.findLast((one) => typeof one === 'object');
  return step === undefined ? '' : nameKey(step.name);
};

function* candidatesInObject(
  value: Readonly<Record<string, unknown>>,
  steps: readonly PlaceStep[],
  judge: Judge,
): Iterable<Candidate> {
  const members = Object.keys(value)
    .slice(0, MAX_NAMES)
    .map((name) => [name, value[name]] as const);
  const columnLists = namedColumnsIn(value).map((one) => ({
    columnsPlace: placeText([...steps, ...one.steps, 'each']),
    tables: one.tables,
  }));
  for (const { columnsPlace, tables } of columnLists)
    for (const { labels, ...table } of tables) {
      // Rows with a list of their names are records, whatever they are called.
      const score = Math.max(judge.score(table.records), TITLE_SCORE);
      const labelsPlace = labels === undefined ? undefined : placeText([...steps, { name: labels }, 'each']);
      yield {
        ...table,
        ...{ steps: [...steps, ...table.steps], columnsPlace, score },
        ...(labelsPlace !== undefined && { labelsPlace }),
      };
    }
  const isOfColumns = (candidate: Candidate): boolean =>
    columnLists.some(({ columnsPlace }) => placeText(candidate.steps).startsWith(columnsPlace));
  const groups = hasGroupsAndEnvelope(members, judge) ? members.filter(([, member]) => isGroup(member)) : members;
  const ofAllMembers = recordsOfMembers(groups, steps, judge);
  if (ofAllMembers) yield ofAllMembers;
  for (const [name, member] of members.slice(0, MAX_OUTLINE_MEMBERS))
    for (const candidate of candidatesIn(member, [...steps, { name }], judge))
      if (!isOfColumns(candidate)) yield candidate;
}

type NamedMembers = readonly (readonly [name: string, member: unknown])[];

/**
 * The members themselves are records. Few of them may be none, which are refused: null, an error in place of a record, and, where keys are
 * numbers or addresses, anything else. Beside other keys, scalars tell of the whole.
 *
 *     {"p1": {"name": "Pan", "price": 9}, "p2": {"name": "Pot", "price": 7}, "p3": {"name": "Lid", "price": 2}, "p4": {"error": "404"}}
 *     {"https://a.test/1": {"name": "Pan"}, "https://a.test/2": {"error": "404"}}
 *     {"scraped": "2026-11-01", "p1": {"name": "Pan", "price": 9}, "p2": {…}, "p3": {…}}
 */
function keyedIn(all: NamedMembers, steps: readonly PlaceStep[], judge: Judge): Candidate | undefined {
  const members = all.filter(([, member]) => isPlainObject(member));
  const areAddresses = all.every(([name]) => isAddress(name));
  const areKeys = areAddresses || all.every(([name]) => isId(name));
  const minKeyed = isNamedAsCollection({ steps }) ? MIN_GROUPS : MIN_KEYED;
  const isAmongLists = all.some(([, member]) => Array.isArray(member));
  if (members.length === 0 || (!areKeys && (isAmongLists || all.length < minKeyed))) return undefined;
  const unkeyed = sampleOf(members.map(([, member]) => member));
  const hasName = (name: string) => unkeyed.slice(0, SCORED_RECORDS).some(({ names }) => names.includes(name));
  const keyNames = areAddresses ? ['link', 'key'] : members.some(([key]) => isId(key)) ? ['id', 'key'] : ['key'];
  const keyName = keyNames.find((name) => !hasName(name));
  const records = unkeyed.map((record, i) => withKey(record, keyName, members[i]?.[0] ?? ''));
  const place = { steps: [...steps, 'members' as const], ...(keyName && { keyName }) };
  const score = judge.score(records);
  if (score < TITLE_SCORE) return undefined;
  const isOneKind =
    all.every(([, member]) => member === null || isPlainObject(member)) && areAlikeRecords(unkeyed, judge);
  return areKeys || isOneKind || areMostlyRecords(all, unkeyed, judge) ? { ...place, records, score } : undefined;
}

/** Whether most objects have a title and further names in common, and the values beside them are no title. */
function areMostlyRecords(all: NamedMembers, objects: readonly SampleRecord[], judge: Judge): boolean {
  const examined = objects.slice(0, SCORED_RECORDS);
  const titled = examined.filter((record) => judge.score([record]) >= TITLE_SCORE);
  const isCommon = (name: string) => titled.every(({ names }) => names.includes(name));
  const common = titled[0]?.names.filter(isCommon) ?? [];
  const otherMembers = all.filter(([, member]) => !isPlainObject(member));
  return (
    titled.length >= MIN_KEYED &&
    2 * titled.length > examined.length &&
    otherMembers.length < objects.length &&
    common.length >= MIN_NAMES_OF_RECORDS &&
    areAlikeRecords(titled, judge) &&
    areOfEnvelope(otherMembers, judge)
  );
}

/** Whether members of an object tell of what stands beside them: scalars without a title, and what accompanies records in an answer. */
const areOfEnvelope = (members: NamedMembers, judge: Judge): boolean =>
  members.every(([name, member]) => typeof member !== 'object' || member === null || isCompanion(name)) &&
  judge.score([{ names: members.map(([name]) => name), cells: members.map(([, member]) => member) }]) < TITLE_SCORE;

/**
 * The records of all members, at one depth: the members themselves, the elements of their lists, or what stands so inside of them. Keys
 * of groups are kept where records stand in lists, the nearest one; records that have keys keep their own.
 *
 *     {"Kitchen": {"Pans": [{"name": "Wok"}]}, "Garden": {"Tools": [{"name": "Rake"}]}}
 *     {"Kitchen": {"Pans": {"p1": {"name": "Wok"}}}, "Garden": {"Tools": {"g1": {"name": "Rake"}, "g2": {…}}}}
 */
function recordsOfMembers(all: NamedMembers, steps: readonly PlaceStep[], judge: Judge): Candidate | undefined {
  let members = all;
  const way = [...steps];
  for (let level = 0; level <= MAX_GROUP_LEVELS; level++) {
    const records =
      keyedIn(members, way, judge) ?? candidateOfGroups(members, way, judge) ?? listsOfMembers(members, way, judge);
    if (records) return records;
    if (members.length < MIN_GROUPS || !members.every(([, group]) => isPlainObject(group))) return undefined;
    members = members.flatMap(([, group]) => Object.entries(Object(group)).slice(0, MAX_NAMES)).slice(0, MAX_NAMES);
    way.push('members');
  }
  return undefined;
}

/** `{"Graz": {"city": "Graz", "products": [{"name": "Pan"}]}, "Linz": {…}}`: every member has such a list, and no groups beside it. */
function listsOfMembers(members: NamedMembers, steps: readonly PlaceStep[], judge: Judge): Candidate | undefined {
  const first = Object.entries(Object(members[0]?.[1]));
  const [name] = first.find(([one]) => holdsRecordsByName(nameKey(one))) ?? [];
  if (name === undefined || candidateOfGroups(first, steps, judge) !== undefined) return undefined;
  const lists = members.map(([key, member]) => [key, Object(member)[name]] as const);
  const grouped = candidateOfGroups(lists, steps, judge);
  return grouped && { ...grouped, steps: [...steps, 'members', { name }, 'each'] };
}

/** `{"Kitchen": [{"name": "Pan"}, …], "Garden": [{"name": "Rake"}, …], "Office": []}`: the records of all groups. */
function candidateOfGroups(members: NamedMembers, steps: readonly PlaceStep[], judge: Judge): Candidate | undefined {
  const lists = members.map(([name, member]) => ({ name, records: Array.isArray(member) ? sampleOf(member) : [] }));
  const filledLists = lists.filter(({ records }) => records.length > 0);
  const areLists = members.every(([, member]) => isGroup(member));
  if (filledLists.length < MIN_GROUPS || !areLists || members.some(([name]) => isListOfItsOwn(name))) return undefined;
  const firsts = filledLists.flatMap(({ records }) => records.slice(0, 1));
  const hasName = (name: string): boolean => firsts.some(({ names }) => names.includes(name));
  const keyName = ['group', 'key'].find((name) => !hasName(name));
  const records = lists.flatMap((list) => list.records.map((record) => withKey(record, keyName, list.name)));
  const place = { steps: [...steps, 'members' as const, 'each' as const], ...(keyName && { keyName }) };
  const grouped = { ...place, records, score: judge.score(records) };
  return grouped.score >= TITLE_SCORE && areAlikeRecords(firsts, judge) ? grouped : undefined;
}

const isGroup = (member: unknown): boolean =>
  Array.isArray(member) && (member.length === 0 || isPlainObject(member[0]));

/**
 * Whether groups stand beside what tells of the whole. Their names are data, and are spelt so: lists that a program has named are
 * collections.
 *
 *     {"total": 3, "Kitchen": […], "Garden": […]}     groups
 *     {"total": 3, "users": […], "brands": […]}       two collections
 */
function hasGroupsAndEnvelope(members: NamedMembers, judge: Judge): boolean {
  const isNamedByProgram = ([name]: NamedMembers[number]): boolean => /^\p{Ll}[\p{L}\p{N}_]*$/u.test(name);
  const groups = members.filter(([, member]) => isGroup(member));
  const otherMembers = members.filter(([, member]) => !isGroup(member));
  return !groups.every(isNamedByProgram) && areOfEnvelope(otherMembers, judge);
}

/**
 * Whether records without a title feed at least the other fields that the candidate inside of them feeds; `score` and `inner` are the
 * two scores. A single field says nothing: it may be an id, or a category that both have.
 */
const hasOwnValues = (score: number, inner: number): boolean => score >= 2 && score >= inner - TITLE_SCORE;

const withKey = (record: SampleRecord, keyName: string | undefined, key: string): SampleRecord =>
  keyName === undefined ? record : { names: [keyName, ...record.names], cells: [keyValue(key), ...record.cells] };

/** Whether all of these are records, and each shares at least half of its names with the first. */
function areAlikeRecords(records: readonly SampleRecord[], judge: Judge): boolean {
  const firstNames = new Set(records[0]?.names);
  const isAlike = ({ names }: SampleRecord) => names.filter((name) => firstNames.has(name)).length * 2 >= names.length;
  return (
    records.every(isAlike) && records.slice(0, SCORED_RECORDS).every((record) => judge.score([record]) >= TITLE_SCORE)
  );
}

function headedTable(
  steps: readonly PlaceStep[],
  header: readonly string[],
  rows: readonly unknown[],
  judge: Judge,
): Candidate | undefined {
  const records = rows.filter((row) => Array.isArray(row)).map((cells) => ({ names: header, cells }));
  const score = judge.score(records.length > 0 ? records : [{ names: header, cells: [] }]);
  return score >= TITLE_SCORE ? { steps, records, score, header, hasHeader: true } : undefined;
}

/** Whether a candidate, which was found in the first of these values, is the place of the others' records too. */
export const standsInAll = (values: readonly unknown[], candidate: Candidate, depth = 0): boolean =>
  haveSameColumns(values, candidate, depth) &&
  (holdsRecordsByName(lastName(candidate)) || isInHalf(values, candidate, depth));

/**
 * Whether half of the objects have records at a candidate's place. A list that fewer have, and whose name says nothing, is a value of theirs:
 *
 *     {"url": "/a", "images": [{"title": "One"}]}    {"url": "/b", "status": 404}    {"url": "/c", "images": []}
 */
function isInHalf(values: readonly unknown[], { steps, records }: Candidate, depth: number): boolean {
  if (records.length === 0) return true;
  const objects = values.filter(isPlainObject);
  const holders = objects.filter((object) => valuesAt([object], steps.slice(depth)).length > 0);
  return 2 * holders.length >= objects.length;
}

/** Whether all tables at a candidate's place in these values have its names, which are those of the first. */
function haveSameColumns(values: readonly unknown[], candidate: Candidate, depth: number): boolean {
  const { steps, header = [], hasHeader, columnsPlace } = candidate;
  const tables = hasHeader === true ? valuesAt(values, steps.slice(depth, -1)) : [];
  const columnLists =
    columnsPlace === undefined ? [] : valuesAt(values, (stepsAt(columnsPlace) ?? []).slice(depth, -1));
  return [...tables.map((rows) => (Array.isArray(rows) ? rows[0] : [])), ...columnLists].every(
    (columns) => Array.isArray(columns) && namesOfColumns(columns)?.join('\n') === header.join('\n'),
  );
}

/** The values to which the steps lead from each of `values`. */
export function valuesAt(values: readonly unknown[], steps: readonly PlaceStep[]): readonly unknown[] {
  let reached = values;
  for (const step of steps)
    reached = reached.flatMap((value) => {
      if (step === 'each') return Array.isArray(value) ? value : [];
      if (!isPlainObject(value)) return [];
      if (step === 'members') return Object.values(value);
      return Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    });
  return reached;
}
