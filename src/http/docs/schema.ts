/** A response's schema as a nested list of fields. */
import { type Content, html } from '../markup/html.js';
import { prose } from './prose.js';
import type { OpenApiDocument, Schema } from './shape.js';

type Schemas = OpenApiDocument['components']['schemas'];

/** The list of a schema's fields; null if it has none. */
export function fieldList(schema: Schema, schemas: Schemas): Content {
  const { properties } = heldBy(schema, schemas);
  if (properties === undefined) return null;
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      html`<li><code>${name}</code> <span class="type">${typeOf(field, schemas)}</span>${about(field)}${fieldList(field, schemas)}</li>`,
  );
  return html`<ul class="schema" role="list">${fields}</ul>`;
}

const about = ({ description }: Schema): Content =>
  description === undefined ? null : html` <span class="what">${prose(description)}</span>`;

/** Follows references, lists and choices to a schema. The first of a choice is the usual one. */
function heldBy(schema: Schema, schemas: Schemas): Schema {
  const { $ref, anyOf, items } = schema;
  const within = $ref === undefined ? (anyOf?.[0] ?? items) : schemas[$ref.split('/').at(-1) ?? ''];
  return within === undefined ? schema : heldBy(within, schemas);
}

function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.items !== undefined) return `list of ${typeOf(heldBy(schema.items, schemas), schemas)}s`;
  const { type = 'any', format } = heldBy(schema, schemas);
  const name = typeof type === 'string' ? type : type.join(' or ');
  return format === undefined ? name : `${name} (${format})`;
}
