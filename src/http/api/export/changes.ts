/** The download of changed records: JSON and NDJSON as in the API, CSV with a line for each changed field. */
import { type ChangesQuery, selectChanges } from '../../../query/changes.js';
import { entryJson, wordCount } from '../../../query/changes-json.js';
import type { ExportFormat } from '../../../query/parameters.js';
import type { CsvForm } from '../../../query/request.js';
import { type Entry, entryAt, type FieldChange } from '../../../store/changes/entries.js';
import type { Download } from '../../response.js';
import type { NextTurn } from '../../semantics/turns.js';
import type { ComparedCollection } from '../changes.js';
import { downloadOf, type ItemFormat } from './formats.js';

/** A chunk takes a fraction of a millisecond, unless records are large. */
const CHUNK_ENTRIES = 64;

export interface ChangesFile {
  readonly format: ExportFormat;
  readonly form: CsvForm;
  /** How many changed records it has at most; all if null. */
  readonly limit: number | null;
}

export async function changesDownload(
  { collection, comparison }: ComparedCollection,
  query: ChangesQuery,
  { format, form, limit }: ChangesFile,
  nextTurn: NextTurn,
): Promise<Download> {
  if (comparison === null) return downloadOf(format, entryContent, () => [], form);
  const { changes } = comparison;
  await nextTurn();
  const list = selectChanges(collection, changes, query, true);
  function* chunks(): Iterable<() => readonly Entry[]> {
    const end = Math.min(limit ?? list.total, list.total);
    for (let from = 0; from < end; from += CHUNK_ENTRIES) {
      const to = Math.min(end, from + CHUNK_ENTRIES);
      yield () => Array.from(list.slice(from, to), (entry) => entryAt(collection, changes, entry));
    }
  }
  return downloadOf(format, entryContent, chunks, form);
}

const entryContent: ItemFormat<Entry> = {
  json: (entry) => JSON.stringify(entryJson(entry)),
  columns: ['id', 'title', 'kind', 'field', 'from', 'to', 'percent'],
  rows({ id, title, kind, changes }) {
    if (kind !== 'changed') return [[id, title, kind, null, null, null, null]];
    return [...changes].map(([field, change]) => [id, title, kind, field, ...cellsOf(change)]);
  },
};

/** The cells `from`, `to` and `percent`. A long text has its numbers of words, a list its removed and its new values. */
function cellsOf(change: FieldChange): readonly unknown[] {
  if (change.form === 'list') return [JSON.stringify(change.removed), JSON.stringify(change.added), null];
  if (change.form === 'words') return [wordCount(change.from), wordCount(change.to), null];
  return [change.from, change.to, change.form === 'number' ? change.percent : null];
}
