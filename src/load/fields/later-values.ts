/**
 * What the records of a file have shown when all of them were read: values that may decide otherwise than the sample did. The file is
 * planned once more with them, by the same rules.
 */
import { type CollectionModel, type Field, isFound } from '../../model.js';
import type { OpenedFile } from '../open-file.js';
import { ColumnProfile } from '../profile/column-profile.js';
import { ColumnWatch } from '../profile/column-watch.js';
import { LateColumns, lateRecord } from '../profile/late-columns.js';
import type { SampleRecord } from '../profile/sample.js';
import type { SampledColumn } from '../profile/sampled-columns.js';
import { areSamePaths, isPlainObject, pathKey, pathText } from '../values/paths.js';
import { isMost } from '../values/texts.js';
import { type DecidedKind, kindOfColumn } from './column-kind.js';
import { foundColumnOf, type LaterValues, MAX_FOUND_FIELDS } from './plan.js';

/** Per field what may overturn a decision about its column: the kind of a found field, the order of day and month, the decimal sign, ids. */
export const watchesOf = ({ plan, mapping }: OpenedFile, model: CollectionModel): ValueCounters['watches'] =>
  model.fields.map((field, index) => {
    if (!ColumnWatch.watches(field)) return undefined;
    const column = foundColumnOf(plan, field);
    // A mapping's kind stays what it is, and so does that of a documented field.
    const watchesKind = column !== undefined && !mapping.kinds?.has(column.text);
    return new ColumnWatch(field, index, column?.profile ?? plan.profileOf(field), watchesKind);
  });

/** The columns that may become fields, or fields of another kind, by what later records hold. */
export function lateColumnsOf({ plan, mapping }: OpenedFile, model: CollectionModel): LateColumns {
  const fedPaths = new Set<string>();
  for (const { path } of plan.fed.values())
    for (let steps = 1; steps <= path.length; steps++) fedPaths.add(pathKey(path.slice(0, steps)));
  const undecided = new Set(plan.found.filter(isUndecided).map(({ path }) => pathKey(path)));
  const isMapped = (text: string): boolean => mapping.has(text) || mapping.kinds?.has(text) === true;
  return new LateColumns({
    maxColumns: MAX_FOUND_FIELDS - model.fields.filter(isFound).length + undecided.size,
    isKeptOut: (path) => isMapped(pathText(path)) || fedPaths.has(pathKey(path)),
    mayChange: (path) => undecided.has(pathKey(path)),
    isGuarded: mapping.isGuarded === true,
  });
}

/**
 * Whether numbers, dates or switches may come to be most values of a column of texts: at least half of its sampled values are such.
 * Other columns are not watched, since that would cost a look at each text of each dump.
 */
function isUndecided({ profile: { kinds } }: SampledColumn): boolean {
  const { present, numbers, measures, dates, booleans, percentages } = kinds;
  const areCodes = kinds.digitCodes + kinds.longIntegers + kinds.bareExponents + kinds.paddedDecimals > 0;
  const largest = Math.max(numbers + measures, dates, booleans, percentages);
  return !areCodes && kinds.texts > 0 && 2 * largest >= present && !isMost(largest, present);
}

/** Counters of values that the sample of a file may not have shown; they count while it is read. */
export interface ValueCounters {
  /** By field; undefined where no value can overturn a decision. */
  readonly watches: readonly (ColumnWatch | undefined)[];
  /** The columns that feed no field so far; undefined where none may become one. */
  readonly lateColumns: LateColumns | undefined;
}

interface CountedValues extends ValueCounters {
  /** The number of records that have a value of a field. */
  readonly present: (index: number) => number;
}

/**
 * The values that may decide otherwise than the sample: those that show what it does not as records of one value each, and by path the kind
 * that the values of all records have.
 */
export function laterValues(
  { plan }: OpenedFile,
  model: CollectionModel,
  { watches, lateColumns, present }: CountedValues,
): LaterValues {
  const records: SampleRecord[] = [];
  const kinds = new Map<string, DecidedKind>();
  for (const [index, field] of model.fields.entries()) {
    const watch = watches[index];
    const path = field.sourcePath ?? plan.fed.get(field.name)?.path;
    if (watch === undefined || path === undefined) continue;
    for (const example of watch.examples) records.push(lateRecord(path, example));
    const column = foundColumnOf(plan, field);
    if (column === undefined || !watch.hasOddValues) continue;
    const decided = kindOfColumn(
      model,
      column.path,
      watch.kindsOfAll(field, present(index), column.profile.kinds),
      column.profile.texts,
    );
    if (decided !== undefined && isOtherKind(decided, field)) kinds.set(pathKey(column.path), decided);
  }
  for (const column of lateColumns?.all ?? []) {
    const { path, values } = column;
    const field = model.fields.find(({ sourcePath }) => sourcePath !== undefined && areSamePaths(sourcePath, path));
    if (field === undefined) records.push(...values.map((value) => lateRecord(path, value)));
    // Objects become fields for their members.
    const { texts } = new ColumnProfile(values);
    const decided = values.every(isPlainObject) ? undefined : kindOfColumn(model, path, column.kinds(), texts);
    if (decided !== undefined && isOtherKind(decided, field)) kinds.set(pathKey(path), decided);
  }
  return { records, kinds };
}

/** Whether all records decide otherwise about a column than its field has it. Numbers without a unit are read beside those that have it. */
const isOtherKind = ({ kind, unit }: DecidedKind, field: Field | undefined): boolean =>
  kind !== field?.kind ||
  (unit?.isPercent === true && field.isPercent !== true) ||
  ((unit?.unit ?? '') !== '' && unit?.unit !== field.unit);
