/**
 * The slow truth: every list, sort and look-up written as plain filter, sort and slice over record objects, sharing no
 * code with the product.
 */

export type PlainRecord = Readonly<Record<string, unknown>>;

export const fieldNames = {
  articles: ['id', 'title', 'url', 'score', 'comments', 'author', 'date', 'content', 'tags'],
  products: ['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category'],
} as const;
export const sortNames = {
  articles: ['date', 'title', 'score', 'comments'],
  products: ['price', 'title', 'rating'],
} as const;
export type Name = keyof typeof fieldNames;
/** The collections that the specification documents. */
export const names = ['articles', 'products'] as const satisfies readonly Name[];

/** A value as it is served; one of the real dumps has a day without its zero, which is read as what it must mean. */
const served = (field: string, value: unknown): unknown =>
  field === 'date' ? String(value ?? '').replace(/^(\d{4}-\d\d)-(\d)-T/, '$1-0$2T') || null : (value ?? null);

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

/** Parameters as a test writes them: several values stand for a parameter that is given several times. */
export type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

const numberRanges: Readonly<Record<string, readonly [field: string, sign: number]>> = {
  minScore: ['score', 1],
  maxScore: ['score', -1],
  minComments: ['comments', 1],
  maxComments: ['comments', -1],
  minPrice: ['price', 1],
  maxPrice: ['price', -1],
  minRating: ['rating', 1],
  maxRating: ['rating', -1],
};
const valueFields: Readonly<Record<string, string>> = {
  author: 'author',
  category: 'category',
  tag: 'tags',
  site: 'url',
};

function hostOf(address: unknown): string {
  try {
    return new URL(String(address)).hostname.replace(/^www\./, '');
  } catch {
    return '';
  }
}

type Wanted = Parameters[string];

/** Null, absent or a text of white space; a blank name is none to filter or count by. */
const isBlank = (value: unknown): boolean => value === undefined || value === null || String(value).trim() === '';

function passes(record: PlainRecord, name: string, wanted: Wanted, { tagMatch }: Parameters): boolean {
  const range = numberRanges[name];
  if (range !== undefined) {
    const [field, sign] = range;
    return record[field] !== null && sign * (Number(record[field]) - Number(wanted)) >= 0;
  }
  // Days only: ISO text up to the day compares like the time.
  if (name === 'from') return record.date !== null && String(record.date).slice(0, 10) >= String(wanted);
  if (name === 'to') return record.date !== null && String(record.date).slice(0, 10) <= String(wanted);
  if (name === 'missing') return [wanted].flat().every((field) => isBlank(record[String(field)]));
  const field = valueFields[name];
  if (field === undefined) return true;
  const own = name === 'site' ? [hostOf(record.url)] : [record[field] ?? []].flat().map(foldAccents);
  const isOwn = (value: unknown): boolean => own.includes(foldAccents(value));
  return name === 'tag' && tagMatch === 'all' ? [wanted].flat().every(isOwn) : [wanted].flat().some(isOwn);
}

/** The records that pass every filter among the parameters. */
export const filtered = (records: readonly PlainRecord[], parameters: Parameters): readonly PlainRecord[] =>
  records.filter((record) =>
    Object.entries(parameters).every(([name, wanted]) => passes(record, name, wanted, parameters)),
  );

/** Only some fields, in the specification's order. */
export const project = (name: Name, record: PlainRecord, fields: readonly string[]): PlainRecord =>
  Object.fromEntries(
    fieldNames[name]
      .filter((field) => fields.includes(field) && field in record)
      .map((field) => [field, record[field]]),
  );

/** Distinct values with their counts, biggest first, then by the bytes of the folded name, each spelt as it first appears anywhere. */
export function facets(all: readonly PlainRecord[], matching: readonly PlainRecord[], field: string) {
  const valuesOf = (record: PlainRecord): readonly string[] =>
    [record[field] ?? []]
      .flat()
      .map(String)
      .filter((value) => !isBlank(value));
  const spelling = new Map<string, string>();
  for (const value of all.flatMap(valuesOf))
    if (!spelling.has(foldAccents(value))) spelling.set(foldAccents(value), value);
  const counts = new Map<string, number>();
  for (const record of matching) {
    for (const key of new Set(valuesOf(record).map(foldAccents))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, most], [b, more]) => more - most || Buffer.from(a).compare(Buffer.from(b)))
    .map(([key, count]) => ({ name: spelling.get(key) ?? '', count }));
}

/** Those of `counted` that begin with a text, case and accents aside. */
export const beginning = (counted: ReturnType<typeof facets>, text: string) =>
  counted.filter(({ name }) => foldAccents(name).startsWith(foldAccents(text)));

/** Count, range, mean and 20 equal bins, rounded to a thousandth of one, of one numeric or date field, dates as numbers. */
export function stats(matching: readonly PlainRecord[], field: string) {
  const toNumber = (value: unknown): number => (field === 'date' ? Date.parse(String(value)) : Number(value));
  const values = matching.filter((record) => record[field] !== null).map((record) => toNumber(record[field]));
  if (values.length === 0) return { count: 0, min: null, max: null, mean: null, values };
  const min = Math.min(...values);
  const max = Math.max(...values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { count: values.length, min, max, mean, values };
}
