/**
 * Changes as markup. Of one record: a pill in lists, and on its page what the last dump changed, and its numbers as step lines. In a list
 * of changes: the cells that differ from those of other lists.
 *
 *     Price     12.00   10.00   ▼ 16.67%
 *     + added
 */
import { type Field, fieldOf, isNumeric } from '../../../model.js';
import { CHANGE_DATE, type Comparison } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { rowOfId } from '../../../store/ids.js';
import { numberAtRow, placeFrom } from '../../../store/number-column.js';
import { recordJson } from '../../../store/record-text.js';
import { parseRecord, type RecordValues } from '../../../store/record-values.js';
import { positionOfKey } from '../../../store/sort-order.js';
import { count } from '../../../text.js';
import { labelOf, longDay, numberText, shortened, valueText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { EXACT_DIGITS } from '../counting/binning.js';
import { binningIn } from '../counting/shape.js';
import { numberValue } from '../fields/number-value.js';
import { address } from '../frame/address.js';
import { listRecord, type ShownRecord } from '../record/record.js';
import { fieldOfRecord, sharedValue } from '../record/value.js';
import {
  ADDED_SIGN,
  changesPath,
  DOWN_SIGN,
  earlierDump,
  knownDumps,
  REMOVED_SIGN,
  signOf,
  toneOf,
  UP_SIGN,
} from './figures.js';
import { type Step, stepLine, stepsOf, type TimedChange } from './step-line.js';
import { type DiffLimits, textDiff } from './text-diff.js';

/** Changes of a record that a page reads: more than any but a price of every minute has. */
const MAX_READ_CHANGES = 1000;

/** The rows of a record's changes, the newest first. */
function changeRows({ columns }: Collection, id: number): Uint32Array {
  const column = columns.get('record');
  if (column === undefined) return new Uint32Array(0);
  const place = placeFrom(column, id);
  if (column.values[place] !== id) return new Uint32Array(0);
  const { order } = column;
  return order.rows.subarray(positionOfKey(order, place), positionOfKey(order, place + 1));
}

const changeAt = ({ text }: Collection, row: number): RecordValues => parseRecord(recordJson(text, row, 'whole'));

/** The changes that the last dump has of a record. */
export function lastChangesOf({ changes, dumps }: Comparison, id: number): readonly RecordValues[] {
  const dates = changes.columns.get(CHANGE_DATE);
  const lastMs = dumps.at(-1)?.timeMs;
  if (dates === undefined) return [];
  const rows = changeRows(changes, id);
  let end = 0;
  while (end < rows.length && end < MAX_READ_CHANGES && numberAtRow(dates, rows[end]!) === lastMs) end++;
  return Array.from(rows.subarray(0, end), (row) => changeAt(changes, row));
}

/** The id of a record's earlier values on its page. */
export const EARLIER = 'earlier';

/**
 * A record's main change in the last dump as a link to all of them; null for a record that is as it was.
 *
 *     ▼ Price 12.00 → 10.00        Title changed        + Added
 */
export function changePill(collection: Collection, comparison: Comparison, id: unknown, recordPath: string): Content {
  const changes = lastChangesOf(comparison, Number(id));
  const main =
    changes.find(({ field }) => changedField(collection, field)?.role === 'price') ??
    changes.find(({ from, to }) => typeof from === 'number' && typeof to === 'number') ??
    changes[0];
  if (main === undefined) return null;
  if (main.kind === 'added') return addedPill(collection, isReturned(collection, comparison, Number(id)));
  return html`<a class="pill" href="${recordPath}#${EARLIER}">${changeSummary(collection, id, main)}</a>`;
}

const addedPill = ({ model }: Collection, isReturned: boolean): Html =>
  html`<a class="pill" href="${address(changesPath(model), [['kind', 'added']])}">${ADDED_SIGN} ${isReturned ? 'Returned' : 'Added'}</a>`;

/** Whether a record that the last dump added was in an earlier one. */
function isReturned({ ids }: Collection, { continuation, dumps }: Comparison, id: number): boolean {
  const firstSeenMs = continuation.layer.firstSeen[rowOfId(ids, id)] ?? Number.NaN;
  return firstSeenMs < (dumps.at(-1)?.timeMs ?? Number.NaN);
}

const changedField = ({ model }: Collection, name: unknown): Field | undefined =>
  model.fields.find((field) => field.name === name);

/** A field that the newest dump lacks goes by its name alone, and may have numbers. */
export const fieldOfChange = (collection: Collection, name: unknown): Field =>
  changedField(collection, name) ?? { name: String(name), kind: 'number', description: '' };

function changeSummary(collection: Collection, id: unknown, change: RecordValues): Content {
  const field = fieldOfChange(collection, change.field);
  const { from, to } = change;
  if (typeof from !== 'number' || typeof to !== 'number') return `${labelOf(field)} changed`;
  const [earlier, later] = [from, to].map((value) => changedNumber(collection, id, field.name, value));
  return html`${signOf(field.role, to > from ? 'up' : 'down')} ${labelOf(field)} ${earlier}${ARROW}${later}`;
}

export const ARROW: Html = html` <span aria-hidden="true">&rarr;</span><span class="vh"> now </span> `;

/** A value that was or is missing: a dash, which screen readers name. */
const missing: Html = html`<span class="soft"><span aria-hidden="true">&ndash;</span><span class="vh">none</span></span>`;

/** A number of a record's field as its column shows it: with its currency, or the record's own, or unit, and a year without a comma. */
export function changedNumber(collection: Collection, id: unknown, name: unknown, value: number): Content {
  const field = changedField(collection, name);
  if (field === undefined || !isNumeric(field.kind)) return numberText(value);
  // A record that is gone has no currency.
  const row = typeof id === 'number' ? rowOfId(collection.ids, id) : -1;
  const valueOfPart: ShownRecord['valueOf'] = (part) => (row < 0 ? null : listRecord(collection, row).valueOf(part));
  return numberValue(collection, fieldOfRecord(collection, { valueOf: valueOfPart }, field), value);
}

/** The part of an edited text that is compared and shown. */
const DIFF_LIMITS: DiffLimits = { characters: 50_000, paragraphs: 50 };

/** Two dumps have a comparison; more have a history. */
const MIN_HISTORY_DUMPS = 3;

/** The changes of the last dump to a record, and the numbers of all dumps as lines; of one that never changed, for how long. */
export function recordChanges(collection: Collection, comparison: Comparison, id: number): Content {
  const rows = changeRows(comparison.changes, id);
  if (rows.length === 0)
    return html`<p class="earlier note">Unchanged in ${count(knownDumps(comparison), 'dump')} since ${longDay(comparison.knownSinceMs)}</p>`;
  const last = lastChangesOf(comparison, id).filter(({ kind }) => kind === 'changed');
  const lines = stepLines(collection, comparison, id, rows);
  const facts = last.map((change) => {
    const field = fieldOfChange(collection, change.field);
    return html`<div><dt>${labelOf(field)}</dt><dd>${changeText(collection, id, field, change)}</dd></div>`;
  });
  // The head of the page says already that a record was added, or returned.
  if (facts.length === 0 && comparison.dumps.length < MIN_HISTORY_DUMPS) return null;
  const historyAddress = address(changesPath(collection.model), [['record', String(id)]]);
  const heading = html`<h2 id="${EARLIER}"><a href="${historyAddress}">${last.length > 0 ? 'Changed' : 'History'}</a>${last.length > 0 ? html` since ${earlierDump(comparison)}` : null}</h2>`;
  return html`<section class="earlier note stack" aria-labelledby="${EARLIER}">${heading}${facts.length > 0 ? html`<dl class="was pairs">${facts}</dl>` : null}${lines}</section>`;
}

function changeText(collection: Collection, id: number, field: Field, change: RecordValues): Content {
  const { from, to, percent } = change;
  if (typeof from === 'number' && typeof to === 'number') {
    const [earlier, later] = [from, to].map((value) => changedNumber(collection, id, field.name, value));
    const way = to > from ? 'up' : 'down';
    const { areYears = false } = binningIn(collection, field) ?? {};
    // Years, and numbers without a percentage, as from 0, have their difference.
    const amount =
      typeof percent === 'number' && !areYears
        ? percentText(percent)
        : numberText(Number(Math.abs(to - from).toPrecision(EXACT_DIGITS)));
    return html`<del>${earlier}</del>${ARROW}<ins>${later}</ins> <span class="by ${toneOf(field.role, way)}">${way === 'up' ? UP_SIGN : DOWN_SIGN} <span class="vh">${way} </span>${amount}</span>`;
  }
  if (isLongTextPair(from, to)) return textDiff(from, String(to), DIFF_LIMITS) ?? 'changed';
  return html`<del>${shortText(from)}</del>${ARROW}<ins>${shortText(to)}</ins>`;
}

/** The size of a percentage: with a digit after the point, two below a tenth of one percent. */
function percentText(percent: number): string {
  const size = Math.abs(percent);
  return `${numberText(Number(size.toFixed(size < 0.1 ? 2 : 1)), 1)}%`;
}

const MAX_TEXT_CHARACTERS = 160;

/** The texts of a change that are too long to be shown beside one another. */
const isLongTextPair = (from: unknown, to: unknown): from is string =>
  typeof from === 'string' && typeof to === 'string' && Math.max(from.length, to.length) > MAX_TEXT_CHARACTERS;

function shortText(value: unknown): Content {
  if (value === null || value === '') return missing;
  if (typeof value === 'boolean') return valueText({ kind: 'boolean' }, String(value));
  const text = typeof value === 'object' ? listText(value) : String(value);
  if (/^\s*data:/i.test(text)) return `a picture in the record, ${numberText(text.length)} characters`;
  return isolated(shortened(text, MAX_TEXT_CHARACTERS));
}

const listText = (value: object): string =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join(', ') : JSON.stringify(value);

/** Two texts of a change in a list as one diff; null where they are short, or no texts. */
export function listedDiff(from: unknown, to: unknown, limits: DiffLimits): Content {
  return isLongTextPair(from, to) ? textDiff(from, String(to), limits) : null;
}

/** Numbers of a record that are shown as lines. */
const MAX_STEP_LINES = 6;

/** A line for each number that changed, the price first. `rows` are those of the record's changes, the newest first. */
function stepLines(collection: Collection, comparison: Comparison, id: number, rows: Uint32Array): Content {
  const { changes, dumps, knownSinceMs } = comparison;
  const dates = changes.columns.get(CHANGE_DATE);
  if (dates === undefined || dumps.length < MIN_HISTORY_DUMPS) return null;
  const events = Array.from(
    rows.subarray(0, MAX_READ_CHANGES),
    (row): TimedChange => ({
      ...changeAt(changes, row),
      timeMs: numberAtRow(dates, row),
    }),
  );
  const measured = collection.model.fields.filter(
    ({ name, kind }) =>
      isNumeric(kind) &&
      events.some(({ field, from, to }) => field === name && (typeof from === 'number' || typeof to === 'number')),
  );
  const row = rowOfId(collection.ids, id);
  const endMs = dumps.at(-1)?.timeMs ?? knownSinceMs;
  return measured
    .sort((a, b) => Number(b.role === 'price') - Number(a.role === 'price'))
    .slice(0, MAX_STEP_LINES)
    .map((field) => {
      const column = collection.columns.get(field.name);
      const present = column === undefined ? Number.NaN : numberAtRow(column, row);
      const ofField = events.filter(({ kind, field: name }) => kind !== 'changed' || name === field.name);
      return stepFigure(collection, id, field, stepsOf(ofField, present), { startMs: knownSinceMs, endMs });
    });
}

/** The steps of a line under their words; null where there is no number. Without an `id` the heading above names the field. */
function stepFigure(
  collection: Collection,
  id: number | null,
  field: Field,
  steps: readonly Step[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Content {
  const numbers = steps.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const [first] = numbers;
  if (first === undefined) return null;
  const textOf = (value: number): Content => changedNumber(collection, id, field.name, value);
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const lowestMs = steps.findLast(({ value }) => value === lowest)?.timeMs ?? null;
  const when = lowestMs === null ? 'at first' : longDay(lowestMs);
  const firstMs = steps.find(({ value }) => value === first)?.timeMs ?? startMs;
  const sinceMs = steps[0]?.timeMs ?? startMs;
  const present = steps.at(-1)?.value;
  const now = typeof present === 'number' && html`<span>now <b>${textOf(present)}</b></span>`;
  const ends = html`<p class="split"><span><b>${textOf(first)}</b> <span class="soft">${longDay(firstMs)}</span></span> ${now}</p>`;
  const words = html`lowest ${textOf(lowest)} (${when}), highest ${textOf(highest)}`;
  const frame = { lowest, highest, startMs: sinceMs, endMs };
  return html`<figure class="steps"><figcaption>${id !== null && labelOf(field)} <span class="soft">${words}</span></figcaption>${stepLine(steps, frame)} ${ends}</figure>`;
}

/** The median price of each dump as a line; null where fewer than three have one. */
export function medianPriceLine(collection: Collection, { dumps }: Comparison): Content {
  const field = fieldOf(collection.model, 'price');
  const steps = dumps.flatMap(({ timeMs, medianPrice, isIncomplete }): readonly Step[] =>
    medianPrice === null || isIncomplete ? [] : [{ timeMs, value: Number(medianPrice.toFixed(2)) }],
  );
  const [startMs, endMs] = [steps[0]?.timeMs ?? 0, steps.at(-1)?.timeMs ?? 0];
  if (field === undefined || steps.length < MIN_HISTORY_DUMPS) return null;
  return stepFigure(collection, null, field, steps, { startMs, endMs });
}

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
    return html`${signOf(fieldOfChange(changed, name).role, way)}<span class="vh">${way}</span> ${percentText(value)}`;
  }
  if (!field.anyValue) return null;
  if (typeof value === 'number') return changedNumber(changed, change.valueOf({ name: 'record' }), name, value);
  if (typeof value === 'boolean') return shortText(value);
  const [from, to] = [change.valueOf({ name: 'from' }), change.valueOf({ name: 'to' })];
  const limits = { characters: Math.ceil(LISTED_CHARACTERS / rows), paragraphs: LISTED_PARAGRAPHS };
  const diff = listedDiff(from, to, limits);
  return diff && (field.name === 'to' ? diff : html`<span class="soft">changed</span>`);
}

function arrival(change: ShownRecord): Content {
  const kind = change.valueOf({ name: 'kind' });
  return html`<span class="soft">${kind === 'added' ? ADDED_SIGN : REMOVED_SIGN} ${String(kind)}</span>`;
}

const changedFieldLink = (changed: Collection, changes: Collection, field: Field, name: unknown): Content =>
  sharedValue(field, String(name), changes, labelOf(fieldOfChange(changed, name)));
