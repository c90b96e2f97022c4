/** The command `diff`: loads two dumps, compares them, and prints the difference as text or as JSON. */
import {
  type Comparisons,
  compareWithDump,
  type DumpOptions,
  hasChanges,
  type LoadedDump,
  loadDump,
  nothingComparedText,
  remarksOn,
  withAllChanges,
} from '../build/compare.js';
import { likelyHistory } from '../build/dated.js';
import type { Command } from '../config/command-line.js';
import type { LoadFailed } from '../load/load.js';
import { faultText, totalRefused } from '../load/report/report.js';
import { execute } from '../query/execute.js';
import { filterParameters } from '../query/operators.js';
import { sortParameter } from '../query/parameters.js';
import { parseParameters } from '../query/parse.js';
import { queryOf } from '../query/request.js';
import { type ChangeKind, type Comparison, looksIncomplete, pairedBy, wholeChanges } from '../store/changes/changes.js';
import type { Collection } from '../store/collection.js';
import { recordJson } from '../store/record-text.js';
import { parseRecord, type RecordValues } from '../store/record-values.js';
import { count, grouped } from '../text.js';
import { withFiles } from './dump-source.js';
import { newestDump } from './newest-dump.js';
import { pathFault } from './place.js';
import { EXIT_DIFFERENT, EXIT_USAGE, fail, say, warnAll, withProgress } from './terminal.js';

/** Exits as `diff` of POSIX does: 0 if nothing changed, 1 if something did, 2 if a dump cannot be read. */
export async function diff({ kind: _, paths, isAddedUp, json, ...reading }: Command & { kind: 'diff' }): Promise<void> {
  const missing = pathFault(paths);
  if (missing !== undefined) return fail(missing, EXIT_USAGE);
  const [before, after] = await dumpsAt(paths);
  if (before === undefined || after === undefined)
    return fail(`${paths[0]} is no folder of dated dumps: name an earlier dump and a later one.`, EXIT_USAGE);
  const result = await withProgress((onProgress) => diffDumps(before, after, isAddedUp, { ...reading, onProgress }));
  if (!result.ok) return fail(faultText(result.fault), EXIT_USAGE);
  for (const piece of (json ? diffJson : diffText)(result)) say(piece);
  if (result.hasChanges) process.exitCode = EXIT_DIFFERENT;
}

/** The paths of the two dumps: those that are named, or the two newest of the one folder. */
const dumpsAt = async (paths: readonly string[]): Promise<readonly (readonly string[])[]> =>
  paths.length > 1
    ? paths.map((path) => [path])
    : ((await likelyHistory(paths)) ?? []).slice(-2).map((dump) => dump.paths);

interface Diff {
  readonly ok: true;
  readonly comparisons: Comparisons;
  readonly hasChanges: boolean;
}

async function diffDumps(
  before: readonly string[],
  after: readonly string[],
  isAddedUp: boolean,
  options: DumpOptions,
): Promise<Diff | LoadFailed> {
  const load = async (named: readonly string[]) => {
    const { place } = await newestDump({ ...options, dir: named.join(', '), paths: named }, isAddedUp);
    return withFiles(place, ({ paths = [], fetched = {} }) => loadDump(paths, { ...options, fetched }));
  };
  const earlier = await load(before);
  if (!earlier.ok) return earlier;
  const later = await load(after);
  if (!later.ok) return later;
  warnAll([earlier, later].flatMap(refusalLines));
  const { comparisons } = await compareWithDump(earlier, later, Number.POSITIVE_INFINITY);
  if (comparisons.size === 0)
    return {
      ok: false,
      fault: { file: after.join(', '), message: nothingComparedText(earlier, later.report) },
      others: [],
    };
  return { ok: true, comparisons: await withAllChanges(comparisons), hasChanges: hasChanges(comparisons) };
}

/** A refused record of one dump looks as if it were new, or gone. */
const refusalLines = ({ report, since }: LoadedDump): readonly string[] => {
  const refused = totalRefused(report);
  return refused === 0
    ? []
    : [`${since.name}: ${count(refused, 'record')} refused, which the difference lacks; check says why`];
};

/** How many of a number's changes a summary shows. */
const SHOWN_CHANGES = 10;
/** How many records of a kind a summary names. */
const SHOWN_TITLES = 5;

function* diffText({ comparisons }: Diff): Iterable<string> {
  for (const [name, comparison] of comparisons) {
    yield* collectionText(name, comparison);
    yield '';
  }
  for (const line of remarksOn(comparisons)) yield line;
  if (!hasChanges(comparisons)) yield 'Nothing changed.';
}

