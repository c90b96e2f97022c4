/** As much of an OpenAPI document as the page shows. */
import * as v from 'valibot';

/** As much of a JSON Schema as the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

/** What a schema holds is as `openapi/` makes it. */
const shown = v.custom<Schema>((schema) => typeof schema === 'object');

const content = v.record(v.string(), v.object({ schema: v.optional(shown), example: v.optional(v.unknown()) }));

const parameter = v.object({
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

const response = v.object({
  $ref: v.optional(v.string()),
  description: v.optional(v.string(), ''),
  content: v.optional(content),
});

const operation = v.object({
  operationId: v.string(),
  summary: v.string(),
  tags: v.array(v.string()),
  parameters: v.optional(v.array(parameter), []),
  responses: v.record(v.string(), response),
});

const schema = v.object({
  info: v.object({ title: v.string(), version: v.string(), description: v.string() }),
  tags: v.array(v.object({ name: v.string() })),
  paths: v.record(v.string(), v.object({ get: operation })),
  components: v.object({ schemas: v.record(v.string(), shown), responses: v.record(v.string(), response) }),
});

export type OpenApiDocument = v.InferOutput<typeof schema>;
export type Operation = v.InferOutput<typeof operation>;
export type OperationParameter = v.InferOutput<typeof parameter>;

export const readDocument = (document: unknown): OpenApiDocument => v.parse(schema, document);
