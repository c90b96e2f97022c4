/** What people type who come from other APIs: it is answered, or refused with the line that works here. */
import { expect, test } from 'vitest';
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

/** Addresses that are refused, with the line that they get. */
test.each<readonly [habit: string, query: string, line: string]>([
  ['GitHub', 'per_page=5', 'Write limit=50'],
  ['json-server v1', '_per_page=5', 'Write limit=50'],
  ['Spring', 'pageSize=5', 'Write limit=50'],
  ['Algolia', 'hitsPerPage=5', 'Write limit=50'],
  ['OData', '$top=5', 'Write limit=50'],
  ['Apify', 'offset=40', 'page=3&limit=20 skips 40 records'],
  ['OData', '$skip=40', 'page=3&limit=20 skips 40 records'],
  ['json-server', '_start=40', 'page=3&limit=20 skips 40 records'],
  ['Stripe', 'starting_after=abc', 'page=3&limit=20 skips 40 records'],
  ['json-server', '_page=2', 'Did you mean "page"?'],
  ['json-server', '_limit=2', 'Did you mean "limit"?'],
  ['json-server', '_sort=price', 'Did you mean "sort"?'],
  ['Rails', 'order_by=price', 'sort=-title for descending'],
  ['Spring', 'sortBy=price', 'sort=-title for descending'],
  ['Spring', 'sortDir=desc', 'sort=title&order=desc'],
  ['Strapi', 'sort=price:desc', 'Write sort=-price.'],
  ['Meilisearch', 'sort=price:asc', 'Write sort=price.'],
  ['PostgREST', 'order=price.desc', 'sort=-price'],
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
  ['LoopBack', 'filter=x', 'title_ne=Tea, price_gte=10'],
  ['OData', '$filter=price', 'title_ne=Tea, price_gte=10'],
  ['PostgREST', 'select=id,title', 'Write fields=id,title'],
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
  ['Strapi', 'pagination[pageSize]=5', 'Write limit=50'],
  ['Strapi', 'sort[0]=price:desc', 'Write sort=-price.'],
  ['Strapi', 'fields[0]=title', 'Write fields=title.'],
  ['Directus', 'filter[price][_gte]=5', 'Write price_gte=5.'],
  ['Directus', 'filter[author][_in]=Ada,Bo', 'Write author=Ada&author=Bo.'],
  ['Directus', 'filter[price][_between]=4,20', 'Write price_gte=4&price_lte=20.'],
  ['Directus', 'meta=total_count', 'X-Total-Count'],
  ['Directus', 'groupBy[]=category', '/stats'],
  ['JSON:API', 'page[number]=2', 'Write page=2'],
  ['JSON:API', 'page[size]=5', 'Write limit=50'],
  ['JSON:API', 'sort[price]=desc', 'Write sort=-price.'],
  ['OData', '$orderby=price desc', 'sort=-title for descending'],
  ['OData', '$select=title', 'Write fields=id,title'],
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
  ['Elasticsearch', '_source=title', 'Write fields=id,title'],
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
])('%s: %s gets the line that works', async (_, query, line) => {
  const response = await app.request(`/api/products?${query}`);
  expect(response.status).toBe(422);
  const { error } = JSON.parse(await response.text());
  expect(error.message).toContain(line);
  expect(error.message.match(/Known here/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

test('a foreign spelling is a value like any other where a record has it, or where what it stands for is not there', async () => {
  const totalOf = async (query: string): Promise<unknown> => {
    const response = await app.request(`/api/products?${query}`);
    return response.status === 200 ? JSON.parse(await response.text()).pagination.total : response.status;
  };
  expect(await totalOf('author=Cy,%20Dee')).toBe(1);
  expect(await totalOf('category=eq.Music')).toBe(0);
  expect(await totalOf('category=Art,Music')).toBe(0);
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