function* collectionText(name: string, { last, changes }: Comparison): Iterable<string> {
  const { added, removed, changed, unchanged, fields } = last.counts;
  yield `${name}: ${grouped(added)} new, ${grouped(removed)} gone, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged (paired by ${pairedBy(last.pairing)})`;
  if (wholeChanges(last.counts) === 0) return;
  for (const [field, counts] of fields) {
    const column = last.columns.find((one) => one.field === field);
    if (column !== undefined) {
      yield `  ${field}: ${column.is} in ${count(counts.changed, 'record')}`;
      continue;
    }
    const isMeasured = counts.up + counts.down > 0;
    const ways = isMeasured ? `, ${grouped(counts.up)} up, ${grouped(counts.down)} down` : '';
    yield `  ${field}: changed in ${count(counts.changed, 'record')}${ways}`;
    if (isMeasured) yield* largestChanges(changes, field);
  }
  yield* titlesOf(changes, 'added', 'new');
  yield* titlesOf(changes, 'removed', 'gone');
}

/** The changes that a query in the grammar of lists finds: `field=price&sort=-percent`. */
function changesWith(changes: Collection, search: string, limit: number) {
  const parsed = parseParameters(search, [...filterParameters(changes.model), sortParameter(changes.model)]);
  if (!parsed.ok) throw new Error(`${search} is no query of changes`);
  const { rows, total } = execute(changes, queryOf(changes.model, parsed.values), { page: 1, limit });
  return { records: Array.from(rows, (row) => parseRecord(recordJson(changes.text, row, 'whole'))), total };
}

/** The changes of a number that are largest in either direction, by percent and by difference where there is none. */
function largestChanges(changes: Collection, field: string): readonly string[] {
  const byId = new Map<unknown, RecordValues>();
  for (const sort of ['-percent', 'percent'])
    for (const change of changesWith(changes, `field=${encodeURIComponent(field)}&sort=${sort}`, SHOWN_CHANGES).records)
      byId.set(change.id, change);
  const size = ({ percent }: RecordValues): number => Math.abs(Number(percent ?? 0));
  return [...byId.values()]
    .sort((a, b) => size(b) - size(a))
    .slice(0, SHOWN_CHANGES)
    .map((change) => `    ${numberChangeText(change).padEnd(NUMBER_WIDTH)} ${shortTitle(titleOrNumber(change))}`);
}

const NUMBER_WIDTH = 28;

function numberChangeText({ from, to, percent }: RecordValues): string {
  const sign = Number(percent) > 0 ? '+' : '';
  return `${from ?? 'none'} -> ${to ?? 'none'}${percent === null ? '' : ` (${sign}${percent} %)`}`;
}

function* titlesOf(changes: Collection, kind: ChangeKind, word: string): Iterable<string> {
  const { records, total } = changesWith(changes, `kind=${kind}&sort=title`, SHOWN_TITLES);
  for (const change of records) yield `  ${word}: ${shortTitle(titleOrNumber(change))}`;
  if (total > SHOWN_TITLES) yield `  ${word}: ${grouped(total - SHOWN_TITLES)} more`;
}

/** A record goes by its number where it has no title. */
const titleOrNumber = ({ record, title }: RecordValues): string =>
  String(title ?? (record === null ? 'untitled' : `No. ${record}`));

/** On one line of a terminal. */
function shortTitle(title: string): string {
  const line = title.replace(/[\p{Cc}\s]+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The difference as one JSON object in pieces: a change a line, as `/api/NAME/changes` has it. */
function* diffJson({ comparisons }: Diff): Iterable<string> {
  yield '{';
  let collections = comparisons.size;
  for (const [name, comparison] of comparisons) {
    const { text, size } = comparison.changes;
    yield `${JSON.stringify(name)}:${JSON.stringify(summaryOf(comparison)).slice(0, -1)},"data":[`;
    for (let row = 0; row < size; row++) yield `${recordJson(text, row, 'whole')}${row + 1 < size ? ',' : ''}`;
    yield --collections > 0 ? ']},' : ']}';
  }
  yield '}';
}

const summaryOf = ({ since, last }: Comparison) => ({
  since: { version: since.version, modifiedAt: since.modifiedAt.toISOString() },
  counts: { ...last.counts, fields: Object.fromEntries(last.counts.fields) },
  pairedBy: pairedBy(last.pairing),
  columns: last.columns,
  incomplete: looksIncomplete(last.counts),
});
