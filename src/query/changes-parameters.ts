/** The parameters of requests for changes, and the query that their values make. */
import type { CollectionModel } from '../model.js';
import { type ChangeKind, changeKinds } from '../store/changes/changes.js';
import { type ChangeSort, type ChangesQuery, changeSorts, comparedFields, measuredFields } from './changes.js';
import {
  directionParameter,
  limitParameter,
  numberBound,
  oneOf,
  optionalTextParameter,
  type Parameter,
  pageParameter,
} from './parameters.js';
import type { ParameterValues } from './query.js';
import { numberOf, textOf } from './request.js';

const directions = ['up', 'down'] as const;

/** The parameters that filter and sort the changes of a collection. */
export function changesViewParameters(model: CollectionModel): readonly Parameter[] {
  const needs = { parameter: 'field', oneOf: measuredFields(model) };
  return [
    { ...optionalTextParameter, description: 'words that the title must have; case and accents do not matter' },
    {
      ...oneOf(
        'kind',
        'only records that were changed, added or removed; if given several times, any of them',
        changeKinds,
      ),
      repeatable: true,
    },
    {
      ...oneOf(
        'field',
        'only records whose value of this field changed; if given several times, any of these fields',
        comparedFields(model),
      ),
      repeatable: true,
    },
    {
      ...oneOf('direction', 'only values that went up or down; needs exactly one `field`, a number', directions),
      needs,
    },
    {
      ...numberBound(
        'minPercent',
        'smallest change in percent, negative where a value fell; needs exactly one `field`, a number',
      ),
      upTo: 'maxPercent',
      needs,
    },
    {
      ...numberBound('maxPercent', 'greatest change in percent; needs exactly one `field`, a number'),
      needs,
    },
    {
      ...oneOf(
        'sort',
        'order of the records; if not given, changed records come first, prices and the largest percentages before others, then added and removed ones by title; `difference` and `percent` need exactly one `field`, a number',
        changeSorts,
      ),
      needs: { ...needs, whenIn: ['difference', 'percent'] },
    },
    directionParameter,
  ];
}

export const changesParameters = (model: CollectionModel, maxLimit: number): readonly Parameter[] => [
  pageParameter,
  limitParameter(maxLimit),
  ...changesViewParameters(model),
];

export function changesQueryOf(values: ParameterValues): ChangesQuery {
  const valuesOf = (name: string): readonly string[] => (values.get(name) ?? []).map(String);
  const kinds: readonly ChangeKind[] = changeKinds.filter((kind) => valuesOf('kind').includes(kind));
  const sort: ChangeSort | undefined = changeSorts.find((name) => name === textOf(values, 'sort'));
  return {
    kinds,
    fields: valuesOf('field'),
    direction: directions.find((name) => name === textOf(values, 'direction')) ?? null,
    minPercent: numberOf(values, 'minPercent') ?? Number.NEGATIVE_INFINITY,
    maxPercent: numberOf(values, 'maxPercent') ?? Number.POSITIVE_INFINITY,
    text: textOf(values, 'q'),
    sort: sort ?? null,
    descending: textOf(values, 'order') === 'desc',
  };
}
