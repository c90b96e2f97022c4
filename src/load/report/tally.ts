/** Counts for one file's report, while its records are read. Only the first few cells of each kind become examples. */

import type { RecordBatch } from '../../batch.js';
import type { CollectionModel, Field, Value } from '../../model.js';
import { quote } from '../../text.js';
import type { Columns } from '../bind/columns.js';
import type { OddValue } from '../profile/column-watch.js';
import { type Path, pathText } from '../values/paths.js';
import type { MistakeCounter } from './mistakes.js';
import type { Example, FieldReport, FileReport, Refusal, SourceName } from './report.js';

const MAX_REFUSALS = 10;
const MAX_REPLACED_IDS = 10;
const MAX_COUNTED_NAME_CHARS = 100;
/** Counted names; a dump with ever new names has a report of bounded size. */
export const MAX_COUNTED_NAMES = 1000;
const MAX_EXAMPLES = 5;
/** Cells of a field that are examined for examples: most dumps have fewer than five different spellings. */
const MAX_EXAMINED = 1000;

/** A cell that was read from another spelling, or could not be read: `read` is null then. */
export interface CellNote {
  readonly field: number;
  readonly raw: unknown;
  readonly read: Value;
  /** The value is odd for its column: equal ones are counted. */
  readonly odd?: OddValue;
}

export type TallyResult = Omit<
  FileReport,
  'file' | 'collection' | 'language' | 'mapping' | 'bytes' | 'tookMs' | 'titleCandidates' | 'idsAssigned'
>;

interface FieldTally {
  readonly repaired: TallyFindings;
  readonly leftNull: TallyFindings;
  readonly renamedFrom: Map<string, number>;
  readonly passedOver: Map<string, number>;
}

export type Tally = ReturnType<typeof createTally>;

/** `unusedNames`: the names of a mapping that no record has so far; those that records have are taken out. */
export function createTally(model: CollectionModel, mistakes: MistakeCounter, unusedNames = new Set<string>()) {
  const fields = model.fields.map(createFieldTally);
  const refusals = new Map<string, Refusal>();
  const notKept = new Map<string, number>();
  const otherTypes = new Map<string, number>();
  const repeatedNames = new Map<string, number>();
  const bareNumbers = model.fields.map(() => 0);
  let records = 0;
  let accepted = 0;
  let replaced = 0;
  const replacedIds: number[] = [];

  return {
    /** Counts a record that is read; returns its number. */
    begin: (): number => ++records,
    refuse(line: number, reason: string): void {
      const earlier = refusals.get(reason);
      if (earlier) refusals.set(reason, { ...earlier, records: earlier.records + 1 });
      else if (refusals.size < MAX_REFUSALS) refusals.set(reason, { records: 1, record: records, line, reason });
    },
    /** Counts a record that is left out for its type. */
    leaveOut: (type: string): void => addCount(otherTypes, type, 1),
    /** Counts the names that stand more than once in an object of the record, which stands at a path in it. */
    repeatNames(path: Path, names: readonly string[]): void {
      for (const name of names) addCount(repeatedNames, pathText([...path, name]), 1);
    },
    repeatedNames: (): readonly SourceName[] => sourceNames(repeatedNames),
    /** Counts the records of a batch, of which some replaced others. */
    accept(batch: RecordBatch, replacing: readonly number[]): void {
      accepted += batch.size;
      replaced += replacing.length;
      replacedIds.push(...replacing.slice(0, MAX_REPLACED_IDS - replacedIds.length));
      mistakes.look(batch);
    },
    /** Whether a further finding of a field may become an example: a repair, or a cell that is left null. */
    wantsExample: (field: number, isLeftNull = false): boolean =>
      fields[field]?.[isLeftNull ? 'leftNull' : 'repaired'].isFull() === false,
    note(line: number, note: CellNote): void {
      const { field, raw, read } = note;
      const findings = fields[field]?.[read === null ? 'leftNull' : 'repaired'];
      if (findings === undefined) return;
      findings.count++;
      if (!findings.isFull()) findings.addExample({ record: records, line, raw, read });
    },
    /** Counts a number without a unit in a column that has one. */
    addBareNumber(index: number): void {
      bareNumbers[index]!++;
    },
    bareNumbers: (index: number): number => bareNumbers[index]!,
    /** Counts the names of the `records` records that were read by these columns. */
    addColumns({ names, fed, alternatives, records }: Columns): void {
      if (records > 0) for (const name of names) unusedNames.delete(name);
      for (const { field, position } of alternatives) addCount(fields[field]!.passedOver, names[position]!, records);
      for (const { field, text } of fed)
        if (text !== model.fields[field]?.name) addCount(fields[field]!.renamedFrom, text, records);
      const fedPositions = new Set(fed.map(({ position }) => position));
      for (const [position, name] of names.entries()) if (!fedPositions.has(position)) addCount(notKept, name, records);
    },
    result(): TallyResult {
      return {
        records,
        accepted,
        refused: records - accepted,
        replaced,
        replacedIds,
        refusals: [...refusals.values()],
        otherTypes: sourceNames(otherTypes),
        fields: model.fields.map((field, index) => fieldReport(field, fields[index]!, mistakes.present(index))),
        notKept: sourceNames(notKept),
      };
    },
  };
}

