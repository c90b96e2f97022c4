/**
 * `push` on PostgreSQL: its rows are memory's records, in one database and over two; what a table cannot hold has an answer; a push that
 * breaks leaves what is served.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressWithoutPassword, connect, type Sql } from '../../src/postgres/connection.js';
import { type PushOptions, push } from '../../src/postgres/push.js';
import { recordJson } from '../../src/store/record-text.js';
import { earlierAt, memoryOf, sampleDir } from '../support/api.js';
import { type Files, run, withFolder } from '../support/program.js';
import { newDatabase } from '../support/pushed.js';

describe('push', () => {
  /** A folder of few records, for tests of what becomes of a dump as a whole. */
  const small = mkdtempSync(join(tmpdir(), 'small-'));
  let [one, two] = ['', ''];
  let sql: Sql;
  beforeAll(async () => {
    writeFileSync(join(small, 'products.json'), JSON.stringify([{ id: 1, title: 'Tea', price: 2 }]));
    one = await newDatabase();
    two = await newDatabase();
    sql = await connect(one, { connections: 2 });
  });
  afterAll(async () => {
    await sql.end({ timeout: 1 });
    rmSync(small, { recursive: true });
  });

  const pushIn = (dir: string, options: Partial<PushOptions> = {}) =>
    push({ dir, to: one, partitions: [], isCitus: false, modifiedAt: earlierAt, ...options });
  async function pushed(dir: string, options: Partial<PushOptions> = {}) {
    const result = await pushIn(dir, options);
    if (!result.ok) throw new Error('message' in result ? result.message : result.fault.message);
    return result;
  }
  const servedSchema = async (): Promise<string> => {
    const [row] = await sql`SELECT schema FROM scraper_data_api.served`;
    return String(row?.schema);
  };
  const rowsOf = async (collection: string) =>
    sql.unsafe(`SELECT * FROM "${await servedSchema()}".${collection} ORDER BY ":row"`);
  const wholeOf = (row: Record<string, unknown>): unknown =>
    Object.assign({}, ...[':item', ':rest', ':more'].map((part) => JSON.parse(String(row[part] ?? '{}'))));

  const REPEATED = [
    { id: 3, title: 'First', price: 1 },
    { id: 4, title: 'Second', price: 2 },
    { id: 3, title: 'First again', price: 3, sku: 'A-1' },
  ];
  /** What the first records show of `code` is not so: integers at first, then codes. */
  const CONTRADICTED = Array.from({ length: 3000 }, (_, i) => ({
    id: i,
    title: `T ${i}`,
    code: i < 2000 ? i : `A-${i}`,
  }));
  const LONG = 'long name '.repeat(12).trim();
  const HARD = [
    { id: 1, title: 'a\0b\u0001c', [LONG]: 'x', tags2: ['a"b\\c', 'x'.repeat(5000)], note: 'é\t\n\\N "q"' },
    { id: 2, title: 'z'.repeat(9000), [LONG]: 'y', tags2: ['b'], note: 'word '.repeat(50) },
    { id: 3, title: '‮\u{1f600}', tags2: [], note: '' },
  ];
  const DUMPS: Readonly<Record<string, Files>> = {
    'ids that come again': { 'products.json': JSON.stringify(REPEATED) },
    'a contradicted dump': { 'products.json': JSON.stringify(CONTRADICTED) },
    'what tables cannot hold': { 'things.json': JSON.stringify(HARD) },
    'no record': { 'products.csv': 'id,title,price\n' },
  };

  describe.each([
    ['one database', () => []],
    ['two databases', () => [one, two]],
  ] as const)('%s', (_, partitionsOf) => {
    async function expectMemorys(dir: string): Promise<void> {
      const { collections } = (await memoryOf(dir)).dataset;
      const result = await pushed(dir, { partitions: partitionsOf() });
      expect(result.collections.map(({ name, size }) => [name, size])).toEqual(
        [...collections].map(([name, { size }]) => [name, size]),
      );
      for (const [name, { size, text, ids }] of collections) {
        const rows = await rowsOf(name);
        const records = Array.from({ length: size }, (_, row) => JSON.parse(recordJson(text, row, 'whole').toString()));
        expect(rows.map(wholeOf)).toEqual(records);
        expect(rows.map(({ id }) => Number(id))).toEqual(records.map(({ id }) => id));
        expect(ids).toBeDefined();
      }
    }
    test('rows are records: the sample', () => expectMemorys(sampleDir));
    test.each(Object.entries(DUMPS))('rows are records: %s', (_, files) => withFolder(files, expectMemorys));
  });

  test('a record takes the row of the one that it replaces', async () => {
    const { collections } = await withFolder({ 'products.json': JSON.stringify(REPEATED) }, (dir) => pushed(dir));
    expect(collections.find(({ name }) => name === 'products')).toMatchObject({ size: 2, replaced: 1 });
    expect((await rowsOf('products')).map(({ title }) => title)).toEqual(['First again', 'Second']);
  });

  test('keys are the columns whose values differ in each record', async () => {
    const records = [1, 2, 3].map((id) => ({ id, title: `T${id}`, sku: `A-${id}`, lot: `L-${id % 2}`, price: 1 }));
    await withFolder({ 'products.json': JSON.stringify(records) }, (dir) => pushed(dir));
    const [row] = await sql.unsafe(
      `SELECT model FROM "${await servedSchema()}".":collections" WHERE name = 'products'`,
    );
    expect(JSON.parse(String(row?.model)).keys).toEqual(['sku']);
  });

  test('words beyond the megabyte of a record are counted', async () => {
    const content = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36)}`).join(' ');
    const articles = JSON.stringify([{ id: 1, title: 'Long', score: 1, author: 'A', content }]);
    const { collections } = await withFolder({ 'articles.json': articles }, (dir) => pushed(dir));
    expect(collections[0]).toMatchObject({ name: 'articles', size: 1, cut: 1 });
  });

  test('the same dump has the same version, on one server and on two', async () => {
    const versions = [
      (await pushed(small)).version,
      (await pushed(small)).version,
      (await pushed(small, { partitions: [one, two] })).version,
    ];
    expect(new Set(versions).size).toBe(1);
  });

  describe('what is served', () => {
    const schemasIn = async (): Promise<readonly string[]> => {
      const rows = await sql`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'scraper_dump_%' ORDER BY 1`;
      return rows.map(({ name }) => String(name));
    };

    test('the earlier dump stays until the next push, or longer while it is read', async () => {
      const first = await pushed(small);
      const second = await pushed(small);
      expect(await schemasIn()).toEqual([first.schema, second.schema]);
      await sql.begin(async (reader) => {
        await reader.unsafe(`SELECT 1 FROM "${first.schema}".products LIMIT 1`);
        const third = await pushed(small);
        expect(await schemasIn()).toEqual([first.schema, second.schema, third.schema]);
      });
      const last = await pushed(small);
      expect(await schemasIn()).toEqual([expect.any(String), last.schema]);
      expect(await servedSchema()).toBe(last.schema);
    });

    test('the database ends the session in the middle of a push', async () => {
      const { schema } = await pushed(small);
      const many = Array.from({ length: 15_000 }, (_, i) => ({
        id: i,
        title: `Thing ${i}`,
        price: 1,
        note: 'n'.repeat(250),
      }));
      await withFolder({ 'products.json': JSON.stringify(many) }, async (dir) => {
        let ended = false;
        const failed = await pushIn(dir, {
          to: one.replace('reader@', 'reader:secret@'),
          onProgress(_, done) {
            if (ended || done < 1_000_000) return;
            ended = true;
            void sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%'`.execute();
          },
        });
        if (failed.ok || !('message' in failed)) throw new Error('the push went on');
        expect(failed.message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/d\d+_\d+: /);
        expect(failed.leftovers).toEqual([
          expect.stringMatching(/\/d\d+_\d+: DROP SCHEMA IF EXISTS "scraper_dump_\d+" CASCADE$/),
        ]);
        expect(JSON.stringify(failed)).not.toContain('secret');
      });
      expect(await servedSchema()).toBe(schema);
    });

    test('a server that refuses a row ends the push, while the other one still takes rows', async () => {
      const { schema } = await pushed(small);
      const other = await connect(two, { connections: 1 });
      try {
        // Tables of the second server refuse every row.
        await other.unsafe(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
          CREATE OR REPLACE FUNCTION refuse_rows() RETURNS event_trigger LANGUAGE plpgsql AS $$ DECLARE made record; BEGIN
            FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' LOOP
              EXECUTE format('CREATE TRIGGER refusing BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION refuse()', made.object_identity);
            END LOOP; END $$;
          CREATE EVENT TRIGGER refusing ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refuse_rows()`);
        expect(await pushIn(small, { partitions: [one, two] })).toMatchObject({
          ok: false,
          message: `PostgreSQL at ${addressWithoutPassword(two)}: no room (P0001)`,
        });
        expect(await servedSchema()).toBe(schema);
      } finally {
        await other.unsafe('DROP EVENT TRIGGER refusing');
        await other.end({ timeout: 1 });
      }
    });

    test('a failure is told of the server that failed', async () => {
      const partition = `${two.replace(/[^/]*$/, 'refusing')}`;
      const admin = await connect(two, { connections: 1 });
      await admin.unsafe('DROP DATABASE IF EXISTS refusing');
      await admin.unsafe('CREATE DATABASE refusing');
      await admin.unsafe('ALTER DATABASE refusing SET default_transaction_read_only = on');
      await admin.end({ timeout: 1 });
      expect(await pushIn(small, { partitions: [one, partition] })).toMatchObject({
        message: expect.stringContaining(
          `PostgreSQL at ${addressWithoutPassword(partition)}: cannot execute CREATE SCHEMA`,
        ),
      });
    });

    test('a database that would hold two parts is refused, however its address is spelt', async () => {
      const again = one.replace('127.0.0.1', 'localhost');
      expect(await pushIn(small, { partitions: [one, again] })).toMatchObject({
        ok: false,
        message: expect.stringContaining(
          `--partitions must be different databases, found ${addressWithoutPassword(again)} twice`,
        ),
        leftovers: [],
      });
    });

    test('a partition may hold parts of another database, which stay', async () => {
      const other = await newDatabase();
      await pushed(small, { partitions: [two] });
      const ofOther = await pushIn(sampleDir, { to: other, partitions: [two] });
      expect(ofOther).toMatchObject({ ok: true });
      // Drops what was served before, in the partition as well.
      await pushed(small, { partitions: [two] });
      await pushed(small, { partitions: [two] });
      expect(await rowsOf('products')).toHaveLength(1);
      const reader = await connect(other, { connections: 1 });
      const [row] = await reader.unsafe(
        `SELECT count(*)::int AS count FROM "${'schema' in ofOther ? ofOther.schema : ''}".products`,
      );
      await reader.end({ timeout: 1 });
      expect(row?.count).toBe(353);
    });

    test('one push runs at a time', async () => {
      await sql.begin(async (other) => {
        await other`SELECT pg_advisory_xact_lock(hashtext('scraper_data_api'))`;
        expect(await pushIn(small)).toMatchObject({
          message: expect.stringContaining('another push to this database is running'),
        });
      });
    });

    test('a dump with a fault changes nothing', async () => {
      const { schema } = await pushed(small);
      await withFolder({}, async (dir) => {
        writeFileSync(join(dir, 'products.json'), '[{"id":1,"title":"a"},');
        expect(await pushIn(dir)).toMatchObject({ ok: false, fault: { file: 'products.json' } });
      });
      expect(await servedSchema()).toBe(schema);
      expect(await schemasIn()).toContain(schema);
    });
  });

  test('the command says what it did, and no password', async () => {
    const address = one.replace('reader@', 'reader:secret@');
    const { code, stdout, stderr } = await run(['push', sampleDir, '--to', address]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('products: 353 rows\n');
    expect(stdout).toMatch(/serves version [\w-]{16} from now on/);
    const wrong = await run(['push', sampleDir, '--to', address.replace(/[^/]*$/, 'none')]);
    expect(wrong.stderr).toContain('database "none" does not exist (3D000); make it with createdb\n');
    const nobody = await run(['push', sampleDir, '--to', 'postgres://reader:secret@127.0.0.1:1/shop']);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      'PostgreSQL at 127.0.0.1:1/shop: connect ECONNREFUSED 127.0.0.1:1; start the server, or give the host and port where it listens\n',
    ]);
    expect(stdout + stderr + wrong.stdout + wrong.stderr).not.toContain('secret');
  });
});
