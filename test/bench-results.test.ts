/** What the documents show of the benchmark is what its program makes of the results that it has written. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PARTS } from '../bench/parts.js';
import { PEERS, readPeer } from '../bench/peers.js';
import { makePlan, SEARCHES, TASKS } from '../bench/plan.js';
import { CHART, DOCUMENTS, LATEST, placeIn } from '../bench/publish.js';
import { chart } from '../bench/render.js';
import { OVER, type Results, summarise } from '../bench/results.js';

const results: Results = JSON.parse(readFileSync(LATEST, 'utf8'));

describe('published results', () => {
  test.each(Object.entries(DOCUMENTS))('%s shows them', (path, render) => {
    expect(placeIn(readFileSync(path, 'utf8'))).toBe(`\n${render(results)}\n`);
  });

  test('the chart shows them', () => expect(readFileSync(CHART, 'utf8')).toBe(chart(results)));

  test("README's table has eight rows of tasks", () => {
    const rows = placeIn(readFileSync('README.md', 'utf8'))?.match(/^\| (?!task)[a-z].*\|$/gm);
    expect(rows).toHaveLength(8);
  });

  test.each(Object.entries(DOCUMENTS))('every cell of %s is a figure or a reason', (_, render) => {
    const rows = render(results).match(/^\| [^|].*\|$/gm) ?? [];
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

  test('a reason in one round is the reason of the figure', () => {
    expect(summarise([{ list: 3 }, { list: OVER }])).toEqual({ list: OVER });
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

  test.each(Object.keys(PARTS))('the part %s has a file and a row', (name) => {
    expect(existsSync(`bench/parts/${name}.ts`)).toBe(true);
    expect(page).toContain(`| \`${name}\` |`);
  });
});
