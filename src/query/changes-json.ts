/** Comparisons and their entries as JSON. */
import { type Changes, type Comparison, looksIncomplete } from '../store/changes/changes.js';
import type { Entry, FieldChange } from '../store/changes/entries.js';

export type ChangeJson =
  | { readonly from: number | string | null; readonly to: number | string | null; readonly percent?: number }
  | { readonly words: number }
  | { readonly added: readonly string[]; readonly removed: readonly string[] };

export interface EntryJson {
  readonly id: number;
  readonly title: string;
  readonly kind: Entry['kind'];
  readonly changes?: Readonly<Record<string, ChangeJson>>;
}

export function entryJson({ id, title, kind, changes }: Entry): EntryJson {
  if (kind !== 'changed') return { id, title, kind };
  const changesByField = [...changes].map(([name, change]) => [name, changeJson(change)] as const);
  return { id, title, kind, changes: Object.fromEntries(changesByField) };
}

function changeJson(change: FieldChange): ChangeJson {
  switch (change.form) {
    case 'number': {
      const { from, to, percent } = change;
      return { from, to, ...(percent !== null && { percent }) };
    }
    case 'words':
      return { words: wordCount(change.to) - wordCount(change.from) };
    case 'list':
      return { added: change.added, removed: change.removed };
    case 'text':
      return { from: change.from, to: change.to };
  }
}

/** The number of words between blanks, tabs and line breaks. */
export const wordCount = (text: string | null): number => text?.match(/[^ \t\n\r]+/g)?.length ?? 0;

/** The field by which records were paired, or `title and author`. */
export function pairedBy({ pairing }: Changes): readonly string[] {
  if (pairing.by === 'names') return ['title and author'];
  return [pairing.by === 'id' ? 'id' : pairing.field];
}

/** A comparison without its entries. */
export const comparisonJson = ({ since, changes }: Comparison) => ({
  since: { version: since.version, modifiedAt: since.modifiedAt.toISOString() },
  counts: { ...changes.counts, fields: Object.fromEntries(changes.counts.fields) },
  pairedBy: pairedBy(changes),
  incomplete: looksIncomplete(changes.counts),
});
