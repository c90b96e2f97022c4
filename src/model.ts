/**
 * The documented collections, described once. Loader, columns, sort keys, filters, CSV columns, OpenAPI document and pages
 * all read this table; a third resource is a third entry. Fields stand in the documented order, those of the list item
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

/** The place of the id, the first field of every collection. */
export const ID_FIELD = 0;

/** The meaning of a field for pages, comparisons and the loader: they look fields up by role, never by name. */
export type FieldRole =
  | 'title'
  | 'image'
  | 'link'
  | 'price'
  | 'rating'
  | 'score'
  | 'body'
  | 'author'
  | 'date'
  | 'category'
  | 'tags';

/**
 * How a query narrows records by a field, and the names of the parameters for it. A list has one more, `match`: whether a
 * record needs any or all of several values.
 */
export type Filter =
  | { readonly kind: 'value'; readonly parameter: string; readonly match?: string }
  | {
      readonly kind: 'range';
      readonly min: string;
      readonly max: string;
      /** The parameter for the values themselves, of a date for all of a day, month or year. */
      readonly equals?: string;
    };

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly role?: FieldRole;
  /** Names that go before the field's own. */
  readonly betterNames?: readonly string[];
  /** Other names that dumps give this field, best first; case and punctuation do not matter. */
  readonly aliases?: readonly string[];
  /** Usual places deeper in a record, best first: `offers.price`. */
  readonly paths?: readonly string[];
  /** Where a source has an object in the field's place: the names of the member that is its value, best first. */
  readonly valueMembers?: readonly string[];
  /** Where no name gave the field a column, the words by which one is guessed. */
  readonly guess?: GuessWords;
  /** A record without this field is refused; any other field may be missing. */
  readonly required?: true;
  /** The names of the members that lead to its value in a source record. Only a found field has it: documented fields go by their names. */
  readonly sourcePath?: readonly (string | number)[];
  /** Its values may stand for ids in paths, if no two records have the same: `/api/products/978-3-16-148410-0`. */
  readonly mayBeKey?: true;
  /** Left out of answers unless `fields` asks for it; such fields stand behind all others. */
  readonly onRequest?: true;
  /** Shown in the record's detail and its export, not in lists. */
  readonly detailOnly?: true;
  readonly sortable?: true;
  readonly filter?: Filter;
  /** The sign that separates several values in one text of a dump: each of them is filtered by and counted. */
  readonly splitBy?: string;
  /** The sign of amounts of money that most texts of the dump have: `$`, `CHF`. */
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
  /** Present where the field is searched; a word found here counts this many times. */
  readonly searchWeight?: number;
}

export type FieldPart = 'upper end' | 'currency';

export interface GuessWords {
  /** A column's name holds one of these, best first; of `review+score` it holds both. */
  readonly any: readonly string[];
  /** The column's name holds none of these. */
  readonly none: readonly string[];
  /** Whole names that may mean something else, tried after the words, best first. */
  readonly names?: readonly string[];
  /** Whole names for a last resort, where neither words nor values give the field a column: old prices. */
  readonly lastNames?: readonly string[];
}

export interface CollectionModel {
  readonly name: string;
  /** The name of a record in messages, with an upper-case initial. */
  readonly singular: string;
  /** Types of JSON-LD (schema.org) whose records are of this collection. */
  readonly types?: readonly string[];
  /** Fields that together show that a file holds this collection, if its name does not: by names or words of names. */
  readonly signatures?: readonly (readonly string[])[];
  /** The same, by their own names and aliases only. */
  readonly exactSignatures?: readonly (readonly string[])[];
  /** The field whose values stand for ids in paths: the first that may, and has another value in each record. */
  readonly key?: string;
  /** A collection of the user's own, such as `jobs`: its answers show all of its fields. */
  readonly isOwn?: true;
  readonly fields: readonly Field[];
}

