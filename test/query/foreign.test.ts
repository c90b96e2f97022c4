/** What people type who come from other APIs: it is answered, or refused with the line that works here. */
import { expect, test } from 'vitest';
import { nearest } from '../../src/nearest.js';
import { appOf, datasetOf } from '../support/api.js';

const app = appOf(
  datasetOf({
    products: [
      { id: 1, title: 'Tea pot', author: 'Ada', price: 12.5, rating: 4, category: 'Kitchen' },
      { id: 2, title: 'Atlas', author: 'Bo', price: 30, rating: 5, category: 'Art' },
      { id: 3, title: 'Tea cup', author: 'Cy, Dee', price: 4, rating: 4, category: 'Kitchen' },
      { id: 4, title: 'Stool', author: null, price: null, rating: null, category: null },
    ],
  }),
);

/** Addresses that are answered, with the ids that they find. */
test.each<readonly [habit: string, query: string, ids: readonly number[]]>([
  ['json-server', 'price_gte=10', [1, 2]],
  ['json-server', 'price_gte=10&price_lte=20', [1]],
  ['json-server v1', 'price_gt=12.5', [2]],
  ['json-server v1', 'price_lt=12.5', [3]],
  ['json-server', 'category_ne=Art', [1, 3, 4]],
  ['json-server', 'author_like=d', [1, 3]],
  ['json-server', 'id=1&id=3', [1, 3]],
  ['react-admin', 'id=2&id=4&id=99', [2, 4]],
  ['json-server', 'q=tea', [1, 3]],
  ['any', 'price=30', [2]],
  ['any', 'price=3e1', [2]],
  ['any', 'price=30&price=4', [2, 3]],
  ['any', 'price_ne=30', [1, 3, 4]],
  ['any', 'rating_ne=4&rating_ne=5', [4]],
  ['JSON:API', 'sort=-price', [2, 1, 3, 4]],
  ['JSON:API', 'sort=price', [3, 1, 2, 4]],
  ['JSON:API', 'sort=-rating,price', [2, 3, 1, 4]],
  ['JSON:API', 'sort=rating,-title', [1, 3, 2, 4]],
  ['JSON:API', 'sort=category,-price', [2, 1, 3, 4]],
  ['Rails', 'sort=author', [1, 2, 3, 4]],
  ['any', 'sort=-price&page=2&limit=2', [3, 4]],
  ['any', 'sort=-rating,price&page=2&limit=1', [3]],
  ['any', 'id_gt=2&sort=-id', [4, 3]],
])('%s: %s', async (_, query, ids) => {
  const response = await app.request(`/api/products?${query}`);
  const { data }: { readonly data: readonly { readonly id: number }[] } = JSON.parse(await response.text());
  expect(data.map(({ id }) => id)).toEqual(ids);
  const isWhole = !query.includes('limit');
  if (isWhole) expect(response.headers.get('X-Total-Count')).toBe(String(ids.length));
});

