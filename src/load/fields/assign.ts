/**
 * Which collection each file feeds: the one that `--as` or its name says (`folder.ts`), else the documented one that the names of its
 * fields tell, else a collection of its own, named by the file. Values tell nothing here: many a dump has texts and amounts of money.
 */

import { type CollectionModel, type FieldRole, fieldOf } from '../../model.js';
import { listed } from '../../text.js';
import type { OpenedFile } from '../open-file.js';
import type { CsvTable } from '../place/csv-table.js';
import { jsonFaultIn } from '../place/json-reader.js';
import { recordTypes } from '../profile/sample.js';
import { type Finding, finding } from '../report/findings.js';
import { faultText, type SnapshotFault } from '../report/report.js';
import {
  inOrder,
  type Listing,
  mappingOf,
  ownNameOf,
  type SnapshotFile,
  type UnassignedFile,
} from '../source/folder.js';
import { anyCollection, ownCollection } from './own-collection.js';
import type { FilePlan } from './plan.js';
import { collectionVocabulary } from './vocabulary.js';

export interface Opener {
  /** Opens a file as a collection. `withoutMapping`: null, where its mapping is not read; `sharesIds`: its ids are those of other records elsewhere. */
  open(
    source: SnapshotFile,
    model: CollectionModel,
    withoutMapping?: null,
    sharesIds?: boolean,
  ): Promise<OpenedFile | SnapshotFault>;
  /** The names of the lists that stand beside the records of a file, which is not planned for that; none of a file with a fault. */
  besides(source: SnapshotFile, model: CollectionModel): Promise<readonly string[]>;
}

const noRowsText = ({ refusal, nameNote }: CsvTable): string =>
  refusal === undefined
    ? 'no record was found in it: expected rows below the row of column names'
    : `no row of it is a record; the first is on line ${refusal.line}: ${refusal.reason}${nameNote === undefined ? '' : `; ${nameNote}`}`;
const NO_RECORDS =
  'no record was found in it: expected objects with fields of articles or products, such as [{"title": "Tea", "price": 4.2}]';

const LONE_OBJECT =
  'neither its name nor its fields tell whether its one object is a record: --as NAME reads it as one';

/** Says of each file, and of each list beside its records, which collection it feeds; `as`: the one that all feed. What is ignored has a line. */
export async function assignCollections(
  { files, unassigned }: Listing,
  documented: readonly CollectionModel[],
  opener: Opener,
  as?: string,
) {
  const assigned: SnapshotFile[] = [];
  const ignored: string[] = [];
  const faults: SnapshotFault[] = [];
  const leftOut: Finding[] = [];
  const assign = async (file: SnapshotFile): Promise<void> => {
    const listsOfFile = await listsBeside(file, documented, opener);
    if (as !== undefined && listsOfFile.length > 0) {
      const names = listed(listsOfFile.map(({ list = '' }) => `${list}[]`));
      leftOut.push({
        file: file.file,
        collection: file.collection,
        ...finding('left-out', `${names} beside the records: --as ${as} reads one collection`),
      });
    }
    assigned.push(file, ...(as === undefined ? listsOfFile : []));
  };
  for (const file of files) await assign(file);
  for (const file of unassigned) {
    const collection = await collectionOfFile(file, documented, opener);
    if (typeof collection === 'string') await assign({ ...file, collection });
    else if (file.isNamed || !collection.isForeign) faults.push(collection);
    else ignored.push(faultText(collection));
  }
  return { files: inOrder(assigned), ignored, faults, leftOut };
}

/** The lists, and the kinds of records, that stand beside the records of a JSON file, each as a file of its own, named by list or kind. */
async function listsBeside(
  file: SnapshotFile,
  documented: readonly CollectionModel[],
  { besides }: Opener,
): Promise<readonly SnapshotFile[]> {
  if (file.format === 'csv') return [];
  const model = documented.find(({ name }) => name === file.collection) ?? ownCollection(file.collection, () => true);
  const names = await besides(file, model);
  return names.map((name) => ({
    ...file,
    list: name,
    file: `${file.file}#${name}`,
    collection: ownNameOf(name),
  }));
}

