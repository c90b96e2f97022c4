/**
 * Conditions that people write into the text of a search, as GitHub and Lucene have them: `price:>5`, `-pages:200`, `inStock:true`,
 * `sku:AB-1`. Here a condition is a parameter of its own: the API answers so, and lists of pages move it there. Words of fields are
 * searched as `title:tea`, so only fields whose words are not indexed have such conditions: numbers, dates, switches, codes, addresses.
 */
import { isLongText } from '../field-kinds.js';
import type { CollectionModel, Field } from '../model.js';
import { accepts, boundsIn, meantBy, NEGATED } from './foreign.js';
import { filterParametersByName } from './operators.js';

interface TextCondition {
  /** As it stands in the text. */
  readonly written: string;
  /** Where it begins in the text. */
  readonly at: number;
  /** The parameters that mean the same. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** `price:>5`, `-price>=5`, `sku:"AB 1"`, `date:[2024 TO 2025]`, at the beginning of a word. */
const TEXT_CONDITION =
  /(?<![^\s(])(-?)([\p{L}_$][\p{L}\p{M}\p{N}_$]{0,63})(?::|(?=[<>=!]))([[{][^\]}]{1,64}[\]}]|"[^"]{1,64}"|[^\s()]{1,64}(?![^\s()]))/gu;

const isSearchedByWords = (field: Field): boolean =>
  field.oneOf === undefined && (field.searchWeight !== undefined || isLongText(field));

/** The conditions in a search text, whose values the fields take. */
export function conditionsInText(text: string, model: CollectionModel): readonly TextCondition[] {
  const matches = [...text.matchAll(TEXT_CONDITION)];
  if (matches.length === 0) return [];
  const parameters = filterParametersByName(model);
  return matches.flatMap(({ index: at, 0: written, 1: minus = '', 2: name = '', 3: quoted = '' }) => {
    const field = model.fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (field === undefined || isSearchedByWords(field)) return [];
    const value = quoted.replace(/^"(.*)"$/, '$1');
    const isPart = field.kind === 'url' || value.endsWith('*');
    const plain = isPart ? { suffix: '_like', values: [value.replace(/\*$/, '')] } : { suffix: '', values: [value] };
    const { suffix: meant, values } = meantBy(value) ?? plain;
    const suffix = minus === '' ? meant : NEGATED.get(meant);
    if (suffix === undefined) return [];
    const bounds = minus === '' ? boundsIn(field.name, value, parameters) : [];
    const pairs = bounds.length > 0 ? bounds : values.map((one) => [field.name + suffix, one] as const);
    const isTaken = pairs.length > 0 && pairs.every(([parameter, one]) => accepts(parameters, parameter, one));
    return isTaken ? { written, at, pairs } : [];
  });
}
