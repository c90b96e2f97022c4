/** Collections of the user's own, such as `jobs` of `--as jobs`: their models, before it is known which fields a dump brings. */
import { type CollectionModel, collections, type Field } from '../../model.js';

/** Every documented field, each name once, for a collection whose columns are not known yet. Only the id is required. */
const anyFields: readonly Field[] = collections
  .flatMap(({ fields }): readonly Field[] => fields)
  .filter(({ name }, i, all) => all.findIndex((field) => field.name === name) === i)
  .map(({ required: _, ...field }) => (field.name === 'id' ? { ...field, required: true } : field));

/** A collection of the user's own: its id, and the documented fields that `keeps` picks. */
export const ownCollection = (name: string, keeps: (field: Field) => boolean): CollectionModel => ({
  name,
  singular: singularOf(name),
  isOwn: true,
  fields: anyFields.filter((field) => field.name === 'id' || keeps(field)),
});

/** A plural whose singular is the same word without its `s`: not `news`, `categories`, `boxes`. */
const PLURAL = /^(?:movies|\p{L}+(?<!new|serie|specie|[siu]|[^aeiou]ie|(?:ss|x|ch|sh)e)s)$/u;

/** `Job` of `jobs`; `Record` of any other name, such as `news`, `open_jobs` or `inventory`. */
const singularOf = (name: string): string =>
  PLURAL.test(name) ? name.charAt(0).toUpperCase() + name.slice(1, -1) : 'Record';

/** A collection that may have any documented field. */
export const anyCollection = ownCollection('records', () => true);
