/** Converts Valibot schemas to JSON Schema 2020-12, so that the OpenAPI document describes what the program checks. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** A pipe that turns text into a number has the number's schema. Checks that JSON Schema lacks are left out. */
export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _dialect, ...described } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'output',
    errorMode: 'ignore',
    overrideAction: ({ valibotAction, jsonSchema: described }) =>
      valibotAction.type === 'safe_integer' ? { ...described, type: 'integer' } : undefined,
  });
  return described;
}

/** A reference to a component of the document. A type, since an interface would be no `JsonSchema`. */
export type Reference = { readonly $ref: string };

export const reference = (section: string, name: string): Reference => ({ $ref: `#/components/${section}/${name}` });
