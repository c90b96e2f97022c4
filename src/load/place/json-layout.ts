/**
 * Where in a JSON file the records stand: in an array, one value after the other, in an array inside of an envelope, or in
 * places that have to be walked to: pages, objects keyed by id, rows. It is decided by the values of the file's opening, whose records
 * are also the sample from which the file's plan is made.
 */

import { OPEN_ARRAY, OPEN_OBJECT } from '../../kernels/ascii.js';
import { type CollectionModel, collections } from '../../model.js';
import { listed, parsedJson, quote } from '../../text.js';
import { linkedDataType, recordTypes, SAMPLE_RECORDS, type SampleRecord, sampleOf } from '../profile/sample.js';
import type { SnapshotFault } from '../report/report.js';
import { decideByOpening } from '../source/bytes.js';
import { isScript, type SnapshotFile } from '../source/folder.js';
import { isPlainObject, nameKey } from '../values/paths.js';
import { holdersOf } from './holders.js';
import { FIRST_POSITION } from './json-fault.js';
import { type Opening, openingOf } from './json-opening.js';
import {
  type Candidate,
  findCandidates,
  type Judge,
  lastName,
  standsInAll,
  TITLE_SCORE,
  valuesAt,
} from './json-outline.js';
import { isId, type PlaceOptions, placeText, stepsAt } from './json-place.js';
import { firstRecordsIn } from './json-reader.js';
import { headerIn, namedColumnsIn } from './json-tables.js';
import { areSections, holdsRecordsByName, isCompanion, isLikeRecords, listsIn } from './list-names.js';
import { recordKindsIn } from './record-kinds.js';

/** Where the records stand, and the first of them. */
export interface JsonLayout extends PlaceOptions {
  readonly sample: readonly SampleRecord[];
  /** Lists of records beside this one in its object, each with its name: `{"posts": […], "comments": […]}`. */
  readonly besides?: readonly NamedLayout[];
  /** Lists of objects in records that say little else, or have the same names: these may be records too. */
  readonly innerLists?: readonly string[];
  /** The names of what records have from the objects that hold them: `shop`. */
  readonly heldNames?: ReadonlySet<string>;
  /** The name of the list, where others stand beside it. */
  readonly listName?: string;
}

export interface NamedLayout {
  readonly name: string;
  readonly layout: JsonLayout;
}

type FaultPlace = Omit<SnapshotFault, 'file'>;

/** Bytes of the opening: a longer one is read where a shorter one shows no record. The last is for a place that the user names. */
const JSON_OPENING_BYTES = [1 << 18, 1 << 20, 8 << 20, 64 << 20, 400 << 20];
/** An opening of this many bytes is enough, however few records it holds. */
const LONG_OPENING_BYTES = 1 << 20;

const EMPTY: FaultPlace = { ...FIRST_POSITION, message: 'the file is empty: expected an array of objects' };
const COLUMNS: FaultPlace = {
  ...FIRST_POSITION,
  message: 'expected records, found one object of columns: pandas writes records with to_json(path, orient="records")',
  isForeign: true,
};
const FOUND_SCRIPT: FaultPlace = {
  ...FIRST_POSITION,
  message:
    'expected JSON, found a script with JSON in it: leave out what stands before its first bracket and behind its last',
};
/** The bytes of a file's beginning that tell a script. */
const SCRIPT_BYTES = 400;
const NO_ARRAY: FaultPlace = {
  ...FIRST_POSITION,
  message: 'expected an array of objects, or an object with one such array in it; found an object without one',
  isForeign: true,
};

interface LayoutOptions {
  readonly source: SnapshotFile;
  readonly model: CollectionModel;
  readonly judge: Judge;
  /** Where the user says that the records stand: `threads[].posts[]`. */
  readonly place?: string | undefined;
}

