/**
 * What becomes of each column of a file, and of values inside of them?
 * Takes: the model of the collection, the mapping, and the first 1,000 records.
 * Gives: a plan, by which every record of the file is read. It is made once, in four steps: the sample,
 * its columns, the fields that are fed by name, the fields that are fed by a guess.
 * Skip: the form of texts (`text-forms.ts`), which column feeds which field (`feeding.ts`).
 */
import { type CollectionModel, type Field, fieldOf, hasField } from '../../model.js';
import { unguardFormula } from '../../text.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { MAX_FIELD_DEPTH } from '../profile/late-columns.js';
import { recordTypes, SAMPLE_RECORDS, type SampleRecord, wantedOf } from '../profile/sample.js';
import { columnAt, SampledColumn, sampledColumns } from '../profile/sampled-columns.js';
import { areMinorUnits } from '../profile/scales.js';
import { areSamePaths, isPlainObject, nameKey, type Path, parsePath, pathKey } from '../values/paths.js';
import { type TextForm, textForm } from '../values/text-forms.js';
import type { ValueCounts } from '../values/value-counts.js';
import { AMOUNT_MEMBERS } from '../values/values.js';
import type { DecidedKind } from './column-kind.js';
import { type CellSource, type ColumnPlan, createRank, type Mapping, NO_MAPPING } from './columns.js';
import { bestSources, feedByGuess, feedByName } from './feeding.js';
import { containersIn, type Level, type SampledFile } from './sources.js';

export interface FilePlan extends ColumnPlan {
  readonly model: CollectionModel;
  /** The names of the fields that have a source in the sample, and the best source of each. */
  readonly fed: ReadonlyMap<string, CellSource>;
  /** The profile of the column that feeds a documented field; undefined where none does. */
  readonly profileOf: (field: Field | undefined) => ColumnProfile | undefined;
  /** The sources that have a documented field's name, and other values. */
  readonly unsuited: readonly CellSource[];
  /** Columns that feed no documented field and may become fields, in the order of the source; those that the mapping renames stand last. */
  readonly found: readonly SampledColumn[];
  /** Per name of a field the form of its texts. */
  readonly forms: ReadonlyMap<string, TextForm>;
  /** Paths of the mapping that lead to a value in the sample. */
  readonly usedPaths: readonly string[];
}

interface PlanOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly isCsv: boolean;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
  /** Columns with values of what holds the records: `shop`. */
  readonly heldNames?: ReadonlySet<string> | undefined;
  /** Whether other records have the ids of the file's (`filesSharingIds`). */
  readonly sharesIds?: boolean | undefined;
  /** The page's address, which completes relative addresses. */
  readonly baseUrl?: string | undefined;
}

/** Values behind the sample that may decide otherwise about a file's columns. */
export interface LaterValues {
  /** Records of one value each, that the sample lacks. */
  readonly records: readonly SampleRecord[];
  /** Per path of a column the kind and unit that the values of all records decide. */
  readonly kinds: ReadonlyMap<string, DecidedKind>;
}

export const NOTHING_LATER: LaterValues = { records: [], kinds: new Map() };

/** Decides what becomes of each column of a file, by its first records and the values behind them that may decide otherwise. */
export function createPlan(
  options: PlanOptions,
  records: readonly SampleRecord[],
  later: LaterValues = NOTHING_LATER,
): FilePlan {
  const { model, mapping } = options;
  const { isOurExport } = mapping;
  const types = recordTypes(model, records);
  const sample = wantedOf(model, records, types);
  const columns = plannedColumns(options, sample, later);
  const feeding = feedByGuess(columns, feedByName(columns));
  const fed = bestSources(feeding);

  const profileOf = (field: Field | undefined): ColumnProfile | undefined =>
    columnAt(columns.top.columns, fed.get(field?.name ?? '')?.path ?? [])?.profile;
  const formOf = (field: Field): TextForm =>
    isOurExport ? 'plain' : textFormOf(field, fed.get(field.name)?.path ?? [], columns, options, profileOf(field));
  const hasRelativeDates =
    !isOurExport &&
    model.fields.some((field) => field.kind === 'date' && (profileOf(field)?.texts.count('relativeDates') ?? 0) > 0);
  return {
    ...{ model, types, fed, profileOf, unsuited: feeding.unsuited },
    sourcesAt: sourcesByName(columns, [...feeding.sources.values()].flat()),
    forms: new Map(model.fields.map((field) => [field.name, formOf(field)])),
    found: foundColumns(columns, fed),
    scrapedAt: hasRelativeDates ? scrapeTimeIn(columns) : undefined,
    usedPaths: usedPaths(mapping, columns.top),
  };
}