/** Aliases are listed best first, as one line of words. */
function words(line: string): readonly string[] {
  return line.split(' ');
}

/** Members that hold the value of a text wherever a source has an object for one. */
const TEXT_MEMBERS = 'name title rendered display_name full_name text value label term #text $t _ __cdata';

const id: Field = {
  name: 'id',
  kind: 'integer',
  required: true,
  aliases: words('book_id article_id post_id object_id story_id question_id product_id item_id page_id uid nid'),
  valueMembers: words('$numberLong $numberInt #text $t _'),
  description: 'identifier',
};
const title: Field = {
  name: 'title',
  kind: 'text',
  role: 'title',
  required: true,
  sortable: true,
  searchWeight: 3,
  aliases: words(
    'headline name heading article_title post_title story_title book_title product_title product_name item_name original_title titel titre titulo título titolo produkt produktname produkttitel produktbezeichnung artikelname artikelbezeichnung bezeichnung überschrift 商品名 タイトル العنوان название 标题 名称',
  ),
  paths: words('headline.main'),
  valueMembers: words(`rendered main ${TEXT_MEMBERS}`),
  guess: {
    any: words('title headline heading name subject'),
    none: words(
      'author user reviewer customer host artist artists album seller brand vendor publisher category section site source company store file sub alt short first last given family nick owner channel feed meta seo id url link image count font',
    ),
    names: words('product item artikel nom nombre nome label h1 caption listing model book movie'),
  },
  description: 'title',
};
const author = {
  name: 'author',
  kind: 'text',
  role: 'author',
  sortable: true,
  filter: { kind: 'value', parameter: 'author' },
  facet: 'authors',
  facetLimit: 100,
  searchWeight: 1,
  aliases: words('authors author_name by byline writer written_by creator dc:creator autor auteur autore'),
  paths: words(
    'byline.original _embedded.author[0].name owner.display_name by_artist.name yoast_head_json.author channel_title',
  ),
  valueMembers: words(`name display_name full_name username login original ${TEXT_MEMBERS}`),
  guess: {
    any: words('author authors writer byline artist artists poster creator submitter'),
    none: words(
      'id ids url uri link href image img avatar photo bio about count number email page created date karma flair premium followers followed last',
    ),
  },
  description: 'author',
} as const satisfies Field;

const range = (min: string, max: string): Filter => ({ kind: 'range', min, max });

