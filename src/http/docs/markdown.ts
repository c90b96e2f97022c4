/** `/docs.md`: the guide to the API and the OpenAPI document as Markdown, for readers and programs that take text. */
import { capitalised } from '../markup/format.js';
import { OPENAPI_PATH, type OpenApiDocument } from '../openapi/document.js';
import type { OpenApiOperation, OpenApiParameter } from '../openapi/types.js';
import { DEFAULT_ORIGIN } from '../semantics/host.js';
import { curlCommand, exampleAddress, exampleText, valuesText } from './text.js';

export const MARKDOWN_PATH = '/docs.md';

/** `guide` is Markdown whose own title is left out; `origin` is the server's. */
export function docsMarkdown(
  { info, tags, paths, components }: OpenApiDocument,
  guide: string,
  origin: string,
): string {
  const operations = Object.entries(paths);
  const sections = tags.map(({ name }) => {
    const sectionOperations = operations.filter(([, { get }]) => get.tags.includes(name));
    return [
      `## ${capitalised(name)}`,
      ...sectionOperations.flatMap(([path, { get }]) => operationTexts(path, get, origin)),
    ];
  });
  const errors = Object.entries(components.responses).map(([code, { description }]) => `- \`${code}\`: ${description}`);
  const texts = [
    `# ${info.title} ${info.version}`,
    info.description.replaceAll(/([^\n])\n([^\n])/g, '$1 $2').trim(),
    `The same as OpenAPI 3.1: \`${OPENAPI_PATH}\``,
    guide
      .replace(/^# .*\n/, '')
      .replaceAll(DEFAULT_ORIGIN, origin)
      .trim(),
    ...sections.flat(),
    '## Errors of each operation',
    errors.join('\n'),
  ];
  return `${texts.join('\n\n')}\n`;
}

function operationTexts(path: string, operation: OpenApiOperation, origin: string): readonly string[] {
  const { summary, parameters = [], responses } = operation;
  const { '200': found } = responses;
  const example = found && 'content' in found ? Object.values(found.content ?? {})[0]?.example : undefined;
  return [
    `### GET ${path}`,
    `${summary}.`,
    fenced('sh', curlCommand(origin, exampleAddress(path, operation))),
    ...(parameters.length === 0 ? [] : [parameters.map(parameterLine).join('\n')]),
    ...(example === undefined ? [] : [fenced('json', exampleText(example))]),
  ];
}

function parameterLine({ name, description, required, example, schema }: OpenApiParameter): string {
  const values = valuesText(schema)?.map((value) => `\`${String(value)}\``);
  const allowed = values === undefined ? '' : ` One of ${values.join(', ')}.`;
  const sample = example === undefined || values !== undefined ? '' : ` Example: \`${String(example)}\`.`;
  return `- \`${name}\`${required ? ' (required)' : ''}: ${description}${allowed}${sample}`;
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
