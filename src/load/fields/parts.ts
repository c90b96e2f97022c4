/**
 * The parts of texts that a field of numbers leaves out, as fields of their own: the upper ends of ranges, and the currency where a dump
 * has several.
 *
 *     salary    $60k - $80k      salary 60000, salaryTo 80000
 *     price     €5, then $7      price 5, priceCurrency €
 */
import { type CollectionModel, type Field, type FieldPart, foundField, isNumeric } from '../../model.js';
import type { OpenedFile } from '../open-file.js';
import { currenciesIn, haveRange } from '../profile/amounts.js';
import { type Path, pathText } from '../values/paths.js';

/** A column of numbers, with the name of the field that it feeds. */
export interface SampledNumbers {
  readonly path: Path;
  readonly name: string;
  readonly values: readonly unknown[];
  readonly currency?: string | undefined;
}

/** A part of a column, before it has a name. */
export interface ColumnPart {
  readonly path: Path;
  readonly part: FieldPart;
  /** The words of its name. */
  readonly words: Path;
  readonly currency?: string | undefined;
}

const LAST_WORDS: Readonly<Record<FieldPart, string>> = { 'upper end': 'to', currency: 'currency' };

/** The columns that feed documented numbers. */
export function documentedNumbers(model: CollectionModel, files: readonly OpenedFile[]): readonly SampledNumbers[] {
  const columns = new Map<string, SampledNumbers & { readonly values: unknown[] }>();
  for (const { plan, values } of files) {
    if (plan.isOurExport) continue;
    for (const [name, { path }] of plan.fed) {
      if (model.fields.find((field) => field.name === name)?.kind !== 'number') continue;
      const key = `${name} ${pathText(path)}`;
      const column = columns.get(key) ?? { path, name, values: [] };
      columns.set(key, column);
      // A copy for each file would take as long as the square of their number.
      for (const value of values.get(name) ?? []) column.values.push(value);
    }
  }
  return [...columns.values()];
}

/** The parts that the sampled values of some columns have. */
export const partsOfColumns = (columns: readonly SampledNumbers[]): readonly ColumnPart[] =>
  columns.flatMap(({ path, name, values, currency }) =>
    partsIn(values).map((part) => ({ path, part, words: [name, LAST_WORDS[part]], currency })),
  );

function partsIn(values: readonly unknown[]): readonly FieldPart[] {
  return [
    ...(haveRange(values) ? (['upper end'] as const) : []),
    ...(currenciesIn(values).length > 1 ? (['currency'] as const) : []),
  ];
}

/** The field of a part. */
export function partField(name: string, { path, part, currency }: ColumnPart): Field {
  const kind = part === 'currency' ? 'text' : 'number';
  const field = foundField(name, kind, `The ${part} in ${pathText(path)} of the dump`);
  return { ...field, sourcePath: path, part, ...(isNumeric(kind) && currency !== undefined && { currency }) };
}
