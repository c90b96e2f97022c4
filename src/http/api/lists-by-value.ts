/** Lists whose path has a value: `/api/products/category/Books`. */
import { type ApiError, notFound } from '../../errors.js';
import type { CollectionModel, Field } from '../../model.js';
import { didYouMean } from '../../nearest.js';
import { type Answer, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { operatorParameters } from '../../query/operators.js';
import { type Parameter, pathValueParameter } from '../../query/parameters.js';
import { EVERYTHING } from '../../query/query.js';
import { textParameter } from '../../query/request.js';
import { quote } from '../../text.js';
import { capitalised } from '../markup/format.js';
import { percentEncode } from '../semantics/percent.js';
import { listAnswer, listParameters } from './lists.js';
import type { Operation, OperationOptions } from './operations.js';

/** Lists of the records that have a value of the field in the path: `/api/products/category/Books`. */
export const listsByValue = (model: CollectionModel, options: OperationOptions): readonly Operation[] =>
  model.fields.flatMap((field) => (field.listedByPath ? listOfValue(model, field, options) : []));

const listOfValue = (model: CollectionModel, field: Field, options: OperationOptions): Operation => ({
  name: field.name,
  summary: `List ${model.name} of a ${field.name}`,
  model,
  answers: 'search',
  pathParameter: pathValueParameter(field.name),
  parameters: listParameters(model, options).filter((parameter) => !isOfField(model, field.name, parameter)),
  handle(request) {
    const value = textParameter(request.values, field.name) ?? '';
    return listAnswer(model, request, options, {
      pair: `${field.name}=${percentEncode(value)}`,
      faultOf: () => valueFault(model, request.engine, field, value),
    });
  },
});
/** Whether a parameter narrows by a field: of a list of one category, no other category is asked for. */
export const isOfField = (model: CollectionModel, field: string, parameter: Parameter): boolean =>
  operatorParameters(model).some((one) => one.parameter === parameter && one.field.name === field);

/** Names that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_COMPARED_NAMES = 1000;

/** The error for a value that no record has; null where one has it. */
const valueFault = (
  model: CollectionModel,
  engine: QueryEngine,
  field: Field,
  value: string,
): Answer<ApiError | null> =>
  whenAnswered(engine.existingValues(model, field, [value]), (existing): Answer<ApiError | null> => {
    if (existing.has(value)) return null;
    const choice = { beginning: '', limit: MAX_COMPARED_NAMES + 1 };
    return whenAnswered(engine.values(model, field, EVERYTHING, choice), (counts) => {
      const names = counts.length > MAX_COMPARED_NAMES ? [] : counts.map(({ name }) => name);
      return notFound(`${capitalised(field.name)} ${quote(value)} not found.${didYouMean(value, names)}`);
    });
  });
