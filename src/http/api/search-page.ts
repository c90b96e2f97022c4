/** What a search tells besides its records: what each was found by, and the text as it was searched. */
import type { CollectionModel } from '../../model.js';
import type { Page, Paging } from '../../query/query.js';
import type { Collection } from '../../store/collection.js';
import { itemBytes, recordView } from '../../store/record-text.js';
import { parseRecord, type RecordValues } from '../../store/record-values.js';
import type { Highlighter } from '../highlight/highlight.js';
import { html } from '../pages/frame/html.js';
import { type Envelope, OPENING, pageNumbers } from './list.js';
import { projectJson } from './project.js';

export interface SearchExtras {
  /** Null where records are not asked to tell. */
  readonly highlighter: Highlighter | null;
  /** Undefined where it is not asked for. */
  readonly suggestion: string | null | undefined;
}

export function searchBody(
  collection: Collection,
  { rows, total }: Page,
  paging: Paging,
  envelope: Envelope,
  fields: readonly string[] | null,
  { highlighter, suggestion }: SearchExtras,
): string {
  const { model, text } = collection;
  const records = Array.from(rows, (row) => {
    const record = recordView(text, row);
    const json = fields === null ? itemJson(record, itemBytes(text, row)) : projectJson(model, record, fields);
    return highlighter === null
      ? json
      : withMember(json, 'highlight', highlightOf(model, parseRecord(record), highlighter));
  });
  const told = suggestion === undefined ? '' : `"suggestion":${JSON.stringify(suggestion)},`;
  return `${OPENING}${records.join(',')}],${told}${pageNumbers(total, paging, envelope)}}`;
}

/** The list item's bytes are those of the record up to its closing brace. */
const itemJson = (record: Buffer, bytes: number): string => `${record.toString('utf8', 0, bytes - 1)}}`;

/** The JSON text of an object, with a last member more. */
const withMember = (json: string, name: string, value: unknown): string =>
  `${json.slice(0, -1)}${json === '{}' ? '' : ','}"${name}":${JSON.stringify(value)}}`;

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