/** The sources that the names of records' members give to fields, whatever their values are. */
export function fedByNames(options: PlanOptions, records: readonly SampleRecord[]): FilePlan['fed'] {
  const columns = {
    ...plannedColumns(options, wantedOf(options.model, records), NOTHING_LATER),
    isByNames: true as const,
  };
  return bestSources(feedByGuess(columns, feedByName(columns)));
}

/** The columns of the sample, and of later records that decide otherwise. */
function plannedColumns(
  { model, mapping, isCsv, heldNames, sharesIds }: PlanOptions,
  sample: readonly SampleRecord[],
  later: LaterValues,
): SampledFile {
  const rankByName = createRank(model, NO_MAPPING);
  const top: Level = { prefix: [], baseRank: 0, columns: sampledColumns(plannedRecords(sample, later)) };
  const levels = mapping.isOurExport ? [] : [top, ...containersIn(top, model, rankByName)];
  const rank = createRank(model, mapping);
  const decidedBy = { model, mapping, isCsv, heldNames, sharesIds, rank, rankByName };
  return { ...decidedBy, records: sample.length, top, levels };
}

/** The sources at each name. One that the sample lacks may begin a path of the mapping, or be a name of a field. */
const sourcesByName =
  ({ top, model, rank }: SampledFile, sources: readonly CellSource[]) =>
  (name: string): readonly CellSource[] => {
    const planned = sources.filter(({ path }) => path[0] === name);
    if (top.columns.has(name)) return planned;
    const named = model.fields.flatMap((field): readonly CellSource[] => {
      const nameRank = rank(field, name);
      return nameRank === undefined
        ? []
        : [{ field: field.name, rank: nameRank, path: [name], text: name, isByName: true }];
    });
    return [...planned, ...named];
  };

/** The time at which a record was scraped: `scraped_at`, `crawlTime`, `fetched-on`. */
const SCRAPE_TIME =
  /^(?:scraped?|crawl(?:ed)?|fetch(?:ed)?|retrieved|downloaded|extracted|collected|indexed)(?:at|on|time|date|timestamp)$/;

/** The column with the time of scraping, from which `3 hours ago` counts. */
const scrapeTimeIn = ({ top }: SampledFile): string | undefined =>
  [...top.columns.keys()].find((name) => SCRAPE_TIME.test(nameKey(name)));

const NO_COUNTS: ValueCounts = new Map();

/** The form of a field's texts, by its values, by the last name on its path, and by the names of the columns beside it. */
function textFormOf(
  field: Field,
  path: Path,
  { levels }: SampledFile,
  { baseUrl, keepsHtml }: PlanOptions,
  profile: ColumnProfile | undefined,
): TextForm {
  if (field.kind === 'url') return baseUrl === undefined ? 'plain' : 'address';
  const isBeside = ({ prefix }: Level): boolean => prefix.length === 0 || prefix[0] === path[0];
  const neighbourNames = levels.filter(isBeside).flatMap(({ columns }) => [...columns.keys()]);
  const last = path.findLast((step) => typeof step === 'string') ?? '';
  const form = textForm(field, last, neighbourNames, profile?.counts ?? NO_COUNTS);
  if (form !== 'html' || !keepsHtml) return form;
  return field.detailOnly ? 'plain' : 'entities';
}

const usedPaths = (mapping: Mapping, top: Level): readonly string[] =>
  [...mapping.keys()].filter((key) => {
    const path = parsePath(key) ?? [];
    return path.length > 1 && (columnAt(top.columns, path)?.values.length ?? 0) > 0;
  });

