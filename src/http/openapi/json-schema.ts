/** Converts Valibot schemas to JSON Schema 2020-12, so that the OpenAPI document describes what the program checks. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** A pipe that turns text into a number gets the number's schema. Checks that JSON Schema lacks are left out. */
export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _dialect, ...described } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: endsInSchema(schema) ? 'output' : 'input',
    errorMode: 'ignore',
    overrideAction: ({ valibotAction, jsonSchema: described }) =>
      valibotAction.type === 'safe_integer' ? { ...described, type: 'integer' } : undefined,
  });
  return described;
}

/** Whether a schema follows the pipe's first transformation, or there is none. */
function endsInSchema(schema: v.GenericSchema): boolean {
  if (!('pipe' in schema) || !Array.isArray(schema.pipe)) return true;
  const pipe: readonly { readonly kind: string }[] = schema.pipe;
  const transformed = pipe.findIndex(({ kind }) => kind === 'transformation');
  return transformed < 0 || pipe.findLastIndex(({ kind }) => kind === 'schema') > transformed;
}

/** A reference to a component of the document. A type, since an interface would be no `JsonSchema`. */
export type Reference = { readonly $ref: string };

export const reference = (section: string, name: string): Reference => ({ $ref: `#/components/${section}/${name}` });
