/** The summary above the list of a collection's changes, which stands in place of the list where there are none. */
import { type Comparison, type Difference, looksIncomplete, pairedBy } from '../../../store/changes/changes.js';
import { count } from '../../../text.js';
import { collectionTitle, longDay, numberText, separateWords } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import type { Pairs } from '../frame/address.js';
import { changesPath, figureList, figuresOf, sinceText } from './figures.js';

/** The figures of the last comparison, and what is to know about it. */
export function changesSummary(name: string, pairs: Pairs, comparison: Comparison | null): Content {
  if (comparison === null) return null;
  const { last, since } = comparison;
  return html`<div class="summary stack"><p class="soft"><a href="/${name}">${collectionTitle(name)}</a> ${sinceText(since)}${since.name === undefined ? null : `, ${longDay(since.modifiedAt.getTime())}`}${historyText(comparison)}</p>
${brokenOff(last)}${figureList(changesPath({ name }), pairs, figuresOf(comparison))}${pairing(last)}${columns(last)}${incompleteDumpsNote(comparison)}</div>`;
}

const historyText = ({ dumps, knownSinceMs }: Comparison): Content =>
  dumps.length < 3 ? null : html`; the changes of ${numberText(dumps.length)} dumps since ${longDay(knownSinceMs)}`;

function brokenOff({ counts }: Difference): Content {
  if (!looksIncomplete(counts)) return null;
  const before = counts.removed + counts.changed + counts.unchanged;
  return html`<p class="warning note" role="note"><strong>The new dump looks incomplete:</strong> ${numberText(counts.removed)} of ${numberText(before)} records are removed.</p>`;
}

/** The note that records were not paired by id, and how many pairs may be others. */
function pairing({ pairing: rule }: Difference): Content {
  if (rule.by === 'id') return null;
  const repeated =
    rule.by === 'names' && rule.repeated > 0
      ? ` ${count(rule.repeated, 'pair')} of titles that repeat have no percentages.`
      : '';
  return html`<p class="soft">Ids were given by position, so records are paired by ${separateWords(pairedBy(rule))}.${repeated}</p>`;
}

/** A line for each column that is new or gone. */
const columns = ({ columns: all }: Difference): Content =>
  all.map(
    ({ field, is, records }) =>
      html`<p class="soft">${separateWords(field)}: ${is} in ${count(records, 'record')}.</p>`,
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
