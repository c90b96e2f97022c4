/** Findings about a loaded dump: those of loading, and those that need all records, such as repeated ones. */
import { FINDING_KINDS, type Finding, findingLine, type Severity } from '../../../load/report/findings.js';
import type { LoadReport } from '../../../load/report/report.js';
import { fieldOf } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import type { Dataset } from '../../../store/dataset.js';
import { placeAbove, placeFrom } from '../../../store/number-column.js';
import { positionOfKey } from '../../../store/sort-order.js';
import { codesOfRow } from '../../../store/value-index.js';
import { count } from '../../../text.js';
import { baseName, labelOf } from '../../markup/format.js';
import { hasValues } from '../counting/offered-fields.js';
import { prepareShapes } from '../counting/shape.js';
import { address } from '../frame/address.js';
import { prepareProfiles } from '../list/profile.js';

/** A field that is read from one of its usual names calls for no look. */
type ShownSeverity = Exclude<Severity, 'alias'>;

export interface ShownFinding {
  readonly kind: ShownSeverity;
  readonly text: string;
  /** The file of the finding, where there are several. */
  readonly file?: string;
  /** The list of the records in question. */
  readonly address?: string;
}

/** The findings, warnings first. */
export function findingsOf(loaded: readonly Collection[], { files, findings }: LoadReport): readonly ShownFinding[] {
  const all = [
    ...loaded.flatMap(collectionFindings),
    ...findings.flatMap((finding) => shownFindings(finding, files.length > 1)),
  ];
  const order = { warning: 0, repair: 1, note: 2 };
  return all.toSorted((a, b) => order[a.kind] - order[b.kind]);
}

function shownFindings(finding: Finding, isNamed: boolean): readonly ShownFinding[] {
  const { kind, file } = finding;
  const { severity } = FINDING_KINDS[kind];
  // A dump that never had a column lacks nothing.
  if (severity === 'alias' || kind === 'no-values') return [];
  const text = findingLine(finding, 1);
  return [{ kind: severity, text, ...(isNamed && file !== undefined && { file: baseName(file) }) }];
}

function collectionFindings(collection: Collection): readonly ShownFinding[] {
  const { model } = collection;
  const noun = model.singular.toLowerCase();
  const findings: ShownFinding[] = [];
  for (const field of model.fields) {
    const column = collection.columns.get(field.name);
    if (field.role !== 'rating' || column === undefined || field.filter?.kind !== 'range') continue;
    const zeros =
      positionOfKey(column.order, placeAbove(column, 0)) - positionOfKey(column.order, placeFrom(column, 0));
    // Most scales begin at 1: a 0 among other ratings says that nobody has rated.
    if (zeros === 0 || 2 * zeros >= column.order.valued) continue;
    const { min, max } = field.filter;
    const text = `${labelOf(field)}: exactly 0 in ${count(zeros, noun)}, which most likely nobody rated`;
    const zeroAddress = address(`/${model.name}`, Object.entries({ [min]: '0', [max]: '0' }));
    findings.push({ kind: 'warning', text, address: zeroAddress });
  }
  const repeated = repeatedCount(collection);
  if (repeated > 0) {
    const author = fieldOf(model, 'author');
    const hasAuthors = author !== undefined && hasValues(collection, author);
    const text = `${count(repeated, noun)} ${repeated === 1 ? 'repeats' : 'repeat'} ${hasAuthors ? 'title and author' : 'the title'} of another`;
    // Many flats may be called alike; two books of one author hardly are.
    findings.push({ kind: hasAuthors ? 'warning' : 'note', text, address: `/${model.name}?sort=title` });
  }
  return findings;
}

/** Makes what the first pages would wait for, in steps, after a start: shapes, profiles of columns and repeated records of collections. */
export function* preparePages({ collections }: Dataset): Generator<void> {
  for (const collection of collections.values()) {
    if (collection.size === 0) continue;
    yield* prepareShapes(collection);
    yield* prepareProfiles(collection);
    yield;
    yield* countRepeated(collection);
  }
}

const repeatedCounts = new WeakMap<Collection, number>();

/** The number of records that repeat title and author of an earlier one; of three equal records, two repeat. */
function repeatedCount(collection: Collection): number {
  // All steps at once, where none were taken after the start.
  if (!repeatedCounts.has(collection)) Array.from(countRepeated(collection));
  return repeatedCounts.get(collection) ?? 0;
}

/** Rows that are compared in one step: some milliseconds. */
const ROWS_A_STEP = 1 << 16;

/** Counts the repeated records of a collection, in steps. Records of the same title have the same key in the order by title. */
function* countRepeated(collection: Collection): Generator<void> {
  const { model, orders, values } = collection;
  const order = orders.get('title');
  if (order === undefined) return;
  const { rows, keys, valued } = order;
  const author = fieldOf(model, 'author');
  const authors = author && values.get(author.name);
  const authorOf = (row: number): number => (authors === undefined ? -1 : (codesOfRow(authors, row)[0] ?? -1));
  let total = 0;
  for (let from = 0, to = 1, pauseAt = ROWS_A_STEP; from < valued; from = to++) {
    if (from > pauseAt) {
      pauseAt = from + ROWS_A_STEP;
      yield;
    }
    const key = keys[rows[from]!];
    while (to < valued && keys[rows[to]!] === key) to++;
    if (to - from > 1) total += to - from - new Set(Array.from(rows.subarray(from, to), authorOf)).size;
  }
  repeatedCounts.set(collection, total);
}