export const collections = [
  {
    name: 'articles',
    singular: 'Article',
    signatures: [['score'], ['comments']],
    exactSignatures: [
      ['content', 'author'],
      ['content', 'date'],
    ],
    types: words(
      'Article NewsArticle AnalysisNewsArticle BackgroundNewsArticle OpinionNewsArticle ReportageNewsArticle ReviewNewsArticle Report SatiricalArticle ScholarlyArticle TechArticle APIReference SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting AdvertiserContentArticle',
    ),
    fields: [
      id,
      title,
      {
        name: 'url',
        kind: 'url',
        role: 'link',
        filter: { kind: 'value', parameter: 'site' },
        facetLimit: 100,
        aliases: words(
          'link href permalink article_url post_url story_url source_url page_url web_url full_url canonical_url article_link uri main_entity_of_page',
        ),
        valueMembers: words('url href @id src link value #text $t _'),
        guess: {
          any: words('url link href permalink uri'),
          none: words(
            'image img thumbnail thumb author api user avatar cover photo picture icon logo video audio feed comments hn reddit media next prev self short edit likes',
          ),
          names: words('canonical loc guid page source'),
        },
        description: 'address of the article',
      },
      {
        name: 'score',
        kind: 'integer',
        role: 'score',
        sortable: true,
        filter: range('minScore', 'maxScore'),
        aliases: words(
          'points num_points upvotes upvotes_count votes num_votes vote_count votes_count net_votes likes like_count likes_count favorite_count favourites_count karma ups public_reactions_count positive_reactions_count',
        ),
        paths: words('reactions.likes statistics.like_count public_metrics.like_count'),
        valueMembers: words('score value count total likes'),
        guess: {
          any: words('points upvotes score likes claps ups favorites favourites reactions karma'),
          none: words('down downs ratio user author percent review rating rank id url hidden hide z'),
          lastNames: words('shares share_count views view_count'),
        },
        description: 'score',
      },
      {
        name: 'comments',
        kind: 'integer',
        sortable: true,
        filter: range('minComments', 'maxComments'),
        aliases: words(
          'num_comments comment_count comments_count n_comments number_of_comments total_comments descendants replies reply_count kommentare',
        ),
        paths: words('statistics.comment_count public_metrics.reply_count slash:comments'),
        valueMembers: words('count total total_count value'),
        guess: {
          any: words('comments comment replies responses'),
          none: words('id ids url link status feed karma author text body disabled enabled user allow'),
        },
        description: 'number of comments',
      },
      // A product has other users: those who bought it or wrote a review.
      {
        ...author,
        aliases: [...author.aliases, ...words('posted_by submitted_by submitter username user_name user')],
      },
      {
        name: 'date',
        kind: 'date',
        role: 'date',
        sortable: true,
        filter: range('from', 'to'),
        // WordPress has its date in local time, and this one beside it.
        betterNames: words('date_gmt'),
        aliases: words(
          'published_at published publication_date date_published publish_date date_publish published_date pub_date posted_at post_date posted created_at created created_utc creation_date timestamp datetime date_time time datum fecha veröffentlicht veröffentlicht_am erschienen',
        ),
        valueMembers: words('$date iso value date date_time time #text $t _'),
        guess: {
          any: words('published publication posted pub created date dt datetime timestamp time'),
          none: words(
            'read reading download downloaded updated update modified scrape scraped crawl crawled fetched retrieved indexed edited expires expiry delivery birth end last zone tz duration run user author deleted access accessed sort',
          ),
          names: words('day'),
          lastNames: words('updated updated_at last_updated modified modified_at lastmod'),
        },
        description: 'time of publication',
      },
      {
        name: 'content',
        kind: 'text',
        role: 'body',
        detailOnly: true,
        searchWeight: 1,
        aliases: words(
          'body text full_text main_text article_text article_body content_text content_html content:encoded selftext story_text body_html html markdown caption message inhalt contenu contenido',
        ),
        paths: words('fields.body_text fields.body'),
        valueMembers: words(`rendered ${TEXT_MEMBERS}`),
        guess: {
          any: words(
            'content body article text story description summary abstract excerpt extract snippet paragraph trail',
          ),
          none: words(
            'title author name user url link id ids count length type rating rank alt meta image date lang language hash flair html5 status',
          ),
        },
        description: 'full text',
      },
      {
        name: 'tags',
        kind: 'texts',
        role: 'tags',
        detailOnly: true,
        filter: { kind: 'value', parameter: 'tag', match: 'tagMatch' },
        facet: 'tags',
        searchWeight: 1,
        aliases: words('tag keywords labels topics tag_list hashtags categories'),
        paths: words('_embedded.wp:term[1].name _embedded.wp:term[0].name'),
        valueMembers: words(`name web_title title label term value tag ${TEXT_MEMBERS}`),
        guess: {
          any: words('tags tag keywords keyword topics topic hashtags labels categories category subjects section'),
          none: words('id ids url link count number user best seller rank meta'),
        },
        description: 'tags',
      },
    ],
  },
  {
    name: 'products',
    singular: 'Product',
    signatures: [['price'], ['rating', 'imageUrl']],
    exactSignatures: [['rating', 'author']],
    types: words(
      'Product IndividualProduct ProductCollection ProductGroup ProductModel SomeProducts Vehicle Car Motorcycle Drug DietarySupplement Book Movie MusicAlbum VideoGame SoftwareApplication MobileApplication WebApplication',
    ),
    fields: [
      id,
      title,
      author,
      {
        name: 'price',
        kind: 'number',
        role: 'price',
        sortable: true,
        filter: range('minPrice', 'maxPrice'),
        aliases: words(
          'current_price sale_price discount_price selling_price offer_price final_price discounted_price unit_price product_price price_amount price_usd price_incl_tax amount cost regular_price preis prix precio preço prezzo verkaufspreis endpreis bruttopreis 価格 цена',
        ),
        paths: words(
          'offers.price offers.low_price offers[0].price variants[0].price variants.edges[0].node.price sale_info.retail_price.amount sale_info.list_price.amount price_range.min_variant_price.amount price_info.price',
        ),
        valueMembers: words(
          'current sale value amount price raw now regular $numberDecimal $numberDouble $numberInt #text $t _',
        ),
        guess: {
          any: words('price cost amount preis prix precio preço prezzo sale+eur sale+usd sale+gbp'),
          none: words(
            'old list original actual was regular shipping min max high low currency per discount count change type label range avg average before tax minor cent cents compare rrp msrp strike striked percentage percent sold id url history previous retail symbol unit valid alt alter alte statt uvp versand weight rating lat lon',
          ),
          lastNames: words(
            'list_price original_price actual_price old_price msrp rrp uvp nettopreis alter_preis streichpreis retail_price was_price',
          ),
        },
        description: 'price',
      },
      {
        name: 'imageUrl',
        kind: 'url',
        role: 'image',
        aliases: words(
          'image img image_link img_link img_url image_src img_src picture picture_url photo photo_url cover cover_url cover_image product_image main_image thumbnail thumbnail_url images image_1 image_url_1 bild imagen imagem immagine foto foto_url bild_url',
        ),
        paths: words('image_links.thumbnail featured_image.src media[0].url'),
        valueMembers: words(
          'url src href link thumbnail large medium small small_thumbnail original full content_url image_url source_url value #text $t _',
        ),
        guess: {
          any: words('image images img imgs picture pictures photo photos thumbnail thumb cover poster artwork'),
          none: words(
            'count number alt width height type author user avatar id ids caption credit hash size title text',
          ),
          names: words('src media gallery'),
        },
        description: 'address of the image',
      },
      {
        name: 'rating',
        kind: 'number',
        role: 'rating',
        sortable: true,
        filter: range('minRating', 'maxRating'),
        aliases: words(
          'stars average_rating avg_rating mean_rating rating_average ratings_average vote_average rating_value star_rating product_rating overall_rating review_rating book_depository_stars review_score rate bewertung valoración avaliação valutazione sterne',
        ),
        paths: words('aggregate_rating.rating_value reviews.average reviews.rating'),
        valueMembers: words(
          'rate value average rating_value rating score stars $numberDouble $numberDecimal $numberInt #text $t _',
        ),
        guess: {
          any: words('rating stars star review+average customer+average review+score user+score'),
          none: words(
            'count counts number num n total ratings votes reviews max min best worst distribution scale age content mpaa maturity date rank price percentage percent url link text id image author energy esrb',
          ),
          names: words('bewertungen note noten grade imdb imdb_rating'),
        },
        description: 'rating',
      },
      {
        name: 'category',
        kind: 'text',
        role: 'category',
        listedByPath: true,
        sortable: true,
        filter: { kind: 'value', parameter: 'category' },
        facet: 'categories',
        searchWeight: 1,
        aliases: words(
          'categories genre genres category_name product_category department section product_type kategorie catégorie categoria categoría warengruppe produktgruppe rubrik',
        ),
        paths: words('_embedded.wp:term[0].name'),
        valueMembers: words(`name title category_name label ${TEXT_MEMBERS}`),
        guess: {
          any: words('genre genres category categories department section shelf collection kind type'),
          none: words(
            'id ids url link rank count number sub mime media content document image price currency html best seller cover binding identifier',
          ),
          names: words('dept cat group topic'),
        },
        description: 'category',
      },
    ],
  },
] as const satisfies readonly CollectionModel[];

