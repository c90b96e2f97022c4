/**
 * What changed in a collection from one dump to the next. A change is a record of an ordinary collection: one for each
 * field that changed, and one for each record that was added or removed. A *comparison* has the changes of all dumps so far,
 * and what the last two differ by. Immutable.
 *
 *     {"id":2,"record":7,"title":"Tea","kind":"changed","field":"price","from":12,"to":9,"difference":-3,"percent":-25,"date":"2026-11-02T00:00:00Z"}
 *     {"id":1,"record":7,"title":"Tea","kind":"added","field":null,"from":null,"to":null,…,"date":"2026-11-01T00:00:00Z"}
 */
import { foundField } from '../../field-kinds.js';
import type { CollectionModel, Field } from '../../model.js';
import { canonicalDate, count, grouped } from '../../text.js';
import type { Collection, RecordStore } from '../collection.js';
import type { LogState } from './change-log.js';

/** The rule by which a record of one dataset and one of the other are a pair. */
export type Pairing =
  | { readonly by: 'id' }
  /** By a field that is filled, and different, in every record of both datasets. */
  | { readonly by: 'field'; readonly field: string }
  /** By title and author, in order. `repeated`: the pairs whose title and author other records have as well. */
  | { readonly by: 'names'; readonly repeated: number };

export interface FieldCounts {
  readonly changed: number;
  /** Records whose number rose, and fell, if both datasets have one; 0 for fields that are no numbers. */
  readonly up: number;
  readonly down: number;
}

interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Fields that changed in at least one record, in the model's order. */
  readonly fields: ReadonlyMap<string, FieldCounts>;
}

/** A column that only one of the datasets has values in, with the number of these. */
export interface ColumnChange {
  readonly field: string;
  readonly is: 'new' | 'gone';
  readonly records: number;
}

/** The differences between two dumps of a collection. */
export interface Difference {
  /** The later dump's model with the fields that only the earlier one has behind its own. */
  readonly model: CollectionModel;
  readonly pairing: Pairing;
  readonly columns: readonly ColumnChange[];
  readonly counts: ChangeCounts;
  /** How many of the added records an earlier dump had. */
  readonly returned: number;
  /** Whether both dumps have the same records in the same rows. */
  readonly isSame: boolean;
}

/** The earlier dataset of a comparison. */
export interface Since {
  readonly version: string;
  /** The date of its name, else when the newest of its files was modified. */
  readonly modifiedAt: Date;
  /** The name that the operator gave at the start; undefined for the dataset that was served before a reload. */
  readonly name?: string;
}

/** A dump of a history. */
export interface HistoryDump {
  readonly timeMs: number;
  readonly name?: string;
  readonly records: number;
  /** Null where no record has a price. */
  readonly medianPrice: number | null;
  /** It has less than half of the records of both its neighbours: what it lacks counts as it was. */
  readonly isIncomplete: boolean;
}

/** A comparison without its changes. */
export interface ComparisonSummary {
  /** The dump before the last one. */
  readonly since: Since;
  /** The differences between the last two dumps. */
  readonly last: Difference;
  /** All dumps, the earliest first. */
  readonly dumps: readonly HistoryDump[];
  /** The time of the dump from which on all changes are there: those that led to it may be dropped, or were never known. */
  readonly knownSinceMs: number;
  readonly continuation: Continuation;
}

export interface Comparison extends ComparisonSummary {
  /** The changes of all dumps, the newest first. */
  readonly changes: Collection;
  /** A hash of the changes. */
  readonly hash: string;
  /** Builds what searches of the changes need, and filters and orders of their titles, on another thread; null where nothing has to be built there. */
  readonly indexTexts: () => Promise<void> | null;
}

/** The parts of a store that are compared. */
export type Compared = Pick<RecordStore, 'model' | 'size' | 'text' | 'ids' | 'missing' | 'columns'>;

/**
 * A dump that was read, and which records its rows are. A *subject* is a record through all dumps: it has a number from its
 * first change on.
 */
export interface Layer {
  readonly store: Compared;
  /** Whether no record was given its id by position. */
  readonly hasOwnIds: boolean;
  /** By row: the number of the subject; -1 for a record that never changed. */
  readonly subjects: Int32Array;
  /** By row: the time of the first dump that has the record, and of the last in which it is new or changed, NaN for none. */
  readonly firstSeen: Float64Array;
  readonly lastChanged: Float64Array;
  /** By row: 1 where a later layer has the record; null where none does. */
  readonly isHidden: Uint8Array | null;
}

/** The state from which the comparison with a later dump goes on. */
interface Continuation {
  /** The last dump as it was loaded, without the fields of the history. */
  readonly layer: Layer;
  readonly log: LogState;
}

