/** Dumps that gave wrong answers without a word, or stalled a start. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import type { buildParts } from '../../src/build/build.js';
import { ColumnWatch } from '../../src/load/profile/column-watch.js';
import { textOfHtml } from '../../src/load/values/markup.js';
import { holdsAddresses } from '../../src/load/values/paths.js';
import { textForm } from '../../src/load/values/text-forms.js';
import { isCode } from '../../src/load/values/texts.js';
import { readCell } from '../../src/load/values/values.js';
import { collectionOf, collections } from '../../src/model.js';
import { fold } from '../../src/text.js';
import { appOf, datasetIn } from '../support/api.js';
import { expectLinear } from '../support/cost.js';
import { loadFiles } from '../support/load.js';
import { withFolder } from '../support/program.js';

const [articles] = collections;
const levels = (count: number): string => '['.repeat(count) + ']'.repeat(count);
const TOO_DEEP = 'a value is nested too deeply: expected at most 512 levels';

describe('a value of more than 512 levels makes its record refused', () => {
  const deepRecord = (member: string, depth: number) => `{"id":2,"title":"b",${member}:${levels(depth)}}`;

  it.each([
    ['a name that was met before', '"x"'],
    ['a name with an escape', '"\\u0078"'],
    ['a field', '"tags"'],
    ['a field inside of others', '"offers":[{"a":1},2],"y"'],
  ])('%s', async (_, member) => {
    for (const [depth, accepted] of [
      [512, 2],
      [513, 1],
      [20_000, 1],
    ] as const)
      for (const columns of ['all', 'documented'] as const)
        for (const [file, around] of [
          ['articles.json', (records: string) => `[${records}]`],
          ['articles.ndjson', (records: string) => records.replaceAll('},{', '}\n{')],
        ] as const) {
          const dump = around(`{"id":1,"title":"a","x":1},${deepRecord(member, depth)}`);
          const { records, files } = await loadFiles({ [file]: dump }, { columns });
          expect([depth, columns, records.length]).toEqual([depth, columns, accepted]);
          expect(files[0]?.refusals.map(({ reason }) => reason)).toEqual(accepted === 1 ? [TOO_DEEP] : []);
        }
  });

  it('rows and keyed objects', async () => {
    const rows = `[["id","title","x"],[1,"a",1],[2,"b",${levels(600)}]]`;
    const keyed = `{"1":{"title":"a"},"2":{"title":"b","x":${levels(600)}},"3":{"title":"c"}}`;
    for (const [dump, accepted] of [
      [rows, 1],
      [keyed, 2],
    ] as const) {
      const { records, files } = await loadFiles({ 'articles.json': dump });
      expect([records.length, files[0]?.refusals[0]?.reason]).toEqual([accepted, TOO_DEEP]);
    }
  });
});

describe('stores and search tables', () => {
  it('hold the same records, whatever one of them keeps of a record', async () => {
    const built: { readonly buildParts: typeof buildParts } = await import(
      fileURLToPath(new URL('../../dist/internals.js', import.meta.url))
    );
    const filler = 'a word or two '.repeat(70);
    const dump = Array.from({ length: 9_000 }, (_, i) =>
      i === 4_000
        ? `{"id":${i},"title":"deep","\\u0078":${levels(20_000)}}`
        : JSON.stringify({ id: i, title: `t ${i}`, content: filler }),
    );
    await withFolder({ 'articles.ndjson': dump.join('\n') }, async (dir) => {
      const parts = await built.buildParts({ dir, threads: 2 });
      if (!parts.ok) throw new Error('the folder was not built');
      const { size } = collectionOf(parts.stores, 'articles');
      expect([size, collectionOf(parts.tables, 'articles').rows]).toEqual([8_999, 8_999]);
    });
  });
});

describe('what stands for no value', () => {
  it('is no tag', async () => {
    const rows = ['NULL', 'nan', 'None', '\\N', 'a;b'].map((tags, i) => `${i + 1},Tea ${i},http://a/1,3,${tags}`);
    const { records, files } = await loadFiles({ 'articles.csv': `id,title,url,score,tags\n${rows.join('\n')}\n` });
    expect(records.map((values) => values.at(-1))).toEqual([null, null, null, null, ['a', 'b']]);
    expect(files[0]?.fields.find(({ field }) => field === 'tags')).toMatchObject({ leftNull: 4, repaired: 1 });
  });

  it('a number that no double holds is no text', async () => {
    const { records, files } = await loadFiles({
      'products.json': '[{"id":1,"title":"Tea","category":1e400},{"id":2,"title":1e400}]',
    });
    expect(records.map((values) => [values[1], values.at(-1)])).toEqual([['Tea', null]]);
    expect(files[0]?.refusals[0]?.reason).toMatch(/^title: expected text/);
  });
});

test('a foreign CSV keeps its apostrophes, and an export loses those that guard', async () => {
  const title = "'+1' considered harmful";
  const foreign = await loadFiles({ 'articles.csv': `id,title,points\n1,${title},3\n` });
  expect(foreign.records[0]?.[1]).toBe(title);
  const names = articles.fields.map(({ name }) => name).join(',');
  const own = await loadFiles({ 'articles.csv': `${names}\n1,'+1,,,,,,,\n` });
  expect(own.records[0]?.[1]).toBe('+1');
});

describe('what the sample decides', () => {
  it('a path of the mapping that begins at a name behind the sample feeds its field', async () => {
    const record = (id: number) => ({ id, title: `Tea ${id}`, ...(id > 1000 && { offer: { amount: id } }) });
    const { records } = await loadFiles({
      'products.json': JSON.stringify(Array.from({ length: 1200 }, (_, i) => record(i + 1))),
      'products.mapping.json': '{"offer.amount":"price"}',
    });
    expect(records.map((values) => values[3]).filter((price) => price !== null)).toEqual(
      Array.from({ length: 200 }, (_, i) => 1001 + i),
    );
  });

  it('a column without a name is no source of fields that have none', async () => {
    const dump = [3, 4, 20].map((stars, id) => ({ id, title: `Tea ${id}`, price: 1, '': stars }));
    const { files } = await loadFiles({ 'products.json': JSON.stringify(dump) });
    expect(files[0]?.mistakes.filter((text) => text.startsWith('rating'))).toEqual([]);
  });

  it('a list that the mapping renames stays a list', async () => {
    const dump = [['red tea', 'salt'], ['rye'], []].map((kinds, id) => ({ id, title: `Tea ${id}`, price: 1, kinds }));
    const { models } = await loadFiles(
      { 'products.json': JSON.stringify(dump), 'products.mapping.json': '{"kinds":"sorts"}' },
      { columns: 'all' },
    );
    expect(models.get('products')?.fields.find(({ name }) => name === 'sorts')?.kind).toBe('texts');
  });
});

describe('the semicolon of an entity', () => {
  it('separates no tags', async () => {
    const dump = [{ id: 1, title: 'Tea', score: 1, tags: 'Arts &amp; Crafts, Music' }];
    const { records } = await loadFiles({ 'articles.json': JSON.stringify(dump) });
    expect(records[0]?.at(-1)).toEqual(['Arts & Crafts', 'Music']);
  });

  it('separates no values of a text', async () => {
    const rows = ['Arts &amp; Crafts', 'Tea', 'R&amp;D', 'R&amp;amp;D'].map((category, id) => ({
      id,
      title: 't',
      category,
    }));
    const { records, models } = await loadFiles({ 'products.json': JSON.stringify(rows) });
    expect(records.map((values) => values.at(-1))).toEqual(['Arts & Crafts', 'Tea', 'R&D', 'R&amp;D']);
    expect(models.get('products')?.fields.at(-1)?.splitBy).toBeUndefined();
  });

  it('is none behind a name of one letter', async () => {
    const genres = ['R&B;Soul;Jazz', 'R&B;Soul', 'Soul;Jazz', 'R&B;Jazz'];
    const rows = genres.map((genre, id) => ({ id, title: 't', price: 1, genre }));
    const { models } = await loadFiles({ 'products.json': JSON.stringify(rows) });
    expect(models.get('products')?.fields.at(-1)?.splitBy).toBe(';');
  });
});

describe('where the records stand', () => {
  it('records that feed fields are not left for what is inside of them', async () => {
    const soups = [
      { id: 1, q7: 'S1', price: 3, ingredients: [{ name: 'salt' }, { name: 'water' }] },
      { id: 2, q7: 'S1', price: 4, ingredients: [{ name: 'beef' }] },
    ];
    const { records, files } = await loadFiles({ 'products.json': JSON.stringify(soups) });
    expect(records).toEqual([]);
    expect(files[0]).toMatchObject({ refused: 2, refusals: [{ reason: 'title is missing' }] });
  });

  it.each([
    ['[{"page":1,"items":[{"id":1,"title":"Tea","price":3},{"id":2,"title":"Cup","price":4}]}]', '[].items[]'],
    ['{"data":{"products":[{"id":1,"title":"Tea","price":3}]}}', 'data.products[]'],
    ['{"1":{"title":"Tea","price":3},"2":{"title":"Cup","price":4}}', '*'],
    ['[{"id":1,"title":"Tea","price":3}]', undefined],
  ])('%s', async (dump, place) => {
    const { files, records } = await loadFiles({ 'products.json': dump });
    expect(records.length).toBeGreaterThan(0);
    const note = files[0]?.decisions.find((text) => text.startsWith('the records are those at'));
    expect(note?.replace(/; --records .*/, '')).toBe(place && `the records are those at ${place}`);
  });
});

