/** The schemas of all bodies, made from the model's fields (`value-schema.ts`). */
import * as v from 'valibot';
import { errorStatus, MAX_DETAILS } from '../../errors.js';
import { languages } from '../../languages.js';
import { type CollectionModel, type Field, ID_FIELD, isList, isOrdered } from '../../model.js';
import { ENGINES } from '../../search/search.js';
import { capitalised } from '../markup/format.js';
import type { AppOptions, Envelope } from '../options.js';
import { type JsonSchema, jsonSchema, reference } from './json-schema.js';
import { fieldSchema } from './value-schema.js';

const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const envelopes = {
  pagination: v.strictObject({ total: countSchema, page: positive, limit: positive, totalPages: countSchema }),
  meta: v.strictObject({
    current_page: positive,
    per_page: positive,
    total_items: countSchema,
    total_pages: countSchema,
  }),
} satisfies Record<Envelope, v.GenericSchema>;

const errorSchema = v.strictObject({
  error: v.strictObject({
    code: v.picklist(Object.keys(errorStatus)),
    message: v.string(),
    details: v.optional(
      v.pipe(v.array(v.strictObject({ parameter: v.string(), message: v.string() })), v.maxLength(MAX_DETAILS)),
    ),
  }),
});

const facetsSchema = v.strictObject({ data: v.array(v.strictObject({ name: v.string(), count: positive })) });

/** Statistics of a field: numbers, or dates in ISO 8601. */
const fieldStatsSchema = <T extends v.GenericSchema>(value: T) =>
  v.strictObject({
    count: countSchema,
    min: v.nullable(value),
    max: v.nullable(value),
    mean: v.nullable(value),
    histogram: v.array(v.strictObject({ from: value, to: value, count: countSchema })),
  });

const groupNumbers = <T extends v.GenericSchema>(value: T) =>
  v.strictObject({
    count: countSchema,
    min: v.nullable(value),
    max: v.nullable(value),
    mean: v.nullable(value),
    median: v.nullable(value),
  });

const healthSchema = v.strictObject({
  status: v.literal('ok'),
  version: v.string(),
  /** A hash of the collections' fields: pages differ by it where the records do not. */
  fields: v.string(),
  loadedAt: v.string(),
  collections: v.record(v.string(), countSchema),
  search: v.strictObject({
    engine: v.picklist(ENGINES),
    languages: v.record(v.string(), v.picklist(languages)),
    phrases: v.boolean(),
    exclusions: v.boolean(),
    suggestions: v.boolean(),
  }),
  /** Counts of the collections that were compared with an earlier dataset. */
  changes: v.optional(
    v.record(
      v.string(),
      v.strictObject({
        since: v.string(),
        added: countSchema,
        removed: countSchema,
        changed: countSchema,
        pairedBy: v.string(),
        dumps: countSchema,
        changes: countSchema,
        knownSince: v.string(),
        incomplete: v.optional(v.array(v.string())),
      }),
    ),
  ),
  /** The reason why newer snapshots could not be loaded. */
  reloadFault: v.optional(
    v.strictObject({
      file: v.string(),
      line: v.optional(positive),
      column: v.optional(positive),
      message: v.string(),
      at: v.string(),
    }),
  ),
  /** Answers of the API wait for a time between these, and this share of them fails, on purpose. */
  simulation: v.optional(v.strictObject({ delayMs: v.array(countSchema), failShare: v.number() })),
  /** The load report, which grows with the files of a dump; on request. */
  report: v.optional(v.looseObject({ files: v.array(v.looseObject({})), findings: v.array(v.looseObject({})) })),
});

const indexSchema = v.strictObject({
  documentation: v.string(),
  openapi: v.string(),
  health: v.string(),
  /** `from`: where the dump has the values of a found field; `keys`: the fields whose values stand for ids in paths. */
  collections: v.array(
    v.strictObject({
      name: v.string(),
      keys: v.optional(v.array(v.string())),
      fields: v.array(v.strictObject({ name: v.string(), kind: v.string(), from: v.optional(v.string()) })),
    }),
  ),
  operations: v.array(v.strictObject({ path: v.string(), summary: v.string(), parameters: v.array(v.string()) })),
});

/**
 * A collection's name in the identifiers of clients: letters and digits of ASCII as they are, an underscore doubled, any other letter by
 * its code. No two names have the same: `jobs-search` is `jobs_2d_search`.
 */
export const identifierOf = (name: string): string =>
  name.replace(/[^a-z\d]/gu, (letter) => (letter === '_' ? '__' : `_${letter.codePointAt(0)?.toString(16)}_`));

/** Component names of a collection's shapes. A collection of its own has an underscore in its: `Jobs_Item` beside `ArticleItem`. */
export function schemaNames({ singular, name, isOwn, changesOf }: CollectionModel) {
  const prefix = capitalised(identifierOf(name));
  // The changes of all collections have one shape.
  const [one, several, record] =
    changesOf !== undefined
      ? ['Change', 'Changes', 'Change']
      : isOwn
        ? [`${prefix}_`, `${prefix}_`, `${prefix}_Record`]
        : [singular, capitalised(name), singular];
  return {
    record,
    item: `${one}Item`,
    fields: `${one}Fields`,
    search: `${one}Page`,
    similar: isOwn ? `${one}Similar` : `Similar${several}`,
    stats: `${one}Stats`,
    group: `${one}Group`,
    facets: `${several}Facets`,
  };
}

