/** Lists whose path has a value: `/api/products/category/Books`. */
import { type ApiError, notFound } from '../../errors.js';
import type { CollectionModel, Field } from '../../model.js';
import { nearestHint } from '../../nearest.js';
import { type Answer, hasRecords, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { operatorParameters } from '../../query/operators.js';
import { type Parameter, pathValueParameter } from '../../query/parameters.js';
import { EVERYTHING, filterOf } from '../../query/query.js';
import { textParameter } from '../../query/request.js';
import { quoted } from '../../text.js';
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

/** Values that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_COMPARED_VALUES = 1000;

/** The error for a value that no record has, with the nearest one that is there unless they are too many; null where a record has it. */
const valueFault = (
  model: CollectionModel,
  engine: QueryEngine,
  field: Field,
  value: string,
): Answer<ApiError | null> =>
  whenAnswered(
    hasRecords(model, engine, { filters: [filterOf(field.name, '', [value])] }),
    (exists): Answer<ApiError | null> => {
      if (exists) return null;
      const choice = { beginning: '', limit: MAX_COMPARED_VALUES + 1 };
      return whenAnswered(engine.values(model, field, EVERYTHING, choice), (counts) => {
        const names = counts.length > MAX_COMPARED_VALUES ? [] : counts.map(({ name }) => name);
        return notFound(`${capitalised(field.name)} `, quoted(value), ' not found.', ...nearestHint(value, names));
      });
    },
  );
