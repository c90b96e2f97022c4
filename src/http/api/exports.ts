/** The operations that answer with files: records, feeds of them, and groups. They are made while they are sent. */
import { type CollectionModel, recordsOf } from '../../model.js';
import { execute, executeWhole } from '../../query/execute.js';
import { filterParameters } from '../../query/operators.js';
import {
  boostParameters,
  csvParameters,
  DEFAULT_FEED_ITEMS,
  exportLimitParameter,
  fileFormatParameter,
  formatParameter,
  textParameters,
} from '../../query/parameters.js';
import type { ParameterValues, Query } from '../../query/query.js';
import {
  csvFormOf,
  feedFormatOf,
  fieldsOf,
  formatOf,
  numberParameter,
  queryOf,
  textParameter,
} from '../../query/request.js';
import type { Collection } from '../../store/collection.js';
import { collectionIn, historyKey } from '../../store/dataset.js';
import { capitalised } from '../markup/format.js';
import { errorResponse } from '../response.js';
import { namePath } from '../semantics/percent.js';
import { groupParameters, groupsBy } from './counts.js';
import { recordsDownload } from './export/export.js';
import { feedRepresentation } from './export/feed.js';
import { feedItems } from './export/feed-items.js';
import { disposition, formats } from './export/formats.js';
import { groupsDownload } from './export/groups.js';
import {
  collectionFault,
  type Operation,
  type OperationOptions,
  selectionParameters,
  shownState,
} from './operations.js';

export const exportAll = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `Export all ${recordsOf(model)}, or those that a query finds`,
  model,
  answers: 'file',
  parameters: [
    formatParameter,
    exportLimitParameter(options.maxLimit),
    ...csvParameters,
    ...textParameters,
    ...boostParameters(model),
    ...selectionParameters(model, options),
  ],
  isDeferred: true,
  handle({ dataset, values, path, query: search }) {
    const collection = collectionIn(dataset, model);
    const fault = collectionFault(collection, values);
    if (fault !== null) return errorResponse(fault);
    const query = queryOf(model, values);
    const format = formatOf(values);
    const feedFormat = feedFormatOf(values);
    const name = model.name.replace('/', '-');
    if (feedFormat !== undefined) {
      const updated = dumpDateOf(options);
      return feedRepresentation(feedFormat, name, `${updated} ${historyKey(dataset, model)}`, () => ({
        title: capitalised(recordsOf(model)),
        self: `${path}?${search}`,
        page: `/${namePath(model.name)}`,
        updated,
        items: feedItems(dataset, model, query, { limit: feedLimitOf(options, values), dumpDate: updated }),
      }));
    }
    return {
      type: formats[format].type,
      ...shownState(dataset, model, values, options),
      headers: { 'Content-Disposition': disposition('attachment', `${name}.${format}`) },
      open(nextTurn) {
        const rows = exportedRows(collection, query, numberParameter(values, 'limit'));
        const exported = { collection, rows, fields: fieldsOf(model, values, options.hasAllFields) };
        return recordsDownload(exported, format, csvFormOf(values), nextTurn);
      },
    };
  },
});

const feedLimitOf = ({ maxLimit }: OperationOptions, values: ParameterValues): number =>
  numberParameter(values, 'limit') ?? Math.min(DEFAULT_FEED_ITEMS, maxLimit);

const dumpDateOf = ({ dumpDate }: OperationOptions): string => (dumpDate?.() ?? new Date(0)).toISOString();

/** The rows of a file; null for every record in snapshot order. */
function exportedRows(collection: Collection, query: Query, limit: number | null): Uint32Array | null {
  if (limit !== null) return Uint32Array.from(execute(collection, query, { page: 1, limit }).rows);
  return isWhole(query) ? null : executeWhole(collection, query);
}

/** Whether a query asks for every record in snapshot order. */
const isWhole = ({ text, filters, sort }: Query): boolean => text === null && filters.length === 0 && sort === null;

/** Groups as a file: none for a collection in which no field has values to group by. */
export const exportStats = (model: CollectionModel, { maxLimit }: OperationOptions): readonly Operation[] => {
  const [by, ...others] = groupParameters(model, maxLimit);
  if (by === undefined) return [];
  const parameters = [{ ...by, required: true as const }, ...others, fileFormatParameter, ...csvParameters];
  return [
    {
      summary: `Export count, range, mean and median of the numbers and dates of each group of ${model.name}`,
      model,
      answers: 'statsFile',
      parameters: [...parameters, ...textParameters, ...filterParameters(model)],
      isDeferred: true,
      handle({ dataset, values }) {
        const collection = collectionIn(dataset, model);
        const fault = collectionFault(collection, values);
        if (fault !== null) return errorResponse(fault);
        const key = historyKey(dataset, model);
        const format = formatOf(values);
        const by = textParameter(values, 'by') ?? '';
        return {
          type: formats[format].type,
          ...(key === '' ? { isOfSnapshot: true as const } : { key }),
          headers: { 'Content-Disposition': disposition('attachment', `${model.name}-by-${by}.${format}`) },
          async open(nextTurn) {
            await nextTurn();
            return groupsDownload(model, by, groupsBy(by, collection, values), format, csvFormOf(values));
          },
        };
      },
    },
  ];
};
