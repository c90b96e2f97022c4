/**
 * The slow truth: every list, sort and look-up written as plain filter, sort and slice over record objects, sharing no
 * code with the product.
 */

export type PlainRecord = Readonly<Record<string, unknown>>;

export const fieldNames = {
  articles: ['id', 'title', 'url', 'score', 'comments', 'author', 'date', 'content', 'tags'],
  products: ['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category'],
} as const;
export const sortNames = { articles: ['date', 'title', 'score'], products: ['price', 'title', 'rating'] } as const;
export type Name = keyof typeof fieldNames;

/** A value as it is served; a date that is none counts as missing (one of the real dumps has such a date). */
const served = (field: string, value: unknown): unknown =>
  field === 'date' && Number.isNaN(Date.parse(String(value))) ? null : (value ?? null);

/** A whole record as the detail shows it: documented fields in order, missing ones null, missing tags left out. */
export function full(name: Name, source: PlainRecord): PlainRecord {
  const entries = fieldNames[name].map((field) => [field, served(field, source[field])] as const);
  return Object.fromEntries(entries.filter(([field, value]) => field !== 'tags' || value !== null));
}

/** The same record as a list shows it. */
export function item(record: PlainRecord): PlainRecord {
  const { content: _content, tags: _tags, ...rest } = record;
  return rest;
}

/** Later records take the place of earlier ones of the same id. */
export function load(name: Name, sources: readonly PlainRecord[]): readonly PlainRecord[] {
  const byId = new Map<unknown, PlainRecord>();
  for (const source of sources) byId.set(source.id, full(name, source));
  return [...byId.values()];
}

const collator = new Intl.Collator('en');

function compareValues(a: unknown, b: unknown, field: string): number {
  if (field === 'title') return collator.compare(String(a), String(b));
  if (field === 'date') return Date.parse(String(a)) - Date.parse(String(b));
  return Number(a) - Number(b);
}

export function sorted(records: readonly PlainRecord[], field: string, order: string): readonly PlainRecord[] {
  const valued = records.filter((record) => record[field] !== null);
  const missing = records.filter((record) => record[field] === null);
  const ascending = [...valued].sort((a, b) => compareValues(a[field], b[field], field));
  return [...(order === 'desc' ? ascending.reverse() : ascending), ...missing];
}

const foldAccents = (text: unknown): string =>
  String(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

export const ofCategory = (records: readonly PlainRecord[], category: string): readonly PlainRecord[] =>
  records.filter(({ category: own }) => own !== null && foldAccents(own) === foldAccents(category));
