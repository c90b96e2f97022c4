/**
 * Where in the values of a file's opening the records stand. Every array of objects, object of objects and table of rows is
 * a candidate; the one whose records feed the most fields is taken, a title before all.
 */
import type { CollectionModel } from '../model.js';
import { isId, keyValue, type PlaceOptions, type PlaceStep } from './json-walk.js';
import { nameKey } from './names.js';
import { isPlainObject } from './paths.js';
import { wantedOf } from './record-types.js';
import { MAX_NAMES, type SampleRecord, sampleOf } from './sample.js';

/** A place where records may stand. */
export interface Candidate extends Pick<PlaceOptions, 'steps' | 'header' | 'hasHeader' | 'keyName'> {
  readonly records: readonly SampleRecord[];
  readonly score: number;
}

export interface Score {
  /** How many fields records like these feed, and a title counts for more than all others. */
  (records: readonly SampleRecord[]): number;
  /** Whether these may be what others are sorted into: they have a title, and nothing that only a record has. */
  isGroup(records: readonly SampleRecord[]): boolean;
}

/** A title's part of a score. */
export const TITLE_SCORE = 1000;

/** Records that are scored. */
const SCORED_RECORDS = 20;
const MAX_DEPTH = 8;
const MAX_MEMBERS = 200;
const MIN_KEYED = 3;

/** All places in a value where records may stand, best first; of equal ones the outer first. */
export function findCandidates(model: CollectionModel, value: unknown, score: Score): readonly Candidate[] {
  const scored = (records: readonly SampleRecord[]) => wantedOf(model, records).slice(0, SCORED_RECORDS);
  const ofScored = Object.assign((records: readonly SampleRecord[]) => score(scored(records)), {
    isGroup: (records: readonly SampleRecord[]) => score.isGroup(scored(records)),
  });
  const found = [...candidatesIn(value, [], ofScored)];
  return found.sort(
    (a, b) => b.score - a.score || isNamedFor(b, model) - isNamedFor(a, model) || a.steps.length - b.steps.length,
  );
}

const isNamedFor = ({ steps }: Candidate, { name }: CollectionModel): number =>
  steps.some((step) => typeof step === 'object' && step.name === name) ? 1 : 0;

function* candidatesIn(value: unknown, steps: readonly PlaceStep[], score: Score): Iterable<Candidate> {
  if (steps.length > MAX_DEPTH) return;
  if (Array.isArray(value)) yield* candidatesInArray(value, steps, score);
  else if (isPlainObject(value)) yield* candidatesInObject(value, steps, score);
}

function* candidatesInArray(
  values: readonly unknown[],
  steps: readonly PlaceStep[],
  score: Score,
): Iterable<Candidate> {
  const each: readonly PlaceStep[] = [...steps, 'each'];
  if (values.length === 0) yield { steps: each, records: [], score: -1 };
  const [first] = values;
  if (Array.isArray(first)) {
    const header = headerOf(first);
    const table = header && tableOf(each, header, values.slice(1), true, score);
    if (table) yield table;
    else yield* candidatesIn(first, each, score);
  }
  const records = sampleOf(values);
  if (!isPlainObject(first)) return;
  const own = { steps: each, records, score: score(records) };
  const inner = [...candidatesIn(first, each, score)];
  const isGroup = own.score >= TITLE_SCORE && score.isGroup(records);
  const ofGroup = inner.filter((candidate) => isGroup && holdsRecordsOfGroup(candidate, score));
  // [{"label_text": "Soup", "price": 3, "ingredients": [{"name": "salt"}]}] holds soups, whose title is missing.
  const isInside = ({ score: whole }: Candidate) =>
    own.score < TITLE_SCORE && whole > own.score && !hasOwnValues(own.score, whole);
  for (const candidate of ofGroup.length > 0 ? ofGroup : inner.filter(isInside)) {
    const behind = candidate.steps.slice(each.length);
    const isPlain = candidate.header === undefined && candidate.keyName === undefined;
    yield isPlain ? { ...candidate, records: sampleOf(valuesAt(values, behind)) } : candidate;
  }
  if (ofGroup.length === 0) yield own;
}

/** Whether a list inside of a department is of its products: by its name, and since these are no departments themselves. */
const holdsRecordsOfGroup = (candidate: Candidate, score: Score): boolean =>
  candidate.score >= TITLE_SCORE && RECORD_LISTS.has(lastName(candidate)) && !score.isGroup(candidate.records);

/** Lists of these names hold the records of what they stand in: `{"name": "Kitchen", "products": [{"name": "Pan", "price": 9}]}`. */
const RECORD_LISTS = new Set(
  'products items articles posts stories entries listings books movies results records produkte artikel'.split(' '),
);

