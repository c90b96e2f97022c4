/** Paths that people know from other APIs, each with the line that works here: `/api/jobs/count`, `/api/products.csv`. */
import type { CollectionModel } from '../model.js';
import { exportFormats } from '../query/parameters.js';
import { percentDecode, percentEncode } from './semantics/percent.js';

/** The line for a collection, given its path `/api/jobs` and its export's `/api/export/jobs`. */
type LineFor = (path: string, exportPath: string, model: CollectionModel) => string;

const lineForFile = (format: string): LineFor => {
  const servedName = format === 'jsonl' ? 'ndjson' : format;
  const exportFormat = exportFormats.find((one) => one === servedName) ?? 'csv';
  return (_, exportPath) => `A file of all records is at ${exportPath}?format=${exportFormat}.`;
};

const countsLine: LineFor = (path, _, { fields }) => {
  const field = fields.find(({ facet }) => facet) ?? fields.find(({ filter }) => filter?.kind === 'value');
  if (field === undefined) return `Counts, ranges and means are at ${path}/stats.`;
  const name = percentEncode(field.name);
  return `Values with their counts are at ${path}/values/${name}, numbers of each group at ${path}/stats?by=${name}.`;
};
const totalCountLine: LineFor = (path) =>
  `The total of a list stands in its answer and in the header X-Total-Count: ${path}?limit=1.`;
const allLine: LineFor = (path, exportPath) => `${path} lists the records page by page; ${exportPath} has all of them.`;
const otherFileLine = lineForFile('json');
const schemaLine: LineFor = () => 'Collections and their fields are at /api, described in /api/openapi.json.';
const statisticsLine: LineFor = (path) => `Counts, ranges and means are at ${path}/stats.`;
const searchLine: LineFor = (path) => `Write ${path}?q=tea for a search; a field is a parameter of its own.`;

/** The lines by the segment behind a collection, in lower case. */
const LINE_OF_SEGMENT: ReadonlyMap<string, LineFor> = new Map([
  ...'facets facet filters aggregations aggs distinct groups group groupby'
    .split(' ')
    .map((word) => [word, countsLine] as const),
  ...'count counts total size length'.split(' ').map((word) => [word, totalCountLine] as const),
  ...'all list records items index'.split(' ').map((word) => [word, allLine] as const),
  ...'export download dump file'.split(' ').map((word) => [word, otherFileLine] as const),
  ...'schema fields columns meta metadata'.split(' ').map((word) => [word, schemaLine] as const),
  ...'statistics aggregate summary'.split(' ').map((word) => [word, statisticsLine] as const),
  ...'query find filter'.split(' ').map((word) => [word, searchLine] as const),
  ...'csv json ndjson jsonl xlsx xml'.split(' ').map((word) => [word, lineForFile(word)] as const),
]);

/** Whether a segment in the place of an id is a word of other APIs. */
export const isForeignSegment = (segment: string): boolean => LINE_OF_SEGMENT.has(segment.toLowerCase());

/** `/api/jobs.csv`, `/api/jobs/count`. */
const FOREIGN_PATH = /^\/api\/([^/]+?)(?:\.([a-z]{3,6})|\/([^/]+))$/i;

/** The line that works in place of a path; null where it is not known from elsewhere, or of no collection. */
export function lineForPath(path: string, modelOf: (name: string) => CollectionModel | undefined): string | null {
  const [, name = '', ending, segment = ''] = FOREIGN_PATH.exec(path) ?? [];
  const model = modelOf(percentDecode(name));
  const line = LINE_OF_SEGMENT.get((ending ?? segment).toLowerCase());
  if (model === undefined || line === undefined) return null;
  const encoded = percentEncode(model.name);
  return line(`/api/${encoded}`, `/api/export/${encoded}`, model);
}
