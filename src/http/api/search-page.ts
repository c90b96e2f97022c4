/** What a search tells besides its records: what each was found by, and the text as it was searched. */
import type { CollectionModel } from '../../model.js';
import type { RecordValues } from '../../store/record-values.js';
import type { Highlighter } from '../highlight/highlight.js';
import { html } from '../markup/html.js';

export interface SearchExtras {
  /** Null where records are not asked to tell. */
  readonly highlighter: Highlighter | null;
  /** Undefined where it is not asked for. */
  readonly suggestion: string | null | undefined;
}

export const NO_EXTRAS: SearchExtras = { highlighter: null, suggestion: undefined };

/** The JSON text of a record, with what it was found by as its last member. */
export function withHighlight(
  json: string,
  model: CollectionModel,
  record: RecordValues,
  highlighter: Highlighter,
): string {
  const highlight = JSON.stringify(highlightOf(model, record, highlighter));
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"highlight":${highlight}}`;
}

/** By field, as markup: only fields in which something is found; of a text that lists do not show, a snippet. */
export function highlightOf(
  { fields }: CollectionModel,
  record: RecordValues,
  highlighter: Highlighter,
): Readonly<Record<string, string | readonly string[]>> {
  const marked = (text: string, isSnippet: boolean): string | null => {
    const content = isSnippet ? highlighter.snippet(text) : highlighter.mark(text);
    return content === null || content === text ? null : html`${content}`.toString().replaceAll('&hellip;', '\u2026');
  };
  return Object.fromEntries(
    fields.flatMap(({ name, searchWeight, detailOnly, kind }): [string, string | readonly string[]][] => {
      const value = searchWeight === undefined ? null : record[name];
      if (Array.isArray(value)) {
        const items = value.map((item) => [String(item), marked(String(item), false)] as const);
        if (items.every(([, markup]) => markup === null)) return [];
        return [[name, items.map(([text, markup]) => markup ?? html`${text}`.toString())]];
      }
      const markup = typeof value === 'string' ? marked(value, kind === 'text' && detailOnly === true) : null;
      return markup === null ? [] : [[name, markup]];
    }),
  );
}