async function collectionOfFile(
  file: UnassignedFile,
  documented: readonly CollectionModel[],
  { open }: Opener,
): Promise<string | SnapshotFault> {
  let opened: OpenedFile | undefined;
  let mapping: string | undefined;
  // A price tells products, whatever else an article might have too.
  for (const model of documented.toReversed()) {
    const source = { ...file, collection: model.name };
    const mappingPath = mappingOf(source);
    if (opened === undefined || mappingPath !== mapping) {
      let current = await open(source, anyCollection);
      // A broken mapping is reported with the collection that it belongs to.
      if ('message' in current && current.file !== file.file) current = await open(source, anyCollection, null);
      if ('message' in current) return current;
      opened = current;
      mapping = mappingPath;
    }
    const listName = nameOfList(opened.layout);
    // A list that is named as a collection is one.
    const named = documented.find(({ name }) => name === listName);
    if (named !== undefined) return named.name;
    if (hasSignatureOf(model, opened) && mayHaveTitles(model, opened)) return model.name;
  }
  if (opened === undefined) return { file: file.file, message: NO_RECORDS, isForeign: true };
  const { source, layout } = opened;
  if (layout.sample.length > 0 && !isLoneObject(opened)) return ownNameOf(nameOfList(layout) ?? file.path);
  const broken = 'shape' in layout ? await jsonFaultIn(source, layout) : undefined;
  if (broken !== undefined) return broken;
  const noRecords = 'shape' in layout ? NO_RECORDS : noRowsText(layout);
  return { file: file.file, message: layout.sample.length > 0 ? LONE_OBJECT : noRecords, isForeign: true };
}

/** The name of the list that holds the records, where a file has several; one such as `items` says nothing. */
const nameOfList = (layout: OpenedFile['layout']): string | undefined =>
  'listName' in layout && layout.listName !== undefined && !MEANINGLESS.has(layout.listName.toLowerCase())
    ? layout.listName
    : undefined;

const MEANINGLESS = new Set([
  'data',
  'items',
  'results',
  'records',
  'list',
  'rows',
  'entries',
  'objects',
  'hits',
  'docs',
]);

/** Whether a JSON file is a single object, which may be anything: package.json is one. */
const isLoneObject = ({ source, layout }: OpenedFile): boolean =>
  source.format === 'json' && 'steps' in layout && layout.steps.length === 0 && layout.sample.length === 1;

/** Whether the names of a file's fields, its mapping or the types of its records tell a collection. */
function hasSignatureOf(model: CollectionModel, { plan, layout }: OpenedFile): boolean {
  if (recordTypes(model, layout.sample) !== undefined) return true;
  const isEmptyTable = 'dialect' in layout && layout.sample.every(({ cells }) => cells.every((cell) => cell === null));
  const isThere = (role: FieldRole, mayBeGuessed: boolean): boolean => {
    const field = fieldOf(plan.model, role);
    const source = plan.fed.get(field?.name ?? '');
    // WordPress has an author's number under `author`: the name tells all the same. A column `comments` without numbers has remarks.
    const isCount = field?.kind === 'integer';
    if (source === undefined) return !isCount && plan.unsuited.some((one) => one.field === field?.name);
    if (isCount && !isEmptyTable && (plan.profileOf(field)?.present ?? 0) === 0) return false;
    return source.guess === undefined || (mayBeGuessed && source.guess === 'words');
  };
  const areThere = (roles: readonly FieldRole[], mayBeGuessed: boolean) =>
    roles.every((role) => isThere(role, mayBeGuessed));
  const { signatures, exactSignatures } = collectionVocabulary(model);
  return signatures.some((roles) => areThere(roles, true)) || exactSignatures.some((roles) => areThere(roles, false));
}

/** Whether records may have the titles that a collection demands, from a column or from their content: else all would be refused. */
function mayHaveTitles(model: CollectionModel, { plan, layout }: OpenedFile): boolean {
  const titles = model.fields.filter(({ role }) => role === 'title' || role === 'body');
  return layout.sample.length === 0 || titles.some(({ name }) => plan.fed.has(name));
}

/** The collections of files that are no documented ones, each with the documented fields that its files feed. */
export async function ownCollections(
  files: readonly SnapshotFile[],
  documented: readonly CollectionModel[],
  { open }: Opener,
): Promise<readonly CollectionModel[]> {
  const names = new Set(files.map(({ collection }) => collection));
  for (const { name } of documented) names.delete(name);
  return Promise.all(
    [...names].map(async (name) => {
      const any = ownCollection(name, () => true);
      const sources = files.filter(({ collection }) => collection === name);
      const opened = await Promise.all(sources.map((source) => open(source, any)));
      const fed = new Set(opened.flatMap((file) => ('message' in file ? [] : namesOfFed(file.plan))));
      return ownCollection(name, (field) => fed.has(field.name));
    }),
  );
}

/** The fields that a name feeds, and the guessed title and address. Other guesses are dropped: the salary of a job is no price. */
const namesOfFed = ({ fed, model }: FilePlan): readonly string[] =>
  [...fed].flatMap(([name, { guess }]) => {
    const role = model.fields.find((field) => field.name === name)?.role;
    return role === 'title' || role === 'link' || guess === undefined ? [name] : [];
  });