export function findJsonLayout(options: LayoutOptions): Promise<JsonLayout | SnapshotFault> {
  const { source, place } = options;
  const sizes = place === undefined ? JSON_OPENING_BYTES.slice(0, -1) : JSON_OPENING_BYTES;
  return decideByOpening(source, sizes, (bytes, _, isLongest): JsonLayout | SnapshotFault | undefined => {
    const layout = place === undefined ? layoutOf(options, bytes, isLongest) : layoutAt(options, place, bytes);
    if ('message' in layout) return isLongest ? { file: source.file, ...layout } : undefined;
    const isEnough = bytes.length >= LONG_OPENING_BYTES || layout.sample.length >= SAMPLE_RECORDS;
    return isLongest || isEnough ? layout : undefined;
  });
}

const sequenceLayout = (sample: readonly SampleRecord[]): JsonLayout => ({ shape: 'sequence', steps: [], sample });
/** A file that is read as one record, so that its reader meets the fault. */
const BROKEN_FILE: JsonLayout = { shape: 'document', steps: [], sample: [] };
const arrayLayout = (sample: readonly SampleRecord[]): JsonLayout => ({ shape: 'document', steps: ['each'], sample });

/** The records at the place that the user names; where nothing stands there, the places where records may. */
function layoutAt({ model, judge }: LayoutOptions, place: string, bytes: Buffer): JsonLayout | FaultPlace {
  const { roots } = openingOf(bytes);
  const places = roots.slice(0, 1).flatMap((root) => findCandidates(model, root, judge));
  // A place that would be found has its header, and the names of keys, too.
  const candidate = places.find(({ steps, records }) => records.length > 0 && placeText(steps) === place);
  if (candidate !== undefined) return withHolders(walkedLayout(candidate, roots), roots.length, bytes);
  const steps = stepsAt(place) ?? [];
  const sample = sampleOf(valuesAt(roots, steps));
  if (sample.length > 0) return withHolders({ ...sequenceLayout(sample), steps }, roots.length, bytes);
  const texts = [...new Set(places.filter(({ records }) => records.length > 0).map((one) => placeText(one.steps)))];
  const placesText =
    texts.length === 0 ? 'no place with records was found' : `records may stand at ${listed(texts.slice(0, 10))}`;
  return {
    ...FIRST_POSITION,
    message: `no record stands at ${quote(place)}, where they were said to be: ${placesText}`,
  };
}

function layoutOf(options: LayoutOptions, bytes: Buffer, isAll: boolean): JsonLayout | FaultPlace {
  const isNdjson = options.source.format === 'ndjson';
  const first = bytes.findIndex((byte) => byte > 32);
  if (first === -1) return isNdjson ? sequenceLayout([]) : EMPTY;
  if (!isNdjson && isScript(bytes.toString('utf8', first, first + SCRIPT_BYTES))) return FOUND_SCRIPT;
  const opening = isNdjson ? lineOpening(bytes) : openingOf(bytes);
  const isLog = isNdjson && opening.roots.length > 0;
  if (bytes[first] !== OPEN_ARRAY && bytes[first] !== OPEN_OBJECT && !isLog) return sequenceLayout([]);
  if (opening.roots.length === 0) return bytes[first] === OPEN_ARRAY ? arrayLayout([]) : BROKEN_FILE;
  const layout = Array.isArray(opening.roots[0])
    ? layoutOfArray(options, opening)
    : layoutOfObject(options, opening, isNdjson, isAll);
  if ('message' in layout) return isAll && !opening.isClosed ? BROKEN_FILE : layout;
  const { besides } = layout;
  const { roots } = opening;
  const layoutWithHolders = withHolders(layout, roots.length, bytes);
  const main = withKnownLists(withInnerLists(layoutWithHolders, layout), layout);
  const furtherLists = besides?.map(({ name, layout: other }) => ({
    name,
    layout: withHolders(other, roots.length, bytes),
  }));
  const complete = { ...main, ...(furtherLists !== undefined && { besides: furtherLists }) };
  const { sample } = complete;
  // The last record may be cut off by the opening's end.
  const wholeSample = opening.isClosed || sample.length < 2 ? sample : sample.slice(0, -1);
  return withKinds({ ...complete, sample: wholeSample }, options.model.name);
}

