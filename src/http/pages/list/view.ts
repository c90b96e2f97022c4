/**
 * Reads the address of an HTML list: the parameters of the API, and one more for unfolded filters. Forms also send empty fields:
 * such an address is tidied, so that the address bar always shows the API's parameters.
 */
import * as v from 'valibot';
import { type CollectionModel, collectionOf } from '../../../model.js';
import { filterParameters, secondNames } from '../../../query/operators.js';
import {
  boostParameters,
  fieldsParameter,
  limitParameter,
  orderParameter,
  type Parameter,
  pageParameter,
  sortParameter,
  textParameters,
  wordParameters,
} from '../../../query/parameters.js';
import type { Paging, ParameterValues, Query } from '../../../query/query.js';
import { fieldsOf, pagingOf, queryOf, textParameter } from '../../../query/request.js';
import { conditionsInText } from '../../../query/text-conditions.js';
import type { Collection } from '../../../store/collection.js';
import { collectionIn, type Dataset } from '../../../store/dataset.js';
import type { Resource, ResourceRequest } from '../../resource.js';
import { address, type NameAndValue, type Pairs, without, withValue } from '../frame/address.js';
import { joinedFields } from './usual-columns.js';

export interface View {
  readonly model: CollectionModel;
  readonly collection: Collection;
  /** The collection whose records changed; null where the view shows no changes. */
  readonly changedCollection: Collection | null;
  readonly query: Query;
  readonly paging: Paging;
  /** The shown fields, or null for those of a list. */
  readonly fields: readonly string[] | null;
  /** The parameters as the address has them. */
  readonly pairs: Pairs;
}

/** How the address of a page is read. */
export interface ViewReader<Shown> extends Required<Pick<Resource, 'parameters' | 'tidied'>> {
  readonly viewOf: (request: ResourceRequest) => Shown;
}

/** Stands in `unfold` for the fields that are offered on demand. */
export const FURTHER_FIELDS = 'fields';

/** Folded filters are most of a page's elements: they are sent once they are wanted. */
const unfoldParameter = ({ fields }: CollectionModel): Parameter => {
  const names = [FURTHER_FIELDS, ...fields.flatMap(({ filter }) => (filter?.kind === 'value' ? filter.parameter : []))];
  return {
    name: 'unfold',
    description: `filters whose further values are shown; ${FURTHER_FIELDS} for those of more fields`,
    expected: `one of ${names.join(', ')}`,
    schema: v.picklist(names),
    repeatable: true,
  };
};

/** The filters of a page's address. Bounds in the wrong order are allowed here: the page shows them to be corrected. */
export const pageFilterParameters = (model: CollectionModel): readonly Parameter[] =>
  filterParameters(model).map(({ upTo: _, ...parameter }) => parameter);

/** The parameters of a list's page. */
export const listPageParameters = (model: CollectionModel, maxLimit: number): readonly Parameter[] => [
  ...textParameters,
  pageParameter,
  limitParameter(maxLimit),
  sortParameter(model),
  orderParameter(model),
  ...boostParameters(model),
  ...pageFilterParameters(model),
  fieldsParameter(model),
  unfoldParameter(model),
];

/**
 * Values of filters in the address of a page. The work for a page, and its size, grow with each of them, and any website can
 * send its visitors to one.
 */
const MAX_VALUES_OF_PAGE = 300;

const valuesOfPage = {
  count: MAX_VALUES_OF_PAGE,
  says: `this address takes ${MAX_VALUES_OF_PAGE} values of filters, and the API any number`,
};

/** The parameters with a bound on the values of those that may be repeated. */
export const boundedParameters = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.map((parameter) => (parameter.repeatable ? { ...parameter, maxValues: valuesOfPage } : parameter));

/** The reader of a collection's views. */
export const createViewReader = (model: CollectionModel, maxLimit: number): ViewReader<View> =>
  createReader(listPageParameters(model, maxLimit), settledView(model), (dataset, values, pairs) => ({
    ...plainView(model, dataset, values, pairs),
    fields: orderedFields(model, values),
  }));