export const changeKinds = ['changed', 'added', 'removed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Whether the later dump seems to come from a scrape that broke off. */
export const looksIncomplete = ({ removed, changed, unchanged }: ChangeCounts): boolean =>
  removed > changed + unchanged;

/**
 * A line where changes were dropped, for each dump that looks incomplete, each column that is new or gone, and where titles that repeat
 * made pairs.
 */
export function remarksOf({ last, dumps, knownSinceMs }: ComparisonSummary): readonly string[] {
  const { pairing, counts, columns } = last;
  const remarks: string[] = [];
  if (knownSinceMs > (dumps[0]?.timeMs ?? knownSinceMs))
    remarks.push(
      `changes are kept from ${canonicalDate(knownSinceMs)} on; --max-changes keeps more, of at most 256 MB of texts`,
    );
  for (const { name, timeMs, records, isIncomplete } of dumps)
    if (isIncomplete)
      remarks.push(
        `${name ?? canonicalDate(timeMs)} is incomplete (${count(records, 'record')}): what it lacks counts as it was`,
      );
  if (looksIncomplete(counts)) {
    const before = grouped(counts.removed + counts.changed + counts.unchanged);
    remarks.push(`the new dump looks incomplete, ${grouped(counts.removed)} of ${before} records are gone`);
  }
  for (const { field, is, records } of columns)
    remarks.push(`the column ${field} is ${is} (${count(records, 'record')})`);
  if (pairing.by === 'names' && pairing.repeated > 0)
    remarks.push(`${count(pairing.repeated, 'pair')} of titles that repeat may be others, and have no percentages`);
  return remarks;
}

/** The number of records that were added, removed or changed. */
export const wholeChanges = ({ added, removed, changed }: ChangeCounts): number => added + removed + changed;

/** The field by which records were paired, or `title and author`. */
export const pairedBy = (pairing: Pairing): string =>
  pairing.by === 'names' ? 'title and author' : pairing.by === 'id' ? 'id' : pairing.field;

/**
 * The percentage that a number changed by, to two decimals, or to three digits where two decimals have fewer: a difference is never 0 %.
 * NaN where the old number is missing or 0, where the new one is missing, and where the percentage exceeds the range of numbers.
 */
export function percentOf(from: number, to: number): number {
  const percent = ((to - from) / Math.abs(from)) * 100;
  if (!Number.isFinite(percent)) return Number.NaN;
  return Math.abs(percent) < 1 ? Number(percent.toPrecision(3)) : Math.round(percent * 100) / 100;
}

/** The difference of two numbers as they are written: 2.1 of 10 and 12.1, which in binary is 2.0999999999999996; NaN where one is missing. */
export function differenceOf(from: number, to: number): number {
  const difference = to - from;
  if (!Number.isFinite(difference)) return Number.NaN;
  const decimals = Math.max(decimalsOf(from), decimalsOf(to));
  return decimals > MAX_COMPARED_DECIMALS ? difference : Number(difference.toFixed(decimals));
}

const MAX_COMPARED_DECIMALS = 15;
const decimalsOf = (number: number): number => {
  if (Number.isInteger(number)) return 0;
  const [digits = '', exponent = '0'] = String(number).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
};

/** A value as JSON in which the order of members, and of elements, is of no account. */
export function unorderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(unorderedJson).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${unorderedJson(member)}`);
  return `{${members.sort().join()}}`;
}

/** A number of any kind of value: a text is served as it is, found by the search, and missing to filters and orders. */
const anyValueField = (name: 'from' | 'to', description: string): Field => ({
  ...foundField(name, 'number', description),
  anyValue: true,
  searchWeight: 1,
});

/** The name of a change's date. */
export const CHANGE_DATE = 'date';

export const changeFields: readonly Field[] = [
  { name: 'id', kind: 'integer', role: 'id', required: true, description: 'number of the change, the earliest first' },
  {
    name: 'record',
    kind: 'integer',
    isNamedAsId: true,
    description: 'id of the record in the newest dump; null where the record is gone',
  },
  { name: 'title', kind: 'text', role: 'title', searchWeight: 3, description: 'title of the record' },
  {
    name: 'kind',
    kind: 'text',
    required: true,
    oneOf: changeKinds,
    filter: { kind: 'value', parameter: 'kind' },
    description: `one of ${changeKinds.join(', ')}`,
  },
  {
    name: 'field',
    kind: 'text',
    filter: { kind: 'value', parameter: 'field' },
    description: 'name of the field that changed; null where the record was added or removed',
  },
  anyValueField('from', 'earlier value, as the record had it'),
  anyValueField('to', 'later value, as the record has it'),
  foundField('difference', 'number', 'later number minus the earlier one; null where one of them is no number'),
  {
    ...foundField(
      'percent',
      'number',
      'difference in percent of the earlier number, to hundredths, or to three digits where these are smaller; null where there is none, or the record may be another',
    ),
    isPercent: true,
  },
  { ...foundField(CHANGE_DATE, 'date', 'date of the dump that has the change'), role: 'date', required: true },
];

const models = new Map<string, CollectionModel>();

/** The model of a collection's changes: the same for every dump. */
export function changesModel(collection: string): CollectionModel {
  const earlierModel = models.get(collection);
  if (earlierModel !== undefined) return earlierModel;
  const model: CollectionModel = {
    name: `${collection}/changes`,
    singular: 'Change',
    isOwn: true,
    changesOf: collection,
    fields: changeFields,
  };
  models.set(collection, model);
  return model;
}

/** The fields of a record that its history gives. A dump's own fields of these names go before them. */
export const historyFields = [
  historyField('firstSeen', 'date of the first dump that has the record'),
  historyField('lastChanged', 'date of the last dump in which the record is new or changed; null where there is none'),
];

function historyField(name: 'firstSeen' | 'lastChanged', description: string) {
  return { ...foundField(name, 'date', description), name, onRequest: true, isOfHistory: true } as const;
}