/** The documented collections; a dataset may have others besides. */
export type DocumentedName = (typeof collections)[number]['name'];

/** Every documented field, each name once, for a collection whose columns are not known yet. Only the id is required. */
const anyFields: readonly Field[] = collections
  .flatMap(({ fields }): readonly Field[] => fields)
  .filter(({ name }, i, all) => all.findIndex((field) => field.name === name) === i)
  .map(({ required: _, ...field }) => (field.name === 'id' ? { ...field, required: true } : field));

/** A collection of the user's own, such as `jobs` of `--as jobs`: its id, and the documented fields that `keeps` picks. */
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

/** Whether a dump brought the field, which is not documented. */
export const isFound = ({ sourcePath }: Field): boolean => sourcePath !== undefined;

/** A field's value after loading; `null` where the scrape had none. */
export type Value = string | number | boolean | readonly string[] | null;

export const isTextual = (kind: FieldKind): kind is 'text' | 'code' | 'url' =>
  kind === 'text' || kind === 'code' || kind === 'url';
export const isList = (kind: FieldKind): kind is 'texts' | 'codes' => kind === 'texts' || kind === 'codes';
export const isNumeric = (kind: FieldKind): kind is 'integer' | 'number' => kind === 'integer' || kind === 'number';

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

export const sortKeys = (model: CollectionModel): readonly string[] =>
  model.fields.filter((field) => field.sortable).map((field) => field.name);

