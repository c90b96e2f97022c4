/** `/llms.txt`: what is here and how to ask for it, for programs that read before they ask (llmstxt.org). Of this dump, in some 2 kB. */
import { type Dataset, modelsOf, sizeIn } from '../../store/dataset.js';
import { count } from '../../text.js';
import { OPENAPI_PATH } from '../openapi/document.js';
import { TYPES_PATH } from '../openapi/typescript.js';
import { percentEncode } from '../semantics/percent.js';
import { MARKDOWN_PATH } from './markdown.js';

/** Further collections are left to `/api`, so that the text has some 2 kB. */
const MAX_LISTED_BYTES = 600;

export function llmsText(dataset: Dataset): string {
  const models = modelsOf(dataset).filter(({ name }) => sizeIn(dataset, name) > 0);
  let bytes = 0;
  const lines = models
    .map(({ name }) => `- [${name}](/api/${percentEncode(name)}): ${count(sizeIn(dataset, name), 'record')}`)
    .filter((line) => {
      bytes += Buffer.byteLength(line);
      return bytes <= MAX_LISTED_BYTES;
    });
  const more = models.length - lines.length;
  if (more > 0) lines.push(`- ${more} more: [all of them](/api)`);
  const [{ name, fields } = { name: 'products', fields: [] }] = models;
  const path = `/api/${percentEncode(name)}`;
  const numbers = fields.find(({ kind, filter }) => kind !== 'date' && filter?.kind === 'range');
  return `${[
    '# Scraper Data API',
    '',
    '> The records of a scrape as a read-only JSON API: lists, filters, full-text search, counts, statistics, exports. Every operation is a GET, and needs no key.',
    '',
    '## Collections',
    '',
    ...lines,
    '',
    '## How to ask',
    '',
    `- a page of a list: \`${path}?limit=5&page=2\`; one record: \`${path}/ID\``,
    `- a search: \`${path}/search?q=WORDS\`, best first; \`"a phrase"\`, \`-without\``,
    `- counts of values, and statistics: \`${path}/values/FIELD\`, \`${path}/stats\``,
    `- all records of a filter: \`/api/export/${percentEncode(name)}?format=ndjson\``,
    ...(numbers?.filter?.kind === 'range'
      ? [
          `- filters and order, for lists and all of these: \`${numbers.filter.min}=10&sort=${numbers.name}&order=desc\``,
        ]
      : []),
    '- `fields=id,title` names what is sent, `fields=*` all; a wrong parameter is a 422 that says what is right',
    '',
    '## Documents',
    '',
    `- [all operations with examples](${MARKDOWN_PATH})`,
    `- [OpenAPI 3.1](${OPENAPI_PATH}), [TypeScript](${TYPES_PATH}), [index of paths and fields](/api)`,
  ].join('\n')}\n`;
}
