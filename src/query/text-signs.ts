/**
 * Signs that people write into the text of a search, as Lucene's grammar has them: `tea AND pot`, `+tea`, `te*`, `tea^2`,
 * `category:(Art OR Kitchen)`. Here they would be searched as words, so the API answers with what works in their place.
 */
import type { CollectionModel } from '../model.js';
import { missingLine } from './foreign.js';

interface Sign {
  /** A named group `field` must be the name of a field. */
  readonly pattern: RegExp;
  /** The sentence that says what works in place of the sign. */
  readonly line: string;
  /** Whether the sign may as well be a word or number of a text: `war AND peace`, `mc^2`. */
  readonly mayBeText?: true;
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;
const NAMED_FIELD = `(?<field>${NAME})`;
const atWordStart = (pattern: string): RegExp => new RegExp(String.raw`(?<!\S)${pattern}`, 'u');

const ALL_WORDS = 'match=all asks for all words, and a phrase in quotes must occur.';
const EXCLUSION = 'Beside a word that must occur, -WORD leaves out the records with a word.';
const EXISTENCE = missingLine('FIELD');

const SIGNS: readonly Sign[] = [
  { pattern: /^\*(?::\*)?$/, line: 'A list without q has all records.' },
  { pattern: atWordStart(String.raw`(?:-|NOT\s+)?_(?:exists|missing)_:${NAMED_FIELD}(?!\S)`), line: EXISTENCE },
  { pattern: atWordStart(String.raw`(?:-|NOT\s+)?${NAMED_FIELD}:\*(?!\S)`), line: EXISTENCE },
  {
    pattern: atWordStart(String.raw`-?${NAMED_FIELD}:\([^()]+\)`),
    line: 'A field is a parameter of its own, given several times for any of several values; FIELD:WORD in q searches one word in it.',
  },
  { pattern: /[[{]\S{1,40} TO \S{1,40}[\]}]/u, line: 'A range is of a field: FIELD_gte and FIELD_lte are its ends.' },
  {
    pattern: atWordStart(String.raw`(?:${NAME}:)?(?:\*[\p{L}\p{N}]+\*?|[\p{L}\p{N}]+\*)(?!\S)`),
    line: 'FIELD_like=PART finds a part of a text; the last word of q also finds longer words that it begins.',
  },
  { pattern: atWordStart(String.raw`NOT\s+(?=[\p{L}"])`), line: EXCLUSION, mayBeText: true },
  { pattern: atWordStart(String.raw`!(?=[\p{L}"])`), line: EXCLUSION },
  { pattern: atWordStart(String.raw`AND(?=\s+\S)`), line: ALL_WORDS, mayBeText: true },
  { pattern: atWordStart(String.raw`&&(?=\s+\S)`), line: ALL_WORDS },
  { pattern: atWordStart(String.raw`\+(?=["\p{L}])`), line: ALL_WORDS },
  {
    pattern: /(?<=[\p{L}\p{N}"])[~^]\d+(?:\.\d+)?(?!\S)/u,
    line: 'A word has no weight and no distance: fuzzy=0 leaves near spellings out.',
    mayBeText: true,
  },
];

/** The first sign of the table that is in a search text, outside of phrases; null where there is none. */
export function signInText(source: string, { fields }: CollectionModel) {
  const text = source.trim();
  // No shorter than the text, of which a sign may hold phrases: `category:("blue tea" OR Art)`.
  const withoutPhrases = text.replace(/"[^"]*"/g, (phrase) => '"'.repeat(phrase.length));
  for (const { pattern, line, mayBeText = false } of SIGNS) {
    const match = pattern.exec(withoutPhrases);
    const name = match?.groups?.field;
    if (match !== null && (name === undefined || fields.some((field) => field.name === name)))
      return { written: text.slice(match.index).slice(0, match[0].length).trim(), line, mayBeText };
  }
  return null;
}
