/**
 * What completes the boxes for values: those that begin as typed, then those of which a later word does, with the records
 * that each would leave. The pages' own
 * resource, like all that their script asks for: typing does not count against the rate limit of the API.
 */
import { type CollectionModel, collectionOf } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import { facetsOf } from '../../../query/facets.js';
import { startsWithParameter } from '../../../query/parameters.js';
import { queryOf, textOf } from '../../../query/request.js';
import { fold } from '../../../text.js';
import type { NamedResource } from '../../resource.js';
import { JSON_TYPE } from '../../response.js';
import { viewParameters } from './view.js';

const MAX_OFFERED = 10;

/** One for each field that is filtered by value, by the name of its parameter; they take the parameters of the view that the box stands in. */
export const completionResources = (model: CollectionModel, maxLimit: number): readonly NamedResource[] =>
  model.fields.flatMap((field): readonly NamedResource[] => {
    if (field.filter?.kind !== 'value') return [];
    return [
      {
        name: field.filter.parameter,
        parameters: [startsWithParameter(field.name), ...viewParameters(model, maxLimit)],
        handle({ dataset, values }) {
          const collection = collectionOf(dataset.collections, model.name);
          const query = queryOf(model, values);
          const chosen = query.filters.flatMap((one) =>
            one.kind === 'value' && one.field === field.name ? one.values.map(fold) : [],
          );
          const offered = () => {
            const matching = new Conditions(collection, query).but(field.name);
            const beginning = textOf(values, 'startsWith') ?? '';
            const limit = MAX_OFFERED + chosen.length;
            const first = facetsOf(collection, field.name, matching, { beginning, limit });
            const isFull = beginning === '' || first.length >= limit;
            const later = isFull
              ? []
              : facetsOf(collection, field.name, matching, { beginning, begins: 'later word', limit });
            return [...first, ...later].filter(({ name }) => !chosen.includes(fold(name))).slice(0, MAX_OFFERED);
          };
          return { type: JSON_TYPE, render: () => ({ body: JSON.stringify({ data: offered() }) }) };
        },
      },
    ];
  });
