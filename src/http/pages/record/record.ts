/** A stored record as a page reads it, parsed from its bytes for the few rows that one page shows. */
import { isCurrencyColumn } from '../../../field-kinds.js';
import { type CollectionModel, type Field, fieldOf, isFound } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { recordJson } from '../../../store/record-text.js';
import { briefRecord, listedValues, parseRecord, type RecordValues } from '../../../store/record-values.js';
import { shortened } from '../../markup/format.js';
import { memoize } from '../../memoize.js';

export interface ShownRecord {
  readonly id: unknown;
  readonly title: string;
  readonly valueOf: (field: Pick<Field, 'name' | 'part'>) => unknown;
}

/** A record with the fields of a list and its currencies only; its text is not parsed. */
export function listRecord(collection: Collection, row: number): ShownRecord {
  const { text, model } = collection;
  const record = shownRecordOf(model, parseRecord(recordJson(text, row, 'item')));
  const { currency } = rolesOf(model);
  return {
    ...record,
    valueOf: (field) =>
      record.valueOf(field) ??
      (field.part === 'currency' || field.name === currency?.name
        ? (listedValues(collection, field.name, row)[0] ?? null)
        : null),
  };
}

/** A record with all fields, but at most `bytes` of it are parsed (`briefRecord`). */
export const shownRecord = (collection: Collection, row: number, bytes: number): ShownRecord =>
  shownRecordOf(collection.model, briefRecord(collection, row, bytes));

const TITLE_CHARACTERS = 300;

/** A record of a collection without titles is called by its first text, or else by its first code or address. */
function titleText({ fields }: CollectionModel, values: RecordValues): string {
  const texts = fields.flatMap(({ name, kind }) => (kind === 'text' ? [values[name]] : []));
  const text = 'title' in values ? values.title : [...texts, ...Object.values(values)].find(isTitle);
  return isTitle(text) ? shortened(text, TITLE_CHARACTERS) : 'title' in values ? 'Untitled' : `No. ${values.id}`;
}

const isTitle = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const shownRecordOf = (model: CollectionModel, values: RecordValues): ShownRecord => ({
  id: values.id,
  title: titleText(model, values),
  valueOf: ({ name }) => values[name] ?? null,
});

/** A collection's fields by their roles on the pages. */
export interface Roles {
  readonly title: Field | undefined;
  /** The address that the record came from. */
  readonly link: Field | undefined;
  readonly image: Field | undefined;
  /** Long text. */
  readonly text: Field | undefined;
  readonly tags: Field | undefined;
  /** The column with the currency of the amounts beside it. */
  readonly currency: Field | undefined;
  /** The other documented fields of a list. */
  readonly columns: readonly Field[];
  /** The found fields that lists may show. */
  readonly found: readonly Field[];
}

const ROLES = ['title', 'link', 'image', 'body', 'tags'] as const;

export const rolesOf = memoize((model: CollectionModel): Roles => {
  const [title, link, image, text, tags] = ROLES.map((role) => fieldOf(model, role));
  const special = [title, link, image, text, tags].map((field) => field?.name);
  const plainFields = model.fields.filter(
    ({ name, detailOnly }) => name !== 'id' && !detailOnly && !special.includes(name),
  );
  const columns = plainFields.filter((field) => !isFound(field));
  const currency = model.fields.find(isCurrencyColumn);
  return { title, link, image, text, tags, currency, columns, found: plainFields.filter(isFound) };
});
