/** The operations that answer with files: records, feeds of them, and groups. They are made while they are sent. */
import { type CollectionModel, recordsOf } from '../../model.js';
import { whenAnswered } from '../../query/engine.js';
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
import type { ParameterValues } from '../../query/query.js';
import {
  csvFormOf,
  feedFormatOf,
  fieldsOf,
  formatOf,
  numberParameter,
  queryOf,
  textParameter,
} from '../../query/request.js';
import { historyKey } from '../../store/dataset.js';
import { capitalised } from '../markup/format.js';
import { namePath } from '../semantics/percent.js';
import { groupParameters, groupsBy } from './counts.js';
import { arrivingDownload, recordsDownload } from './export/export.js';
import { feedRepresentation } from './export/feed.js';
import { feedItems } from './export/feed-items.js';
import { disposition, formats } from './export/formats.js';
import { groupsDownload } from './export/groups.js';
import { shownRecords } from './list.js';
import { type Operation, type OperationOptions, selectionParameters, shownState, unlessFaulty } from './operations.js';

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
  handle(request) {
    const { dataset, engine, values, path, query: search } = request;
    const query = queryOf(model, values);
    const format = formatOf(values);
    const feedFormat = feedFormatOf(values);
    const name = model.name.replace('/', '-');
    if (feedFormat !== undefined) {
      const updated = dumpDateOf(options);
      const feed = feedRepresentation(feedFormat, name, `${updated} ${historyKey(dataset, model)}`, () => ({
        title: capitalised(recordsOf(model)),
        self: `${path}?${search}`,
        page: `/${namePath(model.name)}`,
        updated,
        items: feedItems(dataset, model, query, { limit: feedLimitOf(options, values), dumpDate: updated }),
      }));
      return { ...feed, render: () => unlessFaulty(model, request, feed.render) };
    }
    return {
      type: formats[format].type,
      ...shownState(dataset, model, values, options),
      headers: { 'Content-Disposition': disposition('attachment', `${name}.${format}`) },
      open: (nextTurn) =>
        unlessFaulty(model, request, () => {
          const fields = fieldsOf(model, values, options.hasAllFields);
          const { extent } = shownRecords(model, fields, 'default');
          const records = engine.export(model, query, numberParameter(values, 'limit'), extent);
          const form = csvFormOf(values);
          return 'batches' in records
            ? arrivingDownload(model, records, fields, format, form)
            : recordsDownload({ ...records, fields }, format, form, nextTurn);
        }),
    };
  },
});

const feedLimitOf = ({ maxLimit }: OperationOptions, values: ParameterValues): number =>
  numberParameter(values, 'limit') ?? Math.min(DEFAULT_FEED_ITEMS, maxLimit);

const dumpDateOf = ({ dumpDate }: OperationOptions): string => (dumpDate?.() ?? new Date(0)).toISOString();

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
      handle(request) {
        const { dataset, values } = request;
        // Groups of a collection with a history depend on it too, and not on the dump alone.
        const key = historyKey(dataset, model);
        const format = formatOf(values);
        const by = textParameter(values, 'by') ?? '';
        return {
          type: formats[format].type,
          ...(key === '' ? { isOfSnapshot: true as const } : { key }),
          headers: { 'Content-Disposition': disposition('attachment', `${model.name}-by-${by}.${format}`) },
          open: () =>
            unlessFaulty(model, request, () =>
              whenAnswered(groupsBy(by, model, request), (groups) =>
                groupsDownload(model, by, groups, format, csvFormOf(values)),
              ),
            ),
        };
      },
    },
  ];
};
