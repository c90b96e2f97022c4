/** Values that no record has, and what they may have been meant to be: `Books` for `Boks`. */
import type { CollectionModel, Field } from '../../model.js';
import { nearest } from '../../nearest.js';
import { type Answer, allAnswers, hasRecords, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { operatorParametersIn } from '../../query/operators.js';
import { EVERYTHING, filterOf } from '../../query/query.js';
import type { ResourceRequest } from '../resource.js';
import type { Meant } from './link.js';

/** Values that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_COMPARED_VALUES = 1000;

/** For a value that no record has: the values that records have, none where they are too many to compare. Null where a record has the value. */
export const existingInstead = (
  model: CollectionModel,
  engine: QueryEngine,
  field: Field,
  value: string,
): Answer<readonly string[] | null> =>
  whenAnswered(
    hasRecords(model, engine, { filters: [filterOf(field.name, '', [value])] }),
    (exists): Answer<readonly string[] | null> => {
      if (exists) return null;
      const choice = { beginning: '', limit: MAX_COMPARED_VALUES + 1 };
      return whenAnswered(engine.values(model, field, EVERYTHING, choice), (counts) =>
        counts.length > MAX_COMPARED_VALUES ? [] : counts.map(({ name }) => name),
      );
    },
  );

/** The filters of a request whose values are looked up. */
const MAX_COMPARED_FILTERS = 3;

/** For an empty list of `category=Boks`: `category` with `Books`. Undefined where no filter has a value that is near an existing one. */
export function nearestFilter(model: CollectionModel, { engine, values }: ResourceRequest): Answer<Meant | undefined> {
  // A database would count the values of a whole table.
  if (engine.answersLater) return undefined;
  const choices = operatorParametersIn(model, values).flatMap(({ field, operator, parameter: { name } }) => {
    const [value, ...others] = values.get(name) ?? [];
    const isChoice = operator.suffix === '' && field.kind !== 'url' && field.filter?.kind === 'value';
    return isChoice && value !== undefined && others.length === 0 ? [{ field, name, value: String(value) }] : [];
  });
  const nearValues = choices.slice(0, MAX_COMPARED_FILTERS).map(({ field, name, value }) =>
    whenAnswered(existingInstead(model, engine, field, value), (names) => {
      const near = nearest(value, names ?? []);
      return near === null ? [] : [{ name, value: near, insteadOf: name }];
    }),
  );
  return whenAnswered(allAnswers(nearValues), (pairs) => pairs.flat()[0]);
}