/** Addresses that are refused, with the line that they get. Lines name fields that are there. */
test.each<readonly [habit: string, query: string, line: string]>([
  ['GitHub', 'per_page=5', 'Write limit=5.'],
  ['json-server v1', '_per_page=5', 'Write limit=5.'],
  ['Spring', 'pageSize=5', 'Write limit=5.'],
  ['Algolia', 'hitsPerPage=5', 'Write limit=5.'],
  ['OData', '$top=5', 'Write limit=5.'],
  ['Apify', 'offset=40', 'page=3&limit=20 skips 40 records'],
  ['OData', '$skip=40', 'page=3&limit=20 skips 40 records'],
  ['json-server', '_start=40', 'page=3&limit=20 skips 40 records'],
  ['Stripe', 'starting_after=abc', 'page=3&limit=20 skips 40 records'],
  ['json-server', '_page=2', 'Did you mean "page"?'],
  ['json-server', '_limit=2', 'Did you mean "limit"?'],
  ['json-server', '_sort=price', 'Did you mean "sort"?'],
  ['Rails', 'order_by=price', 'Write sort=price.'],
  ['Spring', 'sortBy=price', 'Write sort=price.'],
  ['Spring', 'sortDir=desc', 'sort=-price for descending'],
  ['Strapi', 'sort=price:desc', 'Write sort=-price.'],
  ['Meilisearch', 'sort=price:asc', 'Write sort=price.'],
  ['PostgREST', 'order=price.desc', 'Write sort=-price.'],
  ['SQL', 'sort=price&order=DESC', 'Write order=desc.'],
  ['Strapi', 'filters[price][$gte]=10', 'Write price_gte=10.'],
  ['Stripe', 'price[gte]=10', 'Write price_gte=10.'],
  ['Stripe', 'price[lt]=10', 'Write price_lt=10.'],
  ['Django', 'price__gte=10', 'Write price_gte=10.'],
  ['Django', 'author__icontains=ada', 'Write author_like=ada.'],
  ['json-server v1', 'price:gte=10', 'Write price_gte=10.'],
  ['PostgREST', 'price=gte.10', 'Write price_gte=10.'],
  ['PostgREST', 'category=eq.Art', 'Write category=Art.'],
  ['PostgREST', 'category=in.(Art,Kitchen)', 'Write category=Art&category=Kitchen.'],
  ['WooCommerce', 'category=Art,Kitchen', 'Write category=Art&category=Kitchen.'],
  ['JSON:API', 'filter[category]=Art', 'Write category=Art.'],
  ['Sequelize', 'where[category]=Art', 'Write category=Art.'],
  ['LoopBack', 'filter=x', 'A field is a parameter of its own: price_gte=10.'],
  ['OData', '$filter=price', 'A field is a parameter of its own: price_gte=10.'],
  ['PostgREST', 'select=id,title', 'Write fields=id,title.'],
  ['json-server', 'author_gte=5', 'author takes author, author_ne, author_like.'],
  ['Elasticsearch', 'query=tea', 'Write q=tea'],
  ['WordPress', 'search=tea', 'Write q=tea'],
  ['Datasette', 'format=csv', '/api/export'],
  ['any', 'max_price=5', 'Write price_lte=5.'],
  ['any', 'minprice=5', 'Did you mean "minPrice"?'],
  ['SQL', 'group_by=category', '/values/FIELD'],
  ['any', 'api_key=1', 'No key is needed.'],
  ['Strapi', 'filters[author][$in][0]=Ada', 'Write author=Ada.'],
  ['Strapi', 'filters[$and][0][author][$eq]=Ada', 'Write author=Ada.'],
  ['Strapi', 'filters[author][$null]=true', 'missing=author finds'],
  ['Strapi', 'filters[price][$between]=4,20', 'Write price_gte=4&price_lte=20.'],
  ['Strapi', 'pagination[page]=2', 'Write page=2.'],
  ['Strapi', 'pagination[pageSize]=5', 'Write limit=5.'],
  ['Strapi', 'sort[0]=price:desc', 'Write sort=-price.'],
  ['Strapi', 'fields[0]=title', 'Write fields=title.'],
  ['Directus', 'filter[price][_gte]=5', 'Write price_gte=5.'],
  ['Directus', 'filter[author][_in]=Ada,Bo', 'Write author=Ada&author=Bo.'],
  ['Directus', 'filter[price][_between]=4,20', 'Write price_gte=4&price_lte=20.'],
  ['Directus', 'meta=total_count', 'X-Total-Count'],
  ['Directus', 'groupBy[]=category', '/stats'],
  ['JSON:API', 'page[number]=2', 'Write page=2.'],
  ['JSON:API', 'page[size]=5', 'Write limit=5.'],
  ['JSON:API', 'sort[price]=desc', 'Write sort=-price.'],
  ['OData', '$orderby=price desc', 'Write sort=-price.'],
  ['OData', '$select=title', 'Write fields=title.'],
  ['Stripe', 'expand[]=author', 'no relations'],
  ['PostgREST', 'price=is.null', 'missing=price finds'],
  ['PostgREST', 'category=not.eq.Art', 'Write category_ne=Art.'],
  ['PostgREST', 'author=ilike.*ad*', 'Write author_like=ad.'],
  ['PostgREST', 'or=(price.gt.5,price.lt.3)', 'All conditions hold together'],
  ['SQL', 'author=%25ad%25', 'Write author_like=ad.'],
  ['shell', 'author=*ad*', 'Write author_like=ad.'],
  ['OpenSearch', 'author=!Ada', 'Write author_ne=Ada.'],
  ['any', 'author!=Ada', 'Write author_ne=Ada.'],
  ['any', 'price>=10', 'Write price_gte=10.'],
  ['any', 'price>10', 'Write price_gt=10.'],
  ['any', 'price=>10', 'Write price_gt=10.'],
  ['any', 'priceMin=4', 'Write price_gte=4.'],
  ['any', 'maxPRICE=4', 'Did you mean "maxPrice"?'],
  ['any', 'PriceLessThan=4', 'Write price_lt=4.'],
  ['Prisma', 'authorContains=ada', 'Write author_like=ada.'],
  ['any', 'price=4..', 'Write price_gte=4.'],
  ['any', 'price=..20', 'Write price_lte=20.'],
  ['any', 'price=gt:10', 'Write price_gt=10.'],
  ['GraphQL', 'last=10', 'sort=-price for descending'],
  ['any', 'price=4..20', 'Write price_gte=4&price_lte=20.'],
  ['Elasticsearch', 'price=[4 TO 20]', 'Write price_gte=4&price_lte=20.'],
  ['any', 'price=4,30', 'Write price=4&price=30.'],
  ['any', 'id=1,2,3', 'Write id=1&id=2&id=3.'],
  ['Rails', 'id[]=1', 'Write id=1.'],
  ['PHP', 'author[]=Ada', 'Write author=Ada.'],
  ['Django', 'author__in=Ada,Bo', 'Write author=Ada&author=Bo.'],
  ['Django', 'author__isnull=true', 'missing=author finds'],
  ['Django', 'author__startswith=A', 'Write author_like=A.'],
  ['any', 'author_exists=true', 'missing=author finds'],
  ['Elasticsearch', 'exists=author', 'missing=FIELD finds'],
  ['Elasticsearch', 'default_operator=AND', 'match=all'],
  ['Elasticsearch', '_source=title', 'Write fields=title.'],
  ['Elasticsearch', 'track_total_hits=true', 'X-Total-Count'],
  ['Elasticsearch', 'pretty=true', 'jq'],
  ['MongoDB', 'sort=price:-1', 'Write sort=-price.'],
  ['Feathers', 'sort[price]=-1', 'Write sort=-price.'],
  ['SQL', 'sort=price desc', 'Write sort=-price.'],
  ['any', 'sort=price,desc', 'Write sort=-price.'],
  ['any', 'sort=+price', 'Write sort=price.'],
  ['any', 'sort=random', 'no random order'],
  ['json-server', '_end=10', 'page=3&limit=20 skips 40 records'],
  ['any', 'limit=all', '/api/export'],
  ['any', 'limit=-1', '/api/export'],
  ['any', 'paginate=false', '/api/export'],
  ['any', 'price=null', 'missing=price finds'],
  ['any', 'missing=author,price', 'Write missing=author&missing=price.'],
  ['any', 'category=Art|Kitchen', 'Write category=Art&category=Kitchen.'],
  ['json-server v1', 'price:between=4,20', 'Write price_gte=4&price_lte=20.'],
  ['json-server v1', '_where={"price":{"gt":5}}', 'A field is a parameter of its own: price_gte=10.'],
  ['PostgREST', 'id=in.(1,2)', 'Write id=1&id=2.'],
  ['PostgREST', 'id=not.in.(1,2)', 'Write id_ne=1&id_ne=2.'],
  ['PostgREST', 'title=fts.tea', 'Write title_like=tea.'],
  ['PostgREST', 'title=plfts(english).tea', 'Write title_like=tea.'],
  ['PostgREST', 'title=match.^Tea', 'Write title_like=Tea.'],
  ['PostgREST', 'author=is.null', 'missing=author finds the records without a value;'],
  ['PostgREST', 'author=not.is.null', 'no filter finds those that have one.'],
  ['PostgREST', 'price=not.is.null', 'no filter finds those that have one.'],
  ['SQL', 'author=null', 'missing=author finds the records without a value;'],
  ['SQL', 'author_ne=null', 'no filter finds those that have one.'],
  ['shell', 'author=*', 'no filter finds those that have one.'],
  ['shell', 'author_ne=*', 'missing=author finds the records without a value;'],
  ['PostgREST', 'author_ne=eq.Ada', 'Write author_ne=Ada.'],
  ['OpenSearch', 'author_ne=!Ada', 'Write author=Ada.'],
  ['WooCommerce', 'category_ne=Art,Kitchen', 'Write category_ne=Art&category_ne=Kitchen.'],
  ['any', 'id_ne=1,2', 'Write id_ne=1&id_ne=2.'],
  ['any', 'price=1,000', 'A number is written as 1234.5'],
  ['any', 'price=15,00', 'A number is written as 1234.5'],
  ['Spring', 'sort=price&order=descending', 'Write order=desc.'],
  ['any', 'fields=!title', 'a field cannot be left out by its name'],
  ['any', 'fields=-title', 'a field cannot be left out by its name'],
  ['Supabase', 'order=price.desc.nullslast,title', 'Write sort=-price,title.'],
  ['Supabase', 'select=id,title,price::text', 'Write fields=id,title,price.'],
  ['PostgREST', 'and=(price.gte.5,price.lt.20)', 'A field is a parameter of its own: price_gte=10.'],
  ['Strapi', 'filters[title][$notContains]=Tea', 'title takes title, title_ne, title_like.'],
  ['Strapi', 'filters[title][$startsWith]=Tea', 'Write title_like=Tea.'],
  ['Strapi', 'filters[title][$endsWith]=pot', 'Write title_like=pot.'],
  ['Strapi', 'filters[title][$eqi]=atlas', 'Write title=atlas.'],
  ['Strapi', 'filters[author][$notNull]=true', 'no filter finds those that have one.'],
  ['Strapi', 'filters[author][$notNull]=false', 'missing=author finds the records without a value;'],
  ['Strapi', 'filters[$or][0][price]=5', 'any of several values of one field is enough'],
  ['Strapi', 'filters[id][$notIn]=1', 'Write id_ne=1.'],
  ['Strapi', 'sort=price:asc,title:desc', 'Write sort=price,-title.'],
  ['Strapi', 'populate[author]=true', 'no relations'],
  ['Strapi', 'fields=title&fields=price', 'Several fields are comma-separated: fields=id,price.'],
  ['Strapi', 'pagination[withCount]=true', 'X-Total-Count'],
  ['Stripe', 'ending_before=abc', 'page=3&limit=20 skips 40 records'],
  ['Directus', 'filter[title][_starts_with]=tea', 'Write title_like=tea.'],
  ['Directus', 'filter[title][_nin]=Atlas,Stool', 'Write title_ne=Atlas&title_ne=Stool.'],
  ['Directus', 'filter[author][_nnull]=true', 'no filter finds those that have one.'],
  ['Directus', 'filter[_and][0][price][_gte]=5', 'Write price_gte=5.'],
  ['Directus', 'filter={"price":{"_gte":5}}', 'A field is a parameter of its own: price_gte=10.'],
  ['Directus', 'fields=*.*', 'Write fields=*.'],
  ['Directus', 'sort=-price,+title', 'Write sort=-price,title.'],
  ['Directus', 'aggregate[avg]=price', '/stats'],
  ['Directus', 'export=csv', '/api/export'],
  ['OData', '$filter=price gt 5', 'A field is a parameter of its own: price_gte=10.'],
  ['OData', "$filter=category eq 'Art' or price lt 40", 'any of several values of one field is enough'],
  ['OData', '$orderby=price desc,title', 'Write sort=-price,title.'],
  ['OData', '$count=true', 'X-Total-Count'],
  ['OData', '$inlinecount=allpages', 'X-Total-Count'],
  ['OData', '$apply=groupby((category))', '/stats'],
  ['OData', '$skiptoken=abc', 'page=3&limit=20 skips 40 records'],
  ['Elasticsearch', '_source_includes=title', 'Write fields=title.'],
  ['Elasticsearch', '_source_excludes=title', 'a field cannot be left out by its name'],
  ['Elasticsearch', 'search_after=abc', 'page=3&limit=20 skips 40 records'],
  ['Elasticsearch', 'aggs=category', '/values/FIELD'],
  ['Django', 'title__iexact=atlas', 'Write title=atlas.'],
  ['Django', 'title__regex=tea', 'Write title_like=tea.'],
  ['Django', 'price__range=(4,20)', 'Write price_gte=4&price_lte=20.'],
  ['Django', 'author__isnull=False', 'no filter finds those that have one.'],
  ['Django', 'ordering=-price,title', 'Write sort=-price,title.'],
  ['Django', 'page_size=5', 'Write limit=5.'],
  ['GraphQL', 'first=10', 'Write limit=10.'],
  ['GraphQL', 'orderBy=price_DESC', 'Write sort=-price.'],
  ['Hasura', 'where[price][_gt]=5', 'Write price_gt=5.'],
  ['Hasura', 'order_by[price]=desc', 'Write sort=-price.'],
  ['Prisma', 'title_contains=tea', 'Write title_like=tea.'],
  ['Prisma', 'title_not=Atlas', 'Write title_ne=Atlas.'],
  ['The Graph', 'title_contains_nocase=tea', 'Write title_like=tea.'],
  ['The Graph', 'price_in=[4,30]', 'Write price=4&price=30.'],
  ['The Graph', 'price_not_in=[4,30]', 'Write price_ne=4&price_ne=30.'],
  ['Ransack', 'q[price_gteq]=5', 'Write price_gte=5.'],
  ['Ransack', 'title_cont=tea', 'Write title_like=tea.'],
  ['Spring', 'sort=price,desc', 'Write sort=-price.'],
  ['any', 'sort=-price,titel', '"titel" is none of them. Did you mean "title"?'],
  ['any', 'sort=price,-price', '"price" is there twice.'],
  ['Spring', 'sort=price&sort=title', 'Several keys are comma-separated: sort=id,price.'],
  ['MongoDB', 'sort={"price":-1}', 'Write sort=-price.'],
  ['any', 'filter=price>5', 'A field is a parameter of its own: price_gte=10.'],
  ['GitHub', 'q=price:>5', 'Write price_gt=5.'],
  ['GitHub', 'q=tea price:4..20', 'Write price_gte=4&price_lte=20.'],
  ['Lucene', 'q=(Price:12.5) tea', 'Write price=12.5.'],
  ['Lucene', 'q=rating:[4 TO 5]', 'Write rating_gte=4&rating_lte=5.'],
  ['any', 'q=price<=5 tea', 'Write price_lte=5.'],
  ['any', 'q=price!=5', 'Write price_ne=5.'],
  ['GitHub', 'q=tea -price:>5', 'Write price_lte=5.'],
  ['Lucene', 'q=-rating:4', 'Write rating_ne=4.'],
  ['Lucene', 'q=imageUrl:cdn', 'Write imageUrl_like=cdn.'],
  ['Lucene', 'q=_exists_:author', 'no filter finds those that have one.'],
  ['Lucene', 'q=author:*', 'no filter finds those that have one.'],
  ['Lucene', 'q=-_exists_:author', 'missing=FIELD finds the records without a value;'],
  ['Lucene', 'q=_missing_:price', 'missing=FIELD finds the records without a value;'],
  ['Lucene', 'q=title:*', 'no filter finds those that have one.'],
  ['Elasticsearch', 'q=*:*', 'A list without q has all records.'],
  ['any', 'q=*', 'A list without q has all records.'],
  ['Lucene', 'q=category:(Art OR Kitchen)', 'given several times for any of several values'],
  [
    'Lucene',
    'q=tea category:("Blue tea" OR Art)',
    String.raw`has "category:(\"Blue tea\" OR Art)", which is no sign here.`,
  ],
  ['Lucene', 'q=title:(tea pot)', 'FIELD:WORD in q searches one word in it'],
  ['Lucene', 'q=-category:(Art || Kitchen)', 'A field is a parameter of its own'],
  ['Lucene', 'q=te*', 'the last word of q also finds longer words'],
  ['Lucene', 'q=title:te*', 'the last word of q also finds longer words'],
  ['Lucene', 'q=te* pot', 'FIELD_like=PART finds a part of a text'],
  ['SQLite', 'q=author:ad* tea', 'FIELD_like=PART finds a part of a text'],
  ['any', 'q=*pot', 'FIELD_like=PART finds a part of a text'],
  ['Lucene', 'q=pot AND tea', 'match=all asks for all words'],
  ['Lucene', 'q=pot %26%26 tea', 'match=all asks for all words'],
  ['GitHub', 'q=tea NOT pot', '-WORD leaves out'],
  ['Lucene', 'q=tea AND NOT "tea pot"', '-WORD leaves out'],
  ['Lucene', 'q=tea !pot', '-WORD leaves out'],
  ['Lucene', 'q=NOT tea', 'Beside a word that must occur'],
  ['Lucene', 'q=(tea OR atlas) AND pot', 'match=all asks for all words'],
  ['Google', 'q=%2Btea pot', 'match=all asks for all words'],
  ['Lucene', 'q=NOT "tea pot" NOT cup', 'Beside a word that must occur'],
  ['Elasticsearch', 'price=[5 TO *]', 'Write price_gte=5.'],
  ['Google', 'q=%2Btitle:tea pot', 'match=all asks for all words'],
  ['Lucene', 'q=%2B"tea pot"', 'a phrase in quotes must occur'],
  ['Lucene', 'q=taa~1', 'fuzzy=0 leaves near spellings out'],
  ['Lucene', 'q="tea cup"~2', 'A word has no weight and no distance'],
  ['Lucene', 'q=tea^2 pot', 'A word has no weight and no distance'],
  ['Lucene', 'q=[1 TO 5]', 'A range is of a field: FIELD_gte'],
  ['Lucene', 'q=title:[a TO b]', 'A range is of a field'],
  ['Lucene', 'q=price:{1 TO 5}', 'Write price_gt=1&price_lt=5.'],
  ['Lucene', 'q=price:[1 TO *]', 'Write price_gte=1.'],
  ['Lucene', 'q=price:[* TO 5}', 'Write price_lt=5.'],
  ['SQL', 'title_like=%25tea%25', 'Write title_like=tea.'],
  ['json-server', 'title_like=^Tea', 'Write title_like=Tea.'],
  ['shell', 'author_like=ad*', 'Write author_like=ad.'],
  ['json-server', 'title_like=.*pot.*', 'Write title_like=pot.'],
  ['PostgREST', 'price=not.lt.10', 'Write price_gte=10.'],
  ['PostgREST', 'price=not.like.10', 'must be a number'],
  ['PostgREST', 'price=isdistinct.10', 'Write price_ne=10.'],
  ['Supabase', 'order=price.desc.nullsfirst,title.asc', 'Write sort=-price,title.'],
  ['json-server v1', 'author:contains=ad', 'Write author_like=ad.'],
  ['json-server v1', 'id:in=1,2', 'Write id=1&id=2.'],
  [
    'json-server v1',
    '_where={"or":[{"price":{"gt":10}},{"author":{"eq":"Ada"}}]}',
    'any of several values of one field',
  ],
  ['OData', '$filter=not (price gt 5)', 'any of several values of one field'],
  ['JSON:API', 'fields[products]=title,price', 'Write fields=title,price.'],
  ['JSON:API', "filter=greaterThan(price,'5')", 'A field is a parameter of its own: price_gte=10.'],
  ['JSON:API', 'filter[author:not]=Ada', 'Write author_ne=Ada.'],
  ['Algolia', 'filters=price>10 AND category:Art', 'A field is a parameter of its own: price_gte=10.'],
  ['Algolia', 'restrictSearchableAttributes=title', 'FIELD:WORD in q'],
  ['Algolia', 'attributesToHighlight=title', 'Write highlight=1'],
  ['Algolia', 'typoTolerance=false', 'fuzzy=0'],
  ['Elasticsearch', 'q=tea&df=title', 'FIELD:WORD in q'],
  ['Elasticsearch', 'sort=_score', 'Without sort the best matches of q come first.'],
  ['Elasticsearch', 'fuzziness=AUTO', 'fuzzy=1'],
  ['Django', 'price__range=4,20', 'Write price_gte=4&price_lte=20.'],
  ['Django', 'price_min=4', 'Write price_gte=4.'],
  ['Laravel', 'filter[price]=>10', 'Write price_gt=10.'],
  ['Laravel', 'filter[author]=null', 'missing=author finds'],
  [
    'Hasura',
    'where={"_and":[{"price":{"_gt":4}},{"price":{"_lt":20}}]}',
    'A field is a parameter of its own: price_gte=10.',
  ],
  ['Hasura', 'where={"author":{"_is_null":false}}', 'any of several values of one field'],
  ['Hasura', 'order_by={price:desc_nulls_last}', 'Write sort=-price.'],
  ['Hasura', 'distinct_on=category', '/values/FIELD'],
  ['GraphQL', 'orderBy=PRICE_DESC', 'Write sort=-price.'],
  ['Airtable', "filterByFormula={category}='Art'", 'A field is a parameter of its own: price_gte=10.'],
  ['Airtable', "filterByFormula=AND({price}>5,{category}='Art')", 'A field is a parameter of its own'],
  ['Airtable', 'maxRecords=5', 'Write limit=5.'],
  ['Airtable', 'sort[0][field]=price', 'Write sort=price.'],
  ['Airtable', 'sort[0][direction]=desc', 'Write sort=price, or sort=-price for descending'],
  ['Airtable', 'fields[]=title', 'Write fields=title.'],
  ['Notion', 'start_cursor=abc', 'page=3&limit=20 skips 40 records'],
  ['Notion', 'filter_properties=title', 'Write fields=title.'],
  ['Notion', 'sorts=[{"property":"price"}]', 'Write sort=price, or sort=-price'],
  ['Notion', 'filter[number][greater_than]=5', 'A field is a parameter of its own'],
  ['Shopify', 'page_info=abc', 'page=3&limit=20 skips 40 records'],
  ['Shopify', 'since_id=5', 'page=3&limit=20 skips 40 records'],
  ['Shopify', 'ids=1,2', 'Write id=1&id=2.'],
  ['WordPress', 'include=1,2', 'Write id=1&id=2.'],
  ['WordPress', 'exclude=1,2', 'Write id_ne=1&id_ne=2.'],
  ['WordPress', 'author_exclude=Ada', 'Write author_ne=Ada.'],
  ['WordPress', 'categories=Art', 'Write category=Art.'],
  ['WordPress', '_embed', 'no relations'],
  ['WordPress', '_fields=id,title', 'Write fields=id,title.'],
  ['Contentful', 'fields.price[gte]=5', 'Write price_gte=5.'],
  ['Contentful', 'fields.price=5', 'Write price=5.'],
  ['Contentful', 'fields.category=Art', 'Write category=Art.'],
  ['Contentful', 'fields.title[match]=tea', 'Write title_like=tea.'],
  ['Contentful', 'fields.category[in]=Art,Kitchen', 'Write category=Art&category=Kitchen.'],
  ['Contentful', 'fields.category[nin]=Art', 'Write category_ne=Art.'],
  ['Contentful', 'fields.price[exists]=true', 'no filter finds those that have one.'],
  ['Contentful', 'order=-fields.price', 'Write sort=-price.'],
  ['Contentful', 'select=fields.title,fields.price', 'Write fields=title,price.'],
  ['Firebase', 'orderBy="price"', 'Write sort=price.'],
  ['Firebase', 'startAt=5', 'A field is a parameter of its own: price_gte=10.'],
  ['Firebase', 'equalTo="Art"', 'A field is a parameter of its own: price_gte=10.'],
  ['Firebase', 'limitToFirst=5', 'Write limit=5.'],
  ['Firebase', 'print=pretty', 'jq'],
  ['Firebase', 'shallow=true', 'no relations'],
  ['CouchDB', 'include_docs=true', 'no relations'],
  ['CouchDB', 'startkey="a"', 'A field is a parameter of its own'],
  ['CouchDB', 'descending=true', 'sort=-price for descending'],
  ['CouchDB', 'group_level=1', '/values/FIELD'],
  ['CouchDB', 'selector={"price":{"$gt":5}}', 'A field is a parameter of its own: price_gte=10.'],
  ['Solr', 'fq=price:[5 TO 10]', 'A field is a parameter of its own: price_gte=10.'],
  ['Solr', 'fl=id,title', 'Write fields=id,title.'],
  ['Solr', 'rows=5', 'Write limit=5.'],
  ['Solr', 'wt=csv', '/api/export'],
  ['Solr', 'facet.field=category', '/values/FIELD'],
  ['Solr', 'q.op=AND', 'match=all'],
  ['Typesense', 'filter_by=price:>5', 'A field is a parameter of its own: price_gte=10.'],
  ['Typesense', 'sort_by=price:desc', 'Write sort=-price.'],
  ['Typesense', 'facet_by=category', '/values/FIELD'],
  ['Typesense', 'include_fields=id,title', 'Write fields=id,title.'],
  ['Typesense', 'exclude_fields=title', 'a field cannot be left out by its name'],
  ['Typesense', 'query_by=title', 'FIELD:WORD in q'],
  ['Meilisearch', 'filter=price > 5 AND category = Art', 'A field is a parameter of its own: price_gte=10.'],
  ['Meilisearch', 'attributesToRetrieve=id,title', 'Write fields=id,title.'],
  ['Meilisearch', 'attributesToCrop=title', 'Write highlight=1'],
  ['Meilisearch', 'matchingStrategy=all', 'match=all'],
  ['Socrata', "$where=category='Art' AND price > 5", 'A field is a parameter of its own: price_gte=10.'],
  ['Socrata', '$order=price DESC', 'Write sort=-price.'],
  ['Socrata', '$having=count>5', '/values/FIELD'],
  ['Socrata', '$$app_token=x', 'No key is needed.'],
  ['CKAN', 'filters={"category":"Art"}', 'A field is a parameter of its own: price_gte=10.'],
  ['CKAN', 'records_format=csv', '/api/export'],
  ['CKAN', 'include_total=true', 'X-Total-Count'],
  ['datasette', '_sort_desc=price', 'Write sort=-price.'],
  ['datasette', '_where=price>5', 'A field is a parameter of its own: price_gte=10.'],
  ['datasette', '_col=title', 'Write fields=title.'],
  ['datasette', '_nocol=title', 'a field cannot be left out by its name'],
  ['datasette', '_next=100', 'page=3&limit=20 skips 40 records'],
  ['datasette', '_shape=array', '/api/export'],
  ['datasette', 'category__isblank=1', 'missing=category finds the records without a value;'],
  ['datasette', 'category__notblank=1', 'no filter finds those that have one.'],
  ['datasette', 'title__glob=tea*', 'Write title_like=tea.'],
  ['datasette', '_facet=category', '/values/FIELD'],
])('%s: %s gets the line that works', async (_, query, line) => {
  const response = await app.request(`/api/products?${query}`);
  expect(response.status).toBe(422);
  const { error } = JSON.parse(await response.text());
  expect(`${error.message} `).toContain(line);
  expect(error.message.match(/Known here/g)?.length ?? 0).toBeLessThanOrEqual(1);
  // What an error says to write can be written.
  for (const [, written = ''] of error.message.matchAll(/(?:Write|separated:|of its own:) ([^ …]+?)[.,]?(?: |$)/g))
    expect([written, (await app.request(`/api/products?${written}`)).status]).toEqual([written, 200]);
});

