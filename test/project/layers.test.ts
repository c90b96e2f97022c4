/** Each layer imports only what stands below it; src/README.md draws them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { collections } from '../../src/model.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** What each layer may import from the project besides itself. A file directly under src/ is a layer of its own. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  model: [],
  'field-kinds': ['model'],
  errors: ['text'],
  text: [],
  nearest: ['text'],
  languages: ['package', 'text'],
  kernels: [],
  assert: [],
  'kernel-types': [],
  bits: ['kernels', 'wasm'],
  'row-set': ['bits'],
  arrays: [],
  'byte-table': ['arrays'],
  wasm: [],
  batch: ['text', 'kernels'],
  names: ['model'],
  load: [
    'package',
    'names',
    'nearest',
    'model',
    'field-kinds',
    'text',
    'languages',
    'batch',
    'arrays',
    'byte-table',
    'kernels',
    'wasm',
  ],
  search: ['kernels', 'assert', 'batch', 'text', 'languages', 'bits', 'row-set', 'arrays', 'wasm'],
  store: ['kernels', 'model', 'field-kinds', 'text', 'bits', 'arrays', 'byte-table', 'batch', 'wasm', 'search'],
  query: ['names', 'nearest', 'model', 'field-kinds', 'errors', 'text', 'bits', 'row-set', 'arrays', 'search', 'store'],
  http: ['nearest', 'model', 'field-kinds', 'errors', 'text', 'languages', 'load', 'store', 'search', 'query'],
  postgres: ['batch', 'errors', 'languages', 'load', 'model', 'field-kinds', 'query', 'search', 'store', 'text'],
  build: ['package', 'model', 'text', 'languages', 'arrays', 'batch', 'load', 'store', 'search'],
  config: ['names', 'nearest', 'model', 'text', 'languages', 'load', 'search', 'build'],
  package: [],
  index: ['package', 'build', 'config', 'http', 'load'],
  bench: [],
  commands: ['text', 'model', 'bench', 'build', 'config', 'http', 'load', 'postgres', 'store', 'query'],
  main: ['arrays', 'config', 'commands'],
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
/** The bytes of ASCII stand below all layers; kernels can import only from their own folder. */
const COMMON = 'kernels/ascii.ts';
const layerOf = (file: string): string => file.split('/')[0]?.replace(/(\.d)?\.ts$/, '') ?? '';
const textOf = (file: string): string => readFileSync(join(src, file), 'utf8');
const importsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '');

describe('layers', () => {
  test.each(files)('%s', (file) => {
    const layer = layerOf(file);
    expect(Object.keys(allowed)).toContain(layer);
    const imported = importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => relative(src, join(src, dirname(file), specifier.replace(/\.js$/, '.ts'))))
      .filter((path) => path !== COMMON)
      .map(layerOf);
    expect(imported.filter((other) => other !== layer && !allowed[layer]?.includes(other))).toEqual([]);
  });

  test.each(files.filter((file) => !['main', 'http'].includes(layerOf(file))))('%s knows no Hono', (file) => {
    expect(importsOf(file).filter((specifier) => /^@?hono/.test(specifier))).toEqual([]);
  });

  test.each(files.filter((file) => !['main', 'commands'].includes(layerOf(file))))(
    '%s does not touch the process',
    (file) => {
      expect(textOf(file)).not.toMatch(/\bprocess\./);
      expect(importsOf(file)).not.toContain('node:process');
    },
  );
});

/** The floors of `http/`: a file imports only what stands on floors below its own, besides what is of its own name. */
const FLOORS: readonly (readonly string[])[] = [
  ['semantics', 'memoize', 'log', 'bind'],
  ['served'],
  ['response', 'options', 'cache', 'markup', 'paths'],
  ['resource', 'request', 'error-responses', 'foreign-paths', 'highlight'],
  ['sender', 'clients', 'served-state'],
  ['gate'],
  ['answers'],
  ['handler'],
  ['wire', 'api', 'adapter'],
  ['openapi'],
  ['docs', 'pages'],
  ['service'],
  ['site'],
  ['app'],
  ['server'],
];

