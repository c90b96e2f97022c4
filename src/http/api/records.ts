/** The operations that answer with one record, those like it, and its changes. */
import type { CollectionModel } from '../../model.js';
import { type Answer, type NamedRecord, whenAnswered } from '../../query/engine.js';
import { joinedRecords } from '../../query/memory.js';
import { DEFAULT_SIMILAR, fieldsParameter, recordParameter, similarLimitParameter } from '../../query/parameters.js';
import { fieldsOf, numberParameter, textParameter } from '../../query/request.js';
import { similarTo } from '../../query/similar.js';
import { changesModel } from '../../store/changes/changes.js';
import { collectionIn } from '../../store/dataset.js';
import { rowOfId } from '../../store/ids.js';
import type { Extent } from '../../store/record-text.js';
import { capitalised } from '../markup/format.js';
import { noRecord, recordPath } from '../paths.js';
import type { ResourceRequest } from '../resource.js';
import {
  errorResponse,
  JSON_TYPE,
  type PlainResponse,
  type Rendered,
  type Representation,
  redirect,
} from '../response.js';
import { LIST_OPENING, shownRecords } from './list.js';
import { listBody, listParameters } from './lists.js';
import { isOfField } from './lists-by-value.js';
import { awaitingTexts, type Operation, type OperationOptions, shownState, unlessFaulty } from './operations.js';

export const record = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `One ${model.singular.toLowerCase()} by id`,
  model,
  answers: 'record',
  pathParameter: recordParameter(model),
  parameters: [fieldsParameter(model, options.hasAllFields)],
  handle: (request) => {
    const { extent, shape } = shownRecords(model, fieldsOf(model, request.values, options.hasAllFields), 'default');
    return recordAnswer(model, 'id', model, request, options, extent, ({ json }) => ({ body: shape?.(json) ?? json }));
  },
});

export const similar = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `${capitalised(model.name)} like one, by the words that tell most of it`,
  model,
  answers: 'similar',
  pathParameter: recordParameter(model),
  parameters: [similarLimitParameter(options.maxLimit)],
  handle(request) {
    const collection = collectionIn(request.dataset, model);
    const limit = numberParameter(request.values, 'limit') ?? DEFAULT_SIMILAR;
    return recordAnswer(model, 'id', model, request, options, 'item', ({ id }) => {
      const rows = similarTo(collection, rowOfId(collection.ids, id), limit);
      return { body: joinedRecords(collection.text, rows, 'item', LIST_OPENING, ']}') };
    });
  },
});

/** The changes of one record, the newest first: the path's parameter is the filter `record`. */
export const history = (model: CollectionModel, options: OperationOptions): Operation => {
  const changes = changesModel(model.name);
  return {
    summary: `The changes of one ${model.singular.toLowerCase()}, the newest first`,
    model: changes,
    answers: 'search',
    ...awaitingTexts(changes),
    pathParameter: { ...recordParameter(model), name: 'record' },
    parameters: listParameters(changes, options).filter((parameter) => !isOfField(changes, 'record', parameter)),
    handle: (request) =>
      recordAnswer(model, 'record', changes, request, options, 'item', ({ id }) =>
        unlessFaulty(changes, request, () =>
          listBody(changes, request, options, { pair: `record=${id}`, faultOf: () => null }),
        ),
      ),
  };
};

/** A record that is gone is in no dump that could tell its id or key. */
const goneHint = ({ name, changesOf }: CollectionModel): string =>
  changesOf === undefined ? '' : ` Records that are gone are found by their titles: /api/${name}?kind=removed&q=TITLE.`;

/**
 * What `bodyOf` makes of the record that the path's `parameter` names by its id; a redirect to the one that it names by a key, or the 404
 * response. `shown` is the collection whose records are shown.
 */
const recordAnswer = (
  model: CollectionModel,
  parameter: string,
  shown: CollectionModel,
  { dataset, engine, values, path, query }: ResourceRequest,
  options: OperationOptions,
  extent: Extent,
  bodyOf: (record: NamedRecord) => Answer<Rendered | PlainResponse>,
): Representation => {
  const segment = textParameter(values, parameter) ?? '';
  return {
    type: JSON_TYPE,
    ...shownState(dataset, shown, values, options),
    render: () =>
      whenAnswered(engine.record(model, segment, extent), (named): Answer<Rendered | PlainResponse> => {
        if (named === undefined) return errorResponse(noRecord(model, segment, goneHint(shown)));
        return named.isByKey ? redirect(recordPath(path, 3, named.id, query)) : bodyOf(named);
      }),
  };
};
