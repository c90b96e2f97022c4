/** `node engine.js DUMP`: a database of four fields, which answers as `in-process.js` does. */
import { create, insert, search } from '@orama/orama';
import { answer, readDump } from '../in-process.js';

const articles = readDump(process.argv[2]);
const database = create({ schema: { title: 'string', content: 'string', author: 'string', tags: 'string[]' } });
for (const { id, title, content, author, tags } of articles)
  await insert(database, { id: String(id), title, content, author, tags });
await answer(articles.length, async ({ words, match, isTolerant }) => {
  const { count, hits } = await search(database, {
    term: words.join(' '),
    limit: 20,
    threshold: match === 'all' ? 0 : 1,
    ...(isTolerant && { tolerance: 1 }),
  });
  return { total: count, ids: hits.map(({ id }) => Number(id)) };
});
