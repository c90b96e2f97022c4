import type { CollectionModel } from '../../model.js';
import { DEFAULT_SIMILAR, fieldsParameter, recordParameter, similarLimitParameter } from '../../query/parameters.js';
import { fieldsOf, numberParameter, textParameter } from '../../query/request.js';
import { similarTo } from '../../query/similar.js';
import { changesModel } from '../../store/changes/changes.js';
import type { Collection } from '../../store/collection.js';
import { collectionIn } from '../../store/dataset.js';
import { idOfRow } from '../../store/ids.js';
import { rowNamed } from '../../store/named-rows.js';
import { recordJson } from '../../store/record-text.js';
import { capitalised } from '../markup/format.js';
import { noRecord, type ResourceRequest, recordPath } from '../resource.js';
import { errorResponse, JSON_TYPE, type PlainResponse, type Representation, redirect } from '../response.js';
import { isWholeRecord, itemsBody, projectRecord } from './list.js';
import { isOfField, listAnswer, listParameters } from './lists.js';
import { type Operation, type OperationOptions, shownState } from './operations.js';

export const record = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `One ${model.singular.toLowerCase()} by id`,
  model,
  answers: 'record',
  pathParameter: recordParameter(model),
  parameters: [fieldsParameter(model, options.hasAllFields)],
  handle: (request) => {
    const fields = fieldsOf(model, request.values, options.hasAllFields);
    return recordAnswer(model, request, options, ({ text }, row) => {
      if (fields === null) return recordJson(text, row, 'default');
      const record = recordJson(text, row, 'whole');
      return isWholeRecord(model, fields) ? record : projectRecord(model, record, fields);
    });
  },
});

export const similar = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `${capitalised(model.name)} like one, by the words that tell most of it`,
  model,
  answers: 'similar',
  pathParameter: recordParameter(model),
  parameters: [similarLimitParameter(options.maxLimit)],
  handle(request) {
    const limit = numberParameter(request.values, 'limit') ?? DEFAULT_SIMILAR;
    return recordAnswer(model, request, options, (collection, row) =>
      itemsBody(collection, similarTo(collection, row, limit), ']}'),
    );
  },
});

/** The changes of one record, the newest first: the path's parameter is the filter `record`. */
export const history = (model: CollectionModel, options: OperationOptions): Operation => {
  const changes = changesModel(model.name);
  return {
    summary: `The changes of one ${model.singular.toLowerCase()}, the newest first`,
    model: changes,
    answers: 'search',
    pathParameter: { ...recordParameter(model), name: 'record' },
    parameters: listParameters(changes, options).filter((parameter) => !isOfField(changes, 'record', parameter)),
    handle: (request) =>
      withRecord(model, 'record', request, (_, id) => listAnswer(changes, request, options, `record=${id}`)),
  };
};

/** The representation of the record that has the id, a redirect to the one that has the key, or the 404 response. */
const recordAnswer = (
  model: CollectionModel,
  request: ResourceRequest,
  options: OperationOptions,
  bodyOf: (collection: Collection, row: number) => Uint8Array<ArrayBuffer>,
): Representation | PlainResponse =>
  withRecord(model, 'id', request, (row) => ({
    type: JSON_TYPE,
    ...shownState(request.dataset, model, request.values, options),
    render: () => ({ body: bodyOf(collectionIn(request.dataset, model), row) }),
  }));

/** `parameter`: the path's parameter that names the record. */
function withRecord(
  model: CollectionModel,
  parameter: string,
  { dataset, values, path, query }: ResourceRequest,
  answerOf: (row: number, id: number) => Representation | PlainResponse,
): Representation | PlainResponse {
  const collection = collectionIn(dataset, model);
  const segment = textParameter(values, parameter) ?? '';
  const named = rowNamed(collection, segment);
  if (named === undefined) return errorResponse(noRecord(model, segment));
  const { row, isByKey } = named;
  const id = idOfRow(collection.ids, row);
  return isByKey ? redirect(recordPath(path, 3, id, query)) : answerOf(row, id);
}
