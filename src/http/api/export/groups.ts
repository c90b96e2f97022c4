/** The download of groups: JSON and NDJSON as in the API, CSV with five columns for each number or date. */
import type { CollectionModel } from '../../../model.js';
import type { GroupedStats } from '../../../query/groups.js';
import type { ExportFormat } from '../../../query/parameters.js';
import type { CsvForm } from '../../../query/request.js';
import type { Download } from '../../response.js';
import { groupJson } from '../stats.js';
import { csvFraming, csvText, formats } from './formats.js';

const GROUP_NUMBERS = ['count', 'min', 'max', 'mean', 'median'] as const;

export function groupsDownload(
  model: CollectionModel,
  by: string,
  { groups }: GroupedStats,
  format: ExportFormat,
  form: CsvForm,
): Download {
  const fields = [...(groups[0]?.fields.keys() ?? [])];
  const numberColumns = fields.flatMap((field) => GROUP_NUMBERS.map((name) => [field, name] as const));
  const all = groups.map((group) => groupJson(model, by, group));
  const columns = [by, 'records', ...numberColumns.map(([field, name]) => `${field}_${name}`)];
  const rows = all.map(({ value, count, fields: numbersOf }) => [
    value,
    count,
    ...numberColumns.map(([field, name]) => numbersOf[field]?.[name] ?? null),
  ]);
  const { opening, separator, closing } = formats[format].framing ?? csvFraming(columns, form);
  const content = format === 'csv' ? csvText(rows, form) : all.map((group) => JSON.stringify(group)).join(separator);
  return { size: null, chunks: () => [Buffer.from(opening + content + closing(all.length === 0))] };
}
