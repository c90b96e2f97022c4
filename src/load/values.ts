/** One cell of a source → a field's value. */
import type { Field, Value } from '../model.js';

export type Reading = { readonly how: 'native' | 'missing' | 'repaired' | 'unreadable'; readonly value: Value };

const MISSING: Reading = { how: 'missing', value: null };

/** Reads a cell whose value is not of the field's type as it stands. */
export function readCell(_field: Field, cell: unknown): Reading {
  if (cell === null || cell === undefined) return MISSING;
  if (Array.isArray(cell) && cell.length === 0) return MISSING;
  return { how: 'unreadable', value: null };
}
