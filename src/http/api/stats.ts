/** Statistics as JSON: dates are ISO 8601, like everywhere else. */
import type { CollectionModel } from '../../model.js';
import type { FieldStats, Stats } from '../../query/stats.js';

export function statsJson(model: CollectionModel, { count, fields }: Stats): unknown {
  const entries = [...fields].map(([name, stats]) => {
    const isDate = model.fields.find((field) => field.name === name)?.kind === 'date';
    return [name, isDate ? mapNumbers(stats, isoDate) : stats];
  });
  return { count, fields: Object.fromEntries(entries) };
}

const isoDate = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z');

const mapNumbers = ({ count, min, max, mean, histogram }: FieldStats, show: (value: number) => string) => ({
  count,
  min: min === null ? null : show(min),
  max: max === null ? null : show(max),
  mean: mean === null ? null : show(Math.round(mean)),
  histogram: histogram.map((bin) => ({ from: show(bin.from), to: show(bin.to), count: bin.count })),
});
