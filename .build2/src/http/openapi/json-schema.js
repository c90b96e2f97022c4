/** Valibot schemas → JSON Schema 2020-12, the dialect of OpenAPI 3.1: the document says what the program checks. */
import { toJsonSchema } from '@valibot/to-json-schema';
/** Where a pipe turns text into a number, `output` is the number's schema; checks that JSON Schema lacks are left out. */
export function jsonSchema(schema) {
    const { $schema: _dialect, ...described } = toJsonSchema(schema, {
        target: 'draft-2020-12',
        typeMode: endsInSchema(schema) ? 'output' : 'input',
        errorMode: 'ignore',
        overrideAction: ({ valibotAction, jsonSchema: described }) => valibotAction.type === 'safe_integer' ? { ...described, type: 'integer' } : undefined,
    });
    return described;
}
/** Whether the text is turned into something that has a schema of its own. */
function endsInSchema(schema) {
    if (!('pipe' in schema) || !Array.isArray(schema.pipe))
        return true;
    const pipe = schema.pipe;
    const transformed = pipe.findIndex(({ kind }) => kind === 'transformation');
    return transformed < 0 || pipe.findLastIndex(({ kind }) => kind === 'schema') > transformed;
}
export const reference = (section, name) => ({ $ref: `#/components/${section}/${name}` });
