/** What the documents show of the benchmark is what its program makes of the results that it has written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PARTS } from '../../bench/parts.js';
import { PEERS, readPeer } from '../../bench/peers.js';
import { makePlan, SEARCHES, TASKS } from '../../bench/plan.js';
import { CHART, DOCUMENTS, EARLIER, LATEST, placeIn, readResults } from '../../bench/publish.js';
import { agreementText, chart } from '../../bench/render.js';
import { agreementOf, type Figure, OVER, type Results, statedSpread, summarise } from '../../bench/results.js';

const results: Results = JSON.parse(readFileSync(LATEST, 'utf8'));
const earlier = readResults(EARLIER);

describe('published results', () => {
  test.each(Object.entries(DOCUMENTS))('%s shows them', (path, render) => {
    expect(placeIn(readFileSync(path, 'utf8'))).toBe(`\n${render(results, earlier)}\n`);
  });

  test('the chart shows them', () => expect(readFileSync(CHART, 'utf8')).toBe(chart(results)));

  test("README's table has eight rows of tasks", () => {
    const rows = placeIn(readFileSync('README.md', 'utf8'))?.match(/^\| (?!task)[a-z].*\|$/gm);
    expect(rows).toHaveLength(8);
  });

  test.each(Object.entries(DOCUMENTS))('every cell of %s is a figure or a reason', (_, render) => {
    const rows = render(results, earlier).match(/^\| [^|].*\|$/gm) ?? [];
    const cells = rows.flatMap((row) => row.slice(1, -1).split('|'));
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.filter((cell) => cell.trim() === '' || /NaN|undefined|null/.test(cell))).toEqual([]);
  });
});

describe('rounds', () => {
  test('a figure is the middle of its rounds, with the least and the most', () => {
    expect(summarise([{ list: 3 }, { list: 1 }, { list: 2.00004 }])).toEqual({
      list: { median: 2, least: 1, most: 3 },
    });
  });

  test('the middle of an even number of rounds is between the two', () => {
    expect(summarise([{ list: 3 }, { list: 1 }])).toEqual({ list: { median: 2, least: 1, most: 3 } });
  });

  test('a reason in one round is the reason of the figure', () => {
    expect(summarise([{ list: 3 }, { list: OVER }])).toEqual({ list: OVER });
  });
});

describe('two runs', () => {
  const run = (list: Figure | string, more: Partial<Results['environment']> = {}): Results => ({
    ...results,
    environment: { ...results.environment, ...more },
    sizes: results.sizes.slice(0, 1).map((size) => {
      const { ours } = size.peers;
      return { ...size, records: 10_000, peers: ours ? { ours: { ...ours, rounds: 3, figures: { list } } } : {} };
    }),
  });
  const figure = (median: number, least = median, most = median): Figure => ({ median, least, most });

  test('the stated spread is three times as wide as the rounds, and reaches a tenth of the median at least', () => {
    expect(statedSpread(figure(10, 8, 12))).toEqual({ from: 4, to: 16 });
    expect(statedSpread(figure(10, 10, 11))).toEqual({ from: 9, to: 12 });
    expect(statedSpread(figure(10, 0, 20))).toEqual({ from: 0, to: 40 });
  });

  test.each([
    ['inside', figure(15.9), 1, null],
    ['at its end', figure(16), 1, null],
    ['outside', figure(16.1), 0, 'this server, list, 10,000 records: 1.61 times'],
  ])('a median %s of the earlier spread', (_, list, within, farthest) => {
    expect(agreementOf(run(figure(10, 8, 12)), run(list))).toEqual({ figures: 1, within, farthest });
  });

  test('the farthest is one of those outside, however far the others are', () => {
    const runOf = (list: Figure, detail: Figure): Results => ({
      ...results,
      sizes: run(list).sizes.map((size) => {
        const { ours } = size.peers;
        return { ...size, peers: ours ? { ours: { ...ours, figures: { list, detail, 'others %': list } } } : {} };
      }),
    });
    expect(agreementOf(runOf(figure(10, 1, 99), figure(10)), runOf(figure(90), figure(12)))).toEqual({
      figures: 2,
      within: 1,
      farthest: 'this server, detail, 10,000 records: 1.20 times',
    });
  });

  test('a reason is no figure to compare, and a run on another machine is none', () => {
    expect(agreementOf(run(figure(10)), run(OVER))).toEqual({ figures: 0, within: 0, farthest: null });
    expect(agreementOf(run(figure(10)), run(figure(10), { machine: 'another' }))).toBeNull();
    expect(agreementText(run(figure(10)), null)).toBeNull();
  });

  test('the text counts the medians, and names the earlier run', () => {
    const before = run(figure(10, 8, 12), { commit: 'abc1234', date: '2026-01-02T03:04:05.000Z' });
    const text = (within: number) =>
      `**${within} of 1 medians lie within the spread that an earlier run on this machine states** (commit abc1234, 2026-01-02 03:04).`;
    expect(agreementText(run(figure(11)), before)).toBe(text(1));
    expect(agreementText(run(figure(20)), before)).toBe(
      `${text(0)} The farthest of the others: this server, list, 10,000 records: 2.00 times.`,
    );
  });
});

describe('the plan', () => {
  const plan = makePlan(300);

  test('has requests of every task, each another one', () => {
    expect(plan.tasks.map(({ name }) => name)).toEqual(TASKS);
    for (const { name, requests } of plan.tasks)
      expect(new Set(requests.map((request) => JSON.stringify(request))).size, name).toBe(requests.length);
  });

  test('knows what is right: searches find something, unless they must find nothing', () => {
    for (const { name, expected } of plan.tasks.filter(({ name }) => SEARCHES.includes(name)))
      for (const { total, oneOf = [] } of expected)
        if (name === 'no such word') expect(total).toBe(0);
        else if (name !== 'two words, both') expect(total ?? oneOf.length, name).toBeGreaterThan(0);
  });

  test('is the same each time', () => expect(makePlan(300)).toEqual(plan));
});

describe('the page of the benchmarks', () => {
  const page = readFileSync('bench/README.md', 'utf8');

  test.each(PEERS)('%s has a folder, settings, and a place on the page', async (name) => {
    const { settings, title } = await readPeer(name);
    expect(title).not.toBe('');
    expect(settings.length).toBeGreaterThan(0);
    expect(page).toContain(`(peers/${name}/`);
  });

  test('every function that it names is in the file beside it', () => {
    const named = [...page.matchAll(/((?:`\w+`(?: and )?)+) in \[`[\w.-]+`\]\(([^)]+)\)/g)];
    expect(named.length).toBeGreaterThan(8);
    for (const [, names = '', path = ''] of named) {
      const source = readFileSync(join('bench', path), 'utf8');
      for (const [, name = ''] of names.matchAll(/`(\w+)`/g))
        expect(source, path).toMatch(new RegExp(`(?:function|const) ${name}\\b`));
    }
  });

  test.each(Object.keys(PARTS))('the part %s has a file and a row', (name) => {
    expect(existsSync(`bench/parts/${name}.ts`)).toBe(true);
    expect(page).toContain(`| \`${name}\` |`);
  });
});
