/** The specification's addresses, which peers that are written for this benchmark answer as well. */
export function target(request) {
  switch (request.type) {
    case 'list': {
      const { page, limit, sort, minScore } = request;
      const sorting = sort === undefined ? '' : `&sort=${sort}`;
      const filter = minScore === undefined ? '' : `&minScore=${minScore}`;
      return `/api/articles?page=${page}&limit=${limit}${sorting}${filter}`;
    }
    case 'detail':
      return `/api/articles/${request.id}`;
    case 'facets':
      return `/api/articles/authors?minScore=${request.minScore}&limit=${request.limit}`;
    case 'search': {
      const { words, match, isTolerant } = request;
      const text = match === 'phrase' ? `"${words.join(' ')}"` : words.join(' ');
      const all = match === 'all' ? '&match=all' : '';
      return `/api/articles/search?q=${encodeURIComponent(text)}${all}${isTolerant ? '' : '&fuzzy=0'}`;
    }
    case 'export':
      return '/api/export/articles';
  }
}