/** The layout of the records of one kind, and beside it one for each other kind. */
function withKinds(layout: JsonLayout, preferred: string): JsonLayout {
  if (layout.header !== undefined || layout.besides !== undefined) return layout;
  const [main, ...otherKinds] = recordKindsIn(layout.sample, preferred);
  if (main === undefined) return layout;
  const { knownLists: _, ...plain } = layout;
  const kindLayouts = otherKinds.map(({ name, kind, records }) => ({
    name,
    layout: { ...plain, kind, sample: records },
  }));
  return { ...layout, kind: main.kind, sample: main.records, besides: kindLayouts, listName: main.name };
}

/** The layout whose records get the values of what holds them. */
function withHolders(layout: JsonLayout, roots: number, bytes: Buffer): JsonLayout {
  const holders = holdersOf(layout, roots);
  const hasOuterGroups = layout.steps.filter((step) => step === 'members').length > 1;
  if (holders.size === 0 && !hasOuterGroups) return layout;
  return { ...layout, holders, ...firstRecordsIn(bytes, { ...layout, holders }) };
}

/** The layout with the lists that stand in its records, and may be the records themselves. `bare` is the layout without its holders: lists are looked for in the records as the file has them. */
function withInnerLists(layout: JsonLayout, bare: JsonLayout): JsonLayout {
  const { steps, sample } = bare;
  if (layout.header !== undefined) return layout;
  const types = collections.map((model) => recordTypes(model, sample)).find((found) => found !== undefined);
  const records = sample
    .slice(0, EXAMINED_SAMPLE)
    .filter((record) => types?.otherType(linkedDataType(record)) === undefined);
  const recordNames = namesOfSample(records);
  const areGroups = areSections(sample);
  // A list of one may stand for its element, as in XML.
  const ways = records.flatMap((record) =>
    listsIn(record, (list, first, depth) => {
      const names = Object.keys(first);
      const hasOtherNames = names.some((name) => !recordNames.has(name));
      return (areGroups && list.length > 1) || (isLikeRecords(names, recordNames) && (depth === 0 || !hasOtherNames));
    }),
  );
  const innerLists = [...new Set(ways.map((way) => placeText([...steps, ...way.map((name) => ({ name })), 'each'])))];
  return innerLists.length === 0 ? layout : { ...layout, innerLists };
}

const EXAMINED_SAMPLE = 20;

const namesOfSample = (records: readonly SampleRecord[]): ReadonlySet<string> =>
  new Set(records.slice(0, EXAMINED_SAMPLE).flatMap(({ names }) => names));

/** The layout whose reader reports what stands beside the records. Not lists that are read as collections, or name the columns. */
function withKnownLists(layout: JsonLayout, { steps, columnsPlace, besides = [], sample }: JsonLayout): JsonLayout {
  const places = [steps, ...besides.map((one) => one.layout.steps)].map(placeText);
  if (columnsPlace !== undefined) places.push(columnsPlace);
  return {
    ...layout,
    knownLists: new Set(places),
    recordNames: namesOfSample(sample),
    areObjectsData: besides.length > 0,
  };
}

/** The values of the lines, without lines that are no JSON. Values that span several lines are read as one sequence instead. */
function lineOpening(bytes: Buffer): Opening {
  const opening = openingOf(bytes);
  const lines = bytes.toString('utf8').split('\n').map(parsedJson);
  const roots = lines.filter((value) => typeof value === 'object' && value !== null);
  return roots.length >= opening.roots.length ? { roots, isClosed: true } : opening;
}

