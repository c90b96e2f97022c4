/** Export, load that export as the snapshot, export again: the same bytes, whichever format is in between. */
import { describe, expect, test } from 'vitest';
import { appOf, cleanDir, datasetIn, datasetOf, haveShared, sampleDir } from '../support/api.js';
import { names } from '../support/oracle.js';
import { withFolder } from '../support/program.js';

const formats = ['json', 'csv'] as const;

async function exported(served: Awaited<ReturnType<typeof datasetIn>>, name: string, format: string): Promise<string> {
  return (await appOf(served).request(`/api/export/${name}?format=${format}`)).text();
}

async function expectSame(served: Awaited<ReturnType<typeof datasetIn>>): Promise<void> {
  for (const name of names) {
    const wanted = { json: await exported(served, name, 'json'), csv: await exported(served, name, 'csv') };
    for (const through of formats) {
      await withFolder({ [`${name}.${through}`]: wanted[through] }, async (dir) => {
        const again = await datasetIn(dir);
        for (const format of formats) expect((await exported(again, name, format)) === wanted[format]).toBe(true);
      });
    }
  }
}

const folders = [
  { what: 'the sample', dir: sampleDir, run: true },
  { what: 'real dumps', dir: cleanDir, run: haveShared() },
];

describe.each(folders)('$what', ({ dir, run }) => {
  // Skipped only where the folder beside the project is missing, which `haveShared` has said.
  const check = run ? test : test.skip;
  check('survives JSON and CSV to the byte', async () => expectSame(await datasetIn(dir)));
});

test('awkward records survive JSON and CSV to the byte', async () => {
  const texts = [
    '',
    "'",
    "''=1",
    '=1',
    ' -',
    '\t',
    '\r\n',
    '"',
    '""',
    ',',
    'null',
    '0012',
    'N/A',
    '🦀',
    '\u0000',
    'a\u2028b',
  ];
  const articles = texts.map((text, id) => ({
    id: id - 3,
    title: `${text}x`,
    url: text,
    score: id % 3 === 0 ? null : -id,
    author: id % 2 === 0 ? text : null,
    date: id % 4 === 0 ? null : '1969-12-31T23:59:59.001Z',
    content: text,
    tags: id % 2 === 0 ? [text, '"', "'="] : null,
  }));
  const products = texts.map((text, id) => ({ id, title: `${text}x`, price: id % 2 ? 1e-7 : null, category: text }));
  await expectSame(datasetOf({ articles, products }));
});
