/** `node engine.js DUMP`: an index of all texts of a record as one, which answers as `in-process.js` does. */
import { Index } from 'flexsearch';
import { answer, readDump } from '../in-process.js';

const articles = readDump(process.argv[2]);
const index = new Index({ tokenize: 'strict' });
for (const { id, title, content, author, tags } of articles)
  index.add(id, [title, content, author, ...tags].join('\n'));
await answer(articles.length, ({ words, match }) => {
  const results = index.search(words.join(' '), { limit: articles.length, suggest: match === 'any' });
  return { total: results.length, ids: results.slice(0, 20) };
});
