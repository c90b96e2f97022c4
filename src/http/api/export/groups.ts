/** The download of groups: JSON and NDJSON as in the API, CSV with five columns for each number or date. */
import type { CollectionModel } from '../../../model.js';
import type { GroupedStats } from '../../../query/groups.js';
import type { ExportFormat } from '../../../query/parameters.js';
import type { CsvForm } from '../../../query/request.js';
import type { Download } from '../../response.js';
import { type GroupJson, groupJson } from '../stats.js';
import { downloadOf } from './formats.js';

const GROUP_NUMBERS = ['count', 'min', 'max', 'mean', 'median'] as const;

export function groupsDownload(
  model: CollectionModel,
  by: string,
  { groups }: GroupedStats,
  format: ExportFormat,
  form: CsvForm,
): Download {
  const fields = [...(groups[0]?.fields.keys() ?? [])];
  const content = {
    json: (group: GroupJson) => JSON.stringify(group),
    columns: [by, 'records', ...fields.flatMap((field) => GROUP_NUMBERS.map((name) => `${field}_${name}`))],
    rows: ({ value, count, fields: numbersOf }: GroupJson) => [
      [value, count, ...fields.flatMap((field) => GROUP_NUMBERS.map((name) => numbersOf[field]?.[name] ?? null))],
    ],
  };
  return downloadOf(format, content, () => [() => groups.map((group) => groupJson(model, by, group))], form);
}
