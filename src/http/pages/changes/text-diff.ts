/**
 * Where two long texts differ, as markup: the paragraphs that changed, with the words that are gone and those that are new.
 *
 *     The ferry runs daily.   →   The ferry runs ~~daily~~ **on Sundays**.
 *     Bring cash.                 (left out: it is as it was)
 */
import { diffArrays, diffWords } from 'diff';
import { numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import { paragraphsOf } from '../record/paragraphs.js';

export interface DiffLimits {
  /** The compared beginning of each text. */
  readonly characters: number;
  readonly paragraphs: number;
}

/** Texts with more edits between them are shown whole, old and new: most of their words differ. */
const MAX_TEXT_EDITS = 150;
/** The length at which a paragraph is cut that is new or removed as a whole. */
const WHOLE_CHARACTERS = 400;
/** The length of the unchanged text that is shown on each side of an edit. */
const CONTEXT_CHARACTERS = 60;

/** Null where the compared parts do not differ, but for white space, or differ in nearly everything. */
export function textDiff(before: string, after: string, { characters, paragraphs }: DiffLimits): Content {
  const paragraphsIn = (text: string): string[] => [...paragraphsOf(shortened(text, characters))];
  const chunks = diffArrays(paragraphsIn(before), paragraphsIn(after), { maxEditLength: MAX_TEXT_EDITS });
  if (chunks === undefined) return null;
  const changed: Html[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  // Paragraphs that follow one another are compared in pairs.
  const compareBoth = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const markup = paragraphDiff(removed[i] ?? '', added[i] ?? '');
      if (markup !== null) changed.push(html`<p>${markup}</p>`);
    }
    removed = [];
    added = [];
  };
  for (const { value, ...chunk } of chunks) {
    if (chunk.removed) removed.push(...value);
    else if (chunk.added) added.push(...value);
    else compareBoth();
  }
  compareBoth();
  if (changed.length === 0) return null;
  const more = changed.length - paragraphs;
  return html`<div class="diff stack">${changed.slice(0, paragraphs)}${more > 0 ? html`<p class="soft">and ${numberText(more)} more ${more === 1 ? 'paragraph' : 'paragraphs'}</p>` : null}</div>`;
}

function paragraphDiff(before: string, after: string): Content {
  const isBoth = before !== '' && after !== '';
  const parts = isBoth ? diffWords(before, after, { maxEditLength: MAX_TEXT_EDITS }) : undefined;
  if (parts === undefined) return [wholeChange('del', before), wholeChange('ins', after)];
  if (!parts.some(({ added, removed }) => added || removed)) return null;
  return parts.map(({ value, added, removed }, i) => {
    if (removed) return html`<del>${value}</del>`;
    if (added) return html`<ins>${value}</ins>`;
    return context(value, i === 0, i === parts.length - 1);
  });
}

function wholeChange(element: 'del' | 'ins', text: string): Content {
  if (text === '') return null;
  const cut = shortened(text, WHOLE_CHARACTERS);
  return element === 'del' ? html`<del>${cut}</del> ` : html`<ins>${cut}</ins>`;
}

/** The words next to an edit; those further away are left out. */
function context(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= (isFirst || isLast ? 1 : 2) * CONTEXT_CHARACTERS) return text;
  const head = isFirst ? '' : text.slice(0, CONTEXT_CHARACTERS).replace(/\S*$/, '');
  const tail = isLast ? '' : text.slice(-CONTEXT_CHARACTERS).replace(/^\S*/, '');
  return `${head}…${tail}`;
}
