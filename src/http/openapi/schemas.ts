/** The schemas of all bodies, made from the model's fields. */
import { errorStatus, MAX_DETAILS } from '../../errors.js';
import { isOrdered } from '../../field-kinds.js';
import { type CollectionModel, type Field, type FieldKind, ID_FIELD, isList } from '../../model.js';
import { capitalised } from '../markup/format.js';
import type { AppOptions, Envelope } from '../options.js';
import { type JsonSchema, reference } from './json-schema.js';

const text: JsonSchema = { type: 'string' };
const countSchema: JsonSchema = { type: 'integer', minimum: 0 };
const positive: JsonSchema = { type: 'integer', minimum: 1 };
const listOf = (items: JsonSchema, description?: string): JsonSchema => ({
  ...(description !== undefined && { description }),
  type: 'array',
  items,
});
interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** An object with these properties and no others; those not in `optional` are required. */
function objectSchema(properties: ObjectSchema['properties'], optional: readonly string[] = []): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const envelopes: Readonly<Record<Envelope, JsonSchema>> = {
  pagination: objectSchema({ total: countSchema, page: positive, limit: positive, totalPages: countSchema }),
  meta: objectSchema({
    current_page: positive,
    per_page: positive,
    total_items: countSchema,
    total_pages: countSchema,
  }),
};

const details = { ...listOf(objectSchema({ parameter: text, message: text })), maxItems: MAX_DETAILS };
const errorSchema = objectSchema({
  error: objectSchema({ code: { enum: Object.keys(errorStatus) }, message: text, details }, ['details']),
});

/**
 * A collection's name in the identifiers of clients: letters and digits of ASCII as they are, an underscore doubled, any other letter by
 * its code. No two names have the same: `jobs-search` is `jobs_2d_search`.
 */
export const identifierOf = (name: string): string =>
  name.replace(/[^a-z\d]/gu, (letter) => (letter === '_' ? '__' : `_${letter.codePointAt(0)?.toString(16)}_`));

/** Component names of a collection's shapes. A collection of its own has an underscore in its: `Jobs_Item` beside `ArticleItem`. */
export function schemaNames({ singular, name, isOwn, changesOf }: CollectionModel) {
  // The changes of all collections have one shape.
  const documented = changesOf === undefined ? singular : 'Change';
  const hasOwnShape = isOwn && changesOf === undefined;
  const prefix = hasOwnShape ? `${capitalised(identifierOf(name))}_` : documented;
  return {
    record: hasOwnShape ? `${prefix}Record` : documented,
    item: `${prefix}Item`,
    fields: `${prefix}Fields`,
    search: `${prefix}Page`,
    similar: `${prefix}Similar`,
    stats: `${prefix}Stats`,
    group: `${prefix}Group`,
    facets: `${prefix}Facets`,
  };
}

export function componentSchemas(
  models: readonly CollectionModel[],
  { envelope, hasAllFields = false }: Pick<AppOptions, 'envelope' | 'hasAllFields'>,
): Readonly<Record<string, JsonSchema>> {
  return Object.assign(
    { Error: errorSchema },
    ...models.map((model) => collectionSchemas(model, envelope, hasAllFields)),
  );
}

function collectionSchemas(
  model: CollectionModel,
  envelope: Envelope,
  hasAllFields: boolean,
): Readonly<Record<string, JsonSchema>> {
  const names = schemaNames(model);
  const one = model.singular.toLowerCase();
  const inItem = model.fields.filter(({ detailOnly, onRequest }) => !(detailOnly || onRequest));
  const item = recordSchema(hasAllFields ? model.fields : inItem, `One ${one}, as lists have it.`);
  const someFields = partial(recordSchema(model.fields, `One ${one} with only the fields that \`fields\` names.`));
  const similar = listOf(reference('schemas', names.item), 'The most similar records, the nearest first.');
  return {
    [names.record]: recordSchema(model.fields, `One ${one} with all of its fields.`),
    [names.item]: withProperty({ ...item, required: recordSchema(inItem, '').required }, 'highlight', highlight(model)),
    [names.fields]: withProperty(someFields, 'highlight', highlight(model)),
    [names.search]: withProperty(pageSchema(names.item, names.fields, envelope), 'suggestion', suggestion),
    [names.similar]: objectSchema({ data: similar }),
    [names.facets]: objectSchema({ data: listOf(objectSchema({ name: text, count: positive })) }),
    [names.stats]: statsSchema(model.fields, names.group),
    [names.group]: groupSchema(model.fields),
  };
}

