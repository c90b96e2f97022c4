/** What a field's values are after loading. */
import * as v from 'valibot';
import { canonicalTime } from '../../src/load/values/dates.js';
import type { Field, Value } from '../../src/model.js';

type ValueSchema = v.GenericSchema<Value>;

const KIND_SCHEMAS = {
  integer: v.pipe(v.number(), v.safeInteger()),
  number: v.pipe(v.number(), v.finite()),
  text: v.string(),
  code: v.string(),
  url: v.string(),
  boolean: v.boolean(),
  date: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(canonicalTime(text))),
  ),
  texts: v.pipe(v.array(v.string()), v.minLength(1)),
  json: v.any(),
  codes: v.pipe(v.array(v.string()), v.minLength(1)),
} satisfies Record<Field['kind'], ValueSchema>;

const NOT_BLANK = /\S/;

/** The schema of a field's values after loading. */
export function fieldSchema({ kind, required }: Field): ValueSchema {
  if (!required) return v.nullable(KIND_SCHEMAS[kind]);
  return kind === 'text' ? v.pipe(KIND_SCHEMAS.text, v.regex(NOT_BLANK)) : KIND_SCHEMAS[kind];
}