export function componentSchemas(
  models: readonly CollectionModel[],
  { envelope, hasAllFields = false }: Pick<AppOptions, 'envelope' | 'hasAllFields'>,
): Readonly<Record<string, JsonSchema>> {
  const shared = { Error: jsonSchema(errorSchema), Health: jsonSchema(healthSchema), Index: jsonSchema(indexSchema) };
  return Object.assign(shared, ...models.map((model) => collectionSchemas(model, envelope, hasAllFields)));
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
  return {
    [names.record]: recordSchema(model.fields, `One ${one} with all of its fields.`),
    [names.item]: withProperty({ ...item, required: recordSchema(inItem, '').required }, 'highlight', highlight(model)),
    [names.fields]: withProperty(someFields, 'highlight', highlight(model)),
    [names.search]: withProperty(pageSchema(names.item, names.fields, envelope), 'suggestion', suggestion),
    [names.similar]: objectSchema({
      data: listSchemaOf(reference('schemas', names.item), 'The most similar records, the nearest first.'),
    }),
    [names.facets]: jsonSchema(facetsSchema),
    [names.stats]: statsSchema(model.fields, names.group),
    [names.group]: groupSchema(model.fields),
  };
}

/** An object with these properties and no others; those not in `optional` are required. */
function objectSchema(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const byName = (fields: readonly Field[], schemaOf: (field: Field) => JsonSchema) =>
  Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
/** The same with no property required. */
const partial = (schema: JsonSchema): JsonSchema => ({ ...schema, required: [] });

function recordSchema(fields: readonly Field[], description: string): JsonSchema {
  // A list that a record lacks is left out; any other missing value is null.
  const optional = fields.filter(({ kind, onRequest }) => isList(kind) || onRequest).map(({ name }) => name);
  return { ...objectSchema(byName(fields, valueSchema), optional), description };
}

function valueSchema(field: Field): JsonSchema {
  if (field.anyValue) return { description: field.description };
  const schema = flatNull(jsonSchema(fieldSchema(isList(field.kind) ? { ...field, required: true } : field)));
  const values = field.oneOf === undefined ? {} : { enum: field.oneOf };
  return {
    ...schema,
    ...values,
    ...(field.kind === 'date' && { format: 'date-time' }),
    description: field.description,
  };
}

/** `anyOf` a type and null → one schema: `"type": ["string", "null"]`. */
function flatNull(schema: JsonSchema): JsonSchema {
  const [value, none]: readonly JsonSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (value === undefined || none?.type !== 'null') return schema;
  // A schema for any value has no type.
  return value.type === undefined ? value : { ...value, type: [value.type, 'null'] };
}

const withProperty = (schema: JsonSchema, name: string, property: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(typeof schema.properties === 'object' && schema.properties), [name]: property },
});

const highlight = ({ fields }: CollectionModel): JsonSchema => {
  const text = { type: 'string' };
  const searched = fields.filter(({ searchWeight }) => searchWeight);
  return {
    ...partial(objectSchema(byName(searched, ({ kind }) => (isList(kind) ? { type: 'array', items: text } : text)))),
    description:
      'With `highlight=1`: the texts of the record that match, by field, as HTML with the matches in `<mark>`.',
  };
};

const suggestion: JsonSchema = {
  type: ['string', 'null'],
  description: 'With `suggest=1`: the search text with corrected spellings; null if none was corrected.',
};

const listSchemaOf = (items: JsonSchema, description: string): JsonSchema => ({ description, type: 'array', items });

/** The schema of a page is the same with and without `fields`: typed clients need not distinguish two. */
const pageSchema = (item: string, fields: string, envelope: Envelope): JsonSchema => {
  const description = `The records of the page. With \`fields\`, they have the schema \`${fields}\`.`;
  const data = listSchemaOf(reference('schemas', item), description);
  return objectSchema({ data, [envelope]: jsonSchema(envelopes[envelope]) });
};

/** The numbers and dates of which there are statistics. */
const measuredFields = (fields: readonly Field[]): readonly Field[] =>
  fields.filter((field, i) => i !== ID_FIELD && isOrdered(field));

function groupSchema(fields: readonly Field[]): JsonSchema {
  const inGroup = ({ kind }: Field): JsonSchema => jsonSchema(groupNumbers(kind === 'date' ? v.string() : v.number()));
  return objectSchema({
    value: { type: ['string', 'boolean', 'null'] },
    count: jsonSchema(positive),
    fields: partial(objectSchema(byName(measuredFields(fields), inGroup))),
  });
}

function statsSchema(fields: readonly Field[], group: string): JsonSchema {
  const stats = ({ kind }: Field): JsonSchema =>
    jsonSchema(fieldStatsSchema(kind === 'date' ? v.string() : v.number()));
  const groups = { type: 'array', items: reference('schemas', group) };
  return {
    anyOf: [
      objectSchema({ count: jsonSchema(countSchema), fields: objectSchema(byName(measuredFields(fields), stats)) }),
      {
        ...objectSchema({ by: { type: 'string' }, data: groups, total: jsonSchema(countSchema) }),
        description: 'With `by`: a group for each value of the field. `total` is the number of groups.',
      },
    ],
  };
}