function layoutOfArray({ model, judge }: LayoutOptions, { roots }: Opening): JsonLayout {
  const [root, second] = roots;
  const plain = arrayLayout(sampleOf(Array.isArray(root) ? root : []));
  if (roots.length > 1 && Array.isArray(second)) {
    const table = layoutOfRows(roots, judge);
    if (table) return table;
  }
  const listBehind = listBehindInfo(root, judge);
  if (listBehind !== undefined && roots.length === 1) return walkedLayout(listBehind, roots);
  const [best] = findCandidates(model, root, judge);
  const arePages = roots.length > 1 && roots.every((page) => Array.isArray(page));
  if (best === undefined || best.score < TITLE_SCORE) return plain;
  if (best.steps.length === 1 && best.header === undefined && !arePages) return plain;
  return walkedLayout(best, roots);
}

/** The list of records behind what the answer says of itself: `[{"page": 1, "total": 2}, [{"city": "Graz"}, {"city": "Linz"}]]`. */
function listBehindInfo(root: unknown, judge: Judge): Candidate | undefined {
  const [info, list, ...others] = Array.isArray(root) ? root : [];
  if (others.length > 0 || !isPlainObject(info) || !Array.isArray(list) || !isPlainObject(list[0])) return undefined;
  const isRecord = judge.score(sampleOf([info])) >= TITLE_SCORE;
  return isRecord ? undefined : { steps: ['each', 'each'], records: sampleOf(list), score: 0 };
}

/** The layout of rows one after the other, of which the first has the names: `["id","name"] [1,"Tea"]`. */
function layoutOfRows([first, ...rows]: readonly unknown[], judge: Judge): JsonLayout | undefined {
  const header = Array.isArray(first) ? headerIn(first) : undefined;
  if (header === undefined || !rows.every((row) => Array.isArray(row))) return undefined;
  const sample = rows.map((cells) => ({ names: header, cells }));
  if (judge.score(sample.slice(0, 20)) < TITLE_SCORE) return undefined;
  return { ...sequenceLayout(sample), header, hasHeader: true };
}

function layoutOfObject(
  { model, judge }: LayoutOptions,
  { roots, isClosed }: Opening,
  isNdjson: boolean,
  isAll: boolean,
): JsonLayout | FaultPlace {
  const [root] = roots;
  if (roots.length === 1 && areColumns(root, isClosed)) return COLUMNS;
  const sample = sampleOf(roots);
  const rootScore = judge.score(sample.slice(0, 1));
  const candidates = findCandidates(model, root, judge).filter((one) => standsInAll(roots, one));
  const [best] = candidates;
  const isRecord = rootScore >= TITLE_SCORE || (rootScore > 1 && candidates.length === 0);
  const isFilled = candidates.some(({ records }) => records.length > 0);
  // In an object of records, `{"101":{…},"102":{…}}`, the first one may pass for a container of the root's own values.
  const isKeyed = roots.length === 1 && best?.steps.length === 1 && best.steps[0] === 'members';
  // {"product": {"name": "Cup", "price": 3}, "reviews": [{"title": "Good", "author": "Ann", "rating": 5}]} is a product with its reviews.
  const isRecordWithLists =
    best !== undefined && !judge.mayHold(sample.slice(0, 1)) && !holdsRecordsByName(lastName(best));
  // {"title": "Prices", "columns": ["name", "price"], "rows": [["Tea", 3]]} tells of its table.
  const isOfTable = best?.columnsPlace !== undefined && (best.steps[1] === 'each' || !isRecordWithLists);
  const isBest = best === undefined || (!isOfTable && (rootScore >= best.score || isRecordWithLists));
  // {"id":1,"name":"Rope","strands":[{"id":10,"name":"Red","price":3}]} on a line is a rope: a list of lines is searched as an array is.
  const isOneOfMany = (): boolean =>
    (isNdjson || roots.length > 1) && findCandidates(model, roots, judge)[0]?.steps.length === 1;
  if (isRecord && !isKeyed && (isBest || isOneOfMany())) return sequenceLayout(sample);
  if (best === undefined && (isNdjson || (roots.length > 1 && rootScore > 0))) return sequenceLayout(sample);
  if (best === undefined) return NO_ARRAY;
  if (!isFilled && (isNdjson || isRecord)) return sequenceLayout(sample);
  if (!isFilled && !isClosed && !isAll) return NO_ARRAY;
  return { ...walkedLayout(best, roots), ...layoutOfNamedLists(best, roots, model) };
}

