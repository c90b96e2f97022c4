/** The tiles of the home page: one for each collection, one for changes, and one for data quality. */
import { type CollectionModel, type Field, fieldOf, isNumeric } from '../../../model.js';
import { EVERYTHING } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { count } from '../../../text.js';
import { collectionTitle, labelOf, numberText, separateWords, shareText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Served } from '../../served.js';
import { changesPath, earlierDump, type Figure, figuresOf } from '../changes/figures.js';
import { binningIn, type Distribution, shapeOf } from '../counting/shape.js';
import { numberValue } from '../fields/number-value.js';
import { address, addressOfField, type Pairs } from '../frame/address.js';
import { groupChoices, tellingMeasures, usualMeasure } from '../groups/choices.js';
import type { ShownFinding } from './findings.js';

interface Tile {
  readonly label: Content;
  readonly figure: Content;
  readonly facts: Content;
}

const tile = ({ label, figure, facts }: Tile): Html =>
  html`<section class="tile"><p class="soft">${label}</p> <p class="figure">${figure}</p> <p>${facts}</p></section>`;

/** The distribution that stands for a collection: of when its records were published, else of its usual measure, else of other dates, else its first. */
export function mainDistribution(
  collection: Collection,
  distributions: readonly Distribution[],
): Distribution | undefined {
  const spread = distributions.filter(({ binning }) => binning.bins.length > 1);
  const first = (isMain: (field: Field) => boolean) => spread.find(({ field }) => isMain(field));
  const measure = usualMeasure(collection);
  return (
    first(({ role }) => role === 'date') ??
    first((field) => field === measure) ??
    first(({ kind, onRequest }) => kind === 'date' && !onRequest) ??
    spread[0]
  );
}

export function collectionTile(collection: Collection): Html {
  const { model, size } = collection;
  const { distributions, frequencies } = shapeOf(collection, EVERYTHING);
  const main = mainDistribution(collection, distributions);
  const named = frequencies.find(({ field, distinct }) => field.role === 'author' && distinct > 0);
  const summary =
    main &&
    (main.field.kind === 'date'
      ? spanOf(collection, main)
      : html`median ${isolated(wordsOf(main.field))} ${main.binning.medianText}`);
  return tile({
    label: html`<a href="/${model.name}">${collectionTitle(model.name)}</a>`,
    figure: html`<a href="/${model.name}">${numberText(size)}</a>`,
    facts: html`${summary}${named && html` &middot; ${count(named.distinct, separateWords(named.field.name))}`}`,
  });
}

/** `2014–2024`, or the days of a single year. */
function spanOf(collection: Collection, { field, binning: { lowest, highest } }: Distribution): Content {
  const [firstYear, lastYear] = [new Date(lowest).getUTCFullYear(), new Date(highest).getUTCFullYear()];
  if (firstYear !== lastYear) return `${firstYear}–${lastYear}`;
  return html`${numberValue(collection, field, lowest)} &ndash; ${numberValue(collection, field, highest)}`;
}

const MAX_FIGURES = 3;

/** A figure of a collection's comparison. */
interface CollectionFigure {
  readonly figure: Figure;
  readonly model: CollectionModel;
}

/** The tile of changes, those of prices first. Null without a comparison. */
export function changesTile({ dataset }: Served, models: readonly CollectionModel[], isOnly: boolean): Content {
  const compared = models.filter(({ name }) => dataset.comparisons.has(name));
  const first = dataset.comparisons.get(compared[0]?.name ?? '');
  if (compared[0] === undefined || first === undefined) return null;
  const figures = compared.flatMap((model) => {
    const comparison = dataset.comparisons.get(model.name);
    return comparison === undefined ? [] : figuresOf(comparison).map((figure) => ({ figure, model }));
  });
  const [main, ...others] = figures.sort((a, b) => Number(isOfPrices(b)) - Number(isOfPrices(a))).slice(0, MAX_FIGURES);
  return tile({
    label: html`<a href="${changesPath(main?.model ?? compared[0])}">Changes</a> since ${earlierDump(first)}`,
    figure: main === undefined ? 'Nothing changed' : figureLink(main, isOnly),
    facts: others.map((other, i) => html`${i > 0 ? ' · ' : null}${figureLink(other, isOnly)}`),
  });
}

const figureLink = (
  { figure: { pairs, tone, marker, count: records, says }, model }: CollectionFigure,
  isOnly: boolean,
): Html =>
  html`<a href="${address(changesPath(model), pairs)}"><span class="${tone}">${marker}</span> ${numberText(records)} ${says}${isOnly || !countsNewOrRemoved(pairs) ? null : ` in ${collectionTitle(model.name)}`}</a>`;

/** Whether a figure counts new or removed records. Every collection has such figures, so their texts name the collection. */
const countsNewOrRemoved = (pairs: Pairs): boolean => pairs.some(([key]) => key === 'kind');

/** Whether a figure counts prices, which a reader looks for first. */
const isOfPrices = ({ figure: { pairs }, model }: CollectionFigure): boolean => {
  const price = fieldOf(model, 'price')?.name;
  return pairs.some(([key, value]) => key === 'field' && value === price);
};

/** The share of values that are there, of the fields that any record has; and the field that most records lack. */
export function filledTile(loaded: readonly Collection[], warnings: readonly ShownFinding[]): Html {
  const gaps = loaded.flatMap(({ model, missing, size }) =>
    model.fields.flatMap((field) => {
      const empty = field.isOfHistory ? size : (missing.get(field.name)?.count ?? size);
      return empty === size ? [] : [{ model, field, empty, size }];
    }),
  );
  const cells = gaps.reduce((sum, { size }) => sum + size, 0);
  const empty = gaps.reduce((sum, gap) => sum + gap.empty, 0);
  const [emptiest] = gaps.toSorted((a, b) => b.empty / b.size - a.empty / a.size);
  const emptyText =
    emptiest === undefined || emptiest.empty === 0
      ? 'no gaps'
      : html`${isolated(labelOf(emptiest.field))}${loaded.length > 1 && ` of ${separateWords(emptiest.model.name)}`}: ${shareText(emptiest.empty, emptiest.size)} empty`;
  const warningText = warnings.length === 1 ? isolated(warnings[0]?.text) : count(warnings.length, 'warning');
  return tile({
    label: html`<a href="#quality">Data quality</a>`,
    figure: html`${shareText(cells - empty, cells)} <small>filled</small>`,
    facts: html`<a href="#quality">${emptyText}</a>${warnings.length === 0 ? null : html` &middot; <a class="warning" href="#worth-a-look">${warningText}</a>`}`,
  });
}

const MAX_MEASURES = 2;

/** The middle and the ends of the main numbers of an only collection: those that tell records apart, else the most useful. */
export function measureTiles(collection: Collection): readonly Html[] {
  const numbers = groupChoices(collection).measured.filter(({ kind }) => isNumeric(kind));
  const fields = [...new Set([...tellingMeasures(collection), ...numbers])].slice(0, MAX_MEASURES);
  return fields.flatMap((field) => {
    const binning = binningIn(collection, field);
    if (binning === null) return [];
    const { lowest, highest, medianText } = binning;
    return tile({
      label: html`<a href="${addressOfField(collection.model.name, field.name)}">${isolated(labelOf(field))}</a>`,
      figure: html`${medianText} <small>median</small>`,
      facts: html`${numberValue(collection, field, lowest)} &ndash; ${numberValue(collection, field, highest)}`,
    });
  });
}
