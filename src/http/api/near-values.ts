/** Values that no record has, and the nearest ones that records have: `Books` for `Boks`. */
import type { CollectionModel, Field } from '../../model.js';
import { nearest } from '../../nearest.js';
import { type Answer, allAnswers, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { operatorParametersIn } from '../../query/operators.js';
import { EVERYTHING } from '../../query/query.js';
import type { ResourceRequest } from '../resource.js';

/** Values that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_NEAR_VALUES = 1000;

/** A value that no record has. */
interface Absence {
  /** The nearest value that records have, if one is near. */
  readonly nearestValue: string | null;
}

/** Null where a record has the value. */
export const absenceOf = (
  model: CollectionModel,
  engine: QueryEngine,
  field: Field,
  value: string,
): Answer<Absence | null> =>
  whenAnswered(engine.existingValues(model, field, [value]), (existing): Answer<Absence | null> => {
    if (existing.has(value)) return null;
    const choice = { beginning: '', limit: MAX_NEAR_VALUES + 1 };
    return whenAnswered(engine.values(model, field, EVERYTHING, choice), (counts) => {
      const values = counts.length > MAX_NEAR_VALUES ? [] : counts.map(({ name }) => name);
      return { nearestValue: nearest(value, values) };
    });
  });

/** The filters of a request whose values are looked up. */
const MAX_COMPARED_FILTERS = 3;

/** A parameter with another value than the request has. */
export interface OtherValue {
  readonly name: string;
  readonly value: string;
}

/** For an empty list of `category=Boks`: `category` and `Books`. Null where no filter has a value that is near an existing one. */
export function nearestFilter(
  model: CollectionModel,
  { engine, values }: ResourceRequest,
): Answer<OtherValue | undefined> {
  const choices = operatorParametersIn(model, values).flatMap(({ field, operator, parameter: { name } }) => {
    const [value, ...others] = values.get(name) ?? [];
    const isChoice = operator.suffix === '' && field.kind !== 'url' && field.filter?.kind === 'value';
    return isChoice && value !== undefined && others.length === 0 ? [{ field, name, value: String(value) }] : [];
  });
  const absences = choices
    .slice(0, MAX_COMPARED_FILTERS)
    .map(({ field, name, value }) =>
      whenAnswered(absenceOf(model, engine, field, value), (absence) =>
        absence === null || absence.nearestValue === null ? [] : [{ name, value: absence.nearestValue }],
      ),
    );
  return whenAnswered(allAnswers(absences), (found) => found.flat()[0]);
}
