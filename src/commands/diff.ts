/** The command `diff`: loads two dumps, compares them, and prints the difference as text or as JSON. */
import {
  type Comparisons,
  compareWithDump,
  type DumpOptions,
  hasChanges,
  loadDump,
  nothingComparedText,
  remarksOn,
} from '../build/compare.js';
import type { Command } from '../config.js';
import type { LoadFailed } from '../load/load.js';
import { faultText } from '../load/report/report.js';
import { collectionOf } from '../model.js';
import { ALL_CHANGES, type ChangesQuery, comparedFields, measuredFields, selectChanges } from '../query/changes.js';
import { comparisonJson, entryJson, pairedBy } from '../query/changes-json.js';
import { type Changes, wholeChanges } from '../store/changes/changes.js';
import { entryAt, type FieldChange } from '../store/changes/entries.js';
import type { RecordStore } from '../store/collection.js';
import type { RecordStores } from '../store/dataset.js';
import { count, grouped } from '../text.js';
import { withFiles } from './dump-source.js';
import { pathFault } from './place.js';
import { EXIT_DIFFERENT, EXIT_USAGE, fail, say, withProgress } from './terminal.js';

/** Exits as `diff` of POSIX does: 0 if nothing changed, 1 if something did, 2 if a dump cannot be read. */
export async function diff({ kind: _, before, after, json, ...reading }: Command & { kind: 'diff' }): Promise<void> {
  const missing = pathFault([before, after]);
  if (missing !== undefined) return fail(missing, EXIT_USAGE);
  const result = await withProgress((onProgress) => diffDumps(before, after, { ...reading, onProgress }));
  if (!result.ok) return fail(faultText(result.fault), EXIT_USAGE);
  for (const piece of (json ? diffJson : diffText)(result)) say(piece);
  if (result.hasChanges) process.exitCode = EXIT_DIFFERENT;
}

interface Diff {
  readonly ok: true;
  readonly stores: RecordStores;
  readonly comparisons: Comparisons;
  readonly hasChanges: boolean;
}

async function diffDumps(before: string, after: string, options: DumpOptions): Promise<Diff | LoadFailed> {
  const load = (path: string) =>
    withFiles({ ...options, dir: path, paths: [path] }, ({ paths = [], fetched = {} }) =>
      loadDump(paths, { ...options, fetched }),
    );
  const earlier = await load(before);
  if (!earlier.ok) return earlier;
  const later = await load(after);
  if (!later.ok) return later;
  const comparisons = await compareWithDump(earlier, later);
  if (comparisons.size === 0)
    return { ok: false, fault: { file: after, message: nothingComparedText(earlier, later.report) }, others: [] };
  return { ok: true, stores: later.stores, comparisons, hasChanges: hasChanges(comparisons) };
}

/** How many of a number's changes a summary shows. */
const SHOWN_CHANGES = 10;
/** How many records of a kind a summary names. */
const SHOWN_TITLES = 5;

function* diffText({ stores, comparisons }: Diff): Iterable<string> {
  for (const [name, { changes }] of comparisons) {
    yield* collectionText(name, collectionOf(stores, name), changes);
    yield '';
  }
  for (const line of remarksOn(comparisons)) yield line;
  if (!hasChanges(comparisons)) yield 'Nothing changed.';
}

function* collectionText(name: string, store: RecordStore, changes: Changes): Iterable<string> {
  const { added, removed, changed, unchanged, fields } = changes.counts;
  yield `${name}: ${grouped(added)} new, ${grouped(removed)} gone, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged (paired by ${pairedBy(changes).join(', then by ')})`;
  if (wholeChanges(changes.counts) === 0) return;
  for (const field of comparedFields(changes.model)) {
    const counts = fields.get(field);
    if (counts === undefined) continue;
    const column = changes.columns.find((one) => one.field === field);
    if (column !== undefined) {
      yield `  ${field}: ${column.is} in ${count(counts.changed, 'record')}`;
      continue;
    }
    const isMeasured = measuredFields(changes.model).includes(field);
    const directions = isMeasured ? `, ${grouped(counts.up)} up, ${grouped(counts.down)} down` : '';
    yield `  ${field}: changed in ${count(counts.changed, 'record')}${directions}`;
    if (isMeasured) yield* largestChanges(store, changes, field);
  }
  yield* titlesOf(store, changes, 'added', 'new');
  yield* titlesOf(store, changes, 'removed', 'gone');
}

/** The changes of a number that are largest in either direction, by percent and by difference where there is none. */
function largestChanges(store: RecordStore, changes: Changes, field: string): readonly string[] {
  const query = (descending: boolean): ChangesQuery => ({
    ...ALL_CHANGES,
    fields: [field],
    sort: 'percent',
    descending,
  });
  const changesByEntry = new Map<number, { title: string; change: FieldChange & { form: 'number' } }>();
  for (const descending of [true, false]) {
    const entries = selectChanges(store, changes, query(descending)).slice(0, SHOWN_CHANGES);
    for (const entry of Array.from(entries)) {
      const decodedEntry = entryAt(store, changes, entry);
      const change = decodedEntry.changes.get(field);
      if (change?.form === 'number') changesByEntry.set(entry, { title: titleOrNumber(decodedEntry), change });
    }
  }
  const size = ({ percent }: { readonly percent: number | null }) => Math.abs(percent ?? 0);
  return [...changesByEntry.values()]
    .sort((a, b) => size(b.change) - size(a.change))
    .slice(0, SHOWN_CHANGES)
    .map(({ title, change }) => `    ${numberChangeText(change).padEnd(NUMBER_WIDTH)} ${shortTitle(title)}`);
}

const NUMBER_WIDTH = 28;

function numberChangeText({ from, to, percent }: FieldChange & { readonly form: 'number' }): string {
  const sign = percent !== null && percent > 0 ? '+' : '';
  return `${from ?? 'none'} -> ${to ?? 'none'}${percent === null ? '' : ` (${sign}${percent} %)`}`;
}

function* titlesOf(store: RecordStore, changes: Changes, kind: 'added' | 'removed', word: string): Iterable<string> {
  const { total, slice } = selectChanges(store, changes, { ...ALL_CHANGES, kinds: [kind] });
  const all = changes.counts[kind];
  for (const entry of Array.from(slice(0, SHOWN_TITLES)))
    yield `  ${word}: ${shortTitle(titleOrNumber(entryAt(store, changes, entry)))}`;
  if (total > SHOWN_TITLES) yield `  ${word}: ${grouped(all - SHOWN_TITLES)} more`;
}

/** A record goes by its number where it has no title. */
const titleOrNumber = ({ id, title }: { readonly id: number; readonly title: string }): string => title || `No. ${id}`;

/** On one line of a terminal. */
function shortTitle(title: string): string {
  const line = title.replace(/[\p{Cc}\s]+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The difference as one JSON object in pieces: a record a line. */
function* diffJson({ stores, comparisons }: Diff): Iterable<string> {
  yield '{';
  let collections = comparisons.size;
  for (const [name, comparison] of comparisons) {
    const { changes } = comparison;
    const store = collectionOf(stores, name);
    const { total, slice } = selectChanges(store, changes, ALL_CHANGES);
    yield `${JSON.stringify(name)}:${JSON.stringify(comparisonJson(comparison)).slice(0, -1)},"data":[`;
    for (const [i, entry] of Array.from(slice(0, total)).entries())
      yield `${JSON.stringify(entryJson(entryAt(store, changes, entry)))}${i + 1 < total ? ',' : ''}`;
    yield --collections > 0 ? ']},' : ']}';
  }
  yield '}';
}
