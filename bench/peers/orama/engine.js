/** `node engine.js DUMP`: a database of one field that has all texts, which answers as `in-process.js` does. */
import { create, insertMultiple, search } from '@orama/orama';
import { answer, readDump } from '../in-process.js';

const articles = readDump(process.argv[2]);
const database = create({ schema: { text: 'string' } });
await insertMultiple(
  database,
  articles.map(({ id, title, content, author, tags }) => ({
    id: String(id),
    text: [title, content, author, ...tags].join('\n'),
  })),
);
await answer(articles.length, async ({ words, match, isTolerant }) => {
  const { count, hits } = await search(database, {
    term: words.join(' '),
    limit: 20,
    threshold: match === 'all' ? 0 : 1,
    ...(isTolerant && { tolerance: 1 }),
  });
  return { total: count, ids: hits.map(({ id }) => Number(id)) };
});
