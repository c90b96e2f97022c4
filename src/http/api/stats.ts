/** Statistics as JSON: dates are ISO 8601, like everywhere else. */
import type { CollectionModel } from '../../model.js';
import type { Group, GroupedStats, GroupNumbers } from '../../query/groups.js';
import type { FieldStats, Stats } from '../../query/stats.js';

export function statsJson(model: CollectionModel, { count, fields }: Stats): unknown {
  const entries = [...fields].map(([name, stats]) => [
    name,
    isDateField(model, name) ? mapNumbers(stats, isoDate) : stats,
  ]);
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
  const entries = [...fields].map(([name, numbers]) => {
    if (!isDateField(model, name)) return [name, numbers];
    const { count: valued, min, max, mean, median } = numbers;
    const show = (timeMs: number | null): string | null => (timeMs === null ? null : isoDate(Math.round(timeMs)));
    return [name, { count: valued, min: show(min), max: show(max), mean: show(mean), median: show(median) }];
  });
  const isTruth = fieldKind(model, by) === 'boolean' && value !== null;
  return { value: isTruth ? value === 'true' : value, count, fields: Object.fromEntries(entries) };
}

const fieldKind = ({ fields }: CollectionModel, name: string) => fields.find((field) => field.name === name)?.kind;

const isDateField = (model: CollectionModel, name: string): boolean => fieldKind(model, name) === 'date';

const isoDate = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z');

const mapNumbers = ({ count, min, max, mean, histogram }: FieldStats, show: (value: number) => string) => ({
  count,
  min: min === null ? null : show(min),
  max: max === null ? null : show(max),
  mean: mean === null ? null : show(Math.round(mean)),
  histogram: histogram.map((bin) => ({ from: show(bin.from), to: show(bin.to), count: bin.count })),
});
