/**
 * What a page of changes shows: the parameters of the API, parsed as the API parses them. What makes no sense together, as
 * where a field was unchecked by which the changes were sorted, is cleaned away, and where a percentage is asked for
 * without a field the page's own field is meant.
 */
import { collectionOf, type Model } from '../../../model.js';
import { type ChangesQuery, measuredFields } from '../../../query/changes.js';
import { changesParameters, changesQueryOf } from '../../../query/changes-parameters.js';
import { parseParameters } from '../../../query/parse.js';
import type { Paging } from '../../../query/query.js';
import { pagingOf } from '../../../query/request.js';
import type { Comparison } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { address, type Pairs, without } from '../frame/address.js';
import { type ViewParser, withoutBlanks } from '../list/view.js';

export interface ChangesView {
  readonly model: Model;
  readonly collection: Collection;
  /** Null where there is nothing to compare with. */
  readonly comparison: Comparison | null;
  readonly query: ChangesQuery;
  readonly paging: Paging;
  /** The number whose percentages are shown: the one that is asked for, else the first that changed in any record. */
  readonly measured: string | null;
  readonly pairs: Pairs;
}

export const changesPath = ({ name }: Model): string => `/${name}/changes`;

export function createChangesParser(model: Model, maxLimit: number): ViewParser<ChangesView> {
  const parameters = changesParameters(model, maxLimit);
  const measuredNames = measuredFields(model);
  return (dataset, path, queryString) => {
    const comparison = dataset.comparisons.get(model.name) ?? null;
    const counts = comparison?.changes.counts.fields;
    const usual = measuredNames.find((name) => counts?.has(name)) ?? null;
    const given: Pairs = [...new URLSearchParams(queryString)];
    const pairs = settled(
      given.filter(([, value]) => value.trim() !== ''),
      measuredNames,
      usual,
    );
    const isClean = pairs.length === given.length && pairs.every((pair, i) => pair[1] === given[i]?.[1]);
    const parsed = parseParameters(isClean ? withoutBlanks(queryString) : address('', pairs).slice(1), parameters);
    if (!parsed.ok) return { kind: 'fault', error: parsed.error, faulty: parsed.faulty };
    if (!isClean) return { kind: 'elsewhere', address: address(path, pairs) };
    const query = changesQueryOf(parsed.values);
    const [field, ...others] = query.fields;
    const isMeasured = field !== undefined && others.length === 0 && measuredNames.includes(field);
    const view: ChangesView = {
      model,
      collection: collectionOf(dataset.collections, model.name),
      comparison,
      query,
      paging: pagingOf(parsed.values),
      measured: isMeasured ? field : query.fields.length === 0 ? usual : null,
      pairs,
    };
    return { kind: 'view', view };
  };
}

const NEEDING = ['direction', 'minPercent', 'maxPercent'];

function settled(pairs: Pairs, measured: readonly string[], usual: string | null): Pairs {
  const needs = ([name, value]: Pairs[number]): boolean =>
    NEEDING.includes(name) || (name === 'sort' && (value === 'difference' || value === 'percent'));
  const [field, ...others] = pairs.filter(([name]) => name === 'field').map(([, value]) => value);
  if (!pairs.some(needs) || (field !== undefined && others.length === 0 && measured.includes(field))) return pairs;
  return field === undefined && usual !== null ? [...pairs, ['field', usual]] : pairs.filter((pair) => !needs(pair));
}

const NARROWING: readonly string[] = ['kind', 'field', ...NEEDING];

/** What narrows the view, besides words of titles. */
export const narrowing = (pairs: Pairs): Pairs => pairs.filter(([name]) => NARROWING.includes(name));

/** The view without what narrows it, and without an order that may need it. */
export const unfiltered = (pairs: Pairs): Pairs => without(pairs, 'page', 'sort', 'order', ...NARROWING);
