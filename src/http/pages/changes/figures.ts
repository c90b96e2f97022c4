/** The counts of a comparison as large figures, each a link to the records that it counts. */
import type { Field } from '../../../model.js';
import { ALL_CHANGES, measuredFields, selectChanges } from '../../../query/changes.js';
import type { Changes, Since } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { baseName, capitalised, longDate, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import { address, type Pairs } from '../frame/address.js';
import { type ChangesView, changesPath, narrowing, unfiltered } from './view.js';

export interface Figure {
  readonly count: number;
  /** Completes "12 …". */
  readonly says: string;
  readonly marker: Html;
  /** The reader's view of the change: good, bad or neutral. */
  readonly tone: 'good' | 'bad' | 'soft';
  readonly pairs: Pairs;
}

export const UP: Html = html`<span class="sign" aria-hidden="true">&#9650;</span>`;
export const DOWN: Html = html`<span class="sign" aria-hidden="true">&#9660;</span>`;
export const NEW: Html = html`<span class="sign" aria-hidden="true">+</span>`;
export const GONE: Html = html`<span class="sign" aria-hidden="true">&minus;</span>`;
const EDITED: Html = html`<span class="sign" aria-hidden="true">&#9998;</span>`;

/** Words for a number that went down or up. */
function directionWords({ name, kind, role }: Field): readonly [down: string, up: string] {
  if (role === 'price') return ['cheaper', 'pricier'];
  const words = wordsOf(name);
  // The name of a count is a plural: `comments`.
  const isCount = kind === 'integer' && words.endsWith('s');
  return isCount ? [`fewer ${words}`, `more ${words}`] : [`lower ${words}`, `higher ${words}`];
}

/** The number of records with an edited text, by comparison. */
const editedCount = memoize((changes: Changes, collection: Collection, fields: readonly string[]): number =>
  fields.length === 0 ? 0 : selectChanges(collection, changes, { ...ALL_CHANGES, fields }).total,
);

/** The figures that are not zero, in a fixed order. */
export function figuresOf(collection: Collection, changes: Changes): readonly Figure[] {
  const { model } = changes;
  const { added, removed, fields } = changes.counts;
  const measured = measuredFields(model);
  const numbers = measured.flatMap((name): readonly Figure[] => {
    const field = model.fields.find((one) => one.name === name);
    if (field === undefined) return [];
    const [down, up] = directionWords(field);
    const figure = (direction: 'down' | 'up', says: string, marker: Html): Figure => ({
      count: fields.get(name)?.[direction] ?? 0,
      says,
      marker,
      tone: toneOf(field.role, direction),
      pairs: Object.entries({ field: name, direction }),
    });
    return [figure('down', down, DOWN), figure('up', up, UP)];
  });
  const edited = [...fields.keys()].filter((field) => !measured.includes(field));
  const editedPairs = edited.map((field) => ['field', field] as const);
  const all: readonly Figure[] = [
    ...numbers,
    { count: added, says: 'new', marker: NEW, tone: 'good', pairs: [['kind', 'added']] },
    { count: removed, says: 'removed', marker: GONE, tone: 'soft', pairs: [['kind', 'removed']] },
    {
      count: editedCount(changes, collection, edited),
      says: 'edited',
      marker: EDITED,
      tone: 'soft',
      pairs: editedPairs,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

export function figureList({ model, pairs }: ChangesView, figures: readonly Figure[]): Content {
  if (figures.length === 0) return null;
  const unfilteredPairs = unfiltered(pairs);
  const chosen = narrowing(pairs);
  const item = ({ count, says, marker, tone, pairs: figurePairs }: Figure): Html => {
    const isChosen =
      figurePairs.length > 0 &&
      figurePairs.length === chosen.length &&
      figurePairs.every(([name, value]) => chosen.some((pair) => pair[0] === name && pair[1] === value));
    const target = address(changesPath(model), isChosen ? unfilteredPairs : [...unfilteredPairs, ...figurePairs]);
    return html`<li><a class="tile" href="${target}"${isChosen ? html` aria-current="true"` : null}><span class="${tone}">${marker}</span> <span class="figure">${numberText(count)}</span> <span class="says soft">${says}</span></a></li>`;
  };
  return html`<ul class="figures cells" role="list" aria-label="What changed">${figures.map(item)}</ul>`;
}

export const kindText = (kind: string): string => (kind === 'added' ? 'New' : capitalised(kind));

/** `compared with products-old.json`. A dump that a reload replaced has no name, so its time is given. */
export const sinceText = ({ name, modifiedAt }: Since, before = 'compared with'): Content =>
  name === undefined
    ? html`since <time datetime="${modifiedAt.toISOString()}">${longDate(modifiedAt.getTime())}</time>`
    : html`${before} <span title="${name}">${isolated(baseName(name))}</span>`;

/** A falling price is good, and a rising number of any other kind. */
export const toneOf = (role: Field['role'], direction: 'up' | 'down'): 'good' | 'bad' =>
  (direction === 'down') === (role === 'price') ? 'good' : 'bad';

/** The sign of a change, in the tone of what it means for the field. */
export const signOf = (role: Field['role'], direction: 'up' | 'down'): Html =>
  html`<span class="${toneOf(role, direction)}">${direction === 'up' ? UP : DOWN}</span>`;
