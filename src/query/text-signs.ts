/**
 * Signs that people write into the text of a search, as Lucene's grammar has them: `tea AND pot`, `+tea`, `te*`, `tea^2`,
 * `category:(Art OR Kitchen)`. Here they would be searched as words, so the API answers with the line that works.
 */
import { isOrdered } from '../field-kinds.js';
import { type CollectionModel, ID_FIELD } from '../model.js';
import { lineForMeaning, VALUED } from './foreign.js';
import { filterParametersByName } from './operators.js';
import { MISSING } from './query.js';

interface TextSign {
  /** As it stands in the text. */
  readonly written: string;
  /** The search text that means the same, and whether all of its words must occur; or a sentence in place of one. */
  readonly instead: { readonly text: string; readonly needsAll: boolean } | { readonly line: string };
  /** Whether the sign may as well be a word or number of a text: `war AND peace`, `mc^2`. */
  readonly mayBeText: boolean;
}

const AND = /(?<!\S)(?:AND|&&)(?=\s+\S)/gu;
const OR = /(?<!\S)(?:OR|\|\|)(?!\S)/u;

/** The signs, each with the text that takes its place. Phrases stand as numbers in quotes meanwhile. */
const SIGNS: readonly (readonly [sign: RegExp, here: string])[] = [
  [/(?<!\S)(?:NOT\s+|!)(?=[\p{L}"])/gu, '-'],
  [AND, ''],
  [/(?<!\S)\+(\p{L}[^\s":]*)(?!\S)/gu, '"$1"'],
  // A phrase must occur, and so must a word of a field.
  [/(?<!\S)\+(?=["\p{L}])/gu, ''],
  [/(?<=[\p{L}\p{N}"])[~^]\d+(?:\.\d+)?(?!\S)/gu, ''],
  // The last word of a text also finds words that it begins.
  [/(?<=[\p{L}\p{N}])\*$/gu, ''],
];

const NAMED_FIELD = String.raw`([\p{L}_$][\p{L}\p{M}\p{N}_$]*)`;
const EXISTS = new RegExp(
  String.raw`(?<!\S)(-|NOT\s+)?(?:_(exists|missing)_:${NAMED_FIELD}|${NAMED_FIELD}:\*)(?!\S)`,
  'u',
);
const GROUP = new RegExp(String.raw`(?<!\S)(-?)${NAMED_FIELD}:\(([^()]+)\)`, 'u');
const RANGE_OF_VALUES = /[[{]\S{1,40} TO \S{1,40}[\]}]/u;
const WILDCARD = new RegExp(
  String.raw`(?<!\S)(?:${NAMED_FIELD}:)?(?:\*([\p{L}\p{N}]+)\*?|([\p{L}\p{N}]+)\*)(?!\S)`,
  'u',
);

/** The first sign in a search text; null where it has none. */
export function signInText(source: string, model: CollectionModel): TextSign | null {
  const phrases: string[] = [];
  let text = source.trim().replace(/"[^"]*"/g, (phrase) => `"${phrases.push(phrase) - 1}"`);
  const restored = (part: string): string =>
    part.replace(/"(\d+)"/g, (_, phrase: string) => phrases[Number(phrase)] ?? '');
  const line = lineInstead(text, model, restored);
  if (line !== null) return { ...line, mayBeText: false };
  const needsAll = text.search(AND) >= 0;
  let written: string | undefined;
  for (const [sign, here] of SIGNS) {
    written ??= text.match(sign)?.[0].trim();
    text = text.replace(sign, here).trim();
  }
  if (written === undefined) return null;
  const mayBeText = /^(?:AND|NOT|[~^])/.test(written);
  if (needsAll && (OR.test(text) || text.includes('(')))
    return {
      written,
      instead: { line: 'Words are not nested: match=all or match=any holds for all of them.' },
      mayBeText,
    };
  if (text.split(/\s+/).every((word) => word.startsWith('-')))
    return { written, instead: { line: 'Exclusions stand beside words that must occur: q=tea%20-pot.' }, mayBeText };
  return { written, instead: { text: restored(text.replace(/\s+/g, ' ')), needsAll }, mayBeText };
}

const ALL_RECORDS = 'A list without q has all records.';

/**
 * The sign of a text that no other search text stands for: an asterisk, a range, values of a field in brackets. `restored` puts the phrases
 * of the search back into a part of it.
 */
function lineInstead(
  text: string,
  model: CollectionModel,
  restored: (part: string) => string,
): Pick<TextSign, 'written' | 'instead'> | null {
  const { fields } = model;
  const parameters = filterParametersByName(model);
  const sign = (written: string, line: string) => ({ written: restored(written), instead: { line } });
  if (/^\*(?::\*)?$/.test(text)) return sign(text, ALL_RECORDS);
  const [exists, minus, word, name, starred] = EXISTS.exec(text) ?? [];
  const field = fields.find((one) => one.name === (name ?? starred));
  if (exists !== undefined && field !== undefined) {
    const suffix = (word === 'missing') === (minus === undefined) ? MISSING : VALUED;
    const line = field.required ? null : lineForMeaning(field.name, { suffix, values: [] }, parameters);
    return sign(exists, line ?? ALL_RECORDS);
  }
  const [group, without = '', ofGroup = '', inside = ''] = GROUP.exec(text) ?? [];
  const grouped = fields.find((one) => one.name === ofGroup);
  if (group !== undefined && grouped !== undefined) {
    const words = inside.split(/\s+/).filter((one) => !/^(?:OR|AND|\|\||&&|)$/.test(one));
    const line =
      grouped.filter !== undefined && without === ''
        ? lineForMeaning(
            ofGroup,
            { suffix: '', values: words.map((one) => restored(one).replaceAll('"', '')) },
            parameters,
          )
        : OR.test(inside) && without === ''
          ? 'Words that a field must have all occur; any of several is enough for words without a field.'
          : null;
    const pieces = words.map((one) => `${without}${ofGroup}:${one}`);
    if (line !== null) return sign(group, line);
    const rewritten = restored(text.replace(group, () => pieces.join(' ')));
    return { written: restored(group), instead: { text: rewritten, needsAll: false } };
  }
  const [range] = RANGE_OF_VALUES.exec(text) ?? [];
  const ordered = fields.find((one, i) => i !== ID_FIELD && isOrdered(one))?.name;
  if (range !== undefined && ordered !== undefined)
    return sign(range, `A range is of a field, as ${ordered}_gte and ${ordered}_lte are.`);
  const [wildcard, ofField = 'title', part, beginning = part] = WILDCARD.exec(text) ?? [];
  const isLast = wildcard?.startsWith('*') === false && text.endsWith(wildcard);
  if (wildcard === undefined || isLast) return null;
  const line = lineForMeaning(ofField, { suffix: '_like', values: [beginning ?? ''] }, parameters);
  return line === null ? null : sign(wildcard, line);
}
