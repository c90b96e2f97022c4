/** Reload under load: requests go on while snapshots are replaced, some of them broken, and see one dataset each. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderState, watchFolder } from '../../src/build/watch.js';
import { type Running, serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

/** Every record of a generation carries its number, so that a mixture would show. */
const snapshot = (generation: number, size: number): string =>
  JSON.stringify(
    Array.from({ length: size }, (_, id) => ({
      id,
      title: `generation ${generation}`,
      score: generation,
      content: 'word '.repeat(200),
    })),
  );

interface Seen {
  readonly total: number;
  readonly generations: ReadonlySet<number>;
}

interface Record_ {
  readonly title: string;
}

const generationsOf = (records: readonly Record_[]): ReadonlySet<number> =>
  new Set(records.map(({ title }) => Number(title.split(' ')[1])));

/** What one answer of each kind shows: how many records there are, and of which generations. */
const asks: readonly ((server: Running) => Promise<Seen>)[] = [
  async (server) => {
    const { data, pagination } = (await whole(server, `/api/articles?limit=1000&sort=score&order=desc`)) as PageOf;
    return { total: pagination.total, generations: generationsOf(data) };
  },
  async (server) => {
    const { data, pagination } = (await whole(server, `/api/articles/search?q=generation&limit=1000`)) as PageOf;
    return { total: pagination.total, generations: generationsOf(data) };
  },
  async (server) => {
    const records = (await whole(server, `/api/export/articles`)) as Record_[];
    return { total: records.length, generations: generationsOf(records) };
  },
];

interface PageOf {
  readonly data: readonly Record_[];
  readonly pagination: { readonly total: number };
}

async function whole(server: Running, path: string): Promise<unknown> {
  const response = await server.fetch(path);
  expect(response.status).toBe(200);
  return response.json();
}

const outcomes = (server: Running): number =>
  server.stdout().split('reloaded: version').length + server.stderr().split('reload failed').length - 2;

describe('reload', () => {
  test('six replacements, two of them broken, under list, search and export: only whole answers of one dataset', async () => {
    const sizeOf = (generation: number): number => 300 + generation;
    await withFolder({ 'articles.json': snapshot(0, sizeOf(0)) }, async (dir) => {
      const server = await serve(['--snapshots', dir, '--rate-limit', '0', '--quiet']);
      let ended = false;
      let answers = 0;
      const hammer = async (ask: (server: Running) => Promise<Seen>) => {
        while (!ended) {
          const { total, generations } = await ask(server);
          const [generation = -1] = generations;
          expect(generations.size).toBe(1);
          expect(total).toBe(sizeOf(generation));
          answers++;
        }
      };
      const clients = asks.map(hammer);
      for (let generation = 1; generation <= 6; generation++) {
        const answersBefore = answers;
        await until(() => answers >= answersBefore + 4);
        const text = snapshot(generation, sizeOf(generation));
        const isBroken = generation % 3 === 0;
        writeFileSync(join(dir, 'new'), isBroken ? text.slice(0, -7) : text);
        renameSync(join(dir, 'new'), join(dir, 'articles.json'));
        server.child.kill('SIGHUP');
        await until(() => outcomes(server) >= generation);
      }
      ended = true;
      await Promise.all(clients);
      expect(answers).toBeGreaterThan(20);
      expect(server.stderr().split('reload failed').length - 1).toBe(2);
      expect(server.stdout().split('reloaded: version').length - 1).toBe(4);
      expect((await server.end()).code).toBe(0);
    });
  });

  test('an export that began on the old dataset finishes on it', async () => {
    await withFolder({ 'articles.json': snapshot(1, 20_000) }, async (dir) => {
      const server = await serve(['--snapshots', dir, '--quiet']);
      const response = await server.fetch(`/api/export/articles`);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = (await reader?.read())?.value ?? '';
      writeFileSync(join(dir, 'articles.json'), snapshot(2, 10));
      server.child.kill('SIGHUP');
      await until(() => outcomes(server) === 1);
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) text += piece.value;
      const records = JSON.parse(text) as Record_[];
      expect(records.length).toBe(20_000);
      expect([...generationsOf(records)]).toEqual([1]);
      // So many changes are built by another thread.
      for (const list of ['?kind=removed', '/search?q=generation&kind=removed'])
        expect(await whole(server, `/api/articles/changes${list}`)).toMatchObject({ pagination: { total: 19_990 } });
      await server.end();
    });
  });

  test('says what changed, in stdout and in /health', async () => {
    const two = JSON.stringify([
      { id: 1, title: 'same' },
      { id: 2, title: 'old' },
      { id: 3, title: 'gone' },
    ]);
    await withFolder({ 'articles.json': two }, async (dir) => {
      const server = await serve(['--snapshots', dir, '--quiet']);
      const health = async () => (await whole(server, `/health`)) as Record<string, unknown>;
      const before = await health();
      writeFileSync(
        join(dir, 'articles.json'),
        JSON.stringify([
          { id: 2, title: 'new' },
          { id: 1, title: 'same' },
          { id: 4, title: 'added' },
        ]),
      );
      server.child.kill('SIGHUP');
      await until(() => outcomes(server) === 1);
      const after = await health();
      expect(server.stdout()).toContain(`reloaded: version ${after.version}, 1 added, 1 removed, 1 changed\n`);
      expect(after.version).not.toBe(before.version);
      writeFileSync(join(dir, 'articles.json'), '[');
      server.child.kill('SIGHUP');
      await until(() => outcomes(server) === 2);
      expect(await health()).toMatchObject({
        version: after.version,
        reloadFault: { file: 'articles.json', line: 1, column: 2, message: expect.any(String) },
      });
      writeFileSync(join(dir, 'articles.json'), two);
      server.child.kill('SIGHUP');
      await until(() => outcomes(server) === 3);
      const again = await health();
      expect(again.version).toBe(before.version);
      expect(again.reloadFault).toBeUndefined();
      await server.end();
    });
  });
});

