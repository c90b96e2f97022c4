/**
 * The documented collections, described once: what is served. Store, sort keys, filters, CSV columns, OpenAPI document and pages
 * all read this table; a third resource is a third entry. What dumps call the fields stands in `load/fields/vocabulary.ts`. Fields stand in the documented order, those of the list item
 * first: the JSON text of a list item is then a prefix of the whole record's text.
 */

/**
 * What a field's value is: `text`, `code` and `url` are strings, `texts` and `codes` lists of them, `date` is a UTC
 * timestamp. A code is matched whole and never read as words: `978-3-16-148410-0`. `json` is a value as it came, and only shown.
 */
export type FieldKind =
  | 'integer'
  | 'number'
  | 'date'
  | 'boolean'
  | 'text'
  | 'code'
  | 'url'
  | 'texts'
  | 'codes'
  | 'json';

export const isList = (kind: FieldKind): kind is 'texts' | 'codes' => kind === 'texts' || kind === 'codes';
export const isNumeric = (kind: FieldKind): kind is 'integer' | 'number' => kind === 'integer' || kind === 'number';

/** The place of the id, the first field of every collection. */
export const ID_FIELD = 0;

/** The meaning of a field for pages, comparisons and the loader: they look fields up by role, never by name. */
export type FieldRole =
  | 'id'
  | 'title'
  | 'image'
  | 'link'
  | 'price'
  | 'rating'
  | 'score'
  | 'comments'
  | 'body'
  | 'author'
  | 'date'
  | 'category'
  | 'tags';

/**
 * How pages narrow records by a field, by its values or by a range, and the names of the parameters in their addresses. Where such a
 * name is not made of the field's, as `minPrice`, it is a second name of the parameter (`price_gte`); `query/operators.ts` has the
 * parameters that every field takes. A list has one more, `match`: whether a record needs any or all of several values.
 */
export type Filter =
  | { readonly kind: 'value'; readonly parameter: string; readonly match?: string }
  | { readonly kind: 'range'; readonly min: string; readonly max: string };

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly role?: FieldRole;
  /** A record without this field is refused; any other field may be missing. */
  readonly required?: true;
  /** The names of the members that lead to its value in a source record. Only a found field has it: documented fields go by their names. */
  readonly sourcePath?: readonly (string | number)[];
  /** Its values may stand for ids in paths, if no two records have the same: `/api/products/978-3-16-148410-0`. */
  readonly mayBeKey?: true;
  /** A field whose name is that of a code or number that stands for a record: `sku`. */
  readonly isNamedAsId?: true;
  /** Left out of answers unless `fields` asks for it; such fields stand behind all others. */
  readonly onRequest?: true;
  /** Shown in the record's detail and its export, not in lists. */
  readonly detailOnly?: true;
  readonly filter?: Filter;
  /** The sign that separates several values in one text of a dump: each of them is filtered by and counted. */
  readonly splitBy?: string;
  /** The sign of amounts of money that most texts of the dump have: `$`, `CHF`; none where they have several (`currencyPartOf`). */
  readonly currency?: string;
  /** The numbers are percentages: the dump has `15%`. */
  readonly isPercent?: true;
  /** The unit that most texts of the dump have with the number: `km`, `ratings`, `+`. */
  readonly unit?: string;
  /** The field has a part of each text that feeds another: the upper end of a range (`$10 - $20`), or the currency. */
  readonly part?: FieldPart;
  /** Records can be listed by this field's value under a path of its own. */
  readonly listedByPath?: true;
  /** The path segment under which the field's values are listed with their counts. */
  readonly facet?: string;
  /** How many of them are listed where nothing else is asked for; all if not given. */
  readonly facetLimit?: number;
  /** The field of a change that holds values of any kind: numbers are compared, other values only shown and searched. */
  readonly anyValue?: true;
  /** All values that it may have. */
  readonly oneOf?: readonly string[];
  /** A time that the record's history gives. */
  readonly isOfHistory?: true;
  /** Present where the field is searched; a word found here counts this many times. */
  readonly searchWeight?: number;
}

export type FieldPart = 'upper end' | 'currency';

