/**
 * Reads the address of a page of changes, with the parameters of the API. Directions, percentages and orders by them need
 * one chosen number. If no field is chosen, the page's own number is added; otherwise, these parameters are removed.
 */
import type { CollectionModel } from '../../../model.js';
import { type ChangesQuery, measuredFields } from '../../../query/changes.js';
import { changesParameters, changesQueryOf } from '../../../query/changes-parameters.js';
import type { Paging } from '../../../query/query.js';
import { wholeChanges } from '../../../store/changes/changes.js';
import type { Dataset } from '../../../store/dataset.js';
import { type ComparedCollection, comparedCollection } from '../../api/changes.js';
import { type Pair, type Pairs, without } from '../frame/address.js';
import { createReader, shownPaging, type ViewReader } from '../list/view.js';

export interface ChangesView extends ComparedCollection {
  readonly model: CollectionModel;
  readonly query: ChangesQuery;
  readonly paging: Paging;
  /** The field whose percentages are shown: the chosen one, else the first that changed in any record. */
  readonly measured: string | null;
  readonly pairs: Pairs;
  /** The other collections in which something changed, with the number of their changes. */
  readonly others: readonly (readonly [collection: string, changes: number])[];
}

export const changesPath = ({ name }: Pick<CollectionModel, 'name'>): string => `/${name}/changes`;

/** `compared`: the model with the fields of the earlier dataset as well. */
export function createChangesReader(
  model: CollectionModel,
  compared: CollectionModel,
  maxLimit: number,
): ViewReader<ChangesView> {
  const measuredNames = measuredFields(compared);
  const usualOf = ({ comparisons }: Dataset): string | null => {
    const counts = comparisons.get(model.name)?.changes.counts.fields;
    return measuredNames.find((name) => counts?.has(name)) ?? null;
  };
  const parameters = changesParameters(compared, maxLimit);
  const needsField = ([name, value]: Pair): boolean =>
    parameters.some(
      (one) => one.name === name && one.needs !== undefined && (one.needs.whenIn?.includes(value) ?? true),
    );
  return createReader(
    parameters,
    (pairs, dataset) => withNeededField(pairs, needsField, measuredNames, usualOf(dataset)),
    (dataset, values, pairs) => {
      const query = changesQueryOf(values);
      const [field, ...others] = query.fields;
      const isMeasured = field !== undefined && others.length === 0 && measuredNames.includes(field);
      return {
        model,
        ...comparedCollection(dataset, model),
        query,
        paging: shownPaging(values),
        measured: isMeasured ? field : query.fields.length === 0 ? usualOf(dataset) : null,
        pairs,
        others: [...dataset.comparisons].flatMap(([name, { changes }]) => {
          const total = wholeChanges(changes.counts);
          return name === model.name || total === 0 ? [] : [[name, total] as const];
        }),
      };
    },
  );
}

function withNeededField(
  pairs: Pairs,
  needs: (pair: Pair) => boolean,
  measured: readonly string[],
  usual: string | null,
): Pairs {
  const [field, ...others] = pairs.filter(([name]) => name === 'field').map(([, value]) => value);
  if (!pairs.some(needs) || (field !== undefined && others.length === 0 && measured.includes(field))) return pairs;
  return field === undefined && usual !== null ? [...pairs, ['field', usual]] : pairs.filter((pair) => !needs(pair));
}

/** The parameters that filter the view, besides the search text, with the words before their values. */
export const FILTER_WORDS: Readonly<Record<string, string>> = {
  kind: '',
  field: 'changed in',
  direction: 'went',
  minPercent: 'at least',
  maxPercent: 'at most',
};

/** The pairs that filter the view, without the search text. */
export const narrowing = (pairs: Pairs): Pairs => pairs.filter(([name]) => Object.hasOwn(FILTER_WORDS, name));

/** The view without its filters, and without an order that may need one of them. */
export const unfiltered = (pairs: Pairs): Pairs =>
  without(pairs, 'page', 'sort', 'order', ...Object.keys(FILTER_WORDS));