test.each([
  ['products?sort=-price&order=asc', '"order" goes with one "sort" without `-`: id, title,'],
  ['products?sort=price,id&order=asc', '"order" goes with one "sort" without `-`: id, title,'],
  ['export/products?page=2', 'A file has all records that match, or the first ones: limit=50.'],
  ['export/products?format=atom&q=price:>5', 'Write price_gt=5.'],
])('/api/%s is refused, and the reason is said', async (address, reason) => {
  const response = await app.request(`/api/${address}`);
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
  ]);
});

test('a foreign spelling is a value like any other where a record has it, or where what it stands for is not there', async () => {
  const totalOf = async (query: string): Promise<unknown> => {
    const response = await app.request(`/api/products?${query}`);
    return response.status === 200 ? JSON.parse(await response.text()).pagination.total : response.status;
  };
  expect(await totalOf('author=Cy,%20Dee')).toBe(1);
  expect(await totalOf('category=eq.Music')).toBe(0);
  expect(await totalOf('category=Art,Music')).toBe(0);
  expect(await totalOf('category=Art,Kitchen,Art,Kitchen,Music')).toBe(0);
  expect(await totalOf('category=Art,Kitchen,Art,Kitchen,Art')).toBe(422);
  expect(await totalOf('author=Cy,%20Dee&author=eq.Ada')).toBe(422);
  expect(await totalOf('category=not.like.Art')).toBe(0);
  expect(await totalOf('title=is.null')).toBe(0);
});

