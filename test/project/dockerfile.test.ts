/** The commands of the Dockerfile, run outside of a container: its stages are folders, its mount a folder of dumps. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathTo } from '../support/api.js';
import { freePort } from '../support/program.js';

const run = promisify(execFile);
const text = readFileSync(pathTo('Dockerfile'), 'utf8');
const instructions = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { name, rest };
  });
const stageAt = instructions.map(({ name }) => name).lastIndexOf('FROM');
const [build, service] = [instructions.slice(0, stageAt), instructions.slice(stageAt)];
const only = (name: string): string => {
  const found = service.filter((instruction) => instruction.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]?.rest ?? '';
};
/** The exec form: a JSON array of words. */
const words = (rest: string): readonly string[] => JSON.parse(rest.slice(rest.indexOf('[')));

test('it is built in one stage and runs in another, not as root', () => {
  expect(instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest)).toEqual([
    'node:24-slim AS build',
    'node:24-slim',
  ]);
  expect(only('USER')).toBe('node');
  expect(only('EXPOSE')).toBe('3000');
  expect(service.map(({ name }) => name).indexOf('USER')).toBeLessThan(
    service.map(({ name }) => name).indexOf('ENTRYPOINT'),
  );
  expect(words(only('ENTRYPOINT')).join(' ')).toBe(
    'node dist/main.js --host 0.0.0.0 --allowed-host localhost --snapshots /data',
  );
});

describe('its commands', () => {
  const root = mkdtempSync(join(tmpdir(), 'dockerfile-'));
  const [built, app, data] = ['build', 'app', 'data'].map((name) => join(root, name)) as [string, string, string];
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  beforeAll(async () => {
    for (const folder of [built, app, data]) mkdirSync(folder);
    writeFileSync(join(data, 'products.json'), '[{"id":1,"title":"Tea","price":3}]');
    const ignored = readFileSync(pathTo('.dockerignore'), 'utf8').trim().split('\n');
    // Git's files are what a clone has; `.dockerignore` leaves out what is made.
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: pathTo('.'),
    });
    for (const file of stdout.split('\0').filter((path) => path !== '' && existsSync(pathTo(path)))) {
      if (ignored.some((pattern) => file === pattern || file.startsWith(`${pattern}/`))) continue;
      mkdirSync(dirname(join(built, file)), { recursive: true });
      cpSync(pathTo(file), join(built, file));
    }
  });

  test('build the program', async () => {
    const commands = build.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
    expect(commands).toEqual(['npm ci', 'npm run build']);
    // What `npm ci` installs is installed here.
    symlinkSync(pathTo('node_modules'), join(built, 'node_modules'));
    const { stderr } = await run('sh', ['-c', commands[1] ?? ''], { cwd: built });
    expect(stderr).toContain('The first build compiles the kernels and bundles the program: it takes some ten seconds');
    for (const { rest } of service.filter(({ name }) => name === 'COPY')) {
      const [from, ...paths] = rest.split(' ');
      expect(from).toBe('--from=build');
      const target = join(app, paths.at(-1) ?? '');
      for (const path of paths.slice(0, -1)) {
        const source = path.replace('/app', built);
        cpSync(source, target === join(app, './') ? join(app, path.replace('/app/', '')) : target, { recursive: true });
      }
    }
  });

  test('serve what is mounted, and tell its health', async () => {
    const port = String(await freePort());
    const entry = words(only('ENTRYPOINT')).map((word) => (word === '/data' ? data : word));
    const health = words(only('HEALTHCHECK'));
    const env = { PATH: process.env.PATH ?? '', PORT: port };
    const check = () => run(health[0] ?? '', health.slice(1), { cwd: app, env });
    await expect(check()).rejects.toMatchObject({ code: 1 });
    const [program = '', ...args] = entry;
    const server = spawn(program, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      for await (const line of createInterface({ input: server.stdout })) if (line.includes('listening on')) break;
      await check();
      const response = await fetch(`http://127.0.0.1:${port}/api/products`);
      expect(await response.json()).toMatchObject({ data: [{ id: 1, title: 'Tea' }] });
    } finally {
      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
    }
  });
});
