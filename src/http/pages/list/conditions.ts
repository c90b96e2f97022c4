/** The conditions of a view as texts: `author Smith`, `price at least 5`. */
import { type CollectionModel, type Field, isNumeric } from '../../../model.js';
import { fieldNamed, operatorParameters } from '../../../query/operators.js';
import { MISSING, type QueryFilter } from '../../../query/query.js';
import { count } from '../../../text.js';
import { labelOf, numberText, valueText, wordsOf } from '../../markup/format.js';
import { memoize } from '../../memoize.js';
import { fieldOfChange } from '../changes/record-changes.js';
import { binningIn } from '../counting/shape.js';
import type { ShownCondition } from '../frame/toolbar.js';
import type { View } from './view.js';

interface ConditionParameter {
  readonly field: Field;
  readonly parameter: string;
  /** The suffix of its operator. */
  readonly operator: string;
  /** The words before its value: `price at least`. */
  readonly says: string;
}

/** The parameters of the filters. */
const parametersOf = memoize((model: CollectionModel): readonly ConditionParameter[] => [
  ...operatorParameters(model).map(({ field, operator, parameter }) => {
    const says = `${wordsOf(field)} ${operator.says(field)}`.trim();
    return { field, parameter: parameter.name, operator: operator.suffix, says };
  }),
  ...model.fields.flatMap((field) =>
    field.filter?.kind === 'value' && field.filter.match !== undefined
      ? [{ field, parameter: field.filter.match, operator: '', says: `${wordsOf(field)}: match` }]
      : [],
  ),
]);

/** The conditions of a filter, or of all filters in the order of the model. */
export const filterConditions = (view: View, filter?: QueryFilter): readonly ShownCondition[] => [
  ...parametersOf(view.model)
    .filter(
      ({ field, operator }) => filter === undefined || (operator === filter.operator && field.name === filter.field),
    )
    .flatMap(({ field, parameter, says }) =>
      view.pairs
        .filter(([name]) => name === parameter)
        .map((pair) => ({ pair, says, text: conditionText(view, field, pair[1]) })),
    ),
  ...view.pairs
    .filter(([name, value]) => name === 'missing' && (filter === undefined || isMissingFilter(filter, value)))
    .map((pair) => ({ pair, says: 'without', text: wordsOf(fieldNamed(view.model, pair[1])) })),
];

/** `5,000` of a score, `2001` of a year, and any other value as filters name it. */
function conditionText(view: View, field: Field, value: string): string {
  const number = isNumeric(field.kind) ? Number(value) : Number.NaN;
  if (!Number.isInteger(number)) return filterValueText(view, field, value);
  return binningIn(view.collection, field)?.textOf(number) ?? value;
}

/** A value as filters name it: `yes` of a boolean, and a field that changed by its label. */
export const filterValueText = ({ changedCollection }: View, field: Field, value: string): string =>
  changedCollection && field.name === 'field'
    ? labelOf(fieldOfChange(changedCollection, value))
    : valueText(field, value);

const isMissingFilter = (filter: QueryFilter, field: string): boolean =>
  filter.operator === MISSING && filter.field === field;

/** The words before `as written`, by the parameter that switches off a tolerance. */
const WORDS_SAY: Readonly<Record<string, string>> = { fuzzy: 'spelling', prefix: 'last word' };

const wordConditions = ({ pairs }: View): readonly ShownCondition[] =>
  pairs.flatMap((pair) => {
    const says = pair[1] === '0' ? WORDS_SAY[pair[0]] : undefined;
    return says === undefined ? [] : [{ pair, says, text: 'as written' }];
  });

/** All conditions of a view that people can take away beside its search field: of the words, then of the fields. */
export const viewConditions = (view: View): readonly ShownCondition[] => [
  ...wordConditions(view),
  ...filterConditions(view),
];

/** The conditions of a page without a search field: the words, too, can be taken away. */
export const searchedConditions = (view: View): readonly ShownCondition[] => [
  ...view.pairs.filter(([name]) => name === 'q').map((pair) => ({ pair, says: '', text: `“${pair[1]}”` })),
  ...viewConditions(view),
];

/** `138 of 2,000 flats`, or `all 2,000 flats`. */
export const foundText = ({ model, collection: { size } }: View, found: number): string =>
  `${found === size ? 'all' : `${numberText(found)} of`} ${count(size, model.singular.toLowerCase())}`;