describe('floors of http', () => {
  const own = files.filter((file) => file.startsWith('http/') && !file.startsWith('http/pages/browser/'));
  const nameOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
  const floorOf = (name: string): number => FLOORS.findIndex((names) => names.includes(name));

  test.each(own)('%s', (file) => {
    const name = nameOf(file);
    expect(floorOf(name), `${name} has no floor`).toBeGreaterThanOrEqual(0);
    const imported = importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => relative(src, join(src, dirname(file), specifier)))
      .filter((path) => path.startsWith('http/'))
      .map(nameOf)
      .map((other) => other.replace(/\.js$/, ''));
    expect(imported.filter((other) => other !== name && floorOf(other) >= floorOf(name))).toEqual([]);
  });
});

/**
 * The floors of `load/`: a file imports only what stands on floors below its own, besides what is of its own folder. Types alone may stand
 * above. `vocabulary.ts` and the first files of `report/` need nothing of the others.
 */
const FLOORS_OF_LOAD: readonly (readonly string[])[] = [
  ['report/findings', 'report/report'],
  ['source'],
  ['values', 'fields/vocabulary'],
  ['profile'],
  ['place'],
  ['fields'],
  ['bind', 'report'],
];

describe('floors of load', () => {
  const pathOf = (file: string): string => file.replace(/^load\//, '').replace(/\.[jt]s$/, '');
  const nameOf = (file: string): string =>
    FLOORS_OF_LOAD.flat().find((name) => name === pathOf(file)) ?? pathOf(file).split('/')[0] ?? '';
  const floorOf = (file: string): number => FLOORS_OF_LOAD.findIndex((names) => names.includes(nameOf(file)));
  const inFolders = files.filter((file) => /^load\/.*\//.test(file));

  test.each(inFolders)('%s', (file) => {
    expect(floorOf(file), `${file} has no floor`).toBeGreaterThanOrEqual(0);
    const imported = [...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)]
      .map(([, specifier = '']) => relative(src, join(src, dirname(file), specifier)))
      .filter((path) => path.startsWith('load/'));
    const isAllowed = (path: string): boolean =>
      nameOf(path) === nameOf(file) || (floorOf(path) >= 0 && floorOf(path) < floorOf(file));
    expect(imported.filter((path) => !isAllowed(path))).toEqual([]);
  });
});

/** The files that a file imports from, types included. */
const importedFilesOf = (file: string): readonly string[] =>
  importsOf(file)
    .filter((specifier) => /^\..*\.js$/.test(specifier))
    .map((specifier) => relative(src, join(src, dirname(file), specifier.replace(/\.js$/, '.ts'))))
    .filter((imported) => files.includes(imported));

test('no files import one another in a circle, not even types', () => {
  const finished = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    if (finished.has(file)) return;
    expect(way, 'a circle').not.toContain(file);
    for (const imported of importedFilesOf(file)) follow(imported, [...way, file]);
    finished.add(file);
  };
  for (const file of files) follow(file, []);
});

/** Lines that hold the name of a documented field and ask for none. */
const NO_RULES: Readonly<Record<string, readonly string[]>> = {
  // Kinds of fields, one of which is called as a field is.
  'load/fields/column-kind.ts': ["['date', ({ dates, present })"],
  'load/report/findings.ts': ["date: 'date',"],
  'store/changes/changes.ts': ["'date'"],
  'commands/schema.ts': ["date: { type: 'date' }"],
  'load/bind/field-reader.ts': ["case 'date':", "case 'url':"],
  'load/values/values.ts': ["case 'date':", "const ADDRESS_MEMBERS = ['url', 'src', 'href'];"],
  // What dumps call the fields.
  'load/fields/vocabulary.ts': ["['"],
  // Nouns of messages.
  // A response of OpenAPI.
  'http/docs/markdown.ts': ["'content' in found ?"],
};

