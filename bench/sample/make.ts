/**
 * Writes the sample snapshot: `node make.js OUT_DIR [SAMPLE_DIR]` makes `articles.json` and `products.json`
 * in OUT_DIR, and the same of an earlier time in its folder `previous`, from the texts in SAMPLE_DIR (`bench/sample` under the working directory unless told).
 * Seeds are fixed and files are read in sorted order, so that every run writes the same bytes.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildArticles } from './article-records.js';
import { earlierArticles, earlierProducts } from './earlier.js';
import { buildProducts } from './product-records.js';

export { buildArticles, buildProducts };

/** A record has a line, so that two snapshots compare well in a diff. */
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
  const previous = join(outDirectory, 'previous');
  mkdirSync(previous, { recursive: true });
  const [articles, products] = [buildArticles(sampleDirectory), buildProducts(sampleDirectory)];
  write(join(outDirectory, 'articles.json'), articles);
  write(join(outDirectory, 'products.json'), products);
  write(join(previous, 'articles.json'), earlierArticles(articles));
  write(join(previous, 'products.json'), earlierProducts(products));
}

const [, script, ...args] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) main(args);
