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
  /** The address is one of a picture of the record. */
  readonly image?: true;
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

/** Aliases are listed best first, as one line of words. */
function words(line: string): readonly string[] {
  return line.split(' ');
}

const id: Field = {
  name: 'id',
  kind: 'integer',
  required: true,
  aliases: words('book_id article_id post_id story_id product_id item_id object_id uid nid'),
  description: 'identifier',
};
const title: Field = {
  name: 'title',
  kind: 'text',
  required: true,
  sortable: true,
  searchWeight: 2,
  aliases: words(
    'headline name heading article_title post_title story_title book_title product_title product_name item_name original_title subject',
  ),
  description: 'title',
};
const author: Field = {
  name: 'author',
  kind: 'text',
  filter: { kind: 'value', parameter: 'author' },
  searchWeight: 1,
  aliases: words(
    'authors author_name by byline writer written_by creator dc:creator posted_by submitted_by submitter username user_name user',
  ),
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
      {
        name: 'url',
        kind: 'url',
        aliases: words(
          'link href permalink article_url post_url story_url source_url page_url web_url canonical_url article_link uri',
        ),
        description: 'address of the article',
      },
      {
        name: 'score',
        kind: 'integer',
        sortable: true,
        filter: range('minScore', 'maxScore'),
        aliases: words('points num_points upvotes votes num_votes vote_count net_votes likes like_count karma ups'),
        description: 'score',
      },
      {
        name: 'comments',
        kind: 'integer',
        filter: range('minComments', 'maxComments'),
        aliases: words(
          'num_comments comment_count comments_count n_comments number_of_comments total_comments descendants replies reply_count',
        ),
        description: 'number of comments',
      },
      author,
      {
        name: 'date',
        kind: 'date',
        sortable: true,
        filter: range('from', 'to'),
        aliases: words(
          'created_at published_at published publication_date date_published publish_date published_date pub_date created created_utc posted_at post_date posted timestamp datetime date_time time',
        ),
        description: 'time of publication',
      },
      {
        name: 'content',
        kind: 'text',
        detailOnly: true,
        searchWeight: 1,
        aliases: words(
          'body text full_text article_text article_body content_text content_html content:encoded selftext story_text html markdown',
        ),
        description: 'full text',
      },
      {
        name: 'tags',
        kind: 'tags',
        detailOnly: true,
        filter: { kind: 'value', parameter: 'tag' },
        facet: 'tags',
        searchWeight: 1,
        aliases: words('tag keywords labels topics tag_list hashtags categories'),
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
      {
        name: 'price',
        kind: 'number',
        sortable: true,
        filter: range('minPrice', 'maxPrice'),
        aliases: words(
          'current_price sale_price selling_price final_price discounted_price unit_price product_price price_amount price_usd price_incl_tax amount cost',
        ),
        description: 'price',
      },
      {
        name: 'imageUrl',
        kind: 'url',
        image: true,
        aliases: words(
          'image img image_link img_link img_url image_src img_src picture picture_url photo photo_url cover cover_url cover_image product_image main_image thumbnail thumbnail_url images',
        ),
        description: 'address of the image',
      },
      {
        name: 'rating',
        kind: 'number',
        sortable: true,
        filter: range('minRating', 'maxRating'),
        aliases: words(
          'stars average_rating avg_rating mean_rating rating_value star_rating product_rating overall_rating review_rating book_depository_stars review_score rate',
        ),
        description: 'rating',
      },
      {
        name: 'category',
        kind: 'text',
        listedByPath: true,
        filter: { kind: 'value', parameter: 'category' },
        facet: 'categories',
        searchWeight: 1,
        aliases: words('categories genre genres category_name product_category department section product_type type'),
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

/** The part of a collection; there is one of every name. */
export function collectionOf<T>(parts: ReadonlyMap<CollectionName, T>, name: CollectionName): T {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`there is no collection ${name}`);
  return part;
}

/** The same collection with only some of its fields. */
export const keepingFields = (model: CollectionModel, keeps: (field: Field) => boolean): CollectionModel => ({
  ...model,
  fields: model.fields.filter(keeps),
});
