/** What reports call the kinds of fields. */
import type { FieldKind } from '../../model.js';

export const KIND_TEXTS: Readonly<Record<FieldKind, string>> = {
  integer: 'integer',
  number: 'number',
  date: 'date',
  boolean: 'true or false',
  text: 'text',
  code: 'code',
  url: 'address',
  texts: 'list of texts',
  codes: 'list of codes',
  json: 'JSON, only shown',
};