test.each([
  ['q=title:tea', [1, 3]],
  ['q=category:kitchen', [1, 3]],
  ['q=price: 5 tea', [1, 3]],
  ['q="price:5" tea', []],
  ['q=price:low tea', [1, 3]],
  ['q=price:> tea', [1, 3]],
  ['q=half-price:5 tea', [1, 3]],
  ['q=prices>5 tea', [1, 3]],
  ['q=tea OR atlas', [2, 1, 3]],
  ['q=tea || atlas', [2, 1, 3]],
  ['q=(tea pot)', [1, 3]],
  ['q=tea~', [1, 3]],
  ['q="tea AND pot"', []],
  ['q=%2B1 tea', [1, 3]],
  ['q=t*a', [2, 1]],
  ['q=tea pot!', [1, 3]],
  ['q=[tea]', [1, 3]],
  ['q=title:"tea cup"', [3]],
  ['title_like=%25zz%25', []],
])('%s is a text: no field has such a condition', async (query, ids) => {
  const response = await app.request(`/api/products?${query}&match=any`);
  const { data }: { readonly data: readonly { readonly id: number }[] } = JSON.parse(await response.text());
  expect(data.map(({ id }) => id)).toEqual(ids);
});

test('a word in capitals is no sign, and an asterisk no wildcard, where a record has the text', async () => {
  const titles = ['War AND Peace', 'E = mc^2', 'Wanted: 50% off*', 'Not NOT this', 'Peace war'];
  const own = appOf(datasetOf({ articles: titles.map((title, i) => ({ id: i, title, score: 1 })) }));
  const ask = async (query: string): Promise<unknown> => {
    const { data, error } = JSON.parse(await (await own.request(`/api/articles?${query}`)).text());
    return data?.map(({ id }: { id: number }) => id) ?? error.message;
  };
  expect(await ask('q=War AND Peace')).toEqual([0, 4]);
  expect(await ask('q=Peace AND war')).toContain('match=all asks for all words');
  expect(await ask('q=Peace%20war&match=all')).toEqual([4, 0]);
  expect(await ask('q=mc^2')).toEqual([1]);
  expect(await ask('q=not NOT this')).toEqual([3]);
  expect(await ask('title_like=off*')).toEqual([2]);
  expect(await ask('title_like=%25+off*')).toEqual([2]);
});

