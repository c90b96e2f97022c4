/** A stored record as a page reads it, parsed from its bytes for the few rows that one page shows. */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { itemOf, recordView } from '../../../store/record-text.js';
import { codesOfRow, valueAt } from '../../../store/value-index.js';
import { parseRecord } from '../../api/project.js';
import { memoize } from '../frame/memoize.js';
import type { Model } from '../list/view.js';

export interface ShownRecord {
  readonly id: unknown;
  readonly title: string;
  readonly valueOf: (field: Field) => unknown;
  /** What the source has besides the fields. */
  readonly extra: readonly (readonly [name: string, value: unknown])[];
}

/** The whole record. */
export const wholeRecord = ({ text }: Collection, row: number): ShownRecord =>
  shown(parseRecord(recordView(text, row)));

/** The fields of a list only: a text that is not shown is not parsed either. */
export function listRecord({ text }: Collection, row: number): ShownRecord {
  return shown(parseRecord(itemOf(text, row)));
}

const shown = (values: Readonly<Record<string, unknown>>): ShownRecord => ({
  id: values.id,
  title: typeof values.title === 'string' && values.title.trim() !== '' ? values.title : 'Untitled',
  valueOf: ({ name }) => values[name] ?? null,
  extra: typeof values.extra === 'object' && values.extra !== null ? Object.entries(values.extra) : [],
});

/** The values of a list field without parsing the record, as the collection first spelt them. */
export function listedValues({ values }: Collection, { name }: Field, row: number): readonly string[] {
  const index = values.get(name);
  if (index === undefined) return [];
  return Array.from(codesOfRow(index, row), (code) => valueAt(index, code));
}

/** What the pages take a collection's fields for. */
export interface Roles {
  readonly title: Field | undefined;
  /** Where the record came from. */
  readonly link: Field | undefined;
  readonly image: Field | undefined;
  /** Long text. */
  readonly text: Field | undefined;
  readonly tags: Field | undefined;
  /** The rest of a list's fields, which stand in columns. */
  readonly columns: readonly Field[];
}

export const rolesOf = memoize(({ fields }: Model): Roles => {
  const title = fields.find(({ name }) => name === 'title');
  const link = fields.find(({ kind, image }) => kind === 'url' && !image);
  const image = fields.find((field) => field.image);
  const text = fields.find(({ kind, detailOnly }) => kind === 'text' && detailOnly);
  const tags = fields.find(({ kind }) => kind === 'tags');
  const special = [title, link, image, text, tags].map((field) => field?.name);
  const columns = fields.filter(({ name, detailOnly }) => name !== 'id' && !detailOnly && !special.includes(name));
  return { title, link, image, text, tags, columns };
});