/** The view of an address that chooses no columns. */
export const plainView = (model: CollectionModel, dataset: Dataset, values: ParameterValues, pairs: Pairs): View => ({
  model,
  collection: collectionIn(dataset, model),
  changedCollection: model.changesOf === undefined ? null : collectionOf(dataset.collections, model.changesOf),
  query: queryOf(model, values),
  paging: shownPaging(values),
  fields: null,
  pairs,
});

/** The fields in the order of the address, in which the table has its columns; the API's records have that of the model. */
function orderedFields(model: CollectionModel, values: ParameterValues): readonly string[] | null {
  const fields = fieldsOf(model, values);
  const named = new Set(textParameter(values, 'fields')?.split(','));
  return fields?.every((name) => named.has(name)) ? [...named] : fields;
}

/** Most records of an HTML page; the API's limit may be larger. */
export const MAX_SHOWN_RECORDS = 200;

/** The paging of an HTML page, which accepts the API's larger limits, but shows fewer records. */
function shownPaging(values: ParameterValues): Paging {
  const { page, limit } = pagingOf(values);
  return { page, limit: Math.min(limit, MAX_SHOWN_RECORDS) };
}

/**
 * Turns chosen columns into one `fields`, and `price_gte` into the name that the form has for it, `minPrice`. Without words, the
 * parameters of words are removed.
 */
const settledView = (model: CollectionModel) => {
  const namesOfForm = secondNames(model);
  return (filled: Pairs): Pairs => {
    const pairs = withConditionsOfText(joinedFields(filled), model);
    const isSearch = pairs.some(([name]) => name === 'q');
    const named = pairs.map((pair): NameAndValue => {
      const [name, value] = pair;
      const nameOfForm = namesOfForm.get(name);
      const isFree =
        nameOfForm !== undefined && pairs.filter((other) => [name, nameOfForm].includes(other[0])).length === 1;
      return isFree ? [nameOfForm, value] : pair;
    });
    return isSearch ? named : without(named, 'boost', ...wordParameters.map(({ name }) => name));
  };
};

/** The pairs with each condition of the search text, such as `price:>5`, as the filter that it means. */
function withConditionsOfText(pairs: Pairs, model: CollectionModel): Pairs {
  const text = pairs.find(([name]) => name === 'q')?.[1] ?? '';
  const conditions = conditionsInText(text, model);
  if (conditions.length === 0) return pairs;
  // From the last one on, since those before stay where they are.
  const words = conditions
    .reduceRight((rest, { at, written }) => rest.slice(0, at).trimEnd() + rest.slice(at + written.length), text)
    .trim();
  const filterPairs = conditions.flatMap((condition) => condition.pairs);
  const otherPairs = without(pairs, ...filterPairs.map(([name]) => name));
  return [...withValue(otherPairs, 'q', words === '' ? null : words), ...filterPairs];
}

/** `settle` adds or removes pairs that depend on others; `show` makes a view of the checked values. */
export function createReader<Shown>(
  parameters: readonly Parameter[],
  settle: (filled: Pairs, dataset: Dataset) => Pairs,
  show: (dataset: Dataset, values: ParameterValues, pairs: Pairs) => Shown,
): ViewReader<Shown> {
  return {
    parameters: boundedParameters(parameters),
    tidied(query, dataset) {
      const filledPairs = [...new URLSearchParams(query)].filter(([, value]) => value.trim() !== '');
      const pairs = settle(filledPairs, dataset);
      const isSettled = pairs.length === filledPairs.length && pairs.every((pair, i) => pair === filledPairs[i]);
      return isSettled ? withoutBlanks(query) : address('', pairs).slice(1);
    },
    viewOf: ({ dataset, values, query }) => show(dataset, values, [...new URLSearchParams(query)]),
  };
}

/** The query without empty fields (`q=`, `q`), all others as they were sent: decoding would hide invalid UTF-8. */
export const withoutBlanks = (query: string): string =>
  query
    .split('&')
    .filter((pair) => [...new URLSearchParams(pair)].every(([, value]) => value.trim() !== ''))
    .join('&');

/** The parameters without the faulty ones. */
export const soundPairs = (queryString: string, faulty: ReadonlySet<string>): Pairs =>
  [...new URLSearchParams(queryString)].filter(([name, value]) => value.trim() !== '' && !faulty.has(name));
