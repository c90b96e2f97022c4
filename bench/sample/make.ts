/**
 * Writes the sample snapshot: `node make.js OUT_DIR [SAMPLE_DIR]` makes `articles.json` and `products.json`
 * in OUT_DIR from the texts in SAMPLE_DIR (`bench/sample` under the working directory unless told).
 * Seeds are fixed and files are read in sorted order, so that every run writes the same bytes.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildArticles } from './article-records.js';
import { buildProducts } from './product-records.js';

export { buildArticles, buildProducts };

/** One record per line, so that two snapshots compare well in a diff. */
function toJson(records: readonly object[]): string {
  return `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`;
}

function write(path: string, records: readonly object[]): void {
  const json = toJson(records);
  writeFileSync(path, json);
  console.log(`${path}: ${records.length} records, ${Math.ceil(Buffer.byteLength(json) / 1024)} KiB`);
}

function main([outDirectory, sampleDirectory = join('bench', 'sample')]: readonly string[]): void {
  if (outDirectory === undefined) {
    console.error('usage: node make.js OUT_DIR [SAMPLE_DIR]');
    process.exitCode = 2;
    return;
  }
  mkdirSync(outDirectory, { recursive: true });
  write(join(outDirectory, 'articles.json'), buildArticles(sampleDirectory));
  write(join(outDirectory, 'products.json'), buildProducts(sampleDirectory));
}

const [, script, ...args] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) main(args);