test.each([
  ['q=price:>5', 'price_gt=5'],
  ['q=tea+price:4..20&price_lte=3&fields=title', 'fields=title&q=tea&minPrice=4&maxPrice=20'],
  ['q=rating%3A4', 'rating=4'],
  ['q=reprice:>5+price:>5', 'q=reprice%3A%3E5&price_gt=5'],
  ['q=tea+price:>5+cup+rating:4', 'q=tea%20cup&price_gt=5&rating=4'],
])('a page moves the conditions of its search text into filters: %s', async (query, moved) => {
  const response = await app.request(`/products?${query}`);
  expect([response.status, response.headers.get('Location')]).toEqual([303, `/products?${moved}`]);
});

test('UTF-8 as it was typed is read, and other bytes are refused', async () => {
  const { withEncodedTarget } = await import('../../src/http/wire/request.js');
  const request = (target: string): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: é\r\n\r\n`);
  expect(withEncodedTarget(request('/api/products?category=Bücher%20a')).toString()).toBe(
    'GET /api/products?category=B%C3%BCcher%20a HTTP/1.1\r\nHost: é\r\n\r\n',
  );
  const plain = request('/api/products');
  expect(withEncodedTarget(plain)).toBe(plain);
  const latin1 = Buffer.from('GET /?q=B\xfccher HTTP/1.1\r\n\r\n', 'latin1');
  expect(withEncodedTarget(latin1)).toBe(latin1);
});

test('lines name fields and values that the address takes, whatever the collection', async () => {
  const own = appOf(datasetOf({ articles: [{ id: 1, title: 'A', score: 3, date: '2024-01-31T00:00:00Z' }] }));
  const messageOf = async (query: string): Promise<string> =>
    JSON.parse(await (await own.request(`/api/articles?${query}`)).text()).error.message;
  const DATES = 'Write date_gte=2024-01-31 for the first day, date_lte=2024-01-31 for the last one.';
  expect(await messageOf('date__within=7d')).toContain('Write date_in_last=7d.');
  expect(await messageOf('date_notContains=7')).toContain('date_lte, date_lt, date_in_last.');
  const time = '2024-01-31T10%3A00%3A00%2B02%3A00';
  expect(await messageOf(`q=date:>${time}`)).toContain(`Write date_gt=${time}.`);
  expect(await messageOf('orderBy=nothing')).toContain('Write sort=score, or sort=-score for descending;');
  expect(await messageOf('date[gte]=1706659200')).toContain('Write date_gte=2024-01-31.');
  expect(await messageOf('date[lt]=1706659200000')).toContain('Write date_lt=2024-01-31.');
  expect(await messageOf('date__year=2024')).toContain('Write date=2024.');
  expect(await messageOf('score[gte]=many')).toContain('Write score_gte=….');
  expect(await messageOf('until=2024-03')).toContain(DATES);
  expect(await messageOf('created_at_min=2024-03-01')).toContain(DATES);
  expect(await messageOf('published_at_max=2024-03-01')).toContain(DATES);
  expect(await messageOf('after=2024-03-01')).toContain(DATES);
  expect(await messageOf('before=2024-03-01')).toContain(DATES);
  expect(await messageOf('created_before=2024-03-01')).toContain(DATES);
  expect(await messageOf('since=2024')).toContain(DATES);
  expect(await messageOf('before=2024')).toContain('Pages are numbered from 1');
});

test.each([
  ['date=2024-01-01..2024-12-31', 'Write date_gte=2024-01-01&date_lte=2024-12-31.'],
  ['date=2024-01-01-2024-12-31', 'Write date_gte=2024-01-01&date_lte=2024-12-31.'],
  ['date=2023-2024', 'Write date_gte=2023&date_lte=2024.'],
  ['date=1700000000..1800000000', 'Write date_gte=2023-11-14&date_lte=2027-01-15.'],
  ['score=-5-10', 'Write score_gte=-5&score_lte=10.'],
  ['score=2026-02-30', 'received "2026-02-30".'],
  ['date=soon', 'received "soon".'],
])('%s: a hyphen is one of a date, unless both sides are values', async (query, end) => {
  const own = appOf(datasetOf({ articles: [{ id: 1, title: 'A', score: 3, date: '2024-01-31T00:00:00Z' }] }));
  const { error } = JSON.parse(await (await own.request(`/api/articles?${query}`)).text());
  const message: string = error.details?.[0]?.message ?? error.message;
  expect(message.slice(-end.length)).toBe(end);
});

test.each([
  ['feild', 'field'],
  ['ilmit', 'limit'],
  ['precent_lte', 'percent_lte'],
  ['di', 'id'],
  ['flied', 'field'],
  ['yield', 'field'],
  ['fluid', null],
  ['stop', null],
])('%s is a slip of %s: swapped letters are one', (wrong, name) => {
  expect(nearest(wrong, ['field', 'limit', 'percent_lte', 'id', 'post'])).toBe(name);
});

test('an error of hostile names and values is short, and made at once', async () => {
  const hostile = [
    'a'.repeat(200),
    '_'.repeat(200),
    '[$or]'.repeat(40),
    ' '.repeat(200),
    '{"'.repeat(100),
    `${'-a'.repeat(1000)} NOT b`,
    `NOT ${'-a'.repeat(1000)} b^2`,
    `${'['.repeat(2000)} TO`,
    'a:( '.repeat(1000),
    '(,'.repeat(100),
  ];
  for (const text of hostile)
    for (const query of [
      `q=${encodeURIComponent(text)}`,
      `filter=${encodeURIComponent(text)}`,
      `sort=${encodeURIComponent(text)}`,
      `author=${encodeURIComponent(text)}`,
      `price=${encodeURIComponent(text)}`,
      `${encodeURIComponent(text)}=1`,
      `title[${encodeURIComponent(text)}]=1`,
    ]) {
      const response = await app.request(`/api/products?${query}`);
      expect((await response.text()).length).toBeLessThan(8192);
    }
});
