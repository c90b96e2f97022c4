/** The parts of an OpenAPI document that the documentation page shows. */
import * as v from 'valibot';

/** The parts of a JSON Schema that the documentation page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

/** Schemas are not checked further: `openapi/` makes them. */
const nestedSchema = v.custom<Schema>((schema) => typeof schema === 'object');

const contentSchema = v.record(
  v.string(),
  v.object({ schema: v.optional(nestedSchema), example: v.optional(v.unknown()) }),
);

const parameterSchema = v.object({
  name: v.string(),
  in: v.string(),
  description: v.string(),
  required: v.optional(v.boolean(), false),
  schema: v.looseObject({
    enum: v.optional(v.array(v.union([v.string(), v.number()]))),
    default: v.optional(v.unknown()),
  }),
  example: v.optional(v.unknown()),
});

const responseSchema = v.object({
  $ref: v.optional(v.string()),
  description: v.optional(v.string(), ''),
  content: v.optional(contentSchema),
});

const operationSchema = v.object({
  operationId: v.string(),
  summary: v.string(),
  tags: v.array(v.string()),
  parameters: v.optional(v.array(parameterSchema), []),
  responses: v.record(v.string(), responseSchema),
});

const schema = v.object({
  info: v.object({ title: v.string(), version: v.string(), description: v.string() }),
  tags: v.array(v.object({ name: v.string() })),
  paths: v.record(v.string(), v.object({ get: operationSchema })),
  components: v.object({
    schemas: v.record(v.string(), nestedSchema),
    responses: v.record(v.string(), responseSchema),
  }),
});

export type OpenApiDocument = v.InferOutput<typeof schema>;
export type Operation = v.InferOutput<typeof operationSchema>;
export type OperationParameter = v.InferOutput<typeof parameterSchema>;

export const readDocument = (document: unknown): OpenApiDocument => v.parse(schema, document);
