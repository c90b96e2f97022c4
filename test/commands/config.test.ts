import { describe, expect, test } from 'vitest';
import { helpText } from '../../src/commands/help.js';
import { fitted } from '../../src/commands/terminal.js';
import { flagsOf, readCommandLine } from '../../src/config/command-line.js';
import { flagGroups, ownFlags, serveFlags, variableOf } from '../../src/config/flags.js';
import { sampleDir } from '../support/api.js';

const defaults = {
  snapshots: 'snapshots',
  previous: [],
  host: '127.0.0.1',
  'allowed-host': [],
  port: 3000,
  envelope: 'pagination',
  'rate-limit': 100,
  'max-limit': 1000,
  cors: 'local',
  'trust-proxy': false,
  watch: false,
  strict: false,
  engine: 'bm25f',
  log: 'off',
  quiet: false,
  extra: false,
  html: 'text',
};

describe('serve', () => {
  test.each<[string, Record<string, string>, object]>([
    ['', {}, {}],
    ['serve', {}, {}],
    ['--port 0 --host ::1', {}, { port: 0, host: '::1' }],
    ['--port=8080', { PORT: '9090' }, { port: 8080 }],
    ['', { PORT: '9090', SCRAPER_SNAPSHOTS: '/tmp/x' }, { port: 9090, snapshots: '/tmp/x' }],
    ['', { PORT: '' }, {}],
    ['--cors off', {}, { cors: null }],
    ['--cors *', {}, { cors: '*' }],
    ['--allowed-host a.test --allowed-host b', {}, { 'allowed-host': ['a.test', 'b'] }],
    ['', { SCRAPER_ALLOWED_HOST: 'a.test,[::1]' }, { 'allowed-host': ['a.test', '[::1]'] }],
    ['--cors http://localhost:5173', {}, { cors: 'http://localhost:5173' }],
    ['--trust-proxy --strict --quiet', {}, { 'trust-proxy': true, strict: true, quiet: true }],
    [
      '',
      { SCRAPER_TRUST_PROXY: '1', SCRAPER_QUIET: 'true', SCRAPER_STRICT: '0' },
      { 'trust-proxy': true, quiet: true },
    ],
    ['--log', {}, { log: 'text' }],
    ['--log json', {}, { log: 'json' }],
    ['--log=json --quiet', {}, { log: 'json', quiet: true }],
    ['--log --quiet', { SCRAPER_LOG: 'json' }, { log: 'text', quiet: true }],
    ['--previous a --previous=b/articles.json', {}, { previous: ['a', 'b/articles.json'] }],
    ['', { SCRAPER_PREVIOUS: 'a:b' }, { previous: ['a', 'b'] }],
    ['--previous c', { SCRAPER_PREVIOUS: 'a:b' }, { previous: ['c'] }],
    ['--rate-limit 0 --max-limit 50 --envelope meta', {}, { 'rate-limit': 0, 'max-limit': 50, envelope: 'meta' }],
    ['--delay 300', {}, { delay: [300, 300] }],
    ['--delay 200-800 --fail 5%', {}, { delay: [200, 800], fail: 0.05 }],
    ['--open', { SCRAPER_FAIL: '0.5%' }, { open: true, fail: 0.005 }],
    ['--engine minisearch', { SCRAPER_ENGINE: 'bm25f' }, { engine: 'minisearch' }],
  ])('%s %j', (args, environment, expected) => {
    const command = readCommandLine(args.split(' ').filter(Boolean), environment);
    expect(command).toMatchObject({ kind: 'serve', config: { ...defaults, ...expected } });
  });
});

test('variables are those of the program, but for PORT and HOST; each that counts is named', () => {
  const environment = {
    AS: 'x',
    LOG: 'x',
    RATE_LIMIT: 'x',
    PORT: '1',
    HOST: '::1',
    SCRAPER_RATE_LIMIT: '0',
    SCRAPER_LOG: '',
  };
  expect(readCommandLine(['--port', '2'], environment)).toMatchObject({
    config: { ...defaults, port: 2, host: '::1', 'rate-limit': 0 },
    variables: ['HOST', 'SCRAPER_RATE_LIMIT'],
  });
});