const lastName = ({ steps }: Candidate): string => {
  const step = steps.findLast((found) => typeof found === 'object');
  return step === undefined ? '' : nameKey(step.name);
};

function* candidatesInObject(
  value: Readonly<Record<string, unknown>>,
  steps: readonly PlaceStep[],
  score: Score,
): Iterable<Candidate> {
  const members = Object.keys(value)
    .slice(0, MAX_NAMES)
    .map((name) => [name, value[name]] as const);
  const { columns, data } = value;
  if (Array.isArray(columns) && Array.isArray(data) && Array.isArray(data[0])) {
    const header = headerOf(columns);
    const table = header && tableOf([...steps, { name: 'data' }, 'each'], header, data, false, score);
    if (table) yield table;
  }
  const objects = members.map(([, member]) => member).filter(isPlainObject);
  const areKeys = members.every(([name]) => isId(name));
  if (members.length > 0 && objects.length === members.length && (areKeys || members.length >= MIN_KEYED)) {
    const plain = sampleOf(objects);
    const has = (name: string) => plain.slice(0, SCORED_RECORDS).some(({ names }) => names.includes(name));
    const keyName = ['id', 'key'].find((name) => !has(name) && (name === 'key' || members.some(([key]) => isId(key))));
    const records = plain.map((record, i) => withKey(record, keyName, members[i]?.[0] ?? ''));
    const own = { steps: [...steps, 'members' as const], records, score: score(records), ...(keyName && { keyName }) };
    if (own.score >= TITLE_SCORE && (areKeys || areAlike(plain, score))) yield own;
  }
  const grouped = groupsIn(members, steps, score);
  if (grouped) yield grouped;
  for (const [name, member] of members.slice(0, MAX_MEMBERS)) yield* candidatesIn(member, [...steps, { name }], score);
}

/** `{"Kitchen": [{"name": "Pan"}, …], "Garden": [{"name": "Rake"}, …], "Office": […]}`: the records of all groups. */
function groupsIn(
  members: readonly (readonly [name: string, member: unknown])[],
  steps: readonly PlaceStep[],
  score: Score,
): Candidate | undefined {
  const lists = members.map(([, member]) => (Array.isArray(member) ? member : []));
  if (lists.length < MIN_KEYED || lists.some((list) => !isPlainObject(list[0]))) return undefined;
  const records = sampleOf(lists.flat());
  const firsts = sampleOf(lists.map((list) => list[0]));
  const own = { steps: [...steps, 'members' as const, 'each' as const], records, score: score(records) };
  return own.score >= TITLE_SCORE && areAlike(firsts, score) ? own : undefined;
}

/**
 * Whether records without a title feed as many other fields as what is inside of them: `score` and `inner` are their scores. An
 * id, or one field that they share with what is inside of them, as a category, says nothing.
 */
const hasOwnValues = (score: number, inner: number): boolean => score >= 2 && score >= inner - TITLE_SCORE;

const withKey = (record: SampleRecord, keyName: string | undefined, key: string): SampleRecord =>
  keyName === undefined ? record : { names: [keyName, ...record.names], cells: [keyValue(key), ...record.cells] };

/** Whether each of some objects is a record, and has at least half of its names from the first. */
function areAlike(records: readonly SampleRecord[], score: Score): boolean {
  const known = new Set(records[0]?.names);
  const isAlike = ({ names }: SampleRecord) => names.filter((name) => known.has(name)).length * 2 >= names.length;
  return records.every(isAlike) && records.slice(0, SCORED_RECORDS).every((record) => score([record]) >= TITLE_SCORE);
}

const headerOf = (row: readonly unknown[]): readonly string[] | undefined =>
  row.length > 0 && row.every((cell): cell is string => typeof cell === 'string') ? row : undefined;

function tableOf(
  steps: readonly PlaceStep[],
  header: readonly string[],
  rows: readonly unknown[],
  hasHeader: boolean,
  score: Score,
): Candidate | undefined {
  const records = rows.filter((row) => Array.isArray(row)).map((cells) => ({ names: header, cells }));
  const found = score(records.length > 0 ? records : [{ names: header, cells: [] }]);
  return found >= TITLE_SCORE ? { steps, records, score: found, header, hasHeader } : undefined;
}

/** What stands at the steps behind each of the values. */
export function valuesAt(values: readonly unknown[], steps: readonly PlaceStep[]): readonly unknown[] {
  let found = values;
  for (const step of steps)
    found = found.flatMap((value) => {
      if (step === 'each') return Array.isArray(value) ? value : [];
      if (!isPlainObject(value)) return [];
      return step === 'members' ? Object.values(value) : Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    });
  return found;
}
