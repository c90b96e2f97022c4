/** The highlight of a record: the last member of its JSON. */
import type { CollectionModel } from '../../model.js';
import type { RecordValues } from '../../store/record-values.js';
import type { Highlighter } from '../highlight/highlight.js';
import { html } from '../markup/html.js';

/** The JSON text of a record, with its highlight as the last member. */
export function withHighlight(
  json: string,
  model: CollectionModel,
  record: RecordValues,
  highlighter: Highlighter,
): string {
  const highlight = JSON.stringify(highlightOf(model, record, highlighter));
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"highlight":${highlight}}`;
}

/** Markup by field, only of fields that match. A text that lists do not show is cut to a snippet. */
export function highlightOf(
  { fields }: CollectionModel,
  record: RecordValues,
  highlighter: Highlighter,
): Readonly<Record<string, string | readonly string[]>> {
  const markupOf = (text: string, isSnippet: boolean): string | null => {
    const content = isSnippet ? highlighter.snippet(text) : highlighter.mark(text);
    return content === null || content === text ? null : html`${content}`.toString().replaceAll('&hellip;', '\u2026');
  };
  return Object.fromEntries(
    fields.flatMap(({ name, searchWeight, detailOnly, kind }): [string, string | readonly string[]][] => {
      const value = searchWeight === undefined ? null : record[name];
      if (Array.isArray(value)) {
        const items = value.map((item) => [String(item), markupOf(String(item), false)] as const);
        if (items.every(([, markup]) => markup === null)) return [];
        return [[name, items.map(([text, markup]) => markup ?? html`${text}`.toString())]];
      }
      const markup = typeof value === 'string' ? markupOf(value, kind === 'text' && detailOnly === true) : null;
      return markup === null ? [] : [[name, markup]];
    }),
  );
}
