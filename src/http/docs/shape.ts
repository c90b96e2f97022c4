/** As much of an OpenAPI document as the page shows. */
import * as v from 'valibot';

const content = v.record(v.string(), v.object({ example: v.optional(v.unknown()) }));

const parameter = v.object({
  name: v.string(),
  in: v.string(),
  description: v.string(),
  required: v.optional(v.boolean(), false),
  schema: v.looseObject({ enum: v.optional(v.array(v.string())), default: v.optional(v.unknown()) }),
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
  components: v.object({ responses: v.record(v.string(), response) }),
});

export type OpenApiDocument = v.InferOutput<typeof schema>;
export type Operation = v.InferOutput<typeof operation>;
export type OperationParameter = v.InferOutput<typeof parameter>;

export const readDocument = (document: unknown): OpenApiDocument => v.parse(schema, document);
