/** The first page: what is loaded, what loading found, and a way in to each collection. */

import type { FileReport, LoadReport } from '../../../load/report.js';
import { type CollectionModel, collectionOf } from '../../../model.js';
import { EVERYTHING } from '../../../query/query.js';
import { looksIncomplete } from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { axisText, capitalised, dayText, labelOf, longDate, numberText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Served } from '../../options.js';
import { figureLine, figuresOf } from '../changes/figures.js';
import { changesPath } from '../changes/view.js';
import { type Distribution, type Frequencies, shapeOf } from '../counting/shape.js';
import { address, exportAddress } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { histogram, ticks } from '../list/histogram.js';
import { loadReport } from './load-report.js';

const TOP_VALUES = 10;

export function homePage(served: Served, models: readonly CollectionModel[]): PageFrame {
  const { dataset, report, loadedAt } = served;
  return {
    title: 'Scraper Data',
    current: null,
    kind: 'home',
    main: html`<h1>What is loaded</h1>
<p class="version">Version <code>${dataset.version}</code>, loaded <time datetime="${loadedAt.toISOString()}">${longDate(loadedAt.getTime())}</time>${origin(report.files)}.</p>
<div class="collections">${models.map((model) => collectionCard(served, model))}</div>
${loadReport(report)}`,
  };
}

const origin = (files: LoadReport['files']): Content =>
  files.length === 0 ? null : html` from ${count(files.length, 'file')}, ${count(sum(files), 'record')}`;

const sum = (files: readonly FileReport[]): number => files.reduce((total, { accepted }) => total + accepted, 0);

function collectionCard({ dataset }: Served, model: CollectionModel): Html {
  const { name } = model;
  const collection = collectionOf(dataset.collections, name);
  const { distributions, frequencies } = shapeOf(collection, EVERYTHING);
  const faceted = frequencies.filter(({ field, distinct }) => field.facetLimit === undefined && distinct > 0);
  const label = `Search ${name}`;
  return html`<section class="collection" aria-labelledby="about-${name}">
<h2 id="about-${name}"><a href="/${name}">${capitalised(name)}</a> <span class="count">${numberText(collection.size)}</span></h2>
${sinceLine(dataset, model)}
<form class="find" role="search" action="/${name}" aria-label="${label}">
<label class="vh" for="q-${name}">${label}</label>
<input type="search" id="q-${name}" name="q" placeholder="${label}" maxlength="4096" autocomplete="off" spellcheck="false" enterkeyhint="search">
<button>Search</button>
</form>
<div class="shapes">${distributions.map((one) => miniature(name, one))}</div>
${faceted.map((one) => topList(name, one))}
<p class="links"><a class="button" href="/${name}">Browse</a> <a class="button" href="${exportAddress(name, [], 'csv')}" download="${name}.csv">CSV</a> <a class="button" href="${exportAddress(name, [], 'json')}" download="${name}.json">JSON</a> <a class="button" href="/api/${name}">API</a></p>
</section>`;
}

const SHOWN_FIGURES = 3;

/** `Since 5 May: 12 cheaper, 3 new`. */
function sinceLine({ collections, comparisons }: Served['dataset'], model: CollectionModel): Content {
  const comparison = comparisons.get(model.name);
  if (comparison === undefined) return null;
  const { since, changes } = comparison;
  const figures = figuresOf(model, collectionOf(collections, model.name), changes);
  const date = since.modifiedAt;
  const told = figures.length === 0 ? 'nothing changed' : figureLine(model, figures, SHOWN_FIGURES);
  const warning = looksIncomplete(changes.counts)
    ? html` <strong class="warning">The new dump looks incomplete.</strong>`
    : null;
  return html`<p class="since"><a href="${changesPath(model)}">Since <time datetime="${date.toISOString()}">${dayText(date.getTime())}</time></a>: ${told}${warning}</p>`;
}

function miniature(collection: string, { field, binning, counts }: Distribution): Html {
  const { lowest, highest, decimals } = binning;
  const text = (value: number): string => axisText(field.kind, value, decimals);
  const range =
    lowest === highest ? html`always ${text(lowest)}` : html`<span>${text(lowest)}</span><span>${text(highest)}</span>`;
  return html`<figure><figcaption>${labelOf(field)}</figcaption>${histogram(field, binning, counts, null, `${collection}-${field.name}`)}${ticks(binning)}<p class="ends">${range}</p></figure>`;
}

function topList(collection: string, { field, values, distinct }: Frequencies): Content {
  if (field.filter?.kind !== 'value') return null;
  const { parameter } = field.filter;
  const items = values
    .slice(0, TOP_VALUES)
    .map(
      ({ name, count: records }) =>
        html`<li><a href="${address(`/${collection}`, [[parameter, name]])}">${isolated(name)} <span class="count">${numberText(records)}</span></a></li>`,
    );
  const more = distinct - items.length;
  return html`<div class="top-values"><h3>${capitalised(field.facet ?? field.name)}</h3><ul class="tags" role="list">${items}${more > 0 ? html`<li class="more"><a href="/${collection}">${numberText(more)} more</a></li>` : null}</ul></div>`;
}
