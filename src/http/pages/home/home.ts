/**
 * The home page, an overview of the dump: tiles, then a section for each collection, then data quality and findings. A
 * block is a function from a collection or a load report to markup, null where it has nothing to show. Every bar and
 * figure links to the list of records that it counts.
 */
import type { LoadReport } from '../../../load/report/report.js';
import { type CollectionModel, collectionOf, isFound } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { count } from '../../../text.js';
import { baseName, collectionTitle, longDate, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Served } from '../../options.js';
import { hasValues, offeredFields } from '../counting/offered-fields.js';
import type { PageFrame } from '../frame/document.js';
import { searchInput } from '../frame/toolbar.js';
import { collectionSection } from './collection-section.js';
import { findingsOf } from './findings.js';
import { qualitySection } from './quality.js';
import { changesTile, collectionTile, filledTile } from './tiles.js';

export function homePage(served: Served, models: readonly CollectionModel[]): PageFrame {
  const { dataset, report, loadedAt } = served;
  const collections = models.map((model) => collectionOf(dataset.collections, model.name));
  const loaded = collections.filter(({ size }) => size > 0);
  const absent = collections.filter(({ size }) => size === 0).map(({ model }) => model.name);
  const total = loaded.reduce((sum, { size }) => sum + size, 0);
  const only = loaded.length === 1 ? loaded[0] : undefined;
  const findings = findingsOf(loaded, report);
  return {
    title: 'Scraper Data',
    current: null,
    kind: 'home',
    main: html`<div><h1>${only === undefined ? count(total, 'record') : sizeText(only)}</h1>
<p class="soft">${originText(loaded, report)} &middot; loaded <time datetime="${loadedAt.toISOString()}">${longDate(loadedAt.getTime())}</time></p></div>
${loaded.length === 0 ? noFiles : searchEverywhere(loaded)}
<div class="tiles cells">${loaded.map((collection) => collectionTile(collection, collection === only))}${loaded.length === 0 ? null : html`${changesTile(served, models)}${filledTile(loaded, findings.warnings)}`}</div>
${loaded.map((collection) => collectionSection(collection, dataset.comparisons.get(collection.model.name) ?? null))}
${qualitySection(loaded, served, findings)}
${loaded.length === 0 ? null : absenceNote(absent, dataset.comparisons.size > 0)}`,
  };
}

/** A note about collections without records, and about comparisons where there is none. */
function absenceNote(absent: readonly string[], isCompared: boolean): Content {
  if (absent.length === 0 && isCompared) return null;
  const noRecords = absent.length === 0 ? null : `No ${absent.map(wordsOf).join(' or ')} loaded.`;
  const hint = html`To see what changed since an earlier dump, start with <code>--previous</code> or <code>--watch</code>.`;
  return html`<p class="soft">${noRecords}${noRecords === null || isCompared ? null : ' '}${isCompared ? null : hint}</p>`;
}

const noFiles: Html = html`<p>No file was loaded. Put a dump into the snapshots folder, or name it at the start.</p>`;

const sizeText = ({ model, size }: Collection): string => count(size, model.singular.toLowerCase());

/** `20,609 articles and 12,819 products from 3 files`; a collection alone stands in the heading: `from jobs.json`. */
function originText(loaded: readonly Collection[], { files }: LoadReport): Content {
  const [file] = files;
  const from =
    file === undefined || files.length > 1
      ? `from ${count(files.length, 'file')}`
      : html`from <span title="${file.file}">${isolated(baseName(file.file))}</span>`;
  if (loaded.length < 2) return from;
  const parts = loaded.map(sizeText);
  const last = parts.pop() ?? '';
  return html`${parts.join(', ')} and ${last} ${from}`;
}

/** The search field for all collections, with a button for the list of each. */
export function searchEverywhere(loaded: readonly Collection[]): Html {
  const label = loaded.length === 1 ? `Search ${wordsOf(loaded[0]?.model.name ?? '')}` : 'Search everything';
  return html`<form class="find row" role="search" action="/${loaded[0]?.model.name ?? ''}" aria-label="${label}">
${searchInput(label, '', placeholderText(loaded))}
${loaded.map(({ model }, i) => html`<button${i === 0 ? html` class="main"` : null} formaction="/${model.name}">${loaded.length === 1 ? 'Search' : collectionTitle(model.name)}</button>`)}
</form>`;
}

/** `Search titles, authors, tags …`; of few documented texts found ones as well: `Search titles, brand, city …`. */
function placeholderText(loaded: readonly Collection[]): string {
  const names = loaded.flatMap((collection) =>
    collection.model.fields
      .filter((field) => field.searchWeight !== undefined && !isFound(field) && hasValues(collection, field))
      .map(({ name, facet }) => facet ?? (name.endsWith('s') ? name : `${name}s`)),
  );
  const foundTexts = loaded.flatMap((collection) => {
    const { main, more } = offeredFields(collection);
    return [...main, ...more].filter((field) => field.searchWeight !== undefined && isFound(field));
  });
  names.push(...foundTexts.map(({ name }) => wordsOf(name)));
  return `Search ${[...new Set(names)].slice(0, 4).join(', ')} …`;
}
