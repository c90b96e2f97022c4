/** As much of an OpenAPI document as the page shows. */
import * as v from 'valibot';
const shown = v.object({
    $ref: v.optional(v.string()),
    type: v.optional(v.union([v.string(), v.array(v.string())])),
    description: v.optional(v.string()),
    properties: v.optional(v.record(v.string(), v.lazy(() => shown))),
    items: v.optional(v.lazy(() => shown)),
    anyOf: v.optional(v.array(v.lazy(() => shown))),
    format: v.optional(v.string()),
});
const content = v.record(v.string(), v.object({ schema: v.optional(shown), example: v.optional(v.unknown()) }));
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
    components: v.object({ schemas: v.record(v.string(), shown), responses: v.record(v.string(), response) }),
});
export const readDocument = (document) => v.parse(schema, document);
