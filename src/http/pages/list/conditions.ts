/** The conditions of a view as texts: `author Smith`, `price at least 5`. */
import { type CollectionModel, type Field, isNumeric } from '../../../model.js';
import type { QueryFilter } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { valueText, wordsOf } from '../../markup/format.js';
import { memoize } from '../../memoize.js';
import { binningIn } from '../counting/shape.js';
import type { Condition } from '../frame/toolbar.js';
import type { View } from './view.js';

interface ConditionParameter {
  readonly field: Field;
  readonly parameter: string;
  /** The words before its value: `price at least`. */
  readonly says: string;
}

/** The parameters of the filters. */
const parametersOf = memoize(({ fields }: CollectionModel) =>
  fields.flatMap((field): readonly ConditionParameter[] => {
    const { name, filter, kind } = field;
    if (filter === undefined) return [];
    if (filter.kind === 'value') {
      const { parameter, match } = filter;
      const valueCondition = { field, parameter, says: wordsOf(name) };
      return match === undefined
        ? [valueCondition]
        : [valueCondition, { field, parameter: match, says: `${wordsOf(name)}: match` }];
    }
    const [from, to] = kind === 'date' ? ['from', 'to'] : ['at least', 'at most'];
    return [
      ...(filter.equals === undefined ? [] : [{ field, parameter: filter.equals, says: wordsOf(name) }]),
      { field, parameter: filter.min, says: `${wordsOf(name)} ${from}` },
      { field, parameter: filter.max, says: `${wordsOf(name)} ${to}` },
    ];
  }),
);

/** The conditions of a filter, or of all filters in the order of the model. */
export const filterConditions = ({ model, collection, pairs }: View, filter?: QueryFilter): readonly Condition[] => [
  ...parametersOf(model)
    .filter(({ field }) => filter === undefined || (filter.kind !== 'missing' && field.name === filter.field))
    .flatMap(({ field, parameter, says }) =>
      pairs
        .filter(([name]) => name === parameter)
        .map((pair) => ({ pair, says, text: conditionText(collection, field, pair[1]) })),
    ),
  ...pairs
    .filter(([name, value]) => name === 'missing' && (filter === undefined || isMissingFilter(filter, value)))
    .map((pair) => ({ pair, says: 'without', text: wordsOf(pair[1]) })),
];

/** `5,000` of a score, `2001` of a year, and any other value as the address has it. */
function conditionText(collection: Collection, field: Field, value: string): string {
  const number = isNumeric(field.kind) ? Number(value) : Number.NaN;
  if (!Number.isInteger(number)) return valueText(field, value);
  return binningIn(collection, field)?.textOf(number) ?? value;
}

const isMissingFilter = (filter: QueryFilter, field: string): boolean =>
  filter.kind === 'missing' && filter.field === field;

/** The words before `as written`, by the parameter that switches off a tolerance. */
const WORDS_SAY: Readonly<Record<string, string>> = { fuzzy: 'spelling', prefix: 'last word' };

export const wordConditions = ({ pairs }: View): readonly Condition[] =>
  pairs.flatMap((pair) => {
    const says = pair[1] === '0' ? WORDS_SAY[pair[0]] : undefined;
    return says === undefined ? [] : [{ pair, says, text: 'as written' }];
  });
