/** The records that changed, each with its old and new values; and a record's main change as a link. */

import type { CollectionModel, Field } from '../../../model.js';
import { wordCount } from '../../../query/changes-json.js';
import { type Changes, kindOf, namesIn } from '../../../store/changes/changes.js';
import {
  type ChangedField,
  changedFieldsOf,
  type Entry,
  entriesByRow,
  entryAt,
  type FieldChange,
} from '../../../store/changes/entries.js';
import type { Collection } from '../../../store/collection.js';
import { noHighlighter } from '../../highlight/highlight.js';
import { labelOf, longDate, numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import { address, hitId, recordAddress } from '../frame/address.js';
import { cover } from '../record/image.js';
import { rolesOf, shownRecordOf } from '../record/record.js';
import { factLine, sourceLine } from '../record/value.js';
import { DOWN, GONE, kindText, NEW, signOf, toneOf, UP } from './figures.js';
import { type DiffLimits, textDiff } from './text-diff.js';
import { type ChangesView, changesPath } from './view.js';

/** A value that was or is missing: a dash, which screen readers name. */
const missing: Html = html`<span class="soft"><span aria-hidden="true">&ndash;</span><span class="vh">none</span></span>`;

/** Characters of all edited texts that a page of changes compares, and paragraphs of each that it shows. */
const LISTED_CHARACTERS = 200_000;
const LISTED_PARAGRAPHS = 3;

export function changeList({ collection }: ChangesView, changes: Changes, entries: ArrayLike<number>): Html {
  const limits = { characters: Math.ceil(LISTED_CHARACTERS / entries.length), paragraphs: LISTED_PARAGRAPHS };
  const item = (at: number): Html => changeItem(collection, changes.model, entryAt(collection, changes, at), limits);
  return html`<ul class="panel lines" role="list" aria-labelledby="count">${Array.from(entries, item)}</ul>`;
}

function changeItem(collection: Collection, changesModel: CollectionModel, entry: Entry, limits: DiffLimits): Html {
  const { model } = collection;
  const { image, link, tags } = rolesOf(model);
  const record = shownRecordOf(model, entry.record);
  const isRemoved = entry.kind === 'removed';
  const title = isRemoved
    ? html`<span class="gone-title soft">${isolated(record.title)}</span>`
    : html`<a class="hit-link" id="${hitId(entry.id)}" href="${recordAddress(model.name, entry.id, [])}">${isolated(record.title)}</a>`;
  const picture = image === undefined ? null : cover(model, record, { alt: '', size: 'small', isRemoved });
  const item = (head: Content, facts: Content): Html =>
    html`<li class="change beside">${picture}<div class="body cells"><div>${head}</div>${facts}</div></li>`;
  if (entry.kind === 'changed') return item(html`<p>${title}</p>`, changeFacts(changesModel, entry.changes, limits));
  const kind = html`<span class="kind ${isRemoved ? 'soft' : 'good'}">${isRemoved ? GONE : NEW} ${kindText(entry.kind)}</span>`;
  const source = sourceLine(
    collection,
    link && record.valueOf(link),
    tags ? [...namesIn(record.valueOf(tags))] : [],
    noHighlighter,
  );
  return item(html`<p>${kind} ${title}</p>${source}`, factLine(collection, record, noHighlighter));
}

/** Old and new values by field. */
export function changeFacts(model: CollectionModel, changes: Entry['changes'], limits: DiffLimits): Content {
  if (changes.size === 0) return null;
  const facts = model.fields.flatMap((field) => {
    const change = changes.get(field.name);
    if (change === undefined) return [];
    return [html`<div><dt>${labelOf(field)}</dt><dd>${changeText(field, change, limits)}</dd></div>`];
  });
  return html`<dl class="was pairs">${facts}</dl>`;
}

const ARROW: Html = html` <span aria-hidden="true">&rarr;</span><span class="vh"> now </span> `;

function changeText(field: Field, change: FieldChange, limits: DiffLimits): Content {
  const { kind, role } = field;
  switch (change.form) {
    case 'number': {
      const { from, to, percent } = change;
      const [fromText, toText] = numberTexts(field, from, to);
      const direction = directionOf(from, to);
      // Without a percentage, as from 0, the difference is shown.
      const amount = percent === null ? numberTexts(field, Math.abs((to ?? 0) - (from ?? 0)))[0] : percentText(percent);
      const by =
        direction &&
        html` <span class="by ${toneOf(role, direction)}">${direction === 'up' ? UP : DOWN}<span class="vh">${direction} </span>${amount}</span>`;
      return html`<del>${fromText}</del>${ARROW}<ins>${toText}</ins>${by}`;
    }
    case 'words':
      return html`<span class="soft">${wordsText(change.from, change.to)}</span>${textDiff(change.from ?? '', change.to ?? '', limits)}`;
    case 'list':
      return html`${nameList(change.removed, (name) => html`<del class="name">${GONE}<span class="vh">gone: </span>${isolated(name)}</del> `)}${nameList(change.added, (name) => html`<ins class="name">${NEW}<span class="vh">new: </span>${isolated(name)}</ins> `)}`;
    case 'text':
      return html`<del>${shortText(kind, change.from)}</del>${ARROW}<ins>${shortText(kind, change.to)}</ins>`;
  }
}

/** Null where a number is missing. */
const directionOf = (from: number | null, to: number | null): 'up' | 'down' | null =>
  from === null || to === null ? null : to > from ? 'up' : 'down';

/** Numbers with the same digits after the point, at most two; a price has none or two. */
function numberTexts({ role }: Field, ...numbers: readonly (number | null)[]): readonly Content[] {
  const decimals = Math.max(...numbers.map((number) => String(number ?? 0).split('.')[1]?.length ?? 0));
  const digits = role === 'price' && decimals > 0 ? 2 : Math.min(2, decimals);
  return numbers.map((number) => (number === null ? missing : numberText(number, digits)));
}

const entriesOf = memoize(entriesByRow);

/** The entry of a row that is changed, or of one that is new; null for any other row. */
export function entryOfKind(changes: Changes, row: number, kind: 'changed' | 'added'): number | null {
  const entry = entriesOf(changes)[row] ?? -1;
  return entry >= 0 && kindOf(changes, entry) === kind ? entry : null;
}

/**
 * A record's main change as a link to all of its changes; null for a record that is as it was.
 *
 *     ▼ Price 12.00 → 10.00        Title edited        + New
 */
export function changePill(collection: Collection, changes: Changes, row: number, recordPath: string): Content {
  const entry = entryOfKind(changes, row, 'changed');
  if (entry === null) return newPill(collection, changes, row);
  const fields = changedFieldsOf(changes, entry);
  const isPrice = ({ field }: ChangedField): boolean => field.role === 'price';
  const main = fields.find(isPrice) ?? fields.find(({ numbers }) => numbers !== null) ?? fields[0];
  if (main === undefined) return null;
  return html`<a class="pill" href="${recordPath}#${EARLIER}">${changeSummary(main)}</a>`;
}

/** `+ New`, as a link to all new records; null for any other record. */
export function newPill(collection: Collection, changes: Changes, row: number): Content {
  if (entryOfKind(changes, row, 'added') === null) return null;
  const target = address(changesPath(collection.model), [['kind', 'added']]);
  return html`<a class="pill" href="${target}">${NEW} ${kindText('added')}</a>`;
}

/** The id of a record's earlier values on its page. */
export const EARLIER = 'earlier';

function changeSummary({ field, numbers }: ChangedField): Content {
  if (numbers === null) return `${labelOf(field)} edited`;
  const { from, to } = numbers;
  const [fromText, toText] = numberTexts(field, from, to);
  const direction = directionOf(from, to);
  return html`${direction && html`${signOf(field.role, direction)} `}${labelOf(field)} ${fromText}${ARROW}${toText}`;
}

function wordsText(from: string | null, to: string | null): string {
  const words = wordCount(to) - wordCount(from);
  if (words === 0) return 'the same number of words';
  return `${numberText(Math.abs(words))} ${Math.abs(words) === 1 ? 'word' : 'words'} ${words > 0 ? 'more' : 'fewer'}`;
}

const MAX_LISTED_NAMES = 20;

const nameList = (names: readonly string[], item: (name: string) => Html): Content => [
  ...names.slice(0, MAX_LISTED_NAMES).map((name) => item(shortened(name, MAX_TEXT_CHARACTERS))),
  names.length > MAX_LISTED_NAMES ? `+${names.length - MAX_LISTED_NAMES} ` : null,
];

/** A percentage: one digit after the point below ten percent, none above. */
function percentText(percent: number): string {
  const size = Math.abs(percent);
  return size < 10 ? `${numberText(Number(size.toFixed(1)), 1)}%` : `${numberText(Math.round(size))}%`;
}

const MAX_TEXT_CHARACTERS = 160;

function shortText(kind: string, text: string | null): Content {
  if (text === null || text === '') return missing;
  if (kind === 'date' && !Number.isNaN(Date.parse(text))) return longDate(Date.parse(text));
  if (/^\s*data:/i.test(text)) return `a picture in the record, ${numberText(text.length)} characters`;
  return isolated(shortened(text, MAX_TEXT_CHARACTERS));
}