test.each(files.filter((file) => file !== 'model.ts'))('%s asks for no documented field by its name', (file) => {
  const names = collections.flatMap(({ fields }) => fields.map(({ name }) => name));
  const documented = names.filter((name) => name !== 'id' && name !== 'title');
  const isCode = (line: string) => !/^\s*(?:\*|\/[/*])/.test(line);
  // Roles and kinds are partly called as fields are.
  const holdsName = (line: string) =>
    documented.some((name) => line.includes(`'${name}'`)) && !/role|kind|fieldOf\(/i.test(line);
  const isAllowed = (line: string) => NO_RULES[file]?.some((text) => line.includes(text)) === true;
  const lines = textOf(file).split('\n').filter(isCode);
  expect(lines.filter((line) => holdsName(line) && !isAllowed(line))).toEqual([]);
});

const tests = fileURLToPath(new URL('..', import.meta.url));
/** Tests of the benchmarks themselves, and of the sample, which is written there. */
const OF_BENCHES = /^bench[/]/;

test('tests do not depend on benchmarks: what both need is in test/support', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const others = files.filter((file) => !file.includes('node_modules') && !OF_BENCHES.test(file));
  const importsBench = (file: string): boolean => /from '[./]*\/bench\//.test(readFileSync(join(tests, file), 'utf8'));
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((file) => importsBench(file))).toEqual([]);
});

/** What `src/README.md` calls the spine: its files in reading order with their questions, and where it ends. */
describe('the spine', () => {
  const readme = textOf('README.md');
  const listed = [...readme.matchAll(/^\| \d+ \| `([^`]+)` \| (.+) \|$/gm)].map(([, file = '', question = '']) => ({
    file,
    question,
  }));
  const spine = listed.map(({ file }) => file);
  const [, ends = ''] = /\| place \| interfaces \| what is there \|\n(.*?)\n\n/s.exec(readme) ?? [];
  const codesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const doors = [...ends.matchAll(/^\| (`.+?) \| (`.+?) \| /gm)].map(([, to = '', through = '']) => ({
    places: codesIn(to),
    names: codesIn(through),
  }));
  const isBehind = (file: string, place: string): boolean =>
    place.endsWith('/') ? file.startsWith(place) : file === place;
  /** What the spine imports from elsewhere, by file: names, types included. */
  const leaves = new Map<string, Set<string>>();
  for (const file of spine)
    for (const [, names = '', specifier = ''] of textOf(file).matchAll(
      /^(?:import|export) (?:type )?\{([^;]*?)\} from '(\.[^']+)'/gm,
    )) {
      const imported = relative(src, join(src, dirname(file), specifier.replace(/\.js$/, '.ts')));
      if (spine.includes(imported)) continue;
      const known = leaves.get(imported) ?? new Set<string>();
      leaves.set(imported, known);
      for (const name of names.split(',')) known.add(name.replace('type ', '').trim());
    }

  test('is some 20 files, and read in a day', () => {
    expect(spine.length).toBeGreaterThanOrEqual(18);
    expect(spine.length).toBeLessThanOrEqual(22);
    const lines = spine.map((file) => textOf(file).split('\n').length - 1).reduce((sum, one) => sum + one, 0);
    expect(lines, 'what may be skipped belongs into a file beside the spine').toBeLessThanOrEqual(3000);
  });

  test.each(listed)('$file begins with its question', ({ file, question }) => {
    const [, head = ''] = /^(?:#!.*\n)?\/\*\*\n(.*?)\n \*\/\n/s.exec(textOf(file)) ?? [];
    const [first, ...rest] = head.split('\n').map((line) => line.replace(/^ \* ?/, ''));
    expect(first).toBe(question);
    expect(question).toMatch(/\?$/);
    const labels = rest.flatMap((line) => /^(Takes|Gives|Skip): \S/.exec(line)?.[1] ?? []);
    expect(labels).toEqual(['Takes', 'Gives', 'Skip']);
  });

  test('hangs together: each file but the first is imported by one before or behind it', () => {
    const imported = new Set(spine.flatMap((file) => importedFilesOf(file)));
    expect(spine.filter((file) => !imported.has(file))).toEqual(['main.ts']);
  });

  test('ends at the interfaces that are named beside it', () => {
    expect(doors.length).toBeGreaterThan(10);
    const places = doors.flatMap((door) => door.places);
    const outside = spine.flatMap((file) => importedFilesOf(file)).filter((file) => !spine.includes(file));
    expect(outside.filter((file) => !places.some((place) => isBehind(file, place)))).toEqual([]);
    expect(places.filter((place) => !outside.some((file) => isBehind(file, place)))).toEqual([]);
    for (const { places, names } of doors) {
      const behind = [...leaves].flatMap(([file, imported]) =>
        places.some((place) => isBehind(file, place)) ? [...imported] : [],
      );
      expect(
        names.filter((name) => !behind.includes(name)),
        `${places} give`,
      ).toEqual([]);
    }
  });
});