const createFieldTally = (): FieldTally => ({
  repaired: new TallyFindings(),
  leftNull: new TallyFindings(),
  renamedFrom: new Map(),
  passedOver: new Map(),
});

const fieldReport = (
  { name, kind, sourcePath, mayBeKey, unit, part }: Field,
  { repaired, leftNull, renamedFrom, passedOver }: FieldTally,
  present: number,
): FieldReport => ({
  field: name,
  ...(sourcePath && {
    found: {
      from: pathText(sourcePath),
      kind,
      ...(mayBeKey && { mayBeKey }),
      ...(unit && { unit }),
      ...(part && { part }),
    },
  }),
  renamedFrom: sourceNames(renamedFrom),
  passedOver: sourceNames(passedOver),
  present,
  repaired: repaired.count,
  repairs: repaired.examples,
  leftNull: leftNull.count,
  leftNullExamples: leftNull.examples,
});

/** Counts cells; the first of each look is an example. `12 €` and `7 €` have one look: digits are all the same, and so are letters. */
class TallyFindings {
  count = 0;
  readonly examples: Example[] = [];
  readonly #looks = new Set<string>();
  #examined = 0;

  /** Whether no further cell becomes an example. */
  isFull(): boolean {
    return this.examples.length === MAX_EXAMPLES || this.#examined === MAX_EXAMINED;
  }

  addExample({ raw, ...rest }: Omit<Example, 'raw'> & { readonly raw: unknown }): void {
    this.#examined++;
    const text = rawText(raw);
    const look = text.replace(/\d+/g, '9').replace(/\p{L}+/gu, 'a');
    if (this.#looks.has(look)) return;
    this.#looks.add(look);
    this.examples.push({ ...rest, raw: text });
  }
}

/** A cell, quoted as JSON. Nested values are only named: quoting them could take long, or not end. */
function rawText(raw: unknown): string {
  if (typeof raw === 'string') return quote(raw.slice(0, 100));
  if (typeof raw !== 'object' || raw === null) return quote(raw);
  const parts = Object.values(raw);
  const isFlat = parts.length <= 20 && parts.every((part) => typeof part !== 'object' || part === null);
  if (isFlat) return quote(raw);
  return Array.isArray(raw) ? '[…]' : '{…}';
}

function addCount(counts: Map<string, number>, name: string, by: number): void {
  if (by === 0) return;
  const shortName = name.length > MAX_COUNTED_NAME_CHARS ? `${name.slice(0, MAX_COUNTED_NAME_CHARS - 1)}…` : name;
  if (counts.has(shortName) || counts.size < MAX_COUNTED_NAMES)
    counts.set(shortName, (counts.get(shortName) ?? 0) + by);
}

const sourceNames = (counts: ReadonlyMap<string, number>): readonly SourceName[] =>
  [...counts].map(([name, records]) => ({ name, records })).sort((a, b) => b.records - a.records);
