/**
 * The two collections, described once. Loader, columns, sort keys, filters, CSV columns, OpenAPI document and pages
 * all read this table; a third resource is a third entry. Fields stand in the order in which the specification lists
 * them, list-item fields first: the JSON text of a list item is then a prefix of the whole record's text.
 */

/** What a field's value is: `text` and `url` are strings, `date` a UTC timestamp, `tags` a list of strings. */
export type FieldKind = 'integer' | 'number' | 'text' | 'url' | 'date' | 'tags';

/** How a query narrows records by a field, and the names of the parameters for it. */
export type Filter =
  | { readonly kind: 'value'; readonly parameter: string }
  | { readonly kind: 'range'; readonly min: string; readonly max: string };

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  /** Other names that dumps give this field, best first; case and punctuation do not matter. */
  readonly aliases?: readonly string[];
  /** A record without this field is refused; any other field may be missing. */
  readonly required?: true;
  /** Shown in the record's detail and its export, not in lists. */
  readonly detailOnly?: true;
  readonly sortable?: true;
  readonly filter?: Filter;
  /** Records can be listed by this field's value under a path of its own. */
  readonly listedByPath?: true;
  /** The path segment under which the field's values are listed with their counts. */
  readonly facet?: string;
  /** Present where the field is searched; a word found here counts this many times. */
  readonly searchWeight?: number;
}

export interface CollectionModel {
  readonly name: string;
  /** One record's name in messages, with an upper-case initial. */
  readonly singular: string;
  readonly fields: readonly Field[];
}

const id: Field = { name: 'id', kind: 'integer', required: true, description: 'identifier' };
const title: Field = {
  name: 'title',
  kind: 'text',
  required: true,
  sortable: true,
  searchWeight: 2,
  description: 'title',
};
const author: Field = {
  name: 'author',
  kind: 'text',
  searchWeight: 1,
  filter: { kind: 'value', parameter: 'author' },
  description: 'author',
};

const range = (min: string, max: string): Filter => ({ kind: 'range', min, max });

export const collections = [
  {
    name: 'articles',
    singular: 'Article',
    fields: [
      id,
      title,
      { name: 'url', kind: 'url', description: 'address of the article' },
      { name: 'score', kind: 'integer', sortable: true, filter: range('minScore', 'maxScore'), description: 'score' },
      {
        name: 'comments',
        kind: 'integer',
        filter: range('minComments', 'maxComments'),
        description: 'number of comments',
      },
      author,
      { name: 'date', kind: 'date', sortable: true, filter: range('from', 'to'), description: 'time of publication' },
      { name: 'content', kind: 'text', detailOnly: true, searchWeight: 1, description: 'full text' },
      {
        name: 'tags',
        kind: 'tags',
        detailOnly: true,
        searchWeight: 1,
        filter: { kind: 'value', parameter: 'tag' },
        facet: 'tags',
        description: 'tags',
      },
    ],
  },
  {
    name: 'products',
    singular: 'Product',
    fields: [
      id,
      title,
      author,
      { name: 'price', kind: 'number', sortable: true, filter: range('minPrice', 'maxPrice'), description: 'price' },
      { name: 'imageUrl', kind: 'url', description: 'address of the image' },
      {
        name: 'rating',
        kind: 'number',
        sortable: true,
        filter: range('minRating', 'maxRating'),
        description: 'rating',
      },
      {
        name: 'category',
        kind: 'text',
        filter: { kind: 'value', parameter: 'category' },
        listedByPath: true,
        facet: 'categories',
        searchWeight: 1,
        description: 'category',
      },
    ],
  },
] as const satisfies readonly CollectionModel[];

export type CollectionName = (typeof collections)[number]['name'];

/** A field's value after loading; `null` where the scrape had none. */
export type Value = string | number | readonly string[] | null;

/** A valid record: one value per field of its collection, in the order of the model's fields. */
export type RecordValues = readonly Value[];

/** The position of a field in its collection's records; -1 where there is no such field. */
export const fieldIndex = (model: CollectionModel, name: string): number =>
  model.fields.findIndex((field) => field.name === name);

export const sortKeys = (model: CollectionModel): readonly string[] =>
  model.fields.filter((field) => field.sortable).map((field) => field.name);
