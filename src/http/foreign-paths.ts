/**
 * Paths that people know from other APIs, each with the line that works here: `/api/jobs/count`, `/api/products.csv`, `/items/products`,
 * `/swagger.json`.
 */
import type { CollectionModel } from '../model.js';
import type { ExportFormat } from '../query/parameters.js';
import { percentDecode, percentEncode } from './semantics/percent.js';

/** The line for a collection, given its path `/api/jobs` and its export's `/api/export/jobs`. */
type LineFor = (path: string, exportPath: string, model: CollectionModel) => string;

const lineForFile =
  (format: ExportFormat): LineFor =>
  (_, exportPath) =>
    `A file of all records is at ${exportPath}?format=${format}.`;

const countsLine: LineFor = (path, _, { fields }) => {
  const field = fields.find(({ facet }) => facet) ?? fields.find(({ filter }) => filter?.kind === 'value');
  if (field === undefined) return `Counts, ranges and means are at ${path}/stats.`;
  const name = percentEncode(field.name);
  return `Values with their counts are at ${path}/values/${name}, numbers of each group at ${path}/stats?by=${name}.`;
};

/** The segments behind a collection, in lower case, and the line that each of them gets. */
const LINE_BY_SEGMENTS: Readonly<Record<string, LineFor>> = {
  'values facets facet filters aggregations aggs distinct groups group groupby': countsLine,
  'count counts total size length': (path) =>
    `The total of a list stands in its answer and in the header X-Total-Count: ${path}?limit=1.`,
  'all all_docs list records items index': (path, exportPath) =>
    `${path} lists the records page by page; ${exportPath} has all of them.`,
  'export download dump file json': lineForFile('json'),
  'csv xlsx xml': lineForFile('csv'),
  'ndjson jsonl': lineForFile('ndjson'),
  'schema fields columns meta metadata': () =>
    'Collections and their fields are at /api, described in /api/openapi.json.',
  'statistics aggregate summary': (path) => `Counts, ranges and means are at ${path}/stats.`,
  'first last latest newest recent random': (path) => `One record is at ${path}?limit=1; sort chooses the first one.`,
  'search query find filter select': (path) => `Write ${path}?q=tea for a search; a field is a parameter of its own.`,
};

const LINE_OF_SEGMENT: ReadonlyMap<string, LineFor> = new Map(
  Object.entries(LINE_BY_SEGMENTS).flatMap(([segments, line]) =>
    segments.split(' ').map((segment) => [segment, line] as const),
  ),
);

/** `$count`, `_count` and `count.json` are `count`. */
const lineOfSegment = (segment: string): LineFor | undefined =>
  LINE_OF_SEGMENT.get(segment.replace(/^[$_]|\.json$/g, '').toLowerCase());

/** `1,2,3`, and `1.json`. */
const ID_LIST = /^\d+(?:,\d+)+$/;
const ID_WITH_ENDING = /^(\d+)\.(?:json|xml|html?)$/i;

/**
 * Whether a segment in the place of an id is a word, or a spelling, of other APIs. Without keys an id must be an integer, and the error
 * for `1,2` says so.
 */
export const isForeignSegment = (segment: string, { keys }: CollectionModel): boolean =>
  lineOfSegment(segment) !== undefined ||
  (keys !== undefined && (ID_LIST.test(segment) || ID_WITH_ENDING.test(segment)));

/** By the last segment of a path, without signs and ending: what the server has in its place. */
const LINE_OF_SERVICE: ReadonlyMap<string, string> = new Map([
  ...'swagger swaggerui apidocs apidoc docs redoc documentation openapi postman'
    .split(' ')
    .map((word) => [word, 'The documentation is at /docs, the OpenAPI document at /api/openapi.json.'] as const),
  ...'health healthz healthcheck livez readyz ping status metrics'
    .split(' ')
    .map((word) => [word, '/health tells whether the server works and what it has loaded.'] as const),
  ['search', 'Each collection is searched by itself, with q=tea: /api lists them.'],
  ['graphql', 'There is no GraphQL here: /api lists all operations, and fields=id chooses fields.'],
]);

type ModelOf = (name: string) => CollectionModel | undefined;

/** No address of another API is as long. */
const MAX_PATH = 200;

/** The line that works in place of a path; null where it is not known from elsewhere. */
export function lineForPath(path: string, modelOf: ModelOf): string | null {
  if (path.length > MAX_PATH) return null;
  return lineForCollection(path, modelOf) ?? LINE_OF_SERVICE.get(serviceWord(path)) ?? null;
}

const serviceWord = (path: string): string => path.replace(/^.*\/|\.[a-z]+$|[-_]/gi, '').toLowerCase();

/** `jobs`, `jobs.csv`, `jobs(1)`. */
const NAME_WITH_ENDING = /^(.+?)(?:\.([a-z]+)|\(\d+\))?$/i;
/** Bound on the ids that a line has. */
const MAX_IDS = 4;

/** The first segment that names a collection decides: `/api/jobs.csv`, `/api/jobs/count`, `/items/products`, `/rest/v1/products`. */
function lineForCollection(path: string, modelOf: ModelOf): string | null {
  const segments = path.split('/').filter((segment) => !/^(?:|api|export)$/.test(segment));
  for (const [i, segment] of segments.entries()) {
    const [, name = '', ending] = NAME_WITH_ENDING.exec(segment) ?? [];
    const model = modelOf(percentDecode(name));
    if (model === undefined) continue;
    const [word = '', ...others] = segments.slice(i + 1);
    const address = `/api/${percentEncode(model.name)}`;
    const line = others.length > 0 ? undefined : lineOfSegment(ending ?? word);
    if (line !== undefined) return line(address, `/api/export/${percentEncode(model.name)}`, model);
    const ids = ID_LIST.test(word) ? word.split(',').slice(0, MAX_IDS) : [];
    if (ids.length > 0) return `Several records are at ${address}?${ids.map((id) => `id=${id}`).join('&')}.`;
    const [, id] = ID_WITH_ENDING.exec(word) ?? [];
    if (id !== undefined) return `A record is at ${address}/${id}, as JSON.`;
    // The collection's own paths begin with its name.
    return i > 0 || name !== segment ? `The records of ${model.name} are at ${address}.` : null;
  }
  return null;
}
