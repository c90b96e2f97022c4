/**
 * What dumps call the documented fields, by their roles: other names, places deeper in a record, words by which a column is guessed; and
 * how a file tells which collection it holds. Lists are one line of words each, best first; case and punctuation do not matter.
 */
import type { CollectionModel, Field, FieldRole } from '../../model.js';
import { words } from '../../text.js';

interface FieldVocabulary {
  /** Names that go before the field's own. */
  readonly betterNames?: readonly string[];
  /** Other names that dumps give this field. */
  readonly aliases?: readonly string[];
  /** Usual places deeper in a record: `offers.price`. */
  readonly paths?: readonly string[];
  /** Where no name gave the field a column, the words by which one is guessed. */
  readonly guess?: GuessWords;
}

interface GuessWords {
  /** A column's name holds one of these; of `review+score` it holds both. */
  readonly any: readonly string[];
  /** The column's name holds none of these. */
  readonly none: readonly string[];
  /** Whole names that may mean something else, tried after the words. */
  readonly names?: readonly string[];
  /** Whole names for a last resort, where neither words nor values give the field a column: old prices. */
  readonly lastNames?: readonly string[];
}

/** Names of an author, but in a product, whose users are those who bought it or wrote a review. */
const USER_NAMES = words('posted_by submitted_by submitter username user_name user');

const VOCABULARY: Readonly<Record<FieldRole, FieldVocabulary>> = {
  id: {
    aliases: words('book_id article_id post_id object_id story_id question_id product_id item_id page_id uid nid'),
  },
  title: {
    aliases: words(
      'headline name heading article_title post_title story_title book_title product_title product_name item_name primary_title main_title display_title movie_title film_title titel titre titulo título titolo produkt produktname produkttitel produktbezeichnung artikelname artikelbezeichnung bezeichnung überschrift 商品名 タイトル العنوان название 标题 名称 original_title',
    ),
    paths: words('headline.main'),
    guess: {
      any: words('title headline heading name subject'),
      none: words(
        'author user reviewer customer host artist artists album seller brand vendor publisher category section site source company store file sub alt short first last given family nick owner channel feed meta seo id url link image count font',
      ),
      names: words('product item artikel nom nombre nome label h1 caption listing model book movie'),
    },
  },
  author: {
    aliases: [
      ...words('authors author_name by byline writer written_by creator dc:creator autor auteur autore'),
      ...USER_NAMES,
    ],
    paths: words(
      'byline.original _embedded.author[0].name owner.display_name account.display_name by_artist.name yoast_head_json.author channel_title',
    ),
    guess: {
      any: words('author authors writer byline artist artists poster creator submitter'),
      none: words(
        'id ids url uri link href image img avatar photo bio about count number email page created date karma flair premium followers followed last',
      ),
    },
  },
  link: {
    // An API has its own address in `url`, and that of the page beside it.
    betterNames: words('html_url web_url'),
    aliases: words(
      'link href permalink article_url post_url story_url source_url page_url full_url canonical_url article_link uri main_entity_of_page',
    ),
    guess: {
      any: words('url link href permalink uri'),
      none: words(
        'image img thumbnail thumb author api user avatar cover photo picture icon logo video audio feed comments hn reddit media next prev self short edit likes',
      ),
      names: words('canonical loc guid page source'),
    },
  },
  score: {
    aliases: words(
      'points num_points upvotes upvotes_count votes num_votes vote_count votes_count net_votes likes like_count likes_count favorite_count favourites_count karma ups public_reactions_count positive_reactions_count',
    ),
    paths: words('reactions.likes statistics.like_count public_metrics.like_count'),
    guess: {
      any: words('points upvotes score likes claps ups favorites favourites reactions karma'),
      none: words('down downs ratio user author percent review rating rank id url hidden hide z'),
      lastNames: words('shares share_count views view_count'),
    },
  },
  comments: {
    aliases: words(
      'num_comments comment_count comments_count n_comments number_of_comments total_comments descendants replies reply_count kommentare',
    ),
    paths: words('statistics.comment_count public_metrics.reply_count slash:comments'),
    guess: {
      any: words('comments comment replies responses'),
      none: words('id ids url link status feed karma author text body disabled enabled user allow'),
    },
  },
  date: {
    // WordPress has its date in local time, and this one beside it.
    betterNames: words('date_gmt'),
    aliases: words(
      'published_at published publication_date date_published publish_date date_publish published_date pub_date posted_at post_date posted created_at created created_utc creation_date timestamp datetime date_time time datum fecha veröffentlicht veröffentlicht_am erschienen',
    ),
    guess: {
      any: words('published publication posted pub created date dt datetime timestamp time'),
      none: words(
        'read reading download downloaded updated update modified scrape scraped crawl crawled fetched retrieved indexed edited expires expiry delivery birth end last zone tz duration run user author deleted access accessed sort',
      ),
      names: words('day'),
      lastNames: words('updated updated_at last_updated modified modified_at lastmod'),
    },
  },
  body: {
    aliases: words(
      'body text full_text main_text article_text article_body content_text content_html content:encoded selftext story_text body_html html markdown caption message inhalt contenu contenido',
    ),
    paths: words('fields.body_text fields.body'),
    guess: {
      any: words(
        'content body article text story description summary abstract excerpt extract snippet paragraph trail',
      ),
      none: words(
        'title author name user url link id ids count length type rating rank alt meta image date lang language hash flair html5 status',
      ),
    },
  },
  tags: {
    aliases: words('tag keywords labels topics tag_list hashtags categories'),
    paths: words('_embedded.wp:term[1].name _embedded.wp:term[0].name'),
    guess: {
      any: words('tags tag keywords keyword topics topic hashtags labels categories category subjects section'),
      none: words('id ids url link count number user best seller rank meta'),
    },
  },
  price: {
    aliases: words(
      'current_price sale_price discount_price selling_price offer_price final_price discounted_price unit_price product_price price_amount price_usd price_incl_tax amount cost regular_price preis prix precio preço prezzo verkaufspreis endpreis bruttopreis 価格 цена prices',
    ),
    paths: words(
      'offers.price offers.low_price offers[0].price variants[0].price variants.edges[0].node.price sale_info.retail_price.amount sale_info.list_price.amount price_range.min_variant_price.amount price_info.price',
    ),
    guess: {
      any: words(
        'price cost amount preis prix precio preço prezzo pris prijs cena hinta fiyat sale+eur sale+usd sale+gbp',
      ),
      none: words(
        'old list original actual was regular shipping min max high low currency per discount count change type label level tier range avg average before tax minor cent cents ct pence penny rappen öre micros k compare rrp msrp strike striked percentage percent sold id url history previous retail symbol unit valid alt alter alte statt uvp versand weight rating lat lon lng kg g lb lbs oz gram grams ml l cm mm m km width height length depth size area sqft fee deposit pfand duration precision scale divisor digits decimals',
      ),
      lastNames: words(
        'list_price original_price actual_price old_price msrp rrp uvp nettopreis alter_preis streichpreis retail_price was_price',
      ),
    },
  },
  image: {
    aliases: words(
      'image img image_link img_link img_url image_src img_src picture picture_url photo photo_url cover cover_url cover_image product_image main_image thumbnail thumbnail_url images image_1 image_url_1 bild imagen imagem immagine foto foto_url bild_url',
    ),
    paths: words('image_links.thumbnail featured_image.src media[0].url'),
    guess: {
      any: words('image images img imgs picture pictures photo photos thumbnail thumb cover poster artwork'),
      none: words(
        'count number alt width height type author user avatar id ids caption credit hash size title text logo favicon flag badge',
      ),
      names: words('src media gallery'),
    },
  },
  rating: {
    aliases: words(
      'stars average_rating avg_rating mean_rating rating_average ratings_average vote_average rating_value star_rating product_rating overall_rating review_rating book_depository_stars review_score bewertung valoración avaliação valutazione sterne',
    ),
    paths: words('aggregate_rating.rating_value reviews.average reviews.rating'),
    guess: {
      any: words('rating stars star review+average customer+average review+score user+score'),
      none: words(
        'count counts number num n total ratings votes reviews max min best worst distribution scale age content mpaa maturity date rank price percentage percent url link text id image author energy esrb',
      ),
      names: words('bewertungen note noten grade imdb imdb_rating score rate'),
    },
  },
  category: {
    aliases: words(
      'categories genre genres category_name product_category department section product_type kategorie catégorie categoria categoría warengruppe produktgruppe rubrik',
    ),
    paths: words('_embedded.wp:term[0].name'),
    guess: {
      any: words('genre genres category categories department section shelf collection kind type'),
      none: words(
        'id ids url link rank count number sub mime media content document image price currency html best seller cover binding identifier',
      ),
      names: words('dept cat group topic'),
    },
  },
};