/** The names of the fields that can lift records in a search: numbers and dates that can be sorted by. */
export const boostKeys = (model: CollectionModel): readonly string[] =>
  model.fields
    .filter(({ sortable, kind }) => sortable && (isNumeric(kind) || kind === 'date'))
    .map((field) => field.name);

/** The part of a collection that must be there. */
export function collectionOf<T>(parts: ReadonlyMap<string, T>, name: string): T {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`there is no collection ${name}`);
  return part;
}

/** Addresses of the server, which no collection can have as its name. */
export const RESERVED_COLLECTIONS = ['api', 'assets', 'docs', 'export', 'health', 'openapi'];

/** Small letters of any script first, then digits and hyphens as well. */
export const isCollectionName = (text: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N}_-]*$/u.test(text) && text === text.toLowerCase() && !RESERVED_COLLECTIONS.includes(text);

/** Names of parameters and members of answers, which no found field can have. */
export const RESERVED_NAMES = [
  ...['page', 'limit', 'sort', 'order', 'fields', 'missing', 'q', 'match', 'fuzzy', 'prefix', 'highlight', 'suggest'],
  ...[
    'suggestion',
    'boost',
    'format',
    'bom',
    'delimiter',
    'guard',
    'startsWith',
    'field',
    'kind',
    'direction',
    'minPercent',
    'maxPercent',
  ],
  'view',
] as const;

/** A word found in a text of the dump's own counts once. */
const FOUND_TEXT_WEIGHT = 1;

/**
 * A field that a dump brought: numbers and dates are filtered by value and by range
 * (`stock=3`, `stock_gte=3`), everything else by value; texts are searched as well.
 */
export function foundField(name: string, kind: FieldKind, description: string): Field {
  if (kind === 'json') return { name, kind, description };
  const isOrdered = isNumeric(kind) || kind === 'date';
  return {
    name,
    kind,
    description,
    filter: isOrdered
      ? { kind: 'range', equals: name, min: `${name}_gte`, max: `${name}_lte` }
      : { kind: 'value', parameter: name },
    ...((isOrdered || isTextual(kind)) && { sortable: true }),
    ...((kind === 'text' || kind === 'texts') && { searchWeight: FOUND_TEXT_WEIGHT }),
  };
}
