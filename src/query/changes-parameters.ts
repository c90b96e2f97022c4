/** The parameters of requests for changes, and the query that their values make. */
import type { CollectionModel } from '../model.js';
import { type ChangeKind, changeKinds } from '../store/changes/changes.js';
import { type ChangeSort, type ChangesQuery, changeSorts, comparedFields, measuredFields } from './changes.js';
import {
  limitParameter,
  numberBound,
  oneOf,
  optionalTextParameter,
  orderParameter,
  type Parameter,
  pageParameter,
} from './parameters.js';
import { numberOf, type ParameterValues, textOf } from './request.js';

const directions = ['up', 'down'] as const;

/** The parameters that filter and sort the changes of a collection. */
export function changesViewParameters(model: CollectionModel): readonly Parameter[] {
  const needs = { parameter: 'field', oneOf: measuredFields(model) };
  return [
    { ...optionalTextParameter, description: 'words that the title holds, case and accents aside' },
    { ...oneOf('kind', 'only such records; any of them if given several times', changeKinds), repeatable: true },
    {
      ...oneOf(
        'field',
        'only records that changed in this field; in any of them if given several times',
        comparedFields(model),
      ),
      repeatable: true,
    },
    {
      ...oneOf('direction', 'only numbers that went up or down; needs one `field` that is a number', directions),
      needs,
    },
    {
      ...numberBound(
        'minPercent',
        'change in percent from this on, negative where a number fell; needs one `field` that is a number',
      ),
      upTo: 'maxPercent',
      needs,
    },
    {
      ...numberBound('maxPercent', 'change in percent up to this; needs one `field` that is a number'),
      needs,
    },
    {
      ...oneOf(
        'sort',
        'what to sort by; if not given, changed records, prices and the largest percentage first, then added and removed ones by title; difference and percent need one `field` that is a number',
        changeSorts,
      ),
      needs: { ...needs, whenIn: ['difference', 'percent'] },
    },
    orderParameter,
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
