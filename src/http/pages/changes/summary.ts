/** The summary above the list of a collection's changes, which stands in place of the list where there are none. */
import { fieldNamed } from '../../../query/operators.js';
import { type Comparison, type Difference, looksIncomplete, pairedBy } from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { collectionTitle, labelOf, longDay, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Pairs } from '../frame/address.js';
import { changesPath, figureList, figuresOf, sinceText } from './figures.js';

/** The figures of the last comparison, and what is to know about it. */
export function changesSummary(name: string, pairs: Pairs, comparison: Comparison | null): Content {
  if (comparison === null) return null;
  const { last, since } = comparison;
  return html`<div class="summary stack"><p class="soft"><a href="/${name}">${collectionTitle(name)}</a> ${sinceText(since)}${since.name === undefined ? null : `, ${longDay(since.modifiedAt.getTime())}`}${historyText(comparison)}${pairingText(last)}</p>
${brokenOff(last)}${figureList(changesPath({ name }), pairs, figuresOf(comparison))}${doubtfulPairs(last)}${columns(last)}${incompleteDumpsNote(comparison)}</div>`;
}

const historyText = ({ dumps, knownSinceMs }: Comparison): Content =>
  dumps.length < 3 ? null : html`; the changes of ${numberText(dumps.length)} dumps since ${longDay(knownSinceMs)}`;

function brokenOff({ counts }: Difference): Content {
  if (!looksIncomplete(counts)) return null;
  const before = counts.removed + counts.changed + counts.unchanged;
  return html`<p class="warning note" role="note"><strong>The new dump looks incomplete:</strong> ${numberText(counts.removed)} of ${numberText(before)} records are removed.</p>`;
}

/** Where ids were given by position, records are paired otherwise. */
const pairingText = ({ pairing, model }: Difference): Content => {
  if (pairing.by === 'id') return null;
  return `; paired by ${pairing.by === 'field' ? wordsOf(fieldNamed(model, pairing.field)) : pairedBy(pairing)}`;
};

/** How many pairs may be of other records. */
const doubtfulPairs = ({ pairing }: Difference): Content =>
  pairing.by === 'names' &&
  pairing.repeated > 0 &&
  html`<p class="soft">${count(pairing.repeated, 'pair')} of titles that repeat have no percentages.</p>`;

/** A line for each column that is new or gone. */
const columns = ({ columns: all, model }: Difference): Content =>
  all.map(
    ({ field, is, records }) =>
      html`<p class="soft">${labelOf(fieldNamed(model, field))}: ${is} in ${count(records, 'record')}.</p>`,
  );

const incompleteDumpsNote = ({ dumps }: Comparison): Content =>
  dumps
    .filter(({ isIncomplete }) => isIncomplete)
    .map(
      ({ name, timeMs, records }) =>
        html`<p class="soft">${isolated(name ?? longDay(timeMs))} is incomplete (${count(records, 'record')}): what it lacks counts as it was.</p>`,
    );

/** The text of an empty list of changes. */
export const nothingChanged = (comparison: Comparison | null): Html =>
  comparison === null
    ? html`<p>There is nothing to compare with yet.</p><p>Load a newer dump while the server runs (<code>--watch</code>), or name earlier ones at the start with <code>--previous</code> or <code>--history</code>.</p>`
    : html`<p>Nothing changed: all ${count(comparison.last.counts.unchanged, 'record')} are as they were.</p>`;
