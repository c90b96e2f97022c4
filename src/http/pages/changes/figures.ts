/** What a comparison comes to, as large figures; each leads to the records that it counts. */

import { type CollectionModel, fieldOf } from '../../../model.js';
import { ALL_CHANGES, measuredFields, selectChanges } from '../../../query/changes.js';
import type { Changes } from '../../../store/changes/changes.js';
import { capitalised, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import { address, type Pairs } from '../frame/address.js';
import { type ChangesView, changesPath, narrowing, unfiltered } from './view.js';

export interface Figure {
  readonly count: number;
  /** Completes "12 …". */
  readonly says: string;
  readonly marker: Html;
  readonly pairs: Pairs;
}

export const UP: Html = html`<span class="sign up" aria-hidden="true">&#9650;</span>`;
export const DOWN: Html = html`<span class="sign down" aria-hidden="true">&#9660;</span>`;
export const NEW: Html = html`<span class="sign new" aria-hidden="true">+</span>`;
export const GONE: Html = html`<span class="sign gone" aria-hidden="true">&minus;</span>`;
const EDITED: Html = html`<span class="sign edited" aria-hidden="true">&#9998;</span>`;

/** How people call a number that went down or up. */
const directionWords = (field: string, isPrice: boolean): readonly [down: string, up: string] =>
  isPrice ? ['cheaper', 'dearer'] : [`with ${wordsOf(field)} down`, `with ${wordsOf(field)} up`];

/** Those that count something, in a fixed order. */
export function figuresOf(
  model: CollectionModel,
  store: ChangesView['collection'],
  changes: Changes,
): readonly Figure[] {
  const { counts } = changes;
  const measured = measuredFields(model);
  const numbers = measured.flatMap((field): readonly Figure[] => {
    const [down, up] = directionWords(field, field === fieldOf(model, 'price')?.name);
    const figure = (direction: 'down' | 'up', says: string, marker: Html): Figure => {
      const pairs = Object.entries({ field, direction });
      return { count: counts.fields.get(field)?.[direction] ?? 0, says, marker, pairs };
    };
    return [figure('down', down, DOWN), figure('up', up, UP)];
  });
  const edited = [...counts.fields.keys()].filter((field) => !measured.includes(field));
  const editedCount = edited.length === 0 ? 0 : editedIn(changes)(store, edited);
  const all: readonly Figure[] = [
    ...numbers,
    { count: counts.added, says: 'new', marker: NEW, pairs: [['kind', 'added']] },
    { count: counts.removed, says: 'gone', marker: GONE, pairs: [['kind', 'removed']] },
    { count: editedCount, says: 'edited', marker: EDITED, pairs: edited.map((field) => ['field', field] as const) },
  ];
  return all.filter(({ count }) => count > 0);
}

/** How many records changed in any of the fields: counted once for a comparison. */
const editedIn = memoize((changes: Changes) => {
  let known: number | null = null;
  return (store: ChangesView['collection'], fields: readonly string[]): number => {
    known ??= selectChanges(store, changes, { ...ALL_CHANGES, fields }).total;
    return known;
  };
});

export function figureList({ model, pairs }: ChangesView, figures: readonly Figure[]): Content {
  if (figures.length === 0) return null;
  const rest = unfiltered(pairs);
  const chosen = narrowing(pairs);
  const item = ({ count, says, marker, pairs: own }: Figure): Html => {
    const isChosen =
      own.length > 0 &&
      own.length === chosen.length &&
      own.every(([name, value]) => chosen.some((pair) => pair[0] === name && pair[1] === value));
    const target = address(changesPath(model), isChosen ? rest : [...rest, ...own]);
    // Only a price that rises is bad news, and one that falls good news.
    return html`<li class="${own.map(([, value]) => value).join(' ')}"><a href="${target}"${isChosen ? html` aria-current="true"` : null}>${marker}<span class="figure">${numberText(count)}</span> <span class="says">${says}</span></a></li>`;
  };
  return html`<ul class="figures" role="list" aria-label="What changed">${figures.map(item)}</ul>`;
}

/** `12 cheaper, 3 new`, as links. */
export function figureLine(model: CollectionModel, figures: readonly Figure[], most: number): Content {
  const shown = [...figures].sort((a, b) => b.count - a.count).slice(0, most);
  return shown.map(
    ({ count, says, pairs }, i) =>
      html`${i > 0 ? ', ' : null}<a href="${address(changesPath(model), pairs)}">${numberText(count)} ${says}</a>`,
  );
}

export const changesTitle = (model: CollectionModel): string => `Changes in ${model.name}`;
export const kindText = (kind: string): string =>
  capitalised(kind === 'added' ? 'new' : kind === 'removed' ? 'gone' : kind);