const byName = (fields: readonly Field[], schemaOf: (field: Field) => JsonSchema) =>
  Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
/** The same with no property required. */
const partial = (schema: ObjectSchema): ObjectSchema => ({ ...schema, required: [] });

/** A list that a record lacks is left out, and a field on request unless all are sent; any other missing value is null. */
export function recordSchema(fields: readonly Field[], description: string, hasAllFields = false): ObjectSchema {
  const isOptional = ({ kind, onRequest }: Field): boolean => isList(kind) || (onRequest === true && !hasAllFields);
  const optional = fields.filter(isOptional).map(({ name }) => name);
  return { ...objectSchema(byName(fields, valueSchema), optional), description };
}

const texts = { ...listOf(text), minItems: 1 };
const SCHEMA_OF_KIND: Readonly<Record<FieldKind, JsonSchema>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  text,
  code: text,
  url: text,
  date: { type: 'string', format: 'date-time' },
  texts,
  codes: texts,
  json: {},
};

function valueSchema({ anyValue, description, kind, oneOf, required }: Field): JsonSchema {
  const { type, ...rest } = SCHEMA_OF_KIND[anyValue ? 'json' : kind];
  const mayBeNull = type !== undefined && !required && !isList(kind);
  return {
    ...rest,
    ...(type !== undefined && { type: mayBeNull ? [type, 'null'] : type }),
    ...(oneOf !== undefined && { enum: oneOf }),
    description,
  };
}

const withProperty = (schema: ObjectSchema, name: string, property: JsonSchema): ObjectSchema => ({
  ...schema,
  properties: { ...schema.properties, [name]: property },
});

const highlight = ({ fields }: CollectionModel): JsonSchema => ({
  ...partial(
    objectSchema(
      byName(
        fields.filter(({ searchWeight }) => searchWeight),
        ({ kind }) => (isList(kind) ? listOf(text) : text),
      ),
    ),
  ),
  description:
    'With `highlight=1`: the texts of the record that match, by field, as HTML with the matches in `<mark>`.',
});

const suggestion: JsonSchema = {
  type: ['string', 'null'],
  description: 'With `suggest=1`: the search text with corrected spellings; null if none was corrected.',
};

/** The schema of a page is the same with and without `fields`: typed clients need not distinguish two. */
const pageSchema = (item: string, fields: string, envelope: Envelope): ObjectSchema =>
  objectSchema({
    data: listOf(
      reference('schemas', item),
      `The records of the page. With \`fields\`, they have the schema \`${fields}\`.`,
    ),
    [envelope]: envelopes[envelope],
  });

/** The numbers and dates of which there are statistics. */
const measuredFields = (fields: readonly Field[]): readonly Field[] =>
  fields.filter((field, i) => i !== ID_FIELD && isOrdered(field));

/** Statistics of numbers, or of dates in ISO 8601. */
const numbersSchema = ({ kind }: Field, further: 'median' | 'histogram'): JsonSchema => {
  const type = kind === 'date' ? 'string' : 'number';
  const number: JsonSchema = { type: [type, 'null'] };
  const bin = objectSchema({ from: { type }, to: { type }, count: countSchema });
  return objectSchema({
    ...{ count: countSchema, min: number, max: number, mean: number },
    [further]: further === 'median' ? number : listOf(bin),
  });
};

const groupSchema = (fields: readonly Field[]): JsonSchema =>
  objectSchema({
    value: { type: ['string', 'boolean', 'null'] },
    count: positive,
    fields: partial(objectSchema(byName(measuredFields(fields), (field) => numbersSchema(field, 'median')))),
  });

const statsSchema = (fields: readonly Field[], group: string): JsonSchema => ({
  anyOf: [
    objectSchema({
      count: countSchema,
      fields: objectSchema(byName(measuredFields(fields), (field) => numbersSchema(field, 'histogram'))),
    }),
    {
      ...objectSchema({ by: text, data: listOf(reference('schemas', group)), total: countSchema }),
      description: 'With `by`: a group for each value of the field. `total` is the number of groups.',
    },
  ],
});