describe('where the snapshots are', () => {
  test.each<[string, Record<string, string>, object]>([
    ['', {}, { dir: 'snapshots', sampleDir }],
    ['serve', { SCRAPER_SNAPSHOTS: 'there' }, { dir: 'there' }],
    ['--snapshots here', {}, { dir: 'here' }],
    ['dump.json', {}, { dir: 'dump.json', paths: ['dump.json'] }],
    ['serve serve check', {}, { dir: 'serve, check', paths: ['serve', 'check'] }],
    ['./check', {}, { dir: './check', paths: ['./check'] }],
    ['a.csv b --as products', {}, { dir: 'a.csv, b', paths: ['a.csv', 'b'], as: 'products' }],
    [
      'a.csv --base-url https://shop.example/x/',
      { SCRAPER_SCRAPED_AT: '2024-03-05T09:30+01:00' },
      {
        dir: 'a.csv',
        paths: ['a.csv'],
        baseUrl: 'https://shop.example/x/',
        scrapedAtMs: Date.UTC(2024, 2, 5, 8, 30),
      },
    ],
    [
      'a.csv',
      { SCRAPER_AS: 'articles', SCRAPER_SNAPSHOTS: 'there' },
      { dir: 'a.csv', paths: ['a.csv'], as: 'articles' },
    ],
  ])('%s %j', (args, environment, expected) => {
    const command = readCommandLine(args.split(' ').filter(Boolean), environment);
    expect(command.kind === 'serve' && command.place).toEqual(expected);
  });
});

describe('check', () => {
  test.each<[string, Record<string, string>, object]>([
    ['check', {}, { place: { dir: 'snapshots', sampleDir }, json: false }],
    ['check dumps --json', {}, { place: { dir: 'dumps', paths: ['dumps'] }, json: true }],
    ['check a.json b', {}, { place: { dir: 'a.json, b', paths: ['a.json', 'b'] }, json: false }],
    ['check x.csv --as products', {}, { place: { dir: 'x.csv', paths: ['x.csv'], as: 'products' }, json: false }],
    [
      'check x.csv --scraped-at 2024-03-05',
      {},
      { place: { dir: 'x.csv', paths: ['x.csv'], scrapedAtMs: Date.UTC(2024, 2, 5) }, json: false },
    ],
    [
      'check n --previous o --max-lost 20% --max-new 150% --min-filled price=95% --min-filled Größe=0.5% --max-refused 0%',
      {},
      {
        place: { dir: 'n', paths: ['n'] },
        previous: ['o'],
        gates: {
          maxLost: 0.2,
          maxNew: 1.5,
          minFilled: [
            { field: 'price', share: 0.95 },
            { field: 'Größe', share: 0.005 },
          ],
          maxRefused: 0,
        },
        json: false,
      },
    ],
    // The sample would pass for a dump that is missing.
    [
      'check',
      { SCRAPER_MIN_RECORDS: '3', SCRAPER_MIN_FILLED: 'price=95%,rating=1%' },
      {
        place: { dir: 'snapshots' },
        gates: {
          minRecords: 3,
          minFilled: [
            { field: 'price', share: 0.95 },
            { field: 'rating', share: 0.01 },
          ],
        },
        json: false,
      },
    ],
    [
      'check - http://a.test/b.json --max-download 1.5kB --encoding SJIS',
      {},
      {
        place: {
          dir: '-, http://a.test/b.json',
          paths: ['-', 'http://a.test/b.json'],
          maxDownloadBytes: 1500,
          encoding: 'SJIS',
        },
        json: false,
      },
    ],
    ['check', { SCRAPER_SNAPSHOTS: 'there' }, { place: { dir: 'there' }, json: false }],
    ['check --snapshots here', { SCRAPER_SNAPSHOTS: 'there' }, { place: { dir: 'here' }, json: false }],
  ])('%s %j', (args, environment, expected) => {
    expect(readCommandLine(args.split(' '), environment)).toEqual({
      kind: 'check',
      isAddedUp: false,
      previous: [],
      gates: { minFilled: [] },
      ...expected,
    });
  });
});

test.each([
  [['diff', 'a', 'b', '--json'], { paths: ['a', 'b'], isAddedUp: false, json: true }],
  [
    ['diff', 'a', 'b.csv', '--as', 'products'],
    { paths: ['a', 'b.csv'], isAddedUp: false, as: 'products', json: false },
  ],
  [
    ['diff', 'a', 'b', '--base-url', 'http://a.example'],
    { paths: ['a', 'b'], isAddedUp: false, baseUrl: 'http://a.example', json: false },
  ],
])('%j', (args, expected) => {
  expect(readCommandLine(args, {})).toEqual({ kind: 'diff', ...expected });
});

test.each([
  [['types'], { place: { dir: 'snapshots' }, options: { envelope: 'pagination', hasAllFields: false } }],
  [
    ['types', 'a.csv', '--envelope', 'meta', '--extra', '--add-up'],
    { place: { dir: 'a.csv', paths: ['a.csv'] }, isAddedUp: true, options: { envelope: 'meta', hasAllFields: true } },
  ],
])('%j', (args, expected) => {
  expect(readCommandLine(args, {})).toEqual({ kind: 'types', isAddedUp: false, ...expected });
});

