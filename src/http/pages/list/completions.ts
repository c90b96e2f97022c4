/**
 * Completions of the boxes for values: first values that begin with the typed text, then values of which a later word does,
 * each with its matching records. They are a resource of the HTML pages, so typing does not count against the API's rate
 * limit.
 */
import type { CollectionModel } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import { facetsOf } from '../../../query/facets.js';
import { choiceIn } from '../../../query/operators.js';
import { startsWithParameter } from '../../../query/parameters.js';
import { queryOf, textParameter } from '../../../query/request.js';
import { collectionIn } from '../../../store/dataset.js';
import { fold } from '../../../text.js';
import type { NamedResource } from '../../resource.js';
import { JSON_TYPE } from '../../response.js';
import { boundedParameters, listPageParameters } from './view.js';

const MAX_OFFERED = 10;

/** A resource for each field that is filtered by value, named by its parameter. It takes the view's parameters too. */
export const completionResources = (model: CollectionModel, maxLimit: number): readonly NamedResource[] =>
  model.fields.flatMap((field): readonly NamedResource[] => {
    if (field.filter?.kind !== 'value') return [];
    return [
      {
        name: field.filter.parameter,
        parameters: boundedParameters([startsWithParameter(field.name), ...listPageParameters(model, maxLimit)]),
        handle({ dataset, values }) {
          const collection = collectionIn(dataset, model);
          const query = queryOf(model, values);
          const chosen = (choiceIn(query.filters, field)?.values ?? []).map(fold);
          const completions = () => {
            const matching = new Conditions(collection, query).but(field.name);
            const beginning = textParameter(values, 'startsWith') ?? '';
            const limit = MAX_OFFERED + chosen.length;
            const first = facetsOf(collection, field.name, matching, { beginning, limit });
            const isFull = beginning === '' || first.length >= limit;
            const later = isFull
              ? []
              : facetsOf(collection, field.name, matching, { beginning, begins: 'later word', limit });
            return [...first, ...later].filter(({ name }) => !chosen.includes(fold(name))).slice(0, MAX_OFFERED);
          };
          return { type: JSON_TYPE, render: () => ({ body: JSON.stringify({ data: completions() }) }) };
        },
      },
    ];
  });