describe('text that is made to stall takes time by its length only', () => {
  const content = articles.fields.find(({ name }) => name === 'content') ?? articles.fields[0];
  const tags = articles.fields.find(({ name }) => name === 'tags') ?? articles.fields[0];
  const context = { isCsv: true, dateOrder: undefined } as const;
  const watchOf = (name: string): ColumnWatch =>
    new ColumnWatch({ name, kind: name === 'date' ? 'date' : 'number', description: '' }, 3, undefined, true);

  it.each<[string, (times: number) => unknown]>([
    ['tags of HTML', (times) => textForm(content, 'content', [], new Map([['<p "'.repeat(times), 1]]))],
    ['quotes of Python', (times) => readCell(tags, `["${'\\"'.repeat(times)}`, context)],
    ['nested elements', (times) => textOfHtml('<b>'.repeat(times))],
    ['nested lists without ends', (times) => textOfHtml('<dl><dt>a<dd>b'.repeat(times))],
    ['nested elements and their ends', (times) => textOfHtml(`${'<div>'.repeat(times)}a${'</div>'.repeat(times)}`)],
    ['marks on one character', (times) => fold(`a${'\u0315\u0300\u05ae\u0327\u0301'.repeat(times)}`)],
    ['addresses', (times) => holdsAddresses(`http://${','.repeat(times)}`)],
    ['amounts behind the sample', (times) => watchOf('price').look('a1,'.repeat(times), true)],
    ['ranges behind the sample', (times) => watchOf('price').look('1 - '.repeat(times), true)],
    ['dates behind the sample', (times) => watchOf('date').look('1/2 '.repeat(times), true)],
  ])('%s', (_, work) => expectLinear(work, 1000));

  it('twelve million characters do not overflow the stack', () => {
    expect(isCode('a,'.repeat(6e6))).toBe(true);
    expect(isCode(`${'a,'.repeat(6e6)}a`)).toBe(false);
    expect(readCell(tags, '<a>'.repeat(4e6), context).value).toHaveLength(4e6);
  });

  it('long integers', async () => {
    const dump = (names: number) => {
      const members = Array.from({ length: names }, (_, i) => `"\\u006e${i}":90071992547409${i}93`);
      return { 'articles.json': `[{"id":1,"title":"t",${members.join(',')}}]` };
    };
    await expectLinear((names) => loadFiles(dump(names)), 500);
  });
});