describe('a wrong command line', () => {
  const COLLECTIONS =
    'articles, products, or a name of small letters such as jobs, and none of api, assets, docs, export, health, openapi, search';
  test.each<[string, Record<string, string>, string]>([
    ['--prot 80', {}, 'Unknown flag --prot. Did you mean "--port"? See --help.'],
    ['--h', {}, 'Unknown flag --h. See --help.'],
    ['-x', {}, 'Unknown flag -x. See --help.'],
    ['--port', {}, '--port needs a value: an integer from 0 to 65535.'],
    ['--constructor', {}, 'Unknown flag --constructor. See --help.'],
    ['--quiet=yes', {}, '--quiet takes no value. See --help.'],
    ['--port abc', {}, '--port must be an integer from 0 to 65535, received "abc".'],
    ['--port 70000', {}, '--port must be an integer from 0 to 65535, received "70000".'],
    ['', { PORT: 'abc' }, 'PORT must be an integer from 0 to 65535, received "abc".'],
    [
      '--envelope both --max-limit 0',
      {},
      '--envelope must be pagination or meta, received "both".\n--max-limit must be an integer of at least 1, received "0".',
    ],
    [
      '--cors localhost',
      {},
      '--cors must be local, *, off or an origin such as https://shop.test, received "localhost".',
    ],
    [
      '--cors http://a.example/',
      {},
      '--cors must be local, *, off or an origin such as https://shop.test, received "http://a.example/".',
    ],
    ['--allowed-host x --allowed-host a/b', {}, '--allowed-host must be a name such as shop.test, received "x, a/b".'],
    ['--log xml', {}, '--log must be text, json or off, received "xml".'],
    [
      'serve dumps --snapshots other',
      {},
      'Name files and folders, or one folder with --snapshots, but not both: found "dumps" as well.',
    ],
    ['--as Books', {}, `--as must be ${COLLECTIONS}, received "Books".`],
    ['check --as export', {}, `--as must be ${COLLECTIONS}, received "export".`],
    ['check', { SCRAPER_AS: '1' }, `SCRAPER_AS must be ${COLLECTIONS}, received "1".`],
    [
      '--delay 800-200',
      {},
      '--delay must be milliseconds such as 300, or two such as 200-800, and at most 60000, received "800-200".',
    ],
    [
      '--delay 1s',
      {},
      '--delay must be milliseconds such as 300, or two such as 200-800, and at most 60000, received "1s".',
    ],
    [
      '--delay 60001',
      {},
      '--delay must be milliseconds such as 300, or two such as 200-800, and at most 60000, received "60001".',
    ],
    ['--fail 5', {}, '--fail must be a percentage from 0% to 100%, such as 5%, received "5".'],
    ['--fail 101%', {}, '--fail must be a percentage from 0% to 100%, such as 5%, received "101%".'],
    [
      'check --min-filled price',
      {},
      '--min-filled must be a field and a percentage, such as price=95%, received "price".',
    ],
    [
      'check --min-filled price=950%',
      {},
      '--min-filled must be a field and a percentage, such as price=95%, received "price=950%".',
    ],
    ['check --max-new 5', {}, '--max-new must be a percentage such as 50%, received "5".'],
    ['check --max-refused', {}, '--max-refused needs a value: a percentage from 0% to 100%, such as 5%.'],
    ['check --min-records -1', {}, '--min-records must be an integer of at least 0, received "-1".'],
    ['diff a b --max-lost 5%', {}, '--max-lost belongs to "serve", "check" and "bench", not to "diff". See --help.'],
    [
      '--encoding klingon',
      {},
      '--encoding must be one of utf-8, utf-16le, utf-16be, windows-1252, windows-1250, windows-1251, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-1258, windows-874, iso-8859-2, iso-8859-5, iso-8859-7, iso-8859-15, koi8-r, koi8-u, macintosh, ibm866, shift_jis, euc-jp, iso-2022-jp, gbk, gb18030, big5, euc-kr, received "klingon".',
    ],
    ['--max-download 4', {}, '--max-download must be a size such as 500MB or 4GB, received "4".'],
    ['- -', {}, 'Standard input is read once, and - is named more than once.'],
    ['- --previous -', {}, 'Standard input is read once, and - is named more than once.'],
    ['check - --previous -', {}, 'Standard input is read once, and - is named more than once.'],
    ['diff - -', {}, 'Standard input is read once, and - is named more than once.'],
    ['- --watch', {}, '--watch needs a file, a folder or an address: standard input is read once.'],
    ['bench -', {}, '"bench" starts the server several times, and standard input is read once: name a file.'],
    ['bench --open', {}, '--open belongs to "serve", not to "bench". See --help.'],
    ['--base-url shop', {}, '--base-url must be an address such as https://shop.example/, received "shop".'],
    [
      'check --scraped-at yesterday',
      {},
      '--scraped-at must be a date such as 2024-03-05T09:30Z, received "yesterday".',
    ],
    [
      'diff a b c',
      {},
      '"diff" takes two dumps, an earlier and a later one, or a folder of dated dumps; received "a", "b", "c".',
    ],
    [
      'diff a --add-up',
      {},
      '--add-up makes one dump of a folder, and "diff" takes two: name an earlier and a later one.',
    ],
    ['diff a b --watch', {}, '--watch belongs to "serve" and "bench", not to "diff". See --help.'],
    ['check --port 80', {}, '--port belongs to "serve" and "bench", not to "check". See --help.'],
    ['--json', {}, '--json belongs to "check", "diff" and "bench", not to "serve". See --help.'],
  ])('%s %j', (args, environment, message) => {
    const command = readCommandLine(args.split(' ').filter(Boolean), environment);
    expect(command).toEqual({ kind: 'wrong', message });
  });
});

