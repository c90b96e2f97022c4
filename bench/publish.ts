/** Writes results, and what is made from them: the last published run and the one before it, documents, and the chart. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { chart, readmeTable, resultTables } from './render.js';
import type { Results } from './results.js';

const RESULTS_FOLDER = 'bench/results';
export const LATEST = `${RESULTS_FOLDER}/latest.json`;
/** The run that was published before, with which the latest is compared. */
export const EARLIER = `${RESULTS_FOLDER}/earlier.json`;
export const CHART = `${RESULTS_FOLDER}/chart.svg`;

/** Files with a place between two marks, and what stands there. */
export const DOCUMENTS: Readonly<Record<string, (results: Results, earlier: Results | null) => string>> = {
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

/** The results in a file, or null where there is none. */
export const readResults = (path: string): Results | null =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;

function writeResults(path: string, results: Results): readonly string[] {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
  return [path];
}

/** Results that no document shows. */
export const keep = (results: Results): readonly string[] =>
  writeResults(`${RESULTS_FOLDER}/${results.isQuick ? 'quick' : 'partial'}.json`, results);

/** Makes a run the latest, and writes the documents from it. */
export function publish(results: Results): readonly string[] {
  if (existsSync(LATEST)) renameSync(LATEST, EARLIER);
  return [...writeResults(LATEST, results), ...writeDocuments(results, readResults(EARLIER))];
}

/** The files that were written. */
export function writeDocuments(results: Results, earlier: Results | null): readonly string[] {
  writeFileSync(CHART, chart(results));
  for (const [path, render] of Object.entries(DOCUMENTS)) {
    const document = readFileSync(path, 'utf8');
    const place = placeIn(document);
    if (place === undefined) throw new Error(`${path} has no ${BEGIN} … ${END}`);
    writeFileSync(
      path,
      document.replace(`${BEGIN}${place}${END}`, () => `${BEGIN}\n${render(results, earlier)}\n${END}`),
    );
  }
  return [CHART, ...Object.keys(DOCUMENTS)];
}
