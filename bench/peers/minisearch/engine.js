/** `node engine.js DUMP`: an index of four fields, which answers as `in-process.js` does. */
import MiniSearch from 'minisearch';
import { answer, readDump } from '../in-process.js';

const articles = readDump(process.argv[2]);
const index = new MiniSearch({ fields: ['title', 'content', 'author', 'tags'] });
index.addAll(articles);
await answer(articles.length, ({ words, match, isTolerant }) => {
  const results = index.search(words.join(' '), {
    combineWith: match === 'all' ? 'AND' : 'OR',
    fuzzy: isTolerant ? 0.2 : false,
  });
  return { total: results.length, ids: results.slice(0, 20).map(({ id }) => id) };
});
