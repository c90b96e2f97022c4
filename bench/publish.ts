/** Writes results, and what is made from them: a run is published where its figures are those that the documents show. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chart, readmeTable, resultTables } from './render.js';
import type { Results } from './results.js';

const FOLDER = 'bench/results';
export const LATEST = `${FOLDER}/latest.json`;
export const CHART = `${FOLDER}/chart.svg`;

/** Files with a place between two marks, and what stands there. */
export const DOCUMENTS: Readonly<Record<string, (results: Results) => string>> = {
  'README.md': readmeTable,
  'bench/README.md': resultTables,
};

export const BEGIN = '<!-- npm run bench -->';
export const END = '<!-- /npm run bench -->';

/** The text between the marks of a document; undefined if it has no marks. */
export function placeIn(document: string): string | undefined {
  const [, place] = document.split(BEGIN);
  return place?.split(END)[0];
}

/** The files that were written. */
export function publish(results: Results, isPublished: boolean): readonly string[] {
  mkdirSync(FOLDER, { recursive: true });
  const json = `${JSON.stringify(results, null, 1)}\n`;
  if (!isPublished) {
    const path = `${FOLDER}/${results.isQuick ? 'quick' : 'partial'}.json`;
    writeFileSync(path, json);
    return [path];
  }
  writeFileSync(LATEST, json);
  writeFileSync(CHART, chart(results));
  for (const [path, render] of Object.entries(DOCUMENTS)) {
    const document = readFileSync(path, 'utf8');
    const place = placeIn(document);
    if (place === undefined) throw new Error(`${path} has no ${BEGIN} … ${END}`);
    writeFileSync(
      path,
      document.replace(`${BEGIN}${place}${END}`, () => `${BEGIN}\n${render(results)}\n${END}`),
    );
  }
  return [LATEST, CHART, ...Object.keys(DOCUMENTS)];
}
