/** Where do the records of a file stand? Names alone tell it: a place is scored by the fields that the names there feed. */
import { type CollectionModel, type Field, type FieldRole, fieldOf, ID_FIELD } from '../model.js';
import { createRank, type Mapping } from './fields/columns.js';
import { guessRank } from './fields/guesses.js';
import { fedByNames } from './fields/plan.js';
import { isNameOfList, lookLikeNames } from './place/csv-dialect.js';
import { type CsvTable, findCsvTable } from './place/csv-table.js';
import { findJsonLayout, type JsonLayout } from './place/json-layout.js';
import { TITLE_SCORE } from './place/json-outline.js';
import { factOf, type SampleRecord } from './profile/sample.js';
import type { SnapshotFault } from './report/report.js';
import { formatByEnding, type SnapshotFile } from './source/folder.js';
import { wordsOfName } from './values/paths.js';

export type FileLayout = JsonLayout | CsvTable;

export interface OpenOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly keepsHtml: boolean;
  readonly baseUrl?: string | undefined;
  /** Where the records stand in a JSON file: `threads[].posts[]`. Undefined: the file shows it. */
  readonly place?: string | undefined;
  /** Whether ids of the file stand for other records too (`filesSharingIds`). */
  readonly sharesIds?: boolean | undefined;
}

/** Finds where the records of a file stand. */
export const locateRecords = (source: SnapshotFile, options: OpenOptions): Promise<FileLayout | SnapshotFault> =>
  source.format === 'csv' ? csvTableOf(source, options) : jsonLayoutOf(source, options);

async function csvTableOf(source: SnapshotFile, { model, mapping }: OpenOptions): Promise<CsvTable | SnapshotFault> {
  const rank = createRank(model, mapping);
  const isExactName = (name: string): boolean => model.fields.some((field) => rank(field, name) !== undefined);
  const isTextName = (name: string): boolean =>
    model.fields.some((field) => field.kind === 'text' && rank(field, name) !== undefined);
  // The answers are remembered: any of the first lines may have the names, so their cells are looked up several times.
  const answersByName = new Map<string, boolean>();
  const isFieldName = (name: string): boolean => {
    const isKnown = answersByName.get(name);
    if (isKnown !== undefined) return isKnown;
    const words = wordsOfName(name);
    const isName = isExactName(name) || model.fields.some((field) => guessRank(field, name, words) !== undefined);
    answersByName.set(name, isName);
    return isName;
  };
  // The lines of a text are no list: only the ending of its name tells one.
  const mayBeList = formatByEnding(source.path) === 'csv';
  const mayBeNames = (cells: readonly string[]): boolean =>
    model.isOwn === true && (lookLikeNames(cells) || (mayBeList && isNameOfList(cells)));
  return findCsvTable(source, { isFieldName, isExactName, isTextName, mayBeNames });
}

/** Finds the place that the user names, else the one whose first records feed the most fields. */
function jsonLayoutOf(source: SnapshotFile, options: OpenOptions): Promise<JsonLayout | SnapshotFault> {
  const { model, place } = options;
  const fedIn = factOf((sample: readonly SampleRecord[]) => fedByNames({ ...options, isCsv: false }, sample));
  const [title, content] = [fieldOf(model, 'title')?.name, fieldOf(model, 'body')?.name];
  const score = (sample: readonly SampleRecord[]): number => {
    const fedFields = [...fedIn(sample).values()];
    // Content gives a title too, by its first words: posts have no title, while lists of tags beside them have names.
    const isTitled = fedFields.some(
      ({ field, guess }) => field === title || (field === content && guess === undefined),
    );
    return fedFields.length + (isTitled ? TITLE_SCORE : 0);
  };
  const groupFields = new Set(
    model.fields.filter((field, i) => i === ID_FIELD || isOfGroups(field)).map(({ name }) => name),
  );
  // A department, `{"id": 3, "title": "Tools", "products": […]}`, feeds nothing but fields that a group has as well.
  const isGroup = (sample: readonly SampleRecord[]): boolean =>
    [...fedIn(sample).keys()].every((name) => groupFields.has(name));
  const fieldsOfRecords = new Set(model.fields.filter(isOfRecords).map(({ name }) => name));
  // An object whose names say that it has a price or a content is a record, and holds none; a guess of these does not count.
  const mayHold = (sample: readonly SampleRecord[]): boolean =>
    [...fedIn(sample).values()].every(({ field, guess }) => guess !== undefined || !fieldsOfRecords.has(field));
  return findJsonLayout({ source, model, judge: { score, isGroup, mayHold }, place });
}

/** Whether a group of records, such as a department, has such a field too. */
const isOfGroups = ({ role }: Field): boolean => role !== undefined && ROLES_OF_GROUPS.includes(role);

/** Whether only a record has such a field, and nothing that holds records. */
const isOfRecords = ({ role }: Field): boolean => role === 'price' || role === 'body';

const ROLES_OF_GROUPS: readonly FieldRole[] = ['title', 'link', 'image', 'category', 'tags'];
