/** The items of feeds: the newest records of a view, or changes. */
import { type CollectionModel, collectionOf, type FieldRole, fieldOf, hasField } from '../../../model.js';
import { execute } from '../../../query/execute.js';
import type { Query } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { collectionIn, type Dataset } from '../../../store/dataset.js';
import { rowOfId } from '../../../store/ids.js';
import { recordJson } from '../../../store/record-text.js';
import { parseRecord, type RecordValues } from '../../../store/record-values.js';
import { shortened } from '../../markup/format.js';
import { percentEncode } from '../../semantics/percent.js';
import type { FeedItem } from './feed.js';

/** Characters of a text that an item shows. */
const MAX_CONTENT_CHARACTERS = 2000;

/** How many items a feed has, and when its dump was made. */
interface FeedOptions {
  readonly limit: number;
  readonly dumpDate: string;
}

/** The newest records of a query: by their date, else by their last change; in the order of `sort` if it is given. */
export function feedItems(
  dataset: Dataset,
  model: CollectionModel,
  query: Query,
  { limit, dumpDate }: FeedOptions,
): readonly FeedItem[] {
  const collection = collectionIn(dataset, model);
  const { changesOf } = model;
  const changed = changesOf === undefined ? null : collectionOf(dataset.collections, changesOf);
  const dateField =
    fieldOf(collection.model, 'date')?.name ?? (hasField(collection.model, LAST_CHANGED) ? LAST_CHANGED : undefined);
  return Array.from(newestRows(collection, query, limit, dateField), (row) => {
    const record = parseRecord(recordJson(collection.text, row, 'whole'));
    if (changed !== null) return changeItem(changed, record);
    const { firstSeen, lastChanged, ...own } = record;
    const date = String(record[dateField ?? ''] ?? lastChanged ?? firstSeen ?? '');
    return {
      ...recordItem(collection, record),
      identity: [collection.model.name, String(record.id), JSON.stringify(own)],
      // Years beyond 9999 have a sign in ISO 8601, and are no dates of feeds.
      updated: /^\d{4}-/.test(date) ? date : dumpDate,
    };
  });
}

const LAST_CHANGED = 'lastChanged';

function newestRows(collection: Collection, query: Query, limit: number, dateField: string | undefined) {
  const page = { page: 1, limit };
  // Changes stand in the order of their dates already.
  const isInOrder = query.sort !== null || (collection.model.changesOf !== undefined && query.text === null);
  const ordered =
    isInOrder || dateField === undefined ? query : { ...query, sort: dateField, descending: true, thenBy: [] };
  return execute(collection, ordered, page).rows;
}

/** `Tea: price: 12 → 9 (-25 %)`, a link to its record, and what that is where it was added. */
function changeItem(collection: Collection, change: RecordValues): FeedItem {
  const { record: id, title, kind, field, from, to, percent, date } = change;
  const row = typeof id === 'number' ? rowOfId(collection.ids, id) : -1;
  const record = row < 0 ? { title } : parseRecord(recordJson(collection.text, row, 'whole'));
  const item = recordItem(collection, record);
  const line = `${String(field)}: ${shownValue(from)} → ${shownValue(to)}${typeof percent === 'number' ? ` (${percent > 0 ? '+' : ''}${percent} %)` : ''}`;
  return {
    ...item,
    // Without the record's id, which is null once the record is gone.
    identity: [`${collection.model.name}/changes`, JSON.stringify([change.id, title, kind, field, from, to, date])],
    title: `${String(title ?? item.title)}: ${kind === 'changed' ? shortened(line, MAX_TITLE_LINE) : String(kind)}`,
    link: row < 0 ? `/${percentEncode(collection.model.name)}/changes/${change.id}` : item.link,
    content: kind === 'changed' ? shortened(line, MAX_CONTENT_CHARACTERS) : item.content,
    updated: String(date),
  };
}

const shownValue = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value);

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

/** `price: 9.5`, a line for each value but the id, title, author, addresses, and fields that are left out unless asked for. */
const remainingValues = ({ model }: Pick<Collection, 'model'>, record: RecordValues): string =>
  model.fields
    .flatMap(({ name, role, kind, onRequest }) => {
      const value = record[name];
      const isLeftOut = name === 'id' || kind === 'url' || role === 'title' || role === 'author' || onRequest;
      return isLeftOut || value === null || value === undefined
        ? []
        : [`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`];
    })
    .join('\n');
