/** Search by MiniSearch as it comes: exact words, BM25+, any word matches. */
import MiniSearch from 'minisearch';
import type { FieldText, SearchField, SearchIndex, SearchIndexBuilder } from './search.js';

interface Document {
  readonly id: number;
  readonly texts: readonly FieldText[];
}

const asText = (text: FieldText | undefined): string => (Array.isArray(text) ? text.join(' ') : String(text ?? ''));

export function createSearchBuilder(fields: readonly SearchField[]): SearchIndexBuilder {
  const names = fields.map((field) => field.name);
  const index = new MiniSearch<Document>({
    fields: names,
    extractField: (document, name) => (name === 'id' ? document.id : asText(document.texts[names.indexOf(name)])),
    searchOptions: { boost: Object.fromEntries(fields.map((field) => [field.name, field.weight])) },
  });
  let documents = 0;

  return {
    add(texts) {
      index.add({ id: documents++, texts });
    },
    finish(rowOf): SearchIndex {
      const ranked = (text: string): Uint32Array =>
        Uint32Array.from(
          index
            .search(text)
            .map((hit) => ({ row: rowOf[hit.id] ?? -1, score: hit.score }))
            .filter((hit) => hit.row >= 0)
            .sort((a, b) => b.score - a.score || a.row - b.row)
            .map((hit) => hit.row),
        );
      return {
        search(text, limit) {
          const rows = ranked(text);
          return { rows: rows.subarray(0, limit), total: rows.length };
        },
        match: (text) => ranked(text).sort(),
      };
    },
  };
}
