/**
 * Whether a cell is a field's value as it stands: the answer of the Valibot schema, for the cells of which dumps are
 * made, at a tenth of its cost. The schema stays the truth: a test holds the two against each other.
 */
import type { Field } from '../model.js';
import { isCanonicalDate } from './schema.js';

/** A field's kind as a small integer, so that the per-record loop reads no property of objects of many shapes. */
export type FitCode = number;

const CODES = { integer: 0, number: 1, text: 2, url: 2, date: 3, tags: 4 } as const;
const TEXT = 2;
const REQUIRED = 8;

export const fitCode = ({ kind, required }: Field): FitCode => CODES[kind] + (required ? REQUIRED : 0);

export function fits(code: FitCode, cell: unknown): boolean {
  if (cell === null) return code < REQUIRED;
  switch (code & 7) {
    case CODES.integer:
      return Number.isSafeInteger(cell);
    case CODES.number:
      return Number.isFinite(cell);
    case TEXT:
      return typeof cell === 'string' && (code === TEXT || !isBlank(cell));
    case CODES.date:
      return typeof cell === 'string' && isCanonicalDate(cell);
    default:
      return isTagList(cell);
  }
}

function isTagList(cell: unknown): boolean {
  if (!Array.isArray(cell) || cell.length === 0) return false;
  for (const tag of cell) if (typeof tag !== 'string') return false;
  return true;
}

/** Most texts begin with a visible ASCII character, and need no second look. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 127) && text.trim() === '';
}
