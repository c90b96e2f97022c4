/** The summary of a comparison: its counts as large figures, each a link to the changes that it counts, and what is to know about it. */
import { type CollectionModel, type Field, isNumeric } from '../../../model.js';
import { fieldNamed } from '../../../query/operators.js';
import { CHANGE_DATE, type Comparison, type Difference, pairedBy, remarksOf } from '../../../store/changes/changes.js';
import { canonicalDate, count } from '../../../text.js';
import { baseName, collectionTitle, dayOf, longDate, longDay, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { address, type Pairs } from '../frame/address.js';

export interface Figure {
  readonly count: number;
  /** Completes "12 …". */
  readonly says: string;
  readonly marker: Html;
  /** The reader's view of the change: good, bad or neutral. */
  readonly tone: 'good' | 'bad' | 'soft';
  readonly pairs: Pairs;
}

export const changesPath = ({ name }: Pick<CollectionModel, 'name'>): string => `/${name}/changes`;

export const UP_SIGN: Html = html`<span class="sign" aria-hidden="true">&#9650;</span>`;
export const DOWN_SIGN: Html = html`<span class="sign" aria-hidden="true">&#9660;</span>`;
export const ADDED_SIGN: Html = html`<span class="sign" aria-hidden="true">+</span>`;
export const REMOVED_SIGN: Html = html`<span class="sign" aria-hidden="true">&minus;</span>`;
const CHANGED_SIGN: Html = html`<span class="sign" aria-hidden="true">&#9998;</span>`;

/** Words for a number that went down or up. */
function wordsOfWays(field: Field): readonly [down: string, up: string] {
  const { kind, role } = field;
  if (role === 'price') return ['cheaper', 'pricier'];
  const words = wordsOf(field);
  // The name of a count is a plural: `comments`.
  const isCount = kind === 'integer' && words.endsWith('s');
  return isCount ? [`fewer ${words}`, `more ${words}`] : [`lower ${words}`, `higher ${words}`];
}

/** The pairs that narrow a list of changes to those of the last dump; none where that is the only one with changes. */
export const lastDumpPairs = ({ dumps }: Comparison): Pairs => {
  const last = dumps.at(-1);
  return dumps.length < 3 || last === undefined ? [] : [[CHANGE_DATE, canonicalDate(last.timeMs)]];
};

/** The figures that are not zero, in a fixed order. */
export function figuresOf(comparison: Comparison): readonly Figure[] {
  const { model, counts, returned } = comparison.last;
  const { added, removed, fields } = counts;
  const ofLast = lastDumpPairs(comparison);
  const numbers = [...fields].flatMap(([name, { up, down }]): readonly Figure[] => {
    const field = model.fields.find((one) => one.name === name);
    if (field === undefined || !isNumeric(field.kind)) return [];
    const [downWords, upWords] = wordsOfWays(field);
    const pairs = (bound: string): Pairs => [['field', name], [bound, '0'], ...ofLast];
    return [
      {
        count: down,
        says: downWords,
        marker: DOWN_SIGN,
        tone: toneOf(field.role, 'down'),
        pairs: pairs('difference_lt'),
      },
      { count: up, says: upWords, marker: UP_SIGN, tone: toneOf(field.role, 'up'), pairs: pairs('difference_gt') },
    ];
  });
  const otherFields = [...fields].filter(([name]) => !isMeasured(model, name));
  const otherChanges = otherFields.reduce((sum, [, { changed }]) => sum + changed, 0);
  const all: readonly Figure[] = [
    ...numbers,
    {
      count: added,
      says: returned === 0 ? 'added' : returned === added ? 'returned' : 'added or returned',
      marker: ADDED_SIGN,
      tone: 'good',
      pairs: [['kind', 'added'], ...ofLast],
    },
    { count: removed, says: 'removed', marker: REMOVED_SIGN, tone: 'soft', pairs: [['kind', 'removed'], ...ofLast] },
    {
      count: otherChanges,
      says: otherChanges === 1 ? 'other change' : 'other changes',
      marker: CHANGED_SIGN,
      tone: 'soft',
      pairs: [...otherFields.map(([name]) => ['field', name] as const), ...ofLast],
    },
  ];
  return all.filter(({ count }) => count > 0);
}

const isMeasured = ({ fields }: CollectionModel, name: string): boolean =>
  fields.some((field) => field.name === name && isNumeric(field.kind));

/** The figures of a collection's changes; `pairs` are those of the shown list. */
export function figureList(path: string, pairs: Pairs, figures: readonly Figure[]): Content {
  if (figures.length === 0) return null;
  const item = ({ count, says, marker, tone, pairs: figurePairs }: Figure): Html => {
    const isChosen = figurePairs.every(([name, value]) => pairs.some((pair) => pair[0] === name && pair[1] === value));
    const target = address(path, isChosen ? [] : figurePairs);
    return html`<li><a class="tile" href="${target}"${isChosen ? html` aria-current="true"` : null}><span class="figure"><span class="${tone}">${marker}</span> ${numberText(count)}</span> <span class="says soft">${says}</span></a></li>`;
  };
  return html`<ul class="figures tiles row" role="list" aria-label="What changed">${figures.map(item)}</ul>`;
}

/** The dump before the last one: by its day where that is another, else by its name or, without one, its time. */
export function earlierDump({ since, dumps }: Comparison): Html {
  const { name, modifiedAt } = since;
  const sinceMs = modifiedAt.getTime();
  if (dayOf(sinceMs) !== dayOf(lastTimeOf(dumps)))
    return html`<time datetime="${modifiedAt.toISOString()}"${name !== undefined && html` title="${name}"`}>${longDay(sinceMs)}</time>`;
  return name === undefined
    ? html`${longDate(sinceMs)}`
    : html`<span title="${name}">${isolated(baseName(name))}</span>`;
}

const lastTimeOf = (dumps: Comparison['dumps']): number => dumps.at(-1)?.timeMs ?? 0;

/** The roles whose numbers are better when they rise. Of numbers that a dump brought nobody knows which way is better. */
const BETTER_UP: readonly Field['role'][] = ['rating', 'score', 'comments'];

/** A falling price is good, and so is a rising rating; a change of a number that may mean either is neutral. */
export function toneOf(role: Field['role'], way: 'up' | 'down'): Figure['tone'] {
  if (role !== 'price' && !BETTER_UP.includes(role)) return 'soft';
  return (way === 'down') === (role === 'price') ? 'good' : 'bad';
}

/** The sign of a change, in the tone of what it means for the field. */
export const signOf = (role: Field['role'], way: 'up' | 'down'): Html =>
  html`<span class="${toneOf(role, way)}">${way === 'up' ? UP_SIGN : DOWN_SIGN}</span>`;

/** The figures of the last comparison, and what is to know about it. */
export function changesSummary(name: string, pairs: Pairs, comparison: Comparison | null): Content {
  if (comparison === null) return null;
  return html`<div class="summary stack"><p><a href="/${name}">${collectionTitle(name)}</a> of ${longDay(lastTimeOf(comparison.dumps))}, compared with ${earlierDump(comparison)}${pairingText(comparison.last)}</p>
${figureList(changesPath({ name }), pairs, figuresOf(comparison))}${remarksOf(comparison).map((remark) => html`<p class="soft">${isolated(remark)}</p>`)}</div>`;
}

/** The number of the dumps from which on all changes are there. */
export const knownDumps = ({ dumps, knownSinceMs }: Comparison): number =>
  dumps.filter(({ timeMs }) => timeMs >= knownSinceMs).length;

/** How many dumps the listed changes are of, and since when, where the figures above count those of the last dump alone. */
export const sinceWhen = (comparison: Comparison | null): Content =>
  comparison !== null &&
  lastDumpPairs(comparison).length > 0 &&
  html` <span class="small">in ${count(knownDumps(comparison) - 1, 'dump')} since ${longDay(comparison.knownSinceMs)}</span>`;

/** Where ids were given by position, records are paired otherwise. */
function pairingText({ pairing, model }: Difference): Content {
  if (pairing.by === 'id') return null;
  return `, paired by ${pairing.by === 'field' ? wordsOf(fieldNamed(model, pairing.field)) : pairedBy(pairing)}`;
}

/** The text of an empty list of changes. */
export const nothingChanged = (comparison: Comparison | null): Html =>
  comparison === null
    ? html`<p>There is nothing to compare with yet.</p><p>Load a newer dump while the server runs (<code>--watch</code>), or name earlier ones at the start with <code>--previous</code> or <code>--history</code>.</p>`
    : html`<p>Nothing changed: all ${count(comparison.last.counts.unchanged, 'record')} are as they were.</p>`;