export interface CollectionModel {
  readonly name: string;
  /** The name of a record in messages, with an upper-case initial. */
  readonly singular: string;
  /** The fields whose values stand for ids in paths: those that may, and have another value in each record, in the dump's order. */
  readonly keys?: readonly string[];
  /** A collection of the user's own, such as `jobs`: its answers show all of its fields. */
  readonly isOwn?: true;
  /** The name of the collection of whose records these are the changes. */
  readonly changesOf?: string;
  readonly fields: readonly Field[];
}

const range = (min: string, max: string): Filter => ({ kind: 'range', min, max });
const value = (parameter: string, match?: string): Filter =>
  match === undefined ? { kind: 'value', parameter } : { kind: 'value', parameter, match };

const id: Field = { name: 'id', kind: 'integer', role: 'id', required: true, description: 'identifier' };
const title: Field = {
  ...{ name: 'title', kind: 'text', role: 'title', required: true, description: 'title' },
  searchWeight: 3,
};
const author: Field = {
  ...{ name: 'author', kind: 'text', role: 'author', description: 'author' },
  ...{ filter: value('author'), facet: 'authors', facetLimit: 100, searchWeight: 1 },
};

export const collections = [
  {
    name: 'articles',
    singular: 'Article',
    fields: [
      id,
      title,
      {
        ...{ name: 'url', kind: 'url', role: 'link', description: 'address of the article' },
        ...{ filter: value('site'), facetLimit: 100 },
      },
      { name: 'score', kind: 'integer', role: 'score', description: 'score', filter: range('minScore', 'maxScore') },
      {
        ...{ name: 'comments', kind: 'integer', role: 'comments', description: 'number of comments' },
        filter: range('minComments', 'maxComments'),
      },
      author,
      { name: 'date', kind: 'date', role: 'date', description: 'time of publication', filter: range('from', 'to') },
      {
        ...{ name: 'content', kind: 'text', role: 'body', description: 'full text' },
        ...{ detailOnly: true, searchWeight: 1 },
      },
      {
        ...{ name: 'tags', kind: 'texts', role: 'tags', description: 'tags' },
        ...{ detailOnly: true, filter: value('tag', 'tagMatch'), facet: 'tags', searchWeight: 1 },
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
      { name: 'price', kind: 'number', role: 'price', description: 'price', filter: range('minPrice', 'maxPrice') },
      { name: 'imageUrl', kind: 'url', role: 'image', description: 'address of the image' },
      {
        ...{ name: 'rating', kind: 'number', role: 'rating', description: 'rating' },
        filter: range('minRating', 'maxRating'),
      },
      {
        ...{ name: 'category', kind: 'text', role: 'category', description: 'category', listedByPath: true },
        ...{ filter: value('category'), facet: 'categories', searchWeight: 1 },
      },
    ],
  },
] as const satisfies readonly CollectionModel[];

/** The documented collections; a dataset may have others besides. */
export type DocumentedName = (typeof collections)[number]['name'];

/** A collection's records in a sentence: `products`, `changes of products`. */
export const recordsOf = ({ name, changesOf }: Pick<CollectionModel, 'name' | 'changesOf'>): string =>
  changesOf === undefined ? name : `changes of ${changesOf}`;

/** Whether a dump brought the field, or its history did: it is not documented. */
export const isFound = ({ sourcePath, isOfHistory }: Field): boolean =>
  sourcePath !== undefined || isOfHistory === true;

/** A field's value after loading; `null` where the scrape had none. */
export type Value = string | number | boolean | readonly string[] | null;

export const hasField = ({ fields }: CollectionModel, name: string): boolean =>
  fields.some((field) => field.name === name);

/** The position of a field in its collection's records. */
export function fieldIndex({ name: collection, fields }: CollectionModel, name: string): number {
  const index = fields.findIndex((field) => field.name === name);
  if (index < 0) throw new Error(`${collection} have no field ${name}`);
  return index;
}

/** The first field that has the role. */
export const fieldOf = ({ fields }: CollectionModel, role: FieldRole): Field | undefined =>
  fields.find((field) => field.role === role);

/** The position of the first field that has the role; -1 where there is none. */
export const roleIndex = ({ fields }: CollectionModel, role: FieldRole): number =>
  fields.findIndex((field) => field.role === role);

/** The part of a collection that must be there. */
export function collectionOf<T>(parts: ReadonlyMap<string, T>, name: string): T {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`there is no collection ${name}`);
  return part;
}