/** Exports of all fields of a dump in every format, with the model. */
const exported = (files: Readonly<Record<string, string>>, collection: string) =>
  withFolder(files, async (dir) => {
    const served = await datasetIn(dir);
    const app = appOf(served);
    const textOf = async (format: string) =>
      (await app.fetch(new Request(`http://localhost/api/export/${collection}?fields=*&format=${format}`))).text();
    const kinds = served.dataset.collections
      .get(collection)
      ?.model.fields.map(({ name, kind }) => [name, kind] as const);
    const texts = { json: await textOf('json'), ndjson: await textOf('ndjson'), csv: await textOf('csv') };
    return { app, kinds: Object.fromEntries(kinds ?? []), texts, records: JSON.parse(texts.json) };
  });

const lines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('a number past the largest is no text, wherever it stands', () => {
  const digits = '9'.repeat(400);
  it.each<[string, string]>([
    [
      'ndjson',
      `{"id":1,"name":"A","price":3,"tags":[1e400,"x",2],"codes":["A-1",-1e400],"t":"x"}\n{"id":2,"name":"B","price":4,"tags":["y"],"codes":[1e400],"t":1e400}\n`,
    ],
    [
      'ndjson',
      `{"id":1,"name":"A","price":3,"tags":[${digits},"x"],"o":{"t":["a",${digits}]},"t":${digits}}\n{"id":2,"name":"B","price":4,"tags":["y"],"o":{"t":["b"]},"t":"w"}\n`,
    ],
    ['csv', 'id,name,price,tags,codes\n1,A,3,"[1e400,""x""]","[""A-1"",1e400]"\n2,B,4,"[1e400]","[""A-2""]"\n'],
  ])('in %s: %s', async (ending, dump) => {
    const { texts, records } = await exported({ [`products.${ending}`]: dump }, 'products');
    for (const text of Object.values(texts)) expect(text).not.toMatch(/Infinity/);
    expect(records[0].tags).toContain('x');
  });
});