const NO_WORDS: FieldVocabulary = {};

/** A field of the dump's own goes by its path alone. */
export const vocabularyOf = ({ role }: Field): FieldVocabulary => (role === undefined ? NO_WORDS : VOCABULARY[role]);

/** The other names of a field in a collection. */
export function aliasesIn({ name }: CollectionModel, field: Field): readonly string[] {
  const { aliases = [] } = vocabularyOf(field);
  return name === 'products' ? aliases.filter((alias) => !USER_NAMES.includes(alias)) : aliases;
}

/** How a file tells that it holds a collection, if its name does not. */
interface CollectionVocabulary {
  /** Types of JSON-LD (schema.org) whose records are of this collection. */
  readonly types: readonly string[];
  /** Fields that together tell the collection, by names or words of names. */
  readonly signatures: readonly (readonly FieldRole[])[];
  /** The same, by their own names and aliases only. */
  readonly exactSignatures: readonly (readonly FieldRole[])[];
}

const COLLECTIONS: Readonly<Record<string, CollectionVocabulary>> = {
  articles: {
    types: words(
      'Article NewsArticle AnalysisNewsArticle BackgroundNewsArticle OpinionNewsArticle ReportageNewsArticle ReviewNewsArticle Report SatiricalArticle ScholarlyArticle TechArticle APIReference SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting AdvertiserContentArticle',
    ),
    signatures: [['score'], ['comments']],
    exactSignatures: [
      ['body', 'author'],
      ['body', 'date'],
    ],
  },
  products: {
    types: words(
      'Product IndividualProduct ProductCollection ProductGroup ProductModel SomeProducts Vehicle Car Motorcycle Drug DietarySupplement Book Movie MusicAlbum VideoGame SoftwareApplication MobileApplication WebApplication',
    ),
    signatures: [['price'], ['rating', 'image']],
    exactSignatures: [['rating', 'author']],
  },
};

/** A collection that only its name tells. */
const ONLY_NAMED: CollectionVocabulary = { types: [], signatures: [], exactSignatures: [] };

export const collectionVocabulary = ({ name }: CollectionModel): CollectionVocabulary =>
  COLLECTIONS[name] ?? ONLY_NAMED;
