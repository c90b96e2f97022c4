/** Columns that feed no documented field become found fields. */
import { type CollectionModel, hasField } from '../../model.js';
import { unguardFormula } from '../../text.js';
import { MAX_FIELD_DEPTH } from '../profile/late-columns.js';
import { columnAt, SampledColumn } from '../profile/sampled-columns.js';
import { areMinorUnits } from '../profile/scales.js';
import { isPlainObject, parsePath, pathKey } from '../values/paths.js';
import { AMOUNT_MEMBERS } from '../values/values.js';
import type { CellSource, Mapping } from './columns.js';
import type { PlannedColumns } from './feeding.js';
import type { Level } from './sources.js';

/** A collection has no more found fields than these. */
export const MAX_FOUND_FIELDS = 200;

/**
 * The columns that feed no documented field, objects resolved into their members; behind them those that the mapping renames.
 *
 *     {"price": {"value": 9, "currency": "EUR"}, "brand": "Acme"}, where price.value is fed:
 *     price.currency, brand
 */
export function foundColumns(
  { model, mapping, top }: PlannedColumns,
  fed: ReadonlyMap<string, CellSource>,
): readonly SampledColumn[] {
  const fedKeys = new Set([...fed.values()].map(({ path }) => pathKey(path)));
  const columns: SampledColumn[] = [];
  const visit = (column: SampledColumn): void => {
    const { path, text, values } = column;
    const isFed = fedKeys.has(pathKey(path));
    const isAmount = isFed && areMinorUnits(values);
    if (isAmount)
      for (const member of column.members.values()) if (!AMOUNT_MEMBERS.includes(member.name)) visit(member);
    if (mapping.has(text) || isFed) return;
    if (columns.length === MAX_FOUND_FIELDS || values.length === 0) return;
    if (path.length < MAX_FIELD_DEPTH && values.every(isPlainObject) && !isKeyedByData(column))
      for (const member of column.members.values()) visit(member);
    else columns.push(mapping.isGuarded ? new SampledColumn(path, values.map(unguarded)) : column);
  };
  for (const column of top.columns.values()) visit(column);
  return [...columns, ...renamedColumns(model, mapping, top)].slice(0, MAX_FOUND_FIELDS);
}

/** With fewer names an object may be sparse, with more of them filled its names are those of fields. */
const MIN_DATA_KEYS = 20;
const MAX_DATA_KEY_SHARE = 0.1;

/** Whether the names in a column's objects are data, hardly one of which two records have: `{"history": {"2023-01-01": 5, "2023-01-02": 6}}`. */
function isKeyedByData({ members, values }: SampledColumn): boolean {
  const cells = [...members.values()].reduce((sum, member) => sum + member.values.length, 0);
  return members.size >= MIN_DATA_KEYS && cells < MAX_DATA_KEY_SHARE * members.size * values.length;
}

/** The columns, or values inside of them, that a mapping gives names of their own: `{"variants[0].sku": "sku"}`. */
const renamedColumns = (model: CollectionModel, mapping: Mapping, { columns }: Level): readonly SampledColumn[] =>
  [...mapping].flatMap(([text, name]) => {
    if (name === null || hasField(model, name)) return [];
    const path = columns.has(text) ? [text] : (parsePath(text) ?? []);
    const { values } = columnAt(columns, path) ?? { values: [] };
    return values.length === 0 ? [] : [new SampledColumn(path, values, text)];
  });

const unguarded = (value: unknown): unknown => (typeof value === 'string' ? unguardFormula(value) : value);