/**
 * The named lists of the object in which the best one stands. The one that is named as the collection goes before it: a `products.json` of
 * `{"reviews": […], "products": […]}` holds products.
 */
function layoutOfNamedLists(
  best: Candidate,
  roots: readonly unknown[],
  { name: collection }: CollectionModel,
): Partial<JsonLayout> {
  const [holder, each] = best.steps.slice(-2);
  if (roots.length > 1 || each !== 'each' || typeof holder !== 'object' || best.header !== undefined) return {};
  const around = best.steps.slice(0, -2);
  if (around.some((step) => typeof step === 'string')) return {};
  const [object] = valuesAt(roots, around);
  const lists = Object.entries(Object(object)).flatMap(([name, list]: [string, unknown]) =>
    Array.isArray(list) && isPlainObject(list[0]) ? [{ name, list }] : [],
  );
  if (lists.every(({ name }) => name === holder.name)) return {};
  const layoutOfList = ({ name, list }: (typeof lists)[number]): JsonLayout => ({
    ...sequenceLayout(sampleOf(list)),
    steps: [...around, { name }, 'each'],
  });
  // {"title":"Notes","authors":[{"name":"Mia"}],"items":[…]}: a lone object in an envelope that says something itself tells of the envelope.
  const isEnvelope = Object.values(Object(object)).some((value) => typeof value !== 'object');
  const columnLists = namedColumnsIn(Object(object)).map(({ steps }) => placeText(steps));
  const isBeside = ({ name, list }: (typeof lists)[number]): boolean =>
    name !== holder.name &&
    (isCompanion(name) || (isEnvelope && list.length === 1) || columnLists.includes(placeText([{ name }])));
  const named = lists.filter((one) => !isBeside(one));
  const main = named.find(({ name }) => nameKey(name) === collection) ?? named.find(({ name }) => name === holder.name);
  const furtherLists = named
    .filter((one) => one !== main)
    .map((one) => ({ name: one.name, layout: layoutOfList(one) }));
  return {
    ...(main !== undefined && main.name !== holder.name && layoutOfList(main)),
    ...(main !== undefined && furtherLists.length > 0 && { besides: furtherLists, listName: main.name }),
  };
}

/**
 * Whether a value is a table by columns, as pandas writes it: lists of one length, or objects of values by the numbers of rows.
 *
 *     {"id":[7,8],"name":["Tea","Rye"]}
 *     {"id":{"0":7,"1":8},"name":{"0":"Tea","1":"Rye"}}
 */
function areColumns(value: unknown, isWhole: boolean): boolean {
  const columns = Object.values(Object(value));
  const [first] = columns;
  if (Array.isArray(first)) {
    const isColumn = (column: unknown, i: number) =>
      Array.isArray(column) &&
      column.every((cell) => typeof cell !== 'object' || cell === null) &&
      (column.length === first.length || (!isWhole && i === columns.length - 1));
    return columns.length > 1 && first.length > 1 && columns.every(isColumn);
  }
  const isColumn = (column: unknown) =>
    isPlainObject(column) && Object.entries(column).every(([key, cell]) => isId(key) && !isPlainObject(cell));
  return isPlainObject(first) && Object.keys(first).length > 0 && columns.every(isColumn);
}

/** The layout of a candidate in the first root. Those behind it are pages, of which the opening may show none; they add to the sample. */
function walkedLayout({ records, score: _, ...place }: Candidate, [, ...pages]: readonly unknown[]): JsonLayout {
  const pageValues = place.header === undefined ? valuesAt(pages, place.steps) : [];
  return { ...sequenceLayout([...records, ...sampleOf(pageValues)]), ...place };
}
