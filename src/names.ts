/** Names that mean something to the server already, so that no collection and no found field can have them. */
import type { CollectionModel, Field } from './model.js';

/** Addresses of the server, which no collection can have as its name. */
export const RESERVED_COLLECTIONS = ['api', 'assets', 'docs', 'export', 'health', 'openapi', 'search'];

/** A name begins with a letter of any script, without capitals; digits, `-` and `_` may follow. */
export const isCollectionName = (text: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N}_-]*$/u.test(text) && text === text.toLowerCase() && !RESERVED_COLLECTIONS.includes(text);

/** The endings of a field's name in the parameters of its operators: `price_gte`. A column `price_gte` beside `price` gets another name. */
export const OPERATOR_SUFFIXES = ['_ne', '_gte', '_gt', '_lte', '_lt', '_in_last', '_like'] as const;

export const OPERATOR_SUFFIX = new RegExp(`(?:${OPERATOR_SUFFIXES.join('|')})$`);

/** Names of parameters and members of answers, which no found field can have. */
export const RESERVED_NAMES = [
  ...['page', 'limit', 'sort', 'order', 'fields', 'missing', 'q', 'match', 'fuzzy', 'prefix', 'highlight', 'suggest'],
  ...['suggestion', 'boost', 'format', 'bom', 'delimiter', 'guard', 'startsWith', 'view', 'by', 'unfold'],
] as const;

/** The names of a collection's documented fields and of all parameters. */
export const reservedNames = ({ fields }: CollectionModel): ReadonlySet<string> =>
  new Set([
    ...RESERVED_NAMES,
    ...fields.flatMap(({ name, filter, facet = name }) => [name, facet, ...filterNames(filter)]),
  ]);

function filterNames(filter: Field['filter']): readonly string[] {
  if (filter === undefined) return [];
  if (filter.kind === 'range') return [filter.min, filter.max];
  return filter.match === undefined ? [filter.parameter] : [filter.parameter, filter.match];
}
