/**
 * The form in which a file has a field's values, decided once a file. Texts: plain, with entities, with entities and white space around,
 * or HTML; of found fields plain, with white space around, or that and entities. Numbers: plain or percentages. Addresses: plain, or relative ones to be completed.
 */
import { type Field, isList } from '../../model.js';
import { readPercentage } from './numbers.js';
import { nameKey } from './paths.js';
import { hasValue, isMost } from './texts.js';
import { timesOf, type ValueCounts } from './value-counts.js';

export type TextForm = 'plain' | 'entities' | 'padded' | 'trimmed' | 'html' | 'percent' | 'address';

/** Whether every text of this form has to be rewritten, whatever it holds. */
export const isReadWhole = (form: TextForm | undefined): boolean => form === 'html' || form === 'address';

/** Whether texts of this form have no white space around, and entities decoded. */
export const isTrimmed = (form: TextForm | undefined): boolean => form === 'padded' || form === 'trimmed';
export const hasEntities = (form: TextForm | undefined): boolean => form === 'entities' || form === 'padded';

/** `{"title": {"rendered": "…"}}`: every text of this name is HTML. */
const HTML_OF_WORDPRESS = 'rendered';
/** Names of sources that hold HTML, and the names that a record must have besides. */
const HTML_SOURCES: readonly { readonly name: string; readonly beside?: readonly string[] }[] = [
  { name: 'contenthtml' },
  { name: 'bodyhtml' },
  { name: 'html' },
  { name: 'descriptionhtml' },
  { name: 'contentencoded' },
  // Feeds as JSON.
  { name: 'description', beside: ['pubdate', 'link'] },
  // Hacker News, by Algolia and by Firebase.
  { name: 'storytext', beside: ['objectid'] },
  { name: 'text', beside: ['by', 'time', 'type'] },
];

const TAG =
  /<\/(?:p|div|span|a|ul|ol|li|h[1-6]|em|strong|b|i|table|blockquote|figure|pre|code|section|article)>|<p(?:\s[^<>]*)?>|<br\s*\/?>|<img\s/i;

/** The form of a field's texts: `source` is the last name of what feeds it, `names` are those beside it, `counts` its first values. */
export function textForm(field: Field, source: string, names: readonly string[], counts: ValueCounts): TextForm {
  if (field.kind === 'number') return arePercentages(counts) ? 'percent' : 'plain';
  if (field.kind !== 'text' && !isList(field.kind)) return 'plain';
  const key = nameKey(source);
  if (key === HTML_OF_WORDPRESS) return 'html';
  if (isList(field.kind) || field.detailOnly === undefined) return 'padded';
  const keys = new Set(names.map(nameKey));
  const isNamed = HTML_SOURCES.some(
    ({ name, beside = [] }) => name === key && beside.every((other) => keys.has(other)),
  );
  const texts = timesOf(counts, (value) => typeof value === 'string' && value.trim() !== '');
  const tagged = timesOf(counts, (value) => typeof value === 'string' && TAG.test(value));
  return isNamed || isMost(tagged, texts) ? 'html' : 'plain';
}

/**
 * The form of a found field's values, by the first of them. They stay as they came but for white space around, `" Acme"` is `"Acme"`, and
 * for entities, `R&amp;D`, in a column without HTML.
 */
export function foundForm({ kind, isPercent }: Field, counts: ValueCounts): TextForm {
  if (isPercent) return 'percent';
  if (kind !== 'text' && kind !== 'code' && !isList(kind)) return 'plain';
  const texts = [...counts.keys()].flat().filter((value) => typeof value === 'string');
  const hasMatch = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  return hasMatch(HTML_ENTITY) && !hasMatch(TAG_BEGIN) ? 'padded' : 'trimmed';
}

const HTML_ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]{2,}\d*);/i;
const TAG_BEGIN = /<[a-z/!]/i;

/** A column of percentages has a scale of a hundred; a single `90%` among stars says nothing. */
export const arePercentages = (counts: ValueCounts): boolean =>
  isMost(timesOf(counts, isPercentage), timesOf(counts, hasValue));

export const isPercentage = (value: unknown): boolean =>
  typeof value === 'string' && readPercentage(value) !== undefined;
