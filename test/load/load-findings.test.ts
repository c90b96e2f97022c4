/** What a load has found: one list, which the start, `check`, `--json`, the home page and `--strict` filter and print. */
import { describe, expect, it } from 'vitest';
import { FINDING_KINDS, findingLine, findingLines } from '../../src/load/report/findings.js';
import type { LoadReport } from '../../src/load/report/report.js';
import { checkText, startUpText, warningLines } from '../../src/load/report/report-text.js';
import { appOf, datasetIn } from '../support/api.js';
import { loadFiles } from '../support/load.js';
import { type Files, withFolder } from '../support/program.js';

async function reportOn(files: Files): Promise<LoadReport> {
  const { result } = await loadFiles(files, { columns: 'all' });
  if (!result.ok) throw new Error(result.fault.message);
  return result.report;
}

/** Files with findings of many kinds. */
const FILES: Files = {
  'products.csv': [
    'id,name,price,User Rating,added,seen,image',
    '1,Tea,call us,4.5,02/01/2024,03/01/2024,/a.jpg',
    '2,Jam,,4.1,03/01/2024,04/01/2024,/b.jpg',
    '3,,,4.1,03/01/2024,04/01/2024,/b.jpg',
    '',
  ].join('\n'),
  'products.mapping.json': '{"preis":"price"}',
  'articles.json': JSON.stringify({
    items: [{ id: 1, title: 'Caf\u00c3\u00a9', score: 1, date: '2024-01-02' }],
    related: [{ id: 2, title: 'b', score: 2 }],
  }),
};

describe('findings', () => {
  it('have a kind, a file, a count and a text, and most a field', async () => {
    const { findings } = await reportOn(FILES);
    expect(findings.map(({ kind, file, field }) => [kind, file, field])).toEqual([
      ['left-out', 'articles.json', undefined],
      ['place', 'articles.json', undefined],
      ['double-encoded', 'articles.json', 'title'],
      ['no-values', 'articles.json', undefined],
      ['mapping', 'products.mapping.json', undefined],
      ['refused', 'products.csv', undefined],
      ['date-order', 'products.csv', 'added'],
      ['date-order', 'products.csv', 'seen'],
      ['guess', 'products.csv', 'rating'],
      ['renamed', 'products.csv', 'title'],
      ['empty', 'products.csv', 'price'],
      ['renamed', 'products.csv', 'imageUrl'],
      ['repaired', 'products.csv', 'added'],
      ['repaired', 'products.csv', 'seen'],
      ['relative-address', 'products.csv', 'imageUrl'],
      ['no-values', 'products.csv', undefined],
    ]);
    for (const { kind, count, text } of findings) expect([kind, count > 0, text]).toEqual([kind, true, text.trim()]);
  });

  it('tell what to do, and show what was found', async () => {
    const { findings } = await reportOn(FILES);
    expect(findings.filter(({ kind }) => kind === 'empty')).toEqual([
      {
        ...{
          kind: 'empty',
          file: 'products.csv',
          collection: 'products',
          field: 'price',
          count: 1,
          text: '1 left null',
        },
        examples: [{ record: 1, line: 2, raw: '"call us"', read: null }],
      },
    ]);
    const guess = findings.find(({ kind }) => kind === 'guess');
    expect(guess && findingLine(guess)).toBe(
      'rating: guessed from "User Rating"; {"User Rating":null} in products.mapping.json keeps it out',
    );
  });

  it('that tell the same of several fields share a line', () => {
    const told = { kind: 'date-order', count: 1, text: 'read as month/day', examples: [] } as const;
    const lines = findingLines([
      { ...told, field: 'a' },
      { ...told, field: 'b' },
      { ...told, field: 'c', text: 'x' },
      { ...told },
    ]);
    expect(lines).toEqual(['a, b: read as month/day', 'c: x', 'read as month/day']);
  });

  it('are printed by the start where a person must know them, in at most five lines', async () => {
    const report = await reportOn(FILES);
    expect(startUpText(report).filter((line) => line.startsWith('  ') && !line.includes('taken for'))).toEqual([
      '  related[] (line 1) stands beside the records, and is not read; --records "related[]" reads it instead',
      '  refused: record 3 (line 4): title is missing',
      '  added, seen: no date shows whether day or month stands first; read as month/day; {"dayFirst": true} in products.mapping.json reads day/month',
      '  price: 1 left null, such as "call us" (record 1, line 2)',
    ]);
    const widths = Array.from({ length: 9 }, (_, i) => `3${',x'.repeat(i + 3)}`);
    const lines = startUpText(
      await reportOn({ 'articles.csv': `id,title,score\n1,a,1\n2,b,2\n${widths.join('\n')}\n` }),
    );
    expect(lines.filter((line) => line.startsWith('  refused')).length).toBe(5);
    expect(lines.at(-1)).toMatch(/^ {2}and \d+ more: check prints all$/);
  });

  it('are all printed by check, and go to stderr where the program always says them', async () => {
    const report = await reportOn(FILES);
    const lines = checkText(report).map((line) => line.trim().replace(/^warning: /, ''));
    const said = report.findings.filter(({ kind }) => FINDING_KINDS[kind].isAlwaysSaid !== true);
    for (const each of said) expect(lines).toContain(findingLine(each));
    expect(warningLines(report)).toEqual(['products.mapping.json: no record has a value named "preis"']);
  });

  it('are on the home page, in the same words', async () => {
    await withFolder(FILES, async (dir) => {
      const served = await datasetIn(dir);
      const home = await (await appOf(served).request('/')).text();
      const text = home.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"');
      for (const each of served.report.findings)
        expect([each.kind, text.includes(findingLine(each, 1))]).toEqual([
          each.kind,
          // A dump that never had a column lacks nothing.
          FINDING_KINDS[each.kind].severity !== 'alias' && each.kind !== 'no-values',
        ]);
    });
  });

  it('a field without any value in the dump is no warning', async () => {
    const report = await reportOn({ 'products.json': '[{"id":1,"title":"Tea","price":4.2}]' });
    expect(report.findings.map(({ kind }) => FINDING_KINDS[kind].severity)).toEqual(['note']);
    expect(startUpText(report)).toEqual([
      'products.json: 1 record, 36 bytes, 0 refused',
      '  taken for products; --as NAME overrules',
    ]);
  });
});
