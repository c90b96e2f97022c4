/** The Valibot schema of a collection's records, made from the model table: what the store may rely on. */
import * as v from 'valibot';
import type { CollectionModel, Field, RecordValues, Value } from '../model.js';

/** `2016-08-04T15:52:00Z`, with milliseconds where they are not zero. */
const CANONICAL_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

export const isCanonicalDate = (text: string): boolean => {
  if (!CANONICAL_DATE.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && canonicalDate(time) === text;
};

export function canonicalDate(timeMs: number): string {
  const text = new Date(timeMs).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

type ValueSchema = v.GenericSchema<Value>;

const KINDS = {
  integer: v.pipe(v.number(), v.safeInteger()),
  number: v.pipe(v.number(), v.finite()),
  text: v.string(),
  url: v.string(),
  date: v.pipe(v.string(), v.check(isCanonicalDate)),
  tags: v.pipe(v.array(v.string()), v.minLength(1)),
} satisfies Record<Field['kind'], ValueSchema>;

const NOT_BLANK = /\S/;

/** What a field's value is after loading. */
export function fieldSchema({ kind, required }: Field): ValueSchema {
  if (!required) return v.nullable(KINDS[kind]);
  return kind === 'text' ? v.pipe(KINDS.text, v.regex(NOT_BLANK)) : KINDS[kind];
}

export type RecordSchema = v.GenericSchema<RecordValues>;

export const recordSchema = (model: CollectionModel): RecordSchema => v.strictTuple(model.fields.map(fieldSchema));

/** The positions of the fields that are not as they should be. */
export function faultyFields(schema: RecordSchema, values: readonly unknown[]): readonly number[] {
  const result = v.safeParse(schema, values);
  return result.success ? [] : result.issues.map((issue) => Number(issue.path?.[0]?.key ?? 0));
}
