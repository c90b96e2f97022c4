/** A response's schema as a nested list of fields. */
import { type Content, html } from '../markup/html.js';
import { isSchema, type JsonSchema } from '../openapi/json-schema.js';
import { prose } from './text.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The list of a schema's fields; null if it has none. */
export function fieldList(schema: JsonSchema, schemas: Schemas): Content {
  const { properties } = itemOf(schema, schemas);
  if (!isSchema(properties)) return null;
  const fields = Object.entries(properties).map(([name, field]) =>
    isSchema(field)
      ? html`<li><code>${name}</code> <span class="good small">${typeOf(field, schemas)}</span>${description(field)}${fieldList(field, schemas)}</li>`
      : null,
  );
  return html`<ul class="schema nested" role="list">${fields}</ul>`;
}

const description = ({ description: text }: JsonSchema): Content =>
  typeof text === 'string' ? html` <span class="soft">${prose(text)}</span>` : null;

/** The schema behind references; of a list, that of its items. */
function itemOf(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, items } = schema;
  const within = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : items;
  return isSchema(within) ? itemOf(within, schemas) : schema;
}

function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const { type = 'any', format, items } = schema;
  if (isSchema(items)) return `list of ${typeOf(itemOf(items, schemas), schemas)}s`;
  if (schema.$ref !== undefined) return typeOf(itemOf(schema, schemas), schemas);
  const name = Array.isArray(type) ? type.join(' or ') : String(type);
  return format === undefined ? name : `${name} (${format})`;
}
