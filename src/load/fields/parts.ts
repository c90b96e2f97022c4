/**
 * The parts of texts that a field of numbers leaves out, as fields of their own: the upper ends of ranges, and the currency where a dump
 * has several.
 *
 *     salary    $60k - $80k      salary 60000, salaryTo 80000
 *     price     €5, then $7      price 5, priceCurrency €
 */
import { foundField } from '../../field-kinds.js';
import { type CollectionModel, type Field, type FieldPart, isNumeric } from '../../model.js';
import type { OpenedFile } from '../open-file.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { type Path, pathText } from '../values/paths.js';

/** The columns of numbers at a path, with the name of the field that they feed. */
interface NumberColumns {
  readonly path: Path;
  readonly name: string;
  /** The column's profiles, of the files that have it. */
  readonly profiles: readonly ColumnProfile[];
  readonly currency?: string | undefined;
}

/** A part of a column, before it has a name. */
interface ColumnPart {
  readonly path: Path;
  readonly part: FieldPart;
  /** The words of its name. */
  readonly words: Path;
  readonly currency?: string | undefined;
}

const LAST_WORDS: Readonly<Record<FieldPart, string>> = { 'upper end': 'to', currency: 'currency' };

/** The columns that feed documented numbers. */
export function documentedNumbers(model: CollectionModel, files: readonly OpenedFile[]): readonly NumberColumns[] {
  const columns = new Map<string, NumberColumns & { readonly profiles: ColumnProfile[] }>();
  for (const { plan, mapping } of files)
    for (const field of mapping.isOurExport ? [] : model.fields) {
      const path = plan.fed.get(field.name)?.path;
      const profile = plan.profileOf(field);
      if (path === undefined || profile === undefined || field.kind !== 'number') continue;
      const key = `${field.name} ${pathText(path)}`;
      const column = columns.get(key) ?? { path, name: field.name, profiles: [] };
      columns.set(key, column);
      column.profiles.push(profile);
    }
  return [...columns.values()];
}

/** The parts that the values of some columns have. */
export const partsOfColumns = (columns: readonly NumberColumns[]): readonly ColumnPart[] =>
  columns.flatMap(({ path, name, profiles, currency }) =>
    partsIn(profiles).map((part) => ({ path, part, words: [name, LAST_WORDS[part]], currency })),
  );

function partsIn(profiles: readonly ColumnProfile[]): readonly FieldPart[] {
  const hasRanges = profiles.some(({ amounts }) => amounts.hasRanges);
  const currencies = new Set(profiles.flatMap(({ amounts }) => amounts.currencies.map(([name]) => name)));
  return [...(hasRanges ? (['upper end'] as const) : []), ...(currencies.size > 1 ? (['currency'] as const) : [])];
}

/** The field of a part. */
export function partField(name: string, { path, part, currency }: ColumnPart): Field {
  const kind = part === 'currency' ? 'text' : 'number';
  const field = foundField(name, kind, `The ${part} in ${pathText(path)} of the dump`);
  return { ...field, sourcePath: path, part, ...(isNumeric(kind) && currency !== undefined && { currency }) };
}
