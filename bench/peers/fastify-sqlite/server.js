/** `node server.js DUMP PORT FOLDER`: imports the dump into a file in the folder, unless it is there, and serves it. */
import { createReadStream, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import fastify from 'fastify';

const [dump, port, folder] = process.argv.slice(2);
const file = join(folder, 'articles.sqlite');

async function openDatabase(path) {
  try {
    const { default: Database } = await import('better-sqlite3');
    return new Database(path);
  } catch {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(path);
  }
}

async function importDump() {
  const draft = `${file}.draft`;
  const database = await openDatabase(draft);
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, url TEXT, score INTEGER, comments INTEGER, author TEXT,
      date TEXT, content TEXT, tags TEXT);
    CREATE VIRTUAL TABLE texts USING fts5 (title, content, author, tags, content='articles', content_rowid='id',
      tokenize='porter unicode61');
    BEGIN;
  `);
  const insert = database.prepare('INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for await (const line of createInterface({ input: createReadStream(dump) })) {
    if (!line.startsWith('{')) continue;
    const { id, title, url, score, comments, author, date, content, tags } = JSON.parse(line.replace(/,$/, ''));
    insert.run(id, title, url, score, comments, author, date, content, JSON.stringify(tags));
  }
  database.exec(`
    INSERT INTO texts (texts) VALUES ('rebuild');
    INSERT INTO texts (texts) VALUES ('optimize');
    CREATE INDEX by_score ON articles (score);
    CREATE INDEX by_score_with_author ON articles (score, author);
    CREATE INDEX by_title ON articles (title);
    CREATE INDEX by_date ON articles (date);
    COMMIT;
    ANALYZE;
  `);
  database.close();
  renameSync(draft, file);
}

if (!existsSync(file)) await importDump();
const database = await openDatabase(file);
database.exec('PRAGMA mmap_size = 4294967296; PRAGMA cache_size = -65536;');

const statements = new Map();
function prepared(sql) {
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

const ITEM = 'a.id, a.title, a.url, a.score, a.comments, a.author, a.date';
const SORTS = { title: 'title', score: 'score', date: 'date' };
const all = database.prepare('SELECT count(*) AS total FROM articles').get().total;
const page = (data, total, number, limit) => ({
  data,
  pagination: { total, page: number, limit, totalPages: Math.ceil(total / limit) },
});

const app = fastify();
app.get('/api/articles', ({ query }) => {
  const [number, limit] = [Number(query.page ?? 1), Number(query.limit ?? 20)];
  const order = query.sort in SORTS ? `${SORTS[query.sort]}, id` : 'id';
  const where = query.minScore === undefined ? '' : 'WHERE score >= ?';
  const values = query.minScore === undefined ? [] : [Number(query.minScore)];
  const total = where === '' ? all : prepared(`SELECT count(*) AS total FROM articles ${where}`).get(...values).total;
  // Skipped records are read from the index alone.
  const ids = `SELECT id FROM articles ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const rows = prepared(`SELECT ${ITEM} FROM articles a WHERE id IN (${ids}) ORDER BY ${order}`);
  return page(rows.all(...values, limit, (number - 1) * limit), total, number, limit);
});
app.get('/api/articles/authors', ({ query }) => ({
  data: prepared(
    'SELECT author AS name, count(*) AS count FROM articles WHERE score >= ? GROUP BY author ORDER BY count DESC, name LIMIT ?',
  ).all(Number(query.minScore ?? 0), Number(query.limit ?? 100)),
}));
app.get('/api/articles/search', ({ query }) => {
  const words = query.q.match(/[\p{L}\p{N}]+/gu).map((word) => `"${word}"`);
  // Tags are one value in their column: without them, no phrase goes from one tag to the next.
  const text = query.q.startsWith('"')
    ? `{title content author} : ${query.q}`
    : words.join(query.match === 'all' ? ' AND ' : ' OR ');
  const { total } = prepared('SELECT count(*) AS total FROM texts WHERE texts MATCH ?').get(text);
  const rows = prepared(
    `SELECT ${ITEM} FROM texts JOIN articles a ON a.id = texts.rowid WHERE texts MATCH ? ORDER BY rank LIMIT 20`,
  );
  return page(rows.all(text), total, 1, 20);
});
app.get('/api/articles/:id', ({ params }, reply) => {
  const row = prepared('SELECT * FROM articles WHERE id = ?').get(Number(params.id));
  return row === undefined ? reply.code(404).send() : { ...row, tags: JSON.parse(row.tags) };
});
app.get('/api/export/articles', (_, reply) => {
  function* lines() {
    let text = '[';
    let separator = '\n';
    for (const row of database.prepare('SELECT * FROM articles ORDER BY id').iterate()) {
      text += separator + JSON.stringify({ ...row, tags: JSON.parse(row.tags) });
      separator = ',\n';
      if (text.length < 65536) continue;
      yield text;
      text = '';
    }
    yield `${text}\n]\n`;
  }
  return reply.type('application/json').send(Readable.from(lines()));
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
