/** The search engines that ours is measured against, each over the same articles and fields. */
import { buildMiniSearch } from '../../src/search/minisearch.js';
import type { SearchField } from '../../src/search/search.js';
import type { Article } from '../data.js';
import { openSqlite } from './sqlite.js';

export interface SearchEngine {
  /** Answers one query: the first 20 and the total; returns something of the answer. */
  search(text: string): number;
}

/** The second engine, behind the interface that the first one has. */
export function buildSecondEngine(fields: readonly SearchField[], articles: readonly Article[]): SearchEngine {
  const textsOf = (row: number) => {
    const { title, author, content, tags } = articles[row]!;
    return [title, author, content, tags];
  };
  const steps = buildMiniSearch(fields, articles.length, textsOf);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const index = step.value;
  return { search: (text) => index.search(text, 20).total };
}

export function buildFts5(articles: readonly Article[]): SearchEngine {
  const database = openSqlite();
  database.exec(
    "CREATE VIRTUAL TABLE articles USING fts5(title, author, content, tags, content='', tokenize='porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO articles(rowid, title, author, content, tags) VALUES (?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const { id, title, author, content, tags } of articles) insert.run(id, title, author, content, tags.join(' '));
  database.exec('COMMIT');
  const best = database.prepare(
    'SELECT rowid FROM articles WHERE articles MATCH ? ORDER BY bm25(articles, 2, 1, 1, 1) LIMIT 20',
  );
  const total = database.prepare('SELECT count(*) FROM articles WHERE articles MATCH ?');
  return {
    search(text) {
      const words = text.trim().split(' ').join(' OR ');
      return best.all(words).length + total.all(words).length;
    },
  };
}