test.each([
  ['--from', '--from'],
  ['push dumps --to', '--to'],
  ['push dumps --to postgres://db/x --partitions', '--partitions'],
])('%s: an address of a database with a fault is not shown', (args, flag) => {
  const message = `${flag} must be an address with a database, such as postgres://shop@db.example/shop.`;
  for (const address of [
    'mysql://shop:secret@db/x',
    'postgres://shop:secret@db',
    'postgres://shop:50%@db/x',
    'postgres://db/%ff',
  ])
    expect(readCommandLine([...args.split(' '), address], {})).toEqual({ kind: 'wrong', message });
});

test('help and version', () => {
  expect(readCommandLine(['--help'], {})).toEqual({ kind: 'help', command: null });
  expect(readCommandLine(['check', '-h'], {})).toEqual({ kind: 'help', command: 'check' });
  expect(readCommandLine(['dumps', '-h'], {})).toEqual({ kind: 'help', command: null });
  expect(readCommandLine(['-v'], {})).toEqual({ kind: 'version' });
});

describe('the help text', () => {
  const commands = [null, 'serve', 'check', 'diff', 'convert', 'types', 'bench'] as const;

  test.each(commands)('of %s has each flag of the command once, with its variable, and no other', (command) => {
    const lines = [...helpText(command, 80)];
    const shown = lines
      .flatMap((line) => /^ {2}--([\w-]+)/.exec(line)?.[1] ?? [])
      .filter((name) => name !== 'json' && !(name in ownFlags[command ?? 'serve']));
    expect(shown.toSorted()).toEqual(flagsOf(command ?? 'serve').toSorted());
    for (const name of shown) expect(lines.join(' ').replace(/ +/g, ' ')).toContain(`[${variableOf(name)}`);
  });

  test('every flag is in one group', () => {
    expect(Object.values(flagGroups).flat().sort()).toEqual(serveFlags.map(({ name }) => name).sort());
  });

  test.each(commands.flatMap((command) => [40, 60, 80, 120].map((columns) => [command, columns] as const)))(
    'of %s fits into %i columns',
    (command, columns) => {
      for (const line of helpText(command, columns)) {
        // A word that is longer than the line cannot wrap, but nothing stands beside it.
        const isOneWord = !line.trim().includes(' ');
        expect(isOneWord || line.length <= columns, line).toBe(true);
      }
    },
  );

  test('begins with three examples, each a command line that is right', () => {
    const lines = [...helpText(null, 200)];
    const from = lines.indexOf('examples');
    expect(from).toBeLessThan(3);
    const examples = lines.slice(from + 1, lines.indexOf('usage')).filter((line) => line.startsWith('  scraper'));
    expect(examples).toHaveLength(3);
    for (const example of examples)
      expect(readCommandLine(example.trim().split(' ').slice(1), {})).toMatchObject({ kind: 'serve' });
  });

  test('emphasizes headings only', () => {
    const marked = [...helpText('diff', 80, (text) => `<${text}>`)].filter((line) => line.includes('<'));
    expect(marked).toEqual(['<examples>', '<usage>', '<flags: the dump>', '<other flags>']);
  });
});

describe('the progress line', () => {
  test.each([
    ['abcdef', 10, 'abcdef'],
    ['abcdef', 4, 'abcd'],
    ['███░ 75 % a', 6, '███░ 7'],
    ['商品.json', 5, '商品.'],
    ['商品.json', 4, '商品'],
    ['商品.json', 3, '商'],
    ['🍎.json', 1, ''],
  ])('%s in %i columns', (line, columns, expected) => expect(fitted(line, columns)).toBe(expected));
});
