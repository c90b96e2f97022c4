/**
 * The cells of a list of changes that differ from those of other lists: a record that came or went says so in place of a field, a
 * number stands as its own column shows it, and of two long texts the later one with what differs.
 *
 *     Price     12.00   10.00   ▼ 16.67%
 *     + added
 */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { noHighlighter } from '../../highlight/highlight.js';
import { labelOf } from '../../markup/format.js';
import { type Content, html } from '../../markup/html.js';
import type { ShownRecord } from '../record/record.js';
import { cellValue, sharedValue } from '../record/value.js';
import { GONE, NEW, signOf } from './figures.js';
import { changedNumber, fieldOfChange, listedDiff } from './record-changes.js';

/** Bounds on the texts of all changes that a page compares. */
const LISTED_CHARACTERS = 200_000;
const LISTED_PARAGRAPHS = 3;

/** Null for a value that is shown as in any list. `changed` is the collection whose records changed, `rows` the listed changes. */
export function changeCell(
  changed: Collection,
  changes: Collection,
  change: ShownRecord,
  field: Field,
  rows: number,
): Content {
  const value = change.valueOf(field);
  const name = change.valueOf({ name: 'field' });
  if (field.name === 'field') return name === null ? arrival(change) : changedFieldLink(changed, changes, field, name);
  if (field.name === 'percent' && typeof value === 'number') {
    const way = value > 0 ? 'up' : 'down';
    const size = cellValue(field, Math.abs(value), changes, noHighlighter);
    return html`${signOf(fieldOfChange(changed, name).role, way)}<span class="vh">${way}</span> ${size}`;
  }
  if (!field.anyValue) return null;
  if (typeof value === 'number') return changedNumber(changed, name, value);
  const [from, to] = [change.valueOf({ name: 'from' }), change.valueOf({ name: 'to' })];
  const limits = { characters: Math.ceil(LISTED_CHARACTERS / rows), paragraphs: LISTED_PARAGRAPHS };
  const diff = listedDiff(from, to, limits);
  return diff && (field.name === 'to' ? diff : html`<span class="soft">edited</span>`);
}

function arrival(change: ShownRecord): Content {
  const kind = change.valueOf({ name: 'kind' });
  return html`<span class="soft">${kind === 'added' ? NEW : GONE} ${String(kind)}</span>`;
}

const changedFieldLink = (changed: Collection, changes: Collection, field: Field, name: unknown): Content =>
  sharedValue(field, String(name), changes, labelOf(fieldOfChange(changed, name)));
