/**
 * Whether a cell is a field's value as it stands: the answer of the Valibot schema, for the cells of which dumps are
 * made, at a tenth of its cost. The schema stays the truth: a test holds the two against each other.
 */
import type { Field, FieldKind } from '../model.js';
import { isCanonicalDate } from './schema.js';

export function fits({ kind, required }: Field, cell: unknown): boolean {
  return cell === null ? required !== true : fitsKind(kind, cell) && (kind !== 'text' || !required || !isBlank(cell));
}

function fitsKind(kind: FieldKind, cell: unknown): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(cell);
    case 'number':
      return Number.isFinite(cell);
    case 'date':
      return typeof cell === 'string' && isCanonicalDate(cell);
    case 'tags':
      return isTagList(cell);
    default:
      return typeof cell === 'string';
  }
}

function isTagList(cell: unknown): boolean {
  if (!Array.isArray(cell) || cell.length === 0) return false;
  for (const tag of cell) if (typeof tag !== 'string') return false;
  return true;
}

const isBlank = (cell: unknown): boolean =>
  typeof cell === 'string' && (cell.charCodeAt(0) > 32 ? isBlankText(cell) : cell.trim() === '');

/** The first character is no ASCII space: only then is it worth a look whether it is another one. */
const isBlankText = (text: string): boolean => text.charCodeAt(0) > 126 && text.trim() === '';
