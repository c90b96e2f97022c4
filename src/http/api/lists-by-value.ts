/** Lists whose path has a value: `/api/products/category/Books`. */
import { type ApiError, notFound } from '../../errors.js';
import type { CollectionModel, Field } from '../../model.js';
import { nearestHint } from '../../nearest.js';
import { type QueryEngine, whenAnswered } from '../../query/engine.js';
import { operatorParameters } from '../../query/operators.js';
import { type Parameter, pathValueParameter } from '../../query/parameters.js';
import { textParameter } from '../../query/request.js';
import { quoted } from '../../text.js';
import { capitalised } from '../markup/format.js';
import { percentEncode } from '../semantics/percent.js';
import { listAnswer, listParameters } from './lists.js';
import { existingInstead } from './near-values.js';
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

/** The error for a value that no record has; null where one has it. */
const valueFault = (model: CollectionModel, engine: QueryEngine, field: Field, value: string) =>
  whenAnswered(existingInstead(model, engine, field, value), (names): ApiError | null =>
    names === null
      ? null
      : notFound(`${capitalised(field.name)} `, quoted(value), ' not found.', ...nearestHint(value, names)),
  );
