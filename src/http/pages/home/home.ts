/**
 * The home page, an overview of the dump: tiles, then a section for each collection, then data quality and findings. A
 * block is a function from a collection or a load report to markup, null where it has nothing to show. Every bar and
 * figure links to the list of records that it counts.
 */
import type { LoadReport } from '../../../load/report/report.js';
import type { CollectionModel } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { count } from '../../../text.js';
import { baseName, longDate } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Served } from '../../served.js';
import type { PageFrame } from '../frame/document.js';
import { loadedCollections, searchEverywhere } from '../search/page.js';
import { collectionCard, collectionSection } from './collection-section.js';
import { findingsOf } from './findings.js';
import { qualitySection } from './quality.js';
import { changesTile, collectionTile, filledTile, measureTiles } from './tiles.js';

/** More collections are cards, without tiles. The tiles of an only collection are its main numbers: the heading has its size. */
const MAX_SECTIONS = 3;

export function homePage(served: Served, models: readonly CollectionModel[]): PageFrame {
  const { dataset, report, loadedAt } = served;
  const loaded = loadedCollections(models, dataset.collections);
  const total = loaded.reduce((sum, { size }) => sum + size, 0);
  const only = loaded.length === 1 ? loaded[0] : undefined;
  const findings = findingsOf(loaded, report);
  const warnings = findings.filter(({ kind }) => kind === 'warning');
  const comparisonOf = ({ model }: Collection) => dataset.comparisons.get(model.name) ?? null;
  const areCards = loaded.length > MAX_SECTIONS;
  const tiles = areCards ? null : only === undefined ? loaded.map(collectionTile) : measureTiles(only);
  return {
    title: 'Scraper Data',
    current: null,
    kind: 'home',
    main: html`<div><h1>${only === undefined ? count(total, 'record') : sizeText(only)}</h1>
<p class="soft">${originText(report)} &middot; loaded <time datetime="${loadedAt.toISOString()}">${longDate(loadedAt.getTime())}</time></p></div>
${loaded.length === 0 ? noFiles : searchEverywhere(loaded)}
<div class="tiles row">${tiles}${loaded.length === 0 ? null : html`${changesTile(served, models, only !== undefined)}${filledTile(loaded, warnings)}`}</div>
${areCards ? html`<div class="blocks">${loaded.map((one) => collectionCard(one, comparisonOf(one)))}</div>` : loaded.map((one) => collectionSection(one, comparisonOf(one)))}
${qualitySection(loaded, served, findings, areCards)}
${loaded.length === 0 || dataset.comparisons.size > 0 ? null : comparisonHint}`,
  };
}

const comparisonHint: Html = html`<p class="soft">To see what changed since an earlier dump, start with <code>--previous</code> or <code>--watch</code>.</p>`;

const noFiles: Html = html`<p>No file was loaded. Put a dump into the snapshots folder, or name it at the start.</p>`;

const sizeText = ({ model, size }: Collection): string => count(size, model.singular.toLowerCase());

/** `from 3 files`; a file alone by its name: `from jobs.json`. */
function originText({ files }: LoadReport): Content {
  const [file] = files;
  return file === undefined || files.length > 1
    ? `from ${count(files.length, 'file')}`
    : html`from <span title="${file.file}">${isolated(baseName(file.file))}</span>`;
}
