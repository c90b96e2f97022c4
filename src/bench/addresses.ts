/**
 * The requests of a measurement: addresses made from the server's OpenAPI document and from a sample of its records, so that any
 * dump can be measured. No task has an address twice, so each first visit runs its query.
 */
import * as v from 'valibot';
import { fetchOnce } from './client.js';

export interface Task {
  readonly collection: string;
  readonly name: string;
  /** The parameter of the addresses, or the kind of words that a search has. */
  readonly kind: string;
  readonly paths: readonly string[];
}

interface DocumentedOperation {
  readonly path: string;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

type ListedRecord = Readonly<Record<string, unknown>>;

export interface SampledCollection {
  readonly name: string;
  readonly total: number;
  readonly sorts: readonly string[];
  readonly minima: readonly string[];
  readonly facets: readonly string[];
  /** Records of the sample, as lists show them. */
  readonly items: readonly ListedRecord[];
  /** Title and content of some records of the sample. */
  readonly texts: readonly string[];
}

const LIMIT = 20;
const SAMPLE_PAGES = 10;
const SAMPLE_LIMIT = 100;
const SAMPLE_DETAILS = 200;
/** More addresses than can be requested in the time of a task. */
const MAX_PATHS = 20_000;
const COMMON_WORDS = 100;

const documentSchema = v.object({
  paths: v.record(
    v.string(),
    v.object({
      get: v.object({
        parameters: v.optional(
          v.array(
            v.object({
              name: v.string(),
              schema: v.optional(v.object({ enum: v.optional(v.array(v.unknown())), pattern: v.optional(v.string()) })),
            }),
          ),
        ),
      }),
    }),
  ),
});
const itemSchema = v.record(v.string(), v.unknown());
const listSchema = v.object({ data: v.array(itemSchema), pagination: v.object({ total: v.number() }) });

async function fetchJson<T>(port: number, path: string, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const { status, body } = await fetchOnce(port, path);
  if (status !== 200) throw new Error(`${path} is answered ${status}: ${body.toString().slice(0, 200)}`);
  return v.parse(schema, JSON.parse(body.toString()));
}

/** The collections that hold records. */
export async function readCollections(port: number): Promise<readonly SampledCollection[]> {
  const operations = documentedOperations(await fetchJson(port, '/api/openapi.json', documentSchema));
  const names = operations.flatMap(({ path }) => /^\/api\/([^/{]+)\/search$/.exec(path)?.[1] ?? []);
  const collections = await Promise.all(names.map((name) => fetchSampledCollection(port, name, operations)));
  return collections.filter(({ total }) => total > 0);
}

/** The values of a parameter that has some: those of an enumeration, or the names of `^-?(?:title|price)…`, a sort key. */
const choicesIn = (
  schema: { readonly enum?: readonly unknown[] | undefined; readonly pattern?: string | undefined } = {},
): readonly string[] =>
  schema.enum?.map(String) ?? /^\^-\?\(\?:([^)]*)\)/.exec(schema.pattern ?? '')?.[1]?.split('|') ?? [];

const documentedOperations = ({ paths }: v.InferOutput<typeof documentSchema>): readonly DocumentedOperation[] =>
  Object.entries(paths).map(([path, { get }]) => ({
    path,
    parameters: new Map((get.parameters ?? []).map(({ name, schema }) => [name, choicesIn(schema)])),
  }));

async function fetchSampledCollection(
  port: number,
  name: string,
  operations: readonly DocumentedOperation[],
): Promise<SampledCollection> {
  const list = `/api/${name}`;
  const parameters = operations.find(({ path }) => path === list)?.parameters ?? new Map<string, readonly string[]>();
  const total = (await fetchJson(port, `${list}?limit=1`, listSchema)).pagination.total;
  const pages = spreadPages(total, SAMPLE_PAGES);
  const items: ListedRecord[] = [];
  for (const page of pages)
    items.push(...(await fetchJson(port, `${list}?page=${page}&limit=${SAMPLE_LIMIT}`, listSchema)).data);
  const texts: string[] = [];
  const step = Math.max(1, Math.floor(items.length / SAMPLE_DETAILS));
  for (let i = 0; i < items.length; i += step) {
    const record = await fetchJson(port, `${list}/${items[i]?.id}`, itemSchema);
    texts.push([record.title, record.content].filter((text) => typeof text === 'string').join('\n'));
  }
  return {
    name,
    total,
    sorts: parameters.get('sort') ?? [],
    minima: [...parameters.keys()].filter((parameter) => /^min[A-Z]/.test(parameter)),
    facets: operations
      .filter(
        ({ path, parameters }) => path.startsWith(`${list}/`) && !path.includes('{') && parameters.has('startsWith'),
      )
      .map(({ path }) => path),
    items,
    texts,
  };
}

/** Up to `count` page numbers, evenly spread. */
function spreadPages(total: number, count: number): readonly number[] {
  const pages = Math.ceil(total / SAMPLE_LIMIT);
  return [...new Set(Array.from({ length: count }, (_, i) => 1 + Math.floor((i * pages) / count)))];
}

/** Addresses of pages behind the first `skippedShare` of them, in mixed order: of 20 records a page, then of 21, until there are enough. */
function pageAddresses(
  total: number,
  skippedShare: number,
  query: (i: number) => string,
  path: string,
): readonly string[] {
  const paths: string[] = [];
  for (let limit = LIMIT; paths.length < MAX_PATHS && limit < 2 * LIMIT; limit++) {
    const pages = Math.max(1, Math.ceil(total / limit));
    const first = Math.min(pages - 1, Math.floor(pages * skippedShare));
    const step = stepOf(pages - first);
    for (let i = 0; i < pages - first && paths.length < MAX_PATHS; i++)
      paths.push(`${path}?page=${1 + first + ((i * step) % (pages - first))}&limit=${limit}${query(i)}`);
  }
  return paths;
}

/** A step that is coprime to `count`: multiples of it visit every page once, each far from the one before. */
function stepOf(count: number): number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (greatestDivisor(step, count) !== 1) step++;
  return step;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

const DEEP = 0.5;

export function tasksOf(collection: SampledCollection, random: () => number): readonly Task[] {
  const { name, total, sorts, minima, facets, items } = collection;
  const path = `/api/${name}`;
  // A number with bounds before a text.
  const isBounded = (key: string): boolean =>
    minima.some((minimum) => minimum.toLowerCase() === `min${key}`.toLowerCase());
  const [sort] = [...sorts.filter(isBounded), ...sorts.filter((key) => key !== 'title'), ...sorts];
  const [minimum] = minima;
  const field = minimum === undefined ? '' : minimum.charAt(3).toLowerCase() + minimum.slice(4);
  const values = [...new Set(items.map((item) => item[field]).filter((value) => typeof value === 'number'))];
  const filter = (i: number): string => (values.length === 0 ? '' : `&${minimum}=${values[i % values.length]}`);
  const tasks: (Omit<Task, 'collection'> | null)[] = [
    { name: 'list', kind: 'pages', paths: pageAddresses(total, 0, () => '', path) },
    { name: 'deep page', kind: 'second half', paths: pageAddresses(total, DEEP, () => '&order=asc', path) },
    sort === undefined
      ? null
      : { name: 'sorted page', kind: `sort=${sort}`, paths: pageAddresses(total, 0, () => `&sort=${sort}`, path) },
    { name: 'detail', kind: 'by id', paths: items.map(({ id }) => `${path}/${id}`) },
    values.length === 0
      ? null
      : { name: 'filter', kind: `${minimum}`, paths: pageAddresses(total / 2, 0, filter, path) },
    ...facets.slice(0, 1).map((facet) => ({
      name: 'facets',
      kind: facet.slice(facet.lastIndexOf('/') + 1),
      paths: facetPaths(facet, values.length === 0 ? null : filter),
    })),
    ...searchTexts(collection.texts, random).map(({ kind, texts }) => ({
      name: 'search',
      kind,
      paths: texts.map((text) => `${path}/search?q=${encodeURIComponent(text)}`),
    })),
  ];
  return tasks.flatMap((task) => (task === null || task.paths.length === 0 ? [] : [{ collection: name, ...task }]));
}

const FACET_PATHS = 500;
const MAX_FACET_LIMIT = 100;
/** Addresses of counted values that differ by their limit, and by the i-th condition that `filter` gives. */
const facetPaths = (facet: string, filter: ((i: number) => string) | null): readonly string[] => [
  ...new Set(
    Array.from({ length: FACET_PATHS }, (_, i) => `${facet}?limit=${1 + (i % MAX_FACET_LIMIT)}${filter?.(i) ?? ''}`),
  ),
];

/** Letters that make no word of words. */
const RARE_LETTERS = 'qxzjkvw';
const MIN_LETTERS = 4;
const SEARCHED_TEXTS = 1000;
const MIN_MISSPELT = 6;

/** Search texts made of words of the sample, by kind. A word that is rare or common in the sample mostly is so in the dump. */
export function searchTexts(
  texts: readonly string[],
  random: () => number,
): readonly { kind: string; texts: readonly string[] }[] {
  const wordsOf = texts.map((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const frequencies = new Map<string, number>();
  for (const words of wordsOf)
    for (const word of new Set(words)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const byFrequency = [...frequencies.keys()]
    .filter((word) => word.length >= MIN_LETTERS)
    .sort((a, b) => (frequencies.get(b) ?? 0) - (frequencies.get(a) ?? 0));
  if (byFrequency.length === 0) return [];
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const anyFrequency = (): string => byFrequency[Math.floor(byFrequency.length ** random()) - 1] ?? '';
  const distinctTexts = (make: () => string): readonly string[] => [
    ...new Set(Array.from({ length: SEARCHED_TEXTS }, make).filter((text) => text !== '')),
  ];
  return [
    { kind: 'rare', texts: byFrequency.filter((word) => frequencies.get(word) === 1).slice(0, SEARCHED_TEXTS) },
    { kind: 'common', texts: byFrequency.slice(0, COMMON_WORDS) },
    { kind: 'two words', texts: distinctTexts(() => `${anyFrequency()} ${anyFrequency()}`) },
    {
      kind: 'phrase',
      texts: distinctTexts(() => {
        const words = wordsOf[Math.floor(random() * wordsOf.length)] ?? [];
        const at = Math.floor(random() * (words.length - 1));
        return words.length < 2 ? '' : `"${words[at]} ${words[at + 1]}"`;
      }),
    },
    {
      kind: 'misspelt',
      texts: distinctTexts(() => {
        const misspelling = misspelt(pick(byFrequency), random);
        return frequencies.has(misspelling) ? '' : misspelling;
      }),
    },
    { kind: 'none', texts: distinctTexts(() => Array.from({ length: 14 }, () => pick([...RARE_LETTERS])).join('')) },
  ].filter(({ texts }) => texts.length > 0);
}

/** `sourdough` → `sourxdough`: one more letter in the middle. The empty text for a short word, which may become another word. */
function misspelt(word: string, random: () => number): string {
  if (word.length < MIN_MISSPELT) return '';
  const at = 2 + Math.floor(random() * (word.length - 3));
  const letter = RARE_LETTERS.charAt(Math.floor(random() * RARE_LETTERS.length));
  return `${word.slice(0, at)}${letter}${word.slice(at)}`;
}