describe('what is inside of a record is no record', () => {
  const rope = { id: 1, name: 'Rope', strands: [{ id: 10, name: 'Red', price: 3 }] };
  const cord = { id: 2, name: 'Cord', strands: [{ id: 11, name: 'Blue', price: 4 }] };
  const red = { id: 10, name: 'Red', price: 3 };
  it.each<[string, string, readonly string[]]>([
    ['a line', lines([rope]), ['Rope']],
    ['lines', lines([rope, cord]), ['Rope', 'Cord']],
    [
      'values over several lines',
      `${JSON.stringify(rope, null, 2)}\n${JSON.stringify(cord, null, 2)}`,
      ['Rope', 'Cord'],
    ],
    [
      'pages of a list',
      lines([
        { page: 1, items: [red] },
        { page: 2, items: [{ ...red, id: 12, name: 'Ash' }] },
      ]),
      ['Red', 'Ash'],
    ],
    ['one page', lines([{ page: 1, items: [red] }]), ['Red']],
    [
      'departments',
      lines([
        { name: 'Kitchen', products: [red] },
        { name: 'Garden', products: [{ ...red, id: 12 }] },
      ]),
      ['Red', 'Red'],
    ],
  ])('%s', async (_, dump, titles) => {
    const { records } = await loadFiles({ 'products.ndjson': dump });
    expect(records.map((values) => values[1])).toEqual(titles);
  });
});

test('codes that begin with the code of a currency are codes: in kinds, filters and exports', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `${i + 1},Tea ${i},PAB-${10_206 + i},TRY-${12 + i},ALL-${i},4.25,USD ${i}.50\n`,
  );
  const dump = `id,name,part,ref,lot,price,duty\n${rows.join('')}`;
  const { app, kinds, records, texts } = await exported({ 'products.csv': dump }, 'products');
  expect(kinds).toMatchObject({ part: 'code', ref: 'code', lot: 'code', duty: 'number' });
  expect(records[3]).toMatchObject({ part: 'PAB-10209', ref: 'TRY-15', lot: 'ALL-3', duty: 3.5 });
  expect(texts.csv).toContain('PAB-10209,TRY-15,ALL-3,');
  const answer = await app.fetch(new Request('http://localhost/api/products?ref=TRY-15'));
  expect(await answer.json()).toMatchObject({ data: [{ id: 4 }] });
});

test('a text of more bytes than an index holds refuses its record, with its line', async () => {
  const words = (count: number) => `{"id":${count},"title":"Long","content":"${'a '.repeat(count)}"}\n`;
  const dump = `{"id":1,"title":"Tea"}\n${words((1 << 25) + 1)}{"id":2,"title":"Rye"}\n`;
  const { records, files } = await loadFiles({ 'articles.ndjson': dump });
  expect(records.map(([id]) => id)).toEqual([1, 2]);
  const reason = 'content: expected a text of at most 64 MB, found more';
  expect(files[0]?.refusals).toEqual([{ records: 1, record: 2, line: 2, reason }]);
});
