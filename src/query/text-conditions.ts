/**
 * Conditions that people write into the text of a search, as GitHub and Lucene have them: `price:>5`, `pages:200..300`, `inStock:true`.
 * Here a condition is a parameter of its own: the API answers so, and lists of pages move it there. Texts of fields are searched as
 * `title:tea`, so only fields that hold no text have such conditions.
 */
import { type CollectionModel, isOrdered } from '../model.js';
import { accepts, meantBy, spanIn } from './foreign.js';
import { filterParameters } from './operators.js';

interface TextCondition {
  /** As it stands in the text. */
  readonly written: string;
  /** Where it begins in the text. */
  readonly at: number;
  /** The parameters that mean the same. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** `price:>5`, `price>=5`, `date:[2024 TO 2025]`, at the beginning of a word. */
const TEXT_CONDITION =
  /(?<![^\s(])([\p{L}_$][\p{L}\p{M}\p{N}_$]{0,63})(?::|(?=[<>=!]))(\[[^\]]{1,64}\]|[^\s()]{1,64}(?![^\s()]))/gu;

/** The conditions in a search text, whose values the fields take. */
export function conditionsInText(text: string, model: CollectionModel): readonly TextCondition[] {
  const matches = [...text.matchAll(TEXT_CONDITION)];
  if (matches.length === 0) return [];
  const parameters = new Map(filterParameters(model).map((parameter) => [parameter.name, parameter]));
  return matches.flatMap(({ index: at, 0: written, 1: name = '', 2: value = '' }) => {
    const field = model.fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (field === undefined || !(isOrdered(field) || field.kind === 'boolean' || field.oneOf)) return [];
    const [from, to] = spanIn(field.name, value, parameters);
    const { suffix, values } = meantBy(value) ?? { suffix: '', values: [value] };
    const pairs =
      from !== undefined && to !== undefined
        ? [[`${field.name}_gte`, from] as const, [`${field.name}_lte`, to] as const]
        : values.map((one) => [field.name + suffix, one] as const);
    const isTaken = pairs.length > 0 && pairs.every(([parameter, one]) => accepts(parameters, parameter, one));
    return isTaken ? { written, at, pairs } : [];
  });
}