test('a folder that has gone leaves the old records serving', async () => {
  await withFolder({ 'articles.json': '[{"id":1,"title":"a"}]' }, async (dir) => {
    const server = await serve(['--snapshots', dir, '--quiet', '--watch']);
    rmSync(join(dir, 'articles.json'));
    await until(() => outcomes(server) === 1);
    expect(server.stderr()).toContain(`${dir}: the folder holds no snapshot any more`);
    expect(await whole(server, `/health`)).toMatchObject({ collections: { articles: 1 } });
    await server.end();
  });
});

describe('--watch', () => {
  test('tells of what changed before it began to look', async () => {
    await withFolder({ 'articles.json': '[]' }, async (dir) => {
      const { signature } = await folderState({ dir });
      writeFileSync(join(dir, 'articles.json'), '[{"id":1,"title":"b"}]');
      const end = new AbortController();
      let changes = 0;
      const watching = watchFolder({ dir }, signature, () => changes++, end.signal);
      await until(() => changes > 0);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(changes).toBe(1);
      end.abort();
      await watching;
    });
  });

  test('waits until the folder rests: a file written in pieces and another one cause one reload', async () => {
    await withFolder({ 'articles.json': '[{"id":1,"title":"a"}]' }, async (dir) => {
      const server = await serve(['--snapshots', dir, '--quiet', '--watch']);
      writeFileSync(join(dir, 'new'), '[{"id":7,"title":"p"}]');
      writeFileSync(join(dir, 'articles.json'), '[{"id":1,"title":"b"}');
      await new Promise((resolve) => setTimeout(resolve, 300));
      writeFileSync(join(dir, 'articles.json'), ',{"id":2,"title":"c"}]', { flag: 'a' });
      renameSync(join(dir, 'new'), join(dir, 'products.json'));
      await until(() => outcomes(server) === 1);
      expect(await whole(server, `/health`)).toMatchObject({ collections: { articles: 2, products: 1 } });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(outcomes(server)).toBe(1);
      expect(server.stderr()).toBe('');
      expect((await server.end()).code).toBe(0);
    });
  });

  test.skipIf(process.platform === 'win32')('a pipe beside the dumps stops neither reloads nor a signal', async () => {
    await withFolder({ 'articles.json': '[{"id":1,"title":"a"}]' }, async (dir) => {
      const server = await serve(['--snapshots', dir, '--quiet', '--watch']);
      execFileSync('mkfifo', [join(dir, '.lock')]);
      writeFileSync(join(dir, 'articles.json'), '[{"id":1,"title":"b"}]');
      await until(() => outcomes(server) === 1);
      execFileSync('mkfifo', [join(dir, 'products.json')]);
      await until(() => outcomes(server) === 2);
      expect(server.stderr()).toContain('products.json: expected a file, found a pipe, socket or device');
      expect((await server.end('SIGTERM')).code).toBe(0);
    });
  });
});