/** A sample is planned as it is, so that facts about its columns are found once. */
const plannedRecords = (sample: readonly SampleRecord[], { records }: LaterValues): readonly SampleRecord[] =>
  records.length === 0 && sample.length <= SAMPLE_RECORDS ? sample : [...sample.slice(0, SAMPLE_RECORDS), ...records];

/** The column that feeds a found field. */
export const foundColumnOf = ({ found }: FilePlan, { sourcePath }: Field): SampledColumn | undefined =>
  sourcePath === undefined ? undefined : found.find(({ path }) => areSamePaths(path, sourcePath));

/** The profile of the column that feeds a field, documented or found. */
export const columnProfileOf = (plan: FilePlan, field: Field): ColumnProfile | undefined =>
  foundColumnOf(plan, field)?.profile ?? plan.profileOf(field);

/** A collection has no more found fields than these. */
export const MAX_FOUND_FIELDS = 200;

/**
 * The columns that feed no documented field, objects resolved into their members; behind them those that the mapping renames.
 *
 *     {"price": {"value": 9, "currency": "EUR"}, "brand": "Acme"}, where price.value is fed:
 *     price.currency, brand
 */
function foundColumns(
  { model, mapping, top }: SampledFile,
  fed: ReadonlyMap<string, CellSource>,
): readonly SampledColumn[] {
  const fedKeys = new Set([...fed.values()].map(({ path }) => pathKey(path)));
  const columns: SampledColumn[] = [];
  const visit = (column: SampledColumn): void => {
    const { path, text, values } = column;
    const isFed = fedKeys.has(pathKey(path));
    const isAmount = isFed && areMinorUnits(values);
    if (isAmount)
      for (const member of column.members.values()) if (!AMOUNT_MEMBERS.includes(member.name)) visit(member);
    if (mapping.has(text) || isFed) return;
    if (columns.length === MAX_FOUND_FIELDS || values.length === 0) return;
    if (path.length < MAX_FIELD_DEPTH && values.every(isPlainObject) && !isKeyedByData(column))
      for (const member of column.members.values()) visit(member);
    else columns.push(mapping.isGuarded ? new SampledColumn(path, values.map(unguarded)) : column);
  };
  for (const column of top.columns.values()) visit(column);
  return [...columns, ...renamedColumns(model, mapping, top)].slice(0, MAX_FOUND_FIELDS);
}

/** With fewer names an object may be sparse, with more of them filled its names are those of fields. */
const MIN_DATA_KEYS = 20;
const MAX_DATA_KEY_SHARE = 0.1;

/** Whether the names in a column's objects are data, hardly one of which two records have: `{"history": {"2023-01-01": 5, "2023-01-02": 6}}`. */
function isKeyedByData({ members, values }: SampledColumn): boolean {
  const cells = [...members.values()].reduce((sum, member) => sum + member.values.length, 0);
  return members.size >= MIN_DATA_KEYS && cells < MAX_DATA_KEY_SHARE * members.size * values.length;
}

/** The columns, or values inside of them, that a mapping gives names of their own: `{"variants[0].sku": "sku"}`. */
const renamedColumns = (model: CollectionModel, mapping: Mapping, { columns }: Level): readonly SampledColumn[] =>
  [...mapping].flatMap(([text, name]) => {
    if (name === null || hasField(model, name)) return [];
    const path = columns.has(text) ? [text] : (parsePath(text) ?? []);
    const { values } = columnAt(columns, path) ?? { values: [] };
    return values.length === 0 ? [] : [new SampledColumn(path, values, text)];
  });

const unguarded = (value: unknown): unknown => (typeof value === 'string' ? unguardFormula(value) : value);

/** How many columns a report proposes for a title. */
const MAX_TITLE_CANDIDATES = 3;

/** Where no column is the title: the first columns of texts that feed no documented field, one of which may be it. */
export function titleCandidates({ model, fed, found }: FilePlan): readonly string[] {
  if (fed.has(fieldOf(model, 'title')?.name ?? '')) return [];
  const columns = found.filter(({ profile }) => profile.areTexts);
  return columns.slice(0, MAX_TITLE_CANDIDATES).map(({ text }) => text);
}
