/** Statistics as JSON: dates are ISO 8601, like everywhere else. */

import type { CollectionModel } from '../../model.js';
import type { Group, GroupedStats, GroupNumbers } from '../../query/groups.js';
import type { Stats } from '../../query/stats.js';
import { canonicalDate } from '../../text.js';

export function statsJson(model: CollectionModel, { count, fields }: Stats): unknown {
  const entries = [...fields].map(([name, { count: valued, min, max, mean, histogram }]) => {
    const show = shownBy(model, name);
    const bins = histogram.map((bin) => ({ from: show(bin.from), to: show(bin.to), count: bin.count }));
    return [name, { count: valued, min: show(min), max: show(max), mean: show(mean), histogram: bins }];
  });
  return { count, fields: Object.fromEntries(entries) };
}

export const groupedStatsJson = (model: CollectionModel, by: string, { groups, total }: GroupedStats): unknown => ({
  by,
  data: groups.map((group) => groupJson(model, by, group)),
  total,
});

/** A number, a date as text, or null where no record has one. */
export type Shown = number | string | null;

export interface GroupJson {
  readonly value: string | boolean | null;
  readonly count: number;
  readonly fields: Readonly<Record<string, { readonly [Name in keyof GroupNumbers]: Shown }>>;
}

export function groupJson(model: CollectionModel, by: string, { value, count, fields }: Group): GroupJson {
  const entries = [...fields].map(([name, { count: valued, min, max, mean, median }]) => {
    const show = shownBy(model, name);
    return [name, { count: valued, min: show(min), max: show(max), mean: show(mean), median: show(median) }];
  });
  const isTruth = fieldKind(model, by) === 'boolean' && value !== null;
  return { value: isTruth ? value === 'true' : value, count, fields: Object.fromEntries(entries) };
}

const fieldKind = ({ fields }: CollectionModel, name: string) => fields.find((field) => field.name === name)?.kind;

/** How a number of a field is shown: that of a date as ISO 8601. */
const shownBy = (model: CollectionModel, name: string): ((value: number | null) => Shown) =>
  fieldKind(model, name) !== 'date'
    ? (value) => value
    : (timeMs) => (timeMs === null ? null : canonicalDate(Math.round(timeMs)));
