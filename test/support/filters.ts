/** Conditions of queries in short. */
import type { QueryFilter } from '../../src/query/query.js';

const filter = (field: string, operator: string, ...values: readonly (string | number)[]): QueryFilter => ({
  field,
  operator,
  values: values.map(String),
  match: 'any',
});

/** A number from one bound to another, both included. */
export const between = (field: string, min: number, max: number): readonly QueryFilter[] => [
  filter(field, '_gte', min),
  filter(field, '_lte', max),
];

/** Any of some texts. */
export const anyOf = (field: string, ...values: readonly string[]): QueryFilter => filter(field, '', ...values);
