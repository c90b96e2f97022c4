/** The items of feeds: the newest records of a view, or the changes that a query finds. */
import { type FieldRole, fieldOf } from '../../../model.js';
import { type ChangesQuery, selectChanges } from '../../../query/changes.js';
import { entryJson } from '../../../query/changes-json.js';
import { Conditions } from '../../../query/conditions.js';
import { execute } from '../../../query/execute.js';
import type { Query } from '../../../query/query.js';
import type { Comparison } from '../../../store/changes/changes.js';
import { type Entry, entriesByRow, entryAt, type FieldChange } from '../../../store/changes/entries.js';
import type { Collection } from '../../../store/collection.js';
import { recordJson } from '../../../store/record-text.js';
import { parseRecord, type RecordValues } from '../../../store/record-values.js';
import { shortened } from '../../markup/format.js';
import { memoize } from '../../memoize.js';
import { percentEncode } from '../../semantics/percent.js';
import type { ComparedCollection } from '../changes.js';
import type { FeedItem } from './feed.js';

/** Characters of a text that an item shows. */
const MAX_CONTENT_CHARACTERS = 2000;

/** The newest records of a query: by their date, else those that are new or changed first; in the order of `sort` if it is given. */
export function recordItems(
  { collection, comparison }: ComparedCollection,
  query: Query,
  limit: number,
  dumpDate: string,
): readonly FeedItem[] {
  const dateField = fieldOf(collection.model, 'date')?.name;
  const changedAt = (row: number): string =>
    comparison === null || isNews(comparison, row) ? dumpDate : comparison.since.modifiedAt.toISOString();
  return newestRows(collection, comparison, query, limit, dateField).map((row) => {
    const json = recordJson(collection.text, row, 'whole');
    const record = parseRecord(json);
    const date = String(record[dateField ?? ''] ?? '');
    return {
      ...recordItem(collection, record),
      identity: [collection.model.name, String(record.id), json.toString()],
      // Years beyond 9999 have a sign in ISO 8601, and are no dates of feeds.
      updated: /^\d{4}-/.test(date) ? date : changedAt(row),
    };
  });
}

const entriesOfChanges = memoize(entriesByRow);
const isNews = ({ changes }: Comparison, row: number): boolean => (entriesOfChanges(changes)[row] ?? -1) >= 0;

function newestRows(
  collection: Collection,
  comparison: Comparison | null,
  query: Query,
  limit: number,
  dateField: string | undefined,
): readonly number[] {
  const page = { page: 1, limit };
  if (query.sort !== null) return Array.from(execute(collection, query, page).rows);
  if (dateField !== undefined)
    return Array.from(execute(collection, { ...query, sort: dateField, descending: true, thenBy: [] }, page).rows);
  const { all } = new Conditions(collection, query);
  const newsRows: number[] = [];
  const news = comparison === null ? [] : [comparison.changes.addedRows, comparison.changes.changedRows];
  for (const rows of news)
    for (let i = 0; i < rows.length && newsRows.length < limit; i++)
      if (all === null || all.has(rows[i]!)) newsRows.push(rows[i]!);
  if (newsRows.length === limit) return newsRows;
  // The next rows may hold the news once more, so their number is read beside.
  const nextRows = execute(collection, query, { page: 1, limit: limit + newsRows.length }).rows;
  const isFound = new Set(newsRows);
  return [...newsRows, ...Array.from(nextRows).filter((row) => !isFound.has(row))].slice(0, limit);
}

/** The changes that a query finds, the largest first. `dumpDate`: when the later dump was made. */
export function changeItems(
  { collection, comparison }: ComparedCollection,
  query: ChangesQuery,
  limit: number,
  dumpDate: string,
): readonly FeedItem[] {
  if (comparison === null) return [];
  const { changes, since } = comparison;
  return Array.from(selectChanges(collection, changes, query).slice(0, limit), (at) => {
    const entry = entryAt(collection, changes, at);
    const item = recordItem(collection, entry.record);
    const isRemoved = entry.kind === 'removed';
    const lines = [...entry.changes].map(([field, change]) => `${field}: ${plainChange(change)}`);
    return {
      ...item,
      identity: [collection.model.name, String(entry.id), JSON.stringify(entryJson(entry)), since.version],
      title: `${item.title}: ${entry.kind === 'changed' ? lines.map((line) => shortened(line, MAX_TITLE_LINE)).join(', ') : entry.kind}`,
      link: isRemoved && item.link.startsWith('/') ? `/${percentEncode(collection.model.name)}/changes` : item.link,
      content: changedContent(entry, lines, item.content),
      updated: dumpDate,
    };
  });
}

const changedContent = ({ kind }: Entry, lines: readonly string[], content: string): string =>
  kind === 'changed' ? lines.join('\n') : content;

function plainChange(change: FieldChange): string {
  switch (change.form) {
    case 'number': {
      const { from, to, percent } = change;
      const by = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
      return `${from ?? 'none'} → ${to ?? 'none'}${by}`;
    }
    case 'list':
      return [...change.removed.map((name) => `−${name}`), ...change.added.map((name) => `+${name}`)].join(' ');
    case 'words':
      return 'edited';
    case 'text':
      return `${change.from ?? 'none'} → ${change.to ?? 'none'}`;
  }
}

/** Characters of a change in a title. */
const MAX_TITLE_LINE = 100;

/** The parts of an item that are the record's own. */
function recordItem({ model }: Collection, record: RecordValues): Omit<FeedItem, 'identity' | 'updated'> {
  const textOfRole = (role: FieldRole): string | null => {
    const value = record[fieldOf(model, role)?.name ?? ''];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const tags = record[fieldOf(model, 'tags')?.name ?? ''];
  const link = textOfRole('link');
  return {
    title: textOfRole('title') ?? `${model.singular} ${record.id}`,
    author: textOfRole('author'),
    link: link !== null && /^https?:\/\//i.test(link) ? link : `/${percentEncode(model.name)}/${record.id}`,
    image: textOfRole('image'),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    content: shortened(textOfRole('body') ?? remainingValues({ model }, record), MAX_CONTENT_CHARACTERS),
  };
}

/** `price: 9.5`, a line for each value that has no other place in a feed. */
const remainingValues = ({ model }: Pick<Collection, 'model'>, record: RecordValues): string =>
  model.fields
    .flatMap(({ name, role, kind, onRequest }) => {
      const value = record[name];
      const isShownElsewhere = name === 'id' || kind === 'url' || role === 'title' || role === 'author' || onRequest;
      return isShownElsewhere || value === null || value === undefined
        ? []
        : [`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`];
    })
    .join('\n');
