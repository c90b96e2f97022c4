/** The version is json-server 0.17, the last release line before its beta of 1.0: one command over a JSON file. */
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../node_modules/json-server/lib/cli/bin.js', import.meta.url));
const noSearch = 'finds parts of words only';

export default {
  title: 'json-server',
  kind: 'http',
  packages: ['json-server'],
  settings: ['`json-server db.json --quiet`', '`?q=` looks for a part of any value'],
  cannot: {
    facets: 'no counts of values',
    'two words, either': noSearch,
    'two words, both': noSearch,
    misspelt: noSearch,
    reload: 'starts anew: connections are cut',
  },
  command: ({ db, port }) => [bin, db, '--host', '127.0.0.1', '--port', String(port), '--quiet'],
  target(request) {
    switch (request.type) {
      case 'list': {
        const { page, limit, sort, minScore } = request;
        const sorting = sort === undefined ? '' : `&_sort=${sort}&_order=asc`;
        const filter = minScore === undefined ? '' : `&score_gte=${minScore}`;
        return `/articles?_page=${page}&_limit=${limit}${sorting}${filter}`;
      }
      case 'detail':
        return `/articles/${request.id}`;
      case 'search':
        return `/articles?q=${encodeURIComponent(request.words.join(' '))}&_page=1&_limit=20`;
      case 'export':
        return '/articles';
    }
  },
  total: (head) => Number(/^x-total-count: (\d+)/im.exec(head)?.[1]),
};
